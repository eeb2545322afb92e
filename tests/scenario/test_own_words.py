"""People over their own words and accounts: forget, approvals, link."""

import re
from dataclasses import replace

import pytest

from adapters.chat import Address, Author, EventKind, Incoming, Room, RoomKind
from agency import consents, fires, handoffs
from bot.app import Surroundings
from bot.engine import letters
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from memory import audiences, facts, originals, people, search
from memory.db import Reader
from tests.conftest import MONDAY, OpenStage
from tests.fakes.scripted import ScriptedModel, echo, pass_time, use
from tests.fakes.scripted_chat import ScriptedChat

PLAN = "Let's plan the rollout with legacy-release."
CHANGE = "We decided: the release path moves from legacy-release to canary-release."
PROMISE = "I will have the migration script ready by Friday, promised."


async def said(on: Stage, room: str = DIRECT, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def found(on: Stage, words: str) -> list[str]:
    def look(reader: Reader) -> list[str]:
        return [o.body for o in search.originals(reader, words, visible=lambda _: True, limit=9)]

    return await on.house.db.read(look)


@pytest.mark.parametrize(
    ("order", "answer"), [("forget that", "Forgotten: 1 of"), ("忘掉这条", "已忘掉：1 条")]
)
async def test_the_last_thing_said_is_forgotten_with_all_that_rests_on_it(
    stage: OpenStage, order: str, answer: str
) -> None:
    async with stage(speaking__quiet_hours="09:00-11:00") as on:
        await on.say("bo", "project", PLAN)
        await on.say("lin", "architecture", CHANGE)
        await on.wait(200)  # held for the quiet hours, and learnt
        await on.say("lin", "architecture", f"@Limen {order}")
        await on.wait(60)
        assert answer in (await said(on, "architecture"))[0]
        assert await found(on, "canary decided") == []

        def rest(reader: Reader) -> tuple[int, list[handoffs.State]]:
            [room] = audiences.titled(reader, "architecture")
            states = [one.state for one in handoffs.latest(reader, limit=9)]
            return len(facts.of_session(reader, room, limit=9)), states

        learnt, states = await on.house.db.read(rest)
        assert learnt == 0
        assert states == [handoffs.State.DROPPED]
        await on.wait(3600 * 2)
        assert await said(on, "project") == []
        changes = await on.house.db.read(lambda r: fires.latest(r, limit=30))
        assert {"change": "recall"} in [one.payload for one in changes]


async def test_a_reply_names_what_is_forgotten_and_others_words_stay(stage: OpenStage) -> None:
    async with stage(access__admins="web:lin") as on:
        own = await on.say("ana", "project", "@Limen my first thought: aubergine")
        other = await on.say("bo", "project", "Bo says banana")
        await on.say("ana", "project", "and a cherry")
        await on.wait(5)
        await on.say("ana", "project", "@Limen forget that", reply_to=other.id)
        await on.say("ana", "project", "@Limen /forget", reply_to=own.id)
        await on.wait(5)
        assert "not yours" in (await said(on, "project"))[-2]
        assert "Forgotten: 1 of" in (await said(on, "project"))[-1]
        assert await found(on, "aubergine") == []
        assert len(await found(on, "banana cherry")) == 2


async def test_an_admin_may_have_any_message_forgotten(stage: OpenStage) -> None:
    async with stage(access__admins="web:ana") as on:
        other = await on.say("bo", "project", "Bo says banana")
        await on.say("ana", "project", "@Limen forget that", reply_to=other.id)
        await on.wait(5)
        assert await found(on, "banana") == []


async def test_everything_is_forgotten_only_with_the_word_that_confirms(stage: OpenStage) -> None:
    async with stage(Surroundings(model=ScriptedModel())) as on:
        for fruit in ("apple", "banana", "cherry"):
            await on.say("ana", "project", fruit)
        await on.say("bo", "project", "Bo likes banana")
        await on.say("ana", "project", "@Limen forget everything I said here")
        await on.wait(5)
        assert "3 of your messages" in (await said(on, "project"))[-1]
        assert len(await found(on, "apple banana cherry")) == 4
        await on.say("ana", "project", "@Limen 忘掉我在这里说的一切，确认")
        await on.wait(5)
        assert await found(on, "apple banana cherry") == ["Bo likes banana"]


def on_slack(who: str, message: str, text: str, **more: object) -> Incoming:
    """Something said in #plans or a thread of it."""
    author = Author(id=who, name=who.capitalize())
    thread = str(more.pop("thread", "")) or None
    event = Incoming(
        address=Address(
            platform="slack", account="w", chat="plans", thread=thread, message=message
        ),
        kind=EventKind.NEW,
        author=author,
        room=Room(title="plans", kind=RoomKind.GROUP, open=True, workspace="w", members=(author,)),
        text=text,
        at=MONDAY,
        addressed=True,
    )
    return replace(event, **more)  # type: ignore[arg-type]


async def test_all_of_a_chat_is_what_was_said_in_its_threads_too(stage: OpenStage) -> None:
    around = Surroundings(model=ScriptedModel(), chats=(ScriptedChat(name="slack"),))
    async with stage(around) as on:
        order = "forget everything I said here, confirm"
        for event in (
            on_slack("ana", "1", "apple"),
            on_slack("ana", "2", "banana", thread="1"),
            on_slack("ana", "3", "cherry", thread="9"),
            on_slack("ana", "4", order, thread="9"),
        ):
            await on.house.intake.receive(event)
        await on.wait(5)
        assert sorted(await found(on, "apple banana cherry")) == ["apple", "banana"]
        await on.house.intake.receive(on_slack("ana", "5", order))
        await on.wait(5)
        assert await found(on, "apple banana cherry") == []


async def test_a_reply_to_what_nobody_here_has_makes_nothing_else_be_forgotten(
    stage: OpenStage,
) -> None:
    """It was said before the bot came: the asker's last message is another one."""
    chat = ScriptedChat(name="slack")
    async with stage(Surroundings(model=ScriptedModel(), chats=(chat,))) as on:
        await on.house.intake.receive(on_slack("ana", "1", "apple"))
        answer = on_slack("ana", "2", "forget that", reply_to="0", quoted="> In reply to Ana:\n> x")
        await on.house.intake.receive(answer)
        await on.wait(5)
        assert "no message of yours" in chat.said("plans")[-1]
        assert await found(on, "apple") == ["apple"]


@pytest.mark.parametrize("change", ["forget", "edit", ""])
async def test_what_is_taken_back_while_it_is_read_is_not_learnt(
    stage: OpenStage, change: str
) -> None:
    """A language model reads for seconds, and people correct themselves meanwhile."""

    def remembers(seen: Context) -> list[Block]:
        fact = {
            "kind": "fact",
            "text": "it is aubergine",
            "sources": [seen.section("messages")[0]["id"]],
        }
        return [use("remember", facts=[fact], summary="Ana wants aubergine.")]

    model = ScriptedModel(memory=remembers)
    let_go = model.hold("memory")
    async with stage(Surroundings(model=model, chats=(ScriptedChat(name="slack"),))) as on:
        await on.house.intake.receive(on_slack("ana", "1", "aubergine", addressed=False))
        await pass_time(on, model, 400)
        assert model.held == 1
        if change == "edit":
            edit = on_slack("ana", "1", "beans", kind=EventKind.EDIT, version=2)
            await on.house.intake.receive(edit)
        elif change:
            await on.house.intake.receive(on_slack("ana", "2", "forget that"))
        let_go()
        await on.wait(60)

        def learnt(reader: Reader) -> tuple[list[str], str]:
            [room] = audiences.titled(reader, "plans")
            known = [one.body for one in facts.of_session(reader, room, limit=9)]
            return known, facts.summary(reader, room).body

        known, summary = await on.house.db.read(learnt)
        assert known == ([] if change else ["it is aubergine"])
        assert summary == ("" if change == "forget" else "Ana wants aubergine.")
        if not change:
            await on.house.intake.receive(on_slack("ana", "2", "forget that"))
            assert await on.house.db.read(learnt) == ([], "")


@pytest.mark.parametrize("forgets", [True, False])
async def test_an_answer_that_could_not_be_posted_yet_goes_with_its_question(
    stage: OpenStage, forgets: bool
) -> None:
    """The platform takes nothing for a while, and the question is deleted meanwhile."""
    chat = ScriptedChat(name="slack", busy=True)
    around = Surroundings(model=ScriptedModel(conversation=echo), chats=(chat,))
    async with stage(around, access__admins="slack:ana") as on:
        question = on_slack("ana", "1", "who likes aubergine?")
        await on.house.intake.receive(question)
        await on.house.intake.receive(on_slack("bo", "7", "and who likes beans?", thread="7"))
        await on.wait(10)
        if forgets:
            gone = replace(question, kind=EventKind.RECALL, text="", version=2)
            await on.house.intake.receive(gone)
        chat.busy = False
        await on.wait(3600)
        said = ["heard: who likes aubergine?"] * (not forgets) + ["heard: and who likes beans?"]
        assert sorted(chat.said("plans")) == sorted(said)
        assert len(await found(on, "aubergine")) == (0 if forgets else 2)


@pytest.mark.parametrize("change", ["delete", "edit"])
async def test_news_on_its_way_goes_with_what_it_rests_on(stage: OpenStage, change: str) -> None:
    chat = ScriptedChat(name="slack", busy=True)
    async with stage(Surroundings(chats=(chat,)), privacy__one_team="slack,web") as on:
        await on.house.intake.receive(on_slack("bo", "1", PLAN, addressed=False))
        decided = await on.say("lin", "architecture", CHANGE)
        await on.wait(200)
        waiting = await on.house.db.read(lambda r: letters.still_open(r, limit=9))
        assert ["canary" in one.body for one in waiting] == [True]
        if change == "delete":
            await on.house.rooms.delete("lin", decided.id)
        else:
            await on.house.rooms.edit("lin", decided.id, "Lunch is at noon.")
        chat.busy = False
        await on.wait(3600)
        assert chat.said("plans") == []


async def test_a_question_that_is_forgotten_is_not_answered(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model)) as on:
        await on.say("ana", DIRECT, "what about the offsite?")
        await on.say("ana", DIRECT, "forget that")
        await on.wait(30)
        assert len(await said(on)) == 1
        assert model.of("conversation") == []


