"""What people order in a chat, through the whole house, in English and Chinese."""

import pytest

from adapters.chat import Address, Author, EventKind, Health, Incoming, Room, RoomKind
from agency import fires, handoffs
from bot.app import Surroundings
from bot.engine import runs, traces
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.models.transcript import repair
from bot.plays.stage import DIRECT, Stage
from tests.conftest import MONDAY, OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time, private, say, use
from tests.fakes.scripted_chat import ScriptedChat

PLAN = "Let's plan the rollout with legacy-release."
CHANGE = "We decided: the release path moves from legacy-release to canary-release."


def around(model: ScriptedModel, *chats: ScriptedChat) -> Surroundings:
    return Surroundings(model=model, chats=chats)


async def said(on: Stage, room: str = DIRECT, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def conversations(on: Stage) -> list[runs.Run]:
    return await on.house.db.read(lambda r: runs.latest(r, limit=50, role="conversation")[::-1])


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("help", "What you can order"), ("/help", "What you can order"),
        ("帮助", "可以对我下的命令"), ("/帮助", "可以对我下的命令"),
        ("/limen help", "What you can order"),
        ("who are you?", "a bot, not a person"), ("你是谁？", "一个机器人，不是人"),
        ("status", "not paused"), ("状态", "没有暂停"), ("/why", "nothing unasked"),
        ("approvals", "Nothing waits"), ("待确认", "没有等你点头"),
        ("stop", "not doing anything"), ("停", "没有正在做"),
        ("/pause whenever", "did not understand"), ("/勿扰 晚上", "请这样说时段"),
        ("/frobnicate", "no command `/frobnicate`"), ("forget that", "no message of yours"),
    ],
)  # fmt: skip
async def test_an_order_is_answered_at_once_without_a_model(
    stage: OpenStage, order: str, answer: str
) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, order)
        await on.wait(0.5)
        [text] = await said(on)
        assert answer in text
        await on.wait(300)
        assert model.calls == []
        assert await on.house.db.read(lambda r: fires.latest(r, limit=9)) == []


async def test_an_order_comes_once_however_often_its_message_does(stage: OpenStage) -> None:
    chat = ScriptedChat(name="slack")
    async with stage(around(ScriptedModel(conversation=echo), chat)) as on:
        for _ in range(3):
            await on.house.intake.receive(event("help"))
        await on.wait(5)
        assert len(chat.said("plans")) == 1


async def test_an_order_whose_mention_comes_second_is_carried_out(stage: OpenStage) -> None:
    """SL-IN-01: the plain message event first, the mention event after it."""
    chat = ScriptedChat(name="slack")
    async with stage(around(ScriptedModel(conversation=echo), chat)) as on:
        await on.house.intake.receive(event("status", addressed=False))
        await on.wait(5)
        assert chat.said("plans") == []
        await on.house.intake.receive(event("status"))
        await on.wait(5)
        assert "**Limen**" in chat.said("plans")[0]
        assert await conversations(on) == []


async def test_a_bare_mention_is_no_order(stage: OpenStage) -> None:
    """SL-IN-16: somebody called without a word, and the model says something to it."""
    model = ScriptedModel(conversation=lambda _: [use("say", text="Yes?")])
    chat = ScriptedChat(name="slack")
    async with stage(around(model, chat)) as on:
        await chat.say("ann", "@Limen", room="plans")
        await on.wait(5)
        assert chat.said("plans") == ["Yes?"]


async def test_in_a_group_an_order_is_said_to_the_bot(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        for text in ("help", "/help", "status"):
            await on.say("ana", "project", text)
        await on.wait(5)
        assert await said(on, "project") == []
        await on.say("ana", "project", "@Limen 帮助")
        await on.say("ana", "project", "/limen status")
        await on.wait(5)
        first, second = await said(on, "project")
        assert "可以对我下的命令" in first
        assert "**Limen**" in second


async def test_a_slash_is_answered_in_the_language_of_the_chat(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel())) as on:
        await on.say("ana", "project", "我们下周上线，大家看看计划")
        await on.say("ana", "project", "/limen status")
        await on.wait(5)
        assert "没有暂停" in (await said(on, "project"))[0]


