"""Somebody's words are erased: looked for in the raw bytes of every file that Limen keeps."""

import asyncio
import json
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from adapters.web.rooms import Access
from bot import chains, inspection, operations
from bot.app import Surroundings, system_clock, system_sleep
from bot.cli import cli
from bot.engine import letters
from bot.engine.waits import Clock
from bot.errors import LimenError
from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays import team
from bot.plays.stage import DIRECT, Stage, open_stage
from bot.privacy import erase as erasing
from bot.privacy import export as exporting
from bot.privacy import notes
from bot.privacy.erasing import again
from bot.rows import Row
from bot.safekeeping import backup
from bot.safekeeping import restore as restoring
from bot.setup.config import Config
from memory import files, originals, people
from memory.db import Reader, Tx
from memory.erasing import Kind
from memory.originals import Original
from tests.conftest import MONDAY, MakeConfig, OpenStage
from tests.fakes import servers
from tests.fakes.memos import until
from tests.fakes.process import limen, settings
from tests.fakes.raw_bytes import holding, there
from tests.fakes.scripted import ScriptedModel, pass_time, private, say
from tests.scenario import witness

NAME = "Quillon"
Q = "quillon"


@dataclass(frozen=True, slots=True)
class Talk:
    """A team's talk in one language; what Quillon says holds words that nobody else uses."""

    before: tuple[tuple[str, str, str], ...]
    asked: tuple[tuple[str, str, str], ...]
    """Questions of others that are answered with Quillon's words."""
    words: tuple[str, ...]
    """Of Quillon's alone."""
    kept: tuple[str, ...]
    """What others said."""


# fmt: off
ENGLISH = Talk(
    before=(
        ("lin", "architecture", "Morning, all. The newcomer has the vermouth key."),
        (Q, "architecture",
         "We decided: the release path moves from legacy-release to kestrelline-release."),
        ("kai", "release", "What is the release path? The plan for legacy-release is mine."),
        ("bo", "project", "Plan: we rehearse the rollout with legacy-release on Wednesday."),
        (Q, DIRECT, "I will finish the wombatic migration script for legacy-release by Friday."),
        (Q, DIRECT, "remind me on Friday at three to call Zephyrinus"),
        (Q, DIRECT, "don't tell me about xanthoria any more"),
        (Q, "general", "@Limen what is the plan for legacy-release and the quoxbury office?"),
        (Q, "general", "The thrumbling canteen opens on Monday."),
        ("ana", "general", "Good to know about the canteen!"),
    ),
    asked=(
        ("ana", "general", "@Limen what is there about the canteen?"),
        ("wei", "architecture", "@Limen what was decided about the release path?"),
        ("bo", "project", "@Limen which release path did we decide on?"),
    ),
    words=("kestrelline", "wombatic", "Zephyrinus", "xanthoria", "quoxbury", "thrumbling"),
    kept=("The newcomer has the vermouth key", "we rehearse the rollout", "about the canteen!"),
)
CHINESE = Talk(
    before=(
        ("lin", "architecture", "早上好。顺便说一下，新来的负责苦艾酒柜。"),
        (Q, "architecture", "我们决定了：发布路径从 legacy-release 改为红隼骅骝方案。"),
        ("kai", "release", "发布路径是什么？legacy-release 的计划在我这里。"),
        ("bo", "project", "本周计划：周三用 legacy-release 演练上线，周四冻结。"),
        (Q, DIRECT, "legacy-release 的袋熊鼹鼠迁移脚本我周五前做完。"),
        (Q, DIRECT, "周五下午三点提醒我给欧阳紫霄打电话"),
        (Q, "general", "@Limen legacy-release 的计划和鸸鹋驼办公室怎么样了？"),
        (Q, "general", "新的穹窿螭食堂周一开张。"),
        ("ana", "general", "食堂的消息不错！"),
    ),
    asked=(
        ("ana", "general", "@Limen 食堂怎么样了？"),
        ("wei", "architecture", "@Limen 发布路径是怎么决定的？"),
        ("bo", "project", "@Limen 我们决定用哪个发布路径？"),
    ),
    words=("红隼骅骝", "袋熊鼹鼠", "欧阳紫霄", "鸸鹋驼", "穹窿螭"),
    kept=("新来的负责苦艾酒柜", "周三用 legacy-release 演练上线", "食堂的消息不错"),
)
# fmt: on
TALKS = {"en": ENGLISH, "zh": CHINESE}


