"""Which parts a process does, as the command line names them."""

import pytest

from bot import parts
from bot.errors import LimenError
from bot.parts import ALL, Part


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ((), ALL),
        (("gateway",), {Part.GATEWAY}),
        (("worker", "agency"), {Part.WORKER, Part.AGENCY}),
        (("worker, agency",), {Part.WORKER, Part.AGENCY}),
    ],
)
def test_named_parts_alone_are_done(words: tuple[str, ...], wanted: set[Part]) -> None:
    assert parts.parse(words, shared=True) == wanted


def test_a_part_that_is_none_is_named_with_those_there_are() -> None:
    with pytest.raises(LimenError, match=r"one of gateway, worker, agency, got 'wroker'"):
        parts.parse(("wroker",), shared=True)


def test_a_file_cannot_be_divided() -> None:
    with pytest.raises(LimenError, match=r"PostgreSQL server: name it in \[database\] url"):
        parts.parse(("worker",), shared=False)
    assert parts.parse(("gateway,worker,agency",), shared=False) == ALL
