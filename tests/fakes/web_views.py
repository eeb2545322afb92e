"""Views that hold what a test puts into them."""

from collections.abc import Callable
from datetime import date
from typing import Any

from adapters.chat import Address
from adapters.web.views import Row, Views


class FakeViews(Views):
    """Rows by tab; `asked` keeps who looked at what."""

    def __init__(self, rows: dict[str, list[Row]] | None = None) -> None:
        self.rows = rows or {}
        self.asked: list[tuple[str, Any]] = []
        self.played: list[str] = []
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def change(self) -> None:
        """Tell the pages that something may look different."""
        for listener in self._listeners:
            listener()

    async def now(self, viewer: str | None) -> Row:
        self.asked.append(("now", viewer))
        return self.rows.get("now", [{"state": "idle", "counts": {}}])[0]

    async def fires(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return self._page("fires", viewer, before, limit)

    async def runs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return self._page("runs", viewer, before, limit)

    async def run(self, viewer: str | None, id: str) -> Row | None:
        self.asked.append((f"run {id}", viewer))
        return next((row for row in self.rows.get("run", []) if row["id"] == id), None)

    async def handoffs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return self._page("handoffs", viewer, before, limit)

    async def letters(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        return self._page("letters", viewer, before, limit)

    async def sessions(self, viewer: str | None) -> list[Row]:
        return self._page("sessions", viewer, None, 1000)

    async def inbox(self, viewer: str | None) -> list[Row]:
        return self._page("inbox", viewer, None, 1000)

    async def approvals(self, viewer: str | None, limit: int) -> list[Row]:
        return self._page("approvals", viewer, None, limit)

    async def report(self, viewer: str | None, day: date | None, language: str) -> Row:
        self.asked.append((f"report {day} {language}", viewer))
        return self.rows.get("report", [{"id": f"{day}", "text": ""}])[0]

    async def budget(self) -> list[Row]:
        return self._page("budget", None, None, 1000)

    async def files(self) -> list[Row]:
        return self._page("files", None, None, 1000)

    async def why(self, viewer: str | None, message: Address) -> list[Row]:
        self.asked.append((f"why {message}", viewer))
        return self.rows.get("why", [])

    async def stories(self) -> list[Row]:
        return self.rows.get("stories", [])

    async def play(self, story: str) -> Row:
        self.played.append(story)
        return {"room": "project"}

    def _page(self, tab: str, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        self.asked.append((tab, viewer))
        rows = self.rows.get(tab, [])
        if before is not None:
            ids = [row["id"] for row in rows]
            rows = rows[ids.index(before) + 1 :] if before in ids else []
        return rows[:limit]