async def test_what_waits_for_ones_word_is_listed(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("bo", "project", "We are blocked until the migration script is ready.")
        await on.say("ana", DIRECT, PROMISE)
        await on.wait(120)
        [asked] = await on.house.db.read(lambda r: consents.asked(r, limit=9))
        await on.say("ana", DIRECT, "approvals")
        await on.say("bo", "project", "@Limen 待确认")
        await on.wait(5)
        assert asked.body[:40] in (await said(on))[-1]
        assert "没有等你点头" in (await said(on, "project"))[-1]


CODE = re.compile(r"`(?:link|绑定) ([2-9B-Z]{8})`")


async def accounts(on: Stage, name: str) -> list[set[str]]:
    def look(reader: Reader) -> list[set[str]]:
        known = [one for one in people.everyone(reader) if one.name == name]
        return [{a.platform for a in people.accounts(reader, one.id)} for one in known]

    return await on.house.db.read(look)


@pytest.mark.parametrize(("ask", "give"), [("link", "link {}"), ("绑定", "绑定 {}")])
async def test_two_accounts_become_one_person_by_a_code(
    stage: OpenStage, ask: str, give: str
) -> None:
    slack, feishu = ScriptedChat(name="slack"), ScriptedChat(name="feishu")
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, chats=(slack, feishu))) as on:
        await slack.say("mo", "hello")
        await feishu.say("mo", "hello")
        await on.wait(5)
        assert await accounts(on, "Mo") == [{"web"}, {"slack"}, {"feishu"}]
        await slack.say("mo", ask)
        await on.wait(5)
        code = CODE.search(slack.said("mo")[-1])
        assert code
        await feishu.say("mo", give.format(code[1]))
        await on.wait(5)
        assert "Mo (slack), Mo (feishu)" in feishu.said("mo")[-1]
        assert "Mo (slack), Mo (feishu)" in slack.said("mo")[-1], "nobody is linked unawares"
        assert {"slack", "feishu"} in await accounts(on, "Mo")

        await feishu.say("mo", give.format(code[1]))
        await on.wait(5)
        assert len(await accounts(on, "Mo")) == 2, "the code is spent"
        await slack.say("mo", "still here?")
        await on.wait(5)
        assert slack.said("mo")[-1] == "heard: still here?"
        assert "heard: still here?" not in feishu.said("mo"), "each DM is its own session"


