"""What the admins are told in private: once, where they can be reached, and nobody else."""

from datetime import timedelta

from adapters.chat import Author, EventKind, Health, Incoming, Room, RoomKind
from adapters.errors import Refused
from bot import inspection
from bot.app import Surroundings
from bot.errors import ModelRefused
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import Stage
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat

ADMINS = "slack:lin,slack:kai"


class Two:
    """A house on two platforms."""

    def __init__(self, **answers: object) -> None:
        self.slack = ScriptedChat(name="slack")
        self.telegram = ScriptedChat(name="telegram")
        self.model = ScriptedModel(**{"conversation": echo, **answers})  # type: ignore[arg-type]

    @property
    def around(self) -> Surroundings:
        return Surroundings(chats=(self.slack, self.telegram), model=self.model)


def told(chat: ScriptedChat, who: str) -> list[str]:
    return [text for text in chat.said(who) if "admin" in text or "管理员" in text]


async def greet(on: Stage, chat: ScriptedChat, *people: str, text: str = "hello") -> None:
    for who in people:
        await chat.say(who, text)
    await on.wait(5)


async def test_an_outage_is_told_once_to_every_admin_over_what_is_up(stage: OpenStage) -> None:
    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin", "kai", "mo")
        at.telegram.state = Health(up=False, note="the token was revoked; make a new one")
        await on.wait(60)
        assert told(at.slack, "lin") == [], "it may mend itself"
        await on.wait(3 * 3600)
        expected = (
            "For you as an admin: telegram has been down for a while. "
            "the token was revoked; make a new one"
        )
        assert told(at.slack, "lin") == told(at.slack, "kai") == [expected]
        assert told(at.slack, "mo") == []


async def test_the_next_outage_is_told_again(stage: OpenStage) -> None:
    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        for up in (False, True, False):
            at.telegram.state = Health(up=up)
            await on.wait(600)
        assert len(told(at.slack, "lin")) == 2


async def test_a_platform_that_comes_and_goes_fills_nobodys_dm(stage: OpenStage) -> None:
    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        for _ in range(40):
            for up, note in ((False, "no network"), (True, "")):
                at.telegram.state = Health(up=up, note=note)
                await on.wait(180)
        assert len(told(at.slack, "lin")) == 3, "in four hours"
        at.telegram.state = Health(up=False, note="no network")
        await on.wait(6 * 3600)
        assert len(told(at.slack, "lin")) == 4, "one that lasts is told after all"


async def test_a_restart_tells_the_same_outage_no_second_time(stage: OpenStage) -> None:
    at = Two()
    at.telegram.state = Health(up=False, note="no network")
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        await on.wait(600)
        assert len(told(at.slack, "lin")) == 1
    async with stage(at.around, access__admins=ADMINS) as on:
        await on.wait(600)
        assert len(told(at.slack, "lin")) == 1


async def test_an_admin_nobody_has_met_yet_is_told_later(stage: OpenStage) -> None:
    at = Two()
    at.telegram.state = Health(up=False, note="no network")
    async with stage(at.around, access__admins=ADMINS) as on:
        await on.wait(600)
        assert at.slack.sent == []
        await greet(on, at.slack, "lin", text="你好，在吗？")
        await on.wait(60)
        assert told(at.slack, "lin") == ["管理员请注意：telegram 已经断开一段时间了。no network"]


async def test_without_another_platform_nothing_is_written_into_the_void(
    stage: OpenStage,
) -> None:
    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        at.slack.state = Health(up=False, note="no network")
        await on.wait(600)
        assert told(at.slack, "lin") == []


async def test_a_room_that_takes_nothing_is_told_once_for_its_reason(stage: OpenStage) -> None:
    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        at.telegram.refuses = "the channel is archived; restore it or forget it"
        for _ in range(3):
            await at.telegram.say("mo", "hello there", room="project")
            await on.wait(60)
        [line] = told(at.slack, "lin")
        assert "could not post in project on telegram" in line
        assert "archived" in line


async def test_a_private_room_is_named_only_to_an_admin_who_is_in_it(stage: OpenStage) -> None:
    """Its very name may be a secret, such as who is to be let go."""
    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin", "kai")
        at.slack.refuses = "the channel is archived; restore it or forget it"
        mo = Author(id="mo", name="Mo")
        secret = Room(
            title="#zeppelin",
            kind=RoomKind.GROUP,
            open=False,
            workspace="w",
            members=(mo, Author(id="kai", name="Kai")),
        )
        await on.house.intake.receive(
            Incoming(
                address=at.slack.address("C9", "m9"),
                kind=EventKind.NEW,
                author=mo,
                room=secret,
                text="hello there",
                at=on.clock(),
                addressed=True,
            )
        )
        await on.wait(20)
        at.slack.refuses = ""
        await on.wait(60)
        [to_lin], [to_kai] = told(at.slack, "lin"), told(at.slack, "kai")
        assert "could not post in #zeppelin on slack" in to_kai
        assert "could not post in a private room" in to_lin
        assert "zeppelin" not in to_lin


async def test_a_refused_notice_is_no_reason_for_another(stage: OpenStage) -> None:
    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        at.slack.refuses = "you were blocked by this person"
        at.telegram.state = Health(up=False, note="no network")
        await on.wait(1200)
        at.slack.refuses = ""
        await on.wait(1200)
        assert told(at.slack, "lin") == []


async def test_what_a_model_refuses_for_good_is_told_once_a_day(stage: OpenStage) -> None:
    """LLM-10: the details go to the admins, whoever asked."""

    def refuse(_: Context) -> list[Block]:
        raise ModelRefused(f"400: Your credit balance is too low (req_0{len(at.model.calls)})")

    at = Two()
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        at.model.answers["conversation"] = refuse
        for _ in range(3):
            await at.telegram.say("mo", "are you there?")
            await on.wait(60)
        [line] = told(at.slack, "lin")
        assert "credit balance is too low" in line
        assert not any("credit" in text for text in at.telegram.said("mo"))
        assert len(at.telegram.said("mo")) == 3


async def test_where_nobody_is_an_admin_nobody_is_told(stage: OpenStage) -> None:
    at = Two()
    async with stage(at.around) as on:
        await greet(on, at.slack, "lin")
        at.telegram.state = Health(up=False, note="no network")
        await on.wait(timedelta(hours=1).total_seconds())
        assert told(at.slack, "lin") == []


async def test_a_notice_has_a_why_like_everything_that_is_said(stage: OpenStage) -> None:
    at = Two()
    at.telegram.deaths = [Refused("the token was revoked")]
    async with stage(at.around, access__admins=ADMINS) as on:
        await greet(on, at.slack, "lin")
        await on.wait(300)
        lines = inspection.why(on.house.config, "the token was revoked")
        assert any("delivery" in line for line in lines)


async def test_old_failures_are_not_told_at_a_start(stage: OpenStage) -> None:
    at = Two()
    async with stage(at.around) as on:
        at.telegram.refuses = "archived"
        await at.telegram.say("mo", "hello")
        await on.wait(2 * 3600)
    async with stage(at.around, access__admins=ADMINS) as on:
        await on.wait(2 * 3600)
        await greet(on, at.slack, "lin")
        await on.wait(300)
        assert told(at.slack, "lin") == []
