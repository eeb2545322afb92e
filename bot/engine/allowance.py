"""What runs may spend: asked when one starts, kept to until it ends, booked call by call."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime

from bot.engine import spending
from bot.engine.inputs import Input
from bot.engine.rations import Ration
from bot.engine.roles import Role
from bot.engine.runs import Priority, Run
from bot.models.model import Response
from memory.db import Tx
from memory.moments import from_us

FOREGROUND = "foreground"
UNASKED = "agency"
"""Saying something unasked belongs to what the agency costs, whatever the role books to."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a run may start with."""

    ration: Ration
    until: datetime | None = None
    """When what waits, or is refused, may be tried again."""
    refused: bool = False
    """Nobody is kept waiting until then: whoever asked is told."""


class Allowance(ABC):
    """Law: everything belongs to the transaction it is called in, and may run twice."""

    @abstractmethod
    def grant(self, tx: Tx, run: Run, purpose: str) -> Grant:
        """What a run that is about to start may think with."""

    @abstractmethod
    def book(self, tx: Tx, answer: Response, *, purpose: str, now_us: int) -> None:
        """Add what one answer cost."""

    @abstractmethod
    def refuse(self, tx: Tx, run: Run, given: list[Input], until: datetime) -> None:
        """Tell whoever waits for a refused run."""

    @abstractmethod
    def ended(self, tx: Tx, run: Run) -> None:
        """A run succeeded; whoever was answered by less than usual is told."""


class Unlimited(Allowance):
    """Counts tokens, by days in UTC, and limits nothing."""

    def grant(self, tx: Tx, run: Run, purpose: str) -> Grant:
        return Grant(Ration.UNSET)

    def book(self, tx: Tx, answer: Response, *, purpose: str, now_us: int) -> None:
        spending.book(
            tx,
            answer.usage,
            day=from_us(now_us).date(),
            purpose=purpose,
            model=answer.model,
            cost=0,
            currency="",
        )

    def refuse(self, tx: Tx, run: Run, given: list[Input], until: datetime) -> None:
        """Nothing is refused."""

    def ended(self, tx: Tx, run: Run) -> None:
        """Nobody was answered by less."""


UNLIMITED = Unlimited()


def purpose_of(role: Role, run: Run) -> str:
    """What a run is booked to: a conversation nobody asked for is the agency's."""
    unasked = role.purpose == FOREGROUND and run.priority >= Priority.NUDGE
    return UNASKED if unasked else role.purpose