async def test_a_link_code_is_for_private_chats_and_not_for_ever(stage: OpenStage) -> None:
    slack, feishu = ScriptedChat(name="slack"), ScriptedChat(name="feishu")
    async with stage(Surroundings(model=ScriptedModel(), chats=(slack, feishu))) as on:
        await slack.say("mo", "link", room="plans")
        await slack.say("mo", "link")
        await on.wait(16 * 60)
        assert "DM" in slack.said("plans")[0]
        code = CODE.search(slack.said("mo")[0])
        assert code
        for _ in range(6):
            await feishu.say("mo", f"link {code[1]}")
        await on.wait(5)
        assert "too old" in feishu.said("mo")[0]
        assert "Too many" in feishu.said("mo")[-1]


async def test_a_second_account_shares_the_rights_of_the_first(stage: OpenStage) -> None:
    slack, telegram = ScriptedChat(name="slack"), ScriptedChat(name="telegram")
    around = Surroundings(model=ScriptedModel(conversation=echo), chats=(slack, telegram))
    async with stage(around, access__mode="allowlist", access__allow="slack:mo") as on:
        await slack.say("mo", "link")
        await telegram.say("77", "hello")
        await on.wait(5)
        assert telegram.said("77")[0].startswith("Sorry")
        code = CODE.search(slack.said("mo")[0])
        assert code
        await telegram.say("77", f"link {code[1]}")
        await telegram.say("77", "and now?")
        await on.wait(5)
        assert telegram.said("77")[-1] == "heard: and now?"


