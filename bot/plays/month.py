"""A month of a team, simulated: how much Limen says to whom, when, and whether it was welcome.

script ─► a house on a virtual clock ─► what was said unasked ─► Account
"""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from agency import policy
from bot.engine import traces
from bot.errors import LimenError
from bot.plays import scenario
from bot.plays.chronicle import Chronicle, Spoken, Voice
from bot.plays.evaluation import BOTH, PrintLine
from bot.plays.month_script import Due, Script, load
from bot.plays.scoring import Delivery, repeated
from bot.plays.stage import Stage, open_stage
from bot.setup import durations
from bot.setup.config import Config
from bot.setup.settings import Bot, Model, Speaking, Web
from memory.db import Reader

WORKING_DAYS = 22
LOOK_S = 3600.0  # virtual seconds between two looks at what was said
NEAR = timedelta(hours=12)  # how far from its minute a reminder is still looked for
ON_TIME = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Something the bot said unasked, and who read it."""

    spoken: Spoken
    readers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a month came to."""

    script: Script
    heard: tuple[Heard, ...]
    """Everything said unasked but the reminders people had set."""
    questions: int
    """Consents asked for."""
    twice: tuple[str, ...]
    settled: tuple[str, ...]
    """What was said of a matter that was over."""
    woken: tuple[str, ...]
    """What was said in a chat all of whose people were in their quiet hours."""
    groundless: tuple[str, ...]
    """What leads back to no original."""
    late: tuple[tuple[Due, timedelta | None], ...]
    """Every reminder with how late it came; None when it never did."""
    tokens: dict[str, int]
    """By purpose, over the whole month."""

    @property
    def days(self) -> int:
        """Working days."""
        return len({line.at.astimezone(self.script.zone).date() for line in self.script.lines})


async def simulate(
    language: str,
    config: Config,
    *,
    print_line: PrintLine,
    days: int = WORKING_DAYS,
    show: bool = False,
) -> list[Account]:
    """Live through the working days of a month with the built-in model, and print the account.

    `language` is `en`, `zh` or `both`, one after the other; `show` prints what was said as well.
    """
    languages = scenario.LANGUAGES if language == BOTH else (language,)
    if not set(languages) <= set(scenario.LANGUAGES):
        raise LimenError(f"a month is lived in en, zh or both, not in {language!r}")
    return [await _simulate(one, config, print_line, days, show) for one in languages]


async def _simulate(
    language: str, config: Config, print_line: PrintLine, days: int, show: bool
) -> Account:
    script = load(language, days=days)
    with tempfile.TemporaryDirectory(prefix="limen-month-") as folder:
        house = Config(
            bot=Bot(name=config.bot.name, timezone=script.zone.key, data_dir=Path(folder)),
            model=Model(provider="builtin"),
            web=Web(port=0),
            speaking=Speaking(quiet_hours=durations.parse_hours(script.quiet_hours)),
        )
        async with open_stage(
            house, script.start, people=script.people, rooms=script.rooms
        ) as stage:
            account = await _live(script, stage)
    for line in [*report(account), *(_shown(account) if show else ())]:
        print_line(line)
    return account


async def _live(script: Script, stage: Stage) -> Account:
    chronicle = Chronicle(stage.house.db, stage.clock)
    matters: dict[str, str] = {}
    over: dict[str, datetime] = {}
    for line in script.lines:
        await _until(stage, chronicle, line.at)
        post = await stage.say(line.who, line.room, line.text)
        if line.matter:
            matters[post.id] = line.matter
        if line.settles:
            over[line.matter] = line.at
    await _until(stage, chronicle, script.end)
    tokens = await stage.house.db.read(_tokens)
    return _account(script, chronicle.spoken, matters, over, tokens)


async def _until(stage: Stage, chronicle: Chronicle, moment: datetime) -> None:
    while (left := (moment - stage.clock()).total_seconds()) > 0:
        await stage.wait(min(left, LOOK_S))
        await chronicle.look()


def _account(
    script: Script,
    spoken: Sequence[Spoken],
    matters: dict[str, str],
    over: dict[str, datetime],
    tokens: dict[str, int],
) -> Account:
    unasked = [one for one in spoken if one.voice is Voice.UNASKED]
    reminders = {due: _reminder(due, unasked) for due in script.due}
    timed = {id(one) for one in reminders.values() if one is not None}
    rest = [one for one in unasked if id(one) not in timed]
    return Account(
        script=script,
        heard=tuple(Heard(spoken=one, readers=_readers(script, one.room)) for one in rest),
        questions=sum(one.voice is Voice.QUESTION for one in spoken),
        twice=tuple(
            text
            for about in sorted({_about(one, matters) for one in rest})
            for text in repeated([_delivery(one) for one in rest if _about(one, matters) == about])
        ),
        settled=tuple(one.text for one in rest if _too_late(one, matters, over)),
        woken=tuple(_woken(script, spoken, timed)),
        groundless=tuple(one.text for one in unasked if not one.rests_on),
        late=tuple((due, one.at - due.at if one else None) for due, one in reminders.items()),
        tokens=tokens,
    )


