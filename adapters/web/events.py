"""The live stream of a page (server-sent events), resumed after the last event it saw.

id: 42 · event: post · data: {…}       `rooms`, `people`, `thinking`, `inside` say what to look at
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from adapters.web.desk import Desk
from adapters.web.errors import Invalid, Missing, WebError
from adapters.web.rooms import Event, Happening
from adapters.web.waiting import news_within

KEEP_S = 15.0  # seconds between signs of life; proxies drop a silent stream after 30 or 60


@dataclass(slots=True)
class _Seen:
    """What one page was told so far."""

    after: int
    thinking: frozenset[tuple[str, str | None]] = frozenset()
    inside: int = 0


class Events:
    """The stream endpoint."""

    def __init__(self, desk: Desk, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._desk = desk
        self._store = desk.store
        self._feed = desk.feed
        self._sleep = sleep

    def routes(self) -> list[Route]:
        """The stream."""
        return [Route("/api/events", self.stream)]

    async def stream(self, request: Request) -> Response:
        """Follow the log as the acting person may see it."""
        me = await self._desk.actor(request)
        operator = self._desk.gate.visitor(request).operator
        text = request.headers.get("last-event-id") or request.query_params.get("after") or ""
        if text and (not text.isascii() or not text.isdecimal() or len(text) > 18):
            raise Invalid(f"'after' must be a number of the log, got {text[:40]!r}")
        # A log put back from a backup is shorter than a page remembers: it goes on from its end.
        newest = await self._store.last_event()
        seen = _Seen(after=min(int(text), newest) if text else newest)
        return StreamingResponse(
            self._follow(me, operator, seen),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )

    async def _follow(self, me: str, operator: bool, seen: _Seen) -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        seen.inside = self._feed.inside
        with self._feed.follow() as woken:
            while not self._feed.closed:
                woken.clear()
                try:
                    async for part in self._news(me, operator, seen):
                        yield part
                except WebError:
                    return  # the page reconnects and goes on where it stopped
                if not await news_within(woken, KEEP_S, self._sleep):
                    yield ": still here\n\n"

    async def _news(self, me: str, operator: bool, seen: _Seen) -> AsyncIterator[str]:
        newest = await self._store.last_event()
        while events := await self._store.events(me, seen.after):
            for event in events:
                if part := await self._told(event):
                    yield part
                seen.after = event.id
        # What this person may not see is passed over, so that it is not looked at again.
        seen.after = max(seen.after, newest)
        if self._feed.thinking != seen.thinking:
            seen.thinking = self._feed.thinking
            mine = {listed.room.id for listed in await self._store.rooms(me)}
            places = sorted((r, t or "") for r, t in seen.thinking if r in mine)
            yield _part("thinking", [{"room": r, "thread": t or None} for r, t in places])
        if operator and self._feed.inside != seen.inside:
            seen.inside = self._feed.inside
            yield _part("inside", {"version": seen.inside})

    async def _told(self, event: Event) -> str | None:
        if event.kind is Happening.PERSON:
            return _part("people", {}, event.id)
        if event.kind is Happening.MEMBERS or event.post is None:
            return _part("rooms", {"room": event.room}, event.id)
        try:
            # Always the post as it is now: an old line of the log must not bring back an old text.
            post = await self._store.post(event.post)
            root = await self._store.post(post.thread) if post.thread else None
        except Missing:
            return None
        people = await self._store.people()
        data = {
            "kind": event.kind.value,
            "post": self._desk.shown.post(post, people),
            "root": self._desk.shown.post(root, people) if root else None,
        }
        return _part("post", data, event.id)


def _part(name: str, data: Any, id: int | None = None) -> str:
    head = f"id: {id}\n" if id is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
