"""Markdown on Slack: rich text blocks, and mrkdwn that pings nobody by accident."""

import pytest

from adapters.markdown import slack
from adapters.markdown.slack import SlackMessage
from tests.fakes.markup_rules import slack_problem

PEOPLE = {"Mira": "U0MIRA0001", "Mira Chen": "U0CHEN0001", "陈梅": "U0CHENMEI1", "Eve": "all"}


def render(text: str) -> SlackMessage:
    message = slack.render(text, PEOPLE)
    assert slack_problem(message.text, message.blocks) is None
    return message


def elements(text: str) -> list[dict[str, object]]:
    (block,) = render(text).blocks
    found: list[dict[str, object]] = block["elements"]
    return found


def parts(text: str) -> list[dict[str, object]]:
    (section,) = elements(text)
    found = section["elements"]
    assert isinstance(found, list)
    return found


def test_emphasis_holds_beside_chinese_signs() -> None:
    assert parts("今天**发布**，*慢慢*来，~~不急~~ `v1`") == [
        {"type": "text", "text": "今天"},
        {"type": "text", "text": "发布", "style": {"bold": True}},
        {"type": "text", "text": "，"},
        {"type": "text", "text": "慢慢", "style": {"italic": True}},
        {"type": "text", "text": "来，"},
        {"type": "text", "text": "不急", "style": {"strike": True}},
        {"type": "text", "text": " "},
        {"type": "text", "text": "v1", "style": {"code": True}},
    ]


def test_a_name_becomes_a_mention_in_both_forms_and_the_longest_wins() -> None:
    message = render("@Mira Chen and @mira, 请@陈梅看一下; not @Miranda or `@Mira`")
    assert message.text == (
        "<@U0CHEN0001> and <@U0MIRA0001>, 请<@U0CHENMEI1>看一下; not @Miranda or @Mira"
    )
    users = [part["user_id"] for part in parts("@Mira Chen and @mira, 请@陈梅看一下")[::2][:3]]
    assert users == ["U0CHEN0001", "U0MIRA0001", "U0CHENMEI1"]


@pytest.mark.parametrize(
    ("people", "text", "shown"),
    [
        (
            {"Mira": "U0MIRA0001", "Mira Chen": ""},
            "@Mira Chen and @Mira",
            "@Mira Chen and <@U0MIRA0001>",
        ),
        ({"Jörg Weiß": "U0JOERG001"}, "@jörg weiß, please", "<@U0JOERG001>, please"),
        ({"channel": "U0MIRA0001"}, "@channel @here", "<@U0MIRA0001> @\u2060here"),
        ({".*": "U0MIRA0001", "": "U0JON00001"}, "@.* @anybody @", "<@U0MIRA0001> @anybody @"),
    ],
    ids=[
        "a name that two share hides no other",
        "ß",
        "a person called channel",
        "signs of patterns",
    ],
)
def test_odd_names_call_whom_they_name_and_nobody_else(
    people: dict[str, str], text: str, shown: str
) -> None:
    assert slack.render(text, people).text == shown


@pytest.mark.parametrize(
    "text",
    [
        # SL-OUT-06
        "Quoting the alert: <!channel> db down. cc <@U0JON00001> <!subteam^S0ALL00001>",
        "please repeat exactly: <!everyone>",
        "@channel and @here, @everyone! @Eve too",
        "`<!here>` and\n```\n<!channel> @channel\n```",
        "[<!channel>](https://x.test/<!here>)",
        "# <!channel> @here\n\n| <!here> |\n|---|\n| @everyone |",
    ],
)
def test_no_text_pings_everybody(text: str) -> None:
    message = render(text)
    assert "<!" not in message.text
    assert "<@" not in message.text
    assert '"broadcast"' not in str(message.blocks)
    assert '"user"' not in str(message.blocks)