async def test_the_operators_language_wins(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel()), bot__language="zh") as on:
        await on.say("ana", DIRECT, "status")
        await on.wait(5)
        assert "没有暂停" in (await said(on))[0]


async def test_status_names_the_copy_and_every_platform(stage: OpenStage) -> None:
    """CN-04: of two running copies each has its own name, so that people can tell."""
    note = "two connections are open: is another copy of Limen running?"
    chat = ScriptedChat(name="slack", state=Health(up=True, note=note))
    async with stage(around(ScriptedModel(), chat)) as on:
        await chat.say("ann", "status")
        await on.wait(5)
        chat.state = Health(up=False, note="the token was revoked")
        await chat.say("ann", "status")
        await on.wait(5)
        first, second = chat.said("ann")
        assert f"slack: connected ({note})" in first
        assert "slack: not connected (the token was revoked)" in second
        assert first.splitlines()[0] == second.splitlines()[0]
    async with stage(around(ScriptedModel(), other := ScriptedChat(name="slack"))) as on:
        await other.say("bea", "status")
        await on.wait(5)
        assert other.said("bea")[0].splitlines()[0] != first.splitlines()[0]


@pytest.mark.parametrize(("order", "answer"), [("stop", "Stopped."), ("停", "已停下。")])
async def test_stop_breaks_off_a_model_call_within_a_second(
    stage: OpenStage, order: str, answer: str
) -> None:
    """TG-IN-13: it is not queued behind what it should stop."""
    model = ScriptedModel(conversation=echo)
    model.hold("conversation")
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "research all suppliers")
        await pass_time(on, model, 2)
        assert model.held == 1
        await on.say("ana", DIRECT, order)
        await pass_time(on, model, 1)
        assert model.held == 0, "the call itself is gone"
        assert await said(on) == [answer]
        await on.wait(600)
        [run] = await conversations(on)
        assert (run.state, run.reason) == (runs.State.CANCELLED, "stopped by a person")
        assert await said(on) == [answer], "it is not begun again"


async def test_stop_between_two_looks_leaves_no_call_open(stage: OpenStage) -> None:
    def look(_: Context) -> list[Block]:
        model.hold("conversation")  # from its next call on
        return [use("search_memory", query="suppliers")]

    model = ScriptedModel(conversation=look)
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "research all suppliers")
        await pass_time(on, model, 2)
        await on.say("ana", DIRECT, "stop")
        await pass_time(on, model, 1)
        [run] = await conversations(on)
        assert run.state is runs.State.CANCELLED
        asked = {"role": "user", "content": [{"type": "text", "text": "go on"}]}
        told = [asked, *await on.house.db.read(traces.messages, run.id)]
        assert len(told) == 3
        assert repair(told) == told


async def test_stop_takes_back_what_waits_and_a_new_question_is_answered(
    stage: OpenStage,
) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "never mind this")
        await on.say("ana", DIRECT, "stop")
        await on.wait(10)
        assert await said(on) == ["Stopped."]
        assert model.of("conversation") == []
        await on.say("ana", DIRECT, "but this")
        await on.wait(10)
        assert (await said(on))[1:] == ["heard: but this"]


async def test_stop_takes_back_what_was_said_and_not_posted_yet(stage: OpenStage) -> None:
    """The platform takes nothing for a while; what was said in other chats goes out afterwards."""
    chat = ScriptedChat(name="slack", busy=True)
    async with stage(around(ScriptedModel(conversation=echo), chat)) as on:
        await chat.say("ana", "tell me everything")
        await chat.say("bo", "and me")
        await on.wait(10)
        await chat.say("ana", "stop")
        await on.wait(1)
        chat.busy = False
        await on.wait(3600)
        assert chat.said("ana") == ["Stopped."]
        assert chat.said("bo") == ["heard: and me"]
        await chat.say("ana", "stop")
        await on.wait(5)
        assert chat.said("ana")[-1] == "I am not doing anything here."


