"""What a sender may do: by their accounts, and by nothing else."""

import pytest

from bot import access
from bot.access import Access, Right, Settings
from memory import people
from memory.people import Account
from tests.fakes.town import Town


def account(native_id: str = "U1", platform: str = "slack", **more: object) -> Account:
    return Account(
        platform=platform,
        tenant="T",
        native_id=native_id,
        name="Ann",
        **more,  # type: ignore[arg-type]
    )


def right(town: Town, who: Account, **settings: object) -> Right:
    person = people.resolve(town.tx, who, now_us=town.us)
    judge = Access(lambda signs: signs[0], settings=Settings(**settings))  # type: ignore[arg-type]
    return judge.right(town.tx, person, is_bot=who.is_bot)


@pytest.mark.parametrize(
    ("mode", "listed", "unlisted"),
    [
        ("open", Right.ALLOWED, Right.ALLOWED),
        ("pairing", Right.ALLOWED, Right.STRANGER),
        ("allowlist", Right.ALLOWED, Right.STRANGER),
    ],
)
def test_the_mode_decides_about_who_is_on_no_list(
    town: Town, mode: str, listed: Right, unlisted: Right
) -> None:
    given = {"mode": mode, "allow": ("slack:U1",), "admins": ("slack:boss",)}
    assert right(town, account("U1"), **given) is listed
    assert right(town, account("U2"), **given) is unlisted
    assert right(town, account("boss"), **given) is Right.ADMIN


def test_the_same_id_on_another_platform_is_somebody_else(town: Town) -> None:
    given = {"mode": "allowlist", "allow": ("slack:U1",)}
    assert right(town, account("U1", platform="telegram"), **given) is Right.STRANGER


def test_an_empty_id_is_on_no_list(town: Town) -> None:
    """FS-IN-13: not even on one that a broken entry put it on."""
    given = {"mode": "allowlist", "allow": ("slack:",), "admins": ("slack:",)}
    assert right(town, account(""), **given) is Right.STRANGER


def test_names_and_case_give_nothing(town: Town) -> None:
    given = {"mode": "allowlist", "allow": ("slack:Ann", "slack:u1")}
    assert right(town, account("U1"), **given) is Right.STRANGER


def test_the_accounts_of_one_person_share_their_rights(town: Town) -> None:
    given = {"mode": "allowlist", "allow": ("slack:U1",)}
    right(town, account("U1", email="ann@example.org"), **given)
    other = account("ou_1", platform="feishu", email="Ann@Example.org")
    assert right(town, other, **given) is Right.ALLOWED


def test_without_admins_the_people_of_the_web_chat_are_them(town: Town) -> None:
    assert right(town, account("mo", platform="web"), mode="allowlist") is Right.ADMIN
    given = {"mode": "allowlist", "admins": ("slack:boss",)}
    assert right(town, account("mo", platform="web"), **given) is Right.STRANGER


@pytest.mark.parametrize("mode", ["open", "allowlist"])
def test_an_admins_word_counts_in_every_mode_but_not_against_admins(town: Town, mode: str) -> None:
    given = {"mode": mode, "admins": ("slack:boss",), "allow": ("slack:U1",)}
    for name in ("slack:U1", "slack:boss"):
        access.grant(town.tx, name, allowed=False, by=None, now=town.now)
    assert right(town, account("U1"), **given) is Right.STRANGER
    assert right(town, account("boss"), **given) is Right.ADMIN
    access.grant(town.tx, "slack:U1", allowed=True, by=None, now=town.now)
    assert right(town, account("U1"), **given) is Right.ALLOWED


@pytest.mark.parametrize(("mode", "unlisted"), [("open", Right.BOT), ("pairing", Right.STRANGER)])
def test_another_bot_may_wake_nothing_unless_it_is_allowed(
    town: Town, mode: str, unlisted: Right
) -> None:
    given = {"mode": mode, "allow": ("slack:B1",), "admins": ("slack:B3",)}
    assert right(town, account("B1", is_bot=True), **given) is Right.ALLOWED_BOT
    assert right(town, account("B2", is_bot=True), **given) is unlisted
    assert right(town, account("B3", is_bot=True), **given) is unlisted, "no bot is an admin"
    assert not Right.ALLOWED_BOT.orders


def test_turns_of_bots_are_few_until_a_person_speaks(town: Town) -> None:
    chat = town.room("plans")
    turns = [access.takes_turn(town.tx, chat) for _ in range(5)]
    assert turns == [True] * access.BOT_TURNS + [False] * 2
    assert access.takes_turn(town.tx, town.room("other"))
    access.person_spoke(town.tx, chat)
    assert access.takes_turn(town.tx, chat)
