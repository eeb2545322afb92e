"""A day's budget in a whole house: what steps down first, what waits, and who is told."""

from datetime import date, timedelta
from typing import Any

import pytest

from agency import budgets, fires
from agency.budgets import Purpose
from bot import derived
from bot.app import Surroundings
from bot.costs import Costs
from bot.engine import runs, spending
from bot.engine.rations import Ration
from bot.models.builtin.context import Context
from bot.models.model import Block, Tier, Usage
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from memory.db import Tx
from memory.moments import to_us
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes.messages_api import MessagesApi
from tests.fakes.messages_wire import Answer, calls, says
from tests.fakes.scripted import ScriptedModel, echo, pass_time, private, say, use

DAY = date(2026, 11, 30)
LIMIT = 100_000
ASKED = {"en": "@Limen what is new today?", "zh": "@Limen 今天有什么新消息？"}
USED_UP = {"en": "Today's budget", "zh": "预算已经用完"}


def around(model: ScriptedModel) -> Surroundings:
    return Surroundings(model=model)


def budget(**more: object) -> dict[str, object]:
    """A team in Berlin with a budget of tokens."""
    return {"budget__daily_tokens": LIMIT, "bot__timezone": "Europe/Berlin", **more}


async def spend(on: Stage, part: float, *, day: date = DAY, purpose: str = "foreground") -> None:
    """Let so much of the day's budget be spent by now."""
    tokens = round(part * LIMIT)

    def book(tx: Tx) -> None:
        usage, model = Usage(input_tokens=tokens), "claude-sonnet-5-5"
        spending.book(
            tx, usage, day=day, purpose=purpose, model=model, cost=2 * tokens, currency="USD"
        )

    await on.house.db.write(book)


async def next_day(on: Stage) -> None:
    """Let time pass in no time until just before midnight in Berlin, and then a few minutes."""
    over = budgets.next_day(on.clock(), on.house.config.bot.zone)
    on.clock.skip(over - on.clock() - timedelta(seconds=90))
    await on.wait(60)
    assert on.clock() < over
    await on.wait(600)


async def said(on: Stage, room: str, who: str = "ana") -> list[str]:
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def of_role(on: Stage, role: str) -> list[runs.Run]:
    return await on.house.db.read(lambda r: runs.latest(r, limit=500, role=role)[::-1])


async def pending(on: Stage) -> int:
    found = await on.house.db.read(lambda reader: fires.pending(reader, limit=500))
    return len(found)


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_day_runs_down_from_ok_to_pause_and_begins_anew_at_the_teams_midnight(
    stage: OpenStage, lang: str
) -> None:
    """AG-01: the background stops hard, and questions are answered all the same."""
    model = ScriptedModel(conversation=echo)
    settings = budget(budget__daily_tokens=3300)
    async with stage(around(model), **settings) as on:
        for _ in range(35):
            await on.say("ana", "project", ASKED[lang])
            await on.wait(150)
        await on.say("kai", "release", "The gate moves to Tuesday.")
        await on.wait(600)

        last = {role: max(n for n, call in enumerate(model.calls) if call.role == role)
                for role in ("memory", "agency", "conversation")}  # fmt: skip
        assert last["memory"] < last["agency"] < last["conversation"], "answers stop last"
        tiers = [call.tier for call in model.of("conversation")]
        assert tiers[0] is Tier.MAIN and tiers[-1] is Tier.SMALL, "cheaper before less"
        assert tiers == sorted(tiers), "and never back"
        booked = await on.house.db.read(spending.of_day, DAY)
        paid = sum(one.tokens for one in booked if one.model == model.name)
        assert 3300 <= paid < 3300 + 2 * 110, "used up, and not overshot"

        answers = await said(on, "project")
        assert sum(USED_UP[lang] in text for text in answers) == 1, "told once a day in a chat"
        assert "Europe/Berlin" in "".join(answers)
        asked, waiting = len(model.calls), await pending(on)
        assert waiting > 0, "what the agency would have looked at waits"

        await next_day(on)
        assert await pending(on) == 0
        assert {"agency", "memory"} <= {call.role for call in model.calls[asked:]}
        await on.say("ana", "project", ASKED[lang])
        await on.wait(60)
        assert (await said(on, "project"))[-1].startswith("heard: ")
        assert model.of("conversation")[-1].tier is Tier.MAIN


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_without_a_fallback_whoever_asks_is_told_and_may_ask_again_the_next_day(
    stage: OpenStage, lang: str
) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model), **budget(budget__fallback="none")) as on:
        await spend(on, 1.0)
        await on.say("ana", "project", ASKED[lang])
        await on.wait(60)
        (told,) = await said(on, "project")
        assert USED_UP[lang] in told and "Europe/Berlin" in told
        assert model.calls == []
        (run,) = await of_role(on, "conversation")
        assert (run.state, run.outcome) == (runs.State.SUCCEEDED, "refused")

        await next_day(on)
        assert model.of("conversation") == [], "a question of yesterday is not answered unasked"
        await on.say("ana", "project", ASKED[lang])
        await on.wait(60)
        assert (await said(on, "project"))[-1].startswith("heard: ")


