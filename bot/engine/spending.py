"""What calls of models came to: tokens and money, by the team's day, purpose and model."""

from dataclasses import dataclass
from datetime import date
from typing import Self

from bot.models.model import Usage
from memory.db import Reader, Row, Tx, queries

SQL = queries(__file__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """The calls of a day for one purpose by one model."""

    day: date
    purpose: str
    model: str
    currency: str
    """Empty where no price was known."""
    calls: int
    usage: Usage
    cost: int
    """In millionths of the currency."""

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            day=date.fromisoformat(row["day"]),
            purpose=row["purpose"],
            model=row["model"],
            currency=row["currency"],
            calls=row["calls"],
            usage=Usage(
                input_tokens=row["input_tokens"],
                output_tokens=row["output_tokens"],
                cache_read_tokens=row["cache_read_tokens"],
                cache_write_tokens=row["cache_write_tokens"],
            ),
            cost=row["cost"],
        )

    @property
    def tokens(self) -> int:
        """All of them, read from the cache or not."""
        used = self.usage
        return (
            used.input_tokens
            + used.output_tokens
            + used.cache_read_tokens
            + used.cache_write_tokens
        )


def book(
    tx: Tx, usage: Usage, *, day: date, purpose: str, model: str, cost: int, currency: str
) -> None:
    """Add a call to its day, purpose and model."""
    tx.run(
        SQL["book"],
        day=f"{day:%Y-%m-%d}",
        purpose=purpose,
        model=model,
        currency=currency,
        input=usage.input_tokens,
        output=usage.output_tokens,
        read=usage.cache_read_tokens,
        write=usage.cache_write_tokens,
        cost=cost,
    )


def of_day(reader: Reader, day: date) -> list[Spending]:
    """What one day came to."""
    return [Spending.from_row(row) for row in reader.all(SQL["of_day"], day=f"{day:%Y-%m-%d}")]


def since(reader: Reader, day: date) -> list[Spending]:
    """What the days from one on came to, the newest first."""
    return [Spending.from_row(row) for row in reader.all(SQL["since"], day=f"{day:%Y-%m-%d}")]
