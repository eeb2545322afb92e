"""Asks a model in a role, with as much of what was said as its window takes.

messages ─► repaired and cut to fit ─► model ─► too long for it after all? less, a few times
"""

from collections.abc import Sequence

from bot.engine.roles import Role
from bot.errors import ContextTooLong
from bot.models import tokens, transcript
from bot.models.model import Message, Model, Request, Response, ToolSpec

_MOST_TOKENS = 3  # tokens one sign may come to
_SCHEMAS = 4000  # tokens the tools' own schemas come to at most
_LEAST_SHARE = 4  # the window is filled to a quarter at least before a request is given up


class Asking:
    """One run's questions to its model."""

    def __init__(self, model: Model, role: Role) -> None:
        self._model = model
        self._role = role
        self._share = 1
        """The part of the window that is filled, as 1/share; what was taken once is kept to."""

    async def ask(self, messages: list[Message], tools: Sequence[ToolSpec]) -> Response:
        """Answer what was said so far.

        Raises what the model does; ContextTooLong only after less was tried.
        """
        role = self._role
        while True:
            request = Request(
                role=role.name,
                purpose=role.purpose,
                tier=role.tier,
                system=role.prompt,
                messages=self._fitting(messages),
                tools=tools,
                max_tokens=self._most(self._model.context_tokens),
            )
            try:
                return await self._model.complete(request)
            except ContextTooLong:
                # The endpoint counts more than we did, or has less than the settings say.
                if self._share >= _LEAST_SHARE:
                    raise
                self._share *= 2

    def _fitting(self, messages: list[Message]) -> list[Message]:
        window = self._model.context_tokens // self._share
        room = window - self._most(window) - tokens.estimate_tokens(self._role.prompt)
        room -= min(_SCHEMAS, window // 4)
        if len(messages) == 1 and _surely_fits(messages[0], room):
            return messages  # nothing to mend in a first message
        return transcript.fit(transcript.repair(messages), room)

    def _most(self, window: int) -> int:
        """Tokens an answer may have: a small window is for reading first."""
        return min(self._role.max_tokens, window // 4)


def _surely_fits(message: Message, room: int) -> bool:
    texts = [block["text"] for block in message["content"] if block["type"] == "text"]
    plain = len(texts) == len(message["content"])
    return plain and sum(map(len, texts)) * _MOST_TOKENS <= room
