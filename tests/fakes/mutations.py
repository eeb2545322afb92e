"""Payloads bent by hypothesis: real ones with parts dropped, doubled, retyped, nested or swapped.

    @given(bent(recorded))      an example is one of the recorded payloads after one to four bends

How many examples are tried is `LIMEN_FUZZ_EXAMPLES`; without it a few, always the same ones.
"""

import json
import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

T = TypeVar("T")
Way = tuple[Any, ...]

LONG = "long "  # what begins so is made long only where it is put in, which keeps reports short
TEXTS = (
    "", " ", "\0", "a\0b", "\ud83d", "a\udc00b", "\u202eevil\u2066", "👩\u200d👩\u200d👧\u200d👦",
    "e\u0301\u0301\u0301", "\x1b[31m", "\r\n\r\n", "\ufeff", "\u2028", "𝕏", "中文\0字", "null",
    "-1", "0", "1e999", "9" * 400, "NaN", "²", "١٢٣", "../../etc/passwd", "%00", "{{7*7}}", "[](",
    "<script>", "```", "|a|b|\n|-|", "<at user_id='all'>", "<!channel>", "@_all",
    "1767603600.000100", LONG + "x", LONG + "字", LONG + "\0",
)  # fmt: skip
SCALARS: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 2**31, 2**63, -(2**63), 10**30, 10**400, 1e308, float("inf"),
    float("nan"), *TEXTS,
)  # fmt: skip
DEEP = 400  # levels
SIZE = 1_000_000  # bytes in JSON; doubled by every bend it is still less than the largest frame


def example_settings(few: int) -> settings:
    """So many examples in the suite, and always the same; many and new ones on demand."""
    wanted = int(os.environ.get("LIMEN_FUZZ_EXAMPLES", "0"))
    return settings(
        max_examples=wanted or few,
        derandomize=not wanted,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def nasty_text() -> st.SearchStrategy[str]:
    """Texts of every kind that clients, systems and enemies are known to send."""
    signs = st.characters(categories=None)  # surrogates and unassigned ones among them
    made = st.sampled_from(TEXTS).map(grown)
    return st.one_of(made, st.text(signs, max_size=60), st.lists(made, max_size=5).map("".join))


def grown(value: T) -> T:
    """A text that stands for a long one at its true length; anything else as it is."""
    if isinstance(value, str) and value.startswith(LONG):
        rest = value.removeprefix(LONG)
        return rest * (SIZE // len(json.dumps(rest)))  # type: ignore[return-value]
    return value


@st.composite
def bent(draw: st.DrawFn, payloads: Sequence[Any], *, most: int = 4, whole: int = 0) -> Any:
    """One of the payloads after some bends; content that is JSON in a text is bent inside.

    So many of its outer levels stay `whole`.
    """
    made = [deepcopy(draw(st.sampled_from(payloads)))]
    for _ in range(draw(st.integers(1, most))):
        _bend(draw, made, whole)
    return made[0]


def _bend(draw: st.DrawFn, made: list[Any], whole: int = 0) -> None:
    ways = [way for way in _ways(made) if len(way) > 1 + whole]
    if not ways:
        return
    *path, key = draw(st.sampled_from(ways))
    at: Any = made
    for step in path:
        at = at[step]
    inner = _json(at[key])
    if inner is not None and draw(st.booleans()):
        inside = [inner]
        _bend(draw, inside)
        at[key] = json.dumps(inside[0])
        return
    draw(st.sampled_from(_BENDS))(draw, made, at, key)


def _drop(draw: st.DrawFn, made: list[Any], at: Any, key: Any) -> None:
    del at[key]


def _retype(draw: st.DrawFn, made: list[Any], at: Any, key: Any) -> None:
    at[key] = grown(draw(st.sampled_from(SCALARS)))


def _nest(draw: st.DrawFn, made: list[Any], at: Any, key: Any) -> None:
    nests: list[Callable[[Any], Any]] = [
        lambda old: [old], lambda old: {"id": old}, _many, lambda old: [], lambda old: {}, _deep,
    ]  # fmt: skip
    at[key] = draw(st.sampled_from(nests))(at[key])


def _double(draw: st.DrawFn, made: list[Any], at: Any, key: Any) -> None:
    if isinstance(at, list):
        at.insert(key, deepcopy(at[key]))
    else:
        at[draw(st.sampled_from(NAMES))] = deepcopy(at[key])


def _swap(draw: st.DrawFn, made: list[Any], at: Any, key: Any) -> None:
    *path, last = draw(st.sampled_from([way for way in _ways(made) if way != (0,)]))
    other: Any = made
    for step in path:
        other = other[step]
    at[key] = deepcopy(other[last])


def _splice(draw: st.DrawFn, made: list[Any], at: Any, key: Any) -> None:
    if isinstance(at[key], str):
        where = draw(st.integers(0, min(len(at[key]), 40)))
        at[key] = at[key][:where] + grown(draw(st.sampled_from(TEXTS))) + at[key][where:]
    else:
        _retype(draw, made, at, key)


_BENDS = (_drop, _retype, _nest, _double, _swap, _splice)
NAMES = (
    "type", "subtype", "message", "thread_ts", "content", "user", "text", "bot_id", "ts", "id",
    "channel", "event", "blocks", "files", "attachments", "edited", "quote", "reply_to_message",
    "from", "chat", "entities", "date", "header", "sender", "mentions", "chat_id", "elements",
)  # fmt: skip


def _many(old: Any) -> Any:
    # No platform sends frames of many megabytes: what is bent later is one of them and not all.
    return [deepcopy(old) for _ in range(50 if len(str(old)) < 1000 else 2)]


def _deep(old: Any) -> Any:
    for _ in range(DEEP):
        old = [old]
    return old


def _ways(value: Any, way: Way = ()) -> list[Way]:
    """Every place in a payload."""
    found: list[Way] = []
    pending: list[tuple[Way, Any]] = [(way, value)]
    while pending:
        here, part = pending.pop()
        items = part.items() if isinstance(part, dict) else ()
        for key, inner in enumerate(part) if isinstance(part, list) else items:
            found.append((*here, key))
            if len(here) < 40:  # below that it is one of ours that was made deep
                pending.append(((*here, key), inner))
    return found


def _json(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def holds(value: Any, word: str) -> bool:
    """Whether a text anywhere in a payload, also in JSON inside a text, holds a word."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, str) and word in part:
            return True
        pending += part.values() if isinstance(part, dict) else ()
        pending += part if isinstance(part, list) else ()
    return False
