"""A model that says what a test tells it, and can be held in the middle of a call."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import count
from typing import Any

from bot.app import system_sleep
from bot.models.builtin import context
from bot.models.builtin.context import Context
from bot.models.model import Block, Model, Request, Response, Stop, Usage
from bot.plays.stage import Stage

Answer = Callable[[Context], list[Block]]
"""The content of an answer to what a request says; may raise one of `bot.errors`."""

_ids = count(1)


class ScriptedModel(Model):
    """Answers by role; a role nobody wrote for ends its turn without a word."""

    name = "scripted"
    context_tokens = 200_000

    def __init__(self, **answers: Answer) -> None:
        self.answers = answers
        self.calls: list[Request] = []
        self.held = 0
        """Calls that wait to be let go."""
        self._gates: dict[str, asyncio.Event] = {}

    def hold(self, what: str) -> Callable[[], None]:
        """Hold calls of a role, or about a room, until the returned function is called."""
        gate = self._gates[what] = asyncio.Event()
        return gate.set

    def of(self, role: str) -> list[Request]:
        """The calls of a role."""
        return [call for call in self.calls if call.role == role]

    async def complete(self, request: Request) -> Response:
        self.calls.append(request)
        seen = context.read(request)
        rooms = [str(row.get("title")) for row in seen.section("room")]
        for what, gate in self._gates.items():
            if what in (request.role, *rooms) and not gate.is_set():
                await self._wait(gate.wait())
        content = self.answers.get(request.role, _nothing)(seen)
        uses = any(block["type"] == "tool_use" for block in content)
        return Response(
            content=content,
            stop=Stop.TOOL_USE if uses else Stop.END_TURN,
            usage=Usage(input_tokens=100, output_tokens=10),
            model=self.name,
        )

    async def _wait(self, waiting: Awaitable[Any]) -> None:
        self.held += 1
        try:
            await waiting
        finally:
            self.held -= 1


def use(name: str, **given: Any) -> Block:
    """A tool call with an id of its own."""
    return {"type": "tool_use", "id": f"toolu_{next(_ids)}", "name": name, "input": given}


def say(text: str, **given: Any) -> Block:
    """What people hear."""
    return use("say", text=text, **given)


def private(text: str) -> Block:
    """What nobody hears."""
    return {"type": "text", "text": text}


def _nothing(_: Context) -> list[Block]:
    return [private("nothing")]


def echo(seen: Context) -> list[Block]:
    """Say back what this step was given."""
    texts = [str(row["text"]) for row in seen.pending]
    return [say("heard: " + " | ".join(texts))]


async def pass_time(stage: Stage, model: ScriptedModel, seconds: float) -> None:
    """Like `stage.wait`, but a call that is held does not hold up the time."""

    def busy() -> bool:
        house = stage.house
        runs = house.dispatcher.busy > model.held
        return bool(house.db.busy or house.outbox.busy or house.listener.busy or runs)

    until = stage.clock() + timedelta(seconds=seconds)
    await stage.clock.pass_time(until, busy=busy, breathe=system_sleep)
