"""Five days of one team under five set-ups: what being told costs, and what it is worth.

by hand ─► on a schedule ─► + a watching agency ─► + grades and a quota ─► everything on
"""

import re
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

from adapters.web.rooms import Access, PersonSeed, RoomSeed
from bot.engine import inputs, letters, traces
from bot.engine.inputs import Trigger
from bot.engine.letters import Letter
from bot.errors import LimenError
from bot.plays import scenario
from bot.plays.evaluation import BOTH, PrintLine
from bot.plays.stage import DIRECT, Stage, open_stage
from bot.setup import durations
from bot.setup.config import Config
from bot.setup.settings import Agency, Bot, Duties, Model, Speaking, Web
from memory.db import Reader

FILE = Path(__file__).parent / "months" / "five-days.toml"
MONDAY = datetime(2025, 3, 3, tzinfo=UTC)
DAYS = 5
LETTERS = 500  # looked through; five days come nowhere near
ASKER = "bo"
_ASKS = time(16, 0)
_AROUND_S = 1200.0  # seconds lived through after and before what is said


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The five days in one language."""

    lines: tuple[dict[str, Any], ...]
    """Working day, time, who, room and words, in order."""
    facts: tuple[str, ...]
    """A pattern for each increment: what the team has to hear of in five days."""
    worth: str
    """The pattern of the one that is worth an interruption."""
    asks: str
    orders: str
    """The same, once and for every day."""


def load(language: str) -> Script:
    """The script in a language."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))[language]
    return Script(**data | {"lines": tuple(data["lines"]), "facts": tuple(data["facts"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """One way to run the house."""

    name: str
    agency: bool
    speaking: Speaking
    duties: Duties
    asks: bool = False
    """Somebody asks by hand, every day."""
    orders: bool = False
    """Somebody ordered it once for every day."""


def _set_ups() -> tuple[SetUp, ...]:
    off = Duties(relay=False, waits=False, intentions=False, digest=False)
    bare = Duties(digest=False)
    open_mouth = Speaking(daily_quota=1000, person_quota=1000)
    graded = Speaking(minor="digest", daily_quota=1)
    full = Speaking(minor="digest", daily_quota=1, quiet_hours=durations.parse_hours("22:00-08:00"))
    return (
        SetUp(name="by hand", agency=False, speaking=open_mouth, duties=off, asks=True),
        SetUp(name="schedule only", agency=False, speaking=open_mouth, duties=off, orders=True),
        SetUp(name="+ watcher", agency=True, speaking=open_mouth, duties=bare),
        SetUp(name="+ judge, quota", agency=True, speaking=graded, duties=bare),
        SetUp(name="all on", agency=True, speaking=full, duties=Duties()),
    )


@dataclass(slots=True, kw_only=True)
class Tally:
    """What five days came to under one set-up."""

    name: str
    heard: int = 0
    """Increments that reached the team at all."""
    facts: int = 0
    unasked: int = 0
    """Messages at once that nobody had asked for at that moment."""
    worth: int = 0
    """Those of them worth an interruption."""
    digests: int = 0
    asked: int = 0
    """Times somebody had to ask."""
    tokens: int = 0
    """As the built-in model counts them: what a paid one would have read and written."""
    said: list[str] = field(default_factory=list)


async def compare(
    language: str,
    config: Config,
    *,
    print_line: PrintLine,
    show: bool = False,
    names: Sequence[str] = (),
) -> list[Tally]:
    """Live through the five days under each set-up with the built-in model, and print a table.

    `names`: only these set-ups.
    """
    languages = scenario.LANGUAGES if language == BOTH else (language,)
    if not set(languages) <= set(scenario.LANGUAGES):
        raise LimenError(f"the days are lived in en, zh or both, not in {language!r}")
    found: list[Tally] = []
    for one in languages:
        print_line(f"{one}: {_row(HEAD)}")
        for set_up in (u for u in _set_ups() if not names or u.name in names):
            tally = await _live(set_up, load(one), config)
            found.append(tally)
            print_line(f"    {_row(_cells(tally))}")
            for line in tally.said if show else ():
                print_line(f"        {line}")
    return found


HEAD = ("", "heard", "at once", "precision", "digests", "asked", "tokens")


def _cells(tally: Tally) -> tuple[str, ...]:
    share = f"{tally.worth / tally.unasked:.2f}" if tally.unasked else "–"
    return (
        tally.name,
        f"{tally.heard}/{tally.facts}",
        str(tally.unasked),
        share,
        str(tally.digests),
        str(tally.asked),
        f"{tally.tokens:,}",
    )


def _row(cells: Sequence[str]) -> str:
    return f"{cells[0]:<16}" + "".join(f"{cell:>11}" for cell in cells[1:])


async def _live(set_up: SetUp, script: Script, config: Config) -> Tally:
    with tempfile.TemporaryDirectory(prefix="limen-days-") as folder:
        house = Config(
            bot=Bot(name=config.bot.name, timezone="UTC", data_dir=Path(folder)),
            model=Model(provider="builtin"),
            web=Web(port=0),
            agency=Agency(enabled=set_up.agency, memory=set_up.agency),
            speaking=set_up.speaking,
            duties=set_up.duties,
        )
        people = [PersonSeed(id=id, name=id.title()) for id in ("ana", "bo", "wei", "kai", "lin")]
        rooms = [
            RoomSeed(id=id, title=id, access=Access.OPEN, members=members)
            for id, members in (("project", ("ana", "bo", "wei")), ("partners", ("kai", "lin")))
        ]
        start = MONDAY + timedelta(hours=8)
        async with open_stage(house, start, people=people, rooms=rooms) as stage:
            asked = await _days(stage, set_up, script)
            said, tokens = await stage.house.db.read(_outcome)
    return _tally(set_up, script, said, asked, tokens)


async def _days(stage: Stage, set_up: SetUp, script: Script) -> int:
    """Live through them; how often somebody asked."""
    for person in ("ana", "bo", "wei"):
        await stage.say(person, DIRECT, "help")  # so that everybody can be written to
    if set_up.orders:
        await stage.say(ASKER, DIRECT, script.orders)
    asked = 0
    for day in range(DAYS):
        for line in (one for one in script.lines if one["day"] == day):
            await _until(stage, _on(day, line["at"]))
            await stage.say(line["who"], line["room"], line["text"])
        await _until(stage, _on(day, _ASKS))
        if set_up.asks:
            await stage.say(ASKER, DIRECT, script.asks)
            asked += 1
    await _until(stage, _on(DAYS, time(12, 0)))
    return asked


async def _until(stage: Stage, moment: datetime) -> None:
    """Let time pass; long idle stretches are jumped over, and what was due in them comes late."""
    left = (moment - stage.clock()).total_seconds()
    if left > 3 * _AROUND_S:
        await stage.wait(_AROUND_S)
        stage.clock.skip(timedelta(seconds=left - 2 * _AROUND_S))
    await stage.wait(max(0.0, (moment - stage.clock()).total_seconds()))


def _on(day: int, at: time) -> datetime:
    return datetime.combine(MONDAY.date() + timedelta(days=day), at, UTC)


def _outcome(reader: Reader) -> tuple[list[tuple[Letter, bool]], int]:
    """What was said in order, each with whether a schedule had it said, and the tokens."""
    found = [
        (letter, _scheduled(reader, letter))
        for letter in reversed(letters.latest(reader, limit=LETTERS))
        if letter.state is letters.State.SENT
    ]
    tokens = sum(r["input_tokens"] + r["output_tokens"] for r in traces.spent(reader, days=100))
    return found, tokens


def _scheduled(reader: Reader, letter: Letter) -> bool:
    if letter.run_id is None:
        return False
    triggers = {one.trigger for one in inputs.of_run(reader, letter.run_id)}
    return Trigger.SCHEDULE in triggers


def _tally(
    set_up: SetUp,
    script: Script,
    said: Sequence[tuple[Letter, bool]],
    asked: int,
    tokens: int,
) -> Tally:
    tally = Tally(name=set_up.name, facts=len(script.facts), asked=asked, tokens=tokens)
    heard: set[str] = set()
    for letter, scheduled in said:
        if letter.key.startswith("order:"):
            continue
        tally.said.append(f"{letter.created_at:%a %H:%M} {letter.address.chat}: {letter.body}")
        heard |= set(_facts(script, letter.body))
        if letter.key.startswith("digest:"):
            tally.digests += 1
        elif letter.proactive or scheduled:
            tally.unasked += 1
            tally.worth += bool(re.search(script.worth, letter.body)) and not scheduled
    tally.heard = len(heard)
    return tally


def _facts(script: Script, text: str) -> Iterator[str]:
    return (fact for fact in script.facts if re.search(fact, text))
