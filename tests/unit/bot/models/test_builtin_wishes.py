"""What people want from the bot beside an answer, in two languages."""

import pytest

from bot.models.builtin import intents, wording
from bot.models.builtin.intents import Intent


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Limen, listen only here please", Intent.LISTEN),
        ("Limen 这里只听就好", Intent.LISTEN),
        ("please don't answer here", Intent.LISTEN),
        ("leave us alone", Intent.LEAVE),
        ("这里不用管", Intent.LEAVE),
        ("answer every message", Intent.FOLLOW),
        ("每条消息都看一下", Intent.FOLLOW),
        ("remind me tomorrow to call Bo", Intent.REMIND),
        ("明天提醒我给波波打电话", Intent.REMIND),
        ("remind me what we decided", Intent.QUESTION),
        ("what did I promise?", Intent.MINE),
        ("我答应过什么？", Intent.MINE),
        ("what did I miss?", Intent.RECAP),
        ("the demo is on 3 April", Intent.NOTE),
    ],
)
def test_a_wish_is_understood(text: str, wish: Intent) -> None:
    assert intents.read(text, "Limen") is wish


def test_no_space_stands_between_chinese_characters() -> None:
    told = wording.text(
        "found_quote", True, who="安娜", Who="安娜", room="#arch", time="09:00", text="好 的"
    )

    assert told == "安娜在 #arch（09:00）说：“好 的”"
