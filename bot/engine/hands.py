"""Carries out what an answer asks for: reads side by side, then all writes in one transaction.

answer ─► reads ─► one transaction: answer · tools and their results · the end of the run
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine import traces
from bot.engine.tool import Call, ReadTool, Result, Tool, WriteTool
from bot.engine.waits import Clock
from bot.errors import ToolError
from bot.models.model import Block
from memory.db import Database, Tx
from memory.moments import to_us

logger = logging.getLogger(__name__)

Done = dict[str, Result | ToolError]
"""What each use came to, by its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """One answer's uses, and whose they are."""

    call: Call
    """As for every use, but for `use_id`."""
    uses: list[Block]
    tools: Mapping[str, Tool[Any]]
    """Those the role may use."""


class Hands:
    """Uses tools for the runtime."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def look(self, acting: Acting) -> Done:
        """Answer the reads; nothing is stored yet."""
        reads = [use for use in acting.uses if isinstance(_tool(acting, use), ReadTool)]
        answers = await asyncio.gather(*(self._read(acting, use) for use in reads))
        return {use["id"]: answer for use, answer in zip(reads, answers, strict=True)}

    def act(self, tx: Tx, acting: Acting, looked: Done) -> Done:
        """Store what was read, do the rest, and store that; the failed leave nothing behind."""
        done: Done = {}
        for use in acting.uses:
            started = to_us(self._clock())
            id = use["id"]
            done[id] = looked[id] if id in looked else self._write(tx, acting, use)
            if not _waits(done[id]):
                self._keep(tx, acting, use, done[id], started)
        return done

    async def _read(self, acting: Acting, use: Block) -> Result | ToolError:
        tool = _tool(acting, use)
        if not isinstance(tool, ReadTool):
            raise TypeError(f"{use['name']!r} reads nothing")
        try:
            return await tool.read(self._db, acting.call.of(use), tool.parse(use["input"]))
        except ToolError as error:
            return error

    def _write(self, tx: Tx, acting: Acting, use: Block) -> Result | ToolError:
        tool = _tool(acting, use)
        call = acting.call
        if tool is None:
            logger.warning("run %d (%s) asked for %r", call.run_id, call.role, use["name"])
            return ToolError(f"a {call.role} has no tool {use['name']!r}")
        if not isinstance(tool, WriteTool):
            return ToolError(f"{tool.name} cannot be executed here")
        try:
            with tx.nested():
                return tool.write(tx, call.of(use), tool.parse(use["input"]))
        except ToolError as error:
            return error

    def _keep(
        self, tx: Tx, acting: Acting, use: Block, answer: Result | ToolError, started: int
    ) -> None:
        failed = isinstance(answer, ToolError)
        traces.record_result(
            tx,
            acting.call.run_id,
            acting.call.step,
            use,
            Result(text=str(answer)) if isinstance(answer, ToolError) else answer,
            failed=failed,
            started_us=started,
            now_us=to_us(self._clock()),
        )


def blocks(uses: list[Block], done: Done) -> list[Block]:
    """The results in the form the model is told them."""
    return [_block(use, done[use["id"]]) for use in uses]


def ending(done: Done) -> Result | None:
    """The result that ends the run, if one does."""
    ends = [one for one in done.values() if isinstance(one, Result) and one.ends_run]
    return ends[-1] if ends else None


def waiting(done: Done) -> bool:
    """Whether a tool has no answer yet, so that the run waits for it."""
    return any(_waits(one) for one in done.values())


def _waits(answer: Result | ToolError) -> bool:
    return isinstance(answer, Result) and answer.suspends


def _tool(acting: Acting, use: Block) -> Tool[Any] | None:
    return acting.tools.get(use["name"])


def _block(use: Block, answer: Result | ToolError) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": use["id"]}
    if isinstance(answer, ToolError):
        return block | {"content": str(answer), "is_error": True}
    return block | {"content": answer.text}
