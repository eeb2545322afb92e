"""What may flow where, as a table."""

from dataclasses import replace

import pytest

from agency.audience import Dm, Flow, Settings, may_flow
from memory.audiences import Audience

ANA, BO, LIN = 1, 2, 3


def room(
    id: int, *members: int, open: bool = False, direct: bool = False, workspace: str = "w",
    complete: bool = True, outsiders: bool = False,
) -> Audience:  # fmt: skip
    return Audience(
        session_id=id, title=f"r{id}", direct=direct, open=open, workspace=workspace,
        complete=complete, outsiders=outsiders, members=frozenset(members),
    )  # fmt: skip


OPEN = room(1, ANA, BO, open=True)
OTHER_OPEN = room(2, LIN, open=True)
CLOSED = room(3, ANA, BO)
SMALLER = room(4, ANA)
WIDER = room(5, ANA, BO, LIN)
ANAS_DM = room(6, ANA, direct=True)
ANAS_OTHER_DM = room(7, ANA, direct=True, workspace="elsewhere")
BOS_DM = room(8, BO, direct=True)
LINS_DM = room(9, LIN, direct=True)
UNLISTED = room(10, ANA, complete=False)
FOREIGN = room(11, ANA, BO, open=True, workspace="elsewhere")
SHARED = room(12, ANA, BO, LIN, open=True, outsiders=True)
EMPTY = room(13)

FREE, ASK, NO = Flow.FREE, Flow.CONSENT, Flow.NEVER


@pytest.mark.parametrize(
    ("source", "target", "flow"),
    [
        (OPEN, OPEN, FREE),
        (OPEN, OTHER_OPEN, FREE),
        (OPEN, CLOSED, FREE),
        (OPEN, LINS_DM, FREE),
        (OPEN, UNLISTED, FREE),
        (OPEN, FOREIGN, NO),
        (OPEN, SHARED, NO),
        (SHARED, OTHER_OPEN, FREE),
        (CLOSED, OPEN, NO),
        (CLOSED, CLOSED, FREE),
        (CLOSED, SMALLER, FREE),
        (CLOSED, WIDER, NO),
        (CLOSED, ANAS_DM, FREE),
        (CLOSED, LINS_DM, NO),
        (CLOSED, UNLISTED, NO),
        (CLOSED, EMPTY, NO),
        (CLOSED, replace(CLOSED, session_id=99, outsiders=True), FREE),
        (UNLISTED, ANAS_DM, FREE),
        (UNLISTED, BOS_DM, NO),
        (UNLISTED, UNLISTED, FREE),
        (ANAS_DM, ANAS_DM, FREE),
        (ANAS_DM, ANAS_OTHER_DM, FREE),
        (ANAS_DM, SMALLER, FREE),
        (ANAS_DM, replace(SMALLER, open=True), ASK),
        (ANAS_DM, replace(SMALLER, complete=False), ASK),
        (ANAS_DM, CLOSED, ASK),
        (ANAS_DM, OPEN, ASK),
        (ANAS_DM, BOS_DM, ASK),
    ],
)
def test_by_default(source: Audience, target: Audience, flow: Flow) -> None:
    assert may_flow(source, target, Settings()) is flow


@pytest.mark.parametrize(
    ("target", "flow"),
    [(OPEN, FREE), (OTHER_OPEN, NO), (CLOSED, FREE), (ANAS_DM, FREE), (LINS_DM, NO)],
)
def test_with_closed_groups_open_rooms_follow_the_strict_rule(target: Audience, flow: Flow) -> None:
    assert may_flow(OPEN, target, Settings(groups_open=False)) is flow


@pytest.mark.parametrize(("dm", "flow"), [(Dm.ASK, ASK), (Dm.NEVER, NO), (Dm.ALLOW, FREE)])
def test_the_operator_decides_on_dms(dm: Dm, flow: Flow) -> None:
    assert may_flow(ANAS_DM, OPEN, Settings(dm=dm)) is flow
    assert may_flow(ANAS_DM, ANAS_OTHER_DM, Settings(dm=dm)) is FREE
