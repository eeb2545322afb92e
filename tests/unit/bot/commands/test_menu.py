"""The menu offers commands that there are."""

import re

import pytest

from bot.commands.menu import MENU, Line
from bot.commands.parse import Command, parse


@pytest.mark.parametrize("line", MENU, ids=[line.name for line in MENU])
def test_every_line_is_a_command_in_two_languages(line: Line) -> None:
    found = parse(f"/{line.name}", bot_name="Limen", addressed=True)
    assert isinstance(found, Command)
    assert re.fullmatch("[a-z]{1,32}", line.name)
    assert line.en.isascii()
    assert re.search("[\u4e00-\u9fff]", line.zh)
