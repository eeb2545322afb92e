"""Puts the pages, the endpoints and the guard together into one ASGI application."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from adapters.web.access import Gate
from adapters.web.api import Api
from adapters.web.crowd import Crowd
from adapters.web.desk import Desk
from adapters.web.errors import WebError
from adapters.web.events import Events
from adapters.web.feed import Feed
from adapters.web.guard import Guard, refusal
from adapters.web.inside import Inside
from adapters.web.pages import Pages
from adapters.web.settings import WebSettings
from adapters.web.shown import Shown
from adapters.web.store import Store
from adapters.web.views import Views

_HERE = Path(__file__).parent


class Site:
    """Builds the application of one web chat."""

    def __init__(
        self,
        store: Store,
        settings: WebSettings,
        views: Views,
        feed: Feed,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._desk = Desk(
            store=store,
            views=views,
            settings=settings,
            gate=Gate(settings),
            feed=feed,
            shown=Shown(settings.bot_name),
        )
        self._sleep = sleep
        self._crowd = Crowd(settings.bounds)
        self._templates = Environment(loader=FileSystemLoader(_HERE / "templates"), autoescape=True)

    def app(self, platform: str, account: str) -> Starlette:
        """The application; `platform` and `account` are how addresses name this chat."""
        return Starlette(
            routes=[
                *Pages(self._desk, self._templates).routes(),
                *Events(self._desk, self._sleep).routes(),
                *Inside(self._desk, platform, account).routes(),
                *Api(self._desk).routes(),
                Mount("/static", StaticFiles(directory=_HERE / "static")),
            ],
            middleware=[
                Middleware(
                    Guard, gate=self._desk.gate, crowd=self._crowd, templates=self._templates
                )
            ],
            exception_handlers={WebError: self._refused, HTTPException: self._refused},
        )

    async def _refused(self, request: Request, error: Exception) -> Response:
        if isinstance(error, WebError):
            return refusal(request, error, self._templates)
        refused = WebError(getattr(error, "detail", "") or "this is not here")
        refused.status = getattr(error, "status_code", 500)
        return refusal(request, refused, self._templates)