async def live(on: Stage, talk: Talk, *, reminded: bool = True) -> None:
    """Talk, be answered, quoted, remembered, asked for consent and reminded."""
    await on.house.rooms.add_person(NAME)
    for room in ("architecture", "release", "project", "general"):
        await on.house.rooms.join(Q, room)
    for who, room, text in talk.before:
        post = await on.say(who, room, text)
        await on.wait(8)
        if who == Q and room == "general":
            await on.house.rooms.edit(Q, post.id, f"{text} 🙂")
            await on.wait(2)
            await on.house.rooms.react(Q, post.id, "👍", on=True)
    await on.wait(60)
    await on.press(Q, True)
    await on.wait(60)
    for who, room, text in talk.asked:
        await on.say(who, room, text)
        await on.wait(20)
    await on.wait(1200)
    on.house.attention.write("AGENCY.md", f"# Eye\n\n- {talk.words[0]} matters\n- the rest\n")
    if reminded:
        await until(on, "2026-12-04T16:00")


async def erase(
    on: Stage, who: str, *, ask: Callable[[str], bool] = bool, clock: Clock | None = None
) -> list[str]:
    """From outside of the house, as the command line does, while it runs."""
    return await erasing.erase(
        on.house.config, who, ask=ask, clock=clock or on.clock, sleep=system_sleep
    )


async def put_back(config: Config, file: Path, now: datetime) -> list[str]:
    return await restoring.restore(
        config, file, yes=True, moving=False, now=now, sleep=system_sleep
    )


async def every_original(on: Stage) -> list[Original]:
    return await on.house.db.read(lambda r: originals.latest(r, limit=10_000))


@pytest.mark.parametrize("lang", TALKS)
async def test_no_byte_is_left_of_what_somebody_said_while_the_house_runs(
    stage: OpenStage, lang: str
) -> None:
    talk = TALKS[lang]
    async with stage() as on:
        folder = on.house.config.bot.data_dir
        await live(on, talk)
        assert there(folder, [*talk.words, NAME]) == {*talk.words, NAME}
        told = [post.text for post in await on.posts("project") if post.author == "bot"]
        assert any(talk.words[0] in text for text in told), "it was relayed"

        lines = await erase(on, NAME)
        assert lines[0].startswith(f"erased {NAME} (p")
        assert holding(folder, [*talk.words, NAME]) == set()
        others = " ".join(one.body for one in await every_original(on))
        assert all(text in others for text in talk.kept)
        [person] = re.findall(r"\((p\d+)\)", lines[0])
        assert (await erase(on, person))[0] == f"erased (erased) ({person})", "again, and no harm"
        assert " ".join(one.body for one in await every_original(on)) == others

        for who, room, text in talk.asked:
            await on.say(who, room, text)
            await on.wait(20)
        await on.wait(3600)
        assert holding(folder, [*talk.words, NAME]) == set()


@pytest.mark.parametrize("lang", TALKS)
async def test_why_still_leads_back_and_says_what_was_erased(stage: OpenStage, lang: str) -> None:
    async with stage() as on:
        await live(on, TALKS[lang])
        unasked = [one for one in await on.house.db.read(_letters) if one.proactive]
        assert unasked
        await erase(on, NAME)
        for letter in unasked:
            chain = await on.house.db.read(_chain, letter.id)
            assert {"original", "delivery"} <= {row["step"] for row in chain}
        shown = [row["text"] for one in unasked for row in await on.house.db.read(_chain, one.id)]
        assert any("erased" in text or "抹去" in text for text in shown)


