"""What a database engine offers: sessions that run one SQL text, whatever the engine.

Database ──► Engine.writer() · Engine.reader() ──► Session.execute(sql, params)
                                        sqlite.py          postgres.py
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol


def whole(text: str) -> str:
    """The same text with each half of a sign, which no database stores, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Row(Protocol):
    """A row: a value by the name of its column or by its place."""

    def __getitem__(self, key: str | int, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def keys(self) -> list[str]: ...


class Cursor(Protocol):
    """What a statement came to."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Statement(str):
    """One SQL text for both engines, with a second one beside it where they must differ."""

    __slots__ = ("postgres",)
    postgres: str

    def __new__(cls, text: str, postgres: str = "") -> "Statement":
        made = super().__new__(cls, text)
        made.postgres = postgres or text
        return made


class Session(ABC):
    """One connection; used by one thread at a time."""

    doubt: str | None = None
    """The transaction whose commit was never answered, in the engine's words."""

    @abstractmethod
    def execute(self, sql: str, params: Mapping[str, Any]) -> Cursor:
        """Run one statement with `:name` parameters."""

    @abstractmethod
    def define(self, sql: str) -> None:
        """Run one statement of a schema, written in SQLite's words."""

    @abstractmethod
    def begin(self) -> None:
        """Begin a transaction: a writer's once nobody else writes, a reader's on one snapshot."""

    @abstractmethod
    def commit(self) -> None:
        """Make a transaction durable; raises nothing once it is."""

    @abstractmethod
    def roll_back(self) -> None:
        """End a transaction without a trace; does nothing outside of one, and raises nothing."""

    @property
    @abstractmethod
    def in_transaction(self) -> bool:
        """Whether a transaction goes on; false once a failure has ended it."""

    @abstractmethod
    def prepare(self) -> None:
        """Bring what statements lean on beside tables; inside a transaction, again harmless."""

    @abstractmethod
    def tables(self) -> dict[str, list[str]]:
        """Every table with its columns, in the order they were made; without full-text indexes."""

    @abstractmethod
    def resequence(self) -> None:
        """Let ids that come go on after the highest there are, once rows came with ids."""

    @abstractmethod
    def take_stock(self) -> None:
        """Count what there is for those who plan statements, once rows came by the thousand."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection; again harmless."""


class Channel(ABC):
    """Words between the processes of one database."""

    @abstractmethod
    def announce(self, word: str) -> None:
        """Let the other processes hear a word soon; the same word said again meanwhile is one."""

    @abstractmethod
    def close(self) -> None:
        """Say and hear no more."""


class Engine(ABC):
    """A kind of database, and where this one is."""

    where: str
    """For messages: a path or an address, without a password."""

    @abstractmethod
    def writer(self) -> Session:
        """Connect for writing; StorageError when that cannot be."""

    @abstractmethod
    def reader(self) -> Session:
        """Connect for reading."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Session]:
        """A reader's session of a database that others may be using, in one transaction."""

    @abstractmethod
    def channel(self, hear: Callable[[str], None]) -> Channel | None:
        """Hear what other processes announce, on a thread of its own; None without others."""

    @abstractmethod
    def named(self, error: BaseException) -> BaseException:
        """An engine's error as one of ours; any other as it is."""

    @abstractmethod
    def committed(self, doubt: str) -> bool:
        """Whether a transaction in doubt was kept; raises what passes while nobody can tell."""

    @abstractmethod
    def passes(self, error: BaseException) -> bool:
        """Whether the same may well succeed on a new connection, or once others are done."""

    @abstractmethod
    def ends_all(self, error: BaseException) -> bool:
        """Whether an error of one write has ended the transaction it shares with others."""
