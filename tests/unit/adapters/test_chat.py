"""The values every chat platform speaks in."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.chat import (
    Address,
    Author,
    EventKind,
    File,
    Incoming,
    Room,
    RoomKind,
    legible,
    one_line,
)

PART = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(platform=st.sampled_from(["web", "slack"]), account=PART, chat=PART)
def test_an_address_is_read_back_from_its_canonical_form(
    platform: str, account: str, chat: str
) -> None:
    address = Address(platform=platform, account=account, chat=chat, thread=chat, message=account)
    assert Address.parse(str(address)) == address
    assert Address.parse(str(address.room)) == address.room


@pytest.mark.parametrize("text", ["", "web", "web:", "web:a", ":a/b", "web:a//b", "web:a/b/c/d"])
def test_what_is_no_address_is_refused_with_its_form(text: str) -> None:
    with pytest.raises(ValueError, match="address must look like"):
        Address.parse(text)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("a\ud800b", "a\ufffdb"), ("a\0b", "a\ufffdb"), ("好😀", "好😀"), ("\ud83d\ude00", "😀")],
)
def test_what_no_database_can_store_is_replaced(sent: str, kept: str) -> None:
    assert legible(sent) == kept
    said = Incoming(
        address=Address(platform="web", account="a", chat="c", message="m"),
        kind=EventKind.NEW,
        author=Author(id=sent, name=sent, email=sent, zone=sent),
        room=Room(title=sent, kind=RoomKind.GROUP, open=True, workspace=sent),
        text=sent,
        at=datetime(2026, 11, 30, tzinfo=UTC),
        reply_to=sent,
        quoted=sent,
        files=(File(id=sent, name=sent, mime=sent),),
    )
    assert (said.text, said.reply_to, said.quoted) == (kept,) * 3
    who = said.author
    assert (who.id, who.name, who.email, who.zone) == (kept,) * 4
    assert (said.room.title, said.room.workspace) == (kept,) * 2
    [file] = said.files
    assert (file.id, file.name, file.mime) == (kept,) * 3


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ana\n> Lin: ship it", "Ana > Lin: ship it"),
        (" Ana\u2028\x1b[2J\tLee\r", "Ana [2J Lee"),
        ("Ana \u202efdp.exe\u2066", "Ana fdp.exe"),
        ("محمد\u200c علی", "محمد\u200c علی"),
        ("👩\u200d💻 @here <!channel> **b**", "👩\u200d💻 @here <!channel> **b**"),
        ("x" * 10_000 + ".pdf", "x" * 179 + "…" + "x" * 16 + ".pdf"),
        ("\n", ""),
    ],
)
def test_a_name_is_one_line_of_bearable_length(given: str, kept: str) -> None:
    assert one_line(given) == kept
    assert Author(id="1", name=given).name == kept
    assert File(id="1", name=given).name == kept
    assert Room(title=given, kind=RoomKind.GROUP, open=True, workspace="w").title == kept


def test_an_address_with_half_a_sign_in_it_can_be_written_and_read() -> None:
    odd = Address(platform="slack", account="T\ud83d", chat="C0\0", thread="\udc00", message="冰")
    assert str(odd) == "slack:T%3F/C0%00/%3F#%E5%86%B0"
    assert Address.parse(str(odd)).account == "T?"
