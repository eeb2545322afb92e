"""What the settings choose between: a model, and whether there is a web chat."""

from adapters.web.chat import WebChat
from adapters.web.settings import WebSettings
from bot import derived
from bot.engine.waits import Clock, Sleep
from bot.models.anthropic_model import AnthropicModel
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Model
from bot.setup.config import Config
from bot.views.house import HouseViews
from bot.web.rooms import WebRooms


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
