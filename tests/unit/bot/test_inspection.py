"""`limen why`, `status` and `retry`: beside a running Limen and without one."""

from pathlib import Path

import pytest

from adapters.web.rooms import BOT
from agency import fires
from bot import inspection
from bot.errors import LimenError
from bot.plays.stage import DIRECT, Stage
from bot.setup.config import Config
from bot.setup.home import Home
from memory.db import Database, Tx, snapshot
from tests.conftest import MONDAY, MakeConfig, OpenStage

STORY = (
    ("lin", "architecture", "The release path moves from legacy-release to canary-release."),
    ("mo", DIRECT, "I will finish the migration script for canary-release by Friday."),
    ("bo", "project", "Plan: we rehearse the rollout with legacy-release on Wednesday."),
)


async def play(on: Stage) -> None:
    for who, room, text in STORY:
        await on.say(who, room, text)
        await on.wait(8)
    await on.wait(60)


def bury(tx: Tx) -> int:
    """A fire that died."""
    id = fires.observe(tx, fires.Event(kind=fires.Kind.HEARTBEAT, key="k"), now_us=1)
    assert id is not None
    for run in range(fires.MAX_ATTEMPTS):
        fires.hand_over(tx, [id], run=1000 + run, how=fires.State.SUBMITTED)
        fires.release(tx, 1000 + run, "the model is away", now_us=2)
    return id


async def test_a_message_is_found_by_its_id_its_letter_and_its_words(stage: OpenStage) -> None:
    async with stage() as on:
        await play(on)
        config = on.house.config
        told = [post.text for post in await on.posts("project") if post.author == BOT]
        by_words = inspection.why(config, told[0][:40].upper().replace(" ", "  "))
        assert "#architecture, Lin: “The release path moves" in by_words[0]
        assert "delivery" in by_words[-1] and "#project" in by_words[-1]
        assert any("✓ live run" in line and "leak guard" in line for line in by_words)
        letter = by_words[-1].split()[3]
        assert inspection.why(config, letter) == by_words
    # Limen is gone now, and the answer is the same.
    assert inspection.why(config, letter) == by_words


async def test_several_messages_with_the_same_words_are_listed(stage: OpenStage) -> None:
    async with stage() as on:
        for _ in range(2):
            await on.say("mo", DIRECT, "I will finish the migration script by Friday.")
            await on.wait(30)
        said = [post.text for post in await on.posts(DIRECT, who="mo") if post.author == BOT]
        assert len(said) == 2 and said[0] == said[1]
        lines = inspection.why(on.house.config, said[0])
        assert lines[0].startswith("2 messages hold these words")
        assert lines[1].split()[0] == "l1" and "@Mo" in lines[1]


async def test_what_has_no_why_is_said(stage: OpenStage) -> None:
    async with stage() as on:
        await play(on)
        config = on.house.config
    for message, answer in {
        "o1": "said by Lin",
        "o999": "no message o999",
        "l999": "no letter l999",
        "never said": "nothing I said lately holds",
        "  ": "nothing I said lately holds",
    }.items():
        with pytest.raises(LimenError, match=answer):
            inspection.why(config, message)


async def test_the_status_names_what_waits_and_for_what(stage: OpenStage) -> None:
    async with stage() as on:
        await play(on)
        id = await on.house.db.write(bury)
        text = "\n".join(inspection.status(on.house.config, on.clock()))
        assert "running (process" in text
        assert "12 conversations" in text and "#project" in text
        assert f"'limen retry f{id}'" in text and "the model is away" in text
        assert "— asking Mo" in text and "asks Mo about #project" in text
        assert "none on their way, none failed lately" in text
        assert "agency (built-in)" in text
    assert "not running" in inspection.status(on.house.config, MONDAY)[0]


async def test_a_dead_fire_is_retried_once(stage: OpenStage) -> None:
    async with stage() as on:
        id = await on.house.db.write(bury)
        config = on.house.config
        assert "within a minute" in await inspection.retry(config, f"f{id}")
        found = await on.house.db.read(fires.find, id)
        assert found is not None and found.state is fires.State.PENDING
        with pytest.raises(LimenError, match="is not dead"):
            await inspection.retry(config, f"f{id}")
        with pytest.raises(LimenError, match="is no fire"):
            await inspection.retry(config, "h1")
        await on.wait(120)
        found = await on.house.db.read(fires.find, id)
        assert found is not None and found.state is fires.State.CONSUMED


async def test_all_dead_fires_are_retried_at_once(stage: OpenStage) -> None:
    async with stage() as on:
        id = await on.house.db.write(bury)
        assert "all that was dead (1)" in await inspection.retry(on.house.config, "all")
        found = await on.house.db.read(fires.find, id)
        assert found is not None and found.state is fires.State.PENDING
        with pytest.raises(LimenError, match="no fire is dead"):
            await inspection.retry(on.house.config, "all")


async def test_without_a_database_the_folder_is_named(make_config: MakeConfig) -> None:
    config = make_config()
    with pytest.raises(LimenError, match=r"no database in .*home"):
        inspection.why(config, "o1")
    with pytest.raises(LimenError, match=r"no database in .*home"):
        inspection.status(config, MONDAY)
    with pytest.raises(LimenError, match="no database"):
        await inspection.retry(config, "f1")
    assert not Home(config.bot.data_dir).database.exists(), "looking makes nothing"


async def test_a_database_of_another_version_is_left_alone(make_config: MakeConfig) -> None:
    config = make_config()
    await _newer(config)
    with pytest.raises(LimenError, match="another version"):
        inspection.status(config, MONDAY)
    with pytest.raises(LimenError, match="another version"):
        await inspection.retry(config, "f1")


async def test_a_snapshot_cannot_be_written_to(db: Database) -> None:
    with snapshot(db.engine) as reader, pytest.raises(Exception, match=r"read-?only"):
        reader.all("DELETE FROM people")


async def _newer(config: Config) -> None:
    home: Path = config.bot.data_dir
    home.mkdir(parents=True)

    def mark(tx: Tx) -> None:
        tx.run("CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)")
        tx.run("INSERT INTO migrations VALUES ('bot/9999_later', 0)")

    async with Database(Home(home).database) as db:
        await db.write(mark)