async def test_a_room_that_is_only_overheard_is_told_nothing_of_the_budget(
    stage: OpenStage,
) -> None:
    async with stage(around(ScriptedModel()), **budget(budget__fallback="none")) as on:
        await spend(on, 1.0)
        await on.say("ana", "project", "Lunch is at noon.")
        await on.wait(300)
        assert await said(on, "project") == []


async def test_a_run_in_progress_keeps_its_model_to_the_end(stage: OpenStage) -> None:
    def twice(seen: Context) -> list[Block]:
        return [say("First.", more=True)] if not seen.steps else [say("Second.")]

    model = ScriptedModel(conversation=twice)
    async with stage(around(model), **budget()) as on:
        let_go = model.hold("conversation")
        await on.say("ana", "project", ASKED["en"])
        await pass_time(on, model, 5)
        await spend(on, 2.0)
        let_go()
        await on.wait(60)
        assert await said(on, "project") == ["First.", "Second."]
        assert [call.tier for call in model.of("conversation")] == [Tier.MAIN, Tier.MAIN]


async def test_what_was_chosen_at_the_start_holds_over_a_restart(
    make_config: MakeConfig,
) -> None:
    model = ScriptedModel(conversation=echo)
    config = make_config(**budget())
    given = {"people": team.PEOPLE, "rooms": team.ROOMS}
    async with open_stage(config, MONDAY, around=around(model), **given) as on:  # type: ignore[arg-type]
        await spend(on, 0.85)
        model.hold("conversation")
        await on.say("ana", "project", ASKED["en"])
        await pass_time(on, model, 5)
        assert [run.ration for run in await of_role(on, "conversation")] == [Ration.SMALL]
    again = ScriptedModel(conversation=echo)
    async with open_stage(config, MONDAY, around=around(again), **given) as on:  # type: ignore[arg-type]
        await spend(on, 1.0)
        await on.wait(60)
        assert [call.tier for call in again.of("conversation")] == [Tier.SMALL]
        assert (await said(on, "project"))[-1].startswith("heard: ")


def looked_into(seen: Context) -> list[Block]:
    """An agency that has something looked into, once."""
    if seen.steps or not seen.section("fires"):
        return [private("done")]
    return [use("start_subagent", kind="investigate", task="Who owns the gate?")]


async def test_what_is_paused_waits_and_goes_on_at_once_when_the_budget_is_raised(
    make_config: MakeConfig,
) -> None:
    given = {"people": team.PEOPLE, "rooms": team.ROOMS}
    model = ScriptedModel(agency=looked_into)
    config = make_config(**budget())
    async with open_stage(config, MONDAY, around=around(model), **given) as on:  # type: ignore[arg-type]
        await spend(on, 0.75)
        await on.say("bo", "project", "Let's plan the rollout.")
        await on.wait(3600)
        (waits,) = await of_role(on, "subagent")
        assert (waits.state, waits.ration) == (runs.State.QUEUED, Ration.WAITS)
        assert waits.due_at == budgets.next_day(on.clock(), config.bot.zone)
        assert model.of("subagent") == []
    raised = make_config(**budget(budget__daily_tokens=10 * LIMIT))
    again = ScriptedModel()
    async with open_stage(raised, MONDAY, around=around(again), **given) as on:  # type: ignore[arg-type]
        await on.wait(60)
        assert len(again.of("subagent")) == 1
        (done,) = [run for run in await of_role(on, "subagent") if run.id == waits.id]
        assert (done.state, done.attempts) == (runs.State.SUCCEEDED, 1)


async def test_something_unasked_is_put_into_words_at_the_agencys_expense(
    stage: OpenStage,
) -> None:
    """A nudge that comes while the agency is paused waits; a question there takes it along."""
    model = ScriptedModel(conversation=echo, agency=nudge)
    async with stage(around(model), **budget()) as on:
        await on.say("ana", "project", "hello all")
        await on.wait(60)
        await on.say("kai", "release", "The gate moves to Tuesday.")
        let_go = model.hold("agency")
        await pass_time(on, model, 30)
        await spend(on, 0.92)
        let_go()
        await on.wait(600)
        assert model.of("conversation") == []
        nudged = [run for run in await of_role(on, "conversation") if run.ration is Ration.WAITS]
        assert [run.state for run in nudged] == [runs.State.QUEUED]
        assert f"{nudged[0].due_at:%d %H:%M}" == "01 08:00", "nine in Berlin: not at midnight"
        await on.say("bo", "project", ASKED["en"])
        await on.wait(60)
        (run,) = await of_role(on, "conversation")
        assert (run.state, run.ration) == (runs.State.SUCCEEDED, Ration.SMALL)


