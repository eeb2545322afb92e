"""What a run is told first: who and where it is, what was said, what is known, what is asked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from agency import approvals, consents, handoffs
from agency.attention import Attention
from agency.gates import Rules
from agency.hearing import Hearing
from bot import agency_context, rows
from bot.earshot import Earshot
from bot.engine import sessions
from bot.engine.inputs import Input, Trigger
from bot.engine.rations import Ration
from bot.engine.runs import Run
from bot.engine.runtime import Context
from bot.engine.waits import Clock
from bot.files import enclosures
from bot.files.enclosures import Enclosures
from bot.models import sections
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Block
from bot.rows import Rooms, Row
from bot.standing import stands
from bot.timed import telling
from memory import facts, originals, people, search
from memory.db import Reader
from memory.files import File
from memory.moments import to_us
from memory.originals import Original

_LOOKED_AT = 4  # messages before the question, where the picture it is about may be
_LATELY = timedelta(minutes=10)  # what is older has to be replied to, to be looked at again


LATE = timedelta(minutes=10)  # what comes later than this needs a word; clocks differ by less
TOLD_LATELY = timedelta(days=1)  # whoever agreed may still want to take it back
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How much a run is told."""

    name: str
    """What the bot is called."""
    language: str
    timezone: str
    model: str
    off: tuple[str, ...] = ()
    """Duties that are switched off."""
    history: int = 40
    """Messages of the room itself."""
    recalled: int = 8
    """Messages from elsewhere."""
    facts: int = 8


