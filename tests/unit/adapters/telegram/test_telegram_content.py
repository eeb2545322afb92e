"""Every kind of message a person can send is shown, and what is a file can be fetched."""

import pytest

from adapters.chat import EventKind
from tests.fakes.telegram_reader import MIRAS, TEAM, Json, Reader

VOICE = {"file_id": "v", "file_unique_id": "v", "duration": 7, "mime_type": "audio/ogg"}
SHOWN: list[tuple[Json, str]] = [
    ({"sticker": {"file_id": "s", "file_unique_id": "s", "emoji": "👍"}}, "[sticker 👍]"),
    ({"sticker": {"file_id": "s", "file_unique_id": "s"}}, "[sticker]"),
    ({"voice": VOICE}, "[voice message, 7 s]"),
    ({"video_note": VOICE}, "[video message, 7 s]"),
    ({"video": VOICE, "caption": "look"}, "look\n[video, 7 s]"),
    (
        {"audio": {**VOICE, "performer": "Bach", "title": "Aria"}},
        "[audio: Bach – Aria, 7 s]",
    ),
    (
        {"animation": {**VOICE, "file_name": "cat.mp4"}, "document": {"file_id": "v"}},
        "[animation: cat.mp4]",
    ),
    ({"location": {"latitude": 52.5, "longitude": 13.4}}, "[location: 52.5, 13.4]"),
    (
        {
            "venue": {"title": "Zum Hirsch", "address": "Markt 1"},
            "location": {"latitude": 52.5, "longitude": 13.4},
        },
        "[venue: Zum Hirsch, Markt 1]",
    ),
    (
        {"contact": {"first_name": "Ana", "last_name": "B", "phone_number": "+49"}},
        "[contact: Ana B, +49]",
    ),
    (
        {"poll": {"question": "When?", "options": [{"text": "Mon"}, {"text": "周二"}]}},
        "[poll: When? – Mon / 周二]",
    ),
    ({"dice": {"emoji": "🎲", "value": 4}}, "[dice 🎲: 4]"),
    ({"game": {"title": "Chess"}}, "[game: Chess]"),
    ({"story": {"chat": TEAM, "id": 3}}, "[story of Field Team]"),
    (
        {"checklist": {"title": "Do", "tasks": [{"text": "a"}, {"text": "b"}]}},
        "[checklist: Do – a / b]",
    ),
    ({"paid_media": {"star_count": 3}}, "[paid media]"),
    ({"invoice": {"title": "Fee"}}, "[invoice: Fee]"),
    (
        {"pinned_message": {"message_id": 3, "chat": TEAM, "date": 1, "text": "rules"}},
        "[pinned: rules]",
    ),
    ({"forum_topic_created": {"name": "Rent"}}, "[topic created: Rent]"),
    ({"forum_topic_closed": {}}, "[topic closed]"),
    ({"video_chat_started": {}}, "[video chat started]"),
    ({"hologram": {"file_id": "h"}}, "[unsupported message: hologram]"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "text"), SHOWN, ids=[text for _, text in SHOWN])
def test_every_kind_is_shown(reader: Reader, content: Json, text: str) -> None:
    event = reader.said(**content)
    assert (event.kind, event.text) == (EventKind.NEW, text)


def test_a_message_with_nothing_in_it_still_comes(reader: Reader) -> None:
    assert reader.said(MIRAS).text == ""
    assert reader.said(MIRAS, text="\u200b \n").addressed


@pytest.mark.parametrize("kind", ["voice", "video", "video_note", "audio"])
def test_recordings_can_be_fetched(reader: Reader, kind: str) -> None:
    assert reader.said(**{kind: VOICE}).files[0].id == "v"


@pytest.mark.parametrize(
    "odd",
    [
        {"location": {"where": "here"}},
        {"entities": [{"type": "bold", "offset": "first", "length": 2}]},
        {"photo": []},
        {"forward_origin": "somebody"},
        {"quote": "we ship", "reply_to_message": {"message_id": 4}},
    ],
    ids=lambda odd: next(iter(odd)),
)
def test_a_form_nobody_has_seen_yet_costs_no_words_beside_it(reader: Reader, odd: Json) -> None:
    event = reader.said(MIRAS, text="we ship on Friday", **odd)
    assert event.text == "we ship on Friday\n[unsupported message: its parts]"
    assert event.addressed
