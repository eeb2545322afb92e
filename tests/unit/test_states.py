"""Every state machine: its Enum is the list in the schema, and its SQL moves as its table says."""

import re
from enum import StrEnum
from pathlib import Path
from types import ModuleType

import pytest

from agency import approvals, consents, fires, handoffs, inbox, intentions, schedules
from bot.engine import inputs, letters, runs
from memory import files

ROOT = Path(__file__).parents[2]
MACHINES: dict[str, ModuleType] = {
    "runs": runs,
    "fires": fires,
    "handoffs": handoffs,
    "letters": letters,
    "consents": consents,
    "approvals": approvals,
    "intentions": intentions,
    "inputs": inputs,
    "files": files,
    "inbox": inbox,
    "schedules": schedules,
}
OPEN_ENDED = {
    "handoffs: move": "moves from and to what is bound; handoffs.move refuses what MOVES has not",
}
"""Statements whose states are bound on both sides, and what holds them to the table."""
BOUND: dict[str, frozenset[StrEnum]] = {
    "runs: settle": runs.MOVES[runs.State.RUNNING] - {runs.State.QUEUED, runs.State.SUSPENDED},
    "fires: hand_over": fires.HANDED,
    "consents: answer": frozenset({consents.State.GRANTED, consents.State.DENIED}),
    "approvals: answer": frozenset({approvals.State.GRANTED, approvals.State.DENIED}),
    "intentions: close": frozenset({intentions.State.DROPPED}),
}
"""Where the new state is bound: what the code binds."""

Move = tuple[str, str, str]
"""The statement, from, to."""


def schema(table: str) -> str:
    found = [
        match.group(1)
        for path in sorted(ROOT.glob("*/schema/*.sql"))
        for match in re.finditer(rf"CREATE TABLE {table} \((.*?)\n\);", path.read_text(), re.S)
    ]
    assert len(found) == 1
    return found[0]


def listed(text: str) -> list[str]:
    return re.findall(r"'(\w+)'", text)


def cases(text: str) -> list[tuple[str, str]]:
    """The changes of a `CASE state WHEN 'old' THEN 'new'`, or of one whose WHENs ask for it."""
    return [
        (old, new)
        for olds, new in re.findall(r"WHEN (.*?) THEN '(\w+)'", text, re.S)
        for old in listed(olds.partition(" AND ")[0])
    ]


def moves(table: str, module: ModuleType) -> list[Move]:
    """Every change of state in a machine's statements."""
    found: list[Move] = []
    for name, statement in module.SQL.items():
        if not re.match(rf"UPDATE {table}\b", statement):
            continue
        sets, _, where = statement.partition("WHERE")
        if chosen := re.search(r"\bstate = CASE(.*?)\bEND", sets, re.S):
            found += [(name, old, new) for old, new in cases(chosen[1])]
            continue
        target = re.search(r"\bstate = (?:'(\w+)'|:(\w+))", sets)
        if target is None or f"{table}: {name}" in OPEN_ENDED:
            continue
        source = re.search(r"\bstate (?:= ('\w+')|IN \(([^)]*)\))", where)
        assert source is not None, f"{table}: {name} changes a state without asking for the old one"
        bound = BOUND.get(f"{table}: {name}", frozenset())
        targets = [target.group(1)] if target.group(1) else [state.value for state in bound]
        assert targets, f"{table}: {name} binds its new state: say in BOUND what the code binds"
        olds = listed(source.group(1) or source.group(2))
        found.extend((name, old, new) for old in olds for new in targets)
    return found


@pytest.mark.parametrize("table", MACHINES)
def test_the_enum_is_the_list_of_the_schema(table: str) -> None:
    check = re.search(r"\bstate TEXT NOT NULL CHECK \(state IN \(([^)]*)\)", schema(table))
    assert check is not None
    assert set(listed(check.group(1))) == set(MACHINES[table].State)


@pytest.mark.parametrize("table", MACHINES)
def test_every_state_has_its_moves(table: str) -> None:
    module = MACHINES[table]
    assert set(module.MOVES) == set(module.State)
    for targets in module.MOVES.values():
        assert targets <= set(module.State)


@pytest.mark.parametrize("table", MACHINES)
def test_every_change_in_the_sql_is_a_move_of_the_table(table: str) -> None:
    module = MACHINES[table]
    found = moves(table, module)
    assert found or table == "handoffs"
    for name, old, new in found:
        allowed = module.MOVES[module.State(old)]
        assert module.State(new) in allowed, f"{name}: {old} → {new} is not in MOVES"


@pytest.mark.parametrize("table", sorted(set(MACHINES) - {"handoffs"}))
def test_every_move_of_the_table_is_made_somewhere(table: str) -> None:
    module = MACHINES[table]
    made = {(old, new) for _, old, new in moves(table, module)}
    planned = {
        ("running", "suspended"),
        ("suspended", "queued"),
        ("ripe", "done"),  # intentions: close, which asks for it apart
    }
    for old, targets in module.MOVES.items():
        for new in targets:
            assert (old.value, new.value) in made | planned, f"nothing makes {old} → {new}"


def test_statements_named_here_exist() -> None:
    for name in (*OPEN_ENDED, *BOUND):
        table, _, statement = name.partition(": ")
        assert statement in MACHINES[table].SQL


def test_the_open_ended_one_asks_for_the_old_state() -> None:
    assert "AND state = :state" in handoffs.SQL["move"]
