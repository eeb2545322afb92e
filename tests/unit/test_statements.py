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


@pytest.fixture(scope="module")
def spoken(server: "psycopg.Connection[Any]") -> "psycopg.Connection[Any]":
    """A long past: a word of its own in every row, and one that all share."""
    filling = ", ".join(f"'more' || n % {k}" for k in range(101, 113))
    for table in ("originals_text", "facts_text"):
        server.execute(
            f"INSERT INTO {table} (id, words) SELECT n, to_tsvector('limen', concat_ws(' ', "  # noqa: S608
            f"'common', 'word' || n, {filling})) FROM generate_series(1, {ROWS}) AS n".encode()
        )
        server.execute(f"ANALYZE {table}".encode())
    return server


@pytest.mark.parametrize("name", ["originals_with", "facts_with"])
@pytest.mark.parametrize(("term", "found"), [("word7", 1), ("common", 300), ("nothing", 0)])
def test_recall_reads_few_rows_by_a_plan_for_any_word(
    spoken: "psycopg.Connection[Any]", name: str, term: str, found: int
) -> None:
    """A server plans anew for the first few times only, and a reader lives as long as its house."""
    statement = queries(str(MEMORY / "search.py"))[name]
    assert isinstance(statement, Statement)
    spoken.execute(b"SET plan_cache_mode = force_generic_plan")
    spoken.execute(f"PREPARE recalled AS {numbered(statement.postgres)}".encode())
    try:
        call = f"EXECUTE recalled ('\"{term}\"', 300)"
        rows = spoken.execute(call.encode()).fetchall()
        assert [row[0] for row in rows] == sorted((row[0] for row in rows), reverse=True)
        assert len(rows) == found
        ((plan,),) = spoken.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {call}".encode()).fetchall()
    finally:
        spoken.execute(b"DEALLOCATE recalled")
    assert _read(plan[0]["Plan"]) < ROWS * 0.6


def _read(node: dict[str, Any]) -> int:
    """How many rows a plan took from tables, those it did not want among them."""
    below = sum(map(_read, node.get("Plans", [])))
    if "Relation Name" not in node:
        return below
    return below + int(node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
