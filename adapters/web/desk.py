"""What every endpoint needs: who asks, as whom they act, and what they may see."""

from dataclasses import dataclass
from datetime import date

from starlette.requests import Request

from adapters.web.access import Gate
from adapters.web.errors import Denied, Invalid
from adapters.web.feed import Feed
from adapters.web.settings import WebSettings
from adapters.web.shown import Shown
from adapters.web.store import Store
from adapters.web.views import Views


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The collaborators of the endpoints."""

    store: Store
    views: Views
    settings: WebSettings
    gate: Gate
    feed: Feed
    shown: Shown

    async def actor(self, request: Request) -> str:
        """The person this request acts as: the visitor, or whom the operator names in `?as=`."""
        visitor = self.gate.visitor(request)
        wanted = request.query_params.get("as")
        if visitor.person is None and not wanted:
            raise Invalid("say whom you act as, with ?as=<person>")
        if visitor.person is not None and wanted not in (None, visitor.person):
            raise Denied("your link lets you act as yourself only")
        return (await self.store.person(visitor.person or wanted or "")).id

    def operator(self, request: Request) -> None:
        """Denied unless the operator asks."""
        if not self.gate.visitor(request).operator:
            raise Denied("this is for the operator")

    async def viewer(self, request: Request) -> str | None:
        """Whose eyes the console is seen with; None is the operator's own view."""
        self.operator(request)
        if request.query_params.get("view") == "all":
            return None
        return await self.actor(request)


def day_of(request: Request) -> date | None:
    """The `?day=` of a request; None without one."""
    text = request.query_params.get("day")
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Invalid(f"day must be written like 2026-11-30, got {text[:20]!r}") from None


def language_of(request: Request) -> str:
    """The `?language=` of a request: en, or zh."""
    return "zh" if request.query_params.get("language") == "zh" else "en"


def tongue_of(request: Request) -> str:
    """The language a browser says its reader likes: en, or zh."""
    liked = request.headers.get("accept-language", "").lower().split(",")
    return next((tag.strip()[:2] for tag in liked if tag.strip()[:2] in ("en", "zh")), "en")


def limit_of(request: Request, *, default: int = 50, most: int = 200) -> int:
    """The `?limit=` of a request, within bounds."""
    text = request.query_params.get("limit", str(default))
    if not text.isascii() or not text.isdecimal() or len(text) > 6 or int(text) < 1:
        raise Invalid(f"limit must be a number from 1 to {most}, got {text[:20]!r}")
    return min(int(text), most)
