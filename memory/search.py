"""Full-text search over originals and facts, English and Chinese, filtered by who asks.

search: every match is ranked; the cost grows with the history, and nothing is overlooked
recall: before every run; of each word only the newest matches count, and the cost stays the same
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from math import log

from memory.db import Reader, Row, queries
from memory.erasing import listed
from memory.facts import Fact
from memory.originals import Original
from memory.words import query, terms

SQL = queries(__file__)

Visible = Callable[[int], bool]
"""Whether what was said in a session may be shown to the asker."""

NEWEST = 300  # matches of one word that recall looks at; a word with more tells little
RECALLED = 400  # candidates recall looks at before giving up on finding enough visible ones


def originals(
    reader: Reader,
    text: str,
    *,
    visible: Visible,
    limit: int,
    exclude: frozenset[int] = frozenset(),
    words: int = 24,
) -> list[Original]:
    """The originals that share the most telling words with a text, best first.

    `words` is how many words of the text are looked for.
    """
    match = query(text, limit=words)
    if not match:
        return []
    ranked = _seen(reader.each(SQL["originals"], match=match), visible, limit, exclude)
    return [Original.from_row(row) for row in _whole(reader, ranked, SQL["original"])]


def facts(reader: Reader, text: str, *, visible: Visible, limit: int) -> list[Fact]:
    """The standing facts that share the most telling words with a text, best first."""
    match = query(text)
    if not match:
        return []
    ranked = _seen(reader.each(SQL["facts"], match=match), visible, limit)
    return [Fact.from_row(row) for row in _whole(reader, ranked, SQL["fact"])]


def recall_originals(
    reader: Reader,
    text: str,
    *,
    visible: Visible,
    limit: int,
    exclude: frozenset[int] = frozenset(),
) -> list[Original]:
    """Like `originals`, at a cost that does not grow: a rare word finds what is old, too."""
    found = _candidates(reader, text, SQL["originals_with"], SQL["original"])
    return [Original.from_row(row) for row in _seen(found, visible, limit, exclude)]


def recall_facts(reader: Reader, text: str, *, visible: Visible, limit: int) -> list[Fact]:
    """Like `facts`, at a cost that does not grow: a rare word finds what is old, too."""
    found = _candidates(reader, text, SQL["facts_with"], SQL["fact"])
    return [Fact.from_row(row) for row in _seen(found, visible, limit)]


def said_by_others(
    reader: Reader, phrase: str, *, people: Iterable[int], sessions: Iterable[int]
) -> bool:
    """Whether anybody beside some people said these prepared words, outside of some sessions."""
    found = reader.one(
        SQL["said_by_others"],
        match=f'"{phrase}"',
        people=listed(people),
        sessions=listed(sessions),
    )
    return found is not None


def _seen(
    rows: Iterator[Row], visible: Visible, limit: int, exclude: frozenset[int] = frozenset()
) -> Iterator[Row]:
    left = limit
    for row in rows:
        if left and row["id"] not in exclude and visible(row["session_id"]):
            left -= 1
            yield row
        if not left:
            return


def _whole(reader: Reader, ranked: Iterator[Row], by_id: str) -> Iterator[Row]:
    """The rows with all they hold: sorting those of a whole history by rank costs twice as much."""
    for row in ranked:
        if whole := reader.one(by_id, id=row["id"]):
            yield whole


def _candidates(reader: Reader, text: str, having: str, by_id: str) -> Iterator[Row]:
    """What shares words with a text, by the sum of what each shared word tells."""
    # SQLite's own rank counts every match there ever was: milliseconds for each common word.
    hits = {term: _with(reader, having, term) for term in terms(text)}
    newest = max((ids[0] for ids in hits.values() if ids), default=0)
    weights: dict[int, float] = defaultdict(float)
    for ids in hits.values():
        if ids:
            telling = log(1 + newest / _frequency(ids, newest))
            for id in ids:
                weights[id] += telling
    best = sorted(weights, key=lambda id: (-weights[id], -id))[:RECALLED]
    for id in best:
        if row := reader.one(by_id, id=id):
            yield row


def _with(reader: Reader, having: str, term: str) -> list[int]:
    return [row["id"] for row in reader.all(having, term=term, limit=NEWEST)]


def _frequency(ids: list[int], newest: int) -> float:
    """How many have the word: all that were found, or as many as their density tells."""
    if len(ids) < NEWEST:
        return len(ids)
    return len(ids) * newest / (newest - ids[-1] + 1)
