"""Credentials and names of the web chat."""

import pytest
from starlette.requests import Request

from adapters.web.access import Gate, Visitor, cookie_name
from adapters.web.errors import Denied, WrongHost
from adapters.web.settings import WebSettings


def gate(token: str = "a-good-token", host: str = "127.0.0.1") -> Gate:
    return Gate(WebSettings(token=token, bot_name="Limen", host=host))


def request(**headers: str) -> Request:
    sent = {"host": "127.0.0.1:8765", **headers}
    return Request(
        {
            "type": "http",
            "method": "POST",
            "path": "/",
            "scheme": "http",
            "server": ("127.0.0.1", 8765),
            "query_string": b"",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
        }
    )


def with_cookie(value: str) -> Request:
    return request(cookie=f"{cookie_name(request())}={value}")


def test_a_cookie_says_who_it_is_and_cannot_be_made_up() -> None:
    door = gate()
    for visitor in (Visitor(person=None), Visitor(person="ana"), Visitor(person="小林")):
        cookie = door.cookie_for(visitor)
        assert door.visitor(with_cookie(cookie)) == visitor
        with pytest.raises(Denied):
            door.visitor(with_cookie(cookie[:-1] + ("A" if cookie[-1] != "A" else "B")))
        with pytest.raises(Denied):
            gate("another-token").visitor(with_cookie(cookie))
    for nonsense in ("", ".", "a.b", "operator", "b3BlcmF0b3I.", "%"):
        with pytest.raises(Denied):
            door.visitor(with_cookie(nonsense))


def test_a_person_called_operator_is_no_operator() -> None:
    door = gate()
    assert door.visitor(with_cookie(door.cookie_for(Visitor(person="operator")))).operator is False


def test_a_link_is_no_cookie_and_a_cookie_is_no_link() -> None:
    door = gate()
    assert door.person_of_link(door.link_for("小林")) == "小林"
    with pytest.raises(Denied):
        door.visitor(with_cookie(door.link_for("operator")))
    with pytest.raises(Denied):
        door.person_of_link(door.cookie_for(Visitor(person="ana")))


@pytest.mark.parametrize(
    ("bound", "host", "answered"),
    [
        ("127.0.0.1", "127.0.0.1:8765", True),
        ("127.0.0.1", "localhost:8765", True),
        ("127.0.0.1", "LOCALHOST", True),
        ("127.0.0.1", "[::1]:8765", True),
        ("127.0.0.1", "evil.example", False),
        ("127.0.0.1", "localhost.evil.example", False),
        ("127.0.0.1", "192.168.1.4:8765", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[::1", False),
        ("192.168.1.4", "192.168.1.4:8765", True),
        ("team.example", "Team.example:8765", True),
        ("0.0.0.0", "192.168.1.4:8765", True),
        ("0.0.0.0", "evil.example", False),
    ],
)
def test_we_answer_to_our_own_names_only(bound: str, host: str, answered: bool) -> None:
    door = gate(host=bound)
    if answered:
        door.check_host(request(host=host))
    else:
        with pytest.raises(WrongHost):
            door.check_host(request(host=host))


def test_a_short_token_is_refused() -> None:
    with pytest.raises(ValueError, match=r"web\.token"):
        gate("short")


def test_a_wrong_token_of_any_script_is_wrong() -> None:
    door = gate()
    assert door.is_token("a-good-token")
    for wrong in ("", "a-good-toke", "a-good-token ", "密码", "\ud800"):
        assert not door.is_token(wrong)
