"""No table can be forgotten: each column that can hold text says what becomes of it."""

import pytest

from bot.privacy.shelves import SAID, SHELVES
from bot.privacy.tables import FATES, Fate
from memory.db import Reader
from tests.fakes.town import Town

NUMBERS = ("INTEGER", "REAL")


def textual(reader: Reader) -> dict[str, set[str]]:
    """Every table, and its columns that can hold text."""
    tables = reader.all("SELECT name FROM sqlite_master WHERE type = 'table'")
    found = {}
    for name in (row["name"] for row in tables):
        columns = reader.all(f"PRAGMA table_info({name})")
        texts = {row["name"] for row in columns if row["type"].upper() not in NUMBERS}
        if texts:
            found[name] = texts
    return found


def test_every_column_that_can_hold_text_has_a_fate() -> None:
    schema = textual(Town().tx)
    missing = {
        f"{table}.{column}"
        for table, columns in schema.items()
        for column in columns - set(FATES.get(table, {}))
    }
    assert not missing, (
        f"say in bot/privacy/tables.py what becomes of {sorted(missing)} when somebody is erased, "
        "and see that it does"
    )


def test_fates_are_given_to_columns_that_exist() -> None:
    schema = textual(Town().tx)
    gone = {
        f"{table}.{column}"
        for table, columns in FATES.items()
        for column in set(columns) - schema.get(table, set())
    }
    assert not gone, f"take out of bot/privacy/tables.py: {sorted(gone)}"


def test_every_fate_is_used() -> None:
    assert {fate for columns in FATES.values() for fate in columns.values()} == set(Fate)
    assert SAID not in SHELVES


@pytest.mark.parametrize("name", sorted(SHELVES))
def test_a_shelf_reads_and_blanks_where_there_is_nothing(town: Town, name: str) -> None:
    shelf = SHELVES[name]
    assert list(shelf.words(town.tx)) == []
    assert shelf.blank(town.tx, [1, 2], now_us=town.us) == 0
