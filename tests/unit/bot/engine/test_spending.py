"""Spending: calls, tokens and money by the team's day, purpose and model."""

from datetime import date

from bot.engine import spending
from bot.models.model import Usage
from tests.fakes.town import Town

MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)
USAGE = Usage(input_tokens=10, output_tokens=2, cache_read_tokens=3, cache_write_tokens=4)


def book(town: Town, day: date, purpose: str, *, currency: str = "EUR") -> None:
    spending.book(town.tx, USAGE, day=day, purpose=purpose, model="m", cost=700, currency=currency)


def test_calls_are_added_up_by_day_purpose_and_model(town: Town) -> None:
    for purpose in ("agency", "agency", "memory"):
        book(town, MONDAY, purpose)
    book(town, TUESDAY, "agency")
    found = [
        (one.day, one.purpose, one.calls, one.usage.input_tokens, one.cost)
        for one in spending.since(town.tx, MONDAY)
    ]
    assert found == [
        (TUESDAY, "agency", 1, 10, 700),
        (MONDAY, "agency", 2, 20, 1400),
        (MONDAY, "memory", 1, 10, 700),
    ]


def test_the_tokens_of_a_call_are_all_it_read_and_wrote(town: Town) -> None:
    book(town, MONDAY, "agency")
    (one,) = spending.of_day(town.tx, MONDAY)
    assert one.tokens == 10 + 2 + 3 + 4


def test_money_of_two_currencies_is_not_added(town: Town) -> None:
    for currency in ("EUR", "USD", "EUR"):
        book(town, MONDAY, "agency", currency=currency)
    found = [(one.currency, one.cost) for one in spending.of_day(town.tx, MONDAY)]
    assert found == [("EUR", 1400), ("USD", 700)]
