"""What people want of it, in plain words of both languages: confirmed, kept, taken back."""

import pytest

from agency import handoffs
from agency.handoffs import State
from bot.app import Surroundings
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from tests.conftest import OpenStage
from tests.fakes.scripted import ScriptedModel, echo, say, use

PLAN = "Let's plan the rollout with legacy-release."
CHANGE = "We decided: the release path moves from legacy-release to canary-release."
ZH_PLAN = "我们计划用 legacy-release 上线。"
ZH_CHANGE = "决定了：发布流程从 legacy-release 改为 canary-release。"


async def said(on: Stage, room: str = DIRECT, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def states(on: Stage) -> list[State]:
    found = await on.house.db.read(lambda r: handoffs.latest(r, limit=9))
    return [one.state for one in found]


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("stop telling me about the newsletter", "not bring up “the newsletter” to you."),
        ("don't tell me about the audit until Monday", "“the audit” to you until 2026-12-07 09:00"),
        ("别再跟我说周报的事", "不再主动跟你说“周报”"),
        ("what have I muted?", "Nothing is muted"), ("屏蔽列表", "没有屏蔽任何事"),
        ("be quiet here", "only answer here until you say otherwise"),
        ("be quiet here until Monday", "only answer here until 2026-12-07 09:00"),
        ("安静到周一", "到 2026-12-07 09:00，我在这里只回答"), ("只有@我才说", "我在这里只回答"),
        ("only mentions", "only answer here"), ("pause until Monday", "until 2026-12-07 09:00"),
        ("暂停到周一", "已暂停到 2026-12-07 09:00"),
        ("pause me until Friday", "tell you nothing unasked until 2026-12-04 09:00"),
        ("别打扰我", "不会主动打扰你"), ("你可以找我了", "你没有让我别打扰你"),
        ("my time zone is Europe/Berlin", "Europe/Berlin, where it is 11:00 now"),
        ("我的时区是 Asia/Shanghai", "那里现在是 18:00"),
        ("/zone Mars/Olympus", "no such zone"), ("/zone", "I go by UTC"),
        ("my quiet hours 22-7", "22:00–07:00 (UTC)"), ("我的勿扰 22-7", "22:00–07:00（UTC）"),
        ("/myquiet whenever", "Say the hours like"), ("my limit 3", "At most 3 a day"),
        ("每天最多3条", "每天最多 3 条"), ("/limit lots", "Say a number"), ("/mute", "Say of what"),
        ("/unmute newsletter", "You have not muted that"), ("/speak", "nobody asked me not to"),
    ],
)  # fmt: skip
async def test_every_wish_is_confirmed_at_once(stage: OpenStage, order: str, answer: str) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model)) as on:
        await on.say("ana", DIRECT, order)
        await on.wait(1)
        [text] = await said(on)
        assert answer in text
        assert model.calls == []


@pytest.mark.parametrize(
    ("plan", "order", "change", "undo"),
    [
        (PLAN, "@Limen don't mention legacy-release here", CHANGE,
         "@Limen tell us about legacy-release again"),
        (ZH_PLAN, "@Limen 别在这里提 legacy-release 的事", ZH_CHANGE,
         "@Limen 可以再说 legacy-release 了"),
    ],
)  # fmt: skip
async def test_what_a_room_muted_is_not_told_there_until_it_may_be_again(
    stage: OpenStage, plan: str, order: str, change: str, undo: str
) -> None:
    async with stage() as on:
        await on.say("bo", "project", plan)
        await on.say("bo", "project", order)
        await on.wait(1)
        await on.say("lin", "architecture", change)
        await on.wait(300)
        assert len(await said(on, "project")) == 1
        assert await states(on) == [State.SILENT]
        await on.say("bo", "project", undo)
        await on.wait(1)
        await on.say("lin", "architecture", change.replace("canary-release", "blue-release"))
        await on.wait(300)
        assert "blue-release" in (await said(on, "project"))[-1]


@pytest.mark.parametrize(
    ("plan", "order", "change", "undo"),
    [
        (PLAN, "@Limen be quiet here until 10:30", CHANGE, "@Limen you can speak up again"),
        (ZH_PLAN, "@Limen 安静到10:30", ZH_CHANGE, "@Limen 可以说话了"),
        (PLAN, "@Limen only mentions", CHANGE, "@Limen speak up"),
    ],
)
async def test_a_room_that_wants_answers_only_gets_them_and_the_rest_later(
    stage: OpenStage, plan: str, order: str, change: str, undo: str
) -> None:
    async with stage() as on:
        await on.say("bo", "project", plan)
        await on.say("bo", "project", order)
        await on.wait(1)
        await on.say("lin", "architecture", change)
        await on.wait(300)
        assert len(await said(on, "project")) == 1
        [waits] = await states(on)
        assert waits in (State.HELD, State.DIGEST)
        await on.say("bo", "project", "@Limen hello")
        await on.wait(30)
        assert len(await said(on, "project")) == 2, "asked, it answers"
        await on.say("bo", "project", undo)
        await on.wait(60)
        told = [text for text in await said(on, "project") if "canary-release" in text]
        assert len(told) == (1 if waits is State.HELD else 0)


