"""The release path moves, told on four platforms at once: decided on Slack, planned with on Feishu,
promised on Telegram, doubted in the web chat."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.chat import Address
from bot.plays.chronicle import Chronicle, Spoken, Voice
from memory import originals, people
from memory.db import Reader
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.live import Live, live_house
from tests.fakes.platform import MEMBERS, Platform, Posted
from tests.fakes.slack_api import SlackApi
from tests.fakes.telegram_api import TelegramApi
from tests.fakes.web_platform import WebPlatform


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The story in one language."""

    decision: str
    worry: str
    promise: str
    plan: str
    why: str
    link: str
    asks: tuple[tuple[str, str], ...]
    """Who asks what of whom, so that the promise would answer it."""
    asks_stranger: str
    script: str
    may_i: str
    friday: str
    decided_by: str
    permission: str


WORDS = {
    "en": Words(
        decision="We decided: the release path moves from legacy-release to canary-release.",
        worry="Does canary-release have permission to read production data? "
        "Nobody has approved that yet.",
        promise="I will finish the migration script for canary-release by Friday.",
        plan="Plan for the week: we rehearse the rollout with legacy-release on Wednesday "
        "and freeze on Thursday.",
        why="why did you tell us this?",
        link="link",
        asks=(
            ("kai", "Who finishes the migration script for canary-release, and until when?"),
            ("bo", "What did Mo promise about the migration script?"),
        ),
        asks_stranger="Which release path did the team decide on?",
        script="migration script",
        may_i="May I tell",
        friday="Friday",
        decided_by="Lin in #architecture",
        permission="permission",
    ),
    "zh": Words(
        decision="我们决定了：发布路径从 legacy-release 改为 canary-release。",
        worry="canary-release 有读取生产数据的权限吗？这个还没有人批准。",
        promise="canary-release 的迁移脚本我周五前做完。",
        plan="本周计划：周三用 legacy-release 演练上线，周四冻结。",
        why="为什么告诉我们这个？",
        link="绑定",
        asks=(
            ("kai", "canary-release 的迁移脚本谁做，什么时候做完？"),
            ("bo", "Mo 答应了迁移脚本的什么？"),
        ),
        asks_stranger="团队决定了用哪条发布路径？",
        script="迁移脚本",
        may_i="可以告诉",
        friday="周五",
        decided_by="Lin 在 #architecture",
        permission="权限",
    ),
}


@dataclass
class Story:
    """The house and the four platforms it lives on."""

    words: Words
    live: Live
    slack: SlackApi
    feishu: FeishuApi
    telegram: TelegramApi
    web: WebPlatform

    @property
    def platforms(self) -> tuple[Platform, ...]:
        return (self.slack, self.feishu, self.telegram, self.web)

    async def ask(self, platform: Platform, who: str, room: str, text: str) -> str:
        """Somebody asks, and is answered."""
        place = f"direct:{who}" if room == "direct" else room
        before = len(platform.posts(place))
        await platform.say(who, room, text, mention=room != "direct")
        posts = await platform.until_posts(place, before + 1)
        await self.live.rest()
        return posts[-1].text

    async def link(self, who: str) -> None:
        """Somebody says on Slack and on Telegram that both accounts are theirs."""
        code = re.search(r"`?(?:link|绑定) (\w+)`?", await self.ask(
            self.slack, who, "direct", self.words.link
        ))  # fmt: skip
        assert code is not None, self.slack.posts(f"direct:{who}")
        await self.ask(self.telegram, who, "direct", f"{self.words.link} {code[1]}")

    def everything(self, *but: str) -> list[Posted]:
        """What the bot said anywhere, but for some places, written `platform:room`."""
        return [
            post
            for platform in self.platforms
            for post in platform.posts()
            if f"{platform.name}:{post.room}" not in but
        ]

    async def spoken(self, platform: str, voice: Voice) -> list[Spoken]:
        """What the house says it said there."""
        chronicle = Chronicle(self.live.house.db, self.live.clock)
        await chronicle.look()
        rooms = {
            Address.parse(row["address"]).chat
            for row in await self.live.rows("SELECT address FROM letters")
            if row["address"].startswith(platform)
        }
        return [one for one in chronicle.spoken if one.room in rooms and one.voice is voice]

    async def roots(self, spoken: Spoken) -> dict[str, str]:
        """The platforms of the messages that something said goes back to, and their texts."""

        def look(reader: Reader) -> dict[str, str]:
            ids = [int(row["id"][1:]) for row in spoken.chain if row["step"] == "original"]
            found = originals.find_many(reader, ids)
            return {Address.parse(o.address).platform: o.body for o in found if o.address}

        return await self.live.house.db.read(look)


@pytest.fixture(params=WORDS)
async def story(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Story]:
    async with told(WORDS[request.param], tmp_path) as found:
        yield found


