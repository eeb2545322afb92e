"""Entities as Markdown: offsets in UTF-16 units, marks around words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.entities import markdown


def read(text: str, *entities: tuple[Any, ...]) -> str:
    told = [
        {"type": kind, "offset": offset, "length": length, **(dict(more[0]) if more else {})}
        for kind, offset, length, *more in entities
    ]
    return markdown(text, told, lambda _, shown: shown)


@pytest.mark.parametrize(
    ("text", "entities", "expected"),
    [
        ("a bold word", [("bold", 2, 4)], "a **bold** word"),
        ("an italic word", [("italic", 3, 6)], "an _italic_ word"),
        ("gone", [("strikethrough", 0, 4)], "~~gone~~"),
        ("secret", [("spoiler", 0, 6)], "||secret||"),
        ("run x", [("code", 4, 1)], "run `x`"),
        ("a`b", [("code", 0, 3)], "``a`b``"),
        ("x = 1", [("pre", 0, 5, {"language": "python"})], "```python\nx = 1\n```"),
        ("x = 1", [("pre", 0, 5)], "```\nx = 1\n```"),
        ("here", [("text_link", 0, 4, {"url": "https://x.test/a_b"})], "[here](https://x.test/a_b)"),
        ("one\ntwo", [("blockquote", 0, 7)], "> one\n> two"),
        ("🙂🙂 bold", [("bold", 5, 4)], "🙂🙂 **bold**"),
        ("bold 🙂", [("bold", 0, 7)], "**bold 🙂**"),
        ("bold italic", [("bold", 0, 11), ("italic", 5, 6)], "**bold _italic_**"),
        ("word ", [("bold", 0, 5)], "**word** "),
        ("  ", [("bold", 0, 2)], "  "),
        ("粗体字", [("bold", 0, 2)], "**粗体**字"),
        ("https://x.test", [("url", 0, 14)], "https://x.test"),
        ("two marks", [("italic", 0, 3), ("bold", 0, 3)], "_**two**_ marks"),
        ("beyond", [("bold", 0, 99)], "**beyond**"),
        ("beyond", [("bold", 99, 1)], "beyond"),
    ],
)  # fmt: skip
def test_formatting_becomes_markdown(text: str, entities: list[Any], expected: str) -> None:
    assert read(text, *entities) == expected


ENTITIES = st.lists(
    st.tuples(
        st.sampled_from(["bold", "italic", "code", "pre", "spoiler", "blockquote", "mention"]),
        st.integers(-3, 40),
        st.integers(-3, 40),
    ),
    max_size=6,
)


@given(st.text(alphabet="a b\n🙂粗`*", max_size=30), ENTITIES)
def test_no_entity_loses_a_sign(text: str, entities: list[Any]) -> None:
    kept = [sign for sign in text if sign in "ab粗"]
    assert [sign for sign in read(text, *entities) if sign in "ab粗"] == kept
