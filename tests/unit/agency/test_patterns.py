"""Grouped alternations find exactly what the plain ones find."""

import re

import pytest

from agency.patterns import any_of

PARTS = (
    r"\b(?:done|ready|live)\b|\bhere (?:is|are)\b",
    r"^(?:sent|merged)\b",
    r"[|(] ?odd|\bin [a|b]\b|\b(?-i:Mo) said\b",
    r"\|pipe\b|完成了|\b(?:已经)?好了",
)
TEXTS = (
    "It is done and ready.",
    "sent yesterday, here are the notes",
    "was not sent",
    "half-done |odd in a mo said Mo said",
    "a|pipe, 完成了",
    "都好了 already",
    "",
    "nothing of the kind",
)


@pytest.mark.parametrize("text", TEXTS)
def test_the_same_place_is_found(text: str) -> None:
    plain = re.compile("|".join(PARTS), re.IGNORECASE).search(text)
    grouped = any_of(*PARTS).search(text)
    assert (plain and plain.span()) == (grouped and grouped.span())


def test_what_may_begin_without_a_letter_is_still_found_at_the_end_of_a_word() -> None:
    assert any_of(r"\b's late\b", r"\bwaits\b").search("Bo's late")
