"""The state line: what the agency does right now, and how much there is to do."""

from datetime import datetime

from agency import coalescing, fires, handoffs
from agency.budgets import Purpose
from agency.coalescing import Waiting
from bot import health, rows
from bot.costs import Costs
from bot.engine import letters, runs, sessions, spending
from bot.engine.runs import Run
from bot.rows import Row
from bot.views.sight import PLATFORM, Sight
from memory import originals
from memory.db import Reader
from memory.moments import from_us, to_us

AGENCY = "agency"


def pulse(
    sight: Sight, *, now: datetime, costs: Costs, enabled: bool, patience: coalescing.Settings
) -> Row:
    """The row of `now`, without what only the house knows."""
    reader = sight.reader
    spent = spending.of_day(reader, costs.day(now))
    paid = costs.today(reader, now).cost
    until = costs.paused(reader, Purpose.AGENCY, now)
    paused = {"state": "paused", "wakes_at": rows.at(until)} if enabled and until else {}
    return {
        **_agency(reader, now=now, enabled=enabled, patience=patience),
        **paused,
        "counts": _counts(sight),
        "tokens_today": sum(one.tokens for one in spent),
        **({"cost_today": costs.money(paid)} if paid and sight.everything else {}),
        "platforms": _platforms(sight),
    }


def _platforms(sight: Sight) -> list[Row]:
    """How the platforms beside the one this page belongs to are, for the operator."""
    if not sight.everything:
        return []
    found = (one for one in health.every(sight.reader) if one.name != PLATFORM)
    return [{"name": one.name, "up": one.up, "note": one.note} for one in found]


def _agency(reader: Reader, *, now: datetime, enabled: bool, patience: coalescing.Settings) -> Row:
    session = sessions.named(reader, AGENCY)
    run = runs.open_of(reader, session.id) if session else None
    waiting = coalescing.waiting(reader, patience)
    due = coalescing.due(waiting, patience, now_us=to_us(now))
    if not enabled:
        return {"state": "paused"}
    if run is not None and run.state is runs.State.RUNNING:
        return {"state": "running", "since": rows.at(run.started_at or run.created_at)}
    if run is not None:
        return {"state": "waiting", "since": rows.at(run.created_at)}
    if due is not None:
        return {"state": "waiting", "since": _since(waiting), "wakes_at": rows.at(from_us(due))}
    return {"state": "idle", "since": _last_end(reader)}


def _since(waiting: Waiting) -> str | None:
    times = [one for one in (waiting.oldest, waiting.passive) if one is not None]
    return rows.at(from_us(min(times))) if times else None


def _last_end(reader: Reader) -> str | None:
    last: list[Run] = runs.latest(reader, limit=1, role=AGENCY)
    ended = last[0].finished_at if last else None
    return rows.at(ended) if ended else None


def _counts(sight: Sight) -> Row:
    reader = sight.reader
    open_fires = fires.counts(reader)
    row: Row = {
        "fires": sum(n for state, n in open_fires.items() if state is not fires.State.DEAD),
        "runs": runs.count_open(reader),
        "handoffs": handoffs.count_open(reader),
        "letters": letters.count_open(reader),
    }
    if sight.everything:
        # Ids are given in order and nothing is ever deleted, so the newest id is the count.
        row |= {"sessions": sessions.count(reader), "originals": originals.newest_id(reader)}
    return row
