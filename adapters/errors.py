"""What can go wrong at a chat platform, told in three kinds.

AdapterError
├── Retry      nothing was delivered; try again after `after` seconds
├── Refused    the platform will never take this letter
└── Unknown    the platform may have taken it: reconcile before a second try
"""

from collections.abc import Iterator
from contextlib import contextmanager


class AdapterError(Exception):
    """A chat platform did not do what was asked."""


class Retry(AdapterError):
    """The platform took nothing and may take it later."""

    def __init__(self, message: str, *, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after
        """Seconds the platform asked us to wait; None where it named no time."""


class Refused(AdapterError):
    """The platform refused for good; trying again cannot help."""


class Unknown(AdapterError):
    """The answer was lost, so the letter may or may not have arrived."""


@contextmanager
def bared() -> Iterator[None]:
    """Let an AdapterError out of task groups without the groups around it.

    Only such errors leave the tasks of a chat by intent, and whoever runs it wants them bare.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        failed, rest = group.split(AdapterError)
        if failed is None or rest is not None:
            raise
        error: BaseException = failed
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from group
