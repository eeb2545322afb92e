"""Answers that no model wrote, on their way: kept as history of the chat, and put in the outbox."""

from collections.abc import Callable

from bot.engine import letters
from bot.engine.letters import Draft
from bot.engine.sessions import Session
from bot.engine.waits import Clock
from memory import originals
from memory.db import Tx
from memory.moments import to_us


class Post:
    """Says something in a chat at once."""

    def __init__(self, clock: Clock, ring: Callable[[], None], *, bot_name: str) -> None:
        self._clock = clock
        self._ring = ring
        self._bot_name = bot_name

    def send(
        self, tx: Tx, session: Session, key: str, body: str, *, reply_to: str | None = None
    ) -> None:
        """Keep the words as the chat's own history, and post them; once for a key."""
        if session.address is None:
            return
        now_us = to_us(self._clock())
        original = originals.keep(
            tx,
            originals.Saying(
                session_id=session.id,
                kind=originals.Kind.OUTPUT,
                author=self._bot_name,
                body=body,
                said_us=now_us,
                aside=True,
            ),
            now_us=now_us,
        )
        draft = Draft(
            key=key[:50],
            session_id=session.id,
            address=session.address,
            body=body,
            original_id=original,
            reply_to=reply_to,
        )
        letters.post(tx, draft, now_us=now_us)
        tx.on_commit(self._ring)
