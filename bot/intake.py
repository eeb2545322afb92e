"""What a chat hands in, made durable in one transaction before the platform is acknowledged.

Incoming ─► person, session, audience ─► original ─► input ─► fire
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from adapters.chat import Author, EventKind, Incoming, RoomKind
from adapters.errors import Retry
from agency import fires, intentions
from bot.engine import inputs, runs, sessions
from bot.engine.controller import SessionController
from bot.engine.inputs import Entry, Trigger
from bot.engine.sessions import Attention, Session
from bot.engine.waits import Bell, Clock
from bot.speaking import Speaking
from memory import audiences, facts, originals, people
from memory.audiences import Audience
from memory.db import Database, Reader, Tx
from memory.errors import StorageError
from memory.moments import to_us
from memory.people import Account

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
    ) -> None:
        self._db = db
        self._controller = controller
        self._speaking = speaking
        self._clock = clock
        self._bells = bells
        self._settings = settings
        self._rooms: dict[int, int] = {}
        """A hash of every room as last recorded, by session: most messages change nothing."""
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
        session = sessions.of_room(tx, incoming.address.room, now_us=now_us)
        self._record_audience(tx, session, incoming, now_us)
        if incoming.kind is EventKind.MEMBERS:
            return
        person = self._person(tx, incoming, now_us)
        self._takes[incoming.kind](tx, incoming, session, person)
        for bell in self._bells:
            tx.on_commit(bell.ring)

    def _new(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        now_us = to_us(self._clock())
        address = str(incoming.address)
        kept = originals.keep(
            tx,
            originals.Saying(
                session_id=session.id,
                kind=originals.Kind.MESSAGE,
                author=incoming.author.name,
                body=incoming.text,
                said_us=to_us(incoming.at),
                address=address,
                person_id=person,
                version=incoming.version,
                reply_to=_reply_to(tx, incoming),
            ),
            now_us=now_us,
        )
        known = originals.at_address(tx, address) if kept is None else None
        original = known.id if known else kept
        self._controller.submit_input(
            tx,
            Entry(
                session_id=session.id,
                trigger=Trigger.MESSAGE,
                parts=({"type": "text", "text": incoming.text},),
                key=f"o{original}",  # one a message for ever, as originals are
                original_id=original,
                person_id=person,
                wakes=self._wakes(incoming, session),
            ),
        )
        if kept is None:
            return
        sessions.touch(tx, session.id, now_us=now_us)
        self._observe(tx, session, incoming, kept)

    def _edit(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        address = str(incoming.address)
        now_us = to_us(self._clock())
        changed = originals.revise(
            tx, address, incoming.text, version=incoming.version, now_us=now_us
        )
        if changed is None:
            return
        inputs.rewrite(tx, changed, incoming.text)
        facts.forget_source(tx, changed)
        self._speaking.withdraw_resting_on(tx, changed, "a message it rests on was edited")
        self._observe(tx, session, incoming, changed)

    def _recall(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        now_us = to_us(self._clock())
        gone = originals.recall(tx, str(incoming.address), now_us=now_us)
        if gone is None:
            return
        facts.forget_source(tx, gone)
        self._speaking.withdraw_resting_on(tx, gone, "a message it rests on was recalled")
        for given in inputs.of_original(tx, gone):
            if inputs.withdraw(tx, given.id) and not inputs.waiting(tx, session.id):
                self._cancel_queued(tx, session.id, now_us)
        self._observe(tx, session, incoming, gone)

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
        if incoming.author.is_bot or session.attention in (Attention.OFF, Attention.OBSERVE):
            return False
        called = incoming.addressed or _calls(incoming.text, self._settings.bot_name)
        return called or session.attention is Attention.ALL

    def _person(self, tx: Tx, incoming: Incoming, now_us: int) -> int:
        return people.resolve(tx, _account(incoming, incoming.author), now_us=now_us)

    def _record_audience(self, tx: Tx, session: Session, incoming: Incoming, now_us: int) -> None:
        room, heard = incoming.room, _heard(incoming)
        shown = hash((room, heard))
        if self._rooms.get(session.id) == shown:
            return
        members = {
            people.resolve(tx, _account(incoming, member), now_us=now_us)
            for member in heard
            if not member.is_bot
        }
        audience = Audience(
            session_id=session.id,
            title=room.title,
            direct=room.kind is RoomKind.DIRECT,
            open=room.open,
            workspace=room.workspace,
            complete=room.complete,
            outsiders=room.outsiders,
            members=frozenset(members),
        )
        if audiences.record(tx, audience, now_us=now_us):
            # A thread is heard by its whole room, whichever of them showed the change.
            for kin in sessions.kin(tx, session):
                known = audiences.find(tx, kin)
                title = known.title if known else room.title
                same = replace(audience, session_id=kin, title=title)
                audiences.record(tx, same, now_us=now_us)
        tx.on_commit(partial(self._rooms.__setitem__, session.id, shown))


def ripe(intention: intentions.Intention, original: int | None) -> fires.Event:
    """The fire of an intention whose trigger came."""
    return fires.Event(
        kind=fires.Kind.INTENTION,
        key=f"intention:{intention.id}",
        original_id=original,
        payload={"text": intention.body, "intention": intention.id},
        salience=1.0,
    )


def _heard(incoming: Incoming) -> tuple[Author, ...]:
    """The people a room lists; whoever speaks there is there, listed or not."""
    listed = incoming.room.members
    speaks = incoming.kind is EventKind.NEW and not incoming.author.is_bot
    if not speaks or any(one.id == incoming.author.id for one in listed):
        return listed
    return (*listed, incoming.author)


def _account(incoming: Incoming, author: Author) -> Account:
    return Account(
        platform=incoming.address.platform,
        tenant=incoming.address.account,
        native_id=author.id,
        name=author.name,
        is_bot=author.is_bot,
        email=author.email,
    )


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
