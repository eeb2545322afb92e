"""Markdown without markup, and the mark of a possible repeat."""

import pytest

from adapters.markdown import plain


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("# Plan\n\n**bold** *it* ~~no~~ `x_y`", "Plan\n\nbold it no x_y"),
        ("1. 一\n2. 二\n   - 三", "1. 一\n2. 二\n   • 三"),
        ("- [x] done\n- [ ] open", "☑ done\n☐ open"),
        ("> quote\n> more", "> quote\n> more"),
        ("```js\nlet a = 1\n```", "let a = 1"),
        ("[docs](https://x.test/a) <https://y.test>", "docs (https://x.test/a) https://y.test"),
        ("[see][1]\n\n[1]: https://x.test", "see (https://x.test)"),
        ("[1]: https://x.test", "[1]: https://x.test"),
        ("![图](https://x.test/i.png)", "图 (https://x.test/i.png)"),
        ("[x](javascript:alert)", "[x](javascript:alert)"),
        ("<b>raw</b> &amp; 5 < 6", "<b>raw</b> & 5 < 6"),
        ("| 名 | n |\n|---|---|\n| a | 1 |", "名 │ n\n───┼──\na  │ 1"),
        ("a\n\n---\n\nb", "a\n\n———\n\nb"),
        ("5 * 3 * 2 *x", "5 * 3 * 2 *x"),
        ("\ud83d \0", "\ufffd \ufffd"),
        ("> " * 200 + "deep", "> " * 200 + "deep"),
        ("", ""),
    ],
)
def test_a_reader_sees_the_words(text: str, seen: str) -> None:
    assert plain.render(text) == seen


def test_the_mark_of_a_repeat_speaks_the_language_of_the_text() -> None:
    assert plain.repeat_mark("Done, see below.") == "(possibly a repeat)"
    assert plain.repeat_mark("已完成 by Jon") == "（可能重复）"
