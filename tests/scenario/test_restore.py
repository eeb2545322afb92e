"""A backup is put back: all of it, either state whole after a crash, and nothing said twice."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from adapters.chat import Outgoing, Receipt
from adapters.errors import Unknown
from bot import inspection
from bot.app import PACKAGES, Surroundings
from bot.engine import letters
from bot.errors import DataFolderError, LimenError
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from bot.privacy import erase
from bot.safekeeping import backup, bundle, doubts, places
from bot.safekeeping.bundle import BackupBroken
from bot.setup import storage
from bot.setup.config import Config
from bot.setup.home import Home
from memory import migrations, originals, search
from memory.db import Database, Tx, snapshot
from memory.errors import NewerDatabase
from memory.moments import to_us
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes import servers
from tests.fakes.doomed_keeping import back_up, lives, put_back
from tests.fakes.memos import told
from tests.fakes.scripted import ScriptedModel, echo
from tests.fakes.scripted_chat import ScriptedChat

LATER = MONDAY + timedelta(hours=3)
HERON = "remember: the code word is heron"
OTTER = "remember: the code word is otter"


class Silent(ScriptedChat):
    """A platform that never tells a bot what it has said."""

    async def find(self, letter: Outgoing) -> Receipt | None:
        raise Unknown("nobody can tell")


@asynccontextmanager
async def again(
    make_config: MakeConfig, start: datetime, around: Surroundings | None = None
) -> AsyncIterator[Stage]:
    """The house once more, later."""
    opened = open_stage(make_config(), start, people=team.PEOPLE, rooms=team.ROOMS, around=around)
    async with opened as on:
        yield on


def bodies(database: Path) -> list[str]:
    """Everything that is kept, newest first."""
    with snapshot(database) as reader:
        return [one.body for one in originals.latest(reader, limit=500)]


@pytest.fixture
async def file(stage: OpenStage, make_config: MakeConfig, tmp_path: Path) -> Path:
    """A backup of a house in which one thing was said and after which another was."""
    made = tmp_path / "x.backup"
    async with stage() as on:
        await on.say("ana", DIRECT, HERON)
        await on.wait(30)
        home = Home(tmp_path / "home")
        (home.folder / "agency/episodes/heron.md").write_text("A heron.\n")
        await back_up(make_config(), made, on.clock())
        await on.say("ana", DIRECT, OTTER)
        await on.wait(30)
        (home.folder / "agency/episodes/otter.md").write_text("An otter.\n")
        (home.folder / "agency/episodes/heron.md").write_text("No heron.\n")
    return made


async def test_what_was_kept_is_back_and_what_was_there_lies_aside(
    file: Path, make_config: MakeConfig, tmp_path: Path
) -> None:
    lines = await put_back(make_config(), file, LATER)
    aside = tmp_path / "home/before-restore-2026-11-30T130000Z"
    assert f"what was there before lies in {aside}" in lines
    assert HERON in bodies(tmp_path / "home/limen.db")
    assert OTTER not in bodies(tmp_path / "home/limen.db")
    assert OTTER in bodies(aside / "limen.db")
    episodes = tmp_path / "home/agency/episodes"
    assert [path.name for path in episodes.iterdir()] == ["heron.md"]
    assert (episodes / "heron.md").read_text() == "A heron.\n"
    assert (aside / "agency/episodes/otter.md").exists()
    with snapshot(tmp_path / "home/limen.db") as reader:
        found = search.originals(reader, "heron", visible=lambda _: True, limit=9)
    assert HERON in [one.body for one in found]
    async with again(make_config, LATER) as on:
        await on.wait(60)
        assert next(post.text for post in await on.posts(DIRECT, who="ana")) == HERON


async def test_content_is_kept_unless_told_and_a_running_limen_is_left_alone(
    file: Path, make_config: MakeConfig, tmp_path: Path
) -> None:
    config = make_config()
    with pytest.raises(LimenError, match=r"has content \(\d+ messages\); say --yes"):
        await put_back(config, file, LATER, yes=False)
    with (
        Home(config.bot.data_dir).hold(),
        pytest.raises(DataFolderError, match=r"another Limen .* stop it"),
    ):
        await put_back(make_config(), file, LATER)
    assert OTTER in bodies(tmp_path / "home/limen.db")
    shutil.rmtree(tmp_path / "home")
    await put_back(config, file, LATER, yes=False)
    assert HERON in bodies(tmp_path / "home/limen.db")


async def test_a_broken_backup_changes_nothing(
    file: Path, make_config: MakeConfig, tmp_path: Path
) -> None:
    data = bytearray(file.read_bytes())
    data[70_000] ^= 1
    file.write_bytes(data)
    before = bodies(tmp_path / "home/limen.db")
    with pytest.raises(BackupBroken, match=r"the checksum of limen\.db is another"):
        await put_back(make_config(), file, LATER)
    assert bodies(tmp_path / "home/limen.db") == before
    assert not list((tmp_path / "home").glob("*restore*"))


async def test_a_backup_of_a_later_version_is_refused_by_its_name(
    file: Path, make_config: MakeConfig, tmp_path: Path
) -> None:
    async with Database(tmp_path / "home/limen.db") as db:
        newer = [*migrations.steps(PACKAGES), ("bot/9999_wings", "CREATE TABLE wings (id TEXT);")]
        await db.write(migrations.migrate, newer, now_us=to_us(MONDAY))
    later = tmp_path / "later.backup"
    await back_up(make_config(), later, LATER)
    with pytest.raises(NewerDatabase, match=r"does not know bot/9999_wings; put it back with"):
        await put_back(make_config(), later, LATER)
    assert "it is of a later version" in backup.check(later)[-1]


OLDER = frozenset(
    "memory/0001_memory memory/0002_files memory/0003_people agency/0001_agency "
    "agency/0002_preferences agency/0003_people_wants agency/0004_inbox agency/0005_approvals "
    "agency/0007_schedules agency/0008_budgets agency/0009_learning agency/0010_waits bot/0001_bot "
    "bot/0002_web bot/0003_health bot/0004_letters bot/0005_access bot/0006_about "
    "bot/0007_spending bot/0008_letters_hours".split()
)
"""The migrations of a version before."""


async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    def fill(tx: Tx) -> None:
        steps = [one for one in migrations.steps(PACKAGES) if one[0] in OLDER]
        assert len(steps) == len(OLDER)
        migrations.migrate(tx, steps, now_us=1)
        tx.run(
            "INSERT INTO sessions (id, kind, key, attention, created_at, last_at) "
            "VALUES (1, 'conversation', 'desk:w:ana', 'all', 1, 1)"
        )
        saying = originals.Saying(
            session_id=1, kind=originals.Kind.MESSAGE, author="Ana", body=HERON, said_us=1
        )
        originals.keep(tx, saying, now_us=1)

    (tmp_path / "home").mkdir()
    async with Database(tmp_path / "home/limen.db") as db:
        await db.write(fill)
    old = tmp_path / "old.backup"
    await back_up(make_config(), old, MONDAY)
    assert "migrations are applied when it is put back" in backup.check(old)[-1]
    shutil.rmtree(tmp_path / "home")
    lines = await put_back(make_config(), old, LATER)
    assert any(line.startswith("brought up to date: ") and "bot/0012" in line for line in lines)
    with snapshot(tmp_path / "home/limen.db") as reader:
        assert migrations.missing(reader, migrations.steps(PACKAGES)) == []
        found = search.originals(reader, "heron", visible=lambda _: True, limit=9)
    assert [one.body for one in found] == [HERON]
    async with again(make_config, LATER) as on:
        await on.wait(60)


async def test_killed_at_any_step_a_restore_leaves_the_old_state_or_the_new(
    file: Path, tmp_path: Path
) -> None:
    home, kept = tmp_path / "home", tmp_path / "kept"
    home.rename(kept)
    with lives() as live:
        shutil.copytree(kept, home)
        steps = live("restore", home, file, 0)["steps"]
        assert steps > 15
        seen = set()
        for at in range(1, steps + 1):
            shutil.rmtree(home)
            shutil.copytree(kept, home)
            assert live("restore", home, file, at)["end"] == -9
            with Home(home).hold():  # as a start does
                places.finish(Home(home), lambda _: False)
            with closing(sqlite3.connect(home / "limen.db")) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            episodes = {path.name for path in (home / "agency/episodes").iterdir()}
            new = OTTER not in bodies(home / "limen.db")
            assert episodes == ({"heron.md"} if new else {"heron.md", "otter.md"})
            seen.add(new)
        assert seen == {False, True}
        assert live("restore", home, file, 0)["end"] == 0
    assert HERON in bodies(home / "limen.db")
    assert not (home / "restore.part").exists()


async def test_killed_while_a_server_is_filled_rows_and_files_stay_together(
    file: Path, make_config: MakeConfig, tmp_path: Path
) -> None:
    home, kept, full = tmp_path / "home", tmp_path / "kept", tmp_path / "full.backup"
    await back_up(make_config(), full, MONDAY)
    home.rename(kept)

    async def before() -> tuple[str, Config]:
        url = servers.running().empty()
        config = make_config(database__url=url)
        await put_back(config, full, MONDAY, yes=False)
        for aside in home.glob("before-restore-*"):
            shutil.rmtree(aside)
        return url, config

    seen = set()
    with lives() as live:
        url, _ = await before()
        steps = live("restore", home, file, 0, url)["steps"]
        servers.running().drop(url)
        for at in (steps - 14, steps - 6):
            shutil.rmtree(home)
            url, config = await before()
            assert live("restore", home, file, at, url)["end"] == -9
            with Home(home).hold():  # as a start does
                places.finish(Home(home), partial(doubts.came, config))
            with storage.reading(config) as reader:
                said = [one.body for one in originals.latest(reader, limit=500)]
            episodes = {path.name for path in (home / "agency/episodes").iterdir()}
            new = OTTER not in said
            assert episodes == ({"heron.md"} if new else {"heron.md", "otter.md"})
            seen.add(new)
            servers.running().drop(url)
    assert seen == {False, True}


async def letter_in_doubt(
    stage: OpenStage, make_config: MakeConfig, chat: ScriptedChat, tmp_path: Path, *, sent: bool
) -> Path:
    """A backup in which an answer waits; `sent` when it went out before the house ended."""
    made = tmp_path / "x.backup"
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        chat.busy = True
        await chat.say("ann", "hello")
        await on.wait(10)
        await back_up(make_config(), made, on.clock())
        chat.busy = not sent
        await on.wait(600)
        assert bool(chat.said("ann")) is sent
    chat.busy = False
    return made


@pytest.mark.parametrize("sent", [True, False])
async def test_a_letter_that_waited_is_looked_up_and_said_once(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path, sent: bool
) -> None:
    chat = ScriptedChat()
    made = await letter_in_doubt(stage, make_config, chat, tmp_path, sent=sent)
    lines = await put_back(make_config(), made, LATER)
    assert "letters to chats, looked up where the platform can tell: 1 (l1)" in str(lines)
    model = ScriptedModel(conversation=echo)
    async with again(make_config, LATER, Surroundings(model=model, chats=(chat,))) as on:
        await on.wait(1200)
        assert len(chat.said("ann")) == 1
        letter = await on.house.db.read(letters.find, 1)
        assert letter is not None and letter.state is letters.State.SENT


async def test_a_letter_nobody_can_look_up_is_held_and_shown(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    chat = Silent()
    made = await letter_in_doubt(stage, make_config, chat, tmp_path, sent=True)
    await put_back(make_config(), made, LATER)
    model = ScriptedModel(conversation=echo)
    async with again(make_config, LATER, Surroundings(model=model, chats=(chat,))) as on:
        await on.wait(1200)
        await chat.say("ann", "still there?")
        await on.wait(60)
        assert len(chat.said("ann")) == 2, "the first answer, and that to a new question"
    shown = "\n".join(inspection.status(make_config(), LATER + timedelta(hours=1)))
    assert "l1 to @ann failed" in shown and letters.RESTORED[:40] in shown
    assert "restored  2026-11-30 13:00, from x.backup, made 2026-11-30 10:00" in shown
    assert "letters to chats, looked up where the platform can tell: 1 (l1)" in shown


async def test_a_question_that_was_being_answered_is_not_answered_twice(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    chat, made = ScriptedChat(), tmp_path / "x.backup"
    model = ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        await chat.say("ann", "hello")
        await back_up(make_config(), made, on.clock())
        await on.wait(60)
        assert len(chat.said("ann")) == 1
    lines = await put_back(make_config(), made, LATER)
    assert "  answers that were being thought of: 1 (r1)" in lines
    async with again(make_config, LATER, Surroundings(model=model, chats=(chat,))) as on:
        await on.wait(1200)
        await chat.say("ann", "what now?")
        await on.wait(60)
        assert len(chat.said("ann")) == 2
        assert "hello" not in chat.said("ann")[1]
        assert chat.sent[0].key != chat.sent[1].key, "a platform would take it for the first"


async def test_reminders_of_the_time_between_do_not_come_as_a_burst(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    made = tmp_path / "x.backup"
    async with stage() as on:
        for text in ("in 10 minutes to call Jon", "in 20 minutes to stretch", "in 6 hours to go"):
            await on.say("ana", DIRECT, f"remind me {text}")
            await on.wait(20)
        await back_up(make_config(), made, on.clock())
    lines = await put_back(make_config(), made, LATER)
    assert "  reminders and tasks whose time has passed: 2" in lines
    async with again(make_config, LATER) as on:
        await on.wait(60)
        assert not [text for text in await told(on) if text.startswith("Reminder")]
        await on.wait(4 * 3600)
        given = [text for text in await told(on) if text.startswith("Reminder")]
        assert given == ["Reminder: go"]


async def test_news_of_before_is_not_carried_to_other_rooms_once_more(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    made = tmp_path / "x.backup"
    change = "We decided: the release path moves from legacy-release to canary-release."
    async with stage() as on:
        await on.say("bo", "project", "Let's plan the rollout with legacy-release on Wednesday.")
        await on.wait(300)
        await on.say("lin", "architecture", change)
        await on.wait(1)
        await back_up(make_config(), made, on.clock())
        await on.wait(120)
        assert len(await told(on, "project", "bo")) == 1
    lines = await put_back(make_config(), made, LATER)
    assert "happenings the agency had not looked at" in str(lines)
    async with again(make_config, LATER) as on:
        await on.wait(600)
        assert await told(on, "project", "bo") == []


async def test_whom_was_erased_since_is_erased_in_what_is_put_back(
    file: Path, make_config: MakeConfig, tmp_path: Path
) -> None:
    config = make_config()
    home = tmp_path / "home"
    assert b"heron" in (home / "limen.db").read_bytes()
    await erase.erase(config, "Ana", ask=lambda _: True, clock=lambda: LATER, sleep=asyncio.sleep)
    lines = await put_back(config, file, LATER)
    assert "erased anew what was erased since: 1" in lines
    assert not [body for body in bodies(home / "limen.db") if "heron" in body]
    for path in home.rglob("*"):
        if path.is_file() and not path.is_relative_to(home / "before-restore-2026-11-30T130000Z"):
            assert b"heron" not in path.read_bytes(), path


async def test_moved_with_nothing_in_between_all_that_waited_goes_on(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    chat, made, model = ScriptedChat(), tmp_path / "x.backup", ScriptedModel(conversation=echo)
    async with stage(Surroundings(model=model, chats=(chat,))) as on:
        chat.busy = True
        await chat.say("ann", "hello")
        await on.wait(10)
        await back_up(make_config(), tmp_path / "running.backup", on.clock())
    await back_up(make_config(), made, MONDAY)
    with pytest.raises(LimenError, match="was made while Limen ran"):
        await put_back(make_config(), tmp_path / "running.backup", LATER, moving=True)
    lines = await put_back(make_config(), made, LATER, moving=True)
    assert lines[-1] == "what waited when the backup was made goes on at the next 'limen run'"
    chat.busy = False
    async with again(make_config, LATER, Surroundings(model=model, chats=(chat,))) as on:
        await on.wait(60)
        assert len(chat.said("ann")) == 1


def test_a_backup_names_nothing_outside_its_folder() -> None:
    assert bundle.belongs("agency/episodes/a b-c.md") and bundle.belongs("files/12.png")
    assert not bundle.belongs("agency/../x") and not bundle.belongs("limen.lock")
