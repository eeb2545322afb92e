"""AG-08: what the bot promises for later it makes sure of, or it says something else."""

import pytest

from bot.app import Surroundings
from bot.models.builtin.context import Context
from bot.models.model import Block
from tests.conftest import OpenStage
from tests.fakes.memos import ask, kept, timed, told, until
from tests.fakes.scripted import ScriptedModel, say, use

HERE = {"bot__timezone": "Europe/Berlin"}
ASKED = {
    "en": "can you check on the delivery again tomorrow?",
    "zh": "明天能再看一下发货情况吗？",
}
PROMISED = {
    "en": "Sure, I'll check again tomorrow morning and let you know!",
    "zh": "好的，明天早上我再看看并告诉你！",
}
HONEST = {"en": "I cannot look into deliveries myself.", "zh": "发货情况我自己查不了。"}


def around(model: ScriptedModel) -> Surroundings:
    return Surroundings(model=model)


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_ag_08_an_empty_promise_is_said_otherwise(stage: OpenStage, lang: str) -> None:
    def answer(context: Context) -> list[Block]:
        tried = context.called("say")
        return [say(HONEST[lang] if tried and tried[-1].failed else PROMISED[lang])]

    async with stage(around(ScriptedModel(conversation=answer)), **HERE) as on:
        assert await ask(on, "ana", ASKED[lang]) == HONEST[lang]


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_ag_08_a_promise_is_kept_by_setting_something(stage: OpenStage, lang: str) -> None:
    """Corrected once, the model sets a reminder, says its promise, and the reminder comes."""
    when = {"en": "tomorrow morning", "zh": "明天早上"}[lang]

    def answer(context: Context) -> list[Block]:
        tried = context.called("say")
        if tried and tried[-1].failed and not context.called("set_reminder"):
            return [use("set_reminder", text="the delivery", when=when)]
        return [say(PROMISED[lang])]

    async with stage(around(ScriptedModel(conversation=answer)), **HERE) as on:
        assert await ask(on, "ana", ASKED[lang]) == PROMISED[lang]
        assert len(await kept(on)) == 1
        await until(on, "2026-12-01T09:00")
        assert "the delivery" in await timed(on)


async def test_ag_08_a_promise_with_something_set_in_the_same_run_is_left_alone(
    stage: OpenStage,
) -> None:
    refused: list[bool] = []

    def answer(context: Context) -> list[Block]:
        refused.extend(step.failed for step in context.called("say"))
        if not context.called("set_reminder"):
            return [use("set_reminder", text="the delivery", when="tomorrow at 9")]
        return [say(PROMISED["en"])]

    async with stage(around(ScriptedModel(conversation=answer)), **HERE) as on:
        await ask(on, "ana", ASKED["en"])
        assert refused == []
        assert await told(on) == [PROMISED["en"]]


async def test_ag_08_a_stubborn_model_is_corrected_once_and_never_in_a_circle(
    stage: OpenStage,
) -> None:
    model = ScriptedModel(conversation=lambda _: [say(PROMISED["en"])])
    async with stage(around(model), **HERE) as on:
        await ask(on, "ana", ASKED["en"])
        assert await told(on) == [PROMISED["en"]]
        assert len(model.of("conversation")) == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_ag_08_the_built_in_model_promises_nothing_it_does_not_set(
    stage: OpenStage, lang: str
) -> None:
    async with stage(**HERE) as on:
        answer = await ask(on, "ana", ASKED[lang])
        assert answer
        assert "tomorrow" not in answer
        assert "明天" not in answer
