"""How the web chat is set up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """Where the web chat listens and who is let in."""

    token: str
    """The operator's secret; every personal link is derived from it."""
    bot_name: str
    host: str = "127.0.0.1"
    port: int = 8765
    """0 takes a free one; `WebChat.started` tells which."""
    serve: bool = True
    """False keeps the platform and leaves out HTTP, for playing a story in a terminal."""

    def __post_init__(self) -> None:
        if self.serve and len(self.token) < 8:
            raise ValueError("web.token must have at least 8 signs")
