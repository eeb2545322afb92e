"""Full-text search over originals and facts, English and Chinese, filtered by who asks.

search: every match is ranked; the cost grows with the history, and nothing is overlooked
recall: before every run; of each word only the newest matches count, and the cost stays the same
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from math import log

from memory.db import Reader, Row, queries
from memory.engine import Statement
from memory.erasing import listed
from memory.facts import Fact
from memory.originals import Original
from memory.words import query, terms

SQL = queries(__file__)

Visible = Callable[[int], bool]
"""Whether what was said in a session may be shown to the asker."""

LookUp = Callable[[Iterable[int]], None]
"""Told of several sessions before `visible` is asked of each: what it needs may be read at once."""

NEWEST = 300  # matches of one word that recall looks at; a word with more tells little
RECALLED = 400  # candidates recall looks at before giving up on finding enough visible ones
AT_ONCE = 20  # candidates read in one statement; mostly the first few are enough


def originals(
    reader: Reader,
    text: str,
    *,
    visible: Visible,
    limit: int,
    exclude: frozenset[int] = frozenset(),
    words: int = 24,
    look_up: LookUp | None = None,
) -> list[Original]:
    """The originals that share the most telling words with a text, best first.

    `words` is how many words of the text are looked for.
    """
    match = query(text, limit=words)
    if not match:
        return []
    found = reader.each(SQL["originals"], match=match)
    ranked = _seen(found, visible, limit, exclude, look_up=look_up)
    return [Original.from_row(row) for row in _whole(reader, ranked, SQL["original"])]


def facts(
    reader: Reader, text: str, *, visible: Visible, limit: int, look_up: LookUp | None = None
) -> list[Fact]:
    """The standing facts that share the most telling words with a text, best first."""
    match = query(text)
    if not match:
        return []
    ranked = _seen(reader.each(SQL["facts"], match=match), visible, limit, look_up=look_up)
    return [Fact.from_row(row) for row in _whole(reader, ranked, SQL["fact"])]


def recall_originals(
    reader: Reader,
    text: str,
    *,
    visible: Visible,
    limit: int,
    exclude: frozenset[int] = frozenset(),
    look_up: LookUp | None = None,
) -> list[Original]:
    """Like `originals`, at a cost that does not grow: a rare word finds what is old, too."""
    found = _candidates(reader, text, SQL["originals_with"], SQL["some_originals"])
    seen = _seen(found, visible, limit, exclude, look_up=look_up)
    return [Original.from_row(row) for row in seen]


def recall_facts(
    reader: Reader, text: str, *, visible: Visible, limit: int, look_up: LookUp | None = None
) -> list[Fact]:
    """Like `facts`, at a cost that does not grow: a rare word finds what is old, too."""
    found = _candidates(reader, text, SQL["facts_with"], SQL["some_facts"])
    return [Fact.from_row(row) for row in _seen(found, visible, limit, look_up=look_up)]


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
    rows: Iterator[Row],
    visible: Visible,
    limit: int,
    exclude: frozenset[int] = frozenset(),
    *,
    look_up: LookUp | None = None,
) -> Iterator[Row]:
    left = limit
    while left and (some := list(islice(rows, max(limit, AT_ONCE)))):
        wanted = [row for row in some if row["id"] not in exclude]
        if look_up is not None:
            look_up(row["session_id"] for row in wanted)
        for row in wanted:
            if left and visible(row["session_id"]):
                left -= 1
                yield row


def _whole(reader: Reader, ranked: Iterator[Row], by_id: str) -> Iterator[Row]:
    """The rows with all they hold: sorting those of a whole history by rank costs twice as much."""
    for row in ranked:
        if whole := reader.one(by_id, id=row["id"]):
            yield whole


def _candidates(reader: Reader, text: str, having: str, by_ids: str) -> Iterator[Row]:
    """What shares words with a text, by the sum of what each shared word tells."""
    # SQLite's own rank counts every match there ever was: milliseconds for each common word.
    hits = _having(reader, having, terms(text))
    newest = max((ids[0] for ids in hits.values() if ids), default=0)
    weights: dict[int, float] = defaultdict(float)
    for ids in hits.values():
        if ids:
            telling = log(1 + newest / _frequency(ids, newest))
            for id in ids:
                weights[id] += telling
    best = sorted(weights, key=lambda id: (-weights[id], -id))[:RECALLED]
    for start in range(0, len(best), AT_ONCE):
        some = best[start : start + AT_ONCE]
        rows = {row["id"]: row for row in reader.all(by_ids, ids=listed(some))}
        yield from (rows[id] for id in some if id in rows)


def _having(reader: Reader, having: str, wanted: Iterable[str]) -> dict[str, list[int]]:
    """The newest matches of each term, newest first, asked for in one statement."""
    params = {f"term{n}": term for n, term in enumerate(wanted)}
    hits: dict[str, list[int]] = {term: [] for term in params.values()}
    if params:
        for row in reader.all(_joined(having, len(params)), **params, limit=NEWEST):
            hits[params[f"term{row['n']}"]].append(row["id"])
    return {term: sorted(ids, reverse=True) for term, ids in hits.items()}


@cache
def _joined(having: str, number: int) -> Statement:
    """A statement about one term, for several at once."""

    def joined(text: str) -> str:
        parts = (
            f"SELECT {n} AS n, hits{n}.id FROM ({text.replace(':term', f':term{n}')}) AS hits{n}"  # noqa: S608
            for n in range(number)
        )
        return "\nUNION ALL\n".join(parts)

    postgres = having.postgres if isinstance(having, Statement) else having
    return Statement(joined(having), joined(postgres))


def _frequency(ids: list[int], newest: int) -> float:
    """How many have the word: all that were found, or as many as their density tells."""
    if len(ids) < NEWEST:
        return len(ids)
    return len(ids) * newest / (newest - ids[-1] + 1)
