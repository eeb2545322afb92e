"""What a chat hands in, made durable in one transaction before the platform is acknowledged.

Incoming ─► person, session, audience ─► judged ─► original ─► input ─► fire, or an order's answer

Events may come twice, hours later, or in the wrong order: an edit before its message stands for it,
and a message that was recalled before it came is never shown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from adapters.chat import EventKind, Incoming
from adapters.errors import Retry
from adapters.quotes import own_words
from bot import nods
from bot.attendance import Attendance
from bot.engine import ids, inputs, letters, sessions
from bot.engine.controller import SessionController
from bot.engine.inputs import Entry, Trigger
from bot.engine.lulls import Lulls
from bot.engine.sessions import Attention, Session
from bot.engine.waits import Bell, Clock
from bot.news import News
from bot.presses import Presses
from bot.reception import Heard, Reception
from bot.responses import Responses
from bot.turns import Turns
from bot.withdrawals import Withdrawals
from memory import facts, files, originals, people
from memory.db import Database, Reader, Tx
from memory.errors import StorageError
from memory.lanes import pressing
from memory.moments import to_us
from memory.originals import Original

TOGETHER = 64  # events on their way to the disk; a shared commit takes no more in any case
SHARE = 8  # of them those of one chat, so that another chat's are in the next commit
LULL = timedelta(seconds=0.1)  # a chat whose events come sooner goes behind others

_Take = Callable[[Tx, Incoming, Session, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the intake sees platforms."""

    one_team: frozenset[str] = frozenset()
    """The platforms whose workspaces are one and the same team's."""


