"""The agent loop: one runtime for every role.

context ─► model ─► tools ─► anything steered in? ─► model ─► … ─► settled
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot import inputs, runs, tokens, traces, transcript
from bot.errors import ContextTooLong, ModelRefused, ToolError
from bot.inputs import Input
from bot.model import Block, Message, Model, Request, Response, Stop
from bot.roles import Role
from bot.runs import Run
from bot.tool import Call, ReadTool, Result, Tool, WriteTool
from bot.waits import Clock
from memory.db import Database, Reader, Tx
from memory.moments import to_us

logger = logging.getLogger(__name__)

_CUT = "Reminder: your last answer was too long and was cut. Do it again, shorter."
_UNSAID = (
    "Reminder: somebody addressed you and nothing was said. Ordinary text is private: use say, "
    "or stay_silent with a reason."
)


class Withdrawn(Exception):
    """All that a run was for has been taken back."""


class Life(ABC):
    """What surrounds a run: told inside the transactions of the runtime."""

    @abstractmethod
    def begin(self, tx: Tx, run: Run, taken: list[Input]) -> None:
        """Inputs were given to the run."""

    @abstractmethod
    def wanted(self, reader: Reader, run: Run) -> bool:
        """Whether anything the run is for still stands."""

    @abstractmethod
    def ended(self, tx: Tx, run: Run, outcome: str, reason: str) -> None:
        """The run succeeded."""

    @abstractmethod
    def died(self, tx: Tx, run: Run, error: str) -> None:
        """The run was given up or cancelled."""


class Context(ABC):
    """Tells a model what its run is about."""

    @abstractmethod
    def build(self, reader: Reader, run: Run, given: list[Input]) -> list[Block]:
        """The blocks of the first message."""

    @abstractmethod
    def more(self, reader: Reader, run: Run, given: list[Input]) -> list[Block]:
        """The blocks of inputs that came while the run was going on."""


@dataclass(slots=True, kw_only=True)
class _Work:
    """A run in progress."""

    run: Run
    role: Role
    messages: list[Message]
    tools: dict[str, Tool[Any]]
    n: int
    """The number of the last step stored."""
    reminded: bool = False

    def step(self) -> int:
        """The number of the next step."""
        self.n += 1
        return self.n


class Runtime:
    """Carries out runs; what a run is at is in the database and on its own stack."""

    def __init__(
        self,
        db: Database,
        model: Model,
        context: Context,
        life: Life,
        *,
        roles: Mapping[str, Role],
        tools: Mapping[str, Tool[Any]],
        clock: Clock,
        working: Callable[[Run, bool], Awaitable[None]],
    ) -> None:
        self._db = db
        self._model = model
        self._context = context
        self._life = life
        self._roles = roles
        self._tools = tools
        self._clock = clock
        self._working = working

    async def execute(self, run: Run) -> None:
        """Carry a claimed run to its end.

        Raises `errors.ModelRetry` when it should be tried later, `errors.ModelError` when it cannot
        succeed, Withdrawn when it lost its purpose. What it did is stored step by step, so that a
        second call goes on where the first one stopped.
        """
        role = self._roles[run.role]
        # What is started for the first time has no steps: a person waits for this look to end.
        steps, stored = await self._db.read(_stored, run.id) if run.attempts > 1 else ([], [])
        given = await self._db.write(self._take, run, resumed=bool(steps))
        try:
            context, _ = await asyncio.gather(
                self._db.read(self._context.build, run, given), self._working(run, True)
            )
            work = _Work(
                run=run,
                role=role,
                messages=[{"role": "user", "content": context}, *stored],
                tools={name: self._tools[name] for name in role.tools if self._allowed(role, name)},
                n=steps[-1].n if steps else 0,
            )
            if not (steps and await self._finish_stored(work, steps[-1])):
                await self._loop(work)
        finally:
            await self._working(run, False)

    def _take(self, tx: Tx, run: Run, *, resumed: bool) -> list[Input]:
        if not resumed:
            taken = inputs.take(tx, run.session_id, run=run.id, step=0)
            self._life.begin(tx, run, taken)
        if not self._life.wanted(tx, run):
            raise Withdrawn
        return [one for one in inputs.of_run(tx, run.id) if not one.step]

    async def _loop(self, work: _Work) -> None:
        for _ in range(work.role.max_steps):
            await self._steer(work)
            answer = await self._ask(work)
            if answer.stop is Stop.MAX_TOKENS:
                await self._tell(work, _CUT)
            elif uses := [b for b in answer.content if b.get("type") == "tool_use"]:
                ended = await self._use(work, uses)
                if ended is not None and await self._settle(work, ended):
                    return
            elif await self._forgot_to_answer(work):
                work.reminded = True
                await self._tell(work, _UNSAID)
            else:
                private = " ".join(b["text"] for b in answer.content if b.get("type") == "text")
                silent = Result(text="", outcome="silent", reason=private[:4000])
                if await self._settle(work, silent):
                    return
        raise ModelRefused(f"no end after {work.role.max_steps} answers")

    async def _forgot_to_answer(self, work: _Work) -> bool:
        if not work.role.must_answer or work.reminded:
            return False
        return await self._db.read(_owes_a_word, work.run)

    async def _finish_stored(self, work: _Work, last: traces.Step) -> bool:
        """After a crash: do what the last answer asked for; True when that ended the run.

        A tool and its result are one transaction: one without a result has changed nothing yet.
        """
        stored = await self._db.read(traces.results, work.run.id)
        done = {one.use_id: one for one in stored if one.n == last.n}
        ends = [
            Result(text="", outcome=one.outcome, reason=one.reason)
            for one in done.values()
            if one.ends_run
        ]
        if open_uses := [use for use in last.tool_uses if use["id"] not in done]:
            ended = await self._use(work, open_uses)
            ends += [ended] if ended else []
        return bool(ends) and await self._settle(work, ends[-1])

    async def _steer(self, work: _Work) -> None:
        if len(work.messages) == 1:
            return  # the context has just told everything

        def take(tx: Tx) -> list[Block]:
            taken = inputs.take(tx, work.run.session_id, run=work.run.id, step=work.n + 1)
            self._life.begin(tx, work.run, taken)
            if not self._life.wanted(tx, work.run):
                raise Withdrawn
            told = self._context.more(tx, work.run, taken) if taken else []
            if told:
                traces.record_told(tx, work.run.id, work.n + 1, told, now_us=self._now())
            return told

        if told := await self._db.write(take):
            work.step()
            work.messages.append({"role": "user", "content": told})

    async def _ask(self, work: _Work) -> Response:
        role = work.role
        request = Request(
            role=role.name,
            purpose=role.purpose,
            tier=role.tier,
            system=role.prompt,
            messages=self._fitting(work),
            tools=[tool.spec() for tool in work.tools.values()],
            max_tokens=role.max_tokens,
        )
        started = self._now()
        try:
            answer = await self._model.complete(request)
        except ContextTooLong:
            fewer = transcript.fit(request.messages, self._model.context_tokens // 2)
            answer = await self._model.complete(replace(request, messages=fewer))
        await self._db.write(
            traces.record_answer,
            work.run.id,
            work.step(),
            answer,
            purpose=role.purpose,
            started_us=started,
            now_us=self._now(),
        )
        work.messages.append({"role": "assistant", "content": answer.content})
        return answer

    def _fitting(self, work: _Work) -> list[Message]:
        room = self._model.context_tokens - work.role.max_tokens
        room -= tokens.estimate_tokens(work.role.prompt) + 4000  # the tools' own schemas
        return transcript.fit(transcript.repair(work.messages), room)

    async def _tell(self, work: _Work, text: str) -> None:
        block = {"type": "text", "text": text}
        await self._db.write(
            traces.record_told, work.run.id, work.step(), [block], now_us=self._now()
        )
        work.messages.append({"role": "user", "content": [block]})

    async def _use(self, work: _Work, uses: list[Block]) -> Result | None:
        """Execute tools, reads side by side and writes in order; the result that ends the run."""
        done: dict[str, Result | ToolError] = {}
        reads = [use for use in uses if isinstance(work.tools.get(use["name"]), ReadTool)]
        answers = await asyncio.gather(*(self._use_one(work, use) for use in reads))
        done.update((use["id"], answer) for use, answer in zip(reads, answers, strict=True))
        for use in uses:
            if use["id"] not in done:
                done[use["id"]] = await self._use_one(work, use)
        work.messages.append(
            {"role": "user", "content": [_block(use, done[use["id"]]) for use in uses]}
        )
        ends = [one for one in done.values() if isinstance(one, Result) and one.ends_run]
        return ends[-1] if ends else None

    async def _use_one(self, work: _Work, use: Block) -> Result | ToolError:
        started = self._now()
        call = Call(
            run_id=work.run.id,
            session_id=work.run.session_id,
            role=work.role.name,
            use_id=use["id"],
            step=work.n,
            now=self._clock(),
        )

        def keep(tx: Tx, result: Result, *, failed: bool = False) -> None:
            traces.record_result(
                tx,
                work.run.id,
                work.n,
                use,
                result,
                failed=failed,
                started_us=started,
                now_us=self._now(),
            )

        def write(tx: Tx, tool: WriteTool[Any]) -> Result:
            if not self._life.wanted(tx, work.run):
                raise Withdrawn
            result = tool.write(tx, call, tool.parse(use["input"]))
            keep(tx, result)
            return result

        try:
            tool = self._tool(work, use["name"])
            if isinstance(tool, WriteTool):
                return await self._db.write(write, tool)
            if not isinstance(tool, ReadTool):
                raise ToolError(f"{tool.name} cannot be executed here")
            result = await tool.read(self._db, call, tool.parse(use["input"]))
            await self._db.write(keep, result)
            return result
        except ToolError as error:
            await self._db.write(keep, Result(text=str(error)), failed=True)
            return error

    def _tool(self, work: _Work, name: str) -> Tool[Any]:
        tool = work.tools.get(name)
        if tool is None:
            logger.warning("run %d (%s) asked for %r", work.run.id, work.role.name, name)
            raise ToolError(f"a {work.role.name} has no tool {name!r}")
        return tool

    def _allowed(self, role: Role, name: str) -> bool:
        return name in self._tools and self._tools[name].capability in role.classes

    async def _settle(self, work: _Work, result: Result) -> bool:
        """End the run, unless something came in that it has not seen."""

        def settle(tx: Tx) -> bool:
            if inputs.waiting(tx, work.run.session_id):
                return False
            runs.settle(
                tx,
                work.run.id,
                runs.State.SUCCEEDED,
                outcome=result.outcome,
                reason=result.reason,
                now_us=self._now(),
            )
            self._life.ended(tx, work.run, result.outcome, result.reason)
            return True

        return await self._db.write(settle)

    def _now(self) -> int:
        return to_us(self._clock())


def _stored(reader: Reader, run: int) -> tuple[list[traces.Step], list[Message]]:
    return traces.steps(reader, run), traces.messages(reader, run)


def _owes_a_word(reader: Reader, run: Run) -> bool:
    given = inputs.of_run(reader, run.id)
    waits = any(one.trigger is inputs.Trigger.MESSAGE for one in given)
    return waits and not any(r.name == "say" for r in traces.results(reader, run.id))


def _block(use: Block, answer: Result | ToolError) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": use["id"]}
    if isinstance(answer, ToolError):
        return block | {"content": str(answer), "is_error": True}
    return block | {"content": answer.text}
