"""Every kind of message as a reader sees it, and what nobody ever saw before."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.feishu import content, post

NAMES = {"@_all": "@all", "@_user_1": "@Limen", "@_user_10": "@Ana", "ou_ana": "@Ana"}


def shown(kind: str, data: Any, author: str = "") -> str:
    raw = data if isinstance(data, str) else json.dumps(data)
    return content.read("om_1", kind, raw, NAMES, author).text


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        ("text", {"text": "hi"}, "hi"),
        ("text", {"text": ""}, ""),
        ("text", {"text": "  \u200b "}, "  \u200b "),
        ("text", {"text": "@_user_1 and @_user_10 and @_user_99"}, "@Limen and @Ana and @_user_99"),
        ("text", {"text": "@_all@_user_1"}, "@all@Limen"),
        ("text", {}, ""),
        ("text", "not JSON", "not JSON"),
        ("text", "[1, 2]", "[1, 2]"),
        ("image", {"image_key": "k"}, "[image]"),
        ("image", {}, "[image]"),
        ("file", {"file_key": "k", "file_name": "计划.pdf"}, "[file 计划.pdf]"),
        ("folder", {"file_key": "k", "file_name": "Plans"}, "[folder Plans]"),
        ("folder", {}, "[folder]"),
        ("audio", {"file_key": "k"}, "[voice message]"),
        ("audio", {"file_key": "k", "duration": "soon"}, "[voice message]"),
        ("media", {"file_key": "k", "file_name": "a.mp4", "duration": 12400},
         "[video a.mp4, 12 s]"),
        ("sticker", {"file_key": "k"}, "[sticker]"),
        ("share_chat", {"chat_id": "oc_1"}, "[chat card: oc_1]"),
        ("share_user", {"user_id": "ou_ana"}, "[contact: Ana]"),
        ("share_user", {"user_id": "ou_x"}, "[contact: ou_x]"),
        ("location", {"name": "外滩", "latitude": "31.2", "longitude": "121.5"},
         "[location: 外滩 (31.2, 121.5)]"),
        ("location", {}, "[location: somewhere]"),
        ("system", {"template": "{from_user} invited {to_chatters}.", "from_user": ["Mo"],
                    "to_chatters": ["Ana", "Bo"]}, "[system message: Mo invited Ana, Bo.]"),
        ("system", {}, "[system message]"),
        ("todo", {"summary": {"title": "", "content": [[{"tag": "text", "text": "write it"}]]},
                  "due_time": "1767603600000"}, "[task: write it, due 2026-01-05 09:00 UTC]"),
        ("todo", {}, "[task: untitled]"),
        ("vote", {"topic": "吃什么", "options": ["面", "饭"]}, "[poll: 吃什么: 面 / 饭]"),
        ("vote", {"topic": "lunch"}, "[poll: lunch]"),
        ("hongbao", {"text": "[红包]"}, "[red packet]"),
        ("share_calendar_event", {"summary": "Stand-up", "start_time": "1767603600000",
                                  "end_time": "1767607200000"},
         "[calendar event: Stand-up, 2026-01-05 09:00 UTC to 2026-01-05 10:00 UTC]"),
        ("calendar", {"summary": "x", "start_time": "never"}, "[calendar event: x]"),
        ("video_chat", {"topic": "Review"}, "[video meeting: Review]"),
        ("merge_forward", "Merged and Forwarded Message", "[forwarded conversation]"),
        ("hologram", {"x": 1}, "[unsupported message: hologram]"),
        ("", {}, "[unsupported message: no kind]"),
    ],
)  # fmt: skip
def test_every_kind_is_visible(kind: str, data: Any, text: str) -> None:
    assert shown(kind, data) == text


def test_files_name_their_message_their_type_and_their_key() -> None:
    body = content.read("om_7", "file", '{"file_key": "f/1", "file_name": "a.csv"}', {})
    assert (body.files[0].id, body.files[0].mime) == ("om_7/file/f/1", "text/csv")
    body = content.read("om_7", "post", json.dumps(
        {"content": [[{"tag": "img", "image_key": "i1"}, {"tag": "media", "file_key": "v1"}]]}
    ), {})  # fmt: skip
    assert [file.id for file in body.files] == ["om_7/image/i1", "om_7/file/v1"]


def test_rich_text_reads_the_same_in_both_shapes() -> None:
    bare = {"title": "T", "content": [[{"tag": "text", "text": "a"}], [{"tag": "hr"}]]}
    assert shown("post", bare) == shown("post", {"en_us": bare}) == "T\na\n---"


def test_rich_text_shows_tags_nobody_knows() -> None:
    row = [{"tag": "hologram", "text": "boo"}, {"tag": "at", "user_id": "all"}, {"tag": "at"}]
    assert shown("post", {"content": [row]}) == "[hologram] boo@all@?"


def test_rich_text_of_a_strange_shape_is_empty_and_no_error() -> None:
    assert shown("post", {"content": ["x", {"tag": "text", "text": "y"}, 7]}) == "\ny\n"
    assert shown("post", {}) == ""
    assert shown("post", "[]") == ""


def test_a_card_is_quoted_under_who_sent_it() -> None:
    card = {
        "header": {"title": {"tag": "plain_text", "content": "Alert"}},
        "elements": [
            [{"tag": "text", "text": "CPU "}, {"tag": "a", "text": "dash", "href": "https://d.test"}],
            {"tag": "div", "text": {"tag": "lark_md", "content": "@_user_1 look"}},
            {"tag": "action", "actions": [
                {"tag": "button", "text": {"tag": "plain_text", "content": "Ack"},
                 "value": {"text": "hidden"}}]},
        ],
    }  # fmt: skip
    assert shown("interactive", card, "Monitor").splitlines() == [
        "> Attached, from Monitor:",
        "> Alert",
        "> CPU [dash](https://d.test)",
        "> @Limen look",
        "> Ack",
    ]


def test_a_card_without_words_is_visible() -> None:
    assert shown("interactive", {"elements": []}) == "[card]"
    assert shown("interactive", "gibberish") == "> Attached, from somebody:\n> gibberish"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from("tag text content title summary duration user_id options x".split()),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.sampled_from(sorted(content._READERS)), JSON | st.text())
def test_no_content_makes_a_reader_fail(kind: str, data: Any) -> None:
    shown(kind, data)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_no_rich_text_makes_its_reader_fail(data: dict[str, Any]) -> None:
    post.read(data, lambda key: key)


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("audio", '{"file_key": "k", "duration": Infinity}'),
        ("calendar", '{"start_time": "²"}'),
        ("interactive", '{"elements": ' * 5000 + "{}" + "}" * 5000),
    ],
    ids=["audio", "calendar", "interactive"],
)
def test_a_form_nobody_has_seen_yet_is_still_a_message(kind: str, raw: str) -> None:
    assert content.read("om_1", kind, raw, NAMES).text
