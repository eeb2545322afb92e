"""What the agency is told of the talk: every message, edit and recall, as fires."""

from adapters.chat import EventKind
from agency import fires, intentions
from bot.engine.sessions import Attention, Session
from bot.engine.waits import Clock
from memory.db import Tx
from memory.moments import to_us

_RECALL_SALIENCE = 0.3


class News:
    """Puts what happened before the agency; every method belongs to a transaction."""

    def __init__(self, clock: Clock, *, observe: bool) -> None:
        self._clock = clock
        self._observe = observe

    def tell(
        self, tx: Tx, session: Session, original: int, *, kind: EventKind, version: int, text: str
    ) -> None:
        """Tell of a message, and wake what waited for its words."""
        if not self._observe or session.attention is Attention.OFF:
            return
        now_us = to_us(self._clock())
        event = fires.Event(
            kind=fires.Kind.MESSAGE,
            key=f"o{original}:{kind.value}:{version}",
            session_id=session.id,
            original_id=original,
            payload={} if kind is EventKind.NEW else {"change": kind.value},
            salience=_RECALL_SALIENCE if kind is EventKind.RECALL else None,
        )
        fires.observe(tx, event, now_us=now_us)
        for intention in intentions.awaiting_words(tx):
            if intention.awaits(text) and intentions.ripen(tx, intention.id, now_us=now_us):
                fires.observe(tx, ripe(intention, original), now_us=now_us)


def ripe(intention: intentions.Intention, original: int | None) -> fires.Event:
    """The fire of an intention whose trigger came."""
    return fires.Event(
        kind=fires.Kind.INTENTION,
        key=f"intention:{intention.id}",
        original_id=original,
        payload={"text": intention.body, "intention": intention.id},
        salience=1.0,
    )
