"""The way out over aiohttp: the session, its proxy, and what a broken way is called."""

import importlib
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from adapters.errors import Refused

TIMEOUT_S = 30.0  # for a whole call
CONNECT_S = 10.0
_ADDRESS = re.compile(r"\w+://[^\s'\"]+")


def way_out(proxy: str) -> tuple[Any, str | None]:
    """A session, and the proxy to name with each of its calls: SOCKS needs none there.

    Proxies of the environment are ignored: who set one for other programs did not mean this one.
    """
    import aiohttp

    socks = proxy.startswith("socks")
    session = aiohttp.ClientSession(
        connector=_socks(proxy) if socks else None,
        timeout=aiohttp.ClientTimeout(total=TIMEOUT_S, sock_connect=CONNECT_S),
        trust_env=False,
    )
    return session, None if socks else proxy or None


def never_left(error: Exception) -> bool:
    """Whether no connection came about, so that nothing can have arrived."""
    import aiohttp

    return isinstance(
        error,
        aiohttp.ClientConnectorError
        | aiohttp.ConnectionTimeoutError
        | aiohttp.ClientHttpProxyError,
    )


def reason(error: Exception) -> str:
    """What went wrong, without the addresses aiohttp tells: they hold tickets and passwords."""
    if status := getattr(error, "status", None):
        return f"HTTP {status} {getattr(error, 'message', '')}".strip()
    return _ADDRESS.sub("…", str(error)) or type(error).__name__


def time_told(date: str) -> datetime | None:
    """The moment in a Date header; None without one that can be read."""
    try:
        told = parsedate_to_datetime(date)
    except (TypeError, ValueError):
        return None
    return told if told.tzinfo else told.replace(tzinfo=UTC)


def _socks(proxy: str) -> Any:
    try:
        socks = importlib.import_module("aiohttp_socks")
    except ImportError:
        shown = urlsplit(proxy)._replace(netloc="…").geturl()
        raise Refused(
            f"the proxy {shown!r} needs the package 'aiohttp-socks': pip install aiohttp-socks, "
            "or use an http:// proxy"
        ) from None
    return socks.ProxyConnector.from_url(proxy)
