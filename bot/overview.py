"""The short table of `limen status`: what runs, what waits and for what, what failed and why."""

from collections.abc import Callable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from agency import approvals, consents, fires, handoffs
from agency.approvals import Approval
from agency.handoffs import Handoff
from bot import health
from bot.engine import leases, letters, outages, runs, sessions, spending
from bot.rows import Rooms
from bot.safekeeping import doubts, retention
from memory import originals
from memory.db import Reader

SHOWN = 20  # rows of one kind
FAILED = 5  # runs that were given up
SHORT = 70  # signs of a text


def lines(reader: Reader, *, owner: int | None, zone: ZoneInfo, now: datetime) -> list[str]:
    """The table, a line each; `owner` is the process on the data folder, 0 for several."""
    page = _Page(reader, zone)
    parts = [
        ("process", [_running(owner)]),
        ("held", page.held()),
        ("platforms", page.platforms(now, running=owner is not None)),
        ("model", page.model()),
        ("sessions", page.sessions()),
        ("fires", page.fires()),
        ("runs", page.runs()),
        ("handoffs", page.handoffs()),
        ("consents", page.consents()),
        ("approvals", page.approvals()),
        ("letters", page.letters()),
        ("restored", page.restored(now)),
        ("cleared", retention.told(reader, page.clock)),
        ("tokens", _tokens(reader, now, zone)),
    ]
    return [
        f"{name if n == 0 else '':<10}{line}" for name, part in parts for n, line in enumerate(part)
    ]


def _running(owner: int | None) -> str:
    if owner is None:
        return "not running"
    return f"running (process {owner})" if owner else "running; who holds what:"


def questions(reader: Reader, *, zone: ZoneInfo) -> list[str]:
    """Everything that waits for a yes or no, and the last answers; a line each."""
    page, rooms = _Page(reader, zone), Rooms(reader)
    latest = approvals.latest(reader, limit=SHOWN)
    settled = [one for one in latest if one.state is not approvals.State.ASKED]
    parts = [
        ("approvals", page.approvals()),
        ("consents", page.consents()),
        ("answered", (approval_line(reader, rooms, one, page.clock) for one in settled)),
    ]
    return [
        f"{name if n == 0 else '':<10}{line}" for name, part in parts for n, line in enumerate(part)
    ]


