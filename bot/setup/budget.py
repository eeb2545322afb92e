"""The `[budget]` section: what a day may cost, the share of each purpose, and what models cost."""

import json
import math
import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic import model_validator as check_whole
from pydantic_core import PydanticCustomError

from bot.setup.settings import Section

LISTED = "USD"
"""The currency of the list prices below."""


def _check_currency(currency: str) -> str:
    if not re.fullmatch(r"[A-Z]{3}", currency):
        raise ValueError("must be three capital letters, for example 'USD'")
    return currency


Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Part = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Price(Section):
    """What a million tokens of a model cost."""

    input: Amount
    output: Amount
    cache_read: Amount | None = None
    """None costs what input costs."""
    cache_write: Amount | None = None
    """None costs a quarter more than input."""


LIST = {
    "claude-sonnet-5-5": Price(input=2.0, output=10.0, cache_read=0.1, cache_write=2.5),
    "claude-haiku-5-5": Price(input=0.1, output=0.5, cache_read=0.01, cache_write=0.125),
}
"""List prices of the default models in October 2026; docs/budgets.md says what they leave out."""


def _check_prices(value: object) -> object:
    """Read JSON, as the environment has to write it, and say which price is wrong."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, dict):
        raise ValueError(_TABLES)
    for model, price in value.items():
        if isinstance(price, dict):
            _check_price(model, price)
        elif not isinstance(price, Price):
            raise ValueError(_TABLES)
    return value


def _check_price(model: str, price: dict[str, object]) -> None:
    for key, amount in price.items():
        if key not in Price.model_fields:
            raise ValueError(
                f"of {model!r}: {key!r} is none; write {', '.join(Price.model_fields)}"
            )
        number = isinstance(amount, int | float) and not isinstance(amount, bool)
        if not number or not math.isfinite(amount) or amount < 0:  # type: ignore[arg-type,operator]
            raise ValueError(
                f"of {model!r}: {key} = {amount!r} must be a number from 0, for a million tokens"
            )
    if missing := [key for key in ("input", "output") if key not in price]:
        raise ValueError(f"of {model!r}: {' and '.join(missing)} must be given")


_TABLES = (
    'must be a table for each model: [budget.prices."claude-sonnet-5-5"] and below it input and '
    'output; in the environment JSON, such as {"claude-sonnet-5-5": {"input": 2, "output": 10}}'
)


class Budget(Section):
    """What a day may cost; zero means no limit."""

    daily_tokens: int = Field(0, ge=0)
    daily_cost: Amount = 0.0
    currency: Annotated[str, AfterValidator(_check_currency)] = LISTED
    fallback: Literal["builtin", "none"] = "builtin"
    """What answers once the budget is used up: the built-in model, or a word that it is."""
    foreground_share: Part = 1.0
    """The most of the day's budget that answers somebody waits for may take."""
    agency_share: Part = 1.0
    """The same for the agency, and what is said unasked."""
    memory_share: Part = 1.0
    background_share: Part = 1.0
    prices: Annotated[dict[str, Price], BeforeValidator(_check_prices)] = LIST

    @check_whole(mode="after")
    def _money_has_prices(self) -> Self:
        if self.daily_cost and not self.known_prices:
            what = (
                f"is empty, and the list prices Limen knows are in {LISTED}; write "
                '[budget.prices."claude-sonnet-5-5"] and below it input and output, '
                f"a million tokens each, in {self.currency}"
            )
            raise PydanticCustomError("at_key", "{what}", {"key": "prices", "what": what})
        return self

    @property
    def known_prices(self) -> dict[str, Price]:
        """The prices by model, in the budget's currency."""
        listed = LIST if self.currency == LISTED else {}
        own = {} if self.prices == LIST else self.prices
        return {**listed, **own}
