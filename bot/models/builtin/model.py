"""The model without a language model: rules that answer in the Messages format."""

import asyncio
import json
from typing import Any

from bot.models.builtin import agency, context, conversation, extractor, subagent
from bot.models.model import Block, Model, Request, Response, Stop, Usage

_CHARACTERS_A_TOKEN = 4


class BuiltinModel(Model):
    """A pure function of the request: no network, no clock, no state."""

    name = "built-in"
    context_tokens = 200_000

    async def complete(self, request: Request) -> Response:
        """Answer by the rules of the request's role."""
        # A long look at many rooms must not hold up the loop people's messages come in by.
        return await asyncio.to_thread(_answer, request)


def _answer(request: Request) -> Response:
    seen = context.read(request)
    match request.role:
        case "agency":
            calls, words = agency.decide(seen)
        case "conversation":
            calls, words = conversation.decide(seen)
        case "memory":
            calls, words = extractor.decide(seen)
        case _:
            calls, words = subagent.decide(seen)
    return _response(request, calls, words)


def _response(request: Request, calls: list[agency.Call], words: str) -> Response:
    offered = {tool.name for tool in request.tools}
    # Ids must be new in the whole exchange; its length makes them so without a random source.
    turn = len(request.messages)
    content: list[Block] = [
        {"type": "tool_use", "id": f"toolu_builtin_{turn}_{n}", "name": name, "input": arguments}
        for n, (name, arguments) in enumerate(calls)
        if name in offered
    ]
    stop = Stop.TOOL_USE if content else Stop.END_TURN
    if not content:
        content = [{"type": "text", "text": words}]
    return Response(
        content=content,
        stop=stop,
        usage=Usage(input_tokens=_tokens(_sent(request)), output_tokens=_tokens(content)),
        model=BuiltinModel.name,
    )


def _sent(request: Request) -> list[Any]:
    return [request.system, list(request.messages)]


def _tokens(value: object) -> int:
    """An estimate by length, so that budgets have something to count."""
    return len(json.dumps(value, ensure_ascii=False, default=str)) // _CHARACTERS_A_TOKEN
