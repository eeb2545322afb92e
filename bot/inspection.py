"""What `limen why` and `limen status` print, read from the database alone."""

from bot.config import Config


async def why(config: Config, message: str) -> list[str]:
    """The chain of something the bot said, a line a step."""
    return []


async def status(config: Config) -> list[str]:
    """What runs, waits and failed."""
    return []
