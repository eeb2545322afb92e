"""Somebody is asked for their leave, through the whole house: overnight, over restarts, once."""

from datetime import timedelta

import pytest

from agency import approvals
from agency.approvals import Approval, Holds, State
from bot import chains, inspection
from bot.app import Surroundings
from bot.engine import letters, runs
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from tests.conftest import MakeConfig, OpenStage
from tests.fakes.scripted import ScriptedModel, use

TALKS = {
    "en": ("@Limen ask Bo whether we may move the launch to Friday", "May we move the", "says"),
    "zh": ("@Limen 问一下Bo能不能把发布改到周五", "能不能把发布改到周五", "同意"),
}


async def said(on: Stage, room: str, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def asked(on: Stage, who: str = "bo") -> list[str]:
    return [
        post.text
        for post in await on.posts(DIRECT, who=who)
        if "word" in post.text or "定" in post.text
    ]


async def kept(on: Stage) -> list[Approval]:
    return await on.house.db.read(lambda reader: approvals.latest(reader, limit=50))


async def later(on: Stage, **span: float) -> None:
    """Let time pass in one leap, and then what is due be done."""
    on.clock.skip(timedelta(**span))
    await on.wait(90)


async def press(on: Stage, who: str, word: str) -> None:
    """Press the button of the newest approval in somebody's DM, whoever presses it."""
    found = (await kept(on))[0]
    for post in reversed(await on.posts(DIRECT, who=who)):
        for button in post.buttons:
            if button.value == f"approval:{found.id}:{word}":
                await on.house.rooms.press(who, post.id, button.value)
                await on.wait(5)
                return
    raise AssertionError("there is no such button")


@pytest.mark.parametrize("language", TALKS)
async def test_a_question_goes_to_who_may_answer_and_the_answer_comes_back(
    stage: OpenStage, language: str
) -> None:
    wish, question, verdict = TALKS[language]
    async with stage() as on:
        await on.say("ana", "project", wish)
        await on.wait(5)
        [told] = await said(on, "project")
        assert "Bo" in told
        [put] = await asked(on)
        assert question in put and "Ana" in put

        await on.press("bo", True)
        await on.wait(5)

        assert len(await said(on, "project")) == 2
        last = (await said(on, "project"))[-1]
        assert question in last and verdict in last and "Bo" in last
        assert [one.state for one in await kept(on)] == [State.GRANTED]


@pytest.mark.parametrize(
    ("wish", "word", "verdict"),
    [
        (TALKS["en"][0], "no, not this week", "Bo says no"),
        (TALKS["en"][0], "yes, but only after lunch", "only after lunch"),
        (TALKS["zh"][0], "不行", "Bo 不同意"),
        (TALKS["zh"][0], "可以，但要先跟客户说", "但要先跟客户说"),
    ],
)
async def test_a_plain_word_answers(stage: OpenStage, wish: str, word: str, verdict: str) -> None:
    async with stage() as on:
        await on.say("ana", "project", wish)
        await on.wait(5)
        await on.say("bo", DIRECT, word)
        await on.wait(5)
        assert verdict in (await said(on, "project"))[-1]
        assert "Ana" in (await said(on, DIRECT, "bo"))[-1], "and who answered is thanked"


@pytest.mark.parametrize(
    ("order", "state"),
    [
        ("approve a1", State.GRANTED),
        ("同意 a1", State.GRANTED),
        ("decline a1", State.DENIED),
        ("/拒绝 a1", State.DENIED),
    ],
)
async def test_a_command_answers(stage: OpenStage, order: str, state: State) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        await on.say("bo", DIRECT, order)
        await on.wait(5)
        assert (await kept(on))[0].state is state
        assert len(await said(on, "project")) == 2


@pytest.mark.parametrize(
    ("order", "words"), [("approvals", "a1: Ana asks"), ("待确认", "a1：Ana 问")]
)
async def test_what_waits_for_a_word_is_listed(stage: OpenStage, order: str, words: str) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        await on.say("bo", DIRECT, order)
        await on.say("ana", DIRECT, order)
        await on.wait(5)
        assert words in (await said(on, DIRECT, "bo"))[-1]
        assert "Bo" in (await said(on, DIRECT, "ana"))[-1], (
            "whoever wanted it sees what they wait for"
        )


@pytest.mark.parametrize("language", TALKS)
async def test_while_it_waits_the_room_is_answered(stage: OpenStage, language: str) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS[language][0])
        await on.wait(5)
        [waiting] = await on.house.db.read(lambda reader: runs.suspended(reader))
        await on.say("wei", "project", "@Limen who are you and what model is it?")
        await on.wait(5)
        assert len(await said(on, "project")) == 2
        found = await on.house.db.read(lambda reader: runs.get(reader, waiting.id))
        assert found.state is runs.State.SUSPENDED

        await on.press("bo", False)
        await on.wait(5)
        assert len(await said(on, "project")) == 3