def short(text: str, limit: int = SHORT) -> str:
    """A text on one line, cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def approval_line(
    reader: Reader, rooms: Rooms, one: Approval, clock: Callable[[datetime], str]
) -> str:
    """An approval on one line: who asks whom, since when, and how it stands."""
    names = ", ".join(rooms.person(may.person_id) for may in approvals.approvers(reader, one.id))
    where, who = rooms.called(one.session_id), rooms.person(one.person_id)
    line = f"a{one.id} {who} in {where} asks {names}: “{short(one.question, 50)}”"
    if one.state is approvals.State.ASKED:
        return f"{line} since {clock(one.asked_at)}, until {clock(one.expires_at)}"
    by = f" by {rooms.person(one.answered_by)}" if one.answered_by is not None else ""
    every = ", every time" if one.holds is approvals.Holds.ALWAYS else ""
    return f"{line} — {one.state.value}{by}{every}"


class _Page:
    """The rows of one snapshot."""

    def __init__(self, reader: Reader, zone: ZoneInfo) -> None:
        self._reader = reader
        self._rooms = Rooms(reader)
        self._zone = zone

    def held(self) -> Iterator[str]:
        """What is one process's, where several share the work."""
        for lease in leases.every(self._reader):
            by = f"by {lease.owner} since {self.clock(lease.taken_at)}"
            yield f"{lease.name:<14} {by if lease.owner else 'by nobody'}"

    def platforms(self, now: datetime, *, running: bool) -> Iterator[str]:
        """How each is, or was when the process that is gone looked last."""
        for one in health.every(self._reader):
            state = f"{'up' if one.up else 'down'} since {self.clock(one.since)}"
            known = [state, one.note, _ago("last sign of life", one.heard_at, now)]
            line = ", ".join(filter(None, [*known, _ago("last event", one.event_at, now)]))
            gone = "" if running else f"as of {self.clock(one.seen_at)}, when Limen ran: "
            yield f"{one.name} {gone}{line}"

    def model(self) -> Iterator[str]:
        """Whether it can be reached, or when it could not be last."""
        last, waiting = outages.latest(self._reader), runs.count_held(self._reader)
        if last is None:
            yield "was never away"
        elif last.ended_at is not None:
            yield f"away last from {self.clock(last.began_at)} to {self.clock(last.ended_at)}"
        else:
            known = f"away since {self.clock(last.began_at)}, {self._count(waiting, 'runs wait')}"
            yield f"{known}, asked again at {self.clock(last.probe_at)}: {short(last.error, 300)}"

    def sessions(self) -> Iterator[str]:
        """The conversations something happened in last."""
        known, heard = sessions.count(self._reader), originals.newest_id(self._reader)
        yield f"{known} conversations, {heard} messages in all"
        for one in sessions.recent(self._reader, limit=SHOWN):
            thread = " ↳" if one.address and one.address.thread else ""
            room = self._rooms.called(one.id) + thread
            yield f"s{one.id} {room}, last {self.clock(one.last_at)}, {one.attention.value}"

    def fires(self) -> Iterator[str]:
        """How many in which state, and the dead ones by name."""
        counts = fires.counts(self._reader)
        yield ", ".join(f"{n} {state.value}" for state, n in counts.items()) or "none open"
        for fire in fires.dead(self._reader, limit=SHOWN):
            where = self._rooms.called(fire.session_id) or fire.kind.value
            yield f"f{fire.id} is dead ({where}): {short(fire.error)} — 'limen retry f{fire.id}'"

    def runs(self) -> Iterator[str]:
        """Those that wait or go on."""
        found = runs.still_open(self._reader, limit=SHOWN)
        yield self._count(runs.count_open(self._reader), "open")
        for run in found:
            where = self._rooms.called(run.session_id)
            since = self.clock(run.started_at or run.due_at)
            error = f", after: {short(run.error)}" if run.error else ""
            yield f"r{run.id} {run.role} {where} {run.state.value} since {since}{error}"
        for run in runs.failed_lately(self._reader, limit=FAILED):
            where, ended = self._rooms.called(run.session_id), run.finished_at or run.created_at
            yield f"r{run.id} {run.role} {where} failed at {self.clock(ended)}: {short(run.error)}"

    def handoffs(self) -> Iterator[str]:
        """What is on its way, and what it waits for."""
        yield self._count(handoffs.count_open(self._reader), "waiting")
        for one in handoffs.still_open(self._reader, limit=SHOWN):
            target = self._rooms.called(one.target_id)
            yield f"h{one.id} for {target}: {short(one.subject, 40)} — {self._waits(one)}"

    def consents(self) -> Iterator[str]:
        """Open questions."""
        found = consents.asked(self._reader, limit=SHOWN)
        yield self._count(len(found), "open", most=SHOWN)
        for one in found:
            who, target = self._rooms.person(one.person_id), self._rooms.called(one.target_id)
            asked, until = self.clock(one.asked_at), self.clock(one.expires_at)
            yield f"c{one.id} asks {who} about {target} since {asked}, until {until}"

    def approvals(self) -> Iterator[str]:
        """Open questions, and the runs that wait for their answers."""
        found = approvals.asked(self._reader, limit=SHOWN)
        waiting = len(runs.suspended(self._reader))
        yield f"{self._count(len(found), 'open', most=SHOWN)}, {waiting} runs suspended"
        yield from (approval_line(self._reader, self._rooms, one, self.clock) for one in found)

    def letters(self) -> Iterator[str]:
        """Those on their way, in doubt, or failed."""
        failed = letters.failed_lately(self._reader, limit=SHOWN)
        waiting = self._count(letters.count_open(self._reader), "on their way")
        yield f"{waiting}, {self._count(len(failed), 'failed lately', most=SHOWN)}"
        for one in [*letters.still_open(self._reader, limit=SHOWN), *failed]:
            where = self._rooms.called(one.session_id)
            error = f": {short(one.error)}" if one.error else ""
            yield f"l{one.id} to {where} {one.state.value}, {one.attempts} tries{error}"

    def restored(self, now: datetime) -> Iterator[str]:
        """The last restore, as long as it matters, and what has been in doubt since."""
        last = doubts.last(self._reader)
        if last is None or now - last.at > doubts.SHOWN:
            return
        made = f"{last.source}, made {self.clock(last.made)}"
        yield f"{self.clock(last.at)}, from {made}"
        if last.doubts:
            yield "may have been said or done in between, and is not repeated:"
            yield from (f"  {line}" for line in doubts.told(last.doubts))

    def _waits(self, handoff: Handoff) -> str:
        if handoff.state is handoffs.State.ASKING:
            asked = consents.of_handoff(self._reader, handoff.id)
            names = (
                self._rooms.person(one.person_id)
                for one in asked
                if one.state is consents.State.ASKED
            )
            return f"asking {', '.join(names)}"
        if handoff.not_before is not None:
            return f"{handoff.state.value} until {self.clock(handoff.not_before)}"
        return f"{handoff.state.value}, {short(handoff.reason)}"

    def clock(self, moment: datetime) -> str:
        return f"{moment.astimezone(self._zone):%Y-%m-%d %H:%M}"

    def _count(self, count: int, word: str, *, most: int | None = None) -> str:
        if not count:
            return f"none {word}"
        return f"{count}{'+' if count == most else ''} {word}"


def _ago(what: str, moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return ""
    seconds = max(0, int((now - moment).total_seconds()))
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{what} {seconds // size} {unit} ago"
    return f"{what} {seconds} s ago"


def _tokens(reader: Reader, now: datetime, zone: ZoneInfo) -> Iterator[str]:
    spent = spending.of_day(reader, now.astimezone(zone).date())
    yield f"{sum(one.tokens for one in spent)} today ({zone}); 'limen budget' tells more"
    for one in spent:
        used = one.usage
        tokens = f"{used.input_tokens} in, {used.output_tokens} out"
        yield f"{one.purpose} ({one.model}): {one.calls} calls, {tokens}"
