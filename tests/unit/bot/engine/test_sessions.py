"""Sessions: one for each room and thread, made on first sight."""

from adapters.chat import Address
from bot.engine import sessions
from bot.engine.sessions import Attention, Kind
from tests.fakes.town import Town

ROOM = Address(platform="slack", account="T1", chat="C1")
THREAD = Address(platform="slack", account="T1", chat="C1", thread="17.5")


def test_a_room_is_one_session_for_ever(town: Town) -> None:
    one = sessions.of_room(town.tx, ROOM, now_us=1)
    assert sessions.of_room(town.tx, ROOM, now_us=2) == one
    assert one.address == ROOM
    assert one.attention is Attention.ADDRESSED
    assert sessions.find(town.tx, one.id) == sessions.named(town.tx, "slack:T1/C1") == one


def test_the_same_chat_of_another_account_is_another_session(town: Town) -> None:
    other = Address(platform="slack", account="T2", chat="C1")
    one, two = (sessions.of_room(town.tx, room, now_us=1).id for room in (ROOM, other))
    assert one != two


def test_a_thread_knows_its_chat_and_its_kin(town: Town) -> None:
    thread = sessions.of_room(town.tx, THREAD, now_us=1)
    room = sessions.of_room(town.tx, ROOM, now_us=1)
    second = sessions.of_room(town.tx, Address.parse("slack:T1/C1/18.1"), now_us=1)
    sessions.inner(town.tx, Kind.MEMORY, f"memory:{room.id}", parent=room.id, now_us=1)
    sessions.of_room(town.tx, Address.parse("slack:T1/C2"), now_us=1)
    assert thread.parent_id == room.id
    assert sessions.kin(town.tx, thread) == [room.id, second.id]
    assert sessions.kin(town.tx, room) == [thread.id, second.id]


def test_a_thread_has_the_attention_of_its_chat_until_it_gets_its_own(town: Town) -> None:
    room = sessions.of_room(town.tx, ROOM, now_us=1)
    thread = sessions.of_room(town.tx, THREAD, now_us=1)
    inner = sessions.inner(town.tx, Kind.MEMORY, f"memory:{room.id}", parent=room.id, now_us=1)
    sessions.set_attention(town.tx, room.id, Attention.OFF)
    later = sessions.of_room(town.tx, Address.parse("slack:T1/C1/18.1"), now_us=2)
    assert sessions.switched_off(town.tx) == {room.id, thread.id, later.id}
    sessions.set_attention(town.tx, thread.id, Attention.ALL)
    assert sessions.switched_off(town.tx) == {room.id, later.id}
    found = sessions.find(town.tx, inner.id)
    assert found is not None
    assert found.attention is Attention.ADDRESSED


def test_inner_sessions_have_no_chat_and_are_never_listed(town: Town) -> None:
    inner = sessions.inner(town.tx, Kind.AGENCY, "agency", now_us=1)
    assert sessions.inner(town.tx, Kind.AGENCY, "agency", now_us=2) == inner
    assert inner.address is None
    assert sessions.recent(town.tx, limit=9) == []


def test_the_last_active_comes_first(town: Town) -> None:
    one = sessions.of_room(town.tx, ROOM, now_us=1)
    two = sessions.of_room(town.tx, Address.parse("slack:T1/C2"), now_us=2)
    assert [s.id for s in sessions.recent(town.tx, limit=9)] == [two.id, one.id]
    sessions.touch(town.tx, one.id, now_us=3)
    assert [s.id for s in sessions.recent(town.tx, limit=1)] == [one.id]
    sessions.set_attention(town.tx, one.id, Attention.OFF)
    found = sessions.find(town.tx, one.id)
    assert found is not None
    assert found.attention is Attention.OFF
