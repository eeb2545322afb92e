"""A yes to telling what was said in a DM: shown word for word, limited, reminded of, taken back."""

from datetime import timedelta

import pytest

from agency import consents
from agency.consents import Consent, Scope, State
from bot import chains
from bot.engine import letters
from bot.plays.stage import DIRECT, Stage
from tests.conftest import OpenStage

TALKS = {
    "en": (
        ("bo", "project", "We wait for the migration script. Who is on the migration script?"),
        ("mo", DIRECT, "I will finish the migration script by Friday."),
    ),
    "zh": (
        ("bo", "project", "我们在等迁移脚本。迁移脚本谁在做？"),
        ("mo", DIRECT, "迁移脚本我周五前做完。"),
    ),
}
WORD = {"en": "migration script", "zh": "迁移脚本"}


async def ask(on: Stage, language: str) -> None:
    """Something Mo said in private would help the project room."""
    for who, room, text in TALKS[language]:
        await on.say(who, room, text)
        await on.wait(60)


async def later(on: Stage, **span: float) -> None:
    """Let time pass in one leap, and then what is due be done."""
    on.clock.skip(timedelta(**span))
    await on.wait(90)


async def said(on: Stage, room: str = DIRECT, who: str = "mo") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def told(on: Stage, language: str) -> bool:
    return any(WORD[language] in text for text in await said(on, "project", "bo"))


async def questions(on: Stage) -> int:
    """How often Mo was asked, reminders among them."""
    asked = [
        text for text in await said(on) if "#project" in text and ("?" in text or "吗" in text)
    ]
    return len(asked)


async def kept(on: Stage) -> Consent:
    found: list[Consent] = await on.house.db.read(lambda reader: consents.latest(reader, limit=9))
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("language", TALKS)
async def test_the_question_shows_the_very_words(stage: OpenStage, language: str) -> None:
    async with stage() as on:
        await ask(on, language)
        question = (await said(on))[-1]
        assert (await kept(on)).body.rstrip(".。") in question
        await on.press("mo", True)
        await on.wait(60)
        assert (await said(on, "project", "bo"))[-1] == (await kept(on)).body


@pytest.mark.parametrize(
    ("language", "word", "scope", "days"),
    [
        ("en", "yes", Scope.ONCE, None),
        ("en", "yes, but only until Friday", Scope.FACT, 5),
        ("en", "yes, always", Scope.ROOM, None),
        ("en", "sure, whenever it comes up", Scope.FACT, None),
        ("zh", "可以", Scope.ONCE, None),
        ("zh", "可以，到周五为止", Scope.FACT, 5),
        ("zh", "可以，以后都行", Scope.ROOM, None),
        ("zh", "可以，但只告诉项目群", Scope.ONCE, None),
    ],
)
async def test_a_yes_in_words_keeps_its_limits(
    stage: OpenStage, language: str, word: str, scope: Scope, days: int | None
) -> None:
    async with stage() as on:
        await ask(on, language)
        await on.say("mo", DIRECT, word)
        await on.wait(60)
        answer = await kept(on)
        assert (answer.state, answer.scope) == (State.GRANTED, scope)
        assert (answer.until is None) == (days is None)
        if answer.until is not None:
            assert f"{answer.until:%Y-%m-%d %H:%M}" == "2026-12-05 00:00", "the whole Friday"
        assert await told(on, language)


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "no"),
        ("en", "yes, tell them but not the date"),
        ("en", "yes, but only tell Bo"),
        ("zh", "不行"),
        ("zh", "可以，但别说日期"),
        ("zh", "可以，但只告诉小李"),
    ],
)
async def test_what_is_no_yes_to_these_words_tells_nothing(
    stage: OpenStage, language: str, word: str
) -> None:
    async with stage() as on:
        await ask(on, language)
        await on.say("mo", DIRECT, word)
        await on.wait(60)
        answer = await kept(on)
        assert answer.state is State.DENIED
        assert answer.note == word
        assert not await told(on, language)


@pytest.mark.parametrize(
    ("language", "taken"), [("en", "I take that back"), ("en", "don't tell them after all"),
                            ("zh", "我收回刚才的话"), ("zh", "还是别告诉他们了")]
)  # fmt: skip
async def test_taken_back_in_words_before_it_was_told_it_stops_the_telling(
    stage: OpenStage, language: str, taken: str
) -> None:
    async with stage() as on:
        await ask(on, language)
        await on.say("bo", "project", "@Limen quiet 08:00-20:00")
        await on.say("mo", DIRECT, "yes" if language == "en" else "可以")
        await on.wait(60)
        assert not await told(on, language), "it waits for the end of the room's quiet hours"
        await on.say("mo", DIRECT, taken)
        await on.wait(60)
        assert (await kept(on)).state is State.REVOKED
        await later(on, hours=12)
        assert not await told(on, language)


