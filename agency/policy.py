"""The decision whether something is said now: one pure function over all that bears on it.

The gates are asked in this order; the first that says no decides, unless `ask` does.

| gate         | says no when                                                    | then            |
| ------------ | --------------------------------------------------------------- | --------------- |
| policy       | speaking up is switched off                                     | silent          |
| grade        | graded `none`, or minor where minor news is not wanted          | silent, digest  |
| state        | the same was told, or holds on and was told a short while ago   | silent, later   |
| mute         | the chat, or all it concerns, had enough of the subject         | silent          |
| pause        | the chat, or all it concerns, asked for a pause                 | at its end      |
| answers only | the chat wants answers only                                     | its end, digest |
| doubt        | the agency is not sure of it                                    | digest          |
| engagement   | minor, and they let such things pass or called them not useful  | digest          |
| quota        | the chat, or all it concerns, had theirs for today              | digest          |
| cool-down    | minor, and the chat was told something a moment ago             | digest          |
| quiet hours  | the chat sleeps, or all it concerns do                          | when they wake  |
| conversation | a person is talking with the bot there; major does not wait     | after that      |

What needs somebody's consent is asked for unless it would be silent. What would be told only after
its time has passed is silent, except that a pause may end at any time. When in doubt, digest: no
gate that merely doubts keeps anything from being told for good. Something a person timed
themselves passes everything but the switch, a mute and a pause.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Literal

PAUSE = "pause"
"""The gate of a chat that asked for silence."""
SURE = 0.5
"""The least confidence with which something is said at once."""


class Grade(StrEnum):
    """How much a piece of news matters to the room it goes to."""

    MAJOR = "major"
    """It changes what they are doing."""
    MINOR = "minor"
    """Good to know."""
    NONE = "none"
    """Nothing to interrupt anybody for."""


class Outcome(StrEnum):
    """What is to become of a piece of news."""

    NOW = "now"
    """It is said at once."""
    AT = "at"
    """It waits for a moment, and is judged again then."""
    DIGEST = "digest"
    """It is kept for the next digest."""
    ASK = "ask"
    """Somebody is asked whether it may be told."""
    SILENT = "silent"
    """It is kept and not told."""


Minor = Literal["now", "digest", "silent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the operator wants Limen to speak up."""

    enabled: bool = True
    zone: tzinfo = UTC
    quiet: tuple[time, time] | None = None
    """From and to, local; may wrap past midnight."""
    minor: Minor = "now"
    """What becomes of minor news that nothing speaks against."""
    daily_quota: int = 5
    """Proactive messages a chat is given in a day of its zone."""
    person_quota: int = 8
    """Proactive messages a day that concern one person, in whatever chat."""
    cooldown: timedelta = timedelta(0)
    """The least time between two proactive messages to a chat; major news does not wait for it."""
    learning: bool = True
    """Whether how people took what they were told counts."""
    settle: timedelta = timedelta(seconds=20)
    """How long nobody has to talk with the bot before something else is said there."""
    paused_until: datetime | None = None
    """Until when this very chat asked for silence; see `agency.preferences`."""
    answers_until: datetime | None = None
    """Until when this very chat wants answers and nothing unasked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concerned:
    """How one of the people stands whom it concerns."""

    today: int = 0
    """What concerned them was told so often since their midnight."""
    quota: int = 8
    paused_until: datetime | None = None
    awake_at: datetime | None = None
    """The end of the quiet hours they are in; None while they are awake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """The same subject in the same state was told there, or to the same people, before."""

    told: int = 1
    """How often."""
    last: datetime
    lasting: bool = False
    """Whether it is a condition that holds on and may be told again, rather than news."""
    acknowledged: bool = False
    """Whether somebody said that they know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All that bears on whether one piece of news is said now."""

    now: datetime
    settings: Settings
    """As they hold in the chat it goes to."""
    grade: Grade
    """As the agency graded it."""
    worth: Grade = Grade.MAJOR
    """The most it can be by what its sources do; a model's grade is lowered to it, never raised."""
    confidence: float = 1.0
    expires_at: datetime | None = None
    today: int = 0
    """What the whole chat, threads included, was told unasked since its midnight."""
    last: datetime | None = None
    """When it last was."""
    concerned: tuple[Concerned, ...] = ()
    """Those of its people it is for; empty where it is for everybody."""
    repeat: Repeat | None = None
    muted: str = ""
    """The subject nobody there wants to hear of, in their words."""
    ignored: bool = False
    """Whether they let what they were told before pass without a word."""
    unwanted: str = ""
    """Who called such things not useful."""
    busy_until: datetime | None = None
    """When a person's conversation with the bot there may be over; None without one."""
    consent: bool = False
    """Whether somebody has to agree first."""
    timed: bool = False
    """Whether a person chose the moment themselves."""
    requested: bool = False
    """Whether a person asked to have just this told there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one gate says."""

    gate: str
    outcome: Outcome = Outcome.NOW
    reason: str = ""
    not_before: datetime | None = None

    @property
    def go(self) -> bool:
        """Whether it lets the news on."""
        return self.outcome is Outcome.NOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is to become of it, and why."""

    outcome: Outcome
    reason: str
    not_before: datetime | None = None
    """Set where it waits for a moment."""
    answers: tuple[Answer, ...] = field(default=())
    """Every gate's up to the first no."""


