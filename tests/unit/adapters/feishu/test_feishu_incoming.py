"""Events as they come, without any connection."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.chat import Author, EventKind, Room, RoomKind
from adapters.feishu.directory import Directory, Place
from adapters.feishu.event import Malformed, Me, Misplaced
from adapters.feishu.incoming import from_history, parse, settle

ME = Me("cli_1", "ou_limen", "Limen")
AT = "1767603600123"
WHEN = datetime(2026, 1, 5, 9, 0, 0, 123000, tzinfo=UTC)
MO = {"open_id": "ou_mo", "union_id": "on_mo", "user_id": "u_mo"}
SENDER = {"sender_id": MO, "sender_type": "user", "tenant_key": "tk"}


@pytest.fixture
def known() -> Directory:
    return Directory(lambda: WHEN)


def event(kind: str, body: dict[str, Any], at: str = AT) -> dict[str, Any]:
    header = {"event_id": "e1", "event_type": kind, "create_time": at, "tenant_key": "tk"}
    return {"schema": "2.0", "header": header, "event": body}


def text(words: str, **more: Any) -> dict[str, Any]:
    message = {
        "message_id": "om_1", "create_time": AT, "chat_id": "oc_1", "chat_type": "group",
        "message_type": "text", "content": f'{{"text": "{words}"}}',
    }  # fmt: skip
    return event("im.message.receive_v1", {"sender": SENDER, "message": message | more})


def whole(title: str = "project", **more: Any) -> Room:
    members = (Author(id="ou_mo", name="Mo"), Author(id="ou_bo", name="Bo"))
    return Room(
        title=title, kind=RoomKind.GROUP, open=True, workspace="tk", members=members, **more
    )


def test_a_message_has_its_moment_its_place_and_its_author(known: Directory) -> None:
    heard = parse(text("hi"), ME, known)
    assert heard is not None
    assert (heard.at, heard.version, heard.author.id) == (WHEN, 1, "ou_mo")
    assert str(heard.address) == "feishu:cli_1/oc_1#om_1"
    assert (heard.room.workspace, heard.room.partial) == ("tk", True)


def test_the_address_is_the_same_before_and_after_the_room_is_known(known: Directory) -> None:
    before = parse(text("hi"), ME, known)
    known.learn_room("oc_1", whole())
    after = parse(text("hi"), ME, known)
    assert before is not None
    assert after is not None
    assert before.address == after.address
    assert after.room == whole()


def test_words_of_another_tenant_make_outsiders(known: Directory) -> None:
    known.learn_room("oc_1", whole())
    known.tenant = "tk"
    foreign = text("hi")
    foreign["event"]["sender"] = SENDER | {"tenant_key": "tk_elsewhere"}
    heard = parse(foreign, ME, known)
    assert heard is not None
    assert heard.room.outsiders


@pytest.mark.parametrize(
    ("mentions", "addressed"),
    [
        ([{"key": "@_user_1", "id": {"open_id": "ou_limen"}, "name": "Other name"}], True),
        ([{"key": "@_user_1", "id": {"open_id": "ou_other"}, "name": "Limen"}], False),
        ([{"key": "@_user_1", "id": {"open_id": ""}, "name": "Limen"}], False),
        ([{"key": "@_user_1", "name": "Limen"}], False),
        (None, False),
    ],
)
def test_only_the_open_id_decides_who_is_mentioned(
    known: Directory, mentions: Any, addressed: bool
) -> None:
    heard = parse(text("@_user_1 hi", mentions=mentions), ME, known)
    assert heard is not None
    assert heard.addressed is addressed


def test_a_bare_mention_is_a_message(known: Directory) -> None:
    mention = {"key": "@_user_1", "id": {"open_id": "ou_limen"}, "name": "Helper"}
    heard = parse(text("@_user_1", mentions=[mention]), ME, known)
    assert heard is not None
    assert (heard.text, heard.addressed) == ("@Limen", True)


def test_an_answer_to_the_bot_is_said_to_it(known: Directory) -> None:
    bot = Author(id="cli_1", name="", is_bot=True)
    known.remember("om_0", Place(chat="oc_1", thread=None, author=bot, own=True, text="May I?"))
    heard = parse(text("yes", parent_id="om_0", root_id="om_0"), ME, known)
    assert heard is not None
    assert (heard.addressed, heard.reply_to) == (True, "om_0")
    assert "May I?" in heard.quoted


def test_somebody_who_joined_is_in_the_room_at_once(known: Directory) -> None:
    known.learn_room("oc_1", whole())
    users = [{"name": "Kai", "tenant_key": "tk", "user_id": {"open_id": "ou_kai"}}]
    body = {"chat_id": "oc_1", "name": "project", "users": users}
    joined = parse(event("im.chat.member.user.added_v1", body), ME, known)
    assert joined is not None
    assert (joined.kind, joined.address.message) == (EventKind.MEMBERS, None)
    assert [member.name for member in joined.room.members] == ["Mo", "Bo", "Kai"]
    assert known.is_due("oc_1")  # and the platform is asked for the rest


@pytest.mark.parametrize("kind", ["deleted", "withdrawn"])
def test_somebody_who_left_is_out_of_the_room_at_once(known: Directory, kind: str) -> None:
    known.learn_room("oc_1", whole())
    users = [{"name": "Bo", "tenant_key": "tk", "user_id": {"open_id": "ou_bo"}}]
    body = {"chat_id": "oc_1", "name": "project", "users": users}
    left = parse(event(f"im.chat.member.user.{kind}_v1", body), ME, known)
    assert left is not None
    assert [member.name for member in left.room.members] == ["Mo"]


def test_a_renamed_chat_has_its_new_title(known: Directory) -> None:
    known.learn_room("oc_1", whole())
    body = {"chat_id": "oc_1", "after_change": {"name": "release"}, "before_change": {}}
    renamed = parse(event("im.chat.updated_v1", body), ME, known)
    assert renamed is not None
    assert renamed.room.title == "release"
    assert known.room("oc_1").title == "release"


@pytest.mark.parametrize("kind", ["im.chat.disbanded_v1", "im.chat.member.bot.deleted_v1"])
def test_a_chat_the_bot_is_no_longer_in_is_forgotten(known: Directory, kind: str) -> None:
    known.learn_room("oc_1", whole())
    assert parse(event(kind, {"chat_id": "oc_1", "name": "project"}), ME, known) is not None
    assert known.room("oc_1").partial


def test_an_external_chat_has_outsiders_from_the_first_moment(known: Directory) -> None:
    body = {"chat_id": "oc_1", "name": "with partners", "external": True}
    added = parse(event("im.chat.member.bot.added_v1", body), ME, known)
    assert added is not None
    assert (added.room.outsiders, added.room.title) == (True, "with partners")


def test_a_reaction_taken_back_is_empty(known: Directory) -> None:
    heard = parse(text("hi"), ME, known)
    assert heard is not None
    settle(heard, known)
    body = {
        "message_id": "om_1", "user_id": MO, "operator_type": "user", "action_time": AT,
        "reaction_type": {"emoji_type": "THUMBSUP"},
    }  # fmt: skip
    gone = parse(event("im.message.reaction.deleted_v1", body), ME, known)
    assert gone is not None
    assert (gone.text, gone.version) == ("", int(AT))


def test_its_own_reaction_is_nothing(known: Directory) -> None:
    body = {
        "message_id": "om_1", "app_id": "cli_1", "operator_type": "app", "action_time": AT,
        "reaction_type": {"emoji_type": "Typing"},
    }  # fmt: skip
    assert parse(event("im.message.reaction.created_v1", body), ME, known) is None


def test_a_reaction_to_something_unknown_has_no_place(known: Directory) -> None:
    body = {"message_id": "om_9", "user_id": MO, "reaction_type": {"emoji_type": "X"}}
    with pytest.raises(Misplaced) as misplaced:
        parse(event("im.message.reaction.created_v1", body), ME, known)
    assert misplaced.value.message == "om_9"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"value": "consent:1:yes", "label": "Yes"}, "consent:1:yes"),
        ({"foreign": "车"}, '{"foreign": "车"}'),
        ("plain", "plain"),
        (None, "null"),
    ],
)
def test_a_pressed_button_says_its_value(known: Directory, value: Any, said: str) -> None:
    body = {
        "operator": MO, "action": {"tag": "button", "value": value},
        "context": {"open_message_id": "om_1", "open_chat_id": "oc_1"},
    }  # fmt: skip
    pressed = parse(event("card.action.trigger", body, at="1767603600123456"), ME, known)
    assert pressed is not None
    assert (pressed.kind, pressed.text) == (EventKind.ACTION, said)
    assert pressed.at.replace(microsecond=0) == WHEN.replace(microsecond=0)


def test_history_says_the_same_as_the_event(known: Directory) -> None:
    told = parse(
        text("@_user_1 hi", mentions=[
            {"key": "@_user_1", "id": {"open_id": "ou_limen"}, "name": "Limen"}
        ], thread_id="omt_1"), ME, known,
    )  # fmt: skip
    item = {
        "message_id": "om_1", "chat_id": "oc_1", "msg_type": "text", "create_time": AT,
        "update_time": AT, "deleted": False, "updated": False, "thread_id": "omt_1",
        "sender": {"id": "ou_mo", "id_type": "open_id", "sender_type": "user", "tenant_key": "tk"},
        "body": {"content": '{"text": "@_user_1 hi"}'},
        "mentions": [{"key": "@_user_1", "id": "ou_limen", "id_type": "open_id", "name": "Limen"}],
    }  # fmt: skip
    assert from_history(item, ME, known) == told
    own = item | {"sender": {"id": "cli_1", "id_type": "app_id", "sender_type": "app"}}
    assert from_history(own, ME, known) is None
    assert from_history(item | {"msg_type": "system", "sender": {}}, ME, known) is None


@pytest.mark.parametrize(
    "broken",
    [
        {}, [], "text", None, {"header": {}, "event": {}},
        {"header": {"event_type": "im.message.receive_v1"}, "event": {"message": {}, "sender": {}}},
        {"header": {"event_type": "im.message.receive_v1"}, "event": []},
        {"header": {"event_type": "card.action.trigger"}, "event": {"context": None}},
    ],
)  # fmt: skip
def test_what_nobody_can_understand_is_malformed(known: Directory, broken: Any) -> None:
    with pytest.raises(Malformed):
        parse(broken, ME, known)


@given(st.dictionaries(
    st.sampled_from(
        "create_time chat_type message_type content mentions parent_id thread_id".split()
    ),
    st.none() | st.integers() | st.text(max_size=9) | st.lists(st.none() | st.text(), max_size=2),
))  # fmt: skip
def test_no_message_does_worse_than_malformed(strange: dict[str, Any]) -> None:
    with suppress(Malformed):
        parse(text("hi", **strange), ME, Directory(lambda: WHEN))


def test_what_is_remembered_is_bounded(known: Directory) -> None:
    for number in range(5000):
        place = Place(chat="oc", thread=f"omt_{number}", author=Author(id="a", name=""), text="x")
        known.remember(f"om_{number}", place)
    assert known.place("om_0") is None
    assert known.place("om_4999") is not None
    assert len(known.threads) <= 1000
