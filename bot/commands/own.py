"""What may stand behind the orders about somebody's own inbox."""

from agency import spans
from bot.commands.words import OFF

NOW = ("now", "at once", "现在", "马上")
"""Said after digest: right away."""
YESTERDAY = ("yesterday", "昨天")
"""Said after report."""
_LEADS = ("at ", "every day at ", "daily at ", "每天", "在", "到")


def bare_hour(said: str) -> str:
    """An hour without the words before it."""
    said = said.lstrip(" ,，、：:")
    lead = next((lead for lead in _LEADS if said.startswith(lead)), "")
    return said.removeprefix(lead).strip()


def takes_digest(said: str) -> bool:
    """Whether words behind `digest` are an order."""
    return not said or said in NOW or said in OFF or spans.clock(bare_hour(said)) is not None


def takes_report(said: str) -> bool:
    """Whether words behind `report` are an order."""
    return not said or said in YESTERDAY
