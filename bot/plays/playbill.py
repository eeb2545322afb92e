"""How a played story is printed: the transcript, the why-chains, the verdicts; in columns."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.plays.chronicle import Doing, Spoken, Voice
from bot.plays.perform import Performance
from bot.plays.story import DIRECT, Act, Beat, Story
from bot.plays.verdicts import Verdict
from bot.rows import Row

_DIM, _BOLD, _GREEN, _RED, _END = "\x1b[2m", "\x1b[1m", "\x1b[32m", "\x1b[31m", "\x1b[0m"
_FIRM = "\u00a0"  # a space at which no line is cut
_CLOSING = "，。；：！？、）》”"  # signs that must not begin a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The terminal it is printed on."""

    width: int = 100
    colour: bool = False


class Playbill:
    """Lines to print for one story."""

    def __init__(self, story: Story, performance: Performance, bot_name: str, look: Look) -> None:
        self._story = story
        self._performance = performance
        self._bot = bot_name
        self._look = look
        self._rooms = {id: room for room, id in performance.rooms.items()} | {
            f"dm-{id}": DIRECT + person for person, id in performance.people.items()
        }
        titles = [self._title(room) for room in self._rooms.values()]
        self._column = max(_wide(title) for title in titles) + 2
        self._minute = ""

    def opening(self) -> Iterator[str]:
        """Title, what it is about, day and place."""
        yield self._in(_BOLD, f"━━ {self._story.title}") + self._in(_DIM, f"  {self._story.id}")
        yield from (f"   {line}" for line in _wrapped(self._story.about, self._look.width - 3))
        where = f"{self._story.start:%A} {self._story.start.day} {self._story.start:%B %Y}"
        yield self._in(_DIM, f"   {where}, {self._story.zone.key}")
        yield ""

    def beat(self, beat: Beat, at: datetime) -> Iterator[str]:
        """What a person did."""
        if beat.act is Act.WAIT:
            return
        name = self._story.name_of(beat.who)
        match beat.act:
            case Act.SAY:
                words = f"{name}: {beat.text}"
            case Act.EDIT:
                words = f"{name} changes it to: {beat.text}"
            case Act.RECALL:
                words = f"{name} takes a message back"
            case _:
                words = f"{name} presses {'Yes' if beat.yes else 'No'}"
                if beat in self._performance.unpressed:
                    words = f"{name} finds no question to answer"
        yield from self._row(at, beat.room, words)

    def news(self, one: Spoken | Doing) -> Iterator[str]:
        """What the bot said or did."""
        if isinstance(one, Spoken):
            room = self._rooms.get(one.room, one.room)
            yield from self._row(one.at, room, f"{self._bot}: {one.text}", _BOLD)
            if one.voice is Voice.QUESTION:
                yield self._in(_DIM, " " * (7 + self._column) + "[ Yes ] [ No ]")
        else:
            indent = " " * (7 + self._column)
            for n, line in enumerate(_wrapped(one.text, self._look.width - len(indent) - 2)):
                yield self._in(_DIM, f"{indent}{'· ' if n == 0 else '  '}{line}")

    def why(self, spoken: Sequence[Spoken]) -> Iterator[str]:
        """The why-chain of each unasked message."""
        for one in (s for s in spoken if s.voice is Voice.UNASKED):
            title = self._title(self._rooms.get(one.room, one.room))
            yield ""
            yield self._in(_BOLD, f"Why {self._bot} said this in {title}, {self._clock(one.at)}")
            for row in one.chain:
                yield from self._link(row)

    def verdicts(self, found: Sequence[Verdict]) -> Iterator[str]:
        """Each expectation, then the sum."""
        yield ""
        for one in found:
            sign = self._in(_GREEN, "✓") if one.met else self._in(_RED, "✗")
            for n, line in enumerate(_wrapped(one.text, self._look.width - 4)):
                yield f"{sign if n == 0 else ' '} {line}"
            if not one.met and one.seen:
                for line in _wrapped(one.seen, self._look.width - 6):
                    yield self._in(_RED, f"    {line}")
        yield ""

    def _row(self, at: datetime, room: str, words: str, style: str = "") -> Iterator[str]:
        minute = self._clock(at)
        shown = minute if minute != self._minute else ""
        self._minute = minute
        title = _padded(self._title(room), self._column)
        head = f"{shown:<7}{title}"
        name, colon, _ = words.partition(": ")
        for n, line in enumerate(_wrapped(words, self._look.width - 7 - self._column)):
            if n == 0 and colon and line.startswith(name + colon):
                line = self._in(_BOLD, name + ":") + " " + self._in(style, line[len(name) + 2 :])
            else:
                line = self._in(style, line)
            yield (self._in(_DIM, head) if n == 0 else " " * (7 + self._column)) + line

    def _link(self, row: Row) -> Iterator[str]:
        step = row["step"]
        at = self._clock(datetime.fromisoformat(row["at"]))
        if step == "fire":
            return
        text = " ".join(str(row["text"]).split())
        if step == "original" and "from" in row:
            direct = row["room"] == row["from"]
            text = f"{'DM' if direct else row['room']}, {row['from']}: “{text}”"
        elif step == "handoff":
            marks = (f"{one['gate']} {'✓' if one['passed'] else '✗'}" for one in row["gates"])
            # A mark stays on the line of its gate.
            gates = "  ".join(mark.replace(" ", _FIRM) for mark in marks)
            text = f"{text}\n{gates}"
        elif step == "delivery":
            text = f"{row['room']}, {row['state']}"
        lines = [
            line for part in text.split("\n") for line in _wrapped(part, self._look.width - 23)
        ]
        for n, line in enumerate(lines):
            head = f"  {at}  {row['step']:<11}  " if n == 0 else " " * 22
            yield self._in(_DIM, head) + line

    def _title(self, room: str) -> str:
        return self._story.title_of(room)

    def _clock(self, at: datetime) -> str:
        return f"{at.astimezone(self._story.zone):%H:%M}"

    def _in(self, style: str, text: str) -> str:
        return f"{style}{text}{_END}" if self._look.colour and style and text else text


def _wide(text: str) -> int:
    """Columns a text takes; Chinese signs take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _padded(text: str, columns: int) -> str:
    return text + " " * max(0, columns - _wide(text))


def _wrapped(text: str, columns: int) -> list[str]:
    """Lines that fit: cut at spaces, and anywhere between Chinese signs."""
    return [line for part in text.split("\n") for line in _filled(part, max(columns, 20))]


def _filled(text: str, columns: int) -> Iterator[str]:
    line = ""
    for piece in _pieces(text):
        if line and _wide(line) + _wide(piece.rstrip()) > columns and piece[0] not in _CLOSING:
            yield line.rstrip()
            line = ""
        line += piece if line or not piece.isspace() else ""
    if line.strip():
        yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """Words with the space behind them; a Chinese sign is a piece of its own."""
    word = ""
    for sign in text:
        alone = unicodedata.east_asian_width(sign) in "WF"
        if alone and word:
            yield word
            word = ""
        word += sign
        if alone or sign == " ":
            yield word
            word = ""
    if word:
        yield word
