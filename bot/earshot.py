"""What a run may look up: what its room may hear, but for chats that want nothing passed on."""

from collections.abc import Iterable

from agency.audience import Settings
from agency.hearing import Hearing
from bot.engine import sessions
from memory import audiences
from memory.db import Reader


class Earshot:
    """Answers for one session inside one snapshot.

    A room is within earshot of itself, and of others as far as its audience may hear them. What
    has no audience is nobody's to hear; a role that speaks to nobody hears everything.
    """

    def __init__(self, reader: Reader, session: int, settings: Settings) -> None:
        audience = audiences.find(reader, session)
        found = sessions.find(reader, session)
        self._own = session
        self._off = sessions.switched_off(reader)
        self._hears = Hearing(reader, audience, settings) if audience else None
        self._inner = found is not None and found.kind is not sessions.Kind.CONVERSATION

    def look_up(self, sessions: Iterable[int]) -> None:
        """Look several up at once before each is asked of."""
        if self._hears is not None:
            self._hears.look_up(one for one in sessions if one != self._own)

    def __call__(self, session: int) -> bool:
        """Whether what was said in a session may be found from here."""
        if session == self._own:
            return True
        if session in self._off:
            return False
        return self._hears(session) if self._hears else self._inner
