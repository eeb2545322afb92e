"""Plays scenarios through the whole app and measures how well each room is told what it needs.

scenario ─► a house in a temporary folder, on a virtual clock ─► deliveries ─► scores by kind
"""

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.web.rooms import Access, PersonSeed, RoomSeed
from bot.engine import runs
from bot.engine.runs import Run, State
from bot.errors import LimenError
from bot.plays import houses, scenario
from bot.plays.chronicle import MOST, Chronicle, Voice
from bot.plays.scenario import Message, Scenario
from bot.plays.scoring import Delivery, Played, Score, score
from bot.plays.stage import Stage, open_stage
from bot.setup.config import Config
from memory.db import Reader

REST_S = 600.0  # virtual seconds after a wake's messages, so that the agency comes to rest
TAIL_S = 900.0  # after the last ones: the agency reads even what can wait
BOTH = "both"
ZONE = "UTC"
HEAD = ("plays", "recall", "precision", "quiet", "leaks", "twice", "late")

PrintLine = Callable[[str], None]


async def evaluate(
    path: Path | None,
    language: str,
    config: Config,
    *,
    print_line: PrintLine,
    show: bool = False,
    model: str = houses.BUILTIN,
) -> Score:
    """Play the scenarios of a file or folder, or those that ship, and print a table of the scores.

    `show` prints every message of the bot as well, and what was wrong with it. `model` is
    `builtin`, or `configured` for the one of the settings.
    """
    houses.check_model(model)
    languages = scenario.LANGUAGES if language == BOTH else (language,)
    if not set(languages) <= set(scenario.LANGUAGES):
        raise LimenError(f"scenarios are played in en, zh or both, not in {language!r}")
    found = scenario.shipped() if path is None else scenario.load(path)
    plays = scenario.playable(found, languages)
    if not plays:
        raise LimenError(f"{str(path)!r} has no scenario that is written in {language}")
    by_kind: dict[str, Score] = {}
    failures: list[str] = []
    for one, spoken in plays:
        played = await play(one, spoken, config, model=model)
        failures += played.failures
        result = score(played)
        by_kind.setdefault(one.kind, Score()).add(result)
        if show:
            _show(played, result, print_line)
    total = Score()
    for result in by_kind.values():
        total.add(result)
    if failures:  # a model that cannot be reached would look like one that keeps quiet
        print_line(f"runs that came to nothing: {len(failures)}, the last one with: {failures[-1]}")
    for line in table(by_kind, total):
        print_line(line)
    return total


async def play(
    one: Scenario, language: str, config: Config, *, model: str = houses.BUILTIN
) -> Played:
    """One scenario in one language, with settings as they come."""
    with tempfile.TemporaryDirectory(prefix="limen-eval-") as folder:
        house = houses.furnish(config, Path(folder), zone=ZONE, model=model)
        start = one.start.replace(tzinfo=ZoneInfo(ZONE)).astimezone(UTC)
        people, rooms = _seeds(one, language)
        async with open_stage(house, start, people=people, rooms=rooms) as stage:
            return await _Play(one, language, stage).run()


def table(by_kind: dict[str, Score], total: Score) -> list[str]:
    """The scores by kind, and all together."""
    wide = max(len(kind) for kind in [*by_kind, "all"]) + 2
    head = " " * wide + "".join(f"{word:>11}" for word in HEAD)
    rows = [_row(kind, result, wide) for kind, result in by_kind.items()]
    return [head, *rows, _row("all", total, wide)]


def _row(name: str, result: Score, wide: int) -> str:
    cells = (
        str(result.plays),
        _share(result.met, result.expected),
        _share(result.right, result.unasked),
        _share(result.kept, result.silent),
        str(result.leaks),
        str(result.duplicates),
        f"{result.late / result.met:.1f}" if result.met else "–",
    )
    return f"{name:<{wide}}" + "".join(f"{cell:>11}" for cell in cells)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


def _seeds(one: Scenario, language: str) -> tuple[list[PersonSeed], list[RoomSeed]]:
    people = [PersonSeed(id=id, name=name[language]) for id, name in one.people.items()]
    rooms = [
        RoomSeed(
            id=chat.id,
            title=chat.title[language],
            access=Access.PRIVATE if chat.private else Access.OPEN,
            members=chat.members,
        )
        for chat in one.chats.values()
        if not chat.direct
    ]
    return people, rooms


class _Play:
    """One scenario on its stage."""

    def __init__(self, one: Scenario, language: str, stage: Stage) -> None:
        self._scenario = one
        self._language = language
        self._stage = stage
        self._chronicle = Chronicle(stage.house.db, stage.clock)
        self._posts: dict[str, str] = {}
        self._said_at: dict[str, datetime] = {}
        self._chats = {id: id for id in one.chats}

    async def run(self) -> Played:
        """Let all be said, wake by wake, and look at what the bot made of it."""
        rooms = self._stage.house.rooms
        for chat in (c for c in self._scenario.chats.values() if c.direct):
            self._chats[chat.id] = (await rooms.direct(chat.members[0])).id
        wake = 1
        for message in sorted(self._scenario.messages, key=lambda m: m.wake):
            while wake < message.wake:
                await self._stage.wait(REST_S)
                wake += 1
            await self._stage.wait(message.after.total_seconds())
            await self._say(message)
        await self._stage.wait(REST_S + TAIL_S)
        await self._chronicle.look()
        return Played(
            scenario=self._scenario,
            language=self._language,
            deliveries=tuple(self._deliveries()),
            said_at=self._said_at,
            wakes=tuple(await self._stage.house.db.read(_wakes)),
            failures=tuple(await self._stage.house.db.read(_failures)),
        )

    async def _say(self, message: Message) -> None:
        rooms = self._stage.house.rooms
        words = message.text.get(self._language, "")
        if message.recalls:
            post = await rooms.delete(message.sender, self._posts[message.recalls])
        elif message.edits:
            post = await rooms.edit(message.sender, self._posts[message.edits], words)
        else:
            chat = self._chats[message.chat]
            quoted = self._posts.get(message.reply_to)
            post = await rooms.say(message.sender, chat, words, reply_to=quoted)
        self._posts[message.id] = post.id
        self._said_at[message.id] = self._stage.clock()

    def _deliveries(self) -> list[Delivery]:
        chats = {room: chat for chat, room in self._chats.items()}
        messages = {post: id for id, post in self._posts.items()}
        return [
            Delivery(
                chat=chats.get(one.room, ""),
                text=one.text,
                at=one.at,
                voice=one.voice,
                rests_on=frozenset(messages[post] for post in one.rests_on if post in messages),
            )
            for one in self._chronicle.spoken
        ]


def _wakes(reader: Reader) -> list[datetime]:
    found: list[Run] = runs.latest(reader, limit=MOST, role="agency")
    return [run.started_at or run.created_at for run in found]


def _failures(reader: Reader) -> list[str]:
    found = runs.latest(reader, limit=MOST)
    return [one.error for one in reversed(found) if one.error and one.state is not State.SUCCEEDED]


def _show(played: Played, result: Score, print_line: PrintLine) -> None:
    sign = "✗" if result.faults else "✓"
    print_line(f"{sign} {played.scenario.id}.{played.language}  {played.scenario.kind}")
    marks = {Voice.UNASKED: "→", Voice.QUESTION: "?", Voice.ANSWER: "·"}
    for one in played.deliveries:
        print_line(f"    {marks[one.voice]} {one.chat}: {one.text}")
    for fault in result.faults:
        print_line(f"    ✗ {fault}")
