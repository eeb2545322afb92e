"""What a chat hands in, made durable in one transaction before the platform is acknowledged.

Incoming ─► person, session, audience ─► original ─► input ─► fire

Events may come twice, hours later, or in the wrong order: an edit before its message stands for it,
and a message that was recalled before it came is never shown.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from adapters.chat import EventKind, Incoming, RoomKind, legible
from adapters.errors import Retry
from adapters.quotes import own_words
from agency import fires, intentions
from bot.attendance import Attendance
from bot.engine import inputs, letters, runs, sessions
from bot.engine.controller import SessionController
from bot.engine.inputs import Entry, Trigger
from bot.engine.sessions import Attention, Session
from bot.engine.waits import Bell, Clock
from bot.speaking import Speaking
from memory import facts, files, originals, people
from memory.db import Database, Reader, Tx
from memory.errors import StorageError
from memory.moments import to_us
from memory.words import is_blank

_RECALL_SALIENCE = 0.3
_MARKS = " \t\n,.!?:;，。！？：；、"
_GREETING = r"(?:(?:hey|hi|hello|ok|okay|嗨|你好|喂)[\s,，!！]+)?"
_BEGINS = r"(?<![A-Za-z0-9_])"  # a name may follow Chinese directly, but no Latin letters
_NO_MORE = r"(?![-'’]?[A-Za-z0-9_])"  # neither another word nor "Limen's"

_Take = Callable[[Tx, Incoming, Session, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the intake looks for."""

    bot_name: str
    one_team: frozenset[str] = frozenset()
    """The platforms whose workspaces are one and the same team's."""
    observe: bool = True
    """Whether the agency is told; off leaves a plain chat bot."""


