"""What the Feishu adapter needs to know."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class FeishuSettings:
    """One app of one developer console."""

    app_id: str
    app_secret: str = field(repr=False)
    domain: str = "https://open.feishu.cn"
    """The origin of the open platform; Lark's is https://open.larksuite.com."""
    bot_name: str = "Limen"
    """What the bot's own mention is called in a text, whatever the app is called."""
    proxy: str = field(default="", repr=False)
    """An `http://` proxy for REST and the long connection; the environment's are ignored."""
