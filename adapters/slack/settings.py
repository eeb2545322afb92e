"""What the Slack adapter has to be told."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """One Slack app in one workspace."""

    bot_token: str
    """xoxb-…, of OAuth & Permissions."""
    app_token: str
    """xapp-…, of Basic Information → App-Level Tokens."""
    base_url: str = "https://slack.com/api/"
    proxy: str = ""
    """For the Web API, the socket and downloads alike; proxies of the environment are ignored."""
    bot_name: str = "Limen"
