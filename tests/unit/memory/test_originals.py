"""Originals keep every version, and show the one that stands."""

from dataclasses import replace

from memory import originals
from memory.originals import Kind, Saying
from tests.fakes.town import Town

SAYING = Saying(
    session_id=1, kind=Kind.MESSAGE, author="Ana", body="Friday", said_us=1, address="web:main/c#1"
)


def test_the_same_address_is_kept_once(town: Town) -> None:
    first = originals.keep(town.tx, SAYING, now_us=1)
    assert first is not None
    assert originals.keep(town.tx, replace(SAYING, body="other"), now_us=2) is None
    assert originals.find_many(town.tx, [first, 99, first])[0].body == "Friday"


def test_without_an_address_everything_is_new(town: Town) -> None:
    bare = replace(SAYING, address=None)
    one, two = (originals.keep(town.tx, bare, now_us=1) for _ in range(2))
    assert one is not None
    assert one != two
    originals.place(town.tx, one, "web:main/c#7")
    originals.place(town.tx, one, "web:main/c#8")
    found = originals.at_address(town.tx, "web:main/c#7")
    assert found is not None
    assert found.id == one


def test_a_place_that_another_message_has_is_left_to_it(town: Town) -> None:
    """A platform that names two messages alike must not stop all that is posted."""
    bare = replace(SAYING, address=None)
    first, second = (originals.keep(town.tx, bare, now_us=1) for _ in range(2))
    assert first is not None and second is not None
    for one in (first, second):
        originals.place(town.tx, one, "web:main/c#7")
    placed = originals.at_address(town.tx, "web:main/c#7")
    assert placed is not None and placed.id == first


def test_an_edit_keeps_the_old_words_and_an_older_one_changes_nothing(town: Town) -> None:
    id = originals.keep(town.tx, SAYING, now_us=1)
    assert originals.revise(town.tx, "web:main/c#1", "Monday", version=3, now_us=2) == id
    assert originals.revise(town.tx, "web:main/c#1", "Sunday", version=2, now_us=3) is None
    assert originals.revise(town.tx, "web:main/c#99", "x", version=2, now_us=3) is None
    stands = originals.at_address(town.tx, "web:main/c#1")
    assert stands is not None
    assert (stands.body, stands.version, stands.edited) == ("Monday", 3, True)
    kept = town.tx.all("SELECT body FROM versions WHERE original_id = :id", id=id)
    assert [row["body"] for row in kept] == ["Friday"]


def test_a_recalled_message_loses_its_words_once_and_leaves_every_list(town: Town) -> None:
    id = originals.keep(town.tx, SAYING, now_us=1)
    assert originals.recall(town.tx, "web:main/c#1", now_us=2) == id
    assert originals.recall(town.tx, "web:main/c#1", now_us=3) is None
    assert originals.revise(town.tx, "web:main/c#1", "Monday", version=9, now_us=4) is None
    assert originals.recent(town.tx, 1, limit=9) == originals.since(town.tx, 1, 0, limit=9) == []
    assert originals.latest(town.tx, limit=9) == []
    stands = originals.at_address(town.tx, "web:main/c#1")
    assert stands is not None
    assert (stands.body, stands.recalled) == ("", True)


def test_lists_are_in_order_and_bounded(town: Town) -> None:
    room, other = town.room("one"), town.room("two")
    ids = [town.say(room, None, f"line {n}") for n in range(5)]
    town.say(other, None, "elsewhere")
    assert [o.id for o in originals.recent(town.tx, room, limit=2)] == ids[3:]
    assert [o.id for o in originals.recent(town.tx, room, limit=2, before=ids[3])] == ids[1:3]
    assert [o.id for o in originals.since(town.tx, room, ids[1], limit=2)] == ids[2:4]
    assert originals.newest_id(town.tx) == ids[-1] + 1


def test_the_newest_of_some_sessions_are_found_among_the_newest_of_all(town: Town) -> None:
    kept = []
    for number, session in enumerate((1, 2, 1, 2, 2), 1):
        saying = replace(SAYING, session_id=session, address=None, body=f"words {number}")
        kept.append(originals.keep(town.tx, saying, now_us=number))
    found = originals.latest_in(town.tx, lambda found: [one for one in found if one == 1], limit=4)
    assert [one.id for one in found] == [kept[2]], "the first of all is not among the last four"
