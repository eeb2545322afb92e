"""What people find in their inbox and order about it: in the chat, on the page, at the machine."""

import json

import pytest

from adapters.chat import Health
from agency import inbox
from agency.inbox import Kind, State
from bot import inspection, reading
from bot.app import Surroundings
from bot.errors import LimenError, ModelRefused
from bot.plays.stage import DIRECT, Stage
from memory import people
from tests.conftest import OpenStage
from tests.fakes import newsroom
from tests.fakes.newsroom import digests, heard, until
from tests.fakes.scripted import ScriptedModel
from tests.fakes.scripted_chat import ScriptedChat
from tests.scenario import witness

DIGEST = {"speaking__minor": "digest", "agency__memory": "false"}
NEWS = {"en": "News: the demo is on Thursday", "zh": "消息：演示改到周四"}
HELLO = {"en": "good morning", "zh": "早上好"}
SAID = {
    "en": {"inbox": "inbox", "at": "digest 8:30", "off": "digest off", "now": "digest now",
           "is": "digest", "report": "report"},
    "zh": {"inbox": "收件箱", "at": "摘要 8:30", "off": "摘要 关", "now": "现在摘要",
           "is": "摘要", "report": "日报"},
}  # fmt: skip
FOUND = {
    "en": {"inbox": "**In your next digest** (tomorrow 09:00)", "at": "at 08:30 (UTC)",
           "off": "no digest any more", "is": "comes at 09:00 (UTC)", "none": "Nothing waits",
           "report": "**Report for Monday, 30 November**"},
    "zh": {"inbox": "**会在下次摘要里**（明天 09:00）", "at": "每天 08:30（UTC）",
           "off": "不再给你发摘要", "is": "每天 09:00（UTC）", "none": "没有等你的事",
           "report": "**11月30日（周一）日报**"},
}  # fmt: skip


def around() -> Surroundings:
    return Surroundings(model=newsroom.model())


async def order(on: Stage, who: str, text: str, room: str = DIRECT) -> str:
    """What the bot answers to an order."""
    before = len(await heard(on, who, room=room))
    await on.say(who, room, text)
    await on.wait(5)
    found = await heard(on, who, room=room)
    assert len(found) == before + 1, found[before:]
    return found[-1]


async def one_piece_of_news(on: Stage, lang: str = "en", *dms: str) -> None:
    for who in dms:
        await on.say(who, DIRECT, HELLO[lang])
    await on.say("bo", "project", HELLO[lang])
    await on.say("lin", "architecture", NEWS[lang])
    await on.wait(60)


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_somebody_looks_into_their_inbox_and_gets_the_digest_all_the_same(
    stage: OpenStage, lang: str
) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, lang, "bo")
        answer = await order(on, "bo", SAID[lang]["inbox"])
        assert FOUND[lang]["inbox"] in answer and NEWS[lang] in answer
        assert "#project · " in answer
        await until(on, 9)
        assert len(await digests(on, "bo")) == 1
        assert "· " in await order(on, "bo", SAID[lang]["inbox"]), "told lately"


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_somebody_chooses_the_hour_of_their_digest(stage: OpenStage, lang: str) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, lang, "bo", "ana")
        assert FOUND[lang]["is"] in await order(on, "bo", SAID[lang]["is"])
        assert FOUND[lang]["at"] in await order(on, "bo", SAID[lang]["at"])
        await until(on, 8, 27)
        assert await digests(on, "bo") == []
        await until(on, 8, 30)
        assert len(await digests(on, "bo")) == 1
        assert await digests(on, "ana") == [], "theirs is at nine"


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_somebody_wants_no_digest_and_keeps_their_inbox(stage: OpenStage, lang: str) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, lang, "bo")
        assert FOUND[lang]["off"] in await order(on, "bo", SAID[lang]["off"])
        await until(on, 9)
        assert await digests(on, "bo") == []
        assert NEWS[lang] in await order(on, "bo", SAID[lang]["inbox"])


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_somebody_wants_their_digest_now_and_is_not_told_twice(
    stage: OpenStage, lang: str
) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, lang, "bo")
        assert NEWS[lang] in await order(on, "bo", SAID[lang]["now"])
        assert FOUND[lang]["none"] in await order(on, "bo", SAID[lang]["now"])
        await until(on, 9)
        assert len(await digests(on, "bo")) == 1, "the one they asked for"


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_report_counts_what_was_in_the_rooms_of_whoever_asks(
    stage: OpenStage, lang: str
) -> None:
    async with stage(around(), **DIGEST, access__admins="web:lin") as on:
        await one_piece_of_news(on, lang, "bo")
        mine = await order(on, "bo", SAID[lang]["report"])
        assert FOUND[lang]["report"] in mine
        assert ("2 messages in 2 rooms" if lang == "en" else "2 个房间的 2 条消息") in mine
        assert ("1 waiting" if lang == "en" else "1 件在等") in mine
        assert "token" not in mine, "what the house spends is for its admins"
        whole = await order(on, "lin", SAID[lang]["report"])
        assert ("3 messages in 3 rooms" if lang == "en" else "3 个房间的 3 条消息") in whole
        assert "token" in whole


