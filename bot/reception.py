"""What a message is to the bot: who says it, whether it is spoken to, and what is asked of it.

sender's right ─► an order? ─► may it wake a run? ─► answered, or turned away
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from adapters.chat import EventKind, Incoming, RoomKind
from adapters.quotes import own_words
from agency import preferences
from bot import access
from bot.access import Access, Right
from bot.commands.asked import Asked
from bot.commands.orders import Orders
from bot.commands.parse import Unknown
from bot.engine import inputs
from bot.engine.sessions import Attention, Session
from bot.engine.waits import Clock
from memory.db import Reader, Tx
from memory.people import Account
from memory.words import is_blank

_MARKS = " \t\n,.!?:;，。！？：；、"
_GREETING = r"(?:(?:hey|hi|hello|ok|okay|嗨|你好|喂)[\s,，!！]+)?"
_BEGINS = r"(?<![A-Za-z0-9_])"  # a name may follow Chinese directly, but no Latin letters
_NO_MORE = r"(?![-'’]?[A-Za-z0-9_])"  # neither another word nor "Limen's"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A message, understood as far as code does it."""

    right: Right
    called: bool
    """Whether it is said to the bot."""
    order: Asked | Unknown | None

    @property
    def aside(self) -> bool:
        """Whether it stays in its room: no news, no memory, nothing to tell elsewhere."""
        return self.order is not None or not self.right.heard


class Reception:
    """Judges every message by its sender; every method belongs to a transaction."""

    def __init__(self, admission: Access, orders: Orders, clock: Clock, *, bot_name: str) -> None:
        self._access = admission
        self._orders = orders
        self._clock = clock
        self._bot_name = bot_name

    def hear(self, reader: Reader, incoming: Incoming, session: Session, person: int) -> Heard:
        """Judge a message before it is kept; what mends an earlier one orders nothing."""
        right = self._access.right(reader, person, is_bot=incoming.author.is_bot)
        if incoming.kind is not EventKind.NEW:
            return Heard(right=right, called=False, order=None)
        called = incoming.addressed or calls(own_words(incoming.text), self._bot_name)
        order = self._orders.read(
            reader,
            incoming,
            session,
            person=person,
            right=right,
            called=called,
            now=self._clock(),
        )
        return Heard(right=right, called=called, order=order)

    def admits(self, reader: Reader, members: Iterable[int]) -> bool:
        """Whether a room is one of the bot's own people; see `Access.admits`."""
        return self._access.admits(reader, members)

    def wakes(
        self, tx: Tx, heard: Heard, incoming: Incoming, session: Session, original: int
    ) -> bool:
        """Whether a message asks for a run."""
        if incoming.kind is not EventKind.NEW or heard.order is not None:
            return False  # mending a message asks for no second answer
        if session.attention in (Attention.OFF, Attention.OBSERVE):
            return False
        if incoming.room.kind is RoomKind.DIRECT and _says_nothing(incoming):
            return False
        if not heard.called and session.attention is not Attention.ALL:
            return False
        if heard.right.orders:
            return not self._paused(tx, session)
        return (
            heard.right is Right.ALLOWED_BOT
            and not self._paused(tx, session)
            and self._has_a_turn(tx, session, original)
        )

    def respond(
        self,
        tx: Tx,
        heard: Heard,
        incoming: Incoming,
        session: Session,
        original: int,
        *,
        fresh: bool,
    ) -> None:
        """Carry out an order, or tell a stranger who spoke to the bot; harmless when repeated."""
        if fresh and not incoming.author.is_bot and heard.right.heard:
            access.person_spoke(tx, session.parent_id or session.id)
        if isinstance(heard.order, Asked):
            self._orders.take(tx, replace(heard.order, original=original), incoming)
        elif isinstance(heard.order, Unknown):
            self._orders.unknown(tx, heard.order, session, original, incoming)
        elif heard.called and heard.right is Right.STRANGER and not incoming.author.is_bot:
            notice = self._access.turn_away(
                tx,
                _account(incoming),
                session=session.id,
                direct=incoming.room.kind is RoomKind.DIRECT,
                now=self._clock(),
            )
            if notice is not None:
                self._orders.turn_away(tx, notice, session, original, incoming)

    def _paused(self, reader: Reader, session: Session) -> bool:
        chat = session.parent_id or session.id
        now = self._clock()
        return any(
            preferences.of(reader, one, now=now).paused_until is not None
            for one in {session.id, chat}
        )

    def _has_a_turn(self, tx: Tx, session: Session, original: int) -> bool:
        if any(given.wakes for given in inputs.of_original(tx, original)):
            return True  # the same message once more
        return access.takes_turn(tx, session.parent_id or session.id)


def calls(text: str, name: str) -> bool:
    """Whether a text speaks to the bot by name: at its start or its end, or with an @."""
    called = re.escape(name)
    said = text.strip(_MARKS)
    return bool(
        re.match(rf"{_GREETING}{called}{_NO_MORE}", said, re.I)
        or re.search(rf"{_BEGINS}{called}$", said, re.I)
        or re.search(rf"{_BEGINS}[@＠]{called}(?![A-Za-z0-9_])", text, re.I)
    )


def _says_nothing(incoming: Incoming) -> bool:
    """Whether a message of a DM is blank; in a group a bare mention is no more than that."""
    return is_blank(incoming.text) and not (incoming.files or incoming.quoted)


def _account(incoming: Incoming) -> Account:
    return Account(
        platform=incoming.address.platform,
        tenant=incoming.address.account,
        native_id=incoming.author.id,
        name=incoming.author.name,
    )
