"""A model that is told no secret of the house, wherever its context has it from."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.models.model import Model, Request, Response

Strike = Callable[[str], str]


class Discreet(Model):
    """Another model, whose requests have the known secrets struck out.

    They are in no context by intent; this is for what people paste and errors quote.
    """

    def __init__(self, model: Model, strike: Strike) -> None:
        self.name = model.name
        self.context_tokens = model.context_tokens
        self.sees = model.sees
        self._model = model
        self._strike = strike

    async def complete(self, request: Request) -> Response:
        """Ask the model."""
        struck = _struck(request.messages, self._strike)
        if struck is not request.messages:
            request = replace(request, messages=struck)
        return await self._model.complete(request)

    async def aclose(self) -> None:
        """Close the model."""
        await self._model.aclose()


def _struck(value: Any, strike: Strike) -> Any:
    """The same value with its texts struck; the same object where that changes nothing."""
    if isinstance(value, str):
        return strike(value)
    if isinstance(value, dict):
        if value.get("type") == "base64":
            return value  # a picture, and large
        changed = {key: _struck(one, strike) for key, one in value.items()}
        return changed if any(changed[key] is not value[key] for key in value) else value
    if isinstance(value, (list, tuple)):
        parts = [_struck(one, strike) for one in value]
        return parts if any(a is not b for a, b in zip(parts, value, strict=True)) else value
    return value
