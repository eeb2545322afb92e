"""The way out over aiohttp: the session, its proxy, and what a broken way is called."""

import importlib
import os
import re
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from adapters.errors import Refused

TIMEOUT_S = 30.0  # for a whole call
CONNECT_S = 10.0
_PROXY_ASKS = 407
_CERTIFICATE = {
    9: "is valid in the future only: set the clock of this machine",
    10: "whoever runs that server has to renew it, or the clock of this machine is wrong",
    62: "another server answers there: check the address in the settings",
    64: "another server answers there: check the address in the settings",
}
"""By OpenSSL's numbers; most others mean that nobody we trust has signed it."""
_UNSIGNED = (
    "nobody this machine trusts has signed it: where a proxy or a firewall of yours opens "
    "connections, name the file of its certificate in SSL_CERT_FILE and start again"
)
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
    """What went wrong and what to do, without the addresses aiohttp tells: they hold secrets."""
    found = list(_causes(error))
    for cause in found:
        # aiohttp's own error is one too, but knows nothing of it.
        if isinstance(cause, ssl.SSLCertVerificationError) and hasattr(cause, "verify_code"):
            what = _CERTIFICATE.get(cause.verify_code, _UNSIGNED)
            return f"its certificate was not accepted ({cause.verify_message}); {what}"
    if _PROXY_ASKS in (getattr(cause, "status", None) for cause in found) or (
        str(error).startswith(str(_PROXY_ASKS))
    ):
        return "the proxy wants a name and a password (407); write them into its address"
    if status := getattr(error, "status", None):
        return f"HTTP {status} {getattr(error, 'message', '')}".strip()
    words = _ADDRESS.sub("…", str(error)) or type(error).__name__
    if any(isinstance(cause, socket.gaierror) for cause in found):
        return f"{words}; check the network and the DNS of this machine, and the address"
    if any(isinstance(cause, ConnectionRefusedError) for cause in found):
        return f"{words}; nothing listens there: check the address, and the proxy if there is one"
    return words


def certificates() -> ssl.SSLContext | bool:
    """Whom an HTTP client trusts that would not look into SSL_CERT_FILE by itself."""
    own = os.environ.get("SSL_CERT_FILE")
    return ssl.create_default_context(cafile=own) if own and Path(own).is_file() else True


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and all that led to it."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        known = (getattr(one, name, None) for name in ("os_error", "certificate_error"))
        behind = (one.__cause__, one.__context__, *known)
        waiting += [cause for cause in behind if isinstance(cause, BaseException)]
        waiting += getattr(one, "exceptions", ())


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
