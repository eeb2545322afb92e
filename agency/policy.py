"""The speaking policy: whether now is the moment to interrupt a room."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import StrEnum

PAUSE = "pause"
"""The gate of a chat that asked for silence."""


class Grade(StrEnum):
    """How much a piece of news matters to the room it goes to."""

    MAJOR = "major"
    """It changes what they are doing."""
    MINOR = "minor"
    """Good to know."""
    NONE = "none"
    """Nothing to interrupt anybody for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the operator wants Limen to speak up."""

    enabled: bool = True
    zone: tzinfo = UTC
    quiet: tuple[time, time] | None = None
    """From and to, local; may wrap past midnight."""
    daily_quota: int = 5
    """Proactive messages a chat is given in a day of its zone."""
    cooldown: timedelta = timedelta(0)
    """The least time between two proactive messages to a chat; major news does not wait for it."""
    paused_until: datetime | None = None
    """Until when this very chat asked for silence; see `agency.preferences`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one gate of the policy says: go on, later (`not_before` set), or never."""

    gate: str
    go: bool = True
    reason: str = ""
    not_before: datetime | None = None


def decide(
    grade: Grade, *, today: int, last: datetime | None, now: datetime, settings: Settings
) -> list[Answer]:
    """Judge a handoff that may be told to its room: every gate's answer up to the first no.

    `today` counts what the room was told unasked since its midnight; `last` is when it last was.
    """
    answers: list[Answer] = []
    for answer in _gates(grade, today, last, now, settings):
        answers.append(answer)
        if not answer.go:
            break
    return answers


def _gates(
    grade: Grade, today: int, last: datetime | None, now: datetime, settings: Settings
) -> Iterator[Answer]:
    yield Answer(gate="policy", go=settings.enabled, reason="speaking up is switched off")
    idle = grade is Grade.NONE
    yield Answer(gate="grade", go=not idle, reason="graded as nothing to interrupt for")
    if settings.paused_until is not None:
        over = after_quiet(settings.paused_until, settings)
        yield Answer(
            gate=PAUSE,
            go=settings.paused_until <= now,
            reason="this chat asked for a pause",
            not_before=over,
        )
    yield Answer(
        gate="quota",
        go=today < settings.daily_quota,
        reason=f"this chat had its {settings.daily_quota} for today",
        not_before=after_quiet(_midnight(now, settings), settings),
    )
    ready = last + settings.cooldown if last is not None and grade is not Grade.MAJOR else now
    yield Answer(
        gate="cool-down",
        go=ready <= now,
        reason="this chat was told something a moment ago",
        not_before=ready,
    )
    wake = after_quiet(now, settings)
    yield Answer(gate="quiet hours", go=wake <= now, reason="quiet hours", not_before=wake)


def after_quiet(moment: datetime, settings: Settings) -> datetime:
    """The same moment, or the end of the quiet hours it falls into; in UTC."""
    if settings.quiet is None or settings.quiet[0] == settings.quiet[1]:
        return moment
    start, end = settings.quiet
    local = moment.astimezone(settings.zone)
    clock = local.time()
    wraps = start > end
    inside = clock >= start or clock < end if wraps else start <= clock < end
    if not inside:
        return moment
    day = local.date() + timedelta(days=1 if wraps and clock >= start else 0)
    # In the hour that a clock set back shows twice, the end is the one of the same pass.
    over = datetime.combine(day, end, settings.zone).replace(fold=local.fold)
    return over.astimezone(moment.tzinfo)


def awake(now: datetime, settings: Settings) -> datetime:
    """The first moment from now on at which a chat is neither paused nor asleep."""
    return after_quiet(max(now, settings.paused_until or now), settings)


def day_start(now: datetime, settings: Settings) -> datetime:
    """The last midnight of the zone."""
    local = now.astimezone(settings.zone)
    return datetime.combine(local.date(), time(), settings.zone).astimezone(now.tzinfo)


def _midnight(now: datetime, settings: Settings) -> datetime:
    day = now.astimezone(settings.zone).date() + timedelta(days=1)
    return datetime.combine(day, time(), settings.zone).astimezone(now.tzinfo)
