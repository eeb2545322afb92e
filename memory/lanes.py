"""Two lanes before the database: what somebody waits for goes first, and nothing waits for ever.

pressing ─► at once, before all else
ordinary ─► behind it; while something pressing is under way it stands still, but not for long
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")

PATIENCE_S = 0.02  # seconds that a piece of work stands still at the most
HOLD_S = 0.005  # seconds that a commit of ordinary writes waits for what presses, at the most
_MARK = "pressing"


def pressing(fn: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A function of a reader or a transaction that goes before those that are not pressing.

    Functions of one lane are begun in the order they came, but one that presses may overtake
    others: what was written without waiting for it may not be there yet.
    """

    @wraps(fn)
    def pressed(subject: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return fn(subject, *args, **kwargs)

    setattr(pressed, _MARK, True)
    return pressed


def presses(fn: Callable[..., object]) -> bool:
    """Whether a function is marked as pressing, or wraps one that is."""
    return getattr(fn, _MARK, False)


class Way:
    """Counts what presses and is not done yet; the rest gives way to it."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self.moved = threading.Condition()
        self.taken = 0
        """How much that presses is under way."""

    def enter(self) -> None:
        """Something pressing begins."""
        with self.moved:
            self.taken += 1

    def leave(self) -> None:
        """It is done."""
        with self.moved:
            self.taken -= 1
            if not self.taken:
                self.moved.notify_all()

    def give(self) -> bool:
        """Stand still, in a thread, while something presses; False if that takes too long."""
        if not self.taken:
            return True  # most often, so without the lock
        with self.moved:
            return self.moved.wait_for(lambda: not self.taken, self._patience_s)


class Lanes(Generic[T]):
    """A queue of two lanes, emptied by one thread."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._moved = way.moved
        self._pressing: deque[T] = deque()
        self._ordinary: deque[T] = deque()
        self._closed = False

    def put(self, item: T, *, pressing: bool = False) -> None:
        """Add one at the end of its lane."""
        with self._moved:
            (self._pressing if pressing else self._ordinary).append(item)
            self._moved.notify_all()

    def put_back(self, items: list[T]) -> None:
        """Let ordinary ones be the next of their lane again."""
        with self._moved:
            self._ordinary.extendleft(reversed(items))

    def close(self) -> None:
        """Nothing more comes: what is left is taken, then nothing."""
        with self._moved:
            self._closed = True
            self._moved.notify_all()

    @property
    def hurry(self) -> bool:
        """Whether something pressing waits here."""
        return bool(self._pressing)

    def take(self, limit: int) -> list[T]:
        """Wait for something; what presses comes first. Empty once it is closed and empty."""
        with self._moved:
            self._moved.wait_for(lambda: self._pressing or self._ordinary or self._closed)
            self._moved.wait_for(
                lambda: self._pressing or self._closed or not self._way.taken, HOLD_S
            )
            return [*self._next(limit)]

    def _next(self, limit: int) -> Iterator[T]:
        for lane in (self._pressing, self._ordinary):
            while lane and limit:
                limit -= 1
                yield lane.popleft()