async def test_an_answer_amid_other_work_waits_for_its_end(stage: OpenStage) -> None:
    """Two runs of one session never go on at once."""
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        await on.say("wei", "project", "@Limen who are you?")
        await on.press("bo", True)
        await on.wait(5)
        heard = await said(on, "project")
        assert sum("Bo says yes" in text for text in heard) == 1
        assert len(heard) == 3


@pytest.mark.parametrize("language", TALKS)
async def test_nobody_is_asked_at_night_and_everybody_is_reminded_once(
    stage: OpenStage, language: str
) -> None:
    async with stage(speaking__quiet_hours="18:00-08:00") as on:
        await later(on, hours=10)  # eight in the evening
        await on.say("ana", "project", TALKS[language][0])
        await on.wait(60)
        assert "08:00" in (await said(on, "project"))[0]
        assert await asked(on) == []
        await later(on, hours=12)  # eight in the morning
        assert len(await asked(on)) == 1
        await later(on, hours=23)
        assert len(await asked(on)) == 1, "it is asked again in a morning only"
        await later(on, hours=1)
        assert len(await asked(on)) == 2
        await later(on, days=1)
        await later(on, days=3)
        assert len(await asked(on)) == 2, "and once is enough"


async def test_days_later_and_after_restarts_the_run_goes_on(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        now = on.clock()
    async with stage() as on:
        on.clock.skip(now - on.clock() + timedelta(days=3))
        await on.wait(5)
        assert len(await said(on, "project")) == 1
        await press(on, "bo", "yes")
        now = on.clock()
    async with stage() as on:
        on.clock.skip(now - on.clock())
        await on.wait(60)
        heard = await said(on, "project")
        assert [("Bo says yes" in text) for text in heard] == [False, True]


@pytest.mark.parametrize("language", TALKS)
async def test_without_an_answer_it_ends_by_itself(stage: OpenStage, language: str) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS[language][0])
        await on.wait(5)
        await later(on, days=8)
        last = (await said(on, "project"))[-1]
        assert "Nobody has answered" in last or "没有人答复" in last
        assert [one.state for one in await kept(on)] == [State.EXPIRED]
        before = len(await said(on, DIRECT, "bo"))
        await press(on, "bo", "yes")
        late = (await said(on, DIRECT, "bo"))[before:]
        assert len(late) == 1 and ("closed" in late[0] or "关闭" in late[0])
        assert [one.state for one in await kept(on)] == [State.EXPIRED]


async def test_a_question_may_be_open_for_a_year(stage: OpenStage) -> None:
    asking = use(
        "ask_approval", question="May we renew the lease?", subject="the lease",
        approvers=["Bo"], within_hours=24 * 365,
    )  # fmt: skip

    def model(context: Context) -> list[Block]:
        answers = context.called("ask_approval")
        if answers:
            return [use("say", text=f"verdict: {answers[-1].found['verdict'][0]['state']}")]
        return [asking]

    async with stage(
        Surroundings(model=ScriptedModel(conversation=model)), agency__enabled=False
    ) as on:
        await on.say("ana", "project", "@Limen ask about the lease")
        await on.wait(5)
        now = on.clock()
    async with stage(
        Surroundings(model=ScriptedModel(conversation=model)), agency__enabled=False
    ) as on:
        on.clock.skip(now - on.clock() + timedelta(days=364))
        await on.wait(5)
        await press(on, "bo", "yes")
        await on.wait(5)
        assert (await said(on, "project"))[-1] == "verdict: granted"


