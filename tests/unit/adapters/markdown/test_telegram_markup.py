"""Markdown on Telegram: plain text and entities counted in UTF-16 units."""

from typing import Any

from adapters.markdown import telegram
from adapters.markdown.telegram import TelegramText
from tests.fakes.markup_rules import telegram_problem

PEOPLE = {"Mira": "40001", "陈梅": "40002", "Sam": "@sam"}


def render(text: str) -> TelegramText:
    message = telegram.render(text, PEOPLE)
    assert telegram_problem(message.text, message.entities) is None
    return message


def marked(text: str) -> list[tuple[str, str]]:
    """Each entity's kind and the text under it."""
    message = render(text)
    whole = message.text.encode("utf-16-le")
    found = []
    for entity in message.entities:
        start, end = 2 * entity["offset"], 2 * (entity["offset"] + entity["length"])
        found.append((entity["type"], whole[start:end].decode("utf-16-le")))
    return found


def fields(text: str) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in entity.items() if name not in ("offset", "length")}
        for entity in render(text).entities
    ]


def test_offsets_count_emoji_as_two() -> None:
    assert render("🙂 **fett** 👩‍💻 *你好*").entities == (
        {"type": "bold", "offset": 3, "length": 4},
        {"type": "italic", "offset": 14, "length": 2},
    )


def test_signs_of_markup_in_plain_words_stay_as_they_are() -> None:  # TG-OUT-02
    text = "Use `snake_case`, cost is 5.0! (approx) — see https://x.test/a_b_c *unclosed"
    message = render(text)
    assert message.text == text.replace("`", "")
    assert marked(text) == [("code", "snake_case")]


def test_headings_are_bold_and_lists_have_bullets_and_indents() -> None:
    message = render(
        "## Plan\n\n1. eins\n   - zwei\n\n     mehr\n2. drei\n\n- [x] 完成\n- [ ] 待办"
    )
    assert message.text == ("Plan\n\n1. eins\n   • zwei\n     mehr\n2. drei\n\n☑ 完成\n☐ 待办")
    assert marked("## 计划 A") == [("bold", "计划 A")]


def test_code_has_its_language_and_nothing_inside() -> None:
    text = "```python\n**x** = '@Mira'\n```"
    assert marked(text) == [("pre", "**x** = '@Mira'")]
    assert fields(text) == [{"type": "pre", "language": "python"}]


def test_a_quote_is_one_entity_with_what_is_in_it() -> None:
    text = "> 他说 **好**\n>\n> > inner\n\nafter"
    assert render(text).text == "他说 好\n\n> inner\n\nafter"
    assert marked(text) == [("blockquote", "他说 好\n\n> inner"), ("bold", "好")]


def test_links_are_links_and_keep_emphasis_inside() -> None:
    text = "[the **new** docs](https://x.test/a) ![图](https://x.test/i.png) [x](javascript:y)"
    assert render(text).text == "the new docs 图 [x](javascript:y)"
    assert marked(text) == [("text_link", "the new docs"), ("bold", "new"), ("text_link", "图")]
    assert fields(text)[0] == {"type": "text_link", "url": "https://x.test/a"}


def test_a_name_becomes_a_mention_of_its_id() -> None:
    assert fields("@mira，请@陈梅看；@Sam stays") == [
        {"type": "text_mention", "user": {"id": 40001, "is_bot": False, "first_name": "mira"}},
        {"type": "text_mention", "user": {"id": 40002, "is_bot": False, "first_name": "陈梅"}},
    ]
    assert marked("@mira，请@陈梅看") == [("text_mention", "@mira"), ("text_mention", "@陈梅")]


def test_a_table_is_lined_up_and_one_with_links_is_text() -> None:
    assert marked("| a | 数 |\n|---|--:|\n| xyz | 1 |") == [("pre", "a   │ 数\n────┼───\nxyz │  1")]
    text = "| who | what |\n|---|---|\n| @Mira | [doc](https://x.test) |"
    assert render(text).text == "who · what\n@Mira · doc"
    assert ("text_mention", "@Mira") in marked(text)


def test_emphasis_outside_of_code_ends_before_it() -> None:
    assert marked("**a `b` c**") == [("bold", "a "), ("code", "b"), ("bold", " c")]


def test_units_are_those_of_utf_16() -> None:
    assert telegram.units("a🙂中") == 4


def test_empty_text_is_an_empty_message() -> None:
    assert telegram.render("\n", {}) == TelegramText(text="", entities=())


def test_nobody_is_called_by_their_number() -> None:
    for link in ("[hey](tg://user?id=40001)", "[hey](TG://User?id=40001)", "<tg://user?id=40001>"):
        message = render(link)
        assert message.entities == ()
        assert "40001" in message.text
    assert marked("[the channel](tg://resolve?domain=news)") == [("text_link", "the channel")]