async def test_a_chat_is_erased_and_goes_on_anew(stage: OpenStage) -> None:
    async with stage() as on:
        folder = on.house.config.bot.data_dir
        root = await on.say("lin", "hiring", "@Limen the candidate is Vandermeer Zauberlehrling.")
        await on.house.rooms.say("kai", "hiring", "She wants amethystine shares.", thread=root.id)
        await on.say("kai", "general", "Nothing of hiring is said here, kaleidoscopic as it is.")
        await operations.set_attention(on.house.config, "hiring", "observe")
        await on.wait(600)
        words = ("vandermeer", "zauberlehrling", "amethystine")
        assert there(folder, words) == set(words)
        await erase(on, "#hiring")
        assert holding(folder, words) == set()
        assert there(folder, ["kaleidoscopic"]) == {"kaleidoscopic"}
        assert inspection.status(on.house.config, on.clock())
        for seen in (await witness.everything(on, "lin", ["hiring", "general"])).values():
            assert not [word for word in words if word in str(seen).lower()]

        await on.say("lin", "hiring", "@Limen who is the candidate?")
        await on.wait(30)
        posts = await on.posts("hiring")
        assert [one.author for one in posts if not one.deleted] == ["lin"], "it only listens there"
        await operations.set_attention(on.house.config, "hiring", "addressed")
        await on.say("lin", "hiring", "@Limen who is the candidate?")
        await on.wait(30)
        assert (await on.posts("hiring"))[-1].author == "bot"
        assert holding(folder, words) == set()
        known, at = notes.known(on.house.config), on.clock()
        redone = await on.house.db.write(again, known, on.house.attention, now=at)
        assert redone == [], "what came after an erasure stays"


async def test_who_is_meant_is_asked_and_nothing_goes_without_a_yes(stage: OpenStage) -> None:
    async with stage() as on:
        await on.house.rooms.create_room("ana", "Bo", Access.OPEN, [])
        await on.say("bo", "general", "The gnomonic dial stays.")
        await on.wait(60)
        with pytest.raises(LimenError, match=r"'Bo' can mean several: name one of p\d+ \(Bo\), s"):
            await erase(on, "Bo")
        with pytest.raises(LimenError, match="nobody and no chat is called 'Nemo'"):
            await erase(on, "Nemo")
        for wrong in ("p999", "s999"):
            with pytest.raises(LimenError, match=f"there is no .* '{wrong}'"):
                await erase(on, wrong)
        asked: list[str] = []

        def no(question: str) -> bool:
            asked.append(question)
            return False

        [bo] = await on.house.db.read(lambda r: people.of_native(r, "web", "bo"))
        with pytest.raises(LimenError, match=r"nothing of Bo .* was erased"):
            await erase(on, f"p{bo}", ask=no)
        assert "messages" in asked[0] and "Bo" in asked[0]
        assert there(on.house.config.bot.data_dir, ["gnomonic"]) == {"gnomonic"}


async def test_a_run_under_way_brings_nothing_back(stage: OpenStage) -> None:
    def gossip(seen: Context) -> list[Block]:
        told = " ".join(str(row["text"]) for row in seen.section("history"))
        return [private(f"They said: {told}"), say(f"It was said: {told}")]

    model = ScriptedModel(conversation=gossip)
    async with stage(Surroundings(model=model)) as on:
        folder = on.house.config.bot.data_dir
        await on.say("mo", "general", "The pelagic rotunda is closed.")
        await on.wait(5)
        let_go = model.hold("conversation")
        await on.say("bo", "general", "@Limen what is closed?")
        await pass_time(on, model, 5)
        await on.say("mo", DIRECT, "And why is the pelagic rotunda closed?")
        await pass_time(on, model, 5)
        assert model.held == 2
        erasing_it = asyncio.create_task(erase(on, "Mo", clock=system_clock))
        while there(folder, ["pelagic"]) and not erasing_it.done():
            await system_sleep(0.01)
            if await on.house.db.read(_nobody_called_mo):
                break
        let_go()
        await on.wait(30)
        await erasing_it
        assert [p.text for p in await on.posts("general") if p.author == "bot"] == ["(erased)"]
        assert holding(folder, ["pelagic", "rotunda"]) == set()
        assert await on.house.db.read(letters.count_open) == 0