async def test_an_address_learnt_late_joins_two_accounts(stage: OpenStage) -> None:
    slack, feishu = ScriptedChat(name="slack"), ScriptedChat(name="feishu")
    async with stage(Surroundings(model=ScriptedModel(), chats=(slack, feishu))) as on:
        await slack.say("mo", "hello")
        await feishu.say("mo", "hello")
        for chat in (slack, feishu):
            mo = Author(id="mo", name="Mo", email="Mo@Example.org")
            room = Room(title="plans", kind=RoomKind.GROUP, open=True, workspace="w", members=(mo,))
            await on.house.intake.receive(
                Incoming(
                    address=chat.address("plans"),
                    kind=EventKind.MEMBERS,
                    author=mo,
                    room=room,
                    text="",
                    at=on.clock(),
                )
            )
        await on.wait(5)
        assert {"slack", "feishu"} in await accounts(on, "Mo")
        recent = await on.house.db.read(lambda r: originals.latest(r, limit=9))
        assert len({one.person_id for one in recent}) == 1


async def test_in_a_paused_dm_nobody_is_asked_until_it_ends(stage: OpenStage) -> None:
    async with stage() as on:
        await on.say("bo", "project", "We are blocked until the migration script is ready.")
        await on.say("ana", DIRECT, "暂停")
        await on.say("ana", DIRECT, PROMISE)
        await on.wait(200)
        assert len(await said(on)) == 1
        await on.say("ana", DIRECT, "继续")
        await on.wait(30)
        posts = await on.posts(DIRECT, who="ana")
        assert any(post.buttons for post in posts), "the question waited"
