"""What aiohttp tells of a broken way, without what nobody else may read; and the time it brings."""

from datetime import UTC, datetime

import aiohttp
import pytest
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from adapters.findings import Level, of_clocks
from adapters.network import never_left, reason, time_told

SECRET = URL("wss://me:hunter2@slack.test/link?ticket=t0p")
INFO = aiohttp.RequestInfo(SECRET, "GET", CIMultiDictProxy(CIMultiDict()), SECRET)
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (aiohttp.ClientHttpProxyError(INFO, (), status=502, message="Who?"), "HTTP 502 Who?"),
        (aiohttp.WSServerHandshakeError(INFO, (), status=403, message="No"), "HTTP 403 No"),
        (aiohttp.InvalidURL(SECRET), "…"),
        (aiohttp.ServerDisconnectedError(), "Server disconnected"),
        (TimeoutError(), "TimeoutError"),
        (OSError("[Errno -2] Name or service not known"), "[Errno -2] Name or service not known"),
    ],
)
def test_a_reason_says_what_is_wrong_and_no_address(error: Exception, told: str) -> None:
    assert reason(error) == told


def test_only_what_found_no_way_out_has_certainly_not_arrived() -> None:
    assert never_left(aiohttp.ConnectionTimeoutError())
    assert never_left(aiohttp.ClientHttpProxyError(INFO, (), status=502))
    assert not never_left(aiohttp.ServerDisconnectedError())
    assert not never_left(aiohttp.SocketTimeoutError())


@pytest.mark.parametrize(
    ("date", "told"),
    [
        ("Mon, 30 Nov 2026 12:00:00 GMT", NOON),
        ("Mon, 30 Nov 2026 12:00:00 -0000", NOON),
        ("Mon, 30 Nov 2026 13:00:00 +0100", NOON),
        ("noon", None),
        ("", None),
    ],
)
def test_the_time_of_an_answer_is_read_where_it_can_be(date: str, told: datetime | None) -> None:
    assert time_told(date) == told


@pytest.mark.parametrize(
    ("theirs", "level", "words"),
    [
        (NOON.replace(second=59), Level.OK, "agrees with Slack's"),
        (NOON.replace(minute=5), Level.WARN, "300 s behind Slack's"),
        (NOON.replace(hour=11), Level.WARN, "3600 s ahead of Slack's"),
        (None, Level.OK, "did not say"),
    ],
)
def test_clocks_are_compared(theirs: datetime | None, level: Level, words: str) -> None:
    finding = of_clocks("slack", "Slack", theirs, NOON)
    assert (finding.level, words in finding.text) == (level, True)
