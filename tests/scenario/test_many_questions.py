"""A model that would put many questions to one person: they get a few, and one reminder of them."""

from datetime import timedelta

import pytest

from agency import consents, handoffs
from agency.gates import MOST_ASKED
from agency.handoffs import State
from bot.app import Surroundings
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from tests.conftest import OpenStage
from tests.fakes.newsroom import heard
from tests.fakes.scripted import ScriptedModel, private, say, use

SAID = {"en": "The wombat part {} is ready on Friday", "zh": "袋熊零件 {} 周五就绪"}
REMINDED = {"en": "These still wait for your word", "zh": "这几件事还在等你的答复"}
QUIET = {"speaking__quiet_hours": "22:00-08:00", "agency__memory": "false"}


def model(target: str = "#project") -> ScriptedModel:
    """Everything said in a DM is handed over by itself, and every question is put."""

    def agency(seen: Context) -> list[Block]:
        rooms = {row["title"]: row["session"] for row in seen.section("sessions")}
        private_ones = [] if seen.steps else [row for row in seen.section("fires") if _is_part(row)]
        return [
            use(
                "submit_to_session", session=rooms[target], text=str(row["text"]),
                subject=f"part {row['original']}", state="ready", sources=[row["original"]],
            )
            for row in private_ones
        ] or [private("done")]  # fmt: skip

    def conversation(seen: Context) -> list[Block]:
        asked = [row for row in seen.pending if row.get("trigger") == "consent_request"]
        last = len(asked) - 1
        return [
            say("May I?", consent=row["consent"], more=i < last) for i, row in enumerate(asked)
        ] or [use("stay_silent", reason="nothing to add")]

    return ScriptedModel(agency=agency, conversation=conversation)


def _is_part(row: dict[str, object]) -> bool:
    return any(word in str(row.get("text", "")) for word in ("wombat", "袋熊"))


async def play(on: Stage, language: str) -> None:
    await on.say("ana", "project", "good morning")
    for number in range(MOST_ASKED + 3):
        await on.say("ana", DIRECT, SAID[language].format(number))
    await on.wait(120)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_nobody_has_more_than_a_few_questions_to_answer(
    stage: OpenStage, language: str
) -> None:
    async with stage(Surroundings(model=model()), **QUIET) as on:
        await play(on, language)
        assert len(await heard(on, "ana")) == MOST_ASKED
        found = await on.house.db.read(lambda reader: handoffs.latest(reader, limit=50))
        refused = [one.reason for one in found if one.state is State.REFUSED]
        assert refused == ["who is asked has enough questions to answer already"] * 3
        await on.press("ana", yes=False)
        await on.say("ana", DIRECT, SAID[language].format(99))
        await on.wait(120)
        asked = await on.house.db.read(lambda reader: consents.latest(reader, limit=50))
        assert len(asked) == MOST_ASKED + 1, "an answer makes room for another question"


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_waits_is_called_to_mind_in_one_message(stage: OpenStage, language: str) -> None:
    async with stage(Surroundings(model=model()), **QUIET) as on:
        await play(on, language)
        on.clock.skip(timedelta(hours=23))
        await on.wait(120)
        [told] = (await heard(on, "ana"))[MOST_ASKED:]
        assert told.startswith(REMINDED[language])
        for number in range(MOST_ASKED):
            assert SAID[language].format(number) in told
        on.clock.skip(timedelta(hours=24))
        await on.wait(120)
        assert len(await heard(on, "ana")) == MOST_ASKED + 1, "nobody is reminded twice"


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_who_left_a_closed_room_reads_no_more_of_it(stage: OpenStage, language: str) -> None:
    async with stage(Surroundings(model=model("#hiring")), **QUIET) as on:
        await on.say("kai", "hiring", "good morning")
        await on.say("kai", DIRECT, SAID[language].format(1))
        await on.wait(60)
        asked = await heard(on, "kai")
        assert len(asked) == 1
        assert "#hiring" in asked[0]
        await on.house.rooms.leave("kai", "hiring")
        await on.say("lin", "hiring", "only me now")
        await on.say("kai", DIRECT, "/inbox")
        on.clock.skip(timedelta(hours=23))
        await on.wait(120)
        later = (await heard(on, "kai"))[1:]
        assert len(later) == 1, "the inbox they asked for, and no reminder"
        assert "hiring" not in later[0]


ASK = {"en": "ask Ana whether we may ship beta {}", "zh": "问一下 Ana，能不能发布第 {} 个测试版"}


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_waits_for_leave_is_called_to_mind_in_one_message(
    stage: OpenStage, language: str
) -> None:
    async with stage(**QUIET) as on:
        await on.say("ana", DIRECT, "good morning")
        for number in (11, 12, 13):
            await on.say("bo", DIRECT, ASK[language].format(number))
            await on.wait(20)
        before = await heard(on, "ana")
        on.clock.skip(timedelta(hours=23))
        await on.wait(120)
        [told] = (await heard(on, "ana"))[len(before) :]
        assert told.startswith(REMINDED[language])
        assert all(str(number) in told for number in (11, 12, 13))
