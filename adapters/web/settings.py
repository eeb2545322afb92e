"""How the web chat is set up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What people and their browsers never meet, and a script in a loop does."""

    together: int = 256
    """Changes being worked on: with the largest body each, a quarter of a gigabyte of memory."""
    share: int = 32
    """Of them those of one person; a browser has six requests on their way at most."""
    body_s: float = 30.0
    """Seconds in which a body has to be here: the largest comes at 34 kB a second."""


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
    bounds: Bounds = Bounds()
    """No setting of the file: what is not enough here would not be enough for the disk."""

    def __post_init__(self) -> None:
        if self.serve and len(self.token) < 8:
            raise ValueError("web.token must have at least 8 signs")
