"""What can wait is told once a day, to whom it is for, at their hour: through the whole house."""

from contextlib import AbstractAsyncContextManager
from datetime import datetime, time, timedelta

import pytest

from agency import consents, handoffs, inbox, mutes, personal
from agency.handoffs import State
from bot.app import Surroundings
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from memory import people
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes import newsroom
from tests.fakes.newsroom import digests, heard, later, until
from tests.fakes.scripted import ScriptedModel, private, use
from tests.fakes.scripted_chat import ScriptedChat

OLD = {"speaking__daily_quota": 1, "agency__memory": "false"}
DIGEST = {"speaking__minor": "digest", "agency__memory": "false"}
FIRST = {"en": "News: the gate is open", "zh": "消息：闸口改到打开"}
LATER = {"en": "News: the demo is on Thursday", "zh": "消息：演示改到周四"}
WORDS = {
    "en": ("**#project**", "“News: the demo is on Thursday” (Lin, #architecture, yesterday 10:0"),
    "zh": ("**#project**", "“消息：演示改到周四” (Lin，#architecture，昨天 10:0"),
}
HELLO = {"en": "good morning", "zh": "早上好"}


def around(**given: object) -> Surroundings:
    return Surroundings(model=newsroom.model(**given))  # type: ignore[arg-type]


async def person(on: Stage, who: str) -> int:
    found = await on.house.db.read(lambda r: people.of_account(r, "web", "local", who))
    assert found is not None
    return found


async def set_zone(on: Stage, who: str, zone: str) -> None:
    id = await person(on, who)
    await on.house.db.write(personal.set_zone, id, zone, now=on.clock())


async def entries(on: Stage, who: str, kind: inbox.Kind = inbox.Kind.DIGEST) -> list[inbox.Entry]:
    id = await person(on, who)
    found = await on.house.db.read(lambda r: inbox.latest(r, id, limit=50))
    return [one for one in found if one.kind is kind]


async def said_in_dms(on: Stage, *who: str, lang: str = "en") -> None:
    """So that the bot can reach them there."""
    for one in who:
        await on.say(one, DIRECT, HELLO[lang])


async def news(on: Stage, *texts: str) -> None:
    """Lin tells them in #architecture; they are for #project, where Wei, Ana and Bo are."""
    await on.say("bo", "project", "good morning")
    for text in texts:
        await on.say("lin", "architecture", text)
        await on.wait(40)


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_news_beyond_the_quota_comes_next_morning_by_room_with_its_source(
    stage: OpenStage, lang: str
) -> None:
    async with stage(around(), **OLD) as on:
        await said_in_dms(on, "bo", "ana", lang=lang)
        await news(on, FIRST[lang], LATER[lang])
        assert len(await heard(on, "bo", room="project")) == 1
        await until(on, 8, 57)
        assert await digests(on, "bo") == [], "it is not nine o'clock yet"
        await until(on, 9)
        for who in ("bo", "ana"):
            [told] = await digests(on, who)
            assert all(words in told for words in WORDS[lang]), told
            assert FIRST[lang] not in told, "that was told at once"
        [handoff] = await on.house.db.read(lambda r: handoffs.latest(r, limit=1))
        assert (handoff.state, handoff.reason) == (State.SPOKEN, "told in a digest")
        await until(on, 9)
        assert len(await digests(on, "bo")) == 1, "nothing new, no digest"