class Contexts(Context):
    """Builds the first message of every role."""

    def __init__(
        self, attention: Attention, clock: Clock, *, rules: Rules, settings: Settings
    ) -> None:
        self._attention = attention
        self._clock = clock
        self._rules = rules
        self._settings = settings

    def build(self, reader: Reader, run: Run, given: list[Input]) -> list[Block]:
        """The blocks of the first message; see `bot/models/sections.py` for their form."""
        builders: dict[str, Callable[[Reader, Run, list[Input]], list[str]]] = {
            "conversation": self._conversation,
            "agency": self._agency,
            "memory": self._memory,
            "subagent": self._subagent,
        }
        standing = [one for one in given if stands(reader, one)]
        told = [_text(part) for part in builders[run.role](reader, run, standing)]
        return told + enclosures.blocks(self._pictures(reader, run, standing))

    def more(self, reader: Reader, run: Run, given: list[Input]) -> list[Block]:
        """The blocks of inputs that came while the run was going on."""
        standing = [one for one in given if stands(reader, one)]
        if run.role == "agency":
            parts = agency_context.fires(reader, _fire_ids(standing))
            return [_text(part) for part in parts] if standing else []
        seen = enclosures.pictures(reader, _said(standing))
        enclosed = Enclosures(reader, words=_words(standing), pictures=seen)
        inputs = self._inputs(reader, run.session_id, standing, enclosed)
        told = [_text(sections.render("inputs", inputs)), *enclosures.blocks(seen)]
        return told if standing else []

    def _me(self, run: Run) -> str:
        settings = self._settings
        spare = run.ration is Ration.BUILTIN
        me: Row = {
            "name": settings.name,
            "now": rows.at(self._clock()),
            "timezone": settings.timezone,
            "language": settings.language,
            "model": BuiltinModel.name if spare else settings.model,
        }
        if spare:
            me["budget"] = "used up"
        if settings.off:
            me["off"] = list(settings.off)
        return sections.render("me", [me])

    def _room(self, rooms: Rooms, session: int, around: Row | None = None) -> str:
        audience = rooms.audience(session)
        row: Row = {
            "session": f"s{session}",
            "title": rooms.title(session),
            "kind": "direct" if audience and audience.direct else "group",
            "open": bool(audience and audience.open),
            "members": rooms.members(session),
        }
        return sections.render("room", [row | (around or {})])

    def _conversation(self, reader: Reader, run: Run, given: list[Input]) -> list[str]:
        session = run.session_id
        rooms = Rooms(reader)
        seen = self._pictures(reader, run, given)
        enclosed = Enclosures(reader, words=_words(given), pictures=seen)
        inputs = self._inputs(reader, session, given, enclosed)
        history = [
            *_thread_root(reader, session),
            *originals.recent(reader, session, limit=self._settings.history),
        ]
        return [
            self._me(run),
            self._room(rooms, session, telling.around(reader, session)),
            sections.render("summary", _summary(reader, session)),
            sections.render("history", enclosed.with_files(map(rows.message, history))),
            *self._memory_of(reader, rooms, session, given, history, enclosed),
            sections.render("consents", self._consents(reader, rooms, session)),
            sections.render("approvals", _approvals(reader, rooms, session)),
            *telling.sections_of(reader, session, given, self._clock()),
            sections.render("inputs", inputs),
        ]

    def _consents(self, reader: Reader, rooms: Rooms, session: int) -> Iterator[Row]:
        """The open questions, the yeses that can be taken back, and what was told just now."""
        lately = to_us(self._clock() - TOLD_LATELY)
        told = consents.told_in(reader, session, since_us=lately)
        for one in (*consents.open_in(reader, session), *told):
            yield {
                "id": f"c{one.id}",
                "state": "told" if one in told else one.state.value,
                "target": rooms.title(one.target_id),
                "text": one.body,
                "reach": one.scope.value,
                "expires_at": rows.at(one.expires_at),
            }

    def _pictures(self, reader: Reader, run: Run, given: list[Input]) -> list[File]:
        """Those a conversation is about: sent now, replied to, or just before in its room."""
        said = _said(given)
        if run.role != "conversation" or not said:
            return []
        replied = [one.reply_to for one in originals.find_many(reader, said)]
        since = self._clock() - _LATELY
        before = [
            one.id
            for one in originals.recent(reader, run.session_id, limit=_LOOKED_AT + len(said))
            if one.said_at >= since
        ]
        asked = [int(one[1:]) for one in replied if one]
        return enclosures.pictures(reader, sorted({*asked, *before, *said}))

    def _memory_of(
        self,
        reader: Reader,
        rooms: Rooms,
        session: int,
        given: list[Input],
        history: list[Original],
        enclosed: Enclosures,
    ) -> list[str]:
        words = _words(given)
        if rooms.audience(session) is None or not words.strip():
            return [sections.render("recalled", []), sections.render("facts", [])]
        hears = Earshot(reader, session, self._rules.privacy)
        shown = frozenset(one.id for one in history)
        found = search.recall_originals(
            reader, words, visible=hears, limit=self._settings.recalled, exclude=shown,
            look_up=hears.look_up,
        )  # fmt: skip
        found += self._said_by_named(reader, words, hears, shown | {one.id for one in found})
        enclosed.look_up(one.id for one in found)
        known = search.recall_facts(
            reader, words, visible=hears, limit=self._settings.facts, look_up=hears.look_up
        )
        return [
            sections.render(
                "recalled", (rooms.elsewhere(one) | enclosed.of(one.id) for one in found)
            ),
            sections.render("facts", (rooms.fact(one) for one in known)),
        ]

    def _said_by_named(
        self, reader: Reader, words: str, hears: Earshot, known: frozenset[int]
    ) -> list[Original]:
        """What people whom a question names said last: their own words seldom hold their name."""
        said = (
            one
            for person in people.named(reader, words)
            for one in originals.said_by(reader, person, limit=4 * self._settings.recalled)
        )
        fresh = [one for one in said if one.id not in known and hears(one.session_id)]
        return fresh[: self._settings.recalled]

    def _inputs(
        self, reader: Reader, session: int, given: list[Input], enclosed: Enclosures
    ) -> list[Row]:
        rooms = Rooms(reader)
        audience = rooms.audience(session)
        hears = Hearing(reader, audience, self._rules.privacy) if audience else None
        newest_first = [
            _input_row(reader, rooms, hears, one) | _files(one, enclosed) for one in given[::-1]
        ]
        return newest_first[::-1]

    def _agency(self, reader: Reader, run: Run, given: list[Input]) -> list[str]:
        return [
            self._me(run),
            *agency_context.build(reader, self._attention, _fire_ids(given)),
        ]

    def _memory(self, reader: Reader, run: Run, given: list[Input]) -> list[str]:
        burst = given[-1].metadata
        session, after, until = (int(burst[key]) for key in ("session", "after", "until"))
        rooms = Rooms(reader)
        found = originals.since(reader, session, after, limit=int(burst["limit"]))
        known = facts.of_session(reader, session, limit=20)
        told = (rows.message(one) for one in found if one.id <= until)
        return [
            self._me(run),
            self._room(rooms, session),
            sections.render("summary", _summary(reader, session)),
            sections.render("facts", (rooms.fact(one) for one in known)),
            sections.render("messages", Enclosures(reader).with_files(told)),
        ]

    def _subagent(self, reader: Reader, run: Run, given: list[Input]) -> list[str]:
        tasks = ({"id": f"i{one.id}", "text": one.text, **one.metadata} for one in given)
        return [self._me(run), sections.render("tasks", tasks)]


