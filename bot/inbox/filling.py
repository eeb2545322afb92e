"""What fills the inboxes: news that can wait, what was said unasked, and questions for a yes."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from agency import approvals, inbox
from agency.approvals import Approval
from agency.consents import Consent
from agency.handoffs import Handoff
from agency.inbox import Kind, Note
from agency.policy import Grade
from bot.engine.letters import Letter
from memory import audiences, originals, people
from memory.db import Reader, Tx
from memory.moments import span_us, to_us

ASKS = ("consent:", "approval:")
"""What letters are about that ask for somebody's word."""
LONGEST = 600  # signs of a text that is kept
BRIEF = timedelta(hours=12)  # what is worth telling for less than this is told by then or never
KEPT = timedelta(days=7)  # how long everything else waits in an inbox


def digest(tx: Tx, handoff: Handoff, *, now_us: int) -> int:
    """Put a handoff that can wait into the inboxes of those it is for; how many that are."""
    found = recipients(tx, handoff)
    for person in found:
        note = Note(
            key=f"digest:handoff:{handoff.id}:p{person}",
            person_id=person,
            kind=Kind.DIGEST,
            subject=handoff.subject,
            text=handoff.words[:LONGEST],
            cause=f"handoff:{handoff.id}",
            room_id=handoff.target_id,
            weight=(1.0 if handoff.grade is Grade.MAJOR else 0.0) + handoff.confidence,
            sources=handoff.sources,
            expires_us=_expires(handoff, now_us),
        )
        inbox.add(tx, note, now_us=now_us)
    return len(found)


def recipients(reader: Reader, handoff: Handoff) -> list[int]:
    """The people of its room whom it concerns, else all of them; nobody is told their own words."""
    room = audiences.find(reader, handoff.target_id)
    members = {one for one in (room.members if room else ()) if _is_person(reader, one)}
    concerned = members & set(handoff.people)
    said_by = {one.person_id for one in originals.find_many(reader, list(handoff.originals))}
    return sorted((concerned or members) - (said_by if len(said_by) == 1 else set()))


def said(tx: Tx, letter: Letter, because: Sequence[Handoff], *, now_us: int) -> None:
    """Note an unasked message in the inboxes of those it was said to or names.

    Questions and digests have entries of their own; what is noted already stays as it is.
    """
    room = audiences.find(tx, letter.session_id)
    own = letter.key.startswith(inbox.DIGEST) or letter.buttons or letter.about.startswith(ASKS)
    if room is None or not letter.proactive or letter.follows or own:
        return
    concerned = {id for one in because for id in one.people}
    named = room.members if room.direct else concerned | set(people.named(tx, letter.body))
    sources = {source for one in because for source in one.sources}
    for person in sorted(named & room.members):
        note = Note(
            key=f"notify:{letter.key}:p{person}",
            person_id=person,
            kind=Kind.NOTIFY,
            subject=", ".join(dict.fromkeys(one.subject for one in because)),
            text=letter.body[:LONGEST],
            cause=f"handoff:{because[0].id}" if because else f"letter:{letter.id}",
            room_id=letter.session_id,
            sources=tuple(sorted(sources)),
            told_in=letter.key,
        )
        inbox.add(tx, note, now_us=now_us)


def asked(tx: Tx, consent: Consent, about: Iterable[int], *, now_us: int) -> None:
    """Note a question for somebody's consent in their inbox."""
    found = originals.find_many(tx, list(about))
    note = Note(
        key=f"approval:consent:{consent.id}",
        person_id=consent.person_id,
        kind=Kind.APPROVAL,
        subject="",
        text=consent.body[:LONGEST],
        cause=f"consent:{consent.id}",
        room_id=consent.target_id,
        sources=tuple((one.id, one.version) for one in found),
    )
    inbox.add(tx, note, now_us=now_us)


def asked_to_approve(tx: Tx, approval: Approval, person: int, *, now_us: int) -> None:
    """Note a question for somebody's approval in their inbox."""
    note = Note(
        key=f"approval:approval:{approval.id}:p{person}",
        person_id=person,
        kind=Kind.APPROVAL,
        subject=approval.subject,
        text=approval.question[:LONGEST],
        cause=f"approval:{approval.id}",
        room_id=approval.session_id,
    )
    inbox.add(tx, note, now_us=now_us)


def settled(tx: Tx, approval: Approval, *, now_us: int) -> None:
    """Nobody's word on it is waited for any more."""
    answered = approval.state in (approvals.State.GRANTED, approvals.State.DENIED)
    to = inbox.State.SEEN if answered else inbox.State.DROPPED
    inbox.settle(tx, f"approval:{approval.id}", to, approval.state.value, now_us=now_us)


def alert(tx: Tx, key: str, person: int, text: str, letter_key: str, *, now_us: int) -> None:
    """Note what an admin has to know; without a letter it waits until one can be written."""
    note = Note(
        key=f"alert:{key}:p{person}",
        person_id=person,
        kind=Kind.ALERT,
        subject="",
        text=text[:LONGEST],
        cause=f"notice:{key}",
        told_in=letter_key,
    )
    if inbox.add(tx, note, now_us=now_us) is None and letter_key:
        for entry in inbox.of_cause(tx, note.cause):
            if entry.person_id == person:
                inbox.tell(tx, entry.id, letter_key, now_us=now_us)


def _expires(handoff: Handoff, now_us: int) -> int:
    """A digest may be a day away, and further for somebody who asked for a pause or has no DM."""
    brief = handoff.expires_at - handoff.created_at < BRIEF
    expires = to_us(handoff.expires_at)
    return expires if brief else max(expires, now_us + span_us(KEPT))


def _is_person(reader: Reader, id: int) -> bool:
    found = people.find(reader, id)
    return found is not None and not found.is_bot