class Intake:
    """Takes in the events of every chat."""

    def __init__(
        self,
        db: Database,
        controller: SessionController,
        speaking: Speaking,
        clock: Clock,
        *,
        bells: tuple[Bell, ...],
        settings: Settings,
        enclosed: Bell | None = None,
    ) -> None:
        self._db = db
        self._controller = controller
        self._speaking = speaking
        self._clock = clock
        self._bells = bells
        self._settings = settings
        self._enclosed = enclosed or Bell()  # rung when there is something to do about files
        self._attendance = Attendance(settings.one_team)
        self._takes: dict[EventKind, _Take] = {
            EventKind.NEW: self._new,
            EventKind.EDIT: self._edit,
            EventKind.RECALL: self._recall,
            EventKind.REACTION: self._reaction,
            EventKind.ACTION: self._action,
        }

    async def receive(self, incoming: Incoming) -> None:
        """Commit an event; repeats change nothing. See `adapters.chat.Receive`."""
        try:
            await self._db.write(self._accept, incoming)
        except StorageError as error:
            raise Retry(str(error)) from error

    def _accept(self, tx: Tx, incoming: Incoming) -> None:
        now_us = to_us(self._clock())
        if incoming.kind is EventKind.MOVED:
            self._move(tx, incoming)
        session = sessions.of_room(tx, incoming.address.room, now_us=now_us)
        self._attendance.record(tx, session, incoming, now_us=now_us)
        if incoming.kind in (EventKind.MEMBERS, EventKind.MOVED):
            return
        person = self._attendance.person(tx, incoming, now_us=now_us)
        self._takes[incoming.kind](tx, incoming, session, person)
        for bell in self._bells:
            tx.on_commit(bell.ring)

    def _move(self, tx: Tx, incoming: Incoming) -> None:
        if incoming.moved_from is not None:
            for old, new in sessions.move(tx, incoming.moved_from, incoming.address.room):
                letters.readdress(tx, old, new)

    def _new(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        now_us = to_us(self._clock())
        address = str(incoming.address)
        saying = _saying(tx, incoming, session, person)
        kept = originals.keep(tx, saying, now_us=now_us)
        known = originals.at_address(tx, address) if kept is None else None
        if known is not None and known.recalled:
            return
        original = known.id if known else kept
        self._controller.submit_input(
            tx,
            Entry(
                session_id=session.id,
                trigger=Trigger.MESSAGE,
                parts=({"type": "text", "text": saying.body},),
                key=f"o{original}",  # one a message for ever, as originals are
                original_id=original,
                person_id=person,
                wakes=self._wakes(incoming, session),
            ),
        )
        if kept is None:
            return
        self._enclose(tx, kept, incoming)
        sessions.touch(tx, session.id, now_us=now_us)
        self._observe(tx, session, incoming, kept)

    def _edit(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        address = str(incoming.address)
        now_us = to_us(self._clock())
        if originals.at_address(tx, address) is None:
            self._new(tx, incoming, session, person)  # its message is still on the way
            return
        changed = originals.revise(
            tx, address, incoming.text, version=incoming.version, now_us=now_us
        )
        if changed is None:
            return
        self._enclose(tx, changed, incoming)
        inputs.rewrite(tx, changed, incoming.text)
        facts.forget_source(tx, changed)
        self._speaking.withdraw_resting_on(tx, changed, "a message it rests on was edited")
        self._observe(tx, session, incoming, changed)

    def _recall(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        now_us = to_us(self._clock())
        early = originals.keep(tx, _saying(tx, incoming, session, person), now_us=now_us)
        gone = originals.recall(tx, str(incoming.address), now_us=now_us)
        tx.on_commit(self._enclosed.ring)
        if gone is None or early is not None:
            return  # of a message that is still on the way a trace is left, so that it stays away
        facts.forget_source(tx, gone)
        self._speaking.withdraw_resting_on(tx, gone, "a message it rests on was recalled")
        for given in inputs.of_original(tx, gone):
            if inputs.withdraw(tx, given.id) and not inputs.waiting(tx, session.id):
                self._cancel_queued(tx, session.id, now_us)
        self._observe(tx, session, incoming, gone)

    def _enclose(self, tx: Tx, original: int, incoming: Incoming) -> None:
        if not incoming.files and not files.of_original(tx, original):
            return
        sent = [
            files.Sent(locator=one.id, name=legible(one.name), mime=one.mime, size=one.size)
            for one in incoming.files
        ]
        with originals.reindexing(tx, original):
            files.keep(tx, original, sent, now_us=to_us(self._clock()))
        tx.on_commit(self._enclosed.ring)

    def _cancel_queued(self, tx: Tx, session: int, now_us: int) -> None:
        run = runs.open_of(tx, session)
        if run is None or run.state is not runs.State.QUEUED:
            return
        if not inputs.of_run(tx, run.id):  # one that starts again may owe other answers
            runs.cancel_queued(tx, run.id, reason="the message was recalled", now_us=now_us)

    def _reaction(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        original = originals.at_address(tx, str(incoming.address))
        key = f"reaction:{incoming.address}:{person}:{incoming.text}:{to_us(incoming.at)}"
        self._controller.submit_input(
            tx,
            Entry(
                session_id=session.id,
                trigger=Trigger.REACTION,
                parts=({"type": "text", "text": incoming.text},),
                key=key,
                original_id=original.id if original else None,
                person_id=person,
                wakes=False,
            ),
        )

    def _action(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        kind, _, rest = incoming.text.partition(":")
        id, _, word = rest.partition(":")
        if kind != "consent" or not id.isdigit() or word not in ("yes", "no"):
            return
        settled = self._speaking.answer(
            tx, int(id), person=person, granted=word == "yes", note="by button"
        )
        if settled is None:
            return
        self._controller.submit_input(
            tx,
            Entry(
                session_id=session.id,
                trigger=Trigger.APPROVAL,
                parts=({"type": "text", "text": settled.state.value},),
                key=f"approval:{settled.id}",
                metadata={"consent": settled.id, "granted": word == "yes"},
                person_id=person,
                wakes=False,
            ),
        )

    def _observe(self, tx: Tx, session: Session, incoming: Incoming, original: int) -> None:
        if not self._settings.observe or session.attention is Attention.OFF:
            return
        now_us = to_us(self._clock())
        event = fires.Event(
            kind=fires.Kind.MESSAGE,
            key=f"o{original}:{incoming.kind.value}:{incoming.version}",
            session_id=session.id,
            original_id=original,
            payload={} if incoming.kind is EventKind.NEW else {"change": incoming.kind.value},
            salience=_RECALL_SALIENCE if incoming.kind is EventKind.RECALL else None,
        )
        fires.observe(tx, event, now_us=now_us)
        for intention in intentions.awaiting_words(tx):
            if intention.awaits(incoming.text) and intentions.ripen(
                tx, intention.id, now_us=now_us
            ):
                fires.observe(tx, ripe(intention, original), now_us=now_us)

    def _wakes(self, incoming: Incoming, session: Session) -> bool:
        if incoming.kind is not EventKind.NEW:
            return False  # mending a message asks for no second answer
        if incoming.author.is_bot or session.attention in (Attention.OFF, Attention.OBSERVE):
            return False
        if incoming.room.kind is RoomKind.DIRECT and _says_nothing(incoming):
            return False
        called = incoming.addressed or _calls(own_words(incoming.text), self._settings.bot_name)
        return called or session.attention is Attention.ALL


def _saying(tx: Tx, incoming: Incoming, session: Session, person: int) -> originals.Saying:
    reply_to = _reply_to(tx, incoming)
    quoted = incoming.quoted if reply_to is None else ""
    found = people.find(tx, person) if not incoming.author.name else None
    return originals.Saying(
        session_id=session.id,
        kind=originals.Kind.MESSAGE,
        author=found.name if found else incoming.author.name,
        body=f"{quoted}\n\n{incoming.text}".strip() if quoted else incoming.text,
        said_us=to_us(incoming.at),
        address=str(incoming.address),
        person_id=person,
        version=incoming.version,
        reply_to=reply_to,
    )


def ripe(intention: intentions.Intention, original: int | None) -> fires.Event:
    """The fire of an intention whose trigger came."""
    return fires.Event(
        kind=fires.Kind.INTENTION,
        key=f"intention:{intention.id}",
        original_id=original,
        payload={"text": intention.body, "intention": intention.id},
        salience=1.0,
    )


def _says_nothing(incoming: Incoming) -> bool:
    """Whether a message of a DM is blank; in a group a bare mention is no more than that."""
    return is_blank(incoming.text) and not (incoming.files or incoming.quoted)


def _calls(text: str, name: str) -> bool:
    """Whether a text speaks to the bot by name: at its start or its end, or with an @."""
    called = re.escape(name)
    said = text.strip(_MARKS)
    return bool(
        re.match(rf"{_GREETING}{called}{_NO_MORE}", said, re.I)
        or re.search(rf"{_BEGINS}{called}$", said, re.I)
        or re.search(rf"{_BEGINS}[@＠]{called}(?![A-Za-z0-9_])", text, re.I)
    )


def _reply_to(reader: Reader, incoming: Incoming) -> str | None:
    if incoming.reply_to is None:
        return None
    room = incoming.address.room
    target = originals.at_address(reader, f"{room}#{incoming.reply_to}")
    return f"o{target.id}" if target else None
