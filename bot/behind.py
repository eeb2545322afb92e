"""Says so where somebody has waited for a while and no run has begun: "I am behind".

It is told once a chat, and again only of what was asked later, an hour after. It is an answer, and
taken back when the real one comes first. Waiting for a model that is away has words of its own, and
what waited while nothing ran is answered first: only who waits on is told.
"""

from datetime import timedelta

from bot import texts
from bot.engine import delays, inputs, letters, outages, sessions
from bot.engine.delays import Waiting
from bot.engine.letters import Draft
from bot.engine.waits import Bell, Clock
from bot.standing import stands
from memory.db import Reader, Tx
from memory.moments import span_us, to_us


class Behind:
    """An alarm: when somebody has waited too long, and what is said then."""

    def __init__(self, clock: Clock, outbox_bell: Bell, *, after: timedelta, language: str) -> None:
        self._clock = clock
        self._outbox_bell = outbox_bell
        self._after_us = span_us(after)
        self._language = language
        self._from_us = to_us(clock()) + self._after_us
        """Nobody is told before this."""

    def due(self, reader: Reader) -> int | None:
        """When the next chat is to be told; None while the model is away."""
        if outages.current(reader) is not None:
            return None
        due = delays.due(reader, after_us=self._after_us)
        return None if due is None else max(due, self._from_us)

    def act(self, tx: Tx) -> None:
        """Tell every chat in which somebody waits."""
        now_us = to_us(self._clock())
        if outages.current(tx) is not None or now_us < self._from_us:
            return
        told: set[int] = set()
        for waiting in delays.overdue(tx, after_us=self._after_us, now_us=now_us):
            if waiting.chat not in told and self._tell(tx, waiting, now_us):
                told.add(waiting.chat)
                delays.told(tx, waiting.chat, now_us=now_us)
                tx.on_commit(self._outbox_bell.ring)

    def _tell(self, tx: Tx, waiting: Waiting, now_us: int) -> bool:
        session = sessions.find(tx, waiting.session)
        unread = inputs.unread(tx, waiting.session)
        asked = [one for one in unread if one.waited_for and stands(tx, one)]
        if not asked or session is None or session.address is None:
            return False
        if self._knows_of_an_outage(tx, waiting.chat):
            return False
        lang = texts.language(asked[-1].text, setting=self._language)
        draft = Draft(
            key=delays.key(waiting.run),
            session_id=session.id,
            address=session.address,
            body=texts.behind(lang, before=delays.before(tx, waiting)),
        )
        return letters.post(tx, draft, now_us=now_us) is not None

    def _knows_of_an_outage(self, reader: Reader, chat: int) -> bool:
        """Whether the chat was told within the hour that the model is away."""
        last = outages.latest(reader)
        keys = [outages.letter_key(last.id, chat)] if last else []
        said = [letters.find(reader, id) for id in letters.keyed(reader, keys)]
        return any(one and self._clock() - one.created_at < delays.AGAIN for one in said)
