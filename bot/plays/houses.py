"""The settings of a house that a play is held in."""

from pathlib import Path

from bot.errors import LimenError
from bot.setup.config import Config
from bot.setup.settings import Bot, Model, Web

CONFIGURED = "configured"
BUILTIN = "builtin"


def check_model(model: str) -> None:
    """Refuse a word that names no model of a play."""
    if model not in (BUILTIN, CONFIGURED):
        raise LimenError(f"a play is held with builtin or configured, not with {model!r}")


def furnish(config: Config, folder: Path, *, zone: str, model: str) -> Config:
    """Settings as they come, but for a folder and a zone of its own, and the model chosen.

    Of `config` only the bot's name is used, and its model where `model` is `configured`.
    """
    check_model(model)
    bot = Bot(name=config.bot.name, timezone=zone, data_dir=folder)
    chosen = config.model if model == CONFIGURED else Model(provider=BUILTIN)
    return Config(bot=bot, model=chosen, web=Web(port=0))