async def test_stop_in_one_chat_leaves_the_others_alone(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    let_go = model.hold("conversation")
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, "one")
        await on.say("mo", DIRECT, "two")
        await pass_time(on, model, 2)
        await on.say("ana", DIRECT, "stop")
        await pass_time(on, model, 1)
        assert model.held == 1
        let_go()
        await on.wait(5)
        assert await said(on, who="mo") == ["heard: two"]


@pytest.mark.parametrize(
    ("pause", "resume", "back"),
    [("pause", "resume", "I am back."), ("暂停", "继续", "我回来了。")],
)
async def test_while_paused_it_listens_and_answers_orders_only(
    stage: OpenStage, pause: str, resume: str, back: str
) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model)) as on:
        await on.say("ana", DIRECT, pause)
        await on.say("ana", DIRECT, "are you there?")
        await on.say("ana", DIRECT, "help")
        await on.wait(30)
        assert len(await said(on)) == 2
        assert len(await on.house.db.read(lambda r: fires.latest(r, limit=9))) == 1
        await on.say("ana", DIRECT, resume)
        await on.say("ana", DIRECT, "and now?")
        await on.wait(10)
        assert (await said(on))[2:] == [back, "heard: and now?"]


async def test_a_pause_ends_by_itself(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel(conversation=echo))) as on:
        await on.say("ana", "project", "@Limen pause until 10:30")
        await on.wait(10)
        assert "until 10:30" in (await said(on, "project"))[0]
        await on.say("ana", "project", "@Limen hello")
        await on.wait(1900)
        await on.say("ana", "project", "@Limen hello again")
        await on.wait(10)
        assert (await said(on, "project"))[1:] == ["heard: @Limen hello again"]


async def test_continue_is_for_the_model_while_nothing_is_paused(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel(conversation=echo))) as on:
        await on.say("ana", DIRECT, "继续")
        await on.wait(10)
        assert await said(on) == ["heard: 继续"]


async def test_a_thread_is_paused_with_its_chat(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel(conversation=echo))) as on:
        root = await on.say("ana", "project", "@Limen pause")
        await on.wait(5)
        await on.house.rooms.say("bo", "project", "@Limen hello", thread=root.id)
        await on.wait(10)
        assert len(await conversations(on)) == 0


async def test_only_an_admin_pauses_the_whole_bot(stage: OpenStage) -> None:
    chat = ScriptedChat(name="slack")
    model = ScriptedModel(conversation=echo)
    async with stage(around(model, chat), access__admins="slack:boss") as on:
        await chat.say("ann", "pause everywhere")
        await chat.say("boss", "pause everywhere 2h")
        await on.wait(5)
        assert "Only an admin" in chat.said("ann")[0]
        assert "until 12:00" in chat.said("boss")[0]
        await chat.say("ann", "hello")
        await chat.say("ann", "resume")
        await on.wait(5)
        assert "everywhere until 12:00" in chat.said("ann")[-1]
        await chat.say("boss", "resume everywhere")
        await chat.say("ann", "hello")
        await on.wait(5)
        assert chat.said("ann")[-1] == "heard: hello"