async def test_pausing_one_person_leaves_the_others_alone(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("ana", DIRECT, "pause me")
        await on.say("bo", "project", PLAN)
        await on.say("lin", "architecture", CHANGE)
        await on.wait(300)
        assert "canary-release" in (await said(on, "project"))[-1]
        await on.say("ana", DIRECT, "hello")
        await on.wait(30)
        assert len(await said(on)) == 2, "who asks is answered"


async def test_what_is_muted_is_listed_where_it_holds_and_only_there(stage: OpenStage) -> None:
    async with stage(Surroundings(model=ScriptedModel(conversation=echo))) as on:
        await on.say("ana", DIRECT, "stop telling me about the audit")
        await on.say("ana", "project", "@Limen don't mention lunch here")
        await on.say("ana", DIRECT, "what have I muted?")
        await on.say("ana", "project", "@Limen 屏蔽列表")
        await on.wait(5)
        assert "the audit" in (await said(on))[-1]
        assert "lunch" not in (await said(on))[-1]
        assert "lunch" in (await said(on, "project"))[-1]
        assert "audit" not in (await said(on, "project"))[-1], "others read along"
        await on.say("ana", "general", "@Limen muted")
        await on.wait(5)
        assert "in our DM" in (await said(on, "general"))[-1], "her own are not told as none"


@pytest.mark.parametrize("text", ["tell me about the release again", "可以再说一下发布吗"])
async def test_what_nobody_muted_is_a_question_and_no_order(stage: OpenStage, text: str) -> None:
    async with stage(Surroundings(model=ScriptedModel(conversation=echo))) as on:
        await on.say("ana", DIRECT, text)
        await on.wait(30)
        assert await said(on) == [f"heard: {text}"]


async def test_status_tells_what_holds_here(stage: OpenStage) -> None:
    async with stage(Surroundings(model=ScriptedModel(conversation=echo))) as on:
        for order in (
            "my time zone is Asia/Shanghai", "quiet 22-7", "pause me until Friday",
            "stop telling me about lunch", "be quiet here", "status",
        ):  # fmt: skip
            await on.say("ana", DIRECT, order)
        await on.wait(5)
        status = (await said(on))[-1]
        assert "quiet hours 22:00–07:00 (Asia/Shanghai)" in status
        assert "I tell you nothing unasked, until 2026-12-04 09:00" in status
        assert "not brought up: lunch" in status
        assert "here I only answer, until somebody says `resume`" in status


async def test_resume_ends_every_silence_of_a_dm(stage: OpenStage) -> None:
    async with stage(Surroundings(model=ScriptedModel(conversation=echo))) as on:
        for order in ("be quiet here", "pause me", "resume", "resume"):
            await on.say("ana", DIRECT, order)
            await on.wait(30)
        assert (await said(on))[2:] == ["I am back.", "heard: resume"]


@pytest.mark.parametrize(
    ("wish", "what", "text", "told"),
    [
        ("mute", "the newsletter", "I am fed up with that newsletter", "“the newsletter” to you"),
        ("mute", "周报", "周报我看够了", "不再主动跟你说“周报”"),
        ("pause_me", "until Monday", "let me work in peace this week", "until 2026-12-07 09:00"),
        ("my_time_zone", "Asia/Shanghai", "I moved to Shanghai", "Asia/Shanghai, where it is"),
    ],
)
async def test_a_model_keeps_a_wish_said_in_other_words(
    stage: OpenStage, wish: str, what: str, text: str, told: str
) -> None:
    def answer(seen: Context) -> list[Block]:
        if not seen.steps:
            return [use("set_wish", wish=wish, what=what)]
        return [say(seen.steps[-1].text)]

    async with stage(Surroundings(model=ScriptedModel(conversation=answer))) as on:
        await on.say("ana", DIRECT, text)
        await on.wait(30)
        assert told in (await said(on))[-1]


async def test_a_wish_a_model_words_badly_is_refused_with_the_form_it_takes(
    stage: OpenStage,
) -> None:
    def answer(seen: Context) -> list[Block]:
        if not seen.steps:
            return [use("set_wish", wish="my_time_zone", what="Mars")]
        return [say(seen.steps[-1].text)]

    async with stage(Surroundings(model=ScriptedModel(conversation=answer))) as on:
        await on.say("ana", DIRECT, "I moved to Mars")
        await on.wait(30)
        assert "an IANA name like 'Europe/Berlin'" in (await said(on))[-1]
