"""Pieces of events, in any order and never too many."""

from adapters.feishu import chunks
from adapters.feishu.chunks import Chunks


def test_one_piece_is_whole_at_once() -> None:
    assert Chunks().add("m", 1, 0, b"all") == b"all"
    assert Chunks().add("m", 0, 0, b"all") == b"all"


def test_pieces_are_joined_in_their_order_and_not_as_they_came() -> None:
    kept = Chunks()
    assert kept.add("m", 3, 2, b"c") is None
    assert kept.add("m", 3, 0, b"a") is None
    assert kept.add("n", 2, 0, b"other") is None
    assert kept.add("m", 3, 1, b"b") == b"abc"
    assert kept.add("n", 2, 1, b"!") == b"other!"


def test_a_piece_that_comes_twice_counts_once() -> None:
    kept = Chunks()
    assert kept.add("m", 2, 0, b"a") is None
    assert kept.add("m", 2, 0, b"a") is None
    assert kept.add("m", 2, 1, b"b") == b"ab"


def test_a_number_outside_of_the_event_is_passed_over() -> None:
    kept = Chunks()
    assert kept.add("m", 2, 2, b"x") is None
    assert kept.add("m", 2, -1, b"x") is None
    assert kept.add("m", chunks.PIECES + 1, 0, b"x") is None


def test_the_oldest_goes_when_too_many_wait() -> None:
    kept = Chunks()
    for number in range(chunks.WAITING + 1):
        kept.add(f"m{number}", 2, 0, b"a")
    assert kept.add("m0", 2, 1, b"b") is None  # its first piece is gone
    assert kept.add(f"m{chunks.WAITING}", 2, 1, b"b") == b"ab"


def test_the_oldest_goes_when_too_much_waits() -> None:
    kept = Chunks()
    half = b"x" * (chunks.BYTES // 2)
    kept.add("m0", 2, 0, half)
    kept.add("m1", 2, 0, half)
    kept.add("m2", 2, 0, b"y")
    assert kept.add("m0", 2, 1, b"b") is None
    assert kept.add("m2", 2, 1, b"!") == b"y!"
