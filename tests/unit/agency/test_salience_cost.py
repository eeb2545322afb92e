"""Odd messages cost no more than the clock can bear: what is read never grows by its square."""

import pytest

from agency import salience
from memory import words

ODD = ["*", "[", "`", ">", "@", " ", "x", "a-", "_a", "我", "1", '"', "from ", "from a to b "]


@pytest.mark.parametrize("sign", ODD)
@pytest.mark.timeout(10)
def test_thirty_thousand_odd_signs_are_read_in_a_moment(sign: str) -> None:
    text = (sign * 32_000)[:32_000]
    salience.read(text)
    salience.score(text)
    words.terms(text)
    words.prepare(text)
