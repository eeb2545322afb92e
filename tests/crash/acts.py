"""What people do in a story, each done once however often the house dies in between."""

from dataclasses import dataclass
from datetime import timedelta

from adapters.web.errors import WebError
from adapters.web.rooms import Post
from bot.plays.stage import DIRECT, Stage
from tests.crash.town import Town


class Unready(Exception):
    """What is to be answered is not there yet, or is answered already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What somebody does in the web chat; done by a later life only if it left no trace."""

    wait: float = 5.0
    """Seconds until the next act."""

    async def play(self, stage: Stage, towns: dict[str, Town]) -> None:
        """Do it; an act of this kind lets time pass and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(Act):
    """Somebody speaks."""

    who: str
    text: str
    room: str = DIRECT

    async def play(self, stage: Stage, towns: dict[str, Town]) -> None:
        if await _mine(stage, self.who, self.room, self.text) is None:
            await stage.say(self.who, self.room, self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(Act):
    """Somebody presses Yes under the open question of their DM."""

    who: str

    async def play(self, stage: Stage, towns: dict[str, Town]) -> None:
        if not await stage.press(self.who, True):
            raise Unready(f"{self.who} was asked nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Act):
    """Somebody changes what they said."""

    who: str
    old: str
    new: str
    room: str = DIRECT

    async def play(self, stage: Stage, towns: dict[str, Town]) -> None:
        post = await _mine(stage, self.who, self.room, self.old)
        if post is not None:
            await stage.house.rooms.edit(self.who, post.id, self.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall(Act):
    """Somebody deletes what they said."""

    who: str
    text: str
    room: str = DIRECT

    async def play(self, stage: Stage, towns: dict[str, Town]) -> None:
        post = await _mine(stage, self.who, self.room, self.text)
        if post is not None:
            await stage.house.rooms.delete(self.who, post.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip(Act):
    """Time passes in no time until the clock shows this hour of the same day."""

    hour: int

    async def play(self, stage: Stage, towns: dict[str, Town]) -> None:
        at = stage.clock().replace(hour=self.hour, minute=0, second=0)
        stage.clock.skip(max(at - stage.clock(), timedelta(0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class There(Act):
    """Somebody does something on a platform outside."""

    on: str
    who: str
    room: str
    kind: str = "new"
    text: str = ""
    file: str = ""
    content: bytes = b""
    of: str = ""
    """The text of the message that is changed or taken back."""

    async def play(self, stage: Stage, towns: dict[str, Town]) -> None:
        town = towns[self.on]
        if any(self._is(event) for event in town.events()):
            return
        event = {"who": self.who, "room": self.room, "kind": self.kind, "text": self.text}
        if self.file:
            event |= {"file": self.file, "content": self.content.hex()}
        if self.of:
            event |= {"of": next(one["n"] for one in town.events() if one["text"] == self.of)}
        town.happen(**event)

    def _is(self, event: dict[str, object]) -> bool:
        mine = (self.who, self.room, self.kind, self.text)
        return mine == (event["who"], event["room"], event["kind"], event["text"])


async def _mine(stage: Stage, who: str, room: str, text: str) -> Post | None:
    """The post in which somebody said this; None when it never stood there."""
    try:
        posts = await stage.posts(room, who=who)
    except WebError:
        return None
    return next((post for post in posts if post.author == who and post.text == text), None)
