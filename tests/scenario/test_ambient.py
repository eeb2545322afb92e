"""Five days under several set-ups: what is worth an interruption interrupts, the rest can wait."""

import pytest

from bot.plays import ambient
from tests.conftest import MakeConfig


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_with_everything_on_all_is_heard_and_one_thing_interrupts(
    make_config: MakeConfig, language: str
) -> None:
    lines: list[str] = []

    [tally] = await ambient.compare(
        language, make_config(), print_line=lines.append, names=("all on",), show=True
    )

    told = "\n".join(lines)
    assert (tally.heard, tally.unasked, tally.worth) == (3, 1, 1), told
    assert tally.digests, told


async def test_asking_by_hand_costs_a_question_a_day_and_interrupts_nobody(
    make_config: MakeConfig,
) -> None:
    [tally] = await ambient.compare(
        "en", make_config(), print_line=lambda line: None, names=("by hand",)
    )

    assert (tally.asked, tally.unasked) == (ambient.DAYS, 0)
