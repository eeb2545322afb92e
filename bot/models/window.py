"""Makes a conversation fit a budget of tokens, the same way every time, least harm first.

old tool results ─► oldest rows of the longest sections ─► oldest steps ─► pictures ─► long texts
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.errors import ContextTooLong
from bot.models import images, sections
from bot.models.model import Block, Message
from bot.models.tokens import block_tokens, estimate_tokens

_RESULT_CHARS = 400  # characters; what is left of an old tool result
_TEXT_LIMITS = (4_000, 1_000, 250)  # characters; the last resort, tried in turn
_NOTE_TOKENS = 30  # tokens; what a note about left-out rows costs at most
_WHOLE = frozenset({"me", "room", "inputs", "fires", "consents", "attention"})
"""Sections that lose no rows: what the run is about and where it takes place."""
_BEST_FIRST = frozenset({"recalled", "results"})

_Change = Callable[[str, list[sections.Row]], list[sections.Row]]


def shrink(turns: list[Message], budget: int) -> list[Message]:
    """Repaired messages made to fit; they stay repaired. Raises `ContextTooLong` if they cannot."""
    steps = (_old_results, _old_rows, _old_steps, _old_pictures, _long_texts)
    for step in steps:
        if estimate_tokens(turns) <= budget:
            return turns
        turns = step(turns, budget)
    size = estimate_tokens(turns)
    if size > budget:
        raise ContextTooLong(f"the request is some {size} tokens at its least, of {budget} allowed")
    return turns


def _old_results(turns: list[Message], budget: int) -> list[Message]:
    """Shorten tool results, oldest first, except those of the last step."""
    excess = estimate_tokens(turns) - budget
    kept = list(turns)
    for index in range(2, len(turns) - 1, 2):
        if excess <= 0:
            break
        content = [_shorter_result(b, _RESULT_CHARS) for b in turns[index]["content"]]
        kept[index] = {**turns[index], "content": content}
        excess -= _tokens(turns[index]) - _tokens(kept[index])
    return kept


def _old_rows(turns: list[Message], budget: int) -> list[Message]:
    """Cut rows of the first turn's sections, from the old end of whichever is longest."""
    first, *rest = turns
    places = [i for i, block in enumerate(first["content"]) if block["type"] == "text"]
    texts = [first["content"][i]["text"] for i in places]
    cut = without_old_rows(texts, estimate_tokens(turns) - budget)
    content = list(first["content"])
    for place, text in zip(places, cut, strict=True):
        content[place] = {**content[place], "text": text}
    return [{**first, "content": content}, *rest]


def _old_steps(turns: list[Message], budget: int) -> list[Message]:
    """Leave out whole steps, oldest first, except the last; what people said in them stays."""
    first, *rest = turns
    excess = estimate_tokens(turns) - budget + _NOTE_TOKENS
    said: list[Block] = []
    dropped = 0
    while excess > 0 and len(rest) > 2:
        answer, results, *rest = rest
        words = [block for block in results["content"] if block["type"] != "tool_result"]
        said += words
        excess -= _tokens(answer) + _tokens(results) - sum(map(block_tokens, words))
        dropped += 1
    if not dropped:
        return turns
    note = {"type": "text", "text": f"({dropped} earlier steps were left out to fit the window.)"}
    return [{**first, "content": [*first["content"], *said, note]}, *rest]


def _old_pictures(turns: list[Message], budget: int) -> list[Message]:
    """Leave out pictures, oldest first."""
    return images.fewer(turns, estimate_tokens(turns) - budget)


def _long_texts(turns: list[Message], budget: int) -> list[Message]:
    """Shorten every long text that came from outside, the newest too."""
    kept = turns
    for limit in _TEXT_LIMITS:
        kept = [_shorter_turn(turn, limit) for turn in turns]
        if estimate_tokens(kept) <= budget:
            break
    return kept


def _shorter_turn(turn: Message, limit: int) -> Message:
    if turn["role"] != "user":
        return turn
    return {**turn, "content": [_shorter_block(block, limit) for block in turn["content"]]}


def _shorter_block(block: Block, limit: int) -> Block:
    if block["type"] != "text":
        return _shorter_result(block, limit)
    text = _rewritten(block["text"], lambda _, rows: [_shorter_value(row, limit) for row in rows])
    if text == block["text"] and not _sections(text):
        text = _head(text, limit)
    return {**block, "text": text}


def _shorter_value(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        return _head(value, limit)
    if isinstance(value, list):
        return [_shorter_value(part, limit) for part in value]
    if isinstance(value, dict):
        return {key: _shorter_value(part, limit) for key, part in value.items()}
    return value


def _shorter_result(block: Block, limit: int) -> Block:
    if block["type"] != "tool_result":
        return block
    content = block["content"]
    text = content if isinstance(content, str) else "\n".join(p.get("text", "") for p in content)
    if len(text) <= limit and isinstance(content, str):
        return block
    excess = estimate_tokens(text) - estimate_tokens(text[:limit])
    [shorter] = without_old_rows([text], excess, whole=frozenset())
    return {**block, "content": shorter if _sections(text) else _head(text, limit)}


def _head(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]} […{len(text) - limit} characters left out…]"


def _tokens(turn: Message) -> int:
    return estimate_tokens([turn])


@dataclass(slots=True)
class _Section:
    """The rows of one section, and how many of them are to go."""

    name: str
    costs: list[int]
    cut: int = 0
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = sum(self.costs)
        if self.name in _BEST_FIRST:
            self.costs.reverse()

    def drop_one(self) -> int:
        """Mark the oldest row that is left, and say how many tokens that gains."""
        cost = self.costs[self.cut]
        gain = cost if self.cut else cost - _NOTE_TOKENS
        self.left -= cost
        self.cut += 1
        return gain

    def kept(self, rows: list[sections.Row]) -> list[sections.Row]:
        return rows[: len(rows) - self.cut] if self.name in _BEST_FIRST else rows[self.cut :]


def without_old_rows(
    texts: Sequence[str], excess: int, *, whole: frozenset[str] = _WHOLE
) -> list[str]:
    """The texts without the rows it takes to save `excess` tokens, with a note of each cut."""
    found = [
        {
            name: _Section(name, list(map(_row_tokens, rows)))
            for name, rows in _sections(text).items()
        }
        for text in texts
    ]
    cuttable = [s for by_name in found for s in by_name.values() if s.name not in whole and s.left]
    while excess > 0 and cuttable:
        longest = max(cuttable, key=lambda section: section.left)
        excess -= longest.drop_one()
        cuttable = [section for section in cuttable if section.left]
    return [_rewritten(text, _keeper(by_name)) for text, by_name in zip(texts, found, strict=True)]


def _keeper(by_name: dict[str, _Section]) -> _Change:
    return lambda name, rows: by_name[name].kept(rows)


def _row_tokens(row: sections.Row) -> int:
    return estimate_tokens(sections.render("x", [row])) - estimate_tokens(sections.render("x", []))


def _rewritten(text: str, change: _Change) -> str:
    for name, rows in _sections(text).items():
        before, after = sections.render(name, rows), change(name, rows)
        gone = len(rows) - len(after)
        note = f"\n({gone} older rows of {name} were left out to fit the window.)" if gone else ""
        text = text.replace(before, sections.render(name, after) + note)
    return text


def _sections(text: str) -> dict[str, list[sections.Row]]:
    try:
        return sections.parse(text)
    except ValueError:
        return {}  # something from outside that only looks like a section