async def test_an_inbox_is_shown_to_its_person_alone(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, "en", "bo")
        for words in ("inbox", "digest now", "report"):
            answer = await order(on, "bo", f"@Limen {words}", "project")
            assert answer == "That is yours alone: please ask me in a DM."


async def test_a_time_that_is_none_is_told_how_to_write_it(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        assert "`digest 8:30`" in await order(on, "bo", "/digest whenever")


async def test_somebody_without_a_dm_finds_it_on_the_page_and_at_the_machine(
    stage: OpenStage,
) -> None:
    chat = ScriptedChat(name="slack")
    given = Surroundings(model=newsroom.model("plans"), chats=(chat,))
    async with stage(given, **DIGEST) as on:
        await chat.say("kim", "good morning", room="plans", addressed=False)
        await chat.say("zoe", NEWS["en"], room="design", addressed=False)
        await on.wait(60)
        [row] = await on.house.views.inbox(None)
        assert (row["person"], row["reachable"], row["next_at"]) == ("Kim", False, None)
        [line] = row["coming"]
        assert NEWS["en"] in line["text"] and line["room"] == "plans"
        told = "\n".join(reading.inbox(on.house.config, "Kim", on.clock()))
        assert line["text"] in told.replace("**", "")
        await until(on, 9)
        assert chat.sent == []
        await chat.say("kim", "hello")
        await on.wait(5)
        await until(on, 9)
        [digest] = chat.said("kim")
        assert "[open](https://slack.example/design/m2)" in digest, "where it was said"


async def test_chat_page_and_machine_show_the_same(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, "en", "bo")
        chat = (await order(on, "bo", "inbox")).replace("**", "")
        [row] = await on.house.views.inbox("bo")
        machine = reading.inbox(on.house.config, "Bo", on.clock())
        [line] = row["coming"]
        assert f"- #project · {line['text']}" in chat
        assert f"  - #project · {line['text']}" in machine


async def test_a_person_sees_their_own_and_the_operator_everybodys(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, "en", "bo")
        assert [row["person"] for row in await on.house.views.inbox("bo")] == ["Bo"]
        everybody = [row["person"] for row in await on.house.views.inbox(None)]
        assert everybody == ["Ana", "Bo", "Wei"], "who is in #project"
        async with witness.visitor(on, "bo") as client:
            mine = (await client.get("/api/inbox")).json()["rows"]
            assert [row["person"] for row in mine] == ["Bo"]
            assert (await client.get("/api/inbox?as=ana")).status_code == 403
            assert (await client.get("/api/inside/inbox?view=all")).status_code == 403
            report = (await client.get("/api/report")).json()["rows"]
            assert "whole house" not in report[0]["text"]
            assert (await client.get("/api/report?day=yesterday")).status_code == 400


async def test_the_operator_sees_what_was_left_out_and_why(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, "en", "bo")
        post = (await on.posts("architecture"))[-1]
        await on.house.rooms.delete("lin", post.id)
        await on.wait(5)
        why = "a message it rests on was recalled"
        left = [row["left"][0]["text"] for row in await on.house.views.inbox(None)]
        assert left == [f"the demo: {why}"] * 3
        [row] = await on.house.views.inbox("bo")
        assert row["left"] == []
        machine = reading.inbox(on.house.config, "Bo", on.clock())
        assert f"  left out: the demo ({why})" in machine


async def test_the_report_of_another_day_is_shown_at_the_machine(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, "en", "bo")
        config, now = on.house.config, on.clock()
        assert "- looked at: 3 messages" in "\n".join(reading.daily_report(config, "", now))
        before = "\n".join(reading.daily_report(config, "2026-11-29", now))
        assert "- looked at: 0 messages" in before
        with pytest.raises(LimenError, match="--day must be written like"):
            reading.daily_report(config, "yesterday", now)
        with pytest.raises(LimenError, match="nobody is called 'Zoe'"):
            reading.inbox(config, "Zoe", now)


async def test_why_leads_from_a_digest_to_every_original(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await one_piece_of_news(on, "en", "bo")
        await on.say("lin", "architecture", "News: the gate is open")
        await on.wait(60)
        await until(on, 9)
        steps = inspection.why(on.house.config, "Your digest")
        said = [line for line in steps if "original" in line]
        assert "the demo is on Thursday" in said[0] and "the gate is open" in said[1]
        assert sum("Kept for the digest" in line for line in steps) == 2
        answer = await order(on, "bo", "why")
        assert "#architecture, Lin: “News: the demo is on Thursday”" in answer


async def test_an_answered_question_is_no_longer_open_in_the_inbox(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("bo", "project", "The rollout waits for the migration script. Who is on it?")
        await on.say("mo", DIRECT, "I will finish the migration script by Friday.")
        await on.wait(60)
        answer = await order(on, "mo", "inbox")
        assert "**Waiting for you**" in answer and "May I tell #project" in answer
        assert await on.press("mo", True)
        await on.wait(60)
        assert "Waiting for you" not in await order(on, "mo", "inbox")
        found = await on.house.db.read(lambda r: inbox.latest(r, None, limit=50))
        asked = [one for one in found if one.kind is Kind.APPROVAL]
        assert [one.state for one in asked] == [State.SEEN]


async def test_what_was_said_unasked_is_noted_for_those_it_names(stage: OpenStage) -> None:
    async with stage(Surroundings(model=newsroom.model()), agency__memory="false") as on:
        await on.say("bo", "project", "good morning")
        await on.say("lin", "architecture", "News: the demo is on Thursday, Bo should know")
        await on.wait(60)

        def noted(reader: object) -> list[str]:
            found = [
                one
                for one in inbox.latest(reader, None, limit=50)  # type: ignore[arg-type]
                if one.kind is Kind.NOTIFY
            ]
            names = [people.find(reader, one.person_id) for one in found]  # type: ignore[arg-type]
            assert all(one.state is State.TOLD for one in found)
            return [one.name for one in names if one]

        assert await on.house.db.read(noted) == ["Bo"]


async def test_what_is_silent_makes_no_entry(stage: OpenStage) -> None:
    async with stage(Surroundings(model=newsroom.model(grade="none")), **DIGEST) as on:
        await one_piece_of_news(on, "en", "bo")
        assert await on.house.db.read(lambda r: inbox.latest(r, None, limit=50)) == []


async def test_words_somebody_may_not_know_are_in_no_view_of_theirs(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await on.say("bo", DIRECT, "good morning")
        await on.say("bo", "project", "good morning")
        await on.say("lin", "hiring", "News: the salary of Kim is 91500")
        await on.wait(60)
        shown = json.dumps([await on.house.views.inbox("bo"), await on.house.views.inbox("ana")])
        assert "91500" not in shown


async def test_an_admin_who_cannot_be_written_to_finds_the_alert_in_their_inbox(
    stage: OpenStage,
) -> None:
    slack, telegram = ScriptedChat(name="slack"), ScriptedChat(name="telegram")
    given = Surroundings(model=newsroom.model(), chats=(slack, telegram))
    async with stage(given, access__admins="slack:zoe", agency__memory="false") as on:
        await slack.say("zoe", "good morning", room="plans", addressed=False)
        telegram.state = Health(up=False, note="the token was revoked")
        await on.wait(200)
        told = "\n".join(reading.inbox(on.house.config, "Zoe", on.clock()))
        assert "telegram has been down for a while. the token was revoked" in told
        await slack.say("zoe", "hello")
        await on.wait(60)
        found = await on.house.db.read(lambda r: inbox.latest(r, None, limit=9))
        assert [(one.kind, one.state) for one in found] == [(Kind.ALERT, State.TOLD)]
        assert len(slack.said("zoe")) == 1


async def test_an_admin_is_told_of_what_was_put_aside_and_how_to_retry_it(
    stage: OpenStage,
) -> None:
    def failing(_: object) -> list[object]:
        raise ModelRefused("400 bad request")

    model = ScriptedModel(agency=failing)  # type: ignore[arg-type]
    async with stage(Surroundings(model=model), access__admins="web:lin") as on:
        await on.say("lin", DIRECT, "/quiet off")
        await on.say("bo", "project", "Let's plan the rollout.")
        await on.wait(900)
        told = [text for text in await heard(on, "lin") if "limen retry f" in text]
        assert len(told) == 1 and "400 bad request" in told[0]
