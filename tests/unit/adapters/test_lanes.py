"""Turns in lanes."""

import asyncio

from adapters.lanes import Lanes


async def test_a_lane_keeps_its_order_and_lanes_do_not_wait_for_each_other() -> None:
    lanes, gate, done = Lanes(), asyncio.Event(), list[str]()

    async def drive(lane: str, name: str) -> None:
        async with lanes.turn(lane):
            if lane == "slow":
                await gate.wait()
            done.append(name)

    async with asyncio.TaskGroup() as tasks:
        for number in range(3):
            tasks.create_task(drive("slow", f"slow {number}"))
        await asyncio.create_task(drive("free", "free"))
        assert done == ["free"]
        gate.set()
    assert done == ["free", "slow 0", "slow 1", "slow 2"]


async def test_a_turn_that_fails_lets_the_next_one_go_and_nothing_is_kept() -> None:
    lanes = Lanes()
    for _ in range(2):
        try:
            async with lanes.turn("a"):
                raise ValueError
        except ValueError:
            pass
    assert lanes._lanes == {}
