"""Where the day's budget went: for the command line, the chat and the page alike."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from itertools import groupby

from agency import budgets
from agency.budgets import MILLION, Level, Purpose, Spent
from bot import rows, texts
from bot.budgeting import by_purpose
from bot.engine import spending
from bot.engine.spending import Spending
from bot.rows import Row
from bot.texts import Language
from memory.db import Reader

MOST_DAYS = 366


class Costs:
    """One account, told in several forms."""

    def __init__(self, settings: budgets.Settings) -> None:
        self._settings = settings

    def lines(self, reader: Reader, lang: Language, *, days: int, now: datetime) -> list[str]:
        """Today's budget and its levels, then the calls of some days, a line each."""
        return [*self._today(reader, lang, now), *self._spent(reader, lang, days, now)]

    def cards(self, reader: Reader, *, days: int, now: datetime) -> list[Row]:
        """The days, newest first; today is always among them, with its levels."""
        today = self.day(now)
        found = dict.fromkeys([today]) | self._by_day(reader, days, now)
        return [self._card(day, spent or [], today, now) for day, spent in found.items()]

    def today(self, reader: Reader, now: datetime) -> Spent:
        """What all purposes together spent today."""
        return sum(self._sums(reader, now).values(), Spent())

    def paused(self, reader: Reader, purpose: Purpose, now: datetime) -> datetime | None:
        """Until when a purpose is paused by the budget; None while it is not."""
        if not self._settings.limited:
            return None
        level = budgets.level(purpose, self._sums(reader, now), self._settings)
        return self._next_day(now) if level is Level.PAUSED else None

    def money(self, cost: int, currency: str = "") -> str:
        """An amount with its currency: to a hundredth, or as small as it is."""
        amount = cost / MILLION
        digits = 2 if amount >= 1 or not cost else 4
        return f"{amount:.{digits}f} {currency or self._settings.currency}"

    def _today(self, reader: Reader, lang: Language, now: datetime) -> Iterator[str]:
        settings, day = self._settings, self._sums(reader, now)
        whole = sum(day.values(), Spent())
        tokens, money = f"{whole.tokens:,}", self.money(whole.cost)
        given = {
            "day": f"{self.day(now)}",
            "zone": str(settings.zone),
            "tokens": tokens,
            "money": money,
        }
        if not settings.limited:
            yield texts.costs("free", lang, **given)
            return
        limits = {
            "tokens": f"{tokens} / {settings.tokens:,}" if settings.tokens else tokens,
            "money": f"{money} / {self.money(settings.cost)}" if settings.cost else money,
            "used": f"{budgets.used(whole, settings):.0%}".rstrip("%"),
        }
        yield texts.costs("today", lang, **given | limits)
        for purpose, level in budgets.levels(day, settings).items():
            yield f"- {texts.level(purpose.value, level.value, lang)}"

    def _spent(self, reader: Reader, lang: Language, days: int, now: datetime) -> Iterator[str]:
        for day, found in self._by_day(reader, days, now).items():
            yield f"{day}"
            for one in found:
                yield "- " + texts.costs(
                    "line",
                    lang,
                    purpose=texts.purpose(one.purpose, lang),
                    model=one.model,
                    calls=f"{one.calls:,}",
                    tokens=f"{one.tokens:,}",
                    money=self._paid(one),
                )

    def _card(self, day: date, spent: Iterable[Spending], today: date, now: datetime) -> Row:
        settings, found = self._settings, list(spent)
        sums = by_purpose(found, settings.currency)
        whole = sum(sums.values(), Spent())
        card: Row = {
            "id": f"{day}",
            "tokens": whole.tokens,
            "cost": self.money(whole.cost),
            "spent": [
                {
                    "purpose": one.purpose,
                    "model": one.model,
                    "calls": one.calls,
                    "tokens": one.tokens,
                    "cost": self._paid(one),
                }
                for one in found
            ],
        }
        if settings.limited:
            card |= {
                "used": round(budgets.used(whole, settings), 3),
                "tokens_limit": settings.tokens or None,
                "cost_limit": self.money(settings.cost) if settings.cost else None,
            }
        if settings.limited and day == today:
            levels = budgets.levels(sums, settings)
            card |= {
                "until": rows.at(self._next_day(now)),
                "levels": [{"purpose": one.value, "level": at.value} for one, at in levels.items()],
            }
        return card

    def _paid(self, one: Spending) -> str:
        """What some calls cost; a dash where no price was known."""
        return self.money(one.cost, one.currency) if one.currency else "–"

    def _by_day(self, reader: Reader, days: int, now: datetime) -> dict[date, list[Spending]]:
        since = self.day(now) - timedelta(days=min(days, MOST_DAYS) - 1)
        found = spending.since(reader, since)
        return {day: list(group) for day, group in groupby(found, key=lambda one: one.day)}

    def _sums(self, reader: Reader, now: datetime) -> budgets.Day:
        return by_purpose(spending.of_day(reader, self.day(now)), self._settings.currency)

    def day(self, now: datetime) -> date:
        """The team's day."""
        return budgets.day_of(now, self._settings.zone)

    def _next_day(self, now: datetime) -> datetime:
        return budgets.next_day(now, self._settings.zone)