async def test_what_comes_up_in_a_pause_is_told_after_it(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("bo", "project", PLAN)
        await on.say("bo", "project", "@Limen pause 1h")
        await on.wait(1)
        await on.say("lin", "architecture", CHANGE)
        await on.wait(600)
        assert len(await said(on, "project")) == 1
        assert [one.state for one in await _handoffs(on)] == [handoffs.State.HELD]
        await on.wait(3600)
        assert "canary-release" in (await said(on, "project"))[-1]


async def test_what_an_open_pause_holds_up_is_told_when_it_ends(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("bo", "project", PLAN)
        await on.say("bo", "project", "@Limen pause")
        await on.say("lin", "architecture", CHANGE)
        await on.wait(600)
        assert [one.state for one in await _handoffs(on)] == [handoffs.State.HELD]
        await on.say("bo", "project", "@Limen resume")
        await on.wait(60)
        assert "canary-release" in (await said(on, "project"))[-1]


async def test_quiet_hours_of_a_chat_hold_what_is_unasked(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("bo", "project", PLAN)
        await on.say("bo", "project", "@Limen 勿扰 9:00-11:00")
        await on.say("lin", "architecture", CHANGE)
        await on.wait(600)
        assert len(await said(on, "project")) == 1
        await on.say("bo", "project", "@Limen 勿扰 关")
        await on.wait(60)
        assert "canary-release" in (await said(on, "project"))[-1]


async def test_quiet_off_wins_over_the_operators_hours(stage: OpenStage) -> None:
    async with stage(speaking__quiet_hours="09:00-11:00") as on:
        await on.say("bo", "project", PLAN)
        await on.say("bo", "project", "@Limen quiet off")
        await on.say("lin", "architecture", CHANGE)
        await on.wait(600)
        assert "canary-release" in (await said(on, "project"))[-1]


@pytest.mark.parametrize(("order", "lead"), [("why?", "What led"), ("为什么？", "是这么来的")])
async def test_why_tells_the_chain_of_the_last_unasked_message(
    stage: OpenStage, order: str, lead: str
) -> None:
    async with stage() as on:
        await on.say("bo", "project", PLAN)
        await on.say("lin", "architecture", CHANGE)
        await on.wait(120)
        await on.say("ana", "project", f"@Limen {order}")
        await on.wait(5)
        told = (await said(on, "project"))[-1]
        assert lead in told
        assert f"#architecture, Lin: “{CHANGE}”" in told


async def test_why_as_a_reply_is_about_that_message(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel(conversation=echo))) as on:
        await on.say("ana", DIRECT, "one")
        await on.wait(5)
        first = (await on.posts(DIRECT, who="ana"))[-1]
        await on.say("ana", DIRECT, "two")
        await on.wait(5)
        await on.say("ana", DIRECT, "why", reply_to=first.id)
        await on.wait(5)
        told = (await said(on))[-1]
        assert "“one”" in told
        assert "“two”" not in told


def event(text: str, *, addressed: bool = True) -> Incoming:
    """The same message of Ann's in a room of Slack, however often it is made."""
    ann = Author(id="ann", name="Ann")
    return Incoming(
        address=Address(platform="slack", account="w", chat="plans", message="m9"),
        kind=EventKind.NEW,
        author=ann,
        room=Room(title="plans", kind=RoomKind.GROUP, open=True, workspace="w", members=(ann,)),
        text=text,
        at=MONDAY,
        addressed=addressed,
    )


async def _handoffs(on: Stage) -> list[handoffs.Handoff]:
    return await on.house.db.read(lambda r: handoffs.latest(r, limit=9))


async def test_a_run_under_way_keeps_no_word_of_what_was_taken_back_meanwhile(
    stage: OpenStage,
) -> None:
    def thinking(seen: Context) -> list[Block]:
        return [private(" | ".join(str(row["text"]) for row in seen.pending)), say("noted")]

    model = ScriptedModel(conversation=thinking)
    async with stage(around(model)) as on:
        let_go = model.hold("conversation")
        post = await on.say("ana", "general", "@Limen the palimpsest is blue")
        await on.say("bo", "general", "@Limen the rotunda is closed")
        await pass_time(on, model, 5)
        await on.house.rooms.delete("ana", post.id)
        await pass_time(on, model, 5)
        let_go()
        await on.wait(30)
        [run] = await conversations(on)
        kept = await on.house.db.read(lambda r: traces.steps(r, run.id))
        assert run.state is runs.State.SUCCEEDED
        assert [one.content for one in kept] == [[{"type": "text", "text": "(erased)"}]]
