"""What can go wrong in the bot.

LimenError
├── ConfigError        a setting is wrong; says file, key, value and remedy
├── StoryError         a story's file is wrong; says file, key, value and remedy
├── DataFolderError    the data folder cannot be used
├── ModelError
│   ├── ModelRetry     the same request may work later
│   ├── ModelRefused   this request will never work, or the model declined it
│   │   └── ModelLocked    none works until somebody mends the key or its account
│   └── ContextTooLong the request does not fit the model's window
├── ToolError          told to the model as a failed tool result
├── StaleState         a row was no longer in the state it was moved from
└── LeaseLost          another process does it now
"""


class LimenError(Exception):
    """Something Limen can name went wrong."""


class ConfigError(LimenError):
    """A setting is wrong."""


class StoryError(LimenError):
    """A story's file is wrong."""

    def __init__(self, file: str, key: str, value: object, remedy: str) -> None:
        shown = value if isinstance(value, str) and " " in value else repr(value)
        super().__init__(f"{file}: {key} is {shown}; {remedy}")
        self.file = file
        self.key = key


class DataFolderError(LimenError):
    """The data folder cannot be used."""


class ModelError(LimenError):
    """The model did not answer."""


class ModelRetry(ModelError):
    """The model may answer the same request later."""

    def __init__(self, message: str, *, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after
        """Seconds to wait, where the endpoint named a time."""


class ModelRefused(ModelError):
    """The model will never answer this request."""


class ModelLocked(ModelRefused):
    """The model answers nobody until the key or its account is mended."""


class ContextTooLong(ModelError):
    """The request does not fit the model's window."""


class ToolError(LimenError):
    """A tool could not do what was asked; the text is for the model."""


class StaleState(LimenError):
    """A row had moved on before it could be moved."""

    def __init__(self, what: str, id: int, expected: str) -> None:
        super().__init__(f"{what} {id} was no longer {expected!r}; it was left as it is")
        self.what = what
        self.id = id
        self.expected = expected


class LeaseLost(LimenError):
    """Another process has the lease by now; nothing was written."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the lease {name!r} is no longer this process's")
        self.name = name
