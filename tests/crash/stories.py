"""The stories that are played at the points, and what must have come of each in the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest

from bot.models.builtin.context import Context
from bot.models.model import Block, Model
from tests.crash.acts import Act, Edit, Press, Recall, Say, Skip, There
from tests.fakes import doomed, newsroom, papers
from tests.fakes.doomed import LookingModel
from tests.fakes.scripted import ScriptedModel, echo, private, say, use

MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
LONG = " ".join(f"This is sentence {n} of a long answer." for n in range(1, 12))


MAY = "?"  # in front of words that need not be said
OR = "|"  # between words of which one is said


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A story."""

    acts: tuple[Act, ...]
    says: Mapping[str, tuple[str, ...]]
    """By room, words of each thing the bot says there; several may come in one message."""
    ordered: bool = False
    """Whether it says them in this order, however it is disturbed."""
    facts: int = 0
    """How many facts are kept at least."""
    model: Callable[[], Model] = LookingModel
    settings: Mapping[str, str] = field(default_factory=dict)
    start: datetime = MONDAY


def _asked_of_old(name: str, says: dict[str, tuple[str, ...]], facts: int = 1) -> Story:
    """A story of the kill tests."""
    acts = [
        Say(who=act.who, room=act.room, text=act.text, wait=act.wait)
        if act.text
        else Press(who=act.who, wait=act.wait)
        for act in doomed.STORIES[name]
    ]
    return Story(acts=tuple(acts), says=says, facts=facts)


def _long(platform: str) -> Story:
    """An answer that its platform takes in pieces only."""
    pieces = tuple(f"sentence {n} of" for n in (1, 5, 10))
    ask = There(on=platform, who="ana", room="direct-ana", text="tell me all of it")
    return Story(
        acts=(ask,),
        says={f"{platform}:direct-ana": pieces},
        ordered=True,
        model=lambda: ScriptedModel(conversation=lambda seen: [say(LONG)]),
    )


def _reader(seen: Context) -> list[Block]:
    """Says what stands in the files it was sent."""
    told = [str(one.get("text") or one["name"]) for row in seen.pending for one in row["files"]]
    return [say("I read: " + " | ".join(told))]


def _minder(seen: Context) -> list[Block]:
    """Keeps an attention file, a line in the log and an intention, one after the other."""
    fires = [row for row in seen.section("fires") if row.get("text")]
    if not fires or len(seen.steps) > 2:
        return [private("done")]
    steps = (
        use("write_attention", file="AGENCY.md", text="# Watch the freeze"),
        use("log_action", text="took note of the freeze"),
        use("set_intention", text="Look at the freeze again", terms=["frozen", "branch"]),
    )
    return [steps[len(seen.steps)]]


_NEWS = "News: the demo is on Thursday"
_OLD, _NEW = "When does the production password rotate?", "When does the staging password rotate?"
_FACT = Say(who="lin", room="general", text="The staging password rotates every Monday.")

