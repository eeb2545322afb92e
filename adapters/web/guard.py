"""Stands before every page: names and origins checked, safe headers set, refusals worded."""

import logging

from jinja2 import Environment
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.web.access import Gate
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

    def __init__(self, app: ASGIApp, gate: Gate, templates: Environment) -> None:
        self._app = app
        self._gate = gate
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
            if request.method not in _SAFE_METHODS:
                self._gate.check_origin(request)
        except WebError as error:
            await refusal(request, error, self._templates)(scope, receive, send_safe)
            return
        await self._app(scope, receive, send_safe)


def refusal(request: Request, error: WebError, templates: Environment) -> Response:
    """An error as its reader wants it: JSON for the page's own calls, a plain page for people."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": str(error)}, status_code=error.status)
    page = templates.get_template("refused.html")
    return HTMLResponse(page.render(status=error.status, text=str(error)), status_code=error.status)