def decide(case: Case) -> Decision:
    """Judge one piece of news; the same case is always decided alike."""
    answers: list[Answer] = []
    for answer in _gates(case):
        answers.append(_in_time(answer, case))
        if not answers[-1].go:
            break
    last = answers[-1]
    outcome, reason = last.outcome, last.reason or "every gate passed"
    if case.consent and outcome is not Outcome.SILENT:
        outcome, reason = Outcome.ASK, "somebody is asked first"
    return Decision(
        outcome=outcome,
        reason=reason,
        not_before=last.not_before if outcome is Outcome.AT else None,
        answers=tuple(answers),
    )


def grade_of(case: Case) -> Grade:
    """The grade that counts: the agency's, as far as what it rests on bears it."""
    order = (Grade.NONE, Grade.MINOR, Grade.MAJOR)
    return min(case.grade, case.worth, key=order.index)


def again_after(told: int) -> timedelta:
    """How long a condition that holds on is not mentioned again: a day, then twice as long."""
    return timedelta(days=2 ** (max(told, 1) - 1))


MOST_TOLD = 3
"""How often a condition is mentioned for as long as it holds."""


def _gates(case: Case) -> Iterator[Answer]:
    settings = case.settings
    yield _silent("policy", not settings.enabled, "speaking up is switched off")
    yield _graded(case)
    yield _state(case)
    yield _silent("mute", bool(case.muted), "nobody there wants to hear of that")
    if settings.paused_until is not None or _all_paused(case) is not None:
        yield _paused(case)
    if settings.answers_until is not None:
        yield _answers_only(case)
    if case.timed:
        return
    if case.requested:
        yield _quiet(case)
        return
    yield _digest("doubt", case.confidence < SURE, "not sure enough to interrupt")
    yield _engagement(case)
    yield _quota(case)
    yield _cooldown(case)
    yield _quiet(case)
    yield _conversation(case)


def _graded(case: Case) -> Answer:
    grade = grade_of(case)
    if grade is Grade.NONE:
        return _silent("grade", True, "graded as nothing to interrupt for")
    if grade is Grade.MINOR and not case.timed and case.settings.minor != "now":
        outcome = Outcome(case.settings.minor)
        return Answer(gate="grade", outcome=outcome, reason="minor news is not told at once here")
    lowered = grade is not case.grade
    return Answer(gate="grade", reason="lowered: what it rests on is idle talk" if lowered else "")


def _state(case: Case) -> Answer:
    if case.repeat is None:
        return Answer(gate="state")
    if not case.repeat.lasting:
        return _silent("state", True, "the same was told before")
    if case.repeat.acknowledged:
        return _silent("state", True, "they said that they know")
    if case.repeat.told >= MOST_TOLD:
        return _silent("state", True, "that was mentioned often enough")
    return _wait("state", case.repeat.last + again_after(case.repeat.told), case,
                 "that was mentioned a short while ago")  # fmt: skip


