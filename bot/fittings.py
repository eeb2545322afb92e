"""What the settings choose between, a model and a web chat, and what a posted letter leads to."""

from dataclasses import replace

from adapters.web.chat import WebChat
from adapters.web.settings import WebSettings
from bot import derived
from bot.engine.letters import Letter
from bot.engine.waits import Clock, Sleep
from bot.inbox import filling
from bot.models.anthropic_model import AnthropicModel
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Model
from bot.setup.config import Config
from bot.views.house import HouseViews
from bot.web.rooms import WebRooms
from memory import originals
from memory.db import Tx
from memory.moments import to_us


def model(config: Config) -> Model:
    """The model that thinks."""
    if config.model.chosen == "builtin":
        return BuiltinModel()
    return AnthropicModel(derived.endpoint(config.model))


def web(
    config: Config,
    token: str,
    rooms: WebRooms,
    views: HouseViews,
    clock: Clock,
    sleep: Sleep,
    *,
    serve: bool,
) -> WebChat | None:
    """The built-in chat; None where it is off. Without `serve` it has rooms and no server."""
    if not config.web.enabled:
        return None
    settings = WebSettings(
        token=token,
        bot_name=config.bot.name,
        host=config.web.host,
        port=config.web.port,
        serve=serve,
    )
    return WebChat(rooms, settings, clock, sleep, views)


def placed(clock: Clock, tx: Tx, letter: Letter, message: str) -> None:
    """A letter was posted: its words are known by their place, and people have heard them."""
    if letter.original_id is not None:
        originals.place(tx, letter.original_id, str(replace(letter.address, message=message)))
    filling.said(tx, letter, (), now_us=to_us(clock()))
