"""The runtime refuses by class, resumes where a process died, and ends every kind of answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.engine import inputs, runs, sessions, traces
from bot.engine.clocks import VirtualClock
from bot.engine.controller import SessionController, Settings
from bot.engine.inputs import Entry, Input, Trigger
from bot.engine.outages import Outage
from bot.engine.roles import Role
from bot.engine.runs import Run
from bot.engine.runtime import Context, Life, Runtime, Withdrawn
from bot.engine.signs import Signs
from bot.engine.tool import Args, Call, Capability, ReadTool, Result, WriteTool
from bot.errors import ContextTooLong, ToolError
from bot.models.builtin.context import Context as Seen
from bot.models.model import Block, Model, Request, Response, Stop, Usage
from memory.db import Database, Reader, Tx
from memory.moments import to_us
from tests.conftest import MONDAY
from tests.fakes.scripted import ScriptedModel, private, use

NOW_US = to_us(MONDAY)


class Plain(Context):
    """Tells the texts of the inputs and nothing else."""

    def build(self, reader: Reader, run: Run, given: list[Input]) -> list[Block]:
        return [private(one.text) for one in given] or [private("nothing")]

    def more(self, reader: Reader, run: Run, given: list[Input]) -> list[Block]:
        return self.build(reader, run, given)


@dataclass
class Log(Life):
    """Writes down what it was told."""

    ends: list[tuple[str, str]] = field(default_factory=list)
    stands: bool = True

    def begin(self, tx: Tx, run: Run, taken: list[Input]) -> None:
        pass

    def wanted(self, reader: Reader, run: Run) -> bool:
        return self.stands

    def suspended(self, tx: Tx, run: Run) -> None:
        pass

    def kept_waiting(self, tx: Tx, run: Run, outage: Outage) -> None:
        pass

    def ended(self, tx: Tx, run: Run, outcome: str, reason: str) -> None:
        self.ends.append((outcome, reason))

    def died(self, tx: Tx, run: Run, error: str) -> None:
        self.ends.append(("died", error))


class NoArgs(Args):
    """Nothing to say."""


class Wipe(WriteTool[NoArgs]):
    """Something a front role must never do."""

    name = "wipe"
    description = "Wipe a disk."
    args = NoArgs

    def __init__(self, capability: Capability) -> None:
        self.capability = capability  # type: ignore[misc]
        self.done = 0

    def write(self, tx: Tx, call: Call, args: NoArgs) -> Result:
        self.done += 1
        return Result(text="wiped", ends_run=True, outcome="done")


class Look(ReadTool[NoArgs]):
    """Looks at nothing."""

    name = "look"
    description = "Look."
    capability = Capability.READ
    args = NoArgs

    async def read(self, db: Database, call: Call, args: NoArgs) -> Result:
        return Result(text="seen")


class Fail(WriteTool[NoArgs]):
    """Writes and then cannot."""

    name = "fail"
    description = "Fail."
    capability = Capability.SELF
    args = NoArgs

    def write(self, tx: Tx, call: Call, args: NoArgs) -> Result:
        tx.run("UPDATE runs SET reason = 'half done'")
        raise ToolError("it cannot be done")


class Bench:
    """A runtime with one run in one session."""

    def __init__(self, db: Database, model: Model, *tools: Any) -> None:
        self.db = db
        self.life = Log()
        self.clock = VirtualClock(MONDAY)
        self.controller = SessionController(self.clock, lambda: None, settings=Settings())
        role = Role(
            name="conversation",
            prompt="",
            classes=frozenset({Capability.READ, Capability.SELF, Capability.SAY}),
            tools=tuple(tool.name for tool in tools),
            purpose="foreground",
            must_answer=True,
        )
        self.runtime = Runtime(
            db,
            model,
            Plain(),
            self.life,
            roles={"conversation": role},
            tools={tool.name: tool for tool in tools},
            clock=self.clock,
            signs=NoSigns(),
        )

    async def submit(self, text: str) -> None:
        def act(tx: Tx) -> None:
            session = sessions.inner(tx, sessions.Kind.MEMORY, "here", now_us=NOW_US)
            entry = Entry(
                session_id=session.id,
                trigger=Trigger.BURST,
                parts=({"type": "text", "text": text},),
                key=text,
            )
            self.controller.submit_input(tx, entry)

        await self.db.write(act)

    async def execute(self, run: Run) -> None:
        """Begin a claimed run and carry it out."""
        begun = await self.db.write(self.runtime.begin, run)
        assert begun is not None
        await self.runtime.execute(begun)

    async def claim(self) -> Run:
        run = await self.db.write(
            runs.claim,
            owner="me",
            now_us=NOW_US + 10**9,
            lease_us=10**9,
            priorities=range(1000),
        )
        assert run is not None
        return run

    async def again(self, run: Run) -> Run:
        """The next process starts the run a second time."""
        await self.db.write(runs.requeue, run.id, due_us=NOW_US, error="its process died")
        return await self.claim()

    async def results(self, run: Run) -> list[tuple[str, bool, str]]:
        found = await self.db.read(traces.results, run.id)
        return [(one.name, one.failed, one.body) for one in found]


class Interrupted(Model):
    """Something new comes in while it thinks, so many times."""

    name = "interrupted"
    context_tokens = 200_000

    def __init__(self, times: int) -> None:
        self.times = times
        self.calls = 0
        self.bench: Bench | None = None

    async def complete(self, request: Request) -> Response:
        self.calls += 1
        if self.bench is not None and self.calls <= self.times:
            await self.bench.submit(f"news {self.calls}")
        return Response(content=[private("noted")], stop=Stop.END_TURN, usage=Usage(), model="m")


class NoSigns(Signs):
    """Shows nothing."""

    def answering(self, run: Run, given: Sequence[Input]) -> None:
        pass

    def using(self, run: Run, tools: Sequence[str]) -> None:
        pass

    def ended(self, run: Run) -> None:
        pass


@pytest.mark.parametrize("capability", [Capability.WRITE, Capability.EXTERNAL])
async def test_a_front_role_can_neither_see_nor_use_a_tool_of_a_class_it_lacks(
    db: Database, capability: Capability
) -> None:
    """Not even when its own list names the tool and the model asks for it."""
    wipe = Wipe(capability)
    answers = iter([[use("wipe")], [private("then not")]])
    model = ScriptedModel(conversation=lambda _: next(answers))
    bench = Bench(db, model, wipe, Look())
    await bench.submit("clean up")
    run = await bench.claim()
    await bench.execute(run)
    assert [tool.name for tool in model.calls[0].tools] == ["look"]
    assert wipe.done == 0
    [(name, failed, body)] = await bench.results(run)
    assert (name, failed) == ("wipe", True)
    assert "has no tool 'wipe'" in body


async def test_the_same_tool_of_a_class_it_has_is_used(db: Database) -> None:
    wipe = Wipe(Capability.SELF)
    bench = Bench(db, ScriptedModel(conversation=lambda _: [use("wipe")]), wipe)
    await bench.submit("clean up")
    await bench.execute(await bench.claim())
    assert (wipe.done, bench.life.ends) == (1, [("done", "")])


async def test_a_tool_that_fails_leaves_nothing_and_tells_the_model(db: Database) -> None:
    answers = iter([[use("fail"), use("look")], [private("well")]])
    model = ScriptedModel(conversation=lambda _: next(answers))
    bench = Bench(db, model, Fail(), Look())
    await bench.submit("try")
    run = await bench.claim()
    await bench.execute(run)
    results = model.calls[1].messages[-1]["content"]
    assert [(block["content"], block.get("is_error")) for block in results] == [
        ("it cannot be done", True),
        ("seen", None),
    ]
    assert (await db.read(runs.get, run.id)).reason == "well", "and not 'half done'"


async def test_wrong_arguments_are_told_and_stop_nothing(db: Database) -> None:
    class Picky(Args):
        number: int

    class Count(ReadTool[Picky]):
        """Counts."""

        name = "count"
        description = "Count."
        capability = Capability.READ
        args = Picky

        async def read(self, db: Database, call: Call, args: Picky) -> Result:
            return Result(text=str(args.number))

    answers = iter([[use("count", number="many")], [use("count")], [private("done")]])
    model = ScriptedModel(conversation=lambda _: next(answers))
    bench = Bench(db, model, Count())
    await bench.submit("count")
    run = await bench.claim()
    await bench.execute(run)
    assert ["number" in body for _, _, body in await bench.results(run)] == [True, True]


async def test_a_second_start_carries_out_what_the_last_answer_asked_for(db: Database) -> None:
    """The process died after the answer was stored and before its tools were done."""
    wipe = Wipe(Capability.SELF)
    model = ScriptedModel()
    bench = Bench(db, model, wipe, Look())
    await bench.submit("clean up")
    run = await bench.claim()
    answer = Response(
        content=[use("look"), use("wipe")], stop=Stop.TOOL_USE, usage=Usage(), model="m"
    )

    def die_there(tx: Tx) -> None:
        inputs.take(tx, run.session_id, run=run.id, step=0)
        traces.record_answer(tx, run.id, 1, answer, started_us=1, now_us=NOW_US)

    await db.write(die_there)
    await bench.execute(await bench.again(run))
    assert model.calls == [], "the model is not asked again"
    assert wipe.done == 1
    assert bench.life.ends == [("done", "")]


async def test_a_second_start_does_not_repeat_what_was_done(db: Database) -> None:
    wipe = Wipe(Capability.SELF)
    bench = Bench(db, ScriptedModel(), wipe)
    await bench.submit("clean up")
    run = await bench.claim()
    asked = use("wipe")
    answer = Response(content=[asked], stop=Stop.TOOL_USE, usage=Usage(), model="m")
    done = Result(text="wiped", ends_run=True, outcome="done", reason="before")

    def die_there(tx: Tx) -> None:
        inputs.take(tx, run.session_id, run=run.id, step=0)
        traces.record_answer(tx, run.id, 1, answer, started_us=1, now_us=NOW_US)
        traces.record_result(tx, run.id, 1, asked, done, started_us=1, now_us=NOW_US)

    await db.write(die_there)
    await bench.execute(await bench.again(run))
    assert wipe.done == 0
    assert bench.life.ends == [("done", "before")]


async def test_what_came_after_a_tool_that_ended_a_run_is_seen_by_the_second_start(
    db: Database,
) -> None:
    model = ScriptedModel()
    bench = Bench(db, model, Wipe(Capability.SELF))
    await bench.submit("clean up")
    run = await bench.claim()
    asked = use("wipe")
    answer = Response(content=[asked], stop=Stop.TOOL_USE, usage=Usage(), model="m")
    done = Result(text="wiped", ends_run=True, outcome="done")

    def die_there(tx: Tx) -> None:
        inputs.take(tx, run.session_id, run=run.id, step=0)
        traces.record_answer(tx, run.id, 1, answer, started_us=1, now_us=NOW_US)
        traces.record_result(tx, run.id, 1, asked, done, started_us=1, now_us=NOW_US)
        traces.record_told(tx, run.id, 2, [private("one more thing")], now_us=NOW_US)

    await db.write(die_there)
    await bench.execute(await bench.again(run))
    assert len(model.calls) == 1
    assert model.calls[0].messages[-1]["content"][-1]["text"] == "one more thing"


async def test_a_run_that_lost_its_purpose_stops_before_it_writes(db: Database) -> None:
    wipe = Wipe(Capability.SELF)

    def lose(_: Seen) -> list[Block]:
        bench.life.stands = False
        return [use("wipe")]

    bench = Bench(db, ScriptedModel(conversation=lose), wipe)
    await bench.submit("clean up")
    with pytest.raises(Withdrawn):
        await bench.execute(await bench.claim())
    assert wipe.done == 0


async def test_news_that_keeps_coming_is_no_run_without_an_end(db: Database) -> None:
    model = Interrupted(30)
    model.bench = bench = Bench(db, model)
    await bench.submit("news 0")
    await bench.execute(await bench.claim())
    assert model.calls == 31
    assert bench.life.ends == [("silent", "noted")]


async def test_an_answer_that_was_cut_is_asked_for_again_shorter(db: Database) -> None:
    model = Ends([Stop.MAX_TOKENS, Stop.END_TURN])
    bench = Bench(db, model)
    await bench.submit("tell me everything")
    await bench.execute(await bench.claim())
    assert model.told[1].startswith("Reminder: your last answer was too long")
    assert bench.life.ends == [("silent", "words")]


async def test_a_context_that_is_too_long_is_tried_smaller_a_few_times(db: Database) -> None:
    model = Ends([ContextTooLong("too long"), ContextTooLong("too long"), Stop.END_TURN])
    bench = Bench(db, model)
    await bench.submit("tell me everything")
    await bench.execute(await bench.claim())
    assert len(model.told) == 3
    model = Ends([ContextTooLong("too long")] * 3)
    bench = Bench(db, model)
    await bench.submit("and again")
    with pytest.raises(ContextTooLong):
        await bench.execute(await bench.claim())


class Ends(Model):
    """Ends its answers as it is told."""

    name = "ends"
    context_tokens = 100_000

    def __init__(self, ends: list[Stop | Exception]) -> None:
        self._ends = iter(ends)
        self.told: list[str] = []

    async def complete(self, request: Request) -> Response:
        self.told.append(request.messages[-1]["content"][-1]["text"])
        end = next(self._ends)
        if isinstance(end, Exception):
            raise end
        return Response(content=[private("words")], stop=end, usage=Usage(), model=self.name)
