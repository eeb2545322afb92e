"""A property: whatever people write comes through the wire with every letter and digit."""

import asyncio
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.chat import EventKind
from tests.fakes.four_chats import KINDS
from tests.fakes.live import Line, one_chat

MARKUP = (
    "*", "**", "_", "~", "`", "```\n", "> ", "# ", "- ", "1. ", "| a | b |", "\\", "&", "<", ">",
    "&amp;", "<b>", "</b>", "<@U0MO>", "<!channel>", "@_user_1", "@all", '<at user_id="all"></at>',
    "[a](https://example.org/x?y=1&z=2)", "https://例子.测试/路径", "{{x}}", "${y}", "\n", "\n\n",
)  # fmt: skip
WORDS = st.one_of(
    st.sampled_from(MARKUP),
    st.sampled_from("release Straße naïve ４２ 发布路径 周五前做完 繁體字 カナ".split()),
    st.sampled_from("👍 👍🏽 👩\u200d👧 🇪🇺 ❤️ ☎ \u200b \u202e e\u0301 \U00020000".split(" ")),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12),
)  # fmt: skip
TEXTS = st.lists(st.lists(WORDS, max_size=9).map(" ".join), min_size=1, max_size=6)
numbers = count(1)


def kept(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(filter(str.isalnum, text))


async def heard(line: Line, texts: list[str]) -> list[str]:
    """What arrives when somebody sends these one after the other."""
    ids = [await line.platform.say("ana", "project", text) for text in texts]

    def arrived() -> list[str]:
        said = {event.address.message: event.text for event in line.heard.of(EventKind.NEW)}
        return [said[id] for id in ids if id in said]

    await line.platform.until(lambda: len(arrived()) == len(ids))
    return arrived()


@pytest.mark.parametrize("name", KINDS)
def test_no_letter_and_no_digit_is_lost_on_the_way_in(name: str, tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        opened = one_chat(KINDS[name].make(), tmp_path)
        line = runner.run(opened.__aenter__())

        @settings(
            max_examples=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        )
        @given(TEXTS)
        def check(texts: list[str]) -> None:
            sent = [f"Nr{next(numbers)} {text}" for text in texts]
            came = runner.run(heard(line, sent))
            assert [kept(text) for text in came] == [kept(text) for text in sent]

        try:
            check()
        finally:
            runner.run(opened.__aexit__(None, None, None))
