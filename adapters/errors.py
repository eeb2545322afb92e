"""What can go wrong at a chat platform, told in three kinds.

AdapterError
├── Retry      nothing was delivered; try again after `after` seconds
├── Refused    the platform will never take this letter
└── Unknown    the platform may have taken it: reconcile before a second try
"""


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
