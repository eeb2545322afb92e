"""Feishu's codes in our three words."""

import pytest

from adapters.errors import Refused, Retry
from adapters.feishu.errors import Rejected, verdict


@pytest.mark.parametrize(
    ("code", "status", "kind", "says"),
    [
        (99991400, 429, Retry, "no more calls"),
        (99991400, 400, Retry, "no more calls"),
        (230020, 400, Retry, "no more calls"),
        (0, 429, Retry, "no more calls"),
        (99991663, 400, Retry, "fresh token"),
        (230049, 400, Retry, "posting this very message"),
        (1500, 200, Retry, "internal error"),
        (42, 503, Retry, "right now"),
        (230002, 400, Refused, "群机器人"),
        (230013, 400, Refused, "可用范围"),
        (230006, 400, Refused, "添加应用能力"),
        (99991672, 400, Refused, "limen doctor"),
        (99992361, 400, Refused, "another app"),
        (424242, 400, Refused, "Feishu refused it"),
    ],
)
def test_every_code_is_one_of_three_words(
    code: int, status: int, kind: type[Exception], says: str
) -> None:
    judged = verdict(Rejected(code, "the platform's words", status=status, after=3.0))
    assert type(judged) is kind
    assert says in str(judged)
    assert str(code) in str(judged)
    assert "the platform's words" in str(judged)


def test_the_wait_the_platform_names_is_kept() -> None:
    judged = verdict(Rejected(99991400, "slow down", status=429, after=7.5))
    assert isinstance(judged, Retry)
    assert judged.after == 7.5
