"""What updates tell: the inputs that broke other bots, and who said what where."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.chat import EventKind, RoomKind
from tests.fakes.telegram_reader import (
    BOT,
    DATE,
    FORUM,
    JON,
    ME,
    MENTION,
    MIRA,
    MIRAS,
    NOW,
    TEAM,
    Json,
    Reader,
    entity,
)

# edits


def test_an_edit_is_a_new_version_of_the_same_message_tg_in_01(reader: Reader) -> None:
    message = {"message_id": 4001, "from": MIRA, "chat": MIRAS, "date": DATE}
    first = reader.read({"update_id": 510000001, "message": {**message, "text": "remind me at 5"}})
    edit = reader.read(
        {
            "update_id": 510000002,
            "edited_message": {**message, "edit_date": 1767603660, "text": "remind me at 6"},
        }
    )
    assert (first.kind, first.version, first.text) == (EventKind.NEW, 1, "remind me at 5")
    assert (edit.kind, edit.version, edit.text) == (EventKind.EDIT, 1767603660, "remind me at 6")
    assert edit.address == first.address
    assert edit.at == datetime.fromtimestamp(1767603660, UTC)


def test_an_edit_that_changes_no_word_is_dropped(reader: Reader) -> None:
    reader.said(text="see https://x.test")
    same = {
        "message_id": 51, "from": MIRA, "chat": TEAM, "date": DATE, "edit_date": DATE + 5,
        "text": "see https://x.test",
    }  # fmt: skip
    assert reader.maybe({"update_id": 510000002, "edited_message": same}) is None


def test_an_edit_that_brings_another_file_counts(reader: Reader) -> None:
    old, new = ({"file_id": id, "file_unique_id": id, "file_name": "a.pdf"} for id in ("x", "y"))
    reader.said(document=old, caption="the terms")
    edit = {
        "message_id": 51, "from": MIRA, "chat": TEAM, "date": DATE, "edit_date": DATE + 5,
        "document": new, "caption": "the terms",
    }  # fmt: skip
    event = reader.read({"update_id": 510000002, "edited_message": edit})
    assert (event.kind, event.files[0].id) == (EventKind.EDIT, "y")


def test_a_live_location_on_its_way_is_dropped(reader: Reader) -> None:
    place = {"latitude": 52.5, "longitude": 13.4, "live_period": 900}
    assert reader.said(location=place).text == "[live location: 52.5, 13.4]"
    on = {"message_id": 51, "from": MIRA, "chat": TEAM, "date": DATE, "edit_date": DATE + 9}
    on["location"] = {**place, "latitude": 52.6}
    assert reader.maybe({"update_id": 510000002, "edited_message": on}) is None


# topics


def test_the_general_topic_bears_no_thread_tg_in_02(reader: Reader) -> None:
    event = reader.said(FORUM, text="@acme_helper_bot status?", entities=[MENTION])
    assert (event.address.thread, event.addressed) == (None, True)
    assert event.text == "@Limen status?"


def test_a_reply_thread_outside_of_topics_is_none_tg_in_02(reader: Reader) -> None:
    numbers = {"message_id": 40, "from": JON, "chat": TEAM, "date": 1767603500, "text": "numbers"}
    event = reader.said(
        text="@acme_helper_bot and this?",
        entities=[MENTION],
        message_thread_id=40,
        reply_to_message=numbers,
    )
    assert event.address.thread is None
    assert event.reply_to == "40"
    assert event.quoted == "> In reply to Jon:\n> numbers"


TOPIC = {"forum_topic_created": {"name": "Rent", "icon_color": 1}}


@pytest.mark.parametrize(
    "root",
    [{"message_id": 9, **TOPIC}, {"message_id": 9, "text": "rent"}, {"message_id": 3, **TOPIC}],
    ids=["its making", "any first message", "the making of another"],
)
def test_a_topic_is_a_thread_and_its_root_no_quote_tg_in_10(reader: Reader, root: Json) -> None:
    event = reader.said(
        FORUM,
        text="hello",
        message_thread_id=9,
        is_topic_message=True,
        reply_to_message={"from": JON, "chat": FORUM, "date": DATE, **root},
    )
    assert event.address.thread == "9"
    assert (event.reply_to, event.quoted, event.addressed) == (None, "", False)


def test_an_answer_inside_a_topic_is_a_reply(reader: Reader) -> None:
    other = {"message_id": 12, "from": JON, "chat": FORUM, "date": DATE, "text": "900"}
    event = reader.said(
        FORUM, text="hm", message_thread_id=9, is_topic_message=True, reply_to_message=other
    )
    assert (event.address.thread, event.reply_to) == ("9", "12")
    assert event.quoted == "> In reply to Jon:\n> 900"


# moves


def test_both_messages_of_a_move_tell_the_same_tg_in_04(reader: Reader) -> None:
    old = {"id": -40000011, "type": "group", "title": "Field Team"}
    new = {"id": -1002000000011, "type": "supergroup", "title": "Field Team"}
    nobody = {
        "id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot",
    }  # fmt: skip
    first = reader.said(old, message_id=70, migrate_to_chat_id=-1002000000011)
    second = reader.said(new, nobody, message_id=1, migrate_from_chat_id=-40000011)
    for event in (first, second):
        assert event.kind is EventKind.MOVED
        assert event.address.chat == "-1002000000011"
        assert event.moved_from is not None
        assert event.moved_from.chat == "-40000011"
        assert event.room.title == "Field Team"
    assert reader.directory.current(-40000011) == -1002000000011


# media


def test_every_picture_of_an_album_comes_with_its_own_caption_tg_in_05(reader: Reader) -> None:
    captions = ("compare these three", "", "this one is from May")
    events = []
    for number, caption in enumerate(captions):
        photo = [
            {"file_id": f"AgAC_ph{number}s", "file_unique_id": "s", "width": 90, "height": 60},
            {
                "file_id": f"AgAC_ph{number}", "file_unique_id": f"u{number}", "width": 1280,
                "height": 960, "file_size": 90000,
            },
        ]  # fmt: skip
        more: Json = {"caption": caption} if caption else {}
        event = reader.said(
            MIRAS, message_id=80 + number, media_group_id="13500000000000001", photo=photo, **more
        )
        events.append(event)
    assert [event.text for event in events] == list(captions)
    assert [event.files[0].id for event in events] == ["AgAC_ph0", "AgAC_ph1", "AgAC_ph2"]
    assert events[0].files[0].name == "photo-80.jpg"
    assert events[0].files[0].size == 90000


def test_a_caption_is_read_like_text_in_utf_16_units_tg_in_06(reader: Reader) -> None:
    event = reader.said(
        document={
            "file_id": "BQAC_doc1", "file_unique_id": "d1", "file_name": "terms.pdf",
            "mime_type": "application/pdf", "file_size": 50000,
        },
        caption="📎📎 @acme_helper_bot read this",
        caption_entities=[entity("mention", 5, 16)],
    )  # fmt: skip
    assert event.text == "📎📎 @Limen read this"
    assert event.addressed
    (file,) = event.files
    assert (file.id, file.name, file.mime, file.size) == (
        "BQAC_doc1", "terms.pdf", "application/pdf", 50000,
    )  # fmt: skip


# commands


def test_another_bots_command_is_not_for_us_tg_in_08(reader: Reader) -> None:
    event = reader.said(text="/status@other_bot", entities=[entity("bot_command", 0, 17)])
    assert (event.addressed, event.text) == (False, "/status@other_bot")


def test_our_command_is_found_whatever_its_case_tg_in_08(reader: Reader) -> None:
    event = reader.said(text="/Status@Acme_Helper_Bot now", entities=[entity("bot_command", 0, 23)])
    assert (event.addressed, event.text) == (True, "/status now")


def test_a_path_is_no_command_tg_in_08(reader: Reader) -> None:
    event = reader.said(text="see /tmp/status for details")
    assert (event.addressed, event.text) == (False, "see /tmp/status for details")


@pytest.mark.parametrize(("text", "addressed"), [("/status now", True), ("/play now", False)])
def test_a_command_without_a_name_is_for_us_if_it_is_on_our_menu(
    text: str, addressed: bool
) -> None:
    reader = Reader(replace(ME, commands=frozenset({"status"})))
    command = entity("bot_command", 0, len(text) - 4)
    assert reader.said(text=text, entities=[command]).addressed is addressed
    assert reader.said(MIRAS, text=text, entities=[command]).addressed


def test_without_a_menu_every_command_is_for_us(reader: Reader) -> None:
    assert reader.said(text="/play", entities=[entity("bot_command", 0, 5)]).addressed


def test_a_command_after_a_reply_to_us_is_still_another_bots(reader: Reader) -> None:
    ours = {"message_id": 5, "from": BOT, "chat": TEAM, "date": DATE, "text": "hello"}
    event = reader.said(
        text="/status@other_bot",
        entities=[entity("bot_command", 0, 17)],
        reply_to_message=ours,
    )
    assert not event.addressed


# mentions


def test_a_bare_mention_is_a_message(reader: Reader) -> None:
    event = reader.said(text="@acme_helper_bot", entities=[MENTION])
    assert (event.text, event.addressed) == ("@Limen", True)


def test_a_mention_by_id_becomes_a_name(reader: Reader) -> None:
    nameless = {"id": 70010002, "is_bot": False, "first_name": "Jon"}
    event = reader.said(text="ask Jon P", entities=[entity("text_mention", 4, 5, user=nameless)])
    assert (event.text, event.addressed) == ("ask @Jon", False)


def test_a_mention_of_us_by_id_addresses_us(reader: Reader) -> None:
    event = reader.said(text="Helper?", entities=[entity("text_mention", 0, 6, user=BOT)])
    assert (event.text, event.addressed) == ("@Limen?", True)


def test_user_names_become_the_names_people_have(reader: Reader) -> None:
    reader.said(who=JON, text="hi")
    event = reader.said(text="@jon_p @nobody1", entities=[entity("mention", 0, 6)])
    assert event.text == "@Jon @nobody1"


# foreign words


def test_a_reply_brings_the_message_and_the_part_that_is_quoted_tg_in_10(reader: Reader) -> None:
    rent = {
        "message_id": 105, "from": JON, "chat": TEAM, "date": 1767600000,
        "photo": [{"file_id": "AgAC_p", "file_unique_id": "pu", "width": 800, "height": 600}],
        "caption": "Rent is 900, deposit is 3 months",
    }  # fmt: skip
    event = reader.said(
        text="is this part true?",
        reply_to_message=rent,
        quote={"text": "deposit is 3 months", "position": 13, "is_manual": True},
    )
    assert event.text == "> In reply to Jon:\n> deposit is 3 months\n\nis this part true?"
    assert event.quoted == "> In reply to Jon:\n> [photo]\n> Rent is 900, deposit is 3 months"
    assert event.reply_to == "105"
    assert event.files == ()


def test_a_reply_to_another_chat_is_a_third_partys_words_tg_in_10(reader: Reader) -> None:
    event = reader.said(
        MIRAS,
        text="summarise",
        external_reply={
            "origin": {
                "type": "channel", "message_id": 7, "date": 1767590000,
                "chat": {"id": -1002000000888, "type": "channel", "title": "Other"},
            },
            "document": {"file_id": "BQAC_x", "file_unique_id": "xx", "file_name": "a.pdf"},
        },
        quote={"text": "clause 4", "position": 0},
    )  # fmt: skip
    assert event.text == "> In reply to Other:\n> [document: a.pdf]\n> clause 4\n\nsummarise"


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ({"type": "user", "sender_user": JON, "date": 1}, "Jon"),
        ({"type": "hidden_user", "sender_user_name": "Some One", "date": 1}, "Some One"),
        ({"type": "chat", "sender_chat": TEAM, "date": 1}, "Field Team"),
        (
            {"type": "channel", "chat": TEAM, "author_signature": "Ed", "date": 1, "message_id": 1},
            "Field Team (Ed)",
        ),
    ],
)
def test_forwarded_words_are_labelled_and_not_addressed(
    reader: Reader, origin: Json, name: str
) -> None:
    event = reader.said(text="@acme_helper_bot pay now", entities=[MENTION], forward_origin=origin)
    assert event.text == f"> Forwarded from {name}:\n> @Limen pay now"
    assert not event.addressed


def test_a_reply_to_us_is_addressed(reader: Reader) -> None:
    ours = {"message_id": 5, "from": BOT, "chat": TEAM, "date": DATE, "text": "hello"}
    event = reader.said(text="thanks", reply_to_message=ours)
    assert (event.addressed, event.reply_to) == (True, "5")


# who


def test_a_post_of_a_channel_is_the_channels_own_tg_in_14(reader: Reader) -> None:
    news = {"id": -1002000000500, "type": "channel", "title": "News"}
    post = {
        "message_id": 11, "chat": news, "date": DATE, "sender_chat": news,
        "author_signature": "Editor", "text": "hello",
    }  # fmt: skip
    event = reader.read({"update_id": 510000027, "channel_post": post})
    assert (event.author.id, event.author.name) == ("-1002000000500", "News")
    assert (event.room.kind, event.room.title) == (RoomKind.GROUP, "News")
    del post["sender_chat"]
    assert reader.read({"update_id": 510000028, "channel_post": post}).author.name == "News"


def test_an_update_without_a_sender_is_named_as_unreadable_tg_in_14(reader: Reader) -> None:
    message = {"message_id": 11, "chat": TEAM, "date": DATE, "text": "hello"}
    with pytest.raises(LookupError, match="names nobody"):
        reader.maybe({"update_id": 510000027, "message": message})


def test_an_anonymous_admin_is_the_group(reader: Reader) -> None:
    stand_in = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    event = reader.said(who=stand_in, sender_chat=TEAM, text="hello")
    assert (event.author.name, event.author.is_bot) == ("Field Team", False)
    assert event.room.members == ()


def test_other_bots_come_in_as_bots_and_we_do_not(reader: Reader) -> None:
    other = {"id": 5, "is_bot": True, "first_name": "Alerts"}
    assert reader.said(who=other, text="disk full").author.is_bot
    own = {"message_id": 52, "from": BOT, "chat": TEAM, "date": DATE, "text": "mine"}
    assert reader.maybe({"update_id": 510000002, "message": own}) is None


def test_the_members_are_those_who_were_seen(reader: Reader) -> None:
    reader.said(text="hi")
    event = reader.said(who=JON, text="hi")
    assert [member.name for member in event.room.members] == ["Mira", "Jon"]
    assert (event.room.complete, event.room.open, event.room.partial) == (False, True, False)


@pytest.mark.parametrize(
    "content",
    [
        {"new_chat_members": [JON]},
        {"new_chat_title": "Field Crew"},
        {"delete_chat_photo": True},
        {"group_chat_created": True},
    ],
)
def test_changes_of_a_room_are_no_messages(reader: Reader, content: Json) -> None:
    event = reader.said(**content)
    assert (event.kind, event.address.message) == (EventKind.MEMBERS, None)


@pytest.mark.parametrize("kind", ["chat_member", "my_chat_member"])
def test_a_change_of_membership_is_told(reader: Reader, kind: str) -> None:
    change = {
        "chat": TEAM, "from": MIRA, "date": DATE,
        "old_chat_member": {"status": "left", "user": JON},
        "new_chat_member": {"status": "member", "user": JON},
    }  # fmt: skip
    event = reader.read({"update_id": 510000003, kind: change})
    assert [member.name for member in event.room.members] == ["Mira", "Jon"]
    for gone in ({"status": "kicked"}, {"status": "restricted", "is_member": False}):
        change["new_chat_member"] = gone | {"user": JON}
        event = reader.read({"update_id": 510000004, kind: change})
        assert [member.name for member in event.room.members] == ["Mira"]
        assert [member.name for member in event.room.gone] == ["Jon"]
    back = reader.said(who=JON, text="I am back")
    assert (len(back.room.members), back.room.gone) == (2, ())


# reactions and presses


def test_of_several_reactions_the_new_one_is_told(reader: Reader) -> None:
    change = {
        "chat": TEAM, "message_id": 9, "user": JON, "date": DATE,
        "old_reaction": [{"type": "emoji", "emoji": "👍"}],
        "new_reaction": [{"type": "emoji", "emoji": "👍"}, {"type": "emoji", "emoji": "🔥"}],
    }  # fmt: skip
    event = reader.read({"update_id": 510000003, "message_reaction": change})
    assert (event.kind, event.text, event.version) == (EventKind.REACTION, "🔥", 510000003)


@pytest.mark.parametrize(
    ("reaction", "text"),
    [
        ({"type": "custom_emoji", "custom_emoji_id": "1"}, "[custom emoji]"),
        ({"type": "paid"}, "⭐"),
    ],
)
def test_reactions_without_an_emoji_have_a_word(reader: Reader, reaction: Json, text: str) -> None:
    change = {
        "chat": TEAM, "message_id": 9, "actor_chat": TEAM, "date": DATE, "old_reaction": [],
        "new_reaction": [reaction],
    }  # fmt: skip
    event = reader.read({"update_id": 510000003, "message_reaction": change})
    assert (event.text, event.author.name) == (text, "Field Team")


def test_a_press_is_at_the_time_it_comes_in(reader: Reader) -> None:
    question = {"message_id": 7, "from": BOT, "chat": MIRAS, "date": DATE, "text": "May I?"}
    query = {"id": "q", "from": MIRA, "message": question, "data": "consent:12:yes"}
    event = reader.read({"update_id": 510000003, "callback_query": query})
    assert (event.kind, event.text, event.at) == (EventKind.ACTION, "consent:12:yes", NOW)
    assert event.address.message == "7"


def test_a_press_under_a_message_of_no_chat_tells_nothing(reader: Reader) -> None:
    query = {"id": "q", "from": MIRA, "inline_message_id": "x", "data": "y"}
    assert reader.maybe({"update_id": 510000003, "callback_query": query}) is None