async def test_of_two_who_may_answer_the_first_word_counts(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say(
            "ana", "project", "@Limen ask Bo or Wei whether we may move the launch to Friday"
        )
        await on.wait(5)
        assert len(await asked(on, "bo")) == len(await asked(on, "wei")) == 1
        id = (await kept(on))[0].id
        both = [(who, (await on.posts(DIRECT, who=who))[-1].id) for who in ("bo", "wei")]
        for (who, post), word in zip(both, ("no", "yes"), strict=True):
            await on.house.rooms.press(who, post, f"approval:{id}:{word}")
        await on.wait(5)
        assert (await kept(on))[0].state is State.DENIED
        assert "Bo has answered that already: no." in await said(on, DIRECT, "wei")
        assert sum("Bo says no" in text for text in await said(on, "project")) == 1


async def test_a_yes_for_every_time_is_not_asked_for_again_until_it_is_taken_back(
    stage: OpenStage,
) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        await press(on, "bo", "always")
        assert (await kept(on))[0].holds is Holds.ALWAYS
        await on.say("wei", "project", TALKS["en"][0])
        await on.wait(5)
        assert len(await kept(on)) == 1, "nobody is asked"
        assert sum("Bo says yes" in text for text in await said(on, "project")) == 2

        await on.say("bo", DIRECT, "consents")
        await on.say("bo", DIRECT, "take back a1")
        await on.say("wei", "project", TALKS["en"][0])
        await on.wait(5)
        heard = await said(on, DIRECT, "bo")
        assert any("a1: yes every time" in text for text in heard)
        assert len(await kept(on)) == 2, "now he is asked again"


async def test_whoever_wanted_it_asked_can_take_it_back(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        await on.say("bo", DIRECT, "take back a1")
        await on.wait(5)
        assert (await kept(on))[0].state is State.ASKED, "it is not Bo's to take back"
        await on.say("ana", DIRECT, "take back a1")
        await on.wait(5)
        assert (await kept(on))[0].state is State.EXPIRED
        assert await on.house.db.read(lambda reader: runs.suspended(reader)) == []


async def test_a_question_whose_message_is_recalled_is_closed(stage: OpenStage) -> None:
    async with stage() as on:
        post = await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        await on.house.rooms.delete("ana", post.id)
        await on.wait(90)
        assert (await kept(on))[0].state is State.EXPIRED
        assert len(await said(on, "project")) == 1, "nothing more is said of it"
        assert await on.house.db.read(lambda reader: runs.suspended(reader)) == []


async def test_what_is_said_in_a_closed_room_is_asked_of_nobody_outside(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("lin", "hiring", "@Limen ask Bo whether we may offer 90000 euros")
        await on.wait(5)
        assert await asked(on) == []
        assert await kept(on) == []
        [told] = await said(on, "hiring", "lin")
        assert "cannot ask Bo" in told


async def test_every_letter_of_it_has_a_chain_to_who_wanted_it(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        await later(on, days=1)
        await on.press("bo", True)
        await on.wait(5)
        sent = await on.house.db.read(lambda reader: letters.latest(reader, limit=50))
        about = [one for one in sent if one.about.startswith("approval:")]
        assert len(about) == 3, "that he was asked, the question, the reminder"
        for one in [*about, sent[0]]:
            chain = await on.house.db.read(chains.of_letter, one, hears=None)
            assert chain[0]["step"] == "original" and "move the launch" in chain[0]["text"]
            assert "approval" in [row["step"] for row in chain]


@pytest.mark.parametrize(
    ("secret", "note", "state"),
    [
        ("I asked for a transfer to Zanzibar.", "it is about Zanzibar", State.ASKED),
        ("我申请调去桑给巴尔。", "跟桑给巴尔有关", State.ASKED),
        ("I asked for a transfer to Zanzibar.", "if it is small", State.GRANTED),
    ],
)
async def test_a_note_tells_nothing_but_what_was_said_to_the_question(
    stage: OpenStage, secret: str, note: str, state: State
) -> None:
    def answer(seen: Context) -> list[Block]:
        room, last = seen.section("room")[0], seen.section("inputs")[-1]
        if room["kind"] == "group":
            return [use("ask_approval", question="May we?", subject="launch", approvers=["Bo"])]
        if last["text"] != "yes" or seen.steps:
            return [use("stay_silent", reason="nothing to say")]
        found = seen.section("approvals")[0]["id"]
        return [use("answer_approval", approval=found, granted=True, note=note)]

    async with stage(Surroundings(model=ScriptedModel(conversation=answer))) as on:
        await on.say("bo", DIRECT, secret)
        await on.wait(5)
        await on.say("ana", "project", "@Limen ask Bo")
        await on.wait(5)
        await on.say("bo", DIRECT, "yes")
        await on.wait(5)
        one = (await kept(on))[-1]
        assert (one.state, one.note) == (state, note if state is State.GRANTED else "")


async def test_the_page_shows_it_to_those_who_may_know(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("ana", DIRECT, "ask Bo whether we may move the launch to Friday")
        await on.wait(5)
        shown = {
            who: (await on.house.views.approvals(who, 10))[0] for who in (None, "ana", "bo", "kai")
        }
        for who in (None, "ana", "bo"):
            assert "move the launch" in shown[who]["text"] and shown[who]["names"] == ["Bo"]
        assert shown["kai"]["private"] and "move the launch" not in str(shown["kai"])
        assert "Bo" not in str(shown["kai"])


async def test_the_command_line_lists_what_waits_and_what_was_answered(
    stage: OpenStage, make_config: MakeConfig
) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS["en"][0])
        await on.wait(5)
        waiting = inspection.approvals(make_config())
        assert waiting[0] == "approvals 1 open, 1 runs suspended"
        assert "a1 Ana in #project asks Bo" in waiting[1] and "until" in waiting[1]
        await on.press("bo", True)
        await on.wait(5)
        assert any("granted by Bo" in line for line in inspection.approvals(make_config()))


async def test_what_was_said_beside_the_question_is_said_once(stage: OpenStage) -> None:
    """The rest of an answer is done at once; only the question is taken up again."""

    def model(context: Context) -> list[Block]:
        if found := context.called("ask_approval"):
            return [use("say", text=f"verdict: {found[-1].found['verdict'][0]['state']}")]
        ask = use("ask_approval", question="May we?", subject="it", approvers=["Bo"])
        return [use("say", text="One moment.", more=True), ask]

    around = Surroundings(model=ScriptedModel(conversation=model))
    async with stage(around, agency__enabled=False) as on:
        await on.say("ana", "project", "@Limen may we?")
        await on.wait(5)
        await press(on, "bo", "yes")
        assert await said(on, "project") == [
            "One moment.",
            "I have asked Bo, and say here what comes of it.",
            "verdict: granted",
        ]


async def test_who_asks_cannot_approve_and_unknown_people_are_named(stage: OpenStage) -> None:
    def model(context: Context) -> list[Block]:
        found = context.called("ask_approval")
        if len(found) < 2:
            who = ["Ana"] if not found else ["Zoe"]
            return [use("ask_approval", question="May we?", subject="it", approvers=who)]
        return [use("say", text=" | ".join(step.text for step in found))]

    around = Surroundings(model=ScriptedModel(conversation=model))
    async with stage(around, agency__enabled=False) as on:
        await on.say("ana", "project", "@Limen may we?")
        await on.wait(5)
        [text] = await said(on, "project")
        assert "who asks cannot be the one who approves" in text
        assert "I know nobody who is called 'Zoe'" in text
        assert await kept(on) == []


@pytest.mark.parametrize(("language", "order"), [("en", "@Limen stop"), ("zh", "@Limen 停")])
async def test_stop_ends_the_waiting_as_well(stage: OpenStage, language: str, order: str) -> None:
    async with stage() as on:
        await on.say("ana", "project", TALKS[language][0])
        await on.wait(5)
        await on.say("ana", "project", TALKS[language][0].replace("Bo", "Wei"))
        await on.wait(5)
        await on.say("ana", "project", order)
        await on.wait(90)
        assert {one.state for one in await kept(on)} == {State.EXPIRED}
        assert await on.house.db.read(lambda reader: runs.suspended(reader)) == []
        heard = await said(on, "project")
        assert len(heard) == 3 and heard[-1] in ("Stopped.", "已停下。"), "no verdict comes of it"
