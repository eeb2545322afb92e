"""What plain functions read and write with: one snapshot, or one transaction of the writer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from memory import errors
from memory.engine import Row, Session

KNOWN = 200  # answers a snapshot remembers, each of so many rows at most
KNOWN_ROWS = 50


class Reader:
    """Reads inside one snapshot."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def one(self, sql: str, **params: Any) -> Row | None:
        """The first row, or None."""
        row: Row | None = self._session.execute(sql, params).fetchone()
        return row

    def all(self, sql: str, **params: Any) -> list[Row]:
        """Every row."""
        return self._session.execute(sql, params).fetchall()

    def each(self, sql: str, **params: Any) -> Iterator[Row]:
        """The rows one by one, for a caller that stops when it has enough."""
        yield from self._session.execute(sql, params)


class Snapshot(Reader):
    """Reads inside one snapshot that soon ends: what was asked once need not be asked again."""

    def __init__(self, session: Session, give_way: Callable[[], bool] | None = None) -> None:
        """Read; `give_way` is called before every statement, until it returns False."""
        super().__init__(session)
        self._give_way = give_way
        self._known: dict[tuple[Any, ...], list[Row]] = {}

    def one(self, sql: str, **params: Any) -> Row | None:
        """See Reader."""
        key = ("one", sql, *params.items())
        if (known := self._known.get(key)) is None:
            self._wait()
            row = super().one(sql, **params)
            known = self._remember(key, [] if row is None else [row])
        return known[0] if known else None

    def all(self, sql: str, **params: Any) -> list[Row]:
        """See Reader."""
        key = ("all", sql, *params.items())
        if (known := self._known.get(key)) is None:
            self._wait()
            known = self._remember(key, super().all(sql, **params))
        return [*known]

    def _wait(self) -> None:
        if self._give_way is not None and not self._give_way():
            self._give_way = None

    def _remember(self, key: tuple[Any, ...], rows: list[Row]) -> list[Row]:
        if len(self._known) < KNOWN and len(rows) <= KNOWN_ROWS:
            self._known[key] = rows
        return rows


class Tx(Reader):
    """One transaction of the writer."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._hooks: list[Callable[[], None]] = []
        self._last: list[Callable[[Tx], None]] = []

    def run(self, sql: str, **params: Any) -> int:
        """Execute a statement; how many rows it changed."""
        return self._session.execute(sql, params).rowcount

    def insert(self, sql: str, **params: Any) -> int:
        """Execute an `INSERT … RETURNING id`; the id."""
        row = self.one(sql, **params)
        if row is None:
            raise errors.StorageBroken("an INSERT … RETURNING id returned no row")
        return int(row[0])

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Take back what is done inside, hooks too, when it raises; what came before stays."""
        hooks, last = len(self._hooks), len(self._last)
        self.run("SAVEPOINT nested")
        try:
            yield
        except BaseException:
            del self._hooks[hooks:], self._last[last:]
            # A full disk has ended the whole transaction already, and must be told as such.
            if self._session.in_transaction:
                self.run("ROLLBACK TO nested")
                self.run("RELEASE nested")
            raise
        self.run("RELEASE nested")

    def on_commit(self, hook: Callable[[], None]) -> None:
        """Call `hook` on the event loop once this is durable; never after a rollback."""
        self._hooks.append(hook)

    def at_end(self, last: "Callable[[Tx], None]") -> None:
        """Write `last(tx)` in this very commit, once, behind all that share it.

        What it raises is logged and takes nothing else back. What it asks for in its turn is
        written next, in a commit of its own.
        """
        self._last.append(last)

    @property
    def last(self) -> "list[Callable[[Tx], None]]":
        """What is to be written behind all that share the commit."""
        return self._last

    @property
    def hooks(self) -> list[Callable[[], None]]:
        """What is to be called once this is durable."""
        return self._hooks

    @property
    def schema(self) -> Session:
        """The connection itself, for whoever changes tables."""
        return self._session
