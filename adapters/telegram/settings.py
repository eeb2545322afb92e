"""How a Telegram bot is set up."""

from dataclasses import dataclass, field

POLL_S = 30  # seconds a getUpdates waits for news; proxies cut longer ones
SILENCE_S = 60.0  # seconds beyond that until a connection counts as dead


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuCommand:
    """A line of the menu that opens on a slash."""

    name: str
    """1 to 32 small Latin letters, digits and underscores."""
    about: str
    about_zh: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSettings:
    """Which bot it is and where its API is."""

    token: str = field(repr=False)
    bot_name: str
    """What people call the bot in plain text."""
    base_url: str = "https://api.telegram.org/bot"
    base_file_url: str = "https://api.telegram.org/file/bot"
    proxy: str = field(default="", repr=False)
    """The only proxy that is used; those of the environment are not."""
    commands: tuple[MenuCommand, ...] = ()
    """The menu. In a group `/name` without `@bot` is for every bot there, so it counts as said to
    this one only if it is among these; without any, all do."""
    poll_s: int = POLL_S
    silence_s: float = SILENCE_S