@pytest.mark.parametrize(("language", "order"), [("en", "take back c1"), ("zh", "收回 c1")])
async def test_a_standing_yes_is_listed_and_taken_back(
    stage: OpenStage, language: str, order: str
) -> None:
    async with stage() as on:
        await ask(on, language)
        for post in await on.posts(DIRECT, who="mo"):
            for button in post.buttons:
                if button.value.endswith(":always"):
                    await on.house.rooms.press("mo", post.id, button.value)
        await on.wait(60)
        assert (await kept(on)).standing
        assert order in (await said(on))[-1], "how to end it is said at once"
        await on.say("mo", DIRECT, "consents" if language == "en" else "我的同意")
        await on.wait(5)
        assert "c1" in (await said(on))[-1] and "#project" in (await said(on))[-1]
        await on.say("bo", DIRECT, order)
        await on.wait(5)
        assert (await kept(on)).standing, "it is not Bo's to take back"
        await on.say("mo", DIRECT, order)
        await on.wait(5)
        assert (await kept(on)).state is State.REVOKED


@pytest.mark.parametrize(
    ("language", "words"), [("en", "I take that back"), ("zh", "我收回刚才的话")]
)
async def test_what_was_told_cannot_be_taken_back_and_that_is_said(
    stage: OpenStage, language: str, words: str
) -> None:
    async with stage() as on:
        await ask(on, language)
        await on.press("mo", True)
        await on.wait(60)
        await on.say("mo", DIRECT, words)
        await on.wait(10)
        last = (await said(on))[-1]
        assert "already" in last or "已经" in last


@pytest.mark.parametrize("language", TALKS)
async def test_the_list_is_for_ones_own_chat_only(stage: OpenStage, language: str) -> None:
    async with stage() as on:
        await on.say(
            "mo", "architecture", "@Limen " + ("consents" if language == "en" else "我的同意")
        )
        await on.wait(5)
        last = (await said(on, "architecture"))[-1]
        assert "DM" in last or "私聊" in last


@pytest.mark.parametrize("language", TALKS)
async def test_it_waits_overnight_and_is_reminded_of_once_in_the_morning(
    stage: OpenStage, language: str
) -> None:
    async with stage(speaking__quiet_hours="22:00-08:00") as on:
        await later(on, hours=7)  # five in the afternoon
        await ask(on, language)
        assert await questions(on) == 1
        await later(on, hours=14)  # past seven
        assert await questions(on) == 1
        await later(on, hours=1)  # past eight
        assert await questions(on) == 2
        reminder = await on.house.db.read(lambda reader: letters.latest(reader, limit=1)[0])
        assert reminder.proactive and len(reminder.buttons) == 3
        chain = await on.house.db.read(
            lambda reader: chains.of_letter(reader, reminder, hears=None)
        )
        assert chain[0]["step"] == "original" and chain[-1]["step"] == "delivery"
        await later(on, hours=5)
        assert await questions(on) == 2
        await on.press("mo", True)
        await on.wait(60)
        assert (await kept(on)).state is State.GRANTED


@pytest.mark.parametrize("language", TALKS)
async def test_a_restart_between_question_and_answer_loses_neither(
    stage: OpenStage, language: str
) -> None:
    async with stage() as on:
        await ask(on, language)
        now = on.clock()
    async with stage() as on:
        on.clock.skip(now - on.clock() + timedelta(hours=5))
        await on.wait(90)
        assert await questions(on) == 1
        await on.press("mo", True)
        await on.wait(60)
        assert await told(on, language)


@pytest.mark.parametrize(
    ("language", "hours", "yes", "thanks"),
    [
        ("en", "my quiet hours 0-23", "yes, but only until Friday", "Thanks, I will tell #project"),
        ("zh", "我的勿扰 0-23", "可以，到周五为止", "#project"),
    ],
)
async def test_whoever_answers_a_question_that_waits_for_their_morning_is_thanked(
    stage: OpenStage, language: str, hours: str, yes: str, thanks: str
) -> None:
    async with stage() as on:
        await on.say("mo", DIRECT, hours)
        await ask(on, language)
        await on.say("mo", DIRECT, {"en": "approvals", "zh": "待确认"}[language])
        await on.wait(5)
        before = len(await said(on))
        await on.say("mo", DIRECT, yes)
        await on.wait(60)
        [answer] = (await said(on))[before:]
        assert thanks in answer and "?" not in answer and "？" not in answer
        assert await told(on, language)