def _reminder(due: Due, unasked: Sequence[Spoken]) -> Spoken | None:
    own = (one for one in unasked if one.room == _direct(due.who) and due.says in one.text)
    near = [one for one in own if abs(one.at - due.at) < NEAR]
    return min(near, key=lambda one: abs(one.at - due.at), default=None)


def _delivery(one: Spoken) -> Delivery:
    return Delivery(chat=one.room, text=one.text, at=one.at, voice=one.voice, rests_on=one.rests_on)


def _about(one: Spoken, matters: dict[str, str]) -> tuple[str, ...]:
    """The matters it tells of: two of one kind are worded alike and are not the same."""
    return tuple(sorted({matters[post] for post in one.rests_on if post in matters}))


def _too_late(one: Spoken, matters: dict[str, str], over: dict[str, datetime]) -> bool:
    """Whether all that it tells of was over."""
    told = {matters[post] for post in one.rests_on if post in matters}
    return bool(told) and all(matter in over and over[matter] < one.at for matter in told)


def _woken(script: Script, spoken: Sequence[Spoken], timed: set[int]) -> Iterator[str]:
    """What was said where everybody slept, unless somebody had asked for that very minute."""
    hours = durations.parse_hours(script.quiet_hours)
    for one in spoken:
        readers = _readers(script, one.room)
        if not readers or one.voice is Voice.ANSWER or id(one) in timed:
            continue
        asleep = (policy.Settings(zone=script.zones[who], quiet=hours) for who in readers)
        if all(policy.after_quiet(one.at, settings) > one.at for settings in asleep):
            yield f"{one.room}: {one.text}"


def _readers(script: Script, room: str) -> tuple[str, ...]:
    members = {one.id: one.members for one in script.rooms}
    members |= {_direct(person): (person,) for person in script.zones}
    return members.get(room, ())


def _direct(person: str) -> str:
    return f"dm-{person}"


def _tokens(reader: Reader) -> dict[str, int]:
    total: Counter[str] = Counter()
    for row in traces.spent(reader, days=10_000):
        total[row["purpose"]] += row["input_tokens"] + row["output_tokens"]
    return dict(total)


def report(account: Account) -> list[str]:
    """The account as lines of a table."""
    lines = len(account.script.lines)
    head = (
        f"{account.days} working days, {len(account.script.people)} people, {lines} messages: "
        f"Limen spoke unasked {len(account.heard)} times and asked for consent {account.questions}"
    )
    return [head, "", *_by_person(account), "", *_sums(account)]


def _shown(account: Account) -> Iterator[str]:
    for one in account.heard:
        at = one.spoken.at.astimezone(account.script.zone)
        yield f"{at:%a %d %b %H:%M}  {one.spoken.room}: {one.spoken.text}"
    for name in ("twice", "settled", "woken", "groundless"):
        yield from (f"{name}: {text}" for text in getattr(account, name))
    yield from (f"late by {late}: {due.who}, {due.says}, {due.at}" for due, late in account.late)


def _by_person(account: Account) -> Iterator[str]:
    yield f"{'':<12}{'a day':>8}{'most':>6}   hours, in their own zone"
    for person, zone in account.script.zones.items():
        read = [one.spoken.at.astimezone(zone) for one in account.heard if person in one.readers]
        days = Counter(at.date() for at in read)
        by_hour = sorted(Counter(at.hour for at in read).items())
        hours = ", ".join(f"{hour}h × {n}" for hour, n in by_hour)
        most = max(days.values(), default=0)
        yield f"{person:<12}{len(read) / account.days:>8.2f}{most:>6}   {hours}"


def _sums(account: Account) -> Iterator[str]:
    on_time = sum(late is not None and abs(late) <= ON_TIME for _, late in account.late)
    yield f"said twice               {len(account.twice)}"
    yield f"said after it was over   {len(account.settled)}"
    yield f"people woken             {len(account.woken)}"
    yield f"without a source         {len(account.groundless)}"
    yield f"reminders on the minute  {on_time} of {len(account.late)}"
    spent = ", ".join(f"{name} {n // account.days:,}" for name, n in sorted(account.tokens.items()))
    yield f"tokens a working day     {sum(account.tokens.values()) // account.days:,} ({spent})"
