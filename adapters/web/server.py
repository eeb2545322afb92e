"""An HTTP server: uvicorn inside our own loop, stopped by cancelling."""

import asyncio
import errno
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from adapters.errors import AdapterError

logger = logging.getLogger(__name__)

GRACE_S = 3  # seconds that open requests get when we stop


class Server:
    """Serves one app. `run` may be called once."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        host: str,
        port: int,
        closing: Callable[[], None],
        section: str = "web",
        name: str = "web chat",
    ) -> None:
        """Build it; `section` is the one of the settings that an error names."""
        self._app = app
        self._host = host
        self._port = port
        self._closing = closing
        self._section = section
        self._name = name
        self._known = asyncio.Event()
        self._url = ""
        self._failure: AdapterError | None = None

    async def started(self) -> str:
        """The address once it answers; raises what kept it from starting."""
        await self._known.wait()
        if self._failure is not None:
            raise self._failure
        return self._url

    async def run(self) -> None:
        """Serve until cancelled, then let open requests end; AdapterError when it cannot start."""
        try:
            listener = self._bind()
        except AdapterError as error:
            self._failure = error
            self._known.set()
            raise
        server = _Quiet(self._config(), lambda: self._answering(listener))
        serving = asyncio.create_task(server.serve(sockets=[listener]), name="uvicorn")
        try:
            await asyncio.shield(serving)
        finally:
            self._closing()
            server.should_exit = True
            await serving
        raise AdapterError(f"the server of the {self._name} stopped by itself")

    def _config(self) -> uvicorn.Config:
        return uvicorn.Config(
            self._app,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_graceful_shutdown=GRACE_S,
        )

    def _bind(self) -> socket.socket:
        host, port = self._host, self._port
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(128)
        except (OSError, OverflowError) as error:
            listener.close()
            raise AdapterError(_explain(self._section, host, port, error)) from error
        return listener

    def _answering(self, listener: socket.socket) -> None:
        host, port = self._host, listener.getsockname()[1]
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
        if ":" in shown and not shown.startswith("["):
            shown = f"[{shown}]"
        self._url = f"http://{shown}:{port}"
        self._known.set()
        action = f"{self._section}_started"
        logger.info("%s answers at %s", self._name, self._url, extra={"action": action})


class _Quiet(uvicorn.Server):
    """Leaves the process's signals to the house, and says when it answers."""

    def __init__(self, config: uvicorn.Config, answering: Callable[[], None]) -> None:
        super().__init__(config)
        self._answering = answering

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._answering()


def _explain(section: str, host: str, port: int, error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return (
            f"port {port} on {host} is in use; stop the program that uses it, or set "
            f"{section}.port to another port"
        )
    if isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EPERM):
        return (
            f"port {port} on {host} may not be used by this account; set {section}.port above 1023"
        )
    return f"cannot listen on {host} port {port} ({error}); check {section}.host and {section}.port"
