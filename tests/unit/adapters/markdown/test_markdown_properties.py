"""Whatever Markdown is said, every platform takes it, within its limits, and nothing is lost."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings

from adapters.markdown import feishu, plain, slack, telegram
from adapters.markdown.parser import parse
from adapters.markdown.writer import written
from tests.fakes.markdown_texts import long, raw, structured
from tests.fakes.markup_rules import feishu_problem, slack_problem, telegram_problem
from tests.fakes.markup_sight import feishu_sight, slack_sight, telegram_sight

People = Mapping[str, str]
Shown = tuple[str | None, str]
"""What is wrong with a message, and what its reader sees."""


@dataclass(frozen=True)
class Platform:
    name: str
    parts: Callable[[str], list[str]]
    show: Callable[[str, People], Shown]
    person: str


def on_slack(text: str, people: People) -> Shown:
    message = slack.render(text, people)
    return slack_problem(message.text, message.blocks), slack_sight(message.blocks)


def on_telegram(text: str, people: People) -> Shown:
    message = telegram.render(text, people)
    problem = telegram_problem(message.text, message.entities)
    return problem, telegram_sight(message.text, message.entities)


def on_feishu(text: str, people: People) -> Shown:
    message = feishu.render(text, people)
    problem = feishu_problem(message.msg_type, message.content)
    return problem, feishu_sight(message.msg_type, message.content)


def on_feishu_card(text: str, people: People) -> Shown:
    message = feishu.card(text, people)
    problem = feishu_problem(message.msg_type, message.content)
    return problem, feishu_sight(message.msg_type, message.content)


PLATFORMS = [
    Platform("slack", slack.parts, on_slack, "U0MIRA"),
    Platform("telegram", telegram.parts, on_telegram, "40001"),
    Platform("feishu", feishu.parts, on_feishu, "ou_0123456789abcdef0123456789abcdef"),
    Platform("feishu card", feishu.parts, on_feishu_card, "ou_0123456789abcdef0123456789abcdef"),
]
each_platform = pytest.mark.parametrize("platform", PLATFORMS, ids=lambda found: found.name)
some = settings(max_examples=20, deadline=None, derandomize=True)
few = settings(max_examples=3, deadline=None, derandomize=True)


def letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


def first_lost(text: str, seen: str) -> str:
    """What a reader misses: the words from the first letter on that does not come in its order."""
    signs: Iterator[str] = iter(letters(seen))
    wanted = letters(plain.render(text))
    lost = (at for at, sign in enumerate(wanted) if sign not in signs)
    at = next(lost, len(wanted))
    return wanted[at : at + 40]


def assert_shown(text: str, platform: Platform) -> None:
    seen = ""
    for part in platform.parts(text):
        problem, sight = platform.show(part, {})
        assert problem is None, (problem, part)
        seen += f"{sight}\n"
    assert first_lost(text, seen) == ""


@each_platform
@some
@given(text=raw)
def test_any_text_is_accepted_and_wholly_seen(platform: Platform, text: str) -> None:
    assert_shown(text, platform)


@each_platform
@some
@given(text=structured)
def test_any_structure_is_accepted_and_wholly_seen(platform: Platform, text: str) -> None:
    assert_shown(text, platform)


@each_platform
@few
@given(text=long)
def test_long_markdown_is_cut_into_accepted_pieces(platform: Platform, text: str) -> None:
    assert_shown(text, platform)


@each_platform
@few
@given(text=long)
def test_a_piece_is_accepted_with_mentions_and_the_mark_of_a_repeat(
    platform: Platform, text: str
) -> None:
    people = {"Mira": platform.person}
    for part in platform.parts(text):
        problem, _ = platform.show(f"{plain.repeat_mark(part)}\n\n{part}", people)
        assert problem is None, (problem, part)


@some
@given(text=structured)
def test_what_is_written_again_reads_the_same(text: str) -> None:
    again = written(parse(text))
    assert plain.render(again) == plain.render(text)
    assert [type(block) for block in parse(again)] == [type(block) for block in parse(text)]


@some
@given(text=raw)
def test_signs_that_look_like_markup_are_written_again_as_signs(text: str) -> None:
    assert letters(plain.render(written(parse(text)))) == letters(plain.render(text))
