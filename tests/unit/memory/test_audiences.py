"""Who hears a session is stored once and replaced whole."""

from dataclasses import replace

from memory import audiences
from tests.fakes.town import Town


def test_what_has_not_changed_is_not_written(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    room = town.room("general", ana, bo)
    known = town.audience(room)
    assert known.members == {ana, bo}
    assert not audiences.record(town.tx, known, now_us=2)


def test_every_property_counts_as_a_change(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    known = town.audience(town.room("general", ana))
    for change in (
        {"title": "all"}, {"open": False}, {"workspace": "x"}, {"complete": False},
        {"outsiders": True}, {"direct": True}, {"members": frozenset({bo})},
    ):  # fmt: skip
        changed = replace(known, **change)
        assert audiences.record(town.tx, changed, now_us=2), change
        assert audiences.find(town.tx, known.session_id) == changed
        audiences.record(town.tx, known, now_us=3)


def test_whoever_left_hears_no_more(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    room = town.room("general", ana, bo)
    assert audiences.heard_by(town.tx, bo) == {room}
    town.room("general", ana)
    assert audiences.heard_by(town.tx, bo) == frozenset()


def test_an_inner_session_is_heard_by_nobody(town: Town) -> None:
    assert audiences.find(town.tx, 99) is None