def nudge(seen: Context) -> list[Block]:
    """Hand over to #project what is said in #release."""
    target = next(row for row in seen.section("sessions") if row["title"] == "#project")
    news = [row for row in seen.section("fires") if row.get("room") == "#release"]
    if seen.steps or not news:
        return [private("done")]
    return [
        use(
            "submit_to_session",
            session=target["session"],
            text="The gate changed.",
            subject="gate",
            state="Tuesday",
            grade="major",
            confidence=0.9,
            sources=[news[0]["original"]],
        )
    ]


async def test_many_at_once_do_not_overshoot_by_much(stage: OpenStage) -> None:
    model = ScriptedModel(conversation=echo)
    async with stage(around(model), **budget(budget__daily_tokens=2000)) as on:
        await spend(on, 0.01, purpose="foreground")  # 1,000 tokens in one call: calls are dear
        model.hold("conversation")
        for n, room in enumerate(("project", "release", "architecture", "general")):
            who = ("ana", "kai", "lin", "bo")[n]
            await on.say(who, room, ASKED["en"])
        await pass_time(on, model, 10)
        assert len(model.of("conversation")) == 1, "one in progress may already use up the rest"


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_the_admins_are_told_once_when_something_steps_down(
    stage: OpenStage, lang: str
) -> None:
    model = ScriptedModel(conversation=echo)
    settings = budget(access__admins="web:ana", bot__language=lang)
    async with stage(around(model), **settings) as on:
        await on.say("ana", DIRECT, "hi")
        await on.wait(60)
        await spend(on, 0.72)
        await on.say("ana", DIRECT, "hi again")
        await on.wait(600)
        notices = [text for text in await said(on, DIRECT) if "72 %" in text or "72%" in text]
        assert len(notices) == 1
        paused = "Look-ups on the side: paused" if lang == "en" else "后台调查：暂停"
        assert paused in notices[0]


@pytest.mark.parametrize(("order", "title"), [("budget", "Today, "), ("预算", "今天，")])
async def test_an_admin_asks_where_it_went(stage: OpenStage, order: str, title: str) -> None:
    settings = budget(access__admins="web:ana")
    async with stage(around(ScriptedModel(conversation=echo)), **settings) as on:
        await spend(on, 0.72)
        await on.say("ana", DIRECT, order)
        await on.wait(30)
        (told,) = await said(on, DIRECT)
        assert told.startswith(title)
        assert "72,000 / 100,000" in told and "claude-sonnet-5-5" in told
        await on.say("bo", DIRECT, order)
        await on.wait(30)
        assert await said(on, DIRECT, who="bo") == [f"heard: {order}"], "to others it is a word"


async def test_the_account_names_days_purposes_models_levels_and_money(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel()), **budget(budget__daily_cost=0.2)) as on:
        await spend(on, 0.3, day=date(2026, 11, 29), purpose="memory")
        await spend(on, 0.72, purpose="agency")
        costs, now = Costs(derived.budget(on.house.config)), on.clock()
        lines = await on.house.db.read(lambda r: costs.lines(r, "en", days=7, now=now))
        assert lines[0] == (
            "Today, 2026-11-30 (Europe/Berlin): 72 % of the budget. "
            "Tokens: 72,000 / 100,000. Money: 0.1440 USD / 0.2000 USD."
        )
        assert lines[1:5] == [
            "- look-ups on the side: paused until midnight",
            "- memory: the built-in model",
            "- the background mind: the small model",
            "- answers: as usual",
        ]
        assert lines[5:] == [
            "2026-11-30",
            "- the background mind, claude-sonnet-5-5: 1 calls, 72,000 tokens, 0.1440 USD",
            "2026-11-29",
            "- memory, claude-sonnet-5-5: 1 calls, 30,000 tokens, 0.0600 USD",
        ]
        today, before = await on.house.views.budget()
        assert (today["id"], today["used"], today["tokens_limit"]) == ("2026-11-30", 0.72, LIMIT)
        assert {"purpose": "background", "level": "paused"} in today["levels"]
        assert (before["id"], before["spent"][0]["cost"]) == ("2026-11-29", "0.0600 USD")
        assert (await on.house.views.now(None))["cost_today"] == "0.1440 USD"