def _all_paused(case: Case) -> datetime | None:
    """When the first of those it concerns ends their pause; None unless all have one."""
    ends = [one.paused_until for one in case.concerned if one.paused_until is not None]
    return min(ends) if ends and len(ends) == len(case.concerned) else None


def _paused(case: Case) -> Answer:
    own, theirs = case.settings.paused_until, _all_paused(case)
    end = max(moment for moment in (own, theirs) if moment is not None)
    reason = "this chat asked for a pause" if own is not None else "they asked for a pause"
    if end <= case.now:
        return Answer(gate=PAUSE)
    return _wait(PAUSE, end if case.timed else after_quiet(end, case.settings), case, reason)


def _answers_only(case: Case) -> Answer:
    end, gate = case.settings.answers_until, "answers only"
    if end is None or end <= case.now:
        return Answer(gate=gate)
    reason = "this chat wants answers only"
    if case.expires_at is not None and end >= case.expires_at:
        return Answer(gate=gate, outcome=Outcome.DIGEST, reason=reason)
    return _wait(gate, after_quiet(end, case.settings), case, reason)


def _engagement(case: Case) -> Answer:
    minor = grade_of(case) is Grade.MINOR
    if case.unwanted:
        return _digest("engagement", minor, "somebody called such news not useful")
    return _digest("engagement", minor and case.ignored, "they let such news pass lately")


def _quota(case: Case) -> Answer:
    full = case.today >= case.settings.daily_quota
    if full:
        return _digest("quota", True, "this chat had its messages for today")
    theirs = bool(case.concerned) and all(one.today >= one.quota for one in case.concerned)
    return _digest("quota", theirs, "whom it concerns had their messages for today")


def _cooldown(case: Case) -> Answer:
    soon = case.last is not None and case.last + case.settings.cooldown > case.now
    minor = grade_of(case) is Grade.MINOR
    return _digest("cool-down", minor and soon, "this chat was told something a moment ago")


def _quiet(case: Case) -> Answer:
    wake = after_quiet(case.now, case.settings)
    theirs = [one.awake_at for one in case.concerned if one.awake_at is not None]
    asleep = bool(theirs) and len(theirs) == len(case.concerned)
    first = max(wake, min(theirs)) if asleep else wake
    reason = "quiet hours" if wake > case.now else "whom it concerns are asleep"
    return _wait("quiet hours", first, case, reason)


def _conversation(case: Case) -> Answer:
    pressing = grade_of(case) is Grade.MAJOR
    until = case.now if pressing or case.busy_until is None else case.busy_until
    return _wait("conversation", until, case, "somebody is talking with the bot there")


def _silent(gate: str, holds: bool, reason: str) -> Answer:
    return Answer(gate=gate, outcome=Outcome.SILENT, reason=reason) if holds else Answer(gate=gate)


def _digest(gate: str, holds: bool, reason: str) -> Answer:
    return Answer(gate=gate, outcome=Outcome.DIGEST, reason=reason) if holds else Answer(gate=gate)


def _wait(gate: str, until: datetime, case: Case, reason: str) -> Answer:
    if until <= case.now:
        return Answer(gate=gate)
    return Answer(gate=gate, outcome=Outcome.AT, reason=reason, not_before=until)


def _in_time(answer: Answer, case: Case) -> Answer:
    """What would be told after its time has passed is not told."""
    late = (
        answer.not_before is not None
        and case.expires_at is not None
        and answer.not_before >= case.expires_at
    )
    if not late or answer.gate == PAUSE:
        return answer
    reason = f"{answer.reason}; its time passes first"
    return Answer(gate=answer.gate, outcome=Outcome.SILENT, reason=reason)


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
    waits = (settings.paused_until, settings.answers_until)
    return after_quiet(max(now, *(moment or now for moment in waits)), settings)


def day_start(now: datetime, settings: Settings) -> datetime:
    """The last midnight of the zone."""
    local = now.astimezone(settings.zone)
    return datetime.combine(local.date(), time(), settings.zone).astimezone(now.tzinfo)
