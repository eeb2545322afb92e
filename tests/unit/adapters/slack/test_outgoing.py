"""A letter as what chat.postMessage is given."""

from collections.abc import Callable
from typing import Any

import pytest

from adapters.chat import Address, Button, Outgoing
from adapters.slack import outgoing
from tests.fakes.slack_rules import check

ROOM = Address(platform="slack", account="T1", chat="C1", thread="1.0")
BOTH = pytest.mark.parametrize("form", [outgoing.formatted, outgoing.bare])

Form = Callable[[Outgoing], dict[str, Any]]


def letter(text: str, **more: Any) -> Outgoing:
    return Outgoing(key="letter-1", room=ROOM, text=text, **more)


@BOTH
def test_nothing_in_a_text_is_turned_into_names_or_previews(form: Form) -> None:
    """SL-OUT-06"""
    given = form(letter("<!channel> @here @everyone https://a.test"))
    assert (given["link_names"], given["parse"]) == (False, "none")
    assert (given["unfurl_links"], given["unfurl_media"]) == (False, False)
    assert "<!" not in given["text"]


@BOTH
def test_a_letter_carries_its_key_and_its_thread(form: Form) -> None:
    given = form(letter("hello"))
    assert given["metadata"] == {
        "event_type": "limen_letter",
        "event_payload": {"key": "letter-1"},
    }
    assert (given["channel"], given["thread_ts"]) == ("C1", "1.0")


@BOTH
@pytest.mark.parametrize("text", ["hello", "", "x" * 3_500, "# Title\n\n- one\n- two\n\n" * 20])
def test_buttons_stand_under_every_text(form: Form, text: str) -> None:
    buttons = tuple(Button(label=f"choice {n} " + "x" * 80, value=f"{n}") for n in range(30))
    given = form(letter(text, buttons=buttons))
    blocks = check(given["text"] or " ", given["blocks"])
    rows = [block for block in blocks if block["type"] == "actions"]
    assert [len(row["elements"]) for row in rows] == [25, 5]
    assert [e["value"] for row in rows for e in row["elements"]] == [b.value for b in buttons]


def test_bare_words_have_no_markup_and_no_blocks() -> None:
    given = outgoing.bare(letter("**bold** & `code` <b>"))
    assert "blocks" not in given
    assert given["text"] == "bold &amp; code &lt;b&gt;"
    assert given["mrkdwn"] is False