async def test_pictures_and_files_go_from_the_disk(stage: OpenStage) -> None:
    async with stage() as on:
        home = on.house.config.bot.data_dir
        await on.say("mo", "general", "Here is the plan.")
        await on.wait(5)

        def enclose(tx: Tx) -> int:
            [found] = originals.latest(tx, limit=1)
            sent = files.Sent(locator="x", name="syzygetic.txt", mime="text/plain", size=9)
            with originals.reindexing(tx, found.id):
                files.keep(tx, found.id, [sent], now_us=1)
                [one] = files.of_original(tx, found.id)
                files.begin(tx, one.id)
                files.read(tx, one.id, text="a tintinnabular drawing", picture=f"{one.id}.png")
            return one.id

        id = await on.house.db.write(enclose)
        (home / "files").mkdir(exist_ok=True)
        (home / "files" / f"{id}.png").write_bytes(b"tintinnabular")
        words = ("syzygetic", "tintinnabular")
        assert there(home, words) == set(words)
        await erase(on, "Mo")
        assert holding(home, words) == set()
        assert list((home / "files").iterdir()) == []


async def test_an_older_copy_is_cleaned_again_and_what_came_later_stays(
    stage: OpenStage, make_config: MakeConfig, tmp_path: Path
) -> None:
    """Erased, came back, and the older backup is put back: what was erased is erased once more."""
    file = tmp_path / "older.backup"
    async with stage() as on:
        home = on.house.config.bot.data_dir
        await on.say("mo", DIRECT, "The nephelometric figure is seven.")
        await on.say("mo", "general", "The nephelometric garden is open.")
        await on.wait(300)
        await backup.make(on.house.config, file, now=on.clock(), sleep=system_sleep)
        await erase(on, "Mo")
        assert holding(home, ["nephelometric"]) == set()
    config = make_config()
    lines = await restoring.restore(
        config, file, yes=True, moving=False, now=on.clock(), sleep=system_sleep
    )
    assert "erased anew what was erased since: 1" in lines
    shutil.rmtree(next(home.glob("before-restore-*")))
    assert holding(home, ["nephelometric"]) == set()
    assert [one.kind for one in notes.known(config)] == [Kind.PERSON]

    late = tmp_path / "later.backup"
    opened = open_stage(config, MONDAY + timedelta(days=1), people=team.PEOPLE, rooms=team.ROOMS)
    async with opened as on:
        await on.house.rooms.add_person("Mo the second")
        await on.house.rooms.join("mo-the-second", "general")
        await on.say("mo-the-second", "general", "The volcanological museum is open.")
        await on.wait(60)
        await backup.make(on.house.config, late, now=on.clock(), sleep=system_sleep)
    lines = await restoring.restore(
        config, late, yes=True, moving=False, now=on.clock(), sleep=system_sleep
    )
    assert not [line for line in lines if "erased anew" in line]
    assert there(home, ["volcanological"]) == {"volcanological"}


