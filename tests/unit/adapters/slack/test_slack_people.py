"""Whose e-mail address shows who they are elsewhere: by it accounts share rights and rooms."""

from typing import Any

import pytest

from adapters.slack.directory import Directory, Identity

ME = Identity(team="T1", team_name="Acme", user="UBOT", bot="B1", handle="limen")
BOSS = "boss@example.org"


@pytest.mark.parametrize(
    ("more", "address"),
    [
        ({"team_id": "T1"}, BOSS),
        ({"team_id": "T1", "is_email_confirmed": True}, BOSS),
        ({"team_id": "E1", "enterprise_user": {"teams": ["T1", "T2"]}}, BOSS),
        ({"team_id": "T1", "is_restricted": True}, BOSS),
        ({"team_id": "T1", "is_email_confirmed": False}, None),
        ({"team_id": "T9"}, None),
        ({"team_id": "T9", "is_email_confirmed": True}, None),
        ({"team_id": "T1", "is_stranger": True}, None),
    ],
    ids=[
        "a colleague", "confirmed", "of the same enterprise", "a guest whom we invited",
        "only claimed", "of another workspace", "confirmed there", "a stranger",
    ],
)  # fmt: skip
def test_only_our_own_workspace_vouches_for_an_address(
    more: dict[str, Any], address: str | None
) -> None:
    """Whoever runs a workspace in a shared channel could call somebody by our admin's address."""
    directory = Directory(bot_name="Limen", me=ME)
    profile = {"display_name": "Boss", "email": BOSS}
    directory.learn_person({"id": "U1", "profile": profile} | more)
    found = directory.author("U1")
    assert (found.name, found.email) == ("Boss", address)


@pytest.mark.parametrize(
    ("more", "zone"),
    [({"tz": "Asia/Shanghai"}, "Asia/Shanghai"), ({}, None), ({"tz": None}, None),
     ({"tz": "Asia/Shanghai", "is_bot": True}, None)],
)  # fmt: skip
def test_a_persons_zone_is_the_one_of_their_profile(more: dict[str, Any], zone: str | None) -> None:
    """`tz` of users.info is an IANA name."""
    directory = Directory(bot_name="Limen", me=ME)
    directory.learn_person({"id": "U1", "profile": {"display_name": "Lin"}} | more)
    assert directory.author("U1").zone == zone
