"""Letters: posted once, in the order of their room, and never given up in silence."""

import pytest

from adapters.chat import Address, Button
from bot.engine import letters
from bot.engine.letters import Draft, Letter, State
from tests.fakes.town import Town

ROOM = Address(platform="web", account="main", chat="general", message="7")


def post(town: Town, key: str, chat: str = "general", **more: object) -> int | None:
    address = Address(platform="web", account="main", chat=chat, message="7")
    draft = Draft(key=key, session_id=town.room(chat), address=address, body=key, **more)  # type: ignore[arg-type]
    return letters.post(town.tx, draft, now_us=town.us)


def claim(town: Town, after: int = 0) -> list[Letter]:
    return letters.claim(town.tx, limit=9, now_us=town.us + after)


def letter(town: Town, id: int) -> Letter:
    return next(one for one in letters.latest(town.tx, limit=99) if one.id == id)


def test_the_same_key_is_one_letter_to_the_room(town: Town) -> None:
    id = post(town, "a", buttons=(Button(label="是", value="yes"),))
    assert id is not None
    assert post(town, "a") is None
    (claimed,) = claim(town)
    assert claimed.address == ROOM.room
    assert claimed.buttons == (Button(label="是", value="yes"),)
    assert (claimed.state, claimed.attempts) == (State.SENDING, 1)


def test_a_room_gets_its_letters_in_order_and_another_room_does_not_wait(town: Town) -> None:
    first, second = post(town, "a"), post(town, "b")
    other = post(town, "c", "other")
    assert [one.id for one in claim(town)] == [first, other]
    assert claim(town) == []
    assert first is not None
    letters.doubtful(town.tx, first, "cut off")
    assert claim(town) == [], "in doubt still holds the room"
    letters.again(town.tx, first, "try", not_before_us=town.us + 5, repeat=True)
    assert claim(town) == []
    assert letters.next_due(town.tx) == town.us
    assert [one.id for one in claim(town, after=5)] == [first]
    letters.sent(town.tx, first, "m1", now_us=1)
    assert [one.id for one in claim(town)] == [second]


def test_a_letter_settles_once(town: Town) -> None:
    id = post(town, "a")
    assert id is not None
    letters.sent(town.tx, id, "m1", now_us=1)
    assert letter(town, id).state is State.PENDING, "nobody has posted it"
    claim(town)
    letters.sent(town.tx, id, "m1", now_us=2)
    letters.failed(town.tx, id, "late", now_us=3)
    letters.again(town.tx, id, "late", not_before_us=0, repeat=False)
    letters.doubtful(town.tx, id, "late")
    settled = letter(town, id)
    assert (settled.state, settled.message_id, settled.error) == (State.SENT, "m1", "")


def test_a_possible_repeat_stays_one(town: Town) -> None:
    id = post(town, "a")
    assert id is not None
    claim(town)
    letters.again(town.tx, id, "x", not_before_us=town.us, repeat=True)
    claim(town)
    letters.again(town.tx, id, "x", not_before_us=town.us, repeat=False)
    assert letter(town, id).possible_repeat


def test_what_is_in_doubt_is_found_after_a_crash(town: Town) -> None:
    id, _ = post(town, "a"), post(town, "b", "other")
    assert id is not None
    claim(town)
    letters.doubtful(town.tx, id, "cut off")
    assert [one.state for one in letters.in_doubt(town.tx)] == [State.UNKNOWN, State.SENDING]


def test_the_last_unasked_word_of_a_room(town: Town) -> None:
    room = town.room("general")
    said = [town.say(room, None, text) for text in "ab"]
    post(town, "a", original_id=said[0], proactive=True)
    post(town, "b", original_id=said[1])
    assert letters.last_unasked(town.tx, room) == said[0]
    assert letters.last_unasked(town.tx, town.room("other")) is None
    found = letters.of_original(town.tx, said[1])
    assert found is not None
    assert found.key == "b"


def test_nothing_is_written_for_another_chat_than_its_session_s_pr_03(town: Town) -> None:
    ops = Address(platform="web", account="main", chat="ops")
    town.room("ops")
    draft = Draft(key="k", session_id=town.room("dm"), address=ops, body="your test results")
    with pytest.raises(letters.Misdirected, match=r"session \d+ may not go to web:main/ops"):
        letters.post(town.tx, draft, now_us=town.us)


def test_what_a_run_says_goes_to_the_chat_of_the_run_pr_03(town: Town) -> None:
    run = town.run(town.room("dm"))
    with pytest.raises(letters.Misdirected, match="run"):
        post(town, "k", "ops", run_id=run)
    assert post(town, "k", "dm", run_id=run) is not None


def test_a_letter_led_astray_afterwards_is_not_posted_pr_03(town: Town) -> None:
    id = post(town, "k", "dm")
    assert id is not None
    town.room("ops")
    town.tx.run("UPDATE letters SET address = 'web:main/ops'")
    assert claim(town) == []
    assert (letter(town, id).state, letter(town, id).error) == (State.FAILED, letters.MISDIRECTED)
