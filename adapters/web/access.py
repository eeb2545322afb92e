"""Who is asking: the operator's token, personal links, cookies, and the names we answer to.

/?token=…       ──► the operator's cookie ──► may act as anyone, sees the console
/join/<signed>  ──► one person's cookie   ──► sees their own rooms
"""

import hashlib
import hmac
import ipaddress
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from adapters.web.errors import Denied, WrongHost
from adapters.web.settings import WebSettings

COOKIE_AGE_S = 30 * 24 * 3600
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_ANYWHERE = frozenset({"0.0.0.0", "::", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Whoever holds the cookie."""

    person: str | None
    """None for the operator."""

    @property
    def operator(self) -> bool:
        """May act as anyone and sees the console."""
        return self.person is None


class Gate:
    """Signs and checks every credential; holds no state beyond the keys."""

    def __init__(self, settings: WebSettings) -> None:
        self._token = settings.token.encode()
        self._host = settings.host
        self._cookie_key = hmac.digest(self._token, b"limen web cookie", "sha256")
        self._link_key = hmac.digest(self._token, b"limen web link", "sha256")

    def is_token(self, given: str) -> bool:
        """Whether this is the operator's secret."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token)

    def link_for(self, person: str) -> str:
        """The signed part of a personal link."""
        return _signed(self._link_key, person)

    def person_of_link(self, signed: str) -> str:
        """Whose link it is; Denied when we did not sign it."""
        person = _read_signed(self._link_key, signed)
        if person is None:
            raise Denied("this link is not valid; ask the operator for a new one")
        return person

    def cookie_for(self, visitor: Visitor) -> str:
        """What the browser keeps."""
        return _signed(self._cookie_key, f"p:{visitor.person}" if visitor.person else "operator")

    def visitor(self, request: HTTPConnection) -> Visitor:
        """Who asks, by cookie or by `Authorization: Bearer <token>`; Denied for strangers."""
        if bearer := _bearer(request):
            if self.is_token(bearer):
                return Visitor(person=None)
            raise Denied("this token is wrong")
        who = _read_signed(self._cookie_key, request.cookies.get(cookie_name(request), ""))
        if who == "operator":
            return Visitor(person=None)
        if who and who.startswith("p:"):
            return Visitor(person=who[2:])
        raise Denied("open the link that was printed at the start, or your personal link")

    def sender(self, request: HTTPConnection) -> str:
        """Who changes something, as a name to count by; Denied for strangers.

        The operator counts apart for everybody they act as, and takes no place of that person's.
        """
        visitor = self.visitor(request)
        return visitor.person or f"the operator as {request.query_params.get('as', '')[:80]}"

    def check_host(self, request: HTTPConnection) -> None:
        """WrongHost unless we were called by a name of ours: keeps foreign names from us."""
        name = _host_name(request.headers.get("host", ""))
        if name in _LOOPBACK or name == self._host.lower():
            return
        # Bound to every interface we cannot list our names, but a rebound name is never a number.
        if self._host in _ANYWHERE and _is_number(name):
            return
        raise WrongHost(
            f"this server does not answer to the name {name[:80]!r}; use localhost, or set web.host"
        )

    def check_origin(self, request: HTTPConnection) -> None:
        """Denied when a change was asked for by another site's page."""
        if _bearer(request):
            return  # a browser sends no bearer token by itself
        origin = _place(request.headers.get("origin", ""))
        if not origin or origin != request.headers.get("host", "").lower():
            raise Denied("this request did not come from the chat's own page")


def cookie_name(request: HTTPConnection) -> str:
    """Browsers share cookies between ports, so the port is in the name."""
    return f"limen-{request.url.port or 80}"


def _bearer(request: HTTPConnection) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _place(origin: str) -> str:
    """The host and port an origin names; empty where it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _signed(key: bytes, text: str) -> str:
    raw = text.encode()
    seal = hmac.new(key, raw, hashlib.sha256).digest()[:20]
    return f"{_b64(raw)}.{_b64(seal)}"


def _read_signed(key: bytes, signed: str) -> str | None:
    body, _, _ = signed.partition(".")
    try:
        text = urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode()
    except ValueError:
        return None
    same = hmac.compare_digest(_signed(key, text).encode(), signed.encode("utf-8", "replace"))
    return text if body and same else None


def _b64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
