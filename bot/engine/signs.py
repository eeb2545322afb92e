"""What people see of a run that goes on: the shape of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from bot.engine.inputs import Input
from bot.engine.runs import Run


class Signs(ABC):
    """Told what a run is at, so that those who wait for it can be shown.

    Law: it returns at once and raises nothing, since no run may wait for a courtesy or fail of it.
    """

    @abstractmethod
    def answering(self, run: Run, given: Sequence[Input]) -> None:
        """A run begins, or was given more on its way."""

    @abstractmethod
    def using(self, run: Run, tools: Sequence[str]) -> None:
        """It has made a step and uses these tools now."""

    @abstractmethod
    def ended(self, run: Run) -> None:
        """It goes on no more, however it ended."""
