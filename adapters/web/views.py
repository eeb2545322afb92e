"""What the page shows of the bot's inner life; the bot implements it.

A `viewer` is a person's id in the web chat, or None for the operator who sees everything. For a
viewer, a row that rests on something said where they are not carries `"private": true` and no
text of it (empty `text`, `reason`, `summary` …): the page then shows a lock in its place.

Rows are JSON-able dicts with the keys named below. Times are ISO 8601 UTC. An unknown or absent
key is simply not shown; rows come newest first, and `before` is the `id` of the last row had.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import date
from typing import Any

from adapters.chat import Address

Row = dict[str, Any]


class Views(ABC):
    """Read-only windows into the bot, and the stories that can be played.

    Law: nothing here raises for an unknown id: a single row is None, a list is empty.
    """

    @abstractmethod
    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` (on the event loop, cheap) whenever any row may have changed."""

    @abstractmethod
    async def now(self, viewer: str | None) -> Row:
        """The state line.

        {"state": "idle|waiting|running|paused", "since": time, "text": "a short sentence"?,
         "wakes_at": time?, "model": "builtin", "playing": "title of the story being played"?,
         "counts": {"fires": 3, "runs": 1, "handoffs": 0, "letters": 0, "sessions": 5,
                    "originals": 120},                 # open ones; sessions, originals: all
         "tokens_today": 1234?, "cost_today": "0.12 USD"?,
         "platforms": [{"name": "slack", "up": true, "note": ""}]}
        """

    @abstractmethod
    async def fires(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        """What reached the agency.

        {"id": "f12", "kind": "message_observed", "state": "pending|submitted|merged|steered|
         consumed|failed|dead", "at": time, "room": "#architecture", "from": "Lin", "text": …,
         "score": 0.8?, "run": "r7"?, "private": false}
        """

    @abstractmethod
    async def runs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        """Runs of the agency.

        {"id": "r7", "role": "agency", "state": "queued|running|suspended|succeeded|failed|
         cancelled", "at": time, "ended_at": time?, "room": …, "trigger": "early|quiet|heartbeat
         |…", "fires": 4, "steps": 3, "tokens_in": 900, "tokens_out": 120, "summary": "its last
         private words", "private": false}
        """

    @abstractmethod
    async def run(self, viewer: str | None, id: str) -> Row | None:
        """One run of any role: a row as in `runs` and its trace.

        {…, "trace": [{"at": time, "step": "input|model|tool|result|text|error", "title":
         "submit_to_session", "text": …, "ok": true, "private": false}]}
        """

    @abstractmethod
    async def handoffs(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        """What the agency wanted said, and what became of it.

        {"id": "h3", "at": time, "room": "#project", "subject": …, "kind": "conflict", "text": …,
         "verdict": "admitted|held|asking|digest|silent|refused|duplicate", "reason": …,
         "gates": [{"gate": "audience", "passed": true, "reason": …}],
         "outcome": "spoken|declined|expired|", "outcome_text": …, "confidence": 0.9,
         "grade": "major", "deliver_at": time?, "expires_at": time?, "run": "r7",
         "sources": [{"id": "o7", "room": …, "from": …, "at": time, "text": …,
                      "private": false}], "private": false}
        """

    @abstractmethod
    async def letters(self, viewer: str | None, before: str | None, limit: int) -> list[Row]:
        """The outbox.

        {"id": "l4", "at": time, "room": "#project", "text": …, "state": "pending|sending|sent|
         failed|unknown", "tries": 1, "not_before": time?, "sent_at": time?, "error": …?,
         "run": "r8", "private": false}
        """

    @abstractmethod
    async def sessions(self, viewer: str | None) -> list[Row]:
        """Every session; a viewer's list holds only those they may know of.

        {"id": "s2", "title": "#architecture", "kind": "group|direct|agency", "open": true,
         "platform": "web", "members": ["Lin", "Mo"], "originals": 12, "runs": 3,
         "last_at": time?, "state": "idle|queued|running"}
        """

    @abstractmethod
    async def inbox(self, viewer: str | None) -> list[Row]:
        """What waits for the viewer; for the operator's own view, for everybody, a row each.

        {"id": "p5", "person": "Bo", "reachable": true, "next_at": time?, "waits": ["May I tell …"],
         "coming": [{"id": "e7", "kind": "notify|digest|approval|alert|report", "state": "waiting|
         told|seen|dropped", "at": time, "room": …, "text": …}], "told": [as in coming],
         "left": [as in coming, what was dropped and why; only for the operator]}
        """

    @abstractmethod
    async def approvals(self, viewer: str | None, limit: int) -> list[Row]:
        """What waits for somebody's yes or no, and what became of it.

        {"id": "a3", "kind": "approval|consent", "state": "asked|granted|denied|expired|revoked",
         "at": time, "room": "where it came up, or who would be told", "from": "who wants it"?,
         "names": ["who may answer"], "by": "who answered"?, "text": "the question, or what would
         be told", "reach": "fact|room|always|", "expires_at": time?, "run": "r8"?,
         "private": false}
        """

    @abstractmethod
    async def report(self, viewer: str | None, day: date | None, language: str) -> Row:
        """What was looked at, found, said, held and spent in a day; without one, today.

        {"id": "2026-11-30", "day": "2026-11-30", "whole": false, "text": "a line for each count"}
        """

    @abstractmethod
    async def budget(self) -> list[Row]:
        """What each day cost, newest first, today always among them; for the operator's own view.

        {"id": "2026-11-30", "tokens": 1234, "tokens_limit": 50000?, "cost": "0.12 USD",
         "cost_limit": "4.00 USD"?, "used": 0.62?, "until": time?, "levels": [{"purpose":
         "foreground|agency|memory|background", "level": "ok|cheaper|builtin|paused"}]?,
         "spent": [{"purpose": …, "model": …, "calls": 3, "tokens": 900, "cost": "0.01 USD"}]}
        """

    @abstractmethod
    async def files(self) -> list[Row]:
        """The attention files; asked only for the operator's own view.

        {"file": "AGENCY.md", "text": …, "changed_at": time?}
        """

    @abstractmethod
    async def why(self, viewer: str | None, message: Address) -> list[Row]:
        """How a message of the bot came about, first cause first; empty when nothing is known.

        {"step": "original|fire|agency run|handoff|consent|run|delivery", "id": "o7", "at": time,
         "room": …?, "from": …?, "text": "readable, one or two sentences", "state": …?,
         "gates": [as in handoffs]?, "private": false}
        """

    @abstractmethod
    async def stories(self) -> list[Row]:
        """Stories that can be played in the page: {"id", "title", "about", "language": "en|zh"}."""

    @abstractmethod
    async def play(self, story: str) -> Row:
        """Begin a story and return at once: {"room": "project"?}, the web room to look at."""
