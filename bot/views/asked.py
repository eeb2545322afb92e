"""What waits for somebody's yes or no, and what became of it: consents and approvals."""

from datetime import datetime

from agency import approvals, consents
from agency.approvals import Approval
from agency.consents import Consent
from bot import rows
from bot.rows import Row
from bot.views.sight import Sight, cut, hidden


def asked_rows(sight: Sight, limit: int) -> list[Row]:
    """The newest questions of both kinds, newest first."""
    given = [_consent(sight, one) for one in consents.latest(sight.reader, limit=limit)]
    wanted = [_approval(sight, one) for one in approvals.latest(sight.reader, limit=limit)]
    return sorted([*given, *wanted], key=lambda row: str(row["at"]), reverse=True)[:limit]


def _consent(sight: Sight, consent: Consent) -> Row:
    row: Row = {
        "id": f"c{consent.id}",
        "kind": "consent",
        "state": consent.state.value,
        "at": rows.at(consent.asked_at),
        "private": False,
    }
    # Whoever is not a party to it learns neither the words nor whose they are.
    if not sight.sees(consent.source_id):
        return hidden(row)
    return row | {
        "room": sight.rooms.called(consent.target_id),
        "names": [sight.rooms.person(consent.person_id)],
        "text": cut(consent.body),
        "reach": consent.scope.value if consent.standing else "",
        "expires_at": _end(consent.expires_at if _open(consent) else consent.until),
    }


def _approval(sight: Sight, approval: Approval) -> Row:
    row: Row = {
        "id": f"a{approval.id}",
        "kind": "approval",
        "state": approval.state.value,
        "at": rows.at(approval.asked_at),
        "private": False,
    }
    may = approvals.approvers(sight.reader, approval.id)
    if not any(sight.sees(one) for one in (approval.session_id, *(a.session_id for a in may))):
        return hidden(row)
    answered = approval.answered_by
    return row | {
        "room": sight.rooms.called(approval.session_id),
        "from": sight.rooms.person(approval.person_id),
        "names": [sight.rooms.person(one.person_id) for one in may],
        "by": sight.rooms.person(answered) if answered is not None else "",
        "text": cut(approval.question),
        "run": f"r{approval.run_id}",
        "reach": approval.holds.value if approval.holds is approvals.Holds.ALWAYS else "",
        "expires_at": _end(approval.expires_at if _waits(approval) else None),
    }


def _open(consent: Consent) -> bool:
    return consent.state is consents.State.ASKED


def _waits(approval: Approval) -> bool:
    return approval.state is approvals.State.ASKED


def _end(moment: datetime | None) -> str | None:
    return rows.at(moment) if moment is not None else None
