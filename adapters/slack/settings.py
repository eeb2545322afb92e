"""What the Slack adapter has to be told."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """One Slack app in one workspace."""

    bot_token: str = field(repr=False)
    """xoxb-…, of OAuth & Permissions."""
    app_token: str = field(repr=False)
    """xapp-…, of Basic Information → App-Level Tokens."""
    base_url: str = "https://slack.com/api/"
    proxy: str = field(default="", repr=False)
    """For the Web API, the socket and downloads alike; proxies of the environment are ignored."""
    bot_name: str = "Limen"
