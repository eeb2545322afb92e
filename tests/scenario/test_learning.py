"""What was told, how it was taken, and what comes of that: through the whole house."""

from dataclasses import dataclass

import pytest

from agency import engagement, feedback, lessons
from agency.feedback import Kind, Response, Telling
from bot.plays.stage import DIRECT, Stage
from memory.db import Reader
from tests.conftest import OpenStage


@dataclass(frozen=True)
class Words:
    """The same story in one language."""

    plan: str
    change: str
    again: str
    against: str
    learnt: str
    ask: str
    thanks: str
    acted: str


EN = Words(
    plan="Let's plan the rollout with legacy-release.",
    change="We decided: the release path moves from legacy-release to canary-release.",
    again="We decided: the release path moves from canary-release to ring-release.",
    against="not useful",
    learnt="less about",
    ask="what have you learnt?",
    thanks="useful",
    acted="Then we decided: the release path here moves to canary-release too.",
)
ZH = Words(
    plan="上线计划：发布流程走 legacy-release。",
    change="决定了：发布流程从 legacy-release 改为 canary-release。",
    again="决定了：发布流程从 canary-release 改为 ring-release。",
    against="没用",
    learnt="会少跟你说",
    ask="你学到了什么？",
    thanks="有用",
    acted="那我们也决定了：这边的发布流程改为 canary-release。",
)
BOTH = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


async def told(on: Stage, words: Words) -> str:
    """Let the project room be told of a change made elsewhere; the bot's message there."""
    await on.say("ana", "project", words.plan)
    await on.wait(600)
    await on.say("lin", "architecture", words.change)
    await on.wait(900)
    [post] = [post for post in await on.posts("project", who="ana") if post.author == "bot"]
    return post.id


async def look(on: Stage) -> tuple[list[Telling], list[Response]]:
    """What was told so far, and how it was taken."""

    def read(reader: Reader) -> tuple[list[Telling], list[Response]]:
        rows = reader.all("SELECT id FROM tellings ORDER BY id")
        found = [feedback.get(reader, row["id"]) for row in rows]
        return found, [one for t in found for one in feedback.responses(reader, t.id)]

    return await on.house.db.read(read)


async def kinds(on: Stage) -> set[Kind]:
    return {one.kind for one in (await look(on))[1]}


async def answers(on: Stage, room: str, who: str) -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


@BOTH
async def test_silence_is_no_refusal(stage: OpenStage, words: Words) -> None:
    async with stage() as on:
        await told(on, words)
        tellings, taken = await look(on)
        assert len(tellings) == 1 and not taken
        assert tellings[0].subject


@BOTH
async def test_a_reply_and_a_decision_that_followed_are_linked(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        post = await told(on, words)
        await on.say("bo", "project", "ok!", reply_to=post)
        await on.say("wei", "project", words.acted)
        await on.wait(60)
        assert await kinds(on) == {Kind.REPLY, Kind.ACTED}


@pytest.mark.parametrize(
    ("sign", "kind"), [("👍", Kind.LIKED), ("👎🏽", Kind.DISLIKED), ("🦜", Kind.REACTION)]
)
async def test_a_sign_on_it_is_linked_and_can_be_taken_away(
    stage: OpenStage, sign: str, kind: Kind
) -> None:
    async with stage() as on:
        post = await told(on, EN)
        await on.house.rooms.react("bo", post, sign, True)
        await on.wait(5)
        assert await kinds(on) == {kind}
        await on.house.rooms.react("bo", post, sign, False)
        await on.wait(5)
        assert await kinds(on) == set()


@BOTH
async def test_a_word_against_it_is_confirmed_listed_and_taken_back(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        post = await told(on, words)
        await on.say("bo", "project", f"@Limen {words.against}", reply_to=post)
        await on.wait(5)
        assert words.learnt in (await answers(on, "project", "bo"))[-1]
        await on.say("bo", DIRECT, words.ask)
        await on.wait(5)
        assert "n1" in (await answers(on, DIRECT, "bo"))[-1]
        await on.say("bo", "project", f"@Limen {words.thanks}", reply_to=post)
        await on.wait(5)
        held = await on.house.db.read(lessons.held, await person(on, "Bo"), now=on.clock())
        assert held == []


async def test_what_was_told_elsewhere_is_not_listed_in_a_room(stage: OpenStage) -> None:
    async with stage() as on:
        post = await told(on, EN)
        await on.say("bo", "project", "@Limen not useful", reply_to=post)
        await on.wait(5)
        await on.say("bo", "general", "@Limen lessons")
        await on.wait(5)
        assert "release" not in (await answers(on, "general", "bo"))[-1]


@BOTH
async def test_a_room_half_of_which_finds_it_useless_is_told_in_the_digest(
    stage: OpenStage, words: Words
) -> None:
    async with stage() as on:
        post = await told(on, words)
        for who in ("bo", "wei"):
            await on.say(who, "project", f"@Limen {words.against}", reply_to=post)
            await on.wait(5)
        tellings, _ = await look(on)

        def subject(reader: Reader) -> str:
            chat, about = tellings[0].session_id, tellings[0].subject
            return engagement.of(reader, chat, (), about, now=on.clock()).unwanted

        assert await on.house.db.read(subject) == tellings[0].subject


async def test_switched_off_nothing_is_noted(stage: OpenStage) -> None:
    async with stage(duties__learning=False) as on:
        post = await told(on, EN)
        await on.house.rooms.react("bo", post, "👎", True)
        await on.wait(5)
        assert await look(on) == ([], [])


async def person(on: Stage, name: str) -> int:
    def find(reader: Reader) -> int:
        row = reader.one("SELECT id FROM people WHERE name = :name", name=name)
        assert row is not None
        return int(row["id"])

    return await on.house.db.read(find)


@BOTH
async def test_a_digest_is_told_too_and_a_word_on_it_asks_which_line(
    stage: OpenStage, words: Words
) -> None:
    async with stage(speaking__minor="digest", speaking__digest_at="12:00") as on:
        await on.say("ana", DIRECT, "help")
        for thing, port in (("importer", 8443), ("mail relay", 9100)):
            await on.say("ana", "project", ASKED[words is ZH].format(thing))
            await on.wait(60)
            await on.say("lin", "architecture", ANSWERED[words is ZH].format(thing, port))
            await on.wait(600)
        await on.wait(2 * 3600)
        digest = (await on.posts(DIRECT, who="ana"))[-1]
        tellings, _ = await look(on)
        assert len(tellings) == 2, digest.text
        await on.say("ana", DIRECT, words.against, reply_to=digest.id)
        await on.wait(5)
        answer = (await answers(on, DIRECT, "ana"))[-1]
        assert all(one.subject in answer for one in tellings)
        assert not await on.house.db.read(lessons.held, await person(on, "Ana"), now=on.clock())


ASKED = ("Does anybody know which port the {} uses?", "有人知道{}用哪个端口吗？")
ANSWERED = ("FYI the {} uses port {}.", "说一下，{}用的端口是{}。")
