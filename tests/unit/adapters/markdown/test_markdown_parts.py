"""Cutting long Markdown: at its joints, within the limits, with nothing broken or lost."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from adapters.markdown import cuts, feishu, plain, slack, telegram
from adapters.markdown.tree import Span
from tests.fakes.markup_rules import feishu_problem, slack_problem, telegram_problem

Parts = Callable[[str], list[str]]

every_parts = pytest.mark.parametrize(
    "parts", [slack.parts, telegram.parts, feishu.parts], ids=["slack", "telegram", "feishu"]
)


def problem(parts: Parts, text: str) -> str | None:
    if parts is slack.parts:
        message = slack.render(text, {})
        return slack_problem(message.text, message.blocks)
    if parts is telegram.parts:
        sent = telegram.render(text, {})
        return telegram_problem(sent.text, sent.entities)
    posted = feishu.render(text, {})
    return feishu_problem(posted.msg_type, posted.content)


def pieces(parts: Parts, text: str) -> list[str]:
    """The pieces, each of which must be fit to be posted."""
    found = parts(text)
    for piece in found:
        assert problem(parts, piece) is None, piece[:200]
    return found


def shown(found: list[str]) -> str:
    return "".join(map(plain.render, found))


def bare(text: str) -> str:
    return "".join(text.split())


ODD = {
    "one long word": "x" * 30_000,
    "a long address": "https://x.test/" + "a" * 20_000,
    "emoji": "🙂" * 12_000,
    "families": "👩‍👩‍👧‍👦" * 4_000,
    "flags": "🇨🇳" * 8_000,
    "combining marks": "e\u0301" * 12_000,
    "marks without end": "z" + "\u0300" * 30_000,
    "right to left": "مرحبا بالعالم " * 2_500,
    "Chinese without blanks": "今天下午三点开会讨论发布计划" * 2_000,
    "signs of markup": "*_`[<&>~|#" * 1_200,
    "lines": "Row with some detail.\n" * 2_500,
    "deep quotes": "> " * 20 + "word " * 6_000,
    "deep lists": "\n".join("  " * at + f"- level {at} " + "word " * 400 for at in range(20)),
    "too deep to nest": ">" * 500 + " word" * 5_000,
    "one long code line": "```\n" + "x" * 100_000 + "\n```",
    "a wide table": "| "
    + "head " * 300
    + "| b |\n|---|---|\n"
    + ("| " + "x " * 400 + "| y |\n") * 40,
}


@every_parts
@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts_are_cut_into_fit_pieces_without_loss(parts: Parts, text: str) -> None:
    found = pieces(parts, text)
    assert len(found) > 1
    if text.startswith("| "):
        assert shown(found).count("x") == text.count("x")
    else:
        marks = str.maketrans("", "", ">•" if text.startswith((">", "-")) else "")
        assert bare(shown(found)).translate(marks) == bare(plain.render(text)).translate(marks)


@every_parts
@pytest.mark.parametrize("text", ["", "  \n\t\n"])
def test_a_text_without_words_has_no_pieces(parts: Parts, text: str) -> None:
    assert parts(text) == []


@every_parts
@pytest.mark.parametrize(
    "text", ["Done.", "完成了。", "- a\n- b\n\n```\nx\n```", "[1]: https://x.test"]
)
def test_a_short_text_stays_as_it_was_written(parts: Parts, text: str) -> None:
    assert parts(text) == [text]


@every_parts
def test_code_is_closed_and_opened_again_with_its_language(parts: Parts) -> None:
    lines = [f"line_{at} = '``' + 'x' * {at}" for at in range(4_000)]
    found = pieces(parts, "```python\n" + "\n".join(lines) + "\n```")
    assert len(found) > 1
    for piece in found:
        assert piece.startswith("```python\n")
        assert piece.endswith("\n```")
    inside = [line for piece in found for line in piece.split("\n")[1:-1]]
    assert inside == lines


@every_parts
def test_a_table_is_cut_between_rows_under_its_header_again(parts: Parts) -> None:
    rows = [f"| 第{at}行 | value {at} | **{at}** |" for at in range(900)]
    text = "\n".join(["| 名称 | Value | n |", "| --- | :-: | --: |", *rows])
    found = pieces(parts, text)
    assert len(found) > 1
    for piece in found:
        assert piece.split("\n")[:2] == ["| 名称 | Value | n |", "| --- | :-: | --: |"]
    assert [line for piece in found for line in piece.split("\n")[2:]] == rows


@every_parts
def test_a_numbered_list_counts_on_in_the_next_piece(parts: Parts) -> None:
    found = pieces(parts, "\n".join(f"{at}. entry {'word ' * 40}" for at in range(1, 301)))
    numbers = [line.partition(".")[0] for piece in found for line in piece.split("\n")]
    assert [int(number) for number in numbers if number.isdigit()] == list(range(1, 301))


@every_parts
def test_a_heading_goes_with_what_it_heads(parts: Parts) -> None:
    sections = [f"## Section {at}\n\n{'Some words about it. ' * 45}" for at in range(120)]
    found = pieces(parts, "\n\n".join(sections))
    assert len(found) > 1
    assert all(piece.startswith("## ") for piece in found)


@every_parts
def test_a_link_is_never_cut(parts: Parts) -> None:
    link = "[the long name of a page](https://docs.test/a_(b)?c=d)"
    found = pieces(parts, " ".join([link] * 600))
    assert len(found) > 1
    assert sum(piece.count(link) for piece in found) == 600


@every_parts
def test_a_bare_address_is_never_cut(parts: Parts) -> None:
    address = "https://wiki.example.test/projects/release?page=2&sort=name"
    found = pieces(parts, "，见".join([address] * 600))
    assert len(found) > 1
    assert sum(piece.count(address) for piece in found) == 600


@every_parts
def test_text_is_cut_after_sentences(parts: Parts) -> None:
    for sentence in ("This is a sentence of some length. ", "这是一个有一定长度的句子。"):
        found = pieces(parts, sentence * 1_500)
        assert all(piece.endswith(sentence.strip()) for piece in found)


@every_parts
def test_emphasis_goes_on_in_the_next_piece(parts: Parts) -> None:
    found = pieces(parts, f"**{'very important words ' * 1_600}end**")
    assert len(found) > 1
    assert all(piece.startswith("**") and piece.endswith("**") for piece in found)


@every_parts
def test_a_quote_stays_a_quote(parts: Parts) -> None:
    found = pieces(parts, "\n".join(f"> line {at} of the quote" for at in range(2_000)))
    assert len(found) > 1
    assert all(line.startswith("> ") for piece in found for line in piece.split("\n"))


@every_parts
def test_references_still_lead_somewhere_in_every_piece(parts: Parts) -> None:
    text = (
        "\n\n".join(["See [the plan][1] " + "word " * 300] * 30) + "\n\n[1]: https://plan.test/x\n"
    )
    found = pieces(parts, text)
    assert sum(piece.count("[the plan](https://plan.test/x)") for piece in found) == 30


@every_parts
def test_two_cuts_of_the_same_text_are_the_same(parts: Parts) -> None:
    text = "\n\n".join(ODD.values())[:60_000]
    assert parts(text) == parts(f"{text} ".removesuffix(" "))


def test_emoji_are_counted_as_telegram_counts_them() -> None:  # TG-OUT-01
    found = pieces(telegram.parts, "🙂" * 3_000)
    assert "".join(found) == "🙂" * 3_000
    assert len(found) == 2
    assert pieces(telegram.parts, "a.b-c!" * 680) != []


def test_many_short_lines_reach_slack_whole() -> None:  # SL-OUT-01
    text = "Row with some detail.\n" * 2_500
    found = pieces(slack.parts, text)
    assert all(len(slack.render(piece, {}).text) <= 4_000 for piece in found)
    assert "\n".join(found).count("Row with some detail.") == 2_500


def test_sections_and_long_sections_are_within_slacks_limits() -> None:  # SL-OUT-02
    assert pieces(slack.parts, "\n\n".join(f"## Title {at}\n\nshort" for at in range(60)))
    assert pieces(slack.parts, "y" * 3_200)
    assert len(pieces(slack.parts, "\n\n".join("z" * 2_900 for _ in range(6)))) == 6


def test_a_sixth_table_goes_on_another_card() -> None:  # FS-OUT-01
    found = pieces(feishu.parts, "| h1 | h2 |\n|---|---|\n| a | b |\n\n" * 6)
    assert [piece.count("| h1 | h2 |") for piece in found] == [5, 1]


def test_a_message_has_no_more_entities_than_telegram_counts() -> None:
    found = pieces(telegram.parts, " ".join(f"**b{at}** `c{at}`" for at in range(240)))
    assert len(found) > 4
    sent = telegram.render(" ".join(f"`c{at}` **b**" for at in range(150)), {})
    assert telegram_problem(sent.text, sent.entities) is None


@pytest.mark.parametrize(
    "cluster", ["👩‍👩‍👧‍👦", "👍🏽", "🇨🇳", "e\u0301", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u1100\u1161\u11a8", "❤️"], ids=ascii
)
def test_no_cut_goes_through_what_people_see_as_one_sign(cluster: str) -> None:
    text = cluster * 4
    size = len(cluster)
    for at in range(size, len(text)):
        assert cuts.whole(text, at) == at - at % size
    assert cuts.pause((Span(text),), 2 * size + 1) == 2 * size


def test_pieces_follow_each_other_as_written() -> None:
    text = "\n\n".join(f"Paragraph {at}. " + "Words in it. " * 30 for at in range(80))
    found = slack.parts(text)
    order = [text.index(piece[:20]) for piece in found]
    assert all(one < other for one, other in pairwise(order))


@pytest.mark.parametrize(
    "sign", ["*", "[", "`", ">", "@", "_a", "<", "我", "1. ", "| a ", "](", "&"]
)
def test_ten_thousand_odd_signs_are_cut_in_a_moment(sign: str) -> None:
    text = (sign * 10_000)[:10_000]
    for parts in (slack.parts, telegram.parts, feishu.parts):
        assert parts(text)
