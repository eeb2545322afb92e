"""What one viewer of the console may see inside one snapshot."""

import re

from agency.audience import Settings
from agency.handoffs import Handoff
from agency.knowing import Knowing, Knows, may_read
from bot.rows import Rooms, Row
from memory import people
from memory.db import Reader

PLATFORM = "web"  # viewers are people of the web chat
TENANT = "local"
MOST = 200  # rows a page is given at most
LONGEST = 2000  # signs of a text in a list


class Sight:
    """The eyes of one viewer; None is the operator, who sees everything."""

    def __init__(
        self, reader: Reader, viewer: str | None, settings: Settings, *, workspace: str
    ) -> None:
        self.reader = reader
        self.rooms = Rooms(reader)
        self.knows: Knows | None = None
        if viewer is not None:
            person = people.of_account(reader, PLATFORM, TENANT, viewer)
            self.knows = Knowing(reader, person, settings, workspace=workspace)

    @property
    def everything(self) -> bool:
        """Whether nothing is hidden."""
        return self.knows is None

    def sees(self, session: int | None) -> bool:
        """Whether the words of a session may be shown; of none, only to the operator."""
        return self.knows is None or (session is not None and self.knows(session))

    def reads(self, handoff: Handoff) -> bool:
        """Whether the words of a handoff may be shown."""
        return may_read(self.reader, handoff, self.knows)


def hidden(row: Row) -> Row:
    """A row of which only the outline may be shown."""
    return row | {"text": "", "private": True}


def cut(text: str, limit: int = LONGEST) -> str:
    """A text short enough for a list."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def number(id: str | None, letter: str) -> int | None:
    """The number of an id such as `f12`; for anything else one that no row has or follows."""
    if id is None:
        return None
    match = re.fullmatch(rf"{letter}(\d{{1,18}})", id, re.ASCII)
    return int(match[1]) if match else -1
