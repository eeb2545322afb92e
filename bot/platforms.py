"""The chat platforms of a configuration: built, and looked over by `limen doctor`."""

from collections.abc import Callable, Mapping

from adapters.chat import Address, Chat
from adapters.feishu import checkup as feishu
from adapters.feishu.chat import FeishuChat
from adapters.feishu.settings import FeishuSettings
from adapters.findings import Finding
from adapters.slack import checkup as slack
from adapters.slack.chat import SlackChat
from adapters.slack.settings import SlackSettings
from adapters.telegram import checkup as telegram
from adapters.telegram.chat import TelegramChat
from adapters.telegram.settings import MenuCommand, TelegramSettings
from bot.commands.menu import MENU
from bot.engine.waits import Clock, Sleep
from bot.setup.config import Config


def chats(
    config: Config, clock: Clock, sleep: Sleep, jitter: Callable[[], float]
) -> tuple[Chat, ...]:
    """Every configured platform beside the web chat; nothing is connected yet."""
    found: list[Chat] = []
    if config.slack.configured:
        found.append(SlackChat(_slack(config), clock, sleep, jitter))
    if config.feishu.configured:
        found.append(FeishuChat(_feishu(config), clock, sleep, jitter))
    if config.telegram.configured:
        found.append(TelegramChat(_telegram(config), clock, sleep, jitter))
    return tuple(found)


def linking(chats: Mapping[str, Chat]) -> Callable[[Address], str]:
    """Where a message of any of them can be opened; see `Chat.link`."""

    def link(message: Address) -> str:
        chat = chats.get(message.platform)
        return chat.link(message) if chat is not None else ""

    return link


async def examine(config: Config, clock: Clock, *, running: bool) -> list[Finding]:
    """Ask each configured platform what is missing; changes nothing there.

    `running`: a Limen is at work on the same settings and keeps what it holds.
    """
    found: list[Finding] = []
    if config.slack.configured:
        found += await slack.examine(_slack(config), clock)
    if config.feishu.configured:
        found += await feishu.examine(_feishu(config), clock)
    if config.telegram.configured:
        found += await telegram.examine(_telegram(config), clock, running=running)
    return found


def _slack(config: Config) -> SlackSettings:
    return SlackSettings(
        bot_token=config.slack.bot_token.get_secret_value(),
        app_token=config.slack.app_token.get_secret_value(),
        base_url=config.slack.base_url,
        proxy=config.slack.proxy.get_secret_value(),
        bot_name=config.bot.name,
    )


def _feishu(config: Config) -> FeishuSettings:
    return FeishuSettings(
        app_id=config.feishu.app_id,
        app_secret=config.feishu.app_secret.get_secret_value(),
        domain=config.feishu.domain,
        proxy=config.feishu.proxy.get_secret_value(),
        bot_name=config.bot.name,
    )


def _telegram(config: Config) -> TelegramSettings:
    return TelegramSettings(
        token=config.telegram.token.get_secret_value(),
        base_url=config.telegram.base_url,
        base_file_url=config.telegram.base_file_url,
        proxy=config.telegram.proxy.get_secret_value(),
        bot_name=config.bot.name,
        commands=tuple(MenuCommand(name=c.name, about=c.en, about_zh=c.zh) for c in MENU),
    )
