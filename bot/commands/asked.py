"""An order with all that is known about it, and what is needed to carry it out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from adapters.chat import Health
from agency.gates import Rules
from bot.access import Right
from bot.commands.parse import Command
from bot.commands.wording import text
from bot.engine.sessions import Session
from bot.texts import Language
from memory.audiences import Audience
from memory.originals import Original

Healths = Callable[[], Mapping[str, Health]]
"""How each platform's connection is, by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the bot says of itself."""

    name: str
    version: str
    model: str
    instance: str
    """A few signs made at each start, by which two running copies are told apart."""
    language: str
    """The operator's `bot.language`."""
    off: tuple[str, ...] = ()
    """Duties that are switched off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who ordered what, where."""

    command: Command
    session: Session
    audience: Audience | None
    person: int
    right: Right
    original: int
    """The message that orders it."""
    target: Original | None
    """The message it answers."""
    unknown_target: bool = False
    """Whether it answers a message that nobody here has, such as one from before the bot came."""
    now: datetime
    lang: Language
    zone: tzinfo | None = None
    """The asker's own zone, where nobody else reads along; None for the team's."""

    @property
    def direct(self) -> bool:
        """Whether nobody else reads the answer."""
        return self.audience is not None and self.audience.direct

    @property
    def chat(self) -> int:
        """The session of the whole chat, of which this one may be a thread."""
        return self.session.parent_id or self.session.id

    def text(self, key: str, /, **values: object) -> str:
        """A sentence in the language of the order."""
        return text(key, self.lang, **values)


def moment(asked: Asked, at: datetime, rules: Rules) -> str:
    """A point in time as people of the team read it."""
    zone = asked.zone or rules.speaking.zone
    local = at.astimezone(zone)
    today = asked.now.astimezone(zone).date()
    return f"{local:%H:%M}" if local.date() == today else f"{local:%Y-%m-%d %H:%M}"