async def test_the_built_in_model_is_free(stage: OpenStage) -> None:
    async with stage(**budget(budget__daily_tokens=1)) as on:
        await on.say("ana", "project", ASKED["en"])
        await on.wait(120)
        booked = await on.house.db.read(spending.of_day, DAY)
        assert booked and all(one.cost == 0 for one in booked)
        assert await on.house.db.read(on.house.budgeting.spent) == {}
        assert all(USED_UP["en"] not in text for text in await said(on, "project"))


async def test_an_unknown_model_counts_at_the_dearest_price_with_one_warning(
    stage: OpenStage, caplog: pytest.LogCaptureFixture
) -> None:
    async with stage(around(ScriptedModel(conversation=echo)), **budget()) as on:
        for _ in range(2):
            await on.say("ana", "project", ASKED["en"])
            await on.wait(10)
        (booked,) = await on.house.db.read(
            lambda r: [one for one in spending.of_day(r, DAY) if one.purpose == "foreground"]
        )
        assert booked.cost == 2 * (100 * 2 + 10 * 10)
        warned = [one for one in caplog.records if "no price of 'scripted'" in one.getMessage()]
        assert len(warned) == 1


async def test_an_agency_that_is_paused_is_not_due_before_the_next_day(stage: OpenStage) -> None:
    async with stage(around(ScriptedModel(conversation=echo)), **budget()) as on:
        within = on.house.budgeting.within(Purpose.AGENCY, lambda _: 1)
        assert await on.house.db.read(within) == 1
        await spend(on, 0.95)
        over = budgets.next_day(on.clock(), on.house.config.bot.zone)
        assert await on.house.db.read(within) == to_us(over)


async def test_a_call_over_the_wire_is_booked_by_kind_of_token_and_steps_down(
    stage: OpenStage,
) -> None:
    used = Usage(
        input_tokens=1000, output_tokens=100, cache_read_tokens=20_000, cache_write_tokens=4000
    )

    def author(body: dict[str, Any]) -> Answer:
        talks = any(tool["name"] == "say" for tool in body.get("tools", []))
        call = calls(("say", {"text": f"by {body['model']}"}), usage=used)
        return call if talks else says("nothing", usage=used)

    async with MessagesApi(author) as api:
        settings = budget(
            budget__daily_tokens=0,
            budget__daily_cost=0.05,
            model__provider="anthropic",
            model__base_url=api.url,
            model__api_key=api.key,
            agency__enabled=False,
            agency__memory=False,
        )
        async with stage(**settings) as on:
            for _ in range(5):
                await on.say("ana", "project", ASKED["en"])
                await on.wait(30)
            # 0.002 in, 0.001 out, 0.002 read and 0.01 written: 0.015 a call by the large model.
            answers = await said(on, "project")
            big, small = "by claude-sonnet-5-5", "by claude-haiku-5-5"
            assert answers == [big, big, big, small, small]
            booked = await on.house.db.read(spending.of_day, DAY)
            assert [(one.model, one.calls, one.cost) for one in booked] == [
                ("claude-haiku-5-5", 2, 2 * 850),
                ("claude-sonnet-5-5", 3, 3 * 15_000),
            ]


async def test_a_question_that_only_what_runs_keeps_waiting_is_asked_again_soon(
    stage: OpenStage,
) -> None:
    """Nobody is refused for what others may yet not spend."""
    model = ScriptedModel(conversation=echo)
    settings = budget(budget__daily_tokens=2000, budget__fallback="none")
    alone = {"agency__enabled": False, "agency__memory": False}
    async with stage(around(model), **settings | alone) as on:
        await spend(on, 0.012)  # 1,200 tokens in one call
        let_go = model.hold("#project")
        await on.say("ana", "project", ASKED["en"])
        await pass_time(on, model, 10)
        await on.say("kai", "release", ASKED["en"])
        await pass_time(on, model, 60)
        assert len(model.of("conversation")) == 1
        assert await said(on, "release", "kai") == []
        let_go()
        await on.wait(30)
        assert (await said(on, "release", "kai"))[0].startswith("heard: ")


@pytest.mark.parametrize(
    ("asked", "words"),
    [("who are you really?", "budget for the language model is used up"),
     ("你是机器人吗？", "语言模型预算用完了")],
)  # fmt: skip
async def test_the_built_in_model_that_stands_in_says_why_it_does(
    stage: OpenStage, asked: str, words: str
) -> None:
    async with stage(around(ScriptedModel()), **budget()) as on:
        await spend(on, 1.0)
        await on.say("ana", DIRECT, asked)
        await on.wait(30)
        assert words in (await said(on, DIRECT))[0]
