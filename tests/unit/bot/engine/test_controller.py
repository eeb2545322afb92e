"""The one entry: by the state of a session an entry is queued, merged or steered."""

import ast
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.engine import inputs, runs, sessions
from bot.engine.clocks import VirtualClock
from bot.engine.controller import Delivery, SessionController, Settings, Submitted, Want
from bot.engine.inputs import Entry, Trigger
from memory.db import Database, Tx
from memory.moments import to_us
from tests.conftest import MONDAY

ROOT = Path(__file__).parents[4]
PACKAGES = ("memory", "agency", "adapters", "bot")


class Desk:
    """A controller with one session, and its bell."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.clock = VirtualClock(MONDAY)
        self.rung = 0
        self.controller = SessionController(self.clock, self._ring, settings=Settings())

    def _ring(self) -> None:
        self.rung += 1

    async def submit(self, key: str, *, wakes: bool = True, **want: object) -> Submitted | None:
        def act(tx: Tx) -> Submitted | None:
            session = self._session(tx)
            entry = Entry(
                session_id=session,
                trigger=Trigger.MESSAGE,
                parts=({"type": "text", "text": key},),
                key=key,
                wakes=wakes,
            )
            return self.controller.submit_input(tx, entry, Want(**want))  # type: ignore[arg-type]

        return await self.db.write(act)

    async def claim(self) -> runs.Run | None:
        return await self.db.write(
            runs.claim,
            owner="me",
            now_us=to_us(MONDAY + timedelta(hours=1)),
            lease_us=10**9,
            priorities=range(1000),
        )

    async def due(self) -> datetime:
        return (await self.db.read(lambda reader: runs.latest(reader, limit=1)))[0].due_at

    def _session(self, tx: Tx) -> int:
        now_us = to_us(MONDAY)
        return sessions.inner(tx, sessions.Kind.MEMORY, "somewhere", now_us=now_us).id


@pytest.fixture
def desk(db: Database) -> Desk:
    return Desk(db)


def delivery(submitted: Submitted | None) -> Delivery:
    assert submitted is not None
    return submitted.delivery


async def test_idle_queues_queued_merges_running_steers(desk: Desk) -> None:
    first = await desk.submit("one")
    second = await desk.submit("two")
    assert (delivery(first), delivery(second)) == (Delivery.QUEUED, Delivery.MERGED)
    assert first and second
    assert first.run_id == second.run_id
    assert await desk.claim() is not None
    third = await desk.submit("three")
    assert delivery(third) is Delivery.STEERED
    assert third and third.run_id == first.run_id
    assert desk.rung == 2  # who carries it out looks for more by itself


async def test_whoever_begins_runs_may_end_while_one_is_queued(
    db: Database, caplog: pytest.LogCaptureFixture
) -> None:
    begun: list[int] = []

    def clock() -> datetime:
        controller.begin = None  # as the dispatcher does, on the event loop
        return MONDAY

    controller = SessionController(clock, lambda: None, settings=Settings())

    def submit(tx: Tx) -> None:
        session = sessions.inner(tx, sessions.Kind.MEMORY, "a", now_us=to_us(MONDAY))
        entry = Entry(session_id=session.id, trigger=Trigger.BURST, parts=(), key="a")
        run = controller.submit_input(tx, entry, Want(due=MONDAY + timedelta(hours=1)))
        controller.begin = lambda _: begun.append(1)
        found = runs.open_of(tx, session.id)
        assert run is not None and found is not None
        controller.put_off(tx, found, MONDAY)

    await db.write(submit)
    assert (begun, caplog.text) == ([1], "")


async def test_what_asks_for_no_run_is_stored_and_observed(desk: Desk) -> None:
    assert delivery(await desk.submit("one", wakes=False)) is Delivery.OBSERVED
    assert await desk.claim() is None
    assert desk.rung == 0


async def test_a_repeat_changes_nothing_for_ever(desk: Desk) -> None:
    await desk.submit("one")
    assert await desk.submit("one") is None
    assert desk.rung == 1


async def test_a_more_telling_repeat_asks_for_the_run_after_all(desk: Desk) -> None:
    await desk.submit("one", wakes=False)
    assert delivery(await desk.submit("one")) is Delivery.QUEUED
    assert await desk.submit("one") is None


async def test_a_burst_settles_but_not_for_ever(desk: Desk) -> None:
    await desk.submit("0")
    for number in range(1, 20):
        desk.clock._now = MONDAY + timedelta(milliseconds=500 * number)
        await desk.submit(str(number))
    assert await desk.due() <= desk.clock() + Settings().debounce
    assert await desk.due() >= MONDAY + Settings().debounce_limit


async def test_a_merge_makes_a_run_more_pressing_never_less(desk: Desk) -> None:
    await desk.submit("nudge", priority=runs.Priority.NUDGE)
    await desk.submit("person")
    await desk.submit("nudge again", priority=runs.Priority.NUDGE)
    run = await desk.claim()
    assert run is not None
    assert run.priority == runs.Priority.PERSON


async def test_a_run_that_waits_for_its_model_keeps_waiting(desk: Desk) -> None:
    await desk.submit("one")
    run = await desk.claim()
    assert run is not None
    later = MONDAY + timedelta(minutes=5)
    await desk.db.write(runs.requeue, run.id, due_us=to_us(later), error="away")
    assert delivery(await desk.submit("two")) is Delivery.MERGED
    assert await desk.due() == later
    await desk.submit("three", due=MONDAY)
    assert await desk.due() == later


async def test_left_behind_inputs_get_a_run_in_their_own_role(desk: Desk) -> None:
    submitted = await desk.submit("one")
    run = await desk.claim()
    assert submitted and run

    def give_up(tx: Tx) -> None:
        runs.settle(tx, run.id, runs.State.FAILED, now_us=to_us(MONDAY))
        want = Want(role="memory", priority=runs.Priority.MEMORY)
        desk.controller.run_for_waiting(tx, run.session_id, want)
        desk.controller.run_for_waiting(tx, run.session_id, want)

    await desk.db.write(give_up)
    [again, _] = await desk.db.read(lambda reader: runs.latest(reader, limit=9))
    assert (again.role, again.state) == ("memory", runs.State.QUEUED)
    assert await desk.db.read(inputs.waiting, run.session_id) == 1


def calls(path: Path) -> list[tuple[str, str, str]]:
    """Every call `a.b(…)` of a file, with the function it stands in."""
    found = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = ast.unparse(node.func.value)
                found.append((scope.name, owner, node.func.attr))
    return found


def sources(kind: str) -> list[Path]:
    return [path for name in PACKAGES for path in sorted((ROOT / name).rglob(f"*.{kind}"))]


def test_everything_that_enters_a_session_enters_through_submit_input() -> None:
    """A1: no second path exists."""
    adds = [
        (path.name, scope)
        for path in sources("py")
        for scope, owner, name in calls(path)
        if (owner, name) == ("inputs", "add")
    ]
    assert adds == [("controller.py", "submit_input")]
    names = [
        path.name
        for path in sources("py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "bot.engine.inputs"
        for alias in node.names
        if alias.name in ("add", "SQL")
    ]
    assert names == [], "inputs.add is not brought in under another name"


def test_nothing_else_writes_into_the_inputs() -> None:
    writers = [
        path.name
        for kind in ("sql", "py")
        for path in sources(kind)
        if "insert into inputs" in " ".join(path.read_text(encoding="utf-8").lower().split())
    ]
    assert writers == ["inputs.sql"]
    used = {
        (path.name, scope)
        for path in sources("py")
        for scope, _, name in calls(path)
        if name == "submit_input"
    }
    assert len(used) >= 5, "messages, reactions, handoffs, consents, fires and bursts all use it"
