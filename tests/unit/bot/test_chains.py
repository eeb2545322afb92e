"""The chain behind something the bot said, for those who were there and those who were not."""

import pytest

from adapters.chat import Address
from adapters.web.rooms import BOT, Post
from bot.plays.stage import DIRECT, Stage
from bot.rows import Row
from tests.conftest import OpenStage

STORY = {
    "en": (
        ("lin", "architecture", "The release path moves from legacy-release to canary-release."),
        ("mo", DIRECT, "I will finish the migration script for canary-release by Friday."),
        ("bo", "project", "Plan: we rehearse the rollout with legacy-release on Wednesday."),
    ),
    "zh": (
        ("lin", "architecture", "我们决定了：发布路径从 legacy-release 改为 canary-release。"),
        ("mo", DIRECT, "canary-release 的迁移脚本我周五前做完。"),
        ("bo", "project", "本周计划：周三用 legacy-release 演练上线，周四冻结。"),
    ),
}
SCRIPT = {"en": "migration script", "zh": "迁移脚本"}
QUESTION = {"en": "@Limen what is the release path now?", "zh": "@Limen 现在的发布路径是什么？"}
CONSENTED = {"en": "told with its author's word", "zh": "经本人同意后转告"}
AGREED = {"en": "agreed that #project may be told", "zh": "得到同意后才告诉 #project"}


async def play(on: Stage, language: str) -> None:
    for who, room, text in STORY[language]:
        await on.say(who, room, text)
        await on.wait(8)
    await on.wait(60)


async def why(on: Stage, post: Post, viewer: str | None) -> list[Row]:
    address = Address(platform="web", account="local", chat=post.room, message=post.id)
    return await on.house.views.why(viewer, address)


async def by_bot(on: Stage, room: str, words: str, *, who: str = "") -> Post:
    posts = await on.posts(room, who=who)
    return next(post for post in reversed(posts) if post.author == BOT and words in post.text)


def steps(chain: list[Row]) -> list[str]:
    return [row["step"] for row in chain]


@pytest.mark.parametrize("language", STORY)
async def test_a_nudge_leads_back_to_what_was_said(stage: OpenStage, language: str) -> None:
    async with stage() as on:
        await play(on, language)
        chain = await why(on, await by_bot(on, "project", "canary-release"), "bo")
        assert steps(chain) == ["original", "fire", "agency run", "handoff", "run", "delivery"]
        first, *_, handoff, _, last = chain
        assert (first["from"], first["room"]) == ("Lin", "#architecture")
        assert first["text"] == STORY[language][0][2]
        assert all(gate["passed"] for gate in handoff["gates"]) and handoff["state"] == "spoken"
        assert last["room"] == "#project" and last["state"] == "sent"
        assert all(row["text"] and row["at"] and row["id"] for row in chain)
        times = [row["at"] for row in chain]
        assert times == sorted(times), "causes come before what they caused"


@pytest.mark.parametrize("language", STORY)
async def test_a_private_source_is_named_only_to_those_who_heard_it(
    stage: OpenStage, language: str
) -> None:
    async with stage() as on:
        await play(on, language)
        assert await on.press("mo", True)
        await on.wait(60)
        told = await by_bot(on, "project", SCRIPT[language])

        own = await why(on, told, "mo")
        assert own[0]["text"] == STORY[language][1][2] and own[0]["room"] == "@Mo"
        consent = next(row for row in own if row["step"] == "consent")
        assert "Mo" in consent["text"] and AGREED[language] in consent["text"]

        others = await why(on, told, "bo")
        assert others[0]["private"] and CONSENTED[language] in others[0]["text"]
        assert "from" not in others[0] and "room" not in others[0]
        consent = next(row for row in others if row["step"] == "consent")
        assert "Mo" not in consent["text"] and AGREED[language] in consent["text"]
        assert STORY[language][1][2] not in str(others)


@pytest.mark.parametrize("language", STORY)
async def test_the_question_for_consent_has_a_chain_of_its_own(
    stage: OpenStage, language: str
) -> None:
    async with stage() as on:
        await play(on, language)
        asked = await by_bot(on, DIRECT, "#project", who="mo")
        chain = await why(on, asked, "mo")
        assert steps(chain)[-3:] == ["run", "delivery", "consent"]
        assert chain[-1]["state"] == "asked"
        hidden = await why(on, asked, "bo")
        assert SCRIPT[language] not in str(hidden) and hidden[-2]["private"]


@pytest.mark.parametrize("language", STORY)
async def test_an_answer_names_the_question_and_what_it_quotes(
    stage: OpenStage, language: str
) -> None:
    async with stage() as on:
        await on.say(*STORY[language][0])
        await on.wait(30)
        await on.say("bo", "project", QUESTION[language])
        await on.wait(30)
        chain = await why(on, await by_bot(on, "project", "canary-release"), "bo")
        assert steps(chain) == ["original", "original", "run", "delivery"]
        assert [row["text"] for row in chain[:2]] == [STORY[language][0][2], QUESTION[language]]


async def test_only_the_bots_words_have_a_chain(stage: OpenStage) -> None:
    async with stage() as on:
        post = await on.say("bo", "project", "Hello everybody.")
        await on.wait(10)
        assert await why(on, post, None) == []


async def test_words_taken_back_are_not_shown_again(stage: OpenStage) -> None:
    async with stage() as on:
        post = await on.say(*STORY["en"][0])
        await on.wait(8)
        await on.say(*STORY["en"][2])
        await on.wait(60)
        told = await by_bot(on, "project", "canary-release")
        await on.house.rooms.delete("lin", post.id)
        await on.wait(10)
        chain = await why(on, told, None)
        assert chain[0]["text"] == "(taken back by its author)"