class Intake:
    """Takes in the events of every chat."""

    def __init__(
        self,
        db: Database,
        controller: SessionController,
        withdrawals: Withdrawals,
        presses: Presses,
        reception: Reception,
        news: News,
        responses: Responses,
        clock: Clock,
        *,
        bells: tuple[Bell, ...],
        settings: Settings,
        enclosed: Bell | None = None,
    ) -> None:
        self._db = db
        self._controller = controller
        self._presses = presses
        self._reception = reception
        self._news = news
        self._responses = responses
        self._withdrawals = withdrawals
        self._clock = clock
        self._bells = bells
        self._closed = False
        self._enclosed = enclosed or Bell()  # rung when there is something to do about files
        self._lulls = Lulls(clock, LULL)
        self._turns = Turns(together=TOGETHER, share=SHARE)
        self._attendance = Attendance(settings.one_team, reception.admits)
        self._takes: dict[EventKind, _Take] = {
            EventKind.NEW: self._new,
            EventKind.EDIT: self._edit,
            EventKind.RECALL: self._recall,
            EventKind.REACTION: self._reaction,
            EventKind.ACTION: self._presses.take,
        }

    def close(self) -> None:
        """Take nothing more: platforms hand it in again once a Limen runs."""
        self._closed = True

    def took_over(self) -> None:
        """A platform is this process's now: who is where is looked at anew."""
        self._attendance.forget()

    async def receive(self, incoming: Incoming) -> None:
        """Commit an event; repeats change nothing. See `adapters.chat.Receive`."""
        room = incoming.address.room
        chat = str(room.parent or room)
        first = self._lulls.after(chat) and not self._turns.has(chat)
        accept = pressing(self._accept) if first else self._accept
        try:
            async with self._turns.turn(chat):
                if self._closed:
                    raise Retry("Limen is stopping; it is taken in at the next start")
                await self._db.write(accept, incoming)
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
            old, new = incoming.moved_from, incoming.address.room
            # Where both are sessions already, what waits for the old one can still go on.
            for was, now in sessions.move(tx, old, new) or [(old, new)]:
                letters.readdress(tx, was, now)

    def _new(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        now_us = to_us(self._clock())
        address = str(incoming.address)
        heard = self._reception.hear(tx, incoming, session, person)
        saying = _saying(tx, incoming, session, person, aside=heard.aside)
        kept = originals.keep(tx, saying, now_us=now_us)
        known = originals.at_address(tx, address) if kept is None else None
        if known is not None and (known.recalled or _decided(tx, known)):
            return
        original = known.id if known else kept
        if original is None:
            raise LookupError(f"{address} is neither new nor known")
        wakes = self._reception.wakes(tx, heard, incoming, session, original)
        if known is not None and not heard.called and known.version <= incoming.version:
            wakes = False  # a repeat that tells nothing new, of what was only overheard
        self._controller.submit_input(
            tx,
            Entry(
                session_id=session.id,
                trigger=Trigger.MESSAGE,
                parts=({"type": "text", "text": saying.body},),
                key=f"o{original}",  # one a message for ever, as originals are
                metadata=_noted(heard, wakes=wakes),
                original_id=original,
                person_id=person,
                wakes=wakes,
            ),
        )
        fresh = kept is not None
        self._reception.respond(tx, heard, incoming, session, original, fresh=fresh)
        answered = ids.read(saying.reply_to, "o") if saying.reply_to else None
        if fresh and heard.right.heard and not incoming.author.is_bot:
            text = own_words(incoming.text)
            nods.heard(tx, session, answered=answered, text=text, now=self._clock())
        if kept is None or heard.aside:
            return
        if incoming.files and session.attention is not Attention.OFF:
            self._enclose(tx, kept, incoming)
        sessions.touch(tx, session.id, now_us=now_us)
        self._responses.said(tx, session, kept, answered, person, saying.body)
        self._tell(tx, session, incoming, kept)

    def _edit(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        address = str(incoming.address)
        now_us = to_us(self._clock())
        known = originals.at_address(tx, address)
        if known is None:
            self._new(tx, incoming, session, person)  # its message is still on the way
            return
        heard = self._reception.hear(tx, incoming, session, known.person_id or person)
        if heard.aside and incoming.version > known.version:
            originals.put_aside(tx, known.id)  # its author may not talk with the bot any more
        body = _body(incoming, known.reply_to)
        changed = originals.revise(tx, address, body, version=incoming.version, now_us=now_us)
        if changed is None:
            return
        inputs.rewrite(tx, changed, body)
        facts.forget_source(tx, changed)
        self._withdrawals.edited(tx, changed)
        if not (known.aside or heard.aside):
            self._enclose(tx, changed, incoming)
            self._tell(tx, session, incoming, changed)

    def _recall(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        now_us = to_us(self._clock())
        early = originals.keep(tx, _saying(tx, incoming, session, person), now_us=now_us)
        known = originals.at_address(tx, str(incoming.address))
        tx.on_commit(self._enclosed.ring)
        if early is not None:
            # Of a message that is still on the way a trace is left, so that it stays away.
            originals.recall(tx, str(incoming.address), now_us=now_us)
        elif (
            known is not None
            and self._withdrawals.recall(tx, known) is not None
            and not known.aside
        ):
            self._tell(tx, session, incoming, known.id)

    def _enclose(self, tx: Tx, original: int, incoming: Incoming) -> None:
        if not incoming.files and not files.of_original(tx, original):
            return
        sent = [
            files.Sent(locator=one.id, name=one.name, mime=one.mime, size=one.size)
            for one in incoming.files
        ]
        with originals.reindexing(tx, original):
            files.keep(tx, original, sent, now_us=to_us(self._clock()))
        tx.on_commit(self._enclosed.ring)

    def _reaction(self, tx: Tx, incoming: Incoming, session: Session, person: int) -> None:
        original = originals.at_address(tx, str(incoming.address))
        if original is not None:
            self._responses.reacted(tx, original.id, person, incoming.text)
            nods.heard(tx, session, answered=original.id, text=incoming.text, now=self._clock())
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

    def _tell(self, tx: Tx, session: Session, incoming: Incoming, original: int) -> None:
        self._news.tell(
            tx,
            session,
            original,
            kind=incoming.kind,
            version=incoming.version,
            text=incoming.text,
        )


def _saying(
    tx: Tx, incoming: Incoming, session: Session, person: int, *, aside: bool = False
) -> originals.Saying:
    reply_to = _reply_to(tx, incoming)
    found = people.find(tx, person) if not incoming.author.name else None
    return originals.Saying(
        session_id=session.id,
        kind=originals.Kind.MESSAGE,
        author=found.name if found else incoming.author.name,
        body=_body(incoming, reply_to),
        said_us=to_us(incoming.at),
        address=str(incoming.address),
        person_id=person,
        version=incoming.version,
        reply_to=reply_to,
        aside=aside,
    )


def _body(incoming: Incoming, reply_to: str | None) -> str:
    """The words with those they answer, where nobody here has these."""
    quoted = incoming.quoted if reply_to is None else ""
    return f"{quoted}\n\n{incoming.text}".strip() if quoted else incoming.text


def _noted(heard: Heard, *, wakes: bool) -> dict[str, Any]:
    if wakes:
        return {} if heard.called else {inputs.OVERHEARD: True}
    return {inputs.DECIDED: True} if heard.called or heard.order is not None else {}


def _decided(reader: Reader, original: Original) -> bool:
    """Whether a message was said to the bot and not answered by a run, which stays so."""
    return any(inputs.DECIDED in one.metadata for one in inputs.of_original(reader, original.id))


def _reply_to(reader: Reader, incoming: Incoming) -> str | None:
    if incoming.reply_to is None:
        return None
    room = incoming.address.room
    target = originals.at_address(reader, f"{room}#{incoming.reply_to}")
    return f"o{target.id}" if target else None