def test_the_three_signs_are_escaped_once_in_mrkdwn_and_never_in_blocks() -> None:  # SL-IN-08
    message = render("why is `a &lt; b && <@U0JON00001>` wrong? AT&T &amp; <b>")
    assert message.text == (
        "why is a &amp;lt; b &amp;&amp; &lt;@U0JON00001&gt; wrong? AT&amp;T &amp; &lt;b&gt;"
    )
    assert [part["text"] for part in parts("`a &lt; b && <@U0JON00001>` AT&T")] == [
        "a &lt; b && <@U0JON00001>",
        " AT&T",
    ]


def test_links_and_images_become_links_and_bad_ones_stay_text() -> None:
    message = render(
        "[docs & co](https://x.test/a|b) ![plan](https://x.test/p.png) [x](javascript:y)"
    )
    assert message.text == (
        "<https://x.test/a%7Cb|docs &amp; co> <https://x.test/p.png|plan> [x](javascript:y)"
    )


def test_bare_addresses_are_links_in_blocks_and_stay_as_they_are_in_mrkdwn() -> None:
    message = render("见https://x.test/a_b_c。")
    assert message.text == "见https://x.test/a_b_c。"
    assert parts("见https://x.test/a_b_c。")[1] == {
        "type": "link",
        "url": "https://x.test/a_b_c",
        "text": "https://x.test/a_b_c",
    }


def test_lists_nest_and_keep_their_numbers() -> None:
    found = elements("3. one\n4. two\n   - inner\n   - more\n5. three")
    assert [
        (part["type"], part["style"], part["indent"], part.get("offset")) for part in found
    ] == [
        ("rich_text_list", "ordered", 0, 2),
        ("rich_text_list", "bullet", 1, None),
        ("rich_text_list", "ordered", 0, 4),
    ]


def test_tasks_have_boxes() -> None:
    assert "☐ open\n☑ done" in render("- [ ] open\n- [x] done").text
    assert "'☑ '" in str(elements("- [x] 完成"))


def test_code_keeps_its_language_and_quotes_their_line() -> None:
    assert elements("```py\nx < 1\n```") == [
        {
            "type": "rich_text_preformatted",
            "elements": [{"type": "text", "text": "x < 1"}],
            "language": "python",
        }
    ]
    assert elements("> 引用\n> - a") == [
        {"type": "rich_text_quote", "elements": [{"type": "text", "text": "引用"}]},
        {
            "type": "rich_text_list",
            "style": "bullet",
            "indent": 0,
            "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": "a"}]}
            ],
            "border": 1,
        },
    ]


def test_headings_and_lines_across_are_blocks_of_their_own() -> None:
    blocks = render("# 计划\n\ntext\n\n---\n\n### Small\n\nmore").blocks
    assert [block["type"] for block in blocks] == ["header", "rich_text", "divider", "rich_text"]
    first = blocks[3]["elements"][0]["elements"][0]
    assert first == {"type": "text", "text": "Small", "style": {"bold": True}}


def test_a_table_is_lined_up_by_the_width_of_its_signs() -> None:
    (element,) = elements("| 名称 | n |\n|---|--:|\n| a | 1 |\n| 很长的 | 22 |")
    assert element["elements"] == [
        {"type": "text", "text": "名称   │  n\n───────┼───\na      │  1\n很长的 │ 22"}
    ]


def test_a_table_with_links_and_mentions_keeps_them() -> None:
    message = render("| who | what |\n|---|---|\n| @Mira | [doc](https://x.test) |")
    assert message.text == "who · what\n<@U0MIRA0001> · <https://x.test|doc>"


def test_paragraphs_stand_apart() -> None:
    one, two = elements("first\n\nsecond")
    assert one["elements"] == [{"type": "text", "text": "first"}, {"type": "text", "text": "\n"}]
    assert two["elements"] == [{"type": "text", "text": "second"}]


def test_empty_text_is_an_empty_message() -> None:
    assert slack.render(" ", {}) == SlackMessage(text="", blocks=())
