"""The agent loop: one runtime for every role.

context ─► model ─► tools ─► anything steered in? ─► model ─► … ─► settled
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.engine import hands, inputs, runs, traces
from bot.engine.allowance import UNLIMITED, Allowance, purpose_of
from bot.engine.asking import Asking
from bot.engine.hands import Acting, Done, Hands
from bot.engine.inputs import Input
from bot.engine.lulls import Lulls
from bot.engine.outages import Outage
from bot.engine.rations import Ration
from bot.engine.roles import Role
from bot.engine.runs import Run
from bot.engine.signs import Signs
from bot.engine.tool import Call, ReadTool, Result, Tool
from bot.engine.waits import Clock
from bot.errors import ModelRefused
from bot.models.model import Block, Message, Model, Response, Stop, Tier
from memory.db import Database, Reader, Tx
from memory.lanes import pressing
from memory.moments import to_us

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

LULL = timedelta(seconds=0.5)  # a session whose runs come sooner goes behind others
_CUT = "Reminder: your last answer was too long and was cut. Do it again, shorter."
_UNSAID = (
    "Reminder: somebody addressed you and nothing was said. Ordinary text is private: use say, "
    "or stay_silent with a reason."
)


Prepare = Callable[[Run], Awaitable[None]]
"""Awaited before a run is told anything: returns once what its inputs lean on is there, or after
a short while without it; raises nothing."""


async def ready(run: Run) -> None:
    """What inputs lean on is always there."""


def _unasked(tx: Tx) -> None:
    """Nobody wants to know that a model answered."""


class Withdrawn(Exception):
    """All that a run was for has been taken back."""


class Paused(Exception):
    """The process stops; what the run did is stored, and it goes on from there."""


class Life(ABC):
    """What surrounds a run: told inside the transactions of the runtime."""

    @abstractmethod
    def begin(self, tx: Tx, run: Run, taken: list[Input]) -> None:
        """Inputs were given to the run."""

    @abstractmethod
    def wanted(self, reader: Reader, run: Run) -> bool:
        """Whether anything the run is for still stands."""

    @abstractmethod
    def suspended(self, tx: Tx, run: Run) -> None:
        """The run waits for somebody's word."""

    @abstractmethod
    def kept_waiting(self, tx: Tx, run: Run, outage: Outage) -> None:
        """The run waits for a model that is away; told more than once of one outage."""

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
    asking: Asking
    messages: list[Message]
    tools: dict[str, Tool[Any]]
    n: int
    """The number of the last step stored."""
    first: bool = False
    """Whether it goes before what does not press."""
    reminded: bool = False

    def step(self) -> int:
        """The number of the next step."""
        self.n += 1
        return self.n


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A claimed run, and what it starts from."""

    run: Run
    given: list[Input]
    steps: list[traces.Step]
    """Those of an earlier try that a crash cut short."""
    told: list[Message]
    wanted: bool
    """False when all it was for has been taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """A response that is not stored yet."""

    response: Response
    started_us: int


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
        signs: Signs,
        prepare: Prepare = ready,
        allowance: Allowance = UNLIMITED,
        spare: Model | None = None,
        answered: Callable[[Tx], None] = _unasked,
    ) -> None:
        """Build a runtime; `spare` thinks for runs that are given nothing better.

        `answered` is told in the transaction that keeps an answer of `model`.
        """
        self._db = db
        self._model = model
        self._context = context
        self._life = life
        self._roles = roles
        self._tools = tools
        self._clock = clock
        self._signs = signs
        self._prepare = prepare
        self._allowance = allowance
        self._spare = spare or model
        self._answered = answered
        self._hands = Hands(db, clock)
        self._resting = False
        self._lulls = Lulls(clock, LULL)

    def rest(self) -> None:
        """From now on every run ends with Paused as soon as its present step is stored."""
        self._resting = True

    def begin(self, tx: Tx, run: Run) -> Begun | None:
        """Give a run that was just claimed what waits for it, in the same transaction.

        None when it may not start: it waits, or whoever asked was told.
        """
        steps = traces.steps(tx, run.id) if run.attempts > 1 else []
        refused: datetime | None = None
        if not steps and run.ration in (Ration.UNSET, Ration.WAITS):
            grant = self._allowance.grant(tx, run, purpose_of(self._roles[run.role], run))
            refused = grant.until if grant.refused else None
            if grant.until is not None and refused is None:
                runs.put_back(tx, run.id, due_us=to_us(grant.until))
                return None
            if grant.ration is not run.ration:
                runs.give(tx, run.id, grant.ration)
                run = replace(run, ration=grant.ration)
        if not steps:
            taken = inputs.take(tx, run.session_id, run=run.id, step=0)
            self._life.begin(tx, run, taken)
        begun = self._begun(tx, run, steps)
        if refused is not None and begun.wanted:
            self._refuse(tx, begun, refused)
            return None
        return begun

    def _begun(self, tx: Tx, run: Run, steps: list[traces.Step]) -> Begun:
        return Begun(
            run=run,
            given=[one for one in inputs.of_run(tx, run.id) if not one.step],
            steps=steps,
            told=traces.messages(tx, run.id) if steps else [],
            wanted=self._life.wanted(tx, run),
        )

    def _refuse(self, tx: Tx, begun: Begun, until: datetime) -> None:
        run, why = begun.run, "today's budget is used up"
        runs.settle(
            tx, run.id, runs.State.SUCCEEDED, outcome="refused", reason=why, now_us=self._now()
        )
        self._allowance.refuse(tx, run, begun.given, until)
        self._life.ended(tx, run, "refused", why)

    async def execute(self, begun: Begun) -> None:
        """Carry a run that was begun to its end.

        Raises `errors.ModelRetry` when it should be tried later, `errors.ModelError` when it cannot
        succeed, Withdrawn when it lost its purpose, Paused after `rest`. What it did is stored
        step by step, so that after a crash it goes on where it stopped.
        """
        if not begun.wanted:
            raise Withdrawn
        run, steps = begun.run, begun.steps
        role = self._rationed(run)
        model = self._spare if run.ration is Ration.BUILTIN else self._model
        self._signs.answering(run, begun.given)
        try:
            await self._prepare(run)
            first = run.priority < runs.BACKGROUND and self._lulls.after(run.session_id)
            build = self._context.build
            context = await self._db.read(pressing(build) if first else build, run, begun.given)
            work = _Work(
                run=run,
                role=role,
                asking=Asking(model, role),
                messages=[{"role": "user", "content": context}, *begun.told],
                tools={name: self._tools[name] for name in role.tools if self._allowed(role, name)},
                n=steps[-1].n if steps else 0,
                first=first,
            )
            if not (steps and await self._finish_stored(work, steps[-1])):
                await self._loop(work)
        finally:
            self._signs.ended(run)

    def _rationed(self, run: Run) -> Role:
        """The role of a run, with what it was given to think with."""
        role = self._roles[run.role]
        tier = Tier.SMALL if run.ration is Ration.SMALL else role.tier
        return replace(role, purpose=purpose_of(role, run), tier=tier)

    async def _loop(self, work: _Work) -> None:
        left = work.role.max_steps
        while left:
            if self._resting:
                raise Paused
            # What comes in meanwhile is more to do, not a run without an end.
            left = work.role.max_steps if await self._steer(work) else left
            left -= 1
            answer = await self._ask(work)
            if answer.response.stop is Stop.MAX_TOKENS:
                await self._write(work, self._record, work, answer)
                await self._tell(work, _CUT)
            elif uses := [b for b in answer.response.content if b.get("type") == "tool_use"]:
                if await self._use(work, uses, answer):
                    return
            elif await self._forgot_to_answer(work):
                await self._write(work, self._record, work, answer)
                work.reminded = True
                await self._tell(work, _UNSAID)
            elif await self._write(work, self._end_silent, work, answer):
                return
        raise ModelRefused(f"no end after {work.role.max_steps} answers")

    async def _write(
        self, work: _Work, fn: Callable[Concatenate[Tx, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Write as whoever has the run: StaleState once another process does."""

        @wraps(fn)
        def owned(tx: Tx, /, *args: P.args, **kwargs: P.kwargs) -> T:
            runs.own(tx, work.run)
            return fn(tx, *args, **kwargs)

        return await self._db.write(pressing(owned) if work.first else owned, *args, **kwargs)

    async def _forgot_to_answer(self, work: _Work) -> bool:
        if not work.role.must_answer or work.reminded:
            return False
        return await self._db.read(traces.owes_a_word, work.run.id)

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
            return await self._use(work, open_uses)
        return bool(ends) and await self._write(work, self._settle, work, ends[-1])

    async def _steer(self, work: _Work) -> bool:
        """Tell the model what came in since; whether anything did."""
        if len(work.messages) == 1:
            return False  # the context has just told everything

        def take(tx: Tx) -> tuple[list[Input], list[Block]]:
            taken = inputs.take(tx, work.run.session_id, run=work.run.id, step=work.n + 1)
            self._life.begin(tx, work.run, taken)
            if not self._life.wanted(tx, work.run):
                raise Withdrawn
            told = self._context.more(tx, work.run, taken) if taken else []
            if told:
                traces.record_told(tx, work.run.id, work.n + 1, told, now_us=self._now())
            return taken, told

        await self._prepare(work.run)
        taken, told = await self._write(work, take)
        if taken:
            self._signs.answering(work.run, taken)
        if told:
            work.step()
            work.messages.append({"role": "user", "content": told})
        return bool(told)

    async def _ask(self, work: _Work) -> _Answer:
        started = self._now()
        specs = [tool.spec() for tool in work.tools.values()]
        response = await work.asking.ask(work.messages, specs)
        work.step()
        work.messages.append({"role": "assistant", "content": response.content})
        return _Answer(response=response, started_us=started)

    def _record(self, tx: Tx, work: _Work, answer: _Answer) -> None:
        traces.record_answer(
            tx,
            work.run.id,
            work.n,
            answer.response,
            started_us=answer.started_us,
            now_us=self._now(),
        )
        self._allowance.book(tx, answer.response, purpose=work.role.purpose, now_us=self._now())
        if work.run.ration is not Ration.BUILTIN:
            self._answered(tx)

    async def _tell(self, work: _Work, text: str) -> None:
        block = {"type": "text", "text": text}
        n, now = work.step(), self._now()
        await self._write(work, traces.record_told, work.run.id, n, [block], now_us=now)
        work.messages.append({"role": "user", "content": [block]})

    async def _use(self, work: _Work, uses: list[Block], answer: _Answer | None = None) -> bool:
        """Carry out what an answer asks for; whether that ended the run.

        The answer, its tools and the end are one transaction where nothing had to be looked up:
        the common case, saying once and sleeping, costs one commit. `answer` None is stored
        already.
        """
        acting = Acting(call=self._call(work), uses=uses, tools=work.tools)
        names = [use["name"] for use in uses]
        if reads := [name for name in names if isinstance(work.tools.get(name), ReadTool)]:
            self._signs.using(work.run, reads)
            if answer is not None:
                await self._write(work, self._record, work, answer)
                answer = None
        looked = await self._hands.look(acting)
        done, over = await self._write(work, self._act, work, acting, looked, answer)
        work.messages.append({"role": "user", "content": hands.blocks(uses, done)})
        return over

    def _act(
        self, tx: Tx, work: _Work, acting: Acting, looked: Done, answer: _Answer | None
    ) -> tuple[Done, bool]:
        if not self._life.wanted(tx, work.run):
            raise Withdrawn
        if answer is not None:
            self._record(tx, work, answer)
        done = self._hands.act(tx, acting, looked)
        if hands.waiting(done):
            runs.suspend(tx, work.run.id)
            self._life.suspended(tx, work.run)
            return done, True
        end = hands.ending(done)
        return done, end is not None and self._settle(tx, work, end)

    def _end_silent(self, tx: Tx, work: _Work, answer: _Answer) -> bool:
        self._record(tx, work, answer)
        texts = (b["text"] for b in answer.response.content if b.get("type") == "text")
        return self._settle(
            tx, work, Result(text="", outcome="silent", reason=" ".join(texts)[:4000])
        )

    def _call(self, work: _Work) -> Call:
        return Call(
            run_id=work.run.id,
            session_id=work.run.session_id,
            role=work.role.name,
            use_id="",
            step=work.n,
            now=self._clock(),
        )

    def _allowed(self, role: Role, name: str) -> bool:
        return name in self._tools and self._tools[name].capability in role.classes

    def _settle(self, tx: Tx, work: _Work, result: Result) -> bool:
        """End the run, unless something came in that it has not seen."""
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
        self._allowance.ended(tx, work.run)
        return True

    def _now(self) -> int:
        return to_us(self._clock())