@asynccontextmanager
async def told(words: Words, folder: Path) -> AsyncIterator[Story]:
    async with (
        SlackApi() as slack,
        FeishuApi() as feishu,
        TelegramApi() as telegram,
        WebPlatform() as web,
    ):
        feishu.hub.config["PingInterval"] = 60
        async with live_house(folder / "home", slack, feishu, telegram, web) as live:
            await live.started()
            yield Story(words, live, slack, feishu, telegram, web)


async def test_the_release_path_moves_across_four_platforms(story: Story) -> None:
    words, live = story.words, story.live
    await story.link("mo")
    before = story.everything()

    await live.hear(story.slack, "lin", "architecture", words.decision)
    await live.hear(story.web, "wei", "architecture", words.worry)
    await live.hear(story.telegram, "mo", "direct", words.promise)
    promise_taken = len(story.telegram.posts("direct:mo"))
    assert story.feishu.posts("project") == [], "nobody there needs to know yet"

    # they plan with the old path on Feishu: now they need it, and only what is no secret
    await story.feishu.say("bo", "project", words.plan)
    (news,) = await story.feishu.until_posts("project")
    assert "canary-release" in news.text and words.permission in news.text
    assert words.script not in news.text

    # the promise is asked about where it was made, by real buttons
    asked = (await story.telegram.until_posts("direct:mo", promise_taken + 1))[-1]
    await live.rest()
    assert words.may_i in asked.text and words.script in asked.text
    assert len(asked.buttons) == 3
    hidden = story.everything("telegram:direct:mo")
    assert not [post for post in hidden if words.script in post.text], "before the yes"

    # nor can it be asked out of the bot by those who did not hear it
    for who, question in words.asks:
        answer = await story.ask(story.slack, who, "direct", question)
        assert words.friday not in answer
    stranger = await story.ask(story.telegram, "kai", "direct", words.asks_stranger)
    assert "canary" not in stranger, "a Telegram account nobody knows is a stranger"

    why = await story.ask(story.feishu, "ana", "project", words.why)
    assert words.decided_by in why

    await story.telegram.press("mo", "direct", asked.id, asked.buttons[0])
    posts = await story.feishu.until_posts("project", 3)
    await live.rest()
    assert len(story.feishu.posts("project")) == 3
    promise = posts[-1].text
    assert "Mo" in promise and words.script in promise and words.friday in promise
    assert not next(p for p in story.telegram.posts() if p.id == asked.id).buttons

    # and all of it can be traced to what people said, on three platforms
    told_first, told_then = await story.spoken("feishu", Voice.UNASKED)
    assert await story.roots(told_first) == {"slack": words.decision, "web": words.worry}
    assert await story.roots(told_then) == {"telegram": words.promise}
    (asking,) = await story.spoken("telegram", Voice.QUESTION)
    assert await story.roots(asking) == {"telegram": words.promise}

    # nobody else was disturbed
    unasked = story.everything(
        "feishu:project", "telegram:direct:mo", "slack:direct:kai", "slack:direct:bo",
        "telegram:direct:kai",
    )  # fmt: skip
    assert [post for post in unasked if post not in before] == []


async def test_a_no_on_telegram_keeps_the_promise_there(story: Story) -> None:
    words, live = story.words, story.live
    await live.hear(story.slack, "lin", "architecture", words.decision)
    await live.hear(story.telegram, "mo", "direct", words.promise)
    taken = len(story.telegram.posts("direct:mo"))
    await story.feishu.say("bo", "project", words.plan)
    asked = (await story.telegram.until_posts("direct:mo", taken + 1))[-1]
    await live.rest()
    await story.telegram.press("mo", "direct", asked.id, asked.buttons[-1])
    await live.rest()
    hidden = story.everything("telegram:direct:mo")
    assert not [post for post in hidden if words.script in post.text]
    assert "canary-release" in story.feishu.posts("project")[0].text


async def test_the_same_people_are_known_by_their_address_and_by_a_code(story: Story) -> None:
    """One person with three accounts: e-mail joins Slack and Feishu, the code Telegram."""
    live = story.live
    for member in MEMBERS[:3]:
        await live.hear(story.slack, member.id, "general", "hello")
        await live.hear(story.feishu, member.id, "general", "hello")
        await live.hear(story.telegram, member.id, "general", "hello")
    await story.link("mo")

    def look(reader: Reader) -> dict[str, list[list[str]]]:
        found: dict[str, list[list[str]]] = {}
        for person in people.everyone(reader):
            accounts = people.accounts(reader, person.id)
            on = sorted(one.platform for one in accounts if one.platform != "web")
            if on:
                found.setdefault(person.name, []).append(on)
        return {name: sorted(accounts) for name, accounts in found.items()}

    known = await live.house.db.read(look)
    assert known["Mo"] == [["feishu", "slack", "telegram"]]
    for name in ("Lin", "Wei"):
        assert known[name] == [["feishu", "slack"], ["telegram"]]
