"""What the agency is told of the talk: every message, edit and recall, as fires."""

from typing import Any

from adapters.chat import EventKind
from agency import audience, fires, intentions
from agency.hearing import Hearing
from agency.intentions import Intention
from bot.engine.sessions import Attention, Session
from bot.engine.waits import Clock
from memory import audiences, originals
from memory.db import Tx
from memory.moments import to_us

_RECALL_SALIENCE = 0.3


class News:
    """Puts what happened before the agency; every method belongs to a transaction."""

    def __init__(
        self,
        clock: Clock,
        *,
        observe: bool,
        wishes: bool = True,
        privacy: audience.Settings | None = None,
    ) -> None:
        """Build it; `observe` is for the agency, `wishes` for what waits for some words."""
        self._clock = clock
        self._observe = observe
        self._wishes = wishes
        self._privacy = privacy or audience.Settings()

    def tell(
        self, tx: Tx, session: Session, original: int, *, kind: EventKind, version: int, text: str
    ) -> None:
        """Tell of a message, and wake what waited for its words."""
        if session.attention is Attention.OFF:
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
        if self._observe:
            fires.observe(tx, event, now_us=now_us)
        for intention in intentions.awaiting_words(tx) if self._wishes else ():
            if self._heeded(tx, intention, session, original, text):
                self._ripen(tx, intention, session, original, now_us)

    def _heeded(
        self, tx: Tx, intention: Intention, session: Session, original: int, text: str
    ) -> bool:
        """Whether a message is what an intention waits for, and its people may hear of it."""
        said = originals.find(tx, original)
        if said is None or original in intentions.sources(tx, intention.id):
            return False
        chat = session.parent_id or session.id
        if not intentions.heeds(intention, text, person=said.person_id, chat=chat):
            return False
        if intention.wish is None or intention.wish.session_id == session.id:
            return True
        told = audiences.find(tx, intention.wish.session_id)
        return told is not None and Hearing(tx, told, self._privacy)(session.id)

    def _ripen(
        self, tx: Tx, intention: Intention, session: Session, original: int, now_us: int
    ) -> None:
        if not intentions.ripen(tx, intention.id, now_us=now_us):
            return
        wish, said = intention.wish, originals.find(tx, original)
        by_them = wish is not None and said is not None and said.person_id == wish.person_id
        if wish is not None and (by_them or wish.session_id == session.id):
            reason = "they said it themselves" if by_them else "it was said where they asked"
            intentions.close(tx, intention.id, done=True, reason=reason, now_us=now_us)
        else:
            fires.observe(tx, ripe(intention, original), now_us=now_us)


def ripe(intention: Intention, original: int | None) -> fires.Event:
    """The fire of an intention whose trigger came."""
    payload: dict[str, Any] = {"text": intention.body, "intention": intention.id}
    if intention.wish is not None:
        payload["wish"] = {
            "id": f"n{intention.id}",
            "condition": intention.wish.condition,
            "session": f"s{intention.wish.session_id}",
            "person": f"p{intention.wish.person_id}",
            "language": intention.wish.language,
        }
    return fires.Event(
        kind=fires.Kind.INTENTION,
        key=f"intention:{intention.id}",
        original_id=original,
        payload=payload,
        salience=1.0,
    )
