"""Fixtures of unit tests: a team in a database."""

from collections.abc import Iterator

import pytest

from tests.fakes.town import Town


@pytest.fixture
def town() -> Iterator[Town]:
    """A database with every table and nobody in it yet."""
    made = Town()
    yield made
    made.connection.close()
