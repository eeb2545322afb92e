"""Somebody's words are erased: looked for in the raw bytes of every file that Limen keeps."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot import chains
from bot.app import system_clock, system_sleep
from bot.engine import letters
from bot.errors import LimenError
from bot.plays.stage import DIRECT, Stage
from bot.privacy import erase as erasing
from bot.privacy import notes
from bot.setup.config import Config
from memory import originals, people
from memory.db import Reader
from memory.originals import Original
from tests.conftest import OpenStage
from tests.fakes.memos import until

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
        ("lin", "architecture", "Morning, all. The newcomer looks after the vermouth cabinet, by the way."),
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
    kept=("The newcomer looks after the vermouth cabinet", "we rehearse the rollout", "about the canteen!"),
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


async def live(on: Stage, talk: Talk) -> None:
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
    await until(on, "2026-12-04T16:00")


async def erase(config: Config, who: str) -> list[str]:
    return await erasing.erase(
        config, who, ask=lambda _: True, clock=system_clock, sleep=system_sleep
    )


def holding(folder: Path, words: Iterable[str]) -> set[str]:
    """The words that any file has in it, in UTF-8, whatever it is."""
    found = set()
    for path in folder.rglob("*"):
        if path.is_file():
            raw = path.read_bytes().lower()
            found |= {f"{path.name}: {word}" for word in words if word.lower().encode() in raw}
    return found


def there(folder: Path, words: Iterable[str]) -> set[str]:
    return {one.partition(": ")[2] for one in holding(folder, words)}


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

        lines = await erase(on.house.config, NAME)
        assert lines[0].startswith(f"erased {NAME} (p")
        assert holding(folder, [*talk.words, NAME]) == set()
        others = " ".join(one.body for one in await every_original(on))
        assert all(text in others for text in talk.kept)

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
        await erase(on.house.config, NAME)
        for letter in unasked:
            chain = await on.house.db.read(_chain, letter.id)
            assert {"original", "delivery"} <= {row["step"] for row in chain}
        shown = [row["text"] for one in unasked for row in await on.house.db.read(_chain, one.id)]
        assert any("erased" in text or "抹去" in text for text in shown)


def _letters(reader: Reader) -> list[letters.Letter]:
    return letters.latest(reader, limit=1000)


def _chain(reader: Reader, letter: int) -> list[chains.Row]:
    found = letters.find(reader, letter)
    assert found is not None
    return chains.of_letter(reader, found, hears=None)