@pytest.mark.parametrize(
    ("said", "order"),
    [("The xylographic door is locked.", "forget that"), ("那扇木刻罅门锁着。", "忘掉这条")],
)
async def test_what_is_forgotten_is_gone_from_versions_and_traces(
    stage: OpenStage, said: str, order: str
) -> None:
    word = "xylographic" if "xylo" in said else "木刻罅门"
    model = ScriptedModel(
        conversation=lambda seen: [private(f"I read {seen.pending[-1]['text']}"), say("noted")]
    )
    async with stage(Surroundings(model=model)) as on:
        home = on.house.config.bot.data_dir
        post = await on.say("ana", DIRECT, said)
        await on.wait(10)
        await on.house.rooms.edit("ana", post.id, f"{said}!")
        await on.wait(60)
        assert there(home, [word]) == {word}
        await on.say("ana", DIRECT, order, reply_to=post.id)
        await on.wait(60)
        await on.house.rooms.delete("ana", post.id)
        await on.wait(60)
        await erasing.sweep_only(on.house.config)
        assert holding(home, [word]) == set()


async def test_on_a_server_too(stage: OpenStage) -> None:
    """PostgreSQL: nothing is left in its tables and indexes; its log is its own affair."""
    url = servers.running().fresh()
    try:
        async with stage(database__url=url) as on:
            await live(on, ENGLISH, reminded=False)
            where = _files_of(url)
            words = [*ENGLISH.words, NAME]
            told = exporting.export(on.house.config, NAME, now=on.clock())
            assert told["messages"] and told["reminders"] and told["reactions"]
            assert there(where, words) == set(words)
            await erase(on, NAME)
            assert holding(where, words) == set()
            assert holding(on.house.config.bot.data_dir, words) == set()
            for who, room, text in ENGLISH.asked:
                await on.say(who, room, text)
                await on.wait(20)
            others = " ".join(one.body for one in await every_original(on))
            assert all(text in others for text in ENGLISH.kept)
            assert not [word for word in words if word in others]
    finally:
        servers.running().drop(url)


def _files_of(url: str) -> Path:
    """Where a server keeps the tables of a database, all of them written."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        [(folder,)] = connection.execute("SHOW data_directory").fetchall()
        [(oid,)] = connection.execute(
            "SELECT oid FROM pg_database WHERE datname = current_database()"
        ).fetchall()
    return Path(folder) / "base" / str(oid)


def test_from_the_command_line_while_another_process_runs_the_house(tmp_path: Path) -> None:
    env = settings(tmp_path / "home")
    with limen("run", env=env) as house:
        house.until_ready()
        house.say("mo", "dm-mo", "The zymurgical cellar is in the basement.")
        house.say("mo", "dm-mo", "Where is the zymurgical cellar?")
        _until(lambda: house.posts("mo", "dm-mo")[-1]["author"]["id"] == "bot")
        by = CliRunner()
        shown = json.loads(by.invoke(cli, ["export", "Mo"], env=env).stdout)
        assert "zymurgical" in shown["messages"][0]["text"]
        refused = by.invoke(cli, ["erase", "Mo"], env=env, input="n\n")
        assert "nothing of Mo" in str(refused.exception)
        assert "erase all of it? [y/N]" in refused.stdout
        assert there(tmp_path, ["zymurgical"]) == {"zymurgical"}
        told = by.invoke(cli, ["erase", "Mo", "--yes"], env=env)
        assert "messages" in told.stdout and "swept" in told.stdout
        assert holding(tmp_path, ["zymurgical"]) == set()
        for wrong in (["erase"], ["erase", "Mo", "--sweep"]):
            assert "name a person or a chat" in str(by.invoke(cli, wrong, env=env).exception)
        house.say("ana", "dm-ana", "help")
        _until(lambda: house.posts("ana", "dm-ana")[-1]["author"]["id"] == "bot")


def _until(true: Callable[[], bool]) -> None:
    for _ in range(300):
        if true():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came to pass")


def _nobody_called_mo(reader: Reader) -> bool:
    return not [one for one in people.everyone(reader) if one.name == "Mo"]


def _letters(reader: Reader) -> list[letters.Letter]:
    return letters.latest(reader, limit=1000)


def _chain(reader: Reader, letter: int) -> list[Row]:
    found = letters.find(reader, letter)
    assert found is not None
    return chains.of_letter(reader, found, hears=None)
