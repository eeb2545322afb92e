"""Whatever Markdown is said, every platform takes it, within its limits, and nothing is lost."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from adapters.markdown import feishu, plain, slack, telegram
from tests.fakes.markdown_texts import any_markdown, long
from tests.fakes.markup_rules import feishu_problem, slack_problem, telegram_problem
from tests.fakes.markup_sight import feishu_sight, slack_sight, telegram_sight

NOBODY: dict[str, str] = {}


def on_slack(text: str) -> tuple[str | None, str]:
    message = slack.render(text, NOBODY)
    return slack_problem(message.text, message.blocks), slack_sight(message.blocks)


def on_telegram(text: str) -> tuple[str | None, str]:
    message = telegram.render(text, NOBODY)
    problem = telegram_problem(message.text, message.entities)
    return problem, telegram_sight(message.text, message.entities)


def on_feishu(text: str) -> tuple[str | None, str]:
    message = feishu.render(text, NOBODY)
    problem = feishu_problem(message.msg_type, message.content)
    return problem, feishu_sight(message.msg_type, message.content)


PLATFORMS = [(slack, on_slack), (telegram, on_telegram), (feishu, on_feishu)]


def letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


def first_lost(wanted: str, seen: str) -> str | None:
    """The rest of what was wanted from the first letter on that is not seen in its order."""
    signs = iter(letters(seen))
    needed = letters(wanted)
    for at, sign in enumerate(needed):
        if sign not in signs:
            return needed[at : at + 40]
    return None


def check(text: str, parts: Callable[[str], list[str]], shown: Callable[..., object]) -> None:
    seen = ""
    for part in parts(text):
        problem, sight = shown(part)  # type: ignore[misc]
        assert problem is None, (problem, part)
        seen += f"{sight}\n"
    assert first_lost(plain.render(text), seen) is None, (
        first_lost(plain.render(text), seen),
        seen,
    )


@pytest.mark.parametrize(("platform", "shown"), PLATFORMS, ids=["slack", "telegram", "feishu"])
@settings(max_examples=300, deadline=None)
@given(text=any_markdown)
def test_any_markdown_is_accepted_and_wholly_seen(platform, shown, text: str) -> None:
    check(text, platform.parts, shown)


@pytest.mark.parametrize(("platform", "shown"), PLATFORMS, ids=["slack", "telegram", "feishu"])
@settings(max_examples=60, deadline=None)
@given(text=long)
def test_long_markdown_is_cut_into_accepted_pieces(platform, shown, text: str) -> None:
    check(text, platform.parts, shown)
