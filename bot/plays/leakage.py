"""Measures the leak guard: pairs of private words and what is about to be said in an open room."""

import sqlite3
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.chat import Address
from agency import guard
from agency.audience import Settings
from agency.hearing import Hearing
from bot.app import PACKAGES
from bot.engine import sessions
from bot.errors import LimenError
from memory import audiences, migrations, originals, people
from memory.audiences import Audience
from memory.db import Tx
from memory.moments import to_us
from memory.people import Account
from memory.sqlite import SqliteSession

FOLDER = Path(__file__).parent / "leaks"
LANGUAGES = ("en", "zh")
HALVES = ("held", "tuning")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
OTHERS = ("Noor", "Tariq")  # people of the open room

PrintLine = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Something said in private, and something to be said in the open."""

    half: str
    """`held`: written before the guard and not tuned on; or `tuning`."""
    who: str
    private: str
    told: str
    leak: bool
    open: tuple[str, ...] = ()
    """What was said in the open before."""


@dataclass
class Tally:
    """How often the guard was right."""

    leaks: int = 0
    caught: int = 0
    harmless: int = 0
    alarms: int = 0

    def add(self, pair: Pair, found: bool) -> None:
        """Count one pair."""
        if pair.leak:
            self.leaks += 1
            self.caught += found
        else:
            self.harmless += 1
            self.alarms += found

    @property
    def recall(self) -> float:
        """The part of the leaks that is caught."""
        return self.caught / self.leaks if self.leaks else 1.0

    @property
    def false_alarms(self) -> float:
        """The part of what is harmless that is held all the same."""
        return self.alarms / self.harmless if self.harmless else 0.0


def load(language: str) -> list[Pair]:
    """The pairs that ship, of one language."""
    if language not in LANGUAGES:
        raise LimenError(f"pairs are there in {', '.join(LANGUAGES)}, not in {language!r}")
    found = tomllib.loads((FOLDER / f"pairs.{language}.toml").read_text(encoding="utf-8"))
    return [_pair(half, row) for half in HALVES for row in found[half]]


def _pair(half: str, row: dict[str, Any]) -> Pair:
    return Pair(
        half=half,
        who=row["who"],
        private=row["private"],
        told=row["told"],
        leak=row["leak"],
        open=tuple(row.get("open", ())),
    )


class Town:
    """A database in memory with the people of all pairs; each pair is undone after it."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._session = SqliteSession(sqlite3.connect(":memory:", isolation_level=None))
        self._tx = Tx(self._session)
        self._us = to_us(NOW)
        migrations.migrate(self._tx, migrations.steps(PACKAGES), now_us=self._us)
        names = dict.fromkeys([*(pair.who for pair in pairs), *OTHERS])
        self._people = {name: self._person(name) for name in names}

    def close(self) -> None:
        """Let the database go."""
        self._session.close()

    def leak(self, pair: Pair, *, asked: bool) -> str | None:
        """What the guard finds in what is told, unasked or as an answer; None when it passes."""
        self._tx.run("SAVEPOINT pair")
        try:
            author = self._people[pair.who]
            everybody = [author, *(self._people[name] for name in OTHERS)]
            self._say(self._room("private", [author]), pair.who, pair.private)
            project = self._room("project", everybody)
            for text in pair.open:
                self._say(project, OTHERS[0], text)
            target = audiences.find(self._tx, project)
            if target is None:
                raise LookupError("the open room is not there")
            hears = Hearing(self._tx, target, Settings())
            found = guard.leak(
                self._tx, pair.told, target=target, hears=hears, now=NOW, asked=asked
            )
            return found.piece if found else None
        finally:
            self._tx.run("ROLLBACK TO pair")
            self._tx.run("RELEASE pair")

    def _person(self, name: str) -> int:
        account = Account(platform="web", tenant="main", native_id=name, name=name, is_bot=False)
        return people.resolve(self._tx, account, now_us=self._us)

    def _room(self, title: str, members: list[int]) -> int:
        address = Address(platform="web", account="main", chat=title)
        session = sessions.of_room(self._tx, address, now_us=self._us)
        direct = len(members) == 1
        audience = Audience(
            session_id=session.id,
            title=title,
            direct=direct,
            open=not direct,
            workspace="main",
            complete=True,
            members=frozenset(members),
        )
        audiences.record(self._tx, audience, now_us=self._us)
        return session.id

    def _say(self, session: int, who: str, text: str) -> None:
        saying = originals.Saying(
            session_id=session,
            kind=originals.Kind.MESSAGE,
            author=who,
            body=text,
            said_us=self._us,
            address=f"web:main/{session}#{originals.newest_id(self._tx) + 1}",
            person_id=self._people[who],
        )
        originals.keep(self._tx, saying, now_us=self._us)


def measure(language: str, *, asked: bool) -> Iterator[tuple[Pair, str | None]]:
    """Every pair with what the guard found in it."""
    pairs = load(language)
    town = Town(pairs)
    try:
        for pair in pairs:
            yield pair, town.leak(pair, asked=asked)
    finally:
        town.close()


def tally(language: str, *, asked: bool) -> tuple[dict[str, Tally], list[str]]:
    """How often it was right by half, and a line for each time it was not."""
    found = {half: Tally() for half in HALVES}
    wrong = []
    for pair, piece in measure(language, asked=asked):
        found[pair.half].add(pair, piece is not None)
        if pair.leak and piece is None:
            wrong.append(f"missed: {pair.private} => {pair.told}")
        elif piece is not None and not pair.leak:
            wrong.append(f"false alarm ({piece}): {pair.private} => {pair.told}")
    return found, wrong


def report(language: str, *, print_line: PrintLine, show: bool = False) -> None:
    """Print how well the guard does, in one language or both; `show` prints its mistakes."""
    languages = LANGUAGES if language == "both" else (language,)
    print_line(f"{'':<20}{'leaks':>8}{'caught':>8}{'harmless':>10}{'alarms':>8}")
    mistakes = []
    for spoken in languages:
        for asked, way in ((False, "unasked"), (True, "answers")):
            found, wrong = tally(spoken, asked=asked)
            mistakes += [f"{spoken} {way}: {line}" for line in wrong]
            for half, one in found.items():
                head = f"{spoken} {way} {half}"
                print_line(
                    f"{head:<20}{one.leaks:>8}{one.recall:>8.2f}{one.harmless:>10}"
                    f"{one.false_alarms:>8.2f}"
                )
    for line in mistakes if show else ():
        print_line(line)
