"""Markdown on Feishu: a post for what is said, a card for what is laid out."""

import json

import pytest

from adapters.markdown import feishu
from adapters.markdown.feishu import FeishuMessage
from tests.fakes.markup_rules import feishu_problem

PEOPLE = {"Jon": "ou_jon0001", "陈梅": "ou_chenmei", "Everyone": "all"}


def render(text: str) -> FeishuMessage:
    message = feishu.render(text, PEOPLE)
    assert feishu_problem(message.msg_type, feishu.encoded(message.content)) is None
    return message


def rows(text: str) -> list[list[dict[str, object]]]:
    message = render(text)
    assert message.msg_type == "post"
    found: list[list[dict[str, object]]] = message.content["zh_cn"]["content"]
    return found


def markdown(text: str) -> list[str]:
    message = render(text)
    assert message.msg_type == "interactive"
    return [element["content"] for element in message.content["body"]["elements"]]


def test_a_name_in_a_plain_message_is_a_real_mention() -> None:  # FS-OUT-06
    assert rows("@Jon please confirm by 17:00") == [
        [
            {"tag": "at", "user_id": "ou_jon0001"},
            {"tag": "text", "text": " please confirm by 17:00", "style": []},
        ]
    ]
    assert rows("请@陈梅看，@Everyone 不算，@所有人也不算")[0][1]["user_id"] == "ou_chenmei"


def test_a_name_in_a_card_is_a_real_mention() -> None:
    assert markdown("# 计划\n\n@Jon 请看") == ["### 计划\n\n<at id=ou_jon0001></at> 请看"]


def test_emphasis_links_and_lists_need_no_card() -> None:
    assert rows("**重要**：[文档](https://x.test/a)\n\n- one\n- *two*") == [
        [
            {"tag": "text", "text": "重要", "style": ["bold"]},
            {"tag": "text", "text": "：", "style": []},
            {"tag": "a", "text": "文档", "href": "https://x.test/a", "style": []},
        ],
        [{"tag": "text", "text": " "}],
        [{"tag": "text", "text": "• ", "style": []}, {"tag": "text", "text": "one", "style": []}],
        [
            {"tag": "text", "text": "• ", "style": []},
            {"tag": "text", "text": "two", "style": ["italic"]},
        ],
    ]


@pytest.mark.parametrize(
    "text", ["# h", "a `b`", "> q", "```\nx\n```", "| a |\n|---|\n| b |", "---"]
)
def test_what_a_post_cannot_show_becomes_a_card(text: str) -> None:
    assert render(text).msg_type == "interactive"


@pytest.mark.parametrize(
    "text",
    [
        '<at user_id="all">Everyone</at>',
        "<at id=all></at> # not\n\n# a heading <at id=ou_jon0001></at>",
        "`<at id=all></at>`",
        "```\n<at id=all></at>\n```",
        "| <at id=all></at> |\n|---|\n| <person id='ou_jon0001'></person> |",
        "# <font color='red'>x</font> <a href='https://x.test'>y</a> <img src=x>",
        "&lt;at id=all&gt;&lt;/at&gt; and `code`",
    ],
)
def test_no_text_makes_a_tag_or_a_mention(text: str) -> None:
    message = render(text)
    assert "<at" not in json.dumps(message.content)


def test_markup_signs_in_words_of_a_card_are_references() -> None:
    assert markdown("# a\n\n2\\*3 snake_case <b> R&D :OK: 1\\. x") == [
        "### a\n\n2&#42;3 snake&#95;case &#60;b&#62; R&#38;D &#58;OK: 1. x"
    ]
    assert markdown("# a\n\n1\\. x\n\\- y\n\\# z") == ["### a\n\n1&#46; x\n&#45; y\n&#35; z"]


def test_each_table_is_an_element_and_the_sixth_is_lines() -> None:  # FS-OUT-01
    found = markdown("| h1 | h2 |\n|---|---|\n| a | b |\n\n" * 6)
    assert found[:5] == ["| h1 | h2 |\n| --- | --- |\n| a | b |"] * 5
    assert found[5].startswith("```\nh1 │ h2\n")


def test_lists_in_a_card_move_in_by_four() -> None:
    assert markdown("`x`\n\n1. one\n   - inner") == ["`x`\n\n1.  one\n\n    -   inner"]


def test_tasks_in_a_card_have_boxes_and_a_line_across_stands_alone() -> None:
    assert markdown("- [ ] 待办\n- [x] done `x`\n\n***") == ["-   ☐ 待办\n-   ☑ done `x`\n\n---"]


def test_code_keeps_its_language_and_its_signs() -> None:
    assert markdown("```go\nif a < b && c { *p = 1 }\n```") == [
        "```go\nif a < b && c { *p = 1 }\n```"
    ]


def test_links_feishu_cannot_open_are_told() -> None:
    assert rows("[写信](mailto:a@x.test)")[0] == [
        {"tag": "text", "text": "写信 (a@x.test)", "style": []}
    ]


def test_a_plain_text_can_be_had_as_a_card() -> None:
    message = feishu.card("好的，@Jon", PEOPLE)
    assert message.msg_type == "interactive"
    assert message.content["body"]["elements"] == [
        {"tag": "markdown", "content": "好的，<at id=ou_jon0001></at>"}
    ]
    assert feishu_problem("interactive", message.content) is None


def test_the_list_of_chats_shows_how_a_card_begins() -> None:
    content = render("# 发布计划\n\n明天 `v1.2`").content
    assert content["config"]["summary"] == {"content": "发布计划 明天 v1.2"}


def test_chinese_is_sent_as_it_is() -> None:
    assert feishu.encoded({"text": "你好"}) == '{"text":"你好"}'
