"""A scripted agency that passes on what begins with “News” or “消息”, and nothing else."""

from datetime import timedelta
from typing import Any

from bot.models.builtin.context import Context
from bot.models.model import Block
from bot.plays.stage import DIRECT, Stage
from tests.fakes.scripted import Answer, ScriptedModel, private, say, use

MARKS = ("News: ", "消息：")


def agency(target: str = "#project", **given: Any) -> Answer:
    """Hands over each piece of news once; its subject is what stands before “is” or “改到”."""
    done: set[str] = set()

    def answer(seen: Context) -> list[Block]:
        rooms = {row["title"]: row["session"] for row in seen.section("sessions")}
        uses = []
        for row in [] if seen.steps else seen.section("fires"):
            text, original = str(row.get("text", "")), str(row.get("original", ""))
            mark = next((mark for mark in MARKS if text.startswith(mark)), None)
            if mark is None or original in done or row.get("change"):
                continue
            done.add(original)
            uses.append(_handoff(text.removeprefix(mark), original, rooms[target], given))
        return uses or [private("done")]

    return answer


def _handoff(text: str, original: str, target: str, given: dict[str, Any]) -> Block:
    split = " is " if " is " in text else "改到"
    subject, _, state = text.partition(split)
    fixed: dict[str, Any] = {
        "session": target, "text": text, "subject": subject, "state": state or "new",
        "grade": "minor", "confidence": 0.9, "sources": [original],
    }  # fmt: skip
    return use("submit_to_session", **fixed | given)


def model(target: str = "#project", **given: Any) -> ScriptedModel:
    """Such an agency; in a conversation a handoff is said as it is, and else nothing."""

    def conversation(seen: Context) -> list[Block]:
        texts = [str(row["text"]) for row in seen.pending if row.get("trigger") == "handoff"]
        if texts:
            return [say(" ".join(texts))]
        return [use("stay_silent", reason="nothing to add")]

    return ScriptedModel(agency=agency(target, **given), conversation=conversation)


async def heard(on: Stage, who: str, *, room: str = DIRECT) -> list[str]:
    """What the bot said in a room or in somebody's DM."""
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def digests(on: Stage, who: str) -> list[str]:
    """The digests of somebody."""
    found = await heard(on, who)
    return [text for text in found if text.startswith("**Your digest") or "摘要**" in text[:20]]


async def later(on: Stage, **span: float) -> None:
    """Some hours on, as for a machine that slept: what is due comes within a minute."""
    on.clock.skip(timedelta(**span))
    await on.wait(70)


async def until(on: Stage, hour: int, minute: int = 0) -> None:
    """The next time the team's clock (UTC) shows this."""
    wanted = on.clock().replace(hour=hour, minute=minute, second=0, microsecond=0)
    if wanted <= on.clock():
        wanted += timedelta(days=1)
    on.clock.skip(wanted - on.clock())
    await on.wait(70)
