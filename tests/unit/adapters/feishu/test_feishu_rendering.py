"""Whatever is written, the platform takes it, and its reader sees it."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.chat import Address, Author, Button, Outgoing
from adapters.feishu.sending import plain_content, rendered
from adapters.markdown import feishu as markdown
from tests.fakes import feishu_rules as rules

ROOM = Address(platform="feishu", account="cli_1", chat="oc_1")
PIECES = [
    "# Title", "- item", "1. one", "> quote", "**bold**", "*it*", "~~gone~~", "`code`",
    "```python\nprint(1)\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "[link](https://e.org/x_y)",
    "<at user_id=\"all\"></at>", "<at id=all></at>", "@Ana", "@all", "---", "周五发布", "👍🏽",
    "$x$", "a_b_c", "&amp;", "<b>html</b>", "!(x)", "![pic](https://e.org/p.png)", "\\*", "  ",
]  # fmt: skip
GAPS = st.sampled_from([" ", "\n", "\n\n"])
TEXTS = st.builds(
    lambda gap, pieces: gap.join(pieces),
    GAPS,
    st.lists(st.sampled_from(PIECES) | st.text(max_size=12), min_size=1, max_size=12),
)
PEOPLE = (Author(id="ou_ana", name="Ana"),)
BUTTONS = (Button(label="Yes", value="consent:1:yes"),)


@given(TEXTS, st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_every_text_is_taken_and_calls_nobody_it_should_not(
    text: str, with_buttons: bool, repeat: bool
) -> None:
    for part in markdown.parts(text) or [text]:
        letter = Outgoing(
            key="k", room=ROOM, text=part, people=PEOPLE, possible_repeat=repeat,
            buttons=BUTTONS if with_buttons else (),
        )  # fmt: skip
        for kind, content in (rendered(letter), ("text", plain_content(part))):
            if part.strip():
                assert rules.refusal(kind, content, {"ou_ana"}) is None
            assert set(rules.mentions(kind, content)) <= {"ou_ana"}


@given(st.lists(st.sampled_from(["alpha", "周五", "42", "👍"]), min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_a_reader_sees_every_word_as_formatted_and_as_plain_text(words: list[str]) -> None:
    text = "\n\n".join(f"**{word}** `{word}`" for word in words)
    letter = Outgoing(key="k", room=ROOM, text=text)
    for kind, content in (rendered(letter), ("text", plain_content(text))):
        seen = rules.seen(kind, content, {})
        assert re.findall("alpha|周五|42|👍", seen) == [w for word in words for w in (word, word)]
