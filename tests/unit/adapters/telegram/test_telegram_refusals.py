"""What Telegram's errors mean, as the real client raises them."""

import httpx
import pytest
from telegram import error as telegram

from adapters.errors import AdapterError, Refused, Retry, Unknown
from adapters.telegram.refusals import (
    Conflicted,
    Moved,
    Revoked,
    ThreadGone,
    Unchanged,
    Unformatted,
    translated,
)


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


UNREAD = telegram.TelegramError("Invalid server response")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (telegram.BadRequest("Can't parse entities: bad"), Unformatted),
        (telegram.BadRequest("Message thread not found"), ThreadGone),
        (telegram.BadRequest("Message is not modified: same"), Unchanged),
        (telegram.BadRequest("Message is too long"), Refused),
        (telegram.BadRequest("Not enough rights to send text messages to the chat"), Refused),
        (telegram.Forbidden("bot was blocked by the user"), Refused),
        (telegram.ChatMigrated(-100), Moved),
        (telegram.InvalidToken("Unauthorized"), Revoked),
        (telegram.Conflict("terminated by other getUpdates request"), Conflicted),
        (telegram.NetworkError("Bad Gateway"), Retry),
        (caused(telegram.NetworkError("x"), httpx.ConnectError("x")), Retry),
        (caused(telegram.TimedOut(), httpx.ConnectTimeout("x")), Retry),
        (caused(telegram.TimedOut(), httpx.PoolTimeout("x")), Retry),
        (caused(telegram.NetworkError("x"), httpx.ProxyError("x")), Retry),
        (caused(telegram.TimedOut(), httpx.ReadTimeout("x")), Unknown),
        (caused(telegram.TimedOut(), httpx.WriteTimeout("x")), Unknown),
        (caused(telegram.NetworkError("x"), httpx.RemoteProtocolError("x")), Unknown),
        (caused(telegram.NetworkError("x"), httpx.ReadError("x")), Unknown),
        (UNREAD, Unknown),
        (KeyError("message_id"), Unknown),
    ],
)  # fmt: skip
def test_each_error_has_one_meaning(error: Exception, kind: type[AdapterError]) -> None:
    assert type(translated(error)) is kind


def test_a_gateway_in_between_leaves_it_in_doubt() -> None:
    """502 of a proxy: Telegram may have taken the message."""
    assert type(translated(caused(telegram.NetworkError("Bad Gateway"), UNREAD))) is Unknown


def test_a_page_that_is_not_telegrams_is_no_verdict_on_the_token() -> None:
    """404 or 403 with HTML: the sign-in page of a network, or a proxy."""
    for error in (telegram.InvalidToken("Not Found"), telegram.Forbidden("Forbidden")):
        assert type(translated(caused(error, UNREAD))) is Retry


def test_a_move_is_tried_again_at_once() -> None:
    moved = translated(telegram.ChatMigrated(-1002000000011))
    assert isinstance(moved, Moved)
    assert (moved.chat, moved.after) == (-1002000000011, 0.0)


def test_a_webhook_is_told_apart_from_a_second_poller() -> None:
    webhook = translated(telegram.Conflict("can't use getUpdates method while webhook is active"))
    poller = translated(telegram.Conflict("terminated by other getUpdates request"))
    assert isinstance(webhook, Conflicted)
    assert isinstance(poller, Conflicted)
    assert (webhook.webhook, poller.webhook) == (True, False)


def test_unknown_refusals_keep_telegrams_words() -> None:
    assert "STRANGE_THING" in str(translated(telegram.BadRequest("STRANGE_THING")))
