"""Slack's events in our words: every kind of message says something, and only what was said."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.chat import EventKind, Incoming, RoomKind
from adapters.slack.directory import Directory, Identity
from adapters.slack.incoming import Malformed, count, moment, read

Json = dict[str, Any]
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
TS = "1767603600.000100"


@pytest.fixture
def known() -> Directory:
    directory = Directory("Limen")
    directory.me = Identity(team="T1", team_name="Acme", user="U0BOT", bot="B0BOT", handle="limen")
    directory.learn_person({"id": "U1", "team_id": "T1", "profile": {"display_name": "Mira"}})
    return directory


def heard(known: Directory, event: Json, **payload: Any) -> Incoming | None:
    return read("events_api", {"event": event} | payload, known, NOW)


def said(known: Directory, **event: Any) -> Incoming:
    fixed = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1"}
    incoming = heard(known, fixed | {"text": "", "ts": TS} | event)
    assert incoming is not None
    return incoming


def rich(*elements: Json) -> list[Json]:
    return [{"type": "rich_text", "elements": list(elements)}]


def section(*leaves: Json) -> Json:
    return {"type": "rich_text_section", "elements": list(leaves)}


def text(words: str, **style: bool) -> Json:
    return {"type": "text", "text": words} | ({"style": style} if style else {})


def test_a_time_stamp_is_exact_to_the_microsecond() -> None:
    assert moment(TS) == datetime.fromtimestamp(1767603600, UTC) + timedelta(microseconds=100)
    assert count("1767603600.000100") == 1767603600000100
    assert count("1767603600") == 1767603600000000


@pytest.mark.parametrize("ts", ["", "abc", "1.2.3", "-1.0", "1e5", "٣.٤x", "9" * 20])
def test_a_time_stamp_of_another_form_is_malformed(ts: str) -> None:
    with pytest.raises(Malformed):
        count(ts)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "message", "channel": ["C1"], "user": "U1", "text": "x", "ts": TS},
        {"type": "message", "channel": "C1", "user": "U1", "text": "x", "ts": {"a": 1}},
        {"type": "message", "channel": "C1", "text": "x", "ts": TS},
        {"type": "message", "channel": "C1", "user": 7, "text": "x", "ts": TS},
        {"type": "reaction_added", "item": {"type": "message", "channel": "C1"}, "user": "U1"},
        {"type": "member_joined_channel", "user": "U1"},
    ],
)
def test_what_nobody_can_understand_is_malformed(known: Directory, event: Json) -> None:
    with pytest.raises(Malformed):
        heard(known, event)


@pytest.mark.parametrize("event", [None, [], "x", {"type": "app_home_opened"}, {}])
def test_what_says_nothing_is_none(known: Directory, event: object) -> None:
    assert read("events_api", {"event": event}, known, NOW) is None
    assert read("something", {}, known, NOW) is None


def test_nobody_known_is_an_author_without_a_name(known: Directory) -> None:
    author = said(known, user="U9", text="hi").author
    assert (author.id, author.name, author.is_bot) == ("U9", "", False)


def test_an_event_that_brings_the_profile_names_its_author(known: Directory) -> None:
    profile = {"display_name": "", "real_name": "Jon Doe"}
    assert said(known, user="U9", user_profile=profile).author.name == "Jon Doe"


def test_the_apps_own_words_are_dropped_by_either_id(known: Directory) -> None:
    fixed = {"type": "message", "channel": "C1", "text": "x", "ts": TS}
    assert heard(known, fixed | {"user": "U0BOT"}) is None
    assert heard(known, fixed | {"bot_id": "B0BOT", "subtype": "bot_message"}) is None


def test_other_apps_are_heard_as_bots(known: Directory) -> None:
    author = said(known, user=None, bot_id="B7", subtype="bot_message", username="CI").author
    assert (author.id, author.name, author.is_bot) == ("B7", "CI", True)
    assert said(known, user="USLACKBOT", text="psst").author.is_bot


@pytest.mark.parametrize(
    ("channel", "type", "kind"),
    [
        ("D1", "im", RoomKind.DIRECT),
        ("D1", "", RoomKind.DIRECT),
        ("C1", "mpim", RoomKind.GROUP),
        ("G1", "mpim", RoomKind.GROUP),
        ("G1", "", RoomKind.GROUP),
        ("C1", "group", RoomKind.GROUP),
        ("C1", "channel", RoomKind.GROUP),
    ],
)
def test_a_room_of_each_kind_is_partial_and_closed(
    known: Directory, channel: str, type: str, kind: RoomKind
) -> None:
    room = said(known, channel=channel, channel_type=type).room
    assert (room.kind, room.partial, room.open, room.complete) == (kind, True, False, False)
    assert room.workspace == "T1"


def test_a_channel_shared_with_another_company_has_outsiders(known: Directory) -> None:
    event = {"type": "message", "channel": "C1", "user": "U1", "text": "x", "ts": TS}
    incoming = heard(known, event, is_ext_shared_channel=True)
    assert incoming is not None
    assert incoming.room.outsiders


def test_a_channel_that_was_made_private_is_open_no_more(known: Directory) -> None:
    known.learn_room({"id": "C1", "is_channel": True, "name": "plans"}, ["U1"], True)
    assert said(known, channel_type="channel").room.open
    room = said(known, channel_type="group").room
    assert (room.open, room.partial) == (False, True)


def test_the_root_of_a_thread_is_in_no_thread(known: Directory) -> None:
    assert said(known, thread_ts=TS).address.thread is None


def test_a_reply_that_is_also_sent_to_the_channel_stays_in_its_thread(known: Directory) -> None:
    incoming = said(known, subtype="thread_broadcast", thread_ts="1.0", text="done")
    assert (incoming.address.thread, incoming.text) == ("1.0", "done")


def test_a_reply_to_the_bot_is_addressed(known: Directory) -> None:
    assert said(known, thread_ts="1.0", parent_user_id="U0BOT").addressed
    assert not said(known, thread_ts="1.0", parent_user_id="U1").addressed
    assert said(known, text="hey <@U0BOT|limen>!").addressed
    assert not said(known, text="hey &lt;@U0BOT&gt;").addressed


def test_the_words_of_rich_text_stand_in_for_an_empty_text(known: Directory) -> None:
    blocks = rich(
        section(text("Hi "), {"type": "user", "user_id": "U1"}, text(", see "),
                {"type": "link", "url": "https://a.test", "text": "this"}, text(" and "),
                text("x < y", code=True), text("\n")),
        {"type": "rich_text_list", "style": "ordered", "elements": [section(text("one")),
                                                                    section(text("two"))]},
        {"type": "rich_text_list", "style": "bullet", "indent": 1,
         "elements": [section(text("deep"))]},
        {"type": "rich_text_quote", "elements": [text("said\nonce")]},
        {"type": "rich_text_preformatted", "elements": [text("a = 1\nb = 2")]},
        section({"type": "emoji", "name": "tada", "unicode": "1f389"},
                {"type": "emoji", "name": "party_parrot"},
                {"type": "broadcast", "range": "here"},
                {"type": "channel", "channel_id": "C9"}),
    )  # fmt: skip
    assert said(known, blocks=blocks).text == (
        "Hi @Mira, see [this](https://a.test) and `x < y`\n1. one\n2. two\n    - deep\n"
        "> said\n> once\n```\na = 1\nb = 2\n```\n🎉:party_parrot:@here#C9"
    )


def test_people_are_taken_at_their_text_and_not_told_twice(known: Directory) -> None:
    assert said(known, text="*hi*", blocks=rich(section(text("hi", bold=True)))).text == "*hi*"


def test_an_app_that_says_more_in_blocks_is_heard_whole(known: Directory) -> None:
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "Build failed"}},
        {"type": "section", "fields": [{"type": "mrkdwn", "text": "*by* <@U1>"}]},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "main &amp; dev"}]},
        {"type": "image", "image_url": "https://a.test/x.png", "alt_text": "graph"},
        {"type": "divider"},
        {"type": "hologram"},
    ]
    incoming = said(known, user=None, bot_id="B7", text="New alert", blocks=blocks)
    assert incoming.text == (
        "New alert\nBuild failed\n*by* @Mira\nmain & dev\n[image: graph]\n"
        "[unsupported message: hologram]"
    )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"subtype": "channel_topic", "topic": "Roadmap"}, "[set the topic: Roadmap]"),
        ({"subtype": "group_purpose", "purpose": ""}, "[set the purpose]"),
        ({"subtype": "pinned_item"}, "[pinned a message]"),
        ({"subtype": "reminder_add", "text": "x"}, "[set a reminder]"),
        ({"subtype": "huddle_thread"}, "[huddle]"),
        ({"subtype": "me_message", "text": "waves"}, "waves"),
        ({"subtype": "brand_new"}, "[unsupported message: brand_new]"),
        ({"subtype": "brand_new", "text": "words"}, "words"),
        ({"text": "\u200b \n"}, "\u200b \n"),
    ],
)
def test_messages_of_every_subtype_have_words(known: Directory, event: Json, words: str) -> None:
    assert said(known, **event).text == words


@pytest.mark.parametrize(
    "subtype", ["channel_join", "channel_leave", "message_replied", "tombstone", "bot_add"]
)
def test_messages_that_other_events_tell_are_dropped(known: Directory, subtype: str) -> None:
    event = {"type": "message", "channel": "C1", "user": "U1", "text": "x", "ts": TS}
    assert heard(known, event | {"subtype": subtype}) is None


@pytest.mark.parametrize(
    ("file", "words", "fetched"),
    [
        ({"subtype": "slack_audio", "duration_ms": 7_240}, "[voice message, 7 s]", True),
        ({"subtype": "slack_video"}, "[video message]", True),
        ({"mode": "tombstone"}, "[a file that was deleted]", False),
        ({"mode": "quip", "title": "Plan"}, "[canvas: Plan]", True),
        (
            {"is_external": True, "title": "Sheet", "url_private": "https://docs.test/1"},
            "[file elsewhere: Sheet https://docs.test/1]",
            False,
        ),
        ({"name": "a.png", "mimetype": "image/png"}, "", True),
    ],
)
def test_files_of_every_kind_are_named(
    known: Directory, file: Json, words: str, fetched: bool
) -> None:
    incoming = said(known, subtype="file_share", files=[{"id": "F1"} | file])
    assert incoming.text == words
    assert [found.id for found in incoming.files] == (["F1"] if fetched else [])


@pytest.mark.parametrize(
    "odd",
    [{"blocks": [None], "text": ""}, {"files": [{}]}, {"attachments": ["x"]}, {"files": 7}],
)
def test_parts_of_a_form_nobody_knows_cost_no_words(known: Directory, odd: Json) -> None:
    incoming = said(known, **({"text": "the words"} | odd))
    assert incoming.text.startswith(odd.get("text", "the words"))
    assert "[unsupported message: its parts]" in incoming.text


def test_a_link_preview_is_quoted_under_its_site(known: Directory) -> None:
    card = {
        "service_name": "GitHub",
        "title": "Fix &amp; test",
        "title_link": "https://git.test/1",
        "text": "by <@U1>",
    }
    assert said(known, text="look", attachments=[card]).text == (
        "look\n> Attached, from GitHub:\n> [Fix & test](https://git.test/1)\n> by @Mira"
    )


def test_a_forward_of_rich_text_alone_has_its_words(known: Directory) -> None:
    inside = [{"message": {"blocks": rich(section(text("the plan")))}}]
    shared = {"is_share": True, "author_id": "U1", "message_blocks": inside}
    assert said(known, attachments=[shared]).text == "> Forwarded from Mira:\n> the plan"


def changed(after: Json, before: Json | None, **more: Any) -> Json:
    event = {"type": "message", "subtype": "message_changed", "channel": "C1", "ts": "1767603700.1"}
    return event | {"message": after} | ({"previous_message": before} if before else {}) | more


def test_an_edit_is_the_authors_and_carries_when_it_was_made(known: Directory) -> None:
    before = {"user": "U1", "text": "at noon", "ts": TS, "thread_ts": "1.0"}
    edited = {"user": "U1", "ts": "1767603650.000000"}
    incoming = heard(known, changed(before | {"text": "at one", "edited": edited}, before))
    assert incoming is not None
    assert (incoming.kind, incoming.text) == (EventKind.EDIT, "at one")
    assert (incoming.address.thread, incoming.address.message) == ("1.0", TS)
    assert incoming.version == 1767603650000000


def test_an_app_that_brings_its_card_up_to_date_is_heard(known: Directory) -> None:
    before = {"bot_id": "B7", "text": "", "ts": TS, "attachments": [{"title": "CPU high"}]}
    after = before | {"attachments": [{"title": "CPU fine"}]}
    incoming = heard(known, changed(after, before))
    assert incoming is not None
    assert "CPU fine" in incoming.text


def test_a_change_whose_former_words_are_unknown_counts_if_it_is_an_edit(known: Directory) -> None:
    after = {"user": "U1", "text": "x", "ts": TS}
    assert heard(known, changed(after, None)) is None
    assert heard(known, changed(after | {"edited": {"ts": "1767603650.0"}}, None)) is not None


def test_a_deleted_root_that_leaves_a_tombstone_is_a_recall(known: Directory) -> None:
    before = {"user": "U1", "text": "x", "ts": TS, "thread_ts": TS}
    after = {"subtype": "tombstone", "user": "USLACKBOT", "text": "deleted", "ts": TS}
    incoming = heard(known, changed(after, before))
    assert incoming is not None
    assert (incoming.kind, incoming.author.id) == (EventKind.RECALL, "U1")
    assert str(incoming.address) == f"slack:T1/C1#{TS}"


def test_a_reaction_names_its_emoji_and_taking_it_back_is_empty(known: Directory) -> None:
    event = {
        "user": "U1",
        "reaction": "+1::skin-tone-3",
        "item": {"type": "message", "channel": "C1", "ts": TS},
        "event_ts": "1767603700.0",
    }
    added = heard(known, event | {"type": "reaction_added"})
    removed = heard(known, event | {"type": "reaction_removed"})
    assert added is not None
    assert removed is not None
    assert (added.kind, added.text, removed.text) == (EventKind.REACTION, "👍", "")
    custom = heard(known, event | {"type": "reaction_added", "reaction": "party_parrot"})
    assert custom is not None
    assert custom.text == ":party_parrot:"
    on_file = event | {"type": "reaction_added", "item": {"type": "file", "file": "F1"}}
    assert heard(known, on_file) is None


def test_a_press_on_another_apps_button_or_a_form_says_nothing(known: Directory) -> None:
    press = {"type": "block_actions", "actions": [{"action_id": "other", "value": "x"}]}
    assert read("interactive", press, known, NOW) is None
    assert read("interactive", {"type": "view_submission"}, known, NOW) is None
    assert read("interactive", {"type": "block_actions", "actions": []}, known, NOW) is None


@pytest.mark.parametrize(
    ("given", "words"),
    [("", "/help"), ("  ", "/help"), ("quiet 2h", "/quiet 2h"), ("状态", "/状态"),
     ("who is <@U1|mira>", "/who is @Mira")],
)  # fmt: skip
def test_a_slash_command_is_its_words(known: Directory, given: str, words: str) -> None:
    command = {"text": given, "channel_id": "C1", "user_id": "U2", "user_name": "jon"}
    incoming = read("slash_commands", command | {"trigger_id": "1.2.x"}, known, NOW)
    assert incoming is not None
    assert (incoming.text, incoming.at, incoming.addressed) == (words, NOW, True)
    assert incoming.author.name == "jon"
