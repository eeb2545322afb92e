"""What a day may cost, and what is done when it runs out: rules, prices, and records of changes.

ok ─► cheaper (the small model) ─► builtin (the rules answer, which cost nothing) ─► paused
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Self

from memory.db import Reader, Row, Tx, queries
from memory.moments import from_us

SQL = queries(__file__)

MIDNIGHT = time()
MILLION = 1_000_000
"""Money is counted in millionths, so a price a million tokens is the price of one token."""
CACHE_WRITE = 1.25  # of the input price, where no price of its own is given


class Purpose(StrEnum):
    """What tokens are spent on."""

    BACKGROUND = "background"
    """What the agency has looked into on the side."""
    MEMORY = "memory"
    """Facts drawn from talk."""
    AGENCY = "agency"
    """Connecting what was said, and putting what is said unasked into words."""
    FOREGROUND = "foreground"
    """Answers somebody waits for."""


class Level(StrEnum):
    """How much a purpose may still spend today."""

    OK = "ok"
    """All it wants."""
    CHEAPER = "cheaper"
    """The small model thinks."""
    BUILTIN = "builtin"
    """The built-in model thinks."""
    PAUSED = "paused"
    """Nothing starts before the next day."""


ORDER = tuple(Level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """From which part of the day's budget each level begins."""

    cheaper: float
    builtin: float
    paused: float


STEPS: dict[Purpose, Steps] = {
    Purpose.BACKGROUND: Steps(cheaper=0.5, builtin=0.6, paused=0.7),
    Purpose.MEMORY: Steps(cheaper=0.6, builtin=0.7, paused=0.8),
    Purpose.AGENCY: Steps(cheaper=0.7, builtin=0.8, paused=0.9),
    Purpose.FOREGROUND: Steps(cheaper=0.8, builtin=1.0, paused=1.0),
}
"""What nobody waits for stops first. The table of docs/budgets.md is this one."""
OWN = Steps(cheaper=0.8, builtin=1.0, paused=1.0)
"""The same for a purpose's own share of the day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens of a model cost."""

    input: float
    output: float
    cache_read: float
    cache_write: float

    def cost(self, *, input: int, output: int, cache_read: int, cache_write: int) -> int:
        """The price of some tokens, in millionths."""
        return round(
            input * self.input
            + output * self.output
            + cache_read * self.cache_read
            + cache_write * self.cache_write
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The `[budget]` section."""

    tokens: int = 0
    """A day; zero is no limit."""
    cost: int = 0
    """A day, in millionths of the currency; zero is no limit."""
    currency: str = "USD"
    zone: tzinfo = UTC
    """Whose midnight begins a day."""
    morning: time = time(9)
    """When what was to be said unasked, and had to wait for the new day, is said."""
    fallback: bool = True
    """Whether the built-in model stands in before anything is refused."""
    shares: Mapping[Purpose, float] = field(default_factory=dict)
    """The most of the day's budget each purpose may take; one that is not named may take all."""
    prices: Mapping[str, Price] = field(default_factory=dict)

    @property
    def limited(self) -> bool:
        """Whether a day may cost only so much."""
        return bool(self.tokens or self.cost)

    def price(self, model: str) -> Price | None:
        """The price of a model by its name, or of the one whose name begins this one's."""
        named = [name for name in self.prices if model.startswith(name)]
        return self.prices[max(named, key=len)] if named else None

    def dearest(self) -> Price | None:
        """The dearest price that is known, for a model that is not; None where none is known."""
        return max(self.prices.values(), key=_dearness, default=None)


def _dearness(price: Price) -> tuple[float, float]:
    return price.input + price.output, price.output


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens and money."""

    tokens: int = 0
    cost: int = 0
    calls: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.tokens + other.tokens, self.cost + other.cost, self.calls + other.calls)


Day = Mapping[Purpose, Spent]
"""What was spent on each purpose in a day."""


def used(spent: Spent, settings: Settings, *, share: float = 1.0) -> float:
    """The part of the budget, or of a share of it, that is spent: of tokens or money, the larger.

    A share of zero is used up from the start.
    """
    parts = [
        what / (limit * share) if share else 1.0
        for what, limit in ((spent.tokens, settings.tokens), (spent.cost, settings.cost))
        if limit
    ]
    return max(parts, default=0.0)


def level(purpose: Purpose, day: Day, settings: Settings, *, ahead: Spent | None = None) -> Level:
    """How much a purpose may still spend; `ahead` is what runs in progress will likely take."""
    if not settings.limited:
        return Level.OK
    whole = sum(day.values(), ahead or Spent())
    found = _step(used(whole, settings), STEPS[purpose])
    share = settings.shares.get(purpose, 1.0)
    if share < 1.0:
        own = used(day.get(purpose, Spent()), settings, share=share)
        found = max(found, _step(own, OWN), key=ORDER.index)
    if found is Level.PAUSED and purpose is Purpose.FOREGROUND and settings.fallback:
        return Level.BUILTIN
    if found is Level.BUILTIN and not settings.fallback:
        return Level.CHEAPER
    return found


def levels(day: Day, settings: Settings) -> dict[Purpose, Level]:
    """The level of every purpose."""
    return {purpose: level(purpose, day, settings) for purpose in Purpose}


def _step(part: float, steps: Steps) -> Level:
    if part >= steps.paused:
        return Level.PAUSED
    if part >= steps.builtin:
        return Level.BUILTIN
    return Level.CHEAPER if part >= steps.cheaper else Level.OK


def day_of(now: datetime, zone: tzinfo) -> date:
    """The team's day."""
    return now.astimezone(zone).date()


def next_day(now: datetime, zone: tzinfo, at: time = MIDNIGHT) -> datetime:
    """When the team's next day begins, or its clocks show `at` on it."""
    tomorrow = day_of(now, zone) + timedelta(days=1)
    return datetime.combine(tomorrow, at, zone).astimezone(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A purpose came to another level."""

    day: date
    purpose: Purpose
    level: Level
    used: float
    """The part of the day's budget that was spent by then."""
    at: datetime

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            day=date.fromisoformat(row["day"]),
            purpose=Purpose(row["purpose"]),
            level=Level(row["level"]),
            used=row["used"] / 1000,
            at=from_us(row["at"]),
        )


def changes(reader: Reader, day: date) -> list[Change]:
    """How the levels changed in a day, in order."""
    return [Change.from_row(row) for row in reader.all(SQL["changes"], day=f"{day:%Y-%m-%d}")]


def lately(reader: Reader, *, since_us: int) -> list[Change]:
    """How the levels changed since a moment, in order."""
    return [Change.from_row(row) for row in reader.all(SQL["lately"], since=since_us)]


def note(tx: Tx, day: date, now: Mapping[Purpose, Level], *, used: float, now_us: int) -> int:
    """Keep each level that is another than the last one noted that day; how many there were."""
    last = dict.fromkeys(Purpose, Level.OK) | {one.purpose: one.level for one in changes(tx, day)}
    changed = [purpose for purpose in Purpose if now[purpose] is not last[purpose]]
    for purpose in changed:
        tx.run(
            SQL["note"],
            day=f"{day:%Y-%m-%d}",
            purpose=purpose,
            level=now[purpose],
            used=round(used * 1000),
            now=now_us,
        )
    return len(changed)
