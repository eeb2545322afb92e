"""Every statement the project runs is one that the server understands, in the words it is given."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import memory
from memory.db import queries
from memory.engine import Statement
from memory.postgres import translated
from tests.fakes import servers
from tests.fakes.servers import PACKAGES

MEMORY = Path(memory.__file__).parent
OWNERS = sorted(
    path
    for package in PACKAGES
    for path in package.rglob("*.sql")
    if path.parent.name != "schema" and path.name != "postgres.sql"
)
"""What is no migration, nor what the server itself is prepared with."""


@pytest.fixture(scope="module")
def server() -> Iterator["psycopg.Connection[Any]"]:
    url = servers.running().fresh()
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection
    servers.running().drop(url)


def numbered(sql: str) -> str:
    """A translated statement with the places of `PREPARE`: `%(name)s` becomes `$1`."""
    names: list[str] = []

    def place(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    return re.sub(r"%\((\w+)\)s", place, translated(sql)).replace("%%", "%")


def test_there_are_statements() -> None:
    assert len(OWNERS) > 30


@pytest.mark.parametrize("path", OWNERS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_server_understands_every_statement(
    path: Path, server: "psycopg.Connection[Any]"
) -> None:
    wrong = []
    for name, text in queries(str(path)).items():
        assert isinstance(text, Statement)
        try:
            server.execute(f"PREPARE tried AS {numbered(text.postgres)}".encode())
            server.execute(b"DEALLOCATE tried")
        except psycopg.Error as error:
            wrong.append(f"{name}: {error}")
    assert not wrong, "\n".join(wrong)


ROWS = 10_000
PAST = ("originals", "facts")


SAID = """
INSERT INTO originals (id, session_id, kind, author, body, version, said_at, received_at)
SELECT n, 1, 'message', 'Ana', repeat('what was said ', 9), 1, n, n
FROM generate_series(1, :rows) AS n
"""
LEARNT = """
INSERT INTO facts (id, session_id, kind, subject, body, learnt_at, key)
SELECT n, 1, 'fact', '', repeat('what was said ', 9), n, 'k' || n
FROM generate_series(1, :rows) AS n
"""
INDEXED = """
INSERT INTO :table (id, words)
SELECT n, to_tsvector('limen', concat_ws(' ', 'common', 'word' || n, :more))
FROM generate_series(1, :rows) AS n
"""


@pytest.fixture(scope="module")
def spoken(server: "psycopg.Connection[Any]") -> "psycopg.Connection[Any]":
    """A long past: a word of its own in every row, one that all share, and some of few."""
    more = ", ".join(f"'more' || n % {k}" for k in range(101, 113))
    for sql in (SAID, LEARNT, *(INDEXED.replace(":table", f"{t}_text") for t in PAST)):
        server.execute(sql.replace(":more", more).replace(":rows", str(ROWS)).encode())
    server.execute(f"ANALYZE {', '.join((*PAST, *(f'{t}_text' for t in PAST)))}".encode())
    server.execute(b"SET plan_cache_mode = force_generic_plan")
    return server


@pytest.mark.parametrize("table", PAST)
@pytest.mark.parametrize(
    ("name", "given", "found"),
    [
        ("_with", "'\"word7\"', 300", 1),
        ("_with", "'\"common\"', 300", 300),
        ("_with", "'\"nothing\"', 300", 0),
        ("", '\'"word7" OR "word8"\'', 2),
        ("", "'\"nothing\"'", 0),
    ],
)
def test_words_are_found_among_few_rows_by_a_plan_for_any_words(
    spoken: "psycopg.Connection[Any]", table: str, name: str, given: str, found: int
) -> None:
    """A server plans anew for the first few times only, and a reader lives as long as its house."""
    statement = queries(str(MEMORY / "search.py"))[f"{table}{name}"]
    assert isinstance(statement, Statement)
    spoken.execute(f"PREPARE asked AS {numbered(statement.postgres)}".encode())
    try:
        rows = [row[0] for row in spoken.execute(f"EXECUTE asked ({given})".encode())]
        explain = f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ({given})"
        ((plan,),) = spoken.execute(explain.encode()).fetchall()
    finally:
        spoken.execute(b"DEALLOCATE asked")
    assert len(rows) == found
    assert rows == sorted(rows, reverse=True)
    assert _read(plan[0]["Plan"]) < ROWS * 0.6


def _read(node: dict[str, Any]) -> int:
    """How many rows a plan took from tables, those it did not want among them."""
    below = sum(map(_read, node.get("Plans", [])))
    if "Relation Name" not in node:
        return below
    return below + int(node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
