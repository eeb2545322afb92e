"""Subjects nobody wants to hear of."""

from datetime import timedelta

import pytest

from agency import mutes
from tests.fakes.town import Town


@pytest.mark.parametrize(
    ("subject", "about", "other"),
    [
        ("the newsletter", "The newsletter goes out on Friday.", "The release moved to Friday."),
        ("office party", "Tickets for the party at the office are here.", "The office moved."),
        ("周报", "周报改到周五发。", "发布改到周五。"),
        ("团建", "团建定在下周六。", "评审定在下周六。"),
        ("billing-export", "The billing-export job failed.", "The import job failed."),
    ],
)
def test_a_mute_covers_its_subject_and_nothing_else(
    town: Town, subject: str, about: str, other: str
) -> None:
    mute = mutes.mute_person(town.tx, town.person("Ana"), subject, now=town.now)
    assert mute.covers(about)
    assert not mute.covers(other)


def test_a_chats_mute_holds_in_that_chat_alone(town: Town) -> None:
    here, there = town.room("here"), town.room("there")
    mutes.mute_chat(town.tx, here, "the newsletter", now=town.now)
    told = ("newsletter", "It is out.", town.now)
    assert mutes.matches(town.tx, here, (), *told) is not None
    assert mutes.matches(town.tx, there, (), *told) is None


def test_what_only_some_do_not_want_is_told_to_the_others(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    room = town.room("room", ana, bo)
    mutes.mute_person(town.tx, ana, "the newsletter", now=town.now)
    told = ("newsletter", "It is out.", town.now)
    assert mutes.matches(town.tx, room, (ana,), *told) is not None
    assert mutes.matches(town.tx, room, (ana, bo), *told) is None
    assert mutes.matches(town.tx, room, (), *told) is None


def test_the_same_wish_twice_is_one_and_can_be_taken_back(town: Town) -> None:
    ana = town.person("Ana")
    mutes.mute_person(town.tx, ana, "the Newsletter", now=town.now)
    mutes.mute_person(town.tx, ana, "the newsletter ", now=town.now)
    [one] = mutes.of_person(town.tx, ana, now=town.now)
    assert mutes.end(town.tx, one.id, now=town.now)
    assert not mutes.end(town.tx, one.id, now=town.now)
    assert mutes.of_person(town.tx, ana, now=town.now) == []


def test_a_mute_may_end_by_itself(town: Town) -> None:
    ana, end = town.person("Ana"), town.now + timedelta(days=1)
    mutes.mute_person(town.tx, ana, "the newsletter", until=end, now=town.now)
    assert len(mutes.of_person(town.tx, ana, now=town.now)) == 1
    assert mutes.of_person(town.tx, ana, now=end) == []


def test_a_mute_of_nothing_is_refused(town: Town) -> None:
    with pytest.raises(ValueError, match="needs a subject"):
        mutes.mute_person(town.tx, town.person("Ana"), "  ", now=town.now)