def _approvals(reader: Reader, rooms: Rooms, session: int) -> Iterator[Row]:
    for one in approvals.open_in(reader, session):
        may = approvals.approvers(reader, one.id)
        yield {
            "id": f"a{one.id}",
            "question": one.question,
            "from": rooms.person(one.person_id),
            "may_answer": [rooms.person(approver.person_id) for approver in may],
            "expires_at": rows.at(one.expires_at),
        }


def _thread_root(reader: Reader, session: int) -> list[Original]:
    """The message a thread hangs under: said in the room, and what the thread is about."""
    found = sessions.find(reader, session)
    address = found.address if found else None
    if address is None or address.parent is None:
        return []
    root = originals.at_address(reader, str(replace(address.parent, message=address.thread)))
    return [root] if root and not root.recalled else []


def _input_row(reader: Reader, rooms: Rooms, hears: Hearing | None, given: Input) -> Row:
    row: Row = {
        "id": f"i{given.id}",
        "trigger": given.trigger.value,
        "at": rows.at(given.created_at),
        "text": given.text,
        "addressed": given.wakes,
    }
    if given.person_id is not None:
        row |= {"from": rooms.person(given.person_id), "person": f"p{given.person_id}"}
    if given.original_id is not None:
        row["original"] = f"o{given.original_id}"
    if given.trigger is Trigger.MESSAGE:
        row |= _when(reader, given)
    if given.trigger is Trigger.SCHEDULE:
        row |= {"schedule": f"r{given.metadata['schedule']}", "note": given.metadata["note"]}
    if given.trigger is Trigger.HANDOFF:
        row |= _handoff_row(reader, rooms, hears, given.metadata["handoff"])
    elif given.trigger is Trigger.CONSENT_REQUEST:
        row |= _consent_row(reader, rooms, given)
    return row


def _when(reader: Reader, given: Input) -> Row:
    """When it was said, and how late it came: a platform may bring it after an outage."""
    original = originals.find(reader, given.original_id) if given.original_id else None
    if original is None:
        return {}
    late = given.created_at - original.said_at
    row: Row = {"at": rows.at(original.said_at)}
    return row | ({"minutes_late": int(late / _MINUTE)} if late >= LATE else {})


def _handoff_row(reader: Reader, rooms: Rooms, hears: Hearing | None, id: int) -> Row:
    handoff = handoffs.get(reader, id)
    heard = [
        rooms.elsewhere(one)
        for one in rooms.sources(handoff.originals)
        if hears is not None and hears(one.session_id)
    ]
    return {
        "handoff": f"h{handoff.id}",
        "kind": handoff.kind,
        "subject": handoff.subject,
        "state": handoff.subject_state,
        "people": [rooms.person(id) for id in handoff.metadata.get("person_ids", [])],
        "confidence": handoff.confidence,
        "expires_at": rows.at(handoff.expires_at),
        "sources": heard,
    }


def _consent_row(reader: Reader, rooms: Rooms, given: Input) -> Row:
    consent = consents.get(reader, given.metadata["consent"])
    about = originals.find(reader, given.original_id) if given.original_id else None
    return {
        "consent": f"c{consent.id}",
        "target": rooms.title(consent.target_id),
        "about_text": about.body if about else "",
    }


def _files(given: Input, enclosed: Enclosures) -> Row:
    """Only of messages: what an approval or a reaction is about was told of before."""
    if given.trigger is not Trigger.MESSAGE or given.original_id is None:
        return {}
    return enclosed.of(given.original_id, each=enclosures.INPUT)


def _said(given: list[Input]) -> list[int]:
    messages = (one.original_id for one in given if one.trigger is Trigger.MESSAGE)
    return [id for id in messages if id is not None]


def _words(given: list[Input]) -> str:
    return " ".join(one.text for one in given if one.trigger is Trigger.MESSAGE)


def _summary(reader: Reader, session: int) -> list[Row]:
    summary = facts.summary(reader, session)
    return [{"text": summary.body}] if summary.body else []


def _fire_ids(given: list[Input]) -> list[int]:
    return [id for one in given for id in one.metadata.get("fires", [])]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
