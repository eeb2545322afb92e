"""Short words for scenarios with reminders: people ask, days pass, the bot is listened to."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agency import schedules
from agency.schedules import Schedule
from bot.errors import ModelRetry
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Request, Response
from bot.plays.stage import DIRECT, Stage

BERLIN = ZoneInfo("Europe/Berlin")


@dataclass
class Moody(BuiltinModel):
    """The built-in model, and a way to let it be away."""

    down: bool = False
    after: float | None = None
    """Seconds after which it says to ask again while it is away."""

    async def complete(self, request: Request) -> Response:
        """As the built-in one, or not at all."""
        if self.down:
            raise ModelRetry("the model is away", after=self.after)
        return await super().complete(request)


async def ask(on: Stage, who: str, text: str, room: str = DIRECT) -> str:
    """Somebody asks; what the bot answers."""
    before = len(await told(on, room, who))
    await on.say(who, room, text)
    await on.wait(5)
    after = await told(on, room, who)
    return "\n".join(after[before:])


async def told(on: Stage, room: str = DIRECT, who: str = "ana") -> list[str]:
    """What the bot said in a room."""
    return [post.text for post in await on.posts(room, who=who) if post.author == "bot"]


async def timed(on: Stage, room: str = DIRECT, who: str = "ana", zone: ZoneInfo = BERLIN) -> str:
    """The last thing the bot said in a room, with the time at which it stands there."""
    last = [post for post in await on.posts(room, who=who) if post.author == "bot"][-1]
    return f"{last.at.astimezone(zone):%a %H:%M} {last.text}"


async def until(on: Stage, local: str, *, zone: ZoneInfo = BERLIN) -> None:
    """Let time pass in no time until shortly before a moment, and then as it does, past it."""
    moment = datetime.fromisoformat(local).replace(tzinfo=zone)
    on.clock.skip(moment - timedelta(seconds=70) - on.clock())
    await on.wait(90)


async def kept(on: Stage) -> list[Schedule]:
    """What is set and still to come."""
    return await on.house.db.read(lambda reader: schedules.still_open(reader))