async def test_everybody_has_it_at_nine_on_their_own_clock(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo", "ana")
        await news(on, LATER["en"])
        await set_zone(on, "ana", "America/New_York")
        await set_zone(on, "bo", "Asia/Shanghai")
        await until(on, 13, 57)
        assert await digests(on, "ana") == [], "8:57 in New York"
        await until(on, 14)
        assert len(await digests(on, "ana")) == 1
        assert await digests(on, "bo") == []
        await until(on, 1)
        assert len(await digests(on, "bo")) == 1, "nine o'clock in Shanghai"


async def test_nothing_to_tell_is_no_message(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo", "ana")
        await on.say("lin", "architecture", "The weather is fine.")
        for _ in range(3):
            await until(on, 9)
        assert await heard(on, "bo") == await heard(on, "ana") == []


@pytest.mark.parametrize("change", ["recall", "edit"])
async def test_what_was_taken_back_or_changed_vanishes_from_it(
    stage: OpenStage, change: str
) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo")
        await news(on, FIRST["en"], LATER["en"])
        post = (await on.posts("architecture"))[-1]
        if change == "recall":
            await on.house.rooms.delete("lin", post.id)
        else:
            await on.house.rooms.edit("lin", post.id, "I was wrong about the demo.")
        await until(on, 9)
        [told] = await digests(on, "bo")
        assert "gate" in told and "demo" not in told
        dropped = [one for one in await entries(on, "bo") if one.state is inbox.State.DROPPED]
        assert [one.reason for one in dropped] == [
            f"a message it rests on was {'recalled' if change == 'recall' else 'edited'}"
        ]


async def test_who_has_left_the_room_is_not_told(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo", "ana")
        await news(on, LATER["en"])
        await on.house.rooms.leave("bo", "project")
        await until(on, 9)
        assert await digests(on, "bo") == []
        assert len(await digests(on, "ana")) == 1
        [gone] = await entries(on, "bo")
        assert gone.reason == "they are not in that room any more"


async def test_private_words_of_others_are_in_nobodys_digest(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo", "ana")
        await on.say("bo", "project", "good morning")
        await on.say("lin", "hiring", "News: the salary of Kim is 91500")
        await on.say("wei", DIRECT, "News: my notice is handed in on 17 March")
        await on.wait(60)
        await until(on, 9)
        assert await digests(on, "bo") == await digests(on, "ana") == []
        assert await entries(on, "bo") == []


async def test_a_newer_state_takes_the_place_of_an_older_one(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo")
        await news(on, "News: the demo is on Thursday", "News: the demo is on Friday")
        await until(on, 9)
        [told] = await digests(on, "bo")
        assert "Friday" in told and "Thursday" not in told


async def test_a_muted_subject_is_left_out(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo")
        await news(on, FIRST["en"], LATER["en"])
        id = await person(on, "bo")
        await on.house.db.write(mutes.mute_person, id, "the demo", now=on.clock())
        await until(on, 9)
        [told] = await digests(on, "bo")
        assert "gate" in told and "demo" not in told


async def test_a_very_long_day_is_cut_and_goes_on_the_next_day(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo")
        await news(on, *(f"News: gate {name} is open" for name in "ABCDEFGHIJKLMNO"))
        await until(on, 9)
        [told] = await digests(on, "bo")
        assert told.count("\n- ") == 12
        assert told.endswith("… and 3 more (`inbox` lists them)")
        await until(on, 9)
        _, rest = await digests(on, "bo")
        assert rest.count("\n- ") == 3


async def test_it_waits_until_somebody_has_slept(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo")
        id = await person(on, "bo")
        await on.house.db.write(personal.set_quiet, id, (time(22), time(10, 30)), now=on.clock())
        await news(on, LATER["en"])
        await until(on, 9)
        await until(on, 10, 27)
        assert await digests(on, "bo") == []
        await until(on, 10, 30)
        assert len(await digests(on, "bo")) == 1
        await until(on, 10, 30)
        assert len(await digests(on, "bo")) == 1


async def test_it_waits_until_a_pause_is_over(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo")
        await news(on, LATER["en"])
        await on.say("bo", DIRECT, "pause 30h")
        await on.wait(5)
        await until(on, 9)
        assert await digests(on, "bo") == []
        await until(on, 16, 10)
        assert len(await digests(on, "bo")) == 1


async def test_an_endless_pause_ends_when_its_person_says_so(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await said_in_dms(on, "bo")
        await news(on, LATER["en"])
        await on.say("bo", DIRECT, "pause")
        await until(on, 9)
        await later(on, hours=3)
        assert await digests(on, "bo") == []
        await on.say("bo", DIRECT, "resume")
        await on.wait(70)
        assert len(await digests(on, "bo")) == 1, "its day goes on, so it is caught up"


def opened(
    make_config: MakeConfig, start: datetime, given: Surroundings
) -> AbstractAsyncContextManager[Stage]:
    return open_stage(
        make_config(**DIGEST), start, people=team.PEOPLE, rooms=team.ROOMS, around=given
    )


async def test_an_hour_that_was_missed_is_caught_up_once_on_its_day(
    make_config: MakeConfig,
) -> None:
    async with opened(make_config, MONDAY, around()) as on:
        await said_in_dms(on, "bo")
        await news(on, LATER["en"])
    async with opened(make_config, MONDAY + timedelta(hours=27), around()) as on:
        await on.wait(70)
        assert len(await digests(on, "bo")) == 1
        await until(on, 9)
        assert len(await digests(on, "bo")) == 1


async def test_a_day_that_was_missed_altogether_comes_at_the_next_hour(
    make_config: MakeConfig,
) -> None:
    async with opened(make_config, MONDAY, around()) as on:
        await said_in_dms(on, "bo")
        await news(on, LATER["en"])
    async with opened(make_config, MONDAY + timedelta(hours=46), around()) as on:
        await on.wait(70)
        assert await digests(on, "bo") == [], "it is eight o'clock on Wednesday"
        await until(on, 9)
        assert len(await digests(on, "bo")) == 1


async def test_the_hour_of_the_operator_holds_where_nobody_named_one(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST, speaking__digest_at="7:15") as on:
        await said_in_dms(on, "bo")
        await news(on, LATER["en"])
        await until(on, 7, 15)
        assert len(await digests(on, "bo")) == 1


async def test_a_switched_off_duty_keeps_everything_in_the_inboxes(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST, duties__digest="false") as on:
        await said_in_dms(on, "bo")
        await news(on, LATER["en"])
        await until(on, 9)
        assert await digests(on, "bo") == []
        await on.say("bo", DIRECT, "inbox")
        await on.wait(5)
        assert "the demo is on Thursday" in (await heard(on, "bo"))[-1]


async def test_a_digest_that_waits_for_its_platform_loses_what_is_taken_back(
    stage: OpenStage,
) -> None:
    chat = ScriptedChat(name="slack")
    given = Surroundings(model=newsroom.model("plans"), chats=(chat,))
    async with stage(given, **DIGEST) as on:
        await chat.say("kim", "hello")
        await chat.say("kim", "good morning", room="plans", addressed=False)
        await chat.say("zoe", FIRST["en"], room="design", addressed=False)
        demo = await chat.say("zoe", LATER["en"], room="design", addressed=False)
        await on.wait(60)
        chat.busy = True
        await until(on, 9)
        await chat.recall("zoe", demo, room="design")
        chat.busy = False
        await on.wait(900)
        [told] = chat.said("kim")
        assert "gate" in told and "demo" not in told


async def test_a_stranger_is_sent_no_digest(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST, access__admins="web:lin") as on:
        await said_in_dms(on, "bo", "ana")
        await news(on, LATER["en"])
        await on.say("lin", DIRECT, "/deny web:bo")
        await on.wait(5)
        await until(on, 9)
        assert await digests(on, "bo") == []
        assert len(await digests(on, "ana")) == 1


@pytest.mark.parametrize(
    "why", [{"confidence": 0.4}, {"grade": "minor"}], ids=["doubt", "minor news"]
)
async def test_what_need_not_interrupt_waits_for_the_digest(
    stage: OpenStage, why: dict[str, object]
) -> None:
    given = {"grade": "major"} | why
    async with stage(around(**given), **DIGEST) as on:
        await said_in_dms(on, "bo")
        await news(on, LATER["en"])
        assert await heard(on, "bo", room="project") == []
        await until(on, 9)
        assert len(await digests(on, "bo")) == 1


async def test_it_is_led_by_what_waits_for_their_word(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        await on.house.rooms.join("mo", "project")
        await on.say("bo", "project", "good morning")
        await on.say("mo", DIRECT, "News: the script is ready by Wednesday")
        await on.wait(60)
        await news(on, LATER["en"])
        await until(on, 9)
        [told] = await digests(on, "mo")
        _, waits, changed = told.split("\n\n")
        assert waits.startswith("**Waiting for you**\n- May I tell #project: “the script is ready")
        assert changed.startswith("**#project**\n- **the demo: on Thursday**")


BUILTIN = {
    "en": (
        ("lin", "architecture", "The release path moves from legacy-release to canary-release."),
        ("bo", "project", "Plan: we rehearse the rollout with legacy-release on Wednesday."),
        ("lin", "architecture", "The database moves from MySQL to PostgreSQL."),
        ("bo", "project", "Plan: we tune the MySQL database next week."),
    ),
    "zh": (
        ("lin", "architecture", "发布路径从 legacy-release 改为 canary-release。"),
        ("bo", "project", "计划：周三用 legacy-release 演练上线。"),
        ("wei", "architecture", "数据库从 MySQL 改为 PostgreSQL。"),
        ("bo", "project", "计划：下周调优 MySQL 数据库。"),
    ),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_the_built_in_model_leaves_the_second_piece_of_news_to_the_digest(
    stage: OpenStage, lang: str
) -> None:
    async with stage(speaking__daily_quota=1) as on:
        await said_in_dms(on, "bo", lang=lang)
        for who, room, text in BUILTIN[lang]:
            await on.say(who, room, text)
            await on.wait(60)
        [now] = await heard(on, "bo", room="project")
        assert "canary-release" in now
        await until(on, 9)
        [told] = await digests(on, "bo")
        assert BUILTIN[lang][2][2] in told and "**#project**" in told
        assert "canary-release" not in told


async def test_somebody_who_is_in_two_rooms_reads_the_same_news_once(stage: OpenStage) -> None:
    done: set[str] = set()

    def both(seen: Context) -> list[Block]:
        rooms = {row["title"]: row["session"] for row in seen.section("sessions")}
        rows = [row for row in seen.section("fires") if str(row["text"]).startswith("News: ")]
        if seen.steps or not rows or done:
            return [private("done")]
        done.add("once")
        return [
            use(
                "submit_to_session",
                session=rooms[room],
                text="The demo is on Thursday.",
                subject="demo",
                state="Thursday",
                sources=[rows[0]["original"]],
            )
            for room in ("#project", "#general")
        ]

    async with stage(Surroundings(model=ScriptedModel(agency=both)), **DIGEST) as on:
        await said_in_dms(on, "bo", "kai")
        await on.say("kai", "general", "good morning")
        await news(on, LATER["en"])
        await until(on, 9)
        [told] = await digests(on, "bo")
        assert told.count("“News: the demo is on Thursday”") == 1
        assert len(await digests(on, "kai")) == 1, "who is only in one of them"
        states = [
            one.state for one in await on.house.db.read(lambda r: handoffs.latest(r, limit=9))
        ]
        assert states == [State.SPOKEN, State.SPOKEN]


@pytest.mark.parametrize("granted", [True, False])
async def test_private_words_are_told_as_agreed_and_quoted_to_nobody(
    stage: OpenStage, granted: bool
) -> None:
    given = around(text="The script is ready by Wednesday.", subject="script", state="Wednesday")
    async with stage(given, **DIGEST) as on:
        await said_in_dms(on, "bo")
        await on.say("bo", "project", "good morning")
        await on.say("mo", DIRECT, "News: it is ready by Wednesday, I was slow because of Kim")
        await on.wait(60)
        [asked] = await on.house.db.read(lambda r: consents.asked(r, limit=9))
        await on.house.db.write(
            on.house.speaking.answer,
            asked.id,
            person=asked.person_id,
            granted=granted,
            note="",
        )
        await until(on, 9)
        told = "\n".join(await digests(on, "bo"))
        assert ("The script is ready by Wednesday." in told) is granted
        assert ("told with its author's consent" in told) is granted
        assert "slow" not in told and "Kim" not in told


async def test_a_whole_company_has_theirs_within_the_minute(stage: OpenStage) -> None:
    async with stage(around(), **DIGEST) as on:
        added = [await on.house.rooms.add_person(f"Member {number}") for number in range(20)]
        crew = [one.id for one in added]
        for who in crew:
            await on.house.rooms.join(who, "project")
            await on.say(who, DIRECT, "good morning")
        await news(on, LATER["en"])
        await until(on, 9)
        assert [len(await digests(on, who)) for who in crew] == [1] * len(crew)
