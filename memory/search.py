"""Full-text search over originals and facts, English and Chinese, filtered by who asks."""

from collections.abc import Callable

from memory.db import Reader, queries
from memory.facts import Fact
from memory.originals import Original
from memory.words import query

SQL = queries(__file__)

Visible = Callable[[int], bool]
"""Whether what was said in a session may be shown to the asker."""


def originals(
    reader: Reader,
    text: str,
    *,
    visible: Visible,
    limit: int,
    after: int = 0,
    exclude: frozenset[int] = frozenset(),
    words: int = 24,
) -> list[Original]:
    """The originals that share the most telling words with a text, best first.

    `after` looks only at ids above it: a bound on the cost in a long history. `words` is how many
    words of the text are looked for.
    """
    match = query(text, limit=words)
    if not match:
        return []
    found = []
    for row in reader.each(SQL["originals"], match=match, after=after):
        if row["id"] not in exclude and visible(row["session_id"]):
            found.append(Original.from_row(row))
            if len(found) == limit:
                break
    return found


def facts(reader: Reader, text: str, *, visible: Visible, limit: int) -> list[Fact]:
    """The standing facts that share the most telling words with a text, best first."""
    match = query(text)
    if not match:
        return []
    found = []
    for row in reader.each(SQL["facts"], match=match):
        if visible(row["session_id"]):
            found.append(Fact.from_row(row))
            if len(found) == limit:
                break
    return found
