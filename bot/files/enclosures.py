"""The files of messages as a model is told of them: rows within a budget, and pictures to look at.

A picture is named in the blocks and not held in them, so that nothing that is stored carries it;
`sight` puts it in when the model is asked.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from bot import rows
from bot.files.found import Why
from bot.models.model import Block
from memory import files, words
from memory.db import Reader
from memory.files import File, State

Row = dict[str, Any]

INPUT = 30_000  # signs of a file that is asked about
PASSING = 2_000  # signs of a file in the history, or found elsewhere
WHOLE = 60_000  # signs of all files one context tells of
MOST_PICTURES = 20  # in one request; with more the API wants them smaller
_LEAST = 200  # signs; less of a file tells nothing
_NAME = 120  # signs of a file's name
_AGAIN = "told of in inputs"
_UNSEEN = "a picture; you are not shown it here"


class Enclosures:
    """Tells of files inside one snapshot; what is asked first gets most of the budget."""

    def __init__(
        self, reader: Reader, *, words: str = "", pictures: Sequence[File] = (), whole: int = WHOLE
    ) -> None:
        self._reader = reader
        self._words = words
        self._shown = {one.id for one in pictures}
        self._left = whole
        self._told: set[int] = set()
        self._known: dict[int, list[File]] = {}

    def of(self, original: int, *, each: int = PASSING) -> Row:
        """The `files` of a message; nothing for one without. A second time they are only named."""
        self.look_up([original])
        found = self._known[original]
        if not found:
            return {}
        again = original in self._told
        self._told.add(original)
        return {"files": [self._row(one, each, again=again) for one in found]}

    def look_up(self, originals: Iterable[int]) -> None:
        """Ask for the files of many messages at once: one by one it is a question for each."""
        new = [id for id in originals if id not in self._known]
        if new:
            self._known |= files.of_originals(self._reader, new)

    def with_files(self, told: Iterable[Row], *, each: int = PASSING) -> list[Row]:
        """Rows of messages in the order of time, the newest of them served first."""
        newest_first = [(int(row["id"][1:]), row) for row in [*told][::-1]]
        self.look_up(id for id, _ in newest_first)
        return [row | self.of(id, each=each) for id, row in newest_first][::-1]

    def _row(self, file: File, each: int, *, again: bool) -> Row:
        row: Row = {"name": rows.name(file.name, _NAME), "mime": rows.name(file.mime)}
        notes = [_AGAIN] if again else []
        if file.picture:
            shown = file.id in self._shown
            row["picture"] = label(file) if shown else ""
            notes += [] if shown else [_UNSEEN]
        elif file.text and not again:
            row |= self._text(file, each)
        if file.state is State.WAITING:
            notes.append(f"{Why.WAITING}: not here yet; ask again in a moment")
        notes += filter(None, (file.note, row.pop("left out", "")))
        return row | ({"note": "; ".join(notes)} if notes else {})

    def _text(self, file: File, each: int) -> Row:
        limit = min(each, self._left)
        if limit < _LEAST and limit < len(file.text):
            return {"left out": "its text is left out here; search_memory shows passages of it"}
        text = passage(file.text, self._words, limit)
        self._left -= len(text)
        if len(text) >= len(file.text):
            return {"text": text}
        part = f"{len(text):,} of {len(file.text):,} signs; search_memory shows other passages"
        return {"text": text, "left out": part}


def passage(text: str, question: str, limit: int) -> str:
    """The part of a text that a question is most likely about; its beginning when none is."""
    if len(text) <= limit:
        return text
    asked = [term.strip('"* ').lower() for term in words.terms(question)]
    low, step = text.lower(), max(1, limit // 2)
    starts = range(0, len(text) - step, step)
    best = max(starts, key=lambda start: sum(term in low[start : start + limit] for term in asked))
    if not best or not asked:
        return text[: limit - 1] + "…"
    begin = text.rfind("\n", best - step // 2, best) + 1 or best
    return f"…{text[begin : begin + limit - 2]}…"


def pictures(reader: Reader, originals: Iterable[int]) -> list[File]:
    """The pictures of messages in the order given, the newest ones where they are too many."""
    found = files.of_originals(reader, dict.fromkeys(originals))
    return [one for several in found.values() for one in several if one.picture][-MOST_PICTURES:]


def label(picture: File) -> str:
    """What a picture is called in rows and above it; its own name could say anything."""
    return f"picture {picture.id}"


def blocks(pictures: Sequence[File]) -> list[Block]:
    """The blocks in which pictures are shown, under the labels the rows give them."""
    return [
        block
        for one in pictures
        for block in (
            {"type": "text", "text": f"{label(one)}:"},
            {"type": "image", "source": {"type": "kept", "name": one.picture}},
        )
    ]
