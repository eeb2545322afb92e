"""What the page shows of the house, to the operator and to single people."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.chat import Address, Health
from adapters.web.errors import Conflict
from adapters.web.rooms import BOT
from agency import fires
from bot.app import Surroundings
from bot.plays.stage import DIRECT, Stage
from memory.db import Tx
from tests.conftest import OpenStage
from tests.fakes.scripted_chat import ScriptedChat

STORY = (
    ("lin", "architecture", "The release path moves from legacy-release to canary-release."),
    ("mo", DIRECT, "I will finish the migration script for canary-release by Friday."),
    ("kai", "hiring", "The candidate for the release is Quintessa."),
    ("bo", "project", "Plan: we rehearse the rollout with legacy-release on Wednesday."),
)
LISTS = ("fires", "runs", "handoffs", "letters")
PROMISE = "migration script"


@pytest.fixture
async def told(stage: OpenStage) -> AsyncIterator[Stage]:
    """A house in which the story was told and nobody has answered yet."""
    async with stage() as on:
        for who, room, text in STORY:
            await on.say(who, room, text)
            await on.wait(8)
        await on.wait(60)
        yield on


async def rows(on: Stage, tab: str, viewer: str | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = await getattr(on.house.views, tab)(viewer, None, 100)
    return found


async def test_rows_come_newest_first_and_go_on_before_the_last_one_had(told: Stage) -> None:
    views = told.house.views
    for tab, letter in zip(LISTS, "frhl", strict=True):
        every = await rows(told, tab, None)
        numbers = [int(row["id"].removeprefix(letter)) for row in every]
        assert numbers == sorted(numbers, reverse=True), tab
        listed = getattr(views, tab)
        first = await listed(None, None, 1)
        assert [*first, *await listed(None, first[0]["id"], 100)] == every, tab
        assert len(await listed(None, None, 0)) == 1, "a limit below one is one"


async def test_unknown_ids_are_empty_and_no_error(told: Stage) -> None:
    views = told.house.views
    for tab in LISTS:
        for before in ("", "x1", "f", "-5", "f99999999999999999999", "h²"):
            assert await getattr(views, tab)(None, before, 10) == [], (tab, before)
    for id in ("", "r0", "r999", "seven", "r1; DROP TABLE runs"):
        assert await views.run(None, id) is None
    nowhere = Address(platform="web", account="local", chat="project", message="999")
    assert await views.why(None, nowhere) == []


async def test_the_operator_sees_every_word(told: Stage) -> None:
    for tab in LISTS:
        assert not any(row["private"] for row in await rows(told, tab, None)), tab
    texts = [row["text"] for row in await rows(told, "fires", None)]
    assert all(text in texts for _, _, text in STORY)
    titles = {row["title"] for row in await told.house.views.sessions(None)}
    assert {"#project", "#hiring", "@Mo", "agency"} <= titles


async def test_a_private_row_carries_no_word_of_it(told: Stage) -> None:
    outline = {"id", "kind", "state", "verdict", "outcome", "at", "run", "private", "text"}
    for tab in ("fires", "handoffs", "letters"):
        private = [row for row in await rows(told, tab, "bo") if row["private"]]
        assert private, tab
        assert all(set(row) <= outline and row["text"] == "" for row in private), tab


@pytest.mark.parametrize(
    ("who", "seen", "hidden"),
    [
        ("bo", ("#project", "#architecture"), ("#hiring", "@Mo", "@Kai")),
        ("mo", ("#project", "@Mo"), ("#hiring", "@Bo")),
        ("kai", ("#hiring", "@Kai"), ("@Mo",)),
        ("nobody", ("#project",), ("#hiring", "@Mo")),
    ],
)
async def test_a_person_knows_their_rooms_and_the_open_ones(
    told: Stage, who: str, seen: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    titles = {row["title"] for row in await told.house.views.sessions(who)}
    assert titles >= set(seen) and not titles & set(hidden)


async def test_the_promise_is_known_to_its_author_alone_until_they_agree(told: Stage) -> None:
    def about(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [row for row in found if PROMISE in row.get("text", "")]

    (asked,) = about(await rows(told, "handoffs", "mo"))
    assert asked["verdict"] == "asking" and "Mo is asked first" in asked["reason"]
    assert about(await rows(told, "handoffs", "bo")) == []

    assert await told.press("mo", True)
    await told.wait(60)
    (spoken,) = about(await rows(told, "handoffs", "bo"))
    assert (spoken["verdict"], spoken["outcome"]) == ("admitted", "spoken")
    assert [source["private"] for source in spoken["sources"]] == [True]
    assert not any(gate["reason"] for gate in spoken["gates"]), "reasons may name the author"
    (own,) = about(await rows(told, "handoffs", "mo"))
    assert own["sources"][0]["text"].startswith("I will finish")


async def test_a_run_shows_what_it_did(told: Stage) -> None:
    views = told.house.views
    for row in await rows(told, "runs", None):
        whole = await views.run(None, row["id"])
        assert whole is not None and whole["trace"][0]["step"] == "input"
        steps = {step["step"] for step in whole["trace"]}
        assert steps >= {"input", "model"} and ("tool" in steps) == ("result" in steps)
    handing = next(row for row in await rows(told, "runs", None) if "→ #project" in row["summary"])
    assert (
        handing["fires"]
        and handing["tokens_in"]
        and handing["trigger"] in ("early", "quiet", "intention")
    )


async def test_what_the_agency_thinks_is_for_the_operator(told: Stage) -> None:
    for row in await rows(told, "runs", "bo"):
        whole = await told.house.views.run("bo", row["id"])
        assert whole is not None and whole["private"]
        open_steps = {step["step"] for step in whole["trace"] if not step["private"]}
        assert open_steps <= {"model"}


async def test_a_run_in_a_room_is_known_to_those_who_may_be_there(told: Stage) -> None:
    letters = await rows(told, "letters", None)
    dm = next(row["run"] for row in letters if row["room"] == "@Mo")
    room = next(row["run"] for row in letters if row["room"] == "#project")
    views = told.house.views
    assert await views.run("bo", dm) is None
    assert await views.run("mo", dm) is not None
    seen = await views.run("bo", room)
    assert seen is not None
    said = [step for step in seen["trace"] if step["title"] == "say" and step["step"] == "tool"]
    assert said and all("canary-release" in step["text"] for step in said)
    assert all(step["private"] for step in seen["trace"] if step["step"] == "result")


async def test_now_tells_when_the_agency_wakes(stage: OpenStage) -> None:
    async with stage() as on:
        views = on.house.views
        assert (await views.now(None))["state"] == "idle"
        await on.say("bo", "general", "Lunch at noon?")
        await on.wait(1)
        row = await views.now("bo")
        assert row["state"] == "waiting" and row["wakes_at"] > row["since"]
        assert row["counts"]["fires"] == 1 and "originals" not in row["counts"]
        await on.wait(300)
        row = await views.now(None)
        assert row["state"] == "idle" and row["since"] and row["tokens_today"] > 0
        assert row["counts"]["fires"] == 0 and row["counts"]["originals"] == 1


async def test_now_tells_the_operator_how_the_platforms_are(stage: OpenStage) -> None:
    chat = ScriptedChat(name="slack", state=Health(up=False, note="the token was revoked"))
    async with stage(Surroundings(chats=(chat,))) as on:
        await on.wait(1)
        row = await on.house.views.now(None)
        assert row["platforms"] == [{"name": "slack", "up": False, "note": "the token was revoked"}]
        assert (await on.house.views.now("bo"))["platforms"] == []


async def test_now_says_when_background_work_is_off(stage: OpenStage) -> None:
    async with stage(agency__enabled="false") as on:
        assert (await on.house.views.now(None))["state"] == "paused"


async def test_a_listener_hears_of_every_commit(stage: OpenStage) -> None:
    heard: list[int] = []
    async with stage() as on:
        on.house.views.listen(lambda: heard.append(1))
        await on.say("bo", "general", "Hello")
        assert heard
        await on.wait(0)  # until the house has noted what there is to note of its platforms
        heard.clear()
        await on.house.views.fires(None, None, 10)
        assert not heard, "looking changes nothing"


async def test_files_are_shown_with_their_age(told: Stage) -> None:
    files = {row["file"]: row for row in await told.house.views.files()}
    assert files["AGENCY.md"]["text"] and files["AGENCY.md"]["changed_at"]


async def test_a_dead_fire_is_shown_and_not_counted_as_waiting(stage: OpenStage) -> None:
    def bury(tx: Tx) -> None:
        event = fires.Event(kind=fires.Kind.HEARTBEAT, key="k", payload={"text": "anything due?"})
        id = fires.observe(tx, event, now_us=1)
        assert id is not None
        for run in range(fires.MAX_ATTEMPTS):
            fires.hand_over(tx, [id], run=1000 + run, how=fires.State.SUBMITTED)
            fires.release(tx, 1000 + run, "the model is away", now_us=2)

    async with stage() as on:
        await on.house.db.write(bury)
        (row,) = await on.house.views.fires("bo", None, 10)
        assert row["state"] == "dead"
        assert (await on.house.views.now(None))["counts"]["fires"] == 0


async def test_stories_are_listed_and_one_is_played_at_a_time(stage: OpenStage) -> None:
    async with stage() as on:
        views = on.house.views
        listed = await views.stories()
        assert {row["language"] for row in listed} == {"en", "zh"}
        row = await views.play("release-path.en")
        assert [post.author for post in await on.house.rooms.posts(row["room"])] == []
        assert (await views.now(None))["playing"] == "The release path moves"
        with pytest.raises(Conflict, match="is being played"):
            await views.play("risk.en")
        await on.wait(1200)
        assert any(post.author == BOT for post in await on.house.rooms.posts(row["room"]))
        assert "playing" not in await views.now(None)
