"""What somebody still waits for is asked for once, in the right place, while it is open."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from agency import waits
from agency.waits import State, Wait
from bot.app import Surroundings
from bot.plays.stage import DIRECT, Stage
from memory.db import Reader
from tests.conftest import OpenStage
from tests.fakes.scripted_chat import ScriptedChat

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Words:
    """The same story in one language."""

    promise: str
    undated: str
    thing: str
    other: str
    kept: str
    moved: str
    question: str
    asked: str
    answer: str


EN = Words(
    promise="I'll send the budget sheet by tomorrow noon.",
    undated="I will send you the supplier contract.",
    thing="budget sheet",
    other="invoice template",
    kept="The budget sheet is in the shared folder now.",
    moved="Sorry, the budget sheet will take until Friday.",
    question="Wei, which registry do we use for the images?",
    asked="registry",
    answer="the one in Frankfurt",
)
ZH = Words(
    promise="预算表我明天中午前发出来。",
    undated="供应商合同我会发给你。",
    thing="预算表",
    other="发票模板",
    kept="预算表已经放到共享文件夹了。",
    moved="抱歉，预算表要到周五了。",
    question="Wei，镜像用哪个仓库？",
    asked="仓库",
    answer="法兰克福那个",
)
BOTH = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


async def told(on: Stage, room: str, who: str) -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def later(on: Stage, span: timedelta) -> None:
    """Let time pass, in a jump: nothing is said meanwhile, and what was due comes at once."""
    await on.wait(60)
    on.clock.skip(span)
    await on.wait(120)


async def kept(on: Stage) -> list[Wait]:
    def read(reader: Reader) -> list[Wait]:
        rows = reader.all("SELECT id FROM waits ORDER BY id")
        return [waits.get(reader, row["id"]) for row in rows]

    return await on.house.db.read(read)


@BOTH
async def test_a_promise_that_is_overdue_is_asked_for_once_in_its_owners_dm(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        await on.say("ana", DIRECT, "help")
        await on.say("ana", "project", words.promise)
        await later(on, 27 * HOUR)
        [asked] = [text for text in await told(on, DIRECT, "ana") if words.thing in text]
        assert "#project" in asked
        await later(on, 5 * DAY)
        assert sum(words.thing in text for text in await told(on, DIRECT, "ana")) == 1
        assert await told(on, "project", "ana") == []


@BOTH
async def test_a_promise_that_was_kept_is_not_asked_for(stage: OpenStage, words: Words) -> None:
    async with stage() as on:
        await on.say("ana", "project", words.promise)
        await later(on, 20 * HOUR)
        await on.say("ana", "project", words.kept)
        await later(on, 2 * DAY)
        assert [one.state for one in await kept(on)] == [State.SETTLED]
        assert await told(on, DIRECT, "ana") == []


@BOTH
async def test_a_promise_that_was_moved_waits_for_its_new_time(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        await on.say("ana", "project", words.promise)
        await later(on, 20 * HOUR)
        await on.say("ana", "project", words.moved)
        await later(on, DAY)
        assert await told(on, DIRECT, "ana") == []


@BOTH
async def test_a_promise_without_a_date_is_asked_for_after_some_days_of_silence(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        await on.say("ana", "project", words.undated)
        await later(on, 2 * DAY - HOUR)
        assert await told(on, DIRECT, "ana") == []
        await later(on, 2 * HOUR)
        assert len(await told(on, DIRECT, "ana")) == 1


@BOTH
async def test_a_question_by_name_is_called_to_mind_where_it_was_not_answered(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        await on.say("ana", "project", words.question)
        await later(on, 2 * DAY + HOUR)
        [asked] = await told(on, DIRECT, "wei")
        assert words.asked in asked and "Ana" in asked


@BOTH
async def test_a_question_that_was_answered_is_left_alone(stage: OpenStage, words: Words) -> None:
    async with stage() as on:
        await on.say("ana", "project", words.question)
        await later(on, HOUR)
        await on.say("wei", "project", words.answer)
        await later(on, 3 * DAY)
        assert [one.state for one in await kept(on)] == [State.SETTLED]
        assert await told(on, DIRECT, "wei") == []


@BOTH
async def test_what_was_taken_back_is_no_promise(stage: OpenStage, words: Words) -> None:
    async with stage() as on:
        post = await on.say("ana", "project", words.promise)
        await later(on, HOUR)
        await on.house.rooms.delete("ana", post.id)
        await later(on, 2 * DAY)
        assert [one.state for one in await kept(on)] == [State.DROPPED]
        assert await told(on, DIRECT, "ana") == []


@BOTH
async def test_an_edited_promise_is_due_when_it_says_now(stage: OpenStage, words: Words) -> None:
    async with stage() as on:
        post = await on.say("ana", "project", words.promise)
        await later(on, HOUR)
        await on.house.rooms.edit("ana", post.id, words.promise.replace("noon", "18:00"))
        await on.wait(60)
        assert len([one for one in await kept(on) if one.state is State.OPEN]) == 1


@BOTH
async def test_switched_off_nobody_is_asked(stage: OpenStage, words: Words) -> None:
    async with stage(duties__waits=False) as on:
        await on.say("ana", "project", words.question)
        await later(on, 3 * DAY)
        assert await kept(on) == []
        assert await told(on, DIRECT, "wei") == []


@BOTH
async def test_what_was_kept_long_ago_is_not_asked_for_when_something_like_it_is_promised(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        await on.say("ana", "general", words.promise)
        await later(on, 20 * HOUR)
        await on.say("ana", "general", words.kept)
        for number in range(12):  # so much that the keeping is out of sight
            await on.say("bo", "general", f"tests are green, build {number}")
        await later(on, DAY)
        await on.say("ana", "general", words.promise.replace(words.thing, words.other))
        await later(on, HOUR)
        assert await told(on, DIRECT, "ana") == []


@BOTH
async def test_without_a_dm_it_is_asked_where_it_was_promised(
    stage: OpenStage, words: Words
) -> None:
    chat = ScriptedChat()
    async with stage(Surroundings(chats=(chat,))) as on:
        await chat.say("cy", words.promise, room="plans", addressed=False)
        await later(on, 27 * HOUR)
        [asked] = [letter.text for letter in chat.sent if words.thing in letter.text]
        assert [letter.room.chat for letter in chat.sent] == ["plans"], asked
