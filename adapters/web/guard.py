"""Stands before every page: names and origins checked, changes counted, refusals worded.

request ──► a name and an origin of ours ──► a place, for a change ──► the page ──► safe headers
"""

import logging
from functools import partial

from jinja2 import Environment
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.web.access import Gate
from adapters.web.crowd import Crowd
from adapters.web.desk import tongue_of
from adapters.web.errors import WebError

logger = logging.getLogger(__name__)

_SAFE_METHODS = frozenset({"GET", "HEAD"})
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """ASGI middleware around the whole site."""

    def __init__(self, app: ASGIApp, gate: Gate, crowd: Crowd, templates: Environment) -> None:
        self._app = app
        self._gate = gate
        self._crowd = crowd
        self._templates = templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)

        async def send_safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                static = scope["path"].startswith("/static/")
                headers["Cache-Control"] = "no-cache" if static else "no-store"
            await send(message)

        try:
            self._gate.check_host(request)
            if request.method in _SAFE_METHODS:
                await self._app(scope, receive, send_safe)
            else:
                await self._change(request, receive, send_safe)
        except WebError as error:
            await refusal(request, error, self._templates)(scope, receive, send_safe)

    async def _change(self, request: Request, receive: Receive, send: Send) -> None:
        self._gate.check_origin(request)
        place = self._crowd.enter(self._gate.sender(request))

        async def send_on(message: Message) -> None:
            place.leave()  # it is done; who does not take the answer holds up nobody
            await send(message)

        try:
            await self._app(request.scope, partial(place.hear, receive), send_on)
        except ClientDisconnect:
            logger.info("somebody hung up in the middle of a request")
        finally:
            place.leave()


def refusal(request: Request, error: WebError, templates: Environment) -> Response:
    """An error as its reader wants it: JSON for the page's own calls, a plain page for people."""
    chinese = tongue_of(request) == "zh" and error.chinese
    text = chinese or str(error)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": text}, error.status, error.headers)
    told = {"status": error.status, "text": text, "language": "zh" if chinese else "en"}
    page = templates.get_template("refused.html").render(told)
    return HTMLResponse(page, error.status, error.headers)
