"""What an hour of ordinary talk costs in calls and tokens, on a clock that only moves here."""

from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random

from benchmarks import report
from benchmarks.observe import Messages
from benchmarks.report import Line
from benchmarks.scale import Scale
from benchmarks.world import START, StampingChat, Stamps, settings
from bot.app import Surroundings, system_sleep
from bot.models.builtin.model import BuiltinModel
from bot.models.model import Model, Request, Response
from bot.plays.stage import open_stage

ROOMS = 8
CALLS = 50
HOUR_S = 3600.0


class CountingModel(Model):
    """The built-in model, with its calls and tokens counted by purpose."""

    name = "counting"
    context_tokens = BuiltinModel.context_tokens

    def __init__(self) -> None:
        self._inner = BuiltinModel()
        self.calls: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()

    async def complete(self, request: Request) -> Response:
        """Count, and let the built-in model answer."""
        response = await self._inner.complete(request)
        self.calls[request.purpose] += 1
        self.tokens[request.purpose] += response.usage.input_tokens + response.usage.output_tokens
        return response


async def measure(folder: Path, scale: Scale) -> list[Line]:
    """An hour with `scale.day` messages at random moments, and the time until all is quiet."""
    model = CountingModel()
    around = Surroundings(model=model, chats=(StampingChat(Stamps()),), sleep=system_sleep)
    config = settings(folder / "home", web__enabled=False)
    random = Random(5)
    moments = sorted(random.uniform(0, HOUR_S) for _ in range(scale.day))
    async with open_stage(config, START, people=(), rooms=(), around=around) as stage:
        past_s = 0.0
        messages = Messages(ROOMS, "hour").draw(scale.day)
        for moment, incoming in zip(moments, messages, strict=True):
            await stage.wait(moment - past_s)
            past_s = moment
            await stage.house.intake.receive(incoming)
        await stage.wait(timedelta(minutes=10).total_seconds())
    calls, spent = model.calls["agency"], sum(model.tokens.values())
    shares = ", ".join(f"{name} {n / scale.day:,.0f}" for name, n in sorted(model.tokens.items()))
    others = ", ".join(f"{n} {name}" for name, n in sorted(model.calls.items()) if name != "agency")
    return [
        Line(
            measure=f"agency calls for {scale.day:,} messages in an hour",
            figure=f"{calls}",
            beside=f"one call a message: {scale.day:,}; other calls: {others or 'none'}",
            ratio=calls / scale.day,
            **report.within(calls, CALLS, "calls"),
        ),
        Line(
            measure="tokens for each of them",
            figure=f"{spent / scale.day:,.0f}",
            beside=shares,
        ),
    ]
