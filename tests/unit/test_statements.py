"""Every statement the project runs is one that the server understands, in the words it is given."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory.db import queries
from memory.engine import Statement
from memory.postgres import translated
from tests.fakes import servers
from tests.fakes.servers import PACKAGES

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