STORIES: dict[str, Story] = {
    "question": _asked_of_old("question", {"web:dm-ana": ("rotates every Monday",)}),
    "nudge": _asked_of_old("nudge", {"web:project": ("canary-release",)}),
    "consent": _asked_of_old(
        "consent",
        {"web:dm-mo": ("Noted", "May I tell #project"), "web:project": ("migration script",)},
    ),
    "approval": _asked_of_old(
        "approval",
        {
            "web:dm-bo": ("would like your word",),
            "web:project": ("I have asked Bo", "Bo says yes"),
        },
    ),
    "reminder": Story(
        acts=(Say(who="ana", text="remind me in 10 minutes to call Jon", wait=60),),
        says={"web:dm-ana": ("Noted", "Reminder: call Jon")},
    ),
    "digest": Story(
        acts=(
            Say(who="bo", text="good morning"),
            Say(who="bo", room="project", text="good morning"),
            Say(who="lin", room="architecture", text=_NEWS, wait=180),
            Skip(hour=9, wait=120),
        ),
        says={f"web:dm-{who}": ("the demo is on Thursday",) for who in ("ana", "bo", "wei")},
        model=newsroom.model,
        settings={"SPEAKING__MINOR": "digest"},
        start=MONDAY.replace(hour=8),
    ),
    "edit": Story(
        acts=(
            _FACT,
            Say(who="ana", text=_OLD, wait=0.2),
            Edit(who="ana", old=_OLD, new=_NEW),
        ),
        says={"web:dm-ana": ("rotates every Monday|I do not know",)},
    ),
    "recall": Story(
        acts=(
            _FACT,
            Say(who="ana", text=_OLD, wait=0.2),
            Recall(who="ana", text=_OLD),
            Say(who="ana", text=_NEW),
        ),
        says={"web:dm-ana": ("?I do not know", "rotates every Monday")},
    ),
    "budget": Story(
        acts=(
            Say(who="ana", text="first", wait=60),
            Say(who="ana", text="second", wait=60),
            Say(who="ana", text="third", wait=60),
        ),
        says={"web:dm-ana": ("heard: first", "heard: second", "Today's budget|third")},
        model=lambda: ScriptedModel(conversation=echo),
        settings={
            "BUDGET__DAILY_TOKENS": "200",
            "BUDGET__FALLBACK": "none",
            "AGENCY__ENABLED": "false",
            "AGENCY__MEMORY": "false",
        },
    ),
    "intention": Story(
        acts=(
            Say(who="ana", text="tell me when the contract is signed"),
            Say(who="wei", room="architecture", text="The contract is not signed yet.", wait=180),
            Say(who="mo", room="architecture", text="The contract is signed by Acme.", wait=180),
        ),
        says={"web:dm-ana": ("once the contract is signed", "signed by Acme")},
    ),
    "attention": Story(
        acts=(
            Say(who="lin", room="general", text="The branch will be locked on Friday.", wait=120),
            Say(who="mo", room="general", text="The branch is frozen now.", wait=120),
        ),
        says={},
        model=lambda: ScriptedModel(agency=_minder),
    ),
    "memory": Story(
        acts=(
            Say(who="lin", room="general", text="We decided: the demo moves to Thursday."),
            Say(who="mo", room="general", text="Bo owns the migration script.", wait=120),
            Say(who="ana", text="Who owns the migration script?"),
        ),
        says={"web:dm-ana": ("Bo",)},
        facts=2,
    ),
    "files": Story(
        acts=(
            There(
                on="slack",
                who="ana",
                room="direct-ana",
                text="what is in here?",
                file="note.txt",
                content=b"Gate 7 opens at noon.",
                wait=30,
            ),
            There(
                on="slack",
                who="ana",
                room="direct-ana",
                text="and here?",
                file="plan.png",
                content=papers.picture(),
                wait=30,
            ),
        ),
        says={"slack:direct-ana": ("Gate 7 opens", "plan.png")},
        model=lambda: ScriptedModel(conversation=_reader),
    ),
    "long-feishu": _long("feishu"),
    "long-slack": _long("slack"),
    "long-telegram": _long("telegram"),
    "outside": Story(
        acts=(
            There(on="slack", who="lin", room="plans", text="The gate moves to Tuesday.", wait=30),
            There(on="telegram", who="mo", room="direct-mo", text="hello", wait=0.2),
            There(
                on="telegram",
                who="mo",
                room="direct-mo",
                kind="edit",
                of="hello",
                text="hello again",
            ),
            There(on="feishu", who="bo", room="direct-bo", text="never mind", wait=0.2),
            There(on="feishu", who="bo", room="direct-bo", kind="recall", of="never mind"),
            There(on="feishu", who="bo", room="direct-bo", text="good morning"),
        ),
        says={
            "telegram:direct-mo": ("heard: hello again|heard: hello",),
            "feishu:direct-bo": ("?heard: never mind", "heard: good morning"),
        },
        model=lambda: ScriptedModel(conversation=echo),
    ),
}
"""Every story by its name."""

MIXABLE = ("question", "nudge", "consent", "approval", "reminder", "intention", "memory")
"""Those that may happen in one house: by one model and settings, and in words no delay changes."""


def mixed(names: Sequence[str], says: Mapping[str, tuple[str, ...]]) -> Story:
    """Several stories in one house, act by act in turn."""
    told = [STORIES[name] for name in names]
    turns = zip_longest(*(story.acts for story in told))
    acts = tuple(act for turn in turns for act in turn if act is not None)
    return Story(acts=acts, says=says, ordered=False)
