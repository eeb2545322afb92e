"""Ids as models and people see them: a letter for the kind, then the number."""

import re

from bot.errors import ToolError


def read(id: str, letter: str) -> int:
    """The number of an id such as `o12`; ToolError when it is no id of that kind."""
    match = re.fullmatch(rf"\s*{letter}?(\d{{1,18}})\s*", id)
    if match is None:
        raise ToolError(f"{id!r} is no id like '{letter}12'")
    return int(match.group(1))
