"""Plays a written story through the whole app and checks what it expects."""

from collections.abc import Callable

from bot.config import Config


def names() -> list[str]:
    """The stories that ship, by name."""
    return []


async def play(
    story: str, language: str, config: Config, *, print_line: Callable[[str], None]
) -> bool:
    """Play a story; whether everything it expects came true."""
    return False
