"""Slack's text as people read it: tokens spelled out, and decoded exactly once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.words import decoded, mentions, readable


class Names:
    def user(self, id: str) -> str:
        return {"U1": "Mira Lee", "U2": "小明"}.get(id, "")

    def channel(self, id: str) -> str:
        return {"C1": "plans"}.get(id, "")


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("hi <@U1>", "hi @Mira Lee"),
        ("<@U2>你好", "@小明你好"),
        ("<@U9|jon>", "@jon"),
        ("<@U9>", "@U9"),
        ("<#C1>", "#plans"),
        ("<#C9|ops>", "#ops"),
        ("<#C9|>", "#C9"),
        ("<!here> <!channel> <!everyone|everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@devs> <!subteam^S2>", "@devs @S2"),
        ("<!date^1392734382^{date}|Feb 18>", "Feb 18"),
        ("<https://a.test/x_y?b=1&amp;c=2>", "https://a.test/x_y?b=1&c=2"),
        ("<https://a.test|a.test>", "https://a.test"),
        ("<https://a.test|the &amp; plan>", "[the & plan](https://a.test)"),
        ("<mailto:a@b.test|a@b.test> <tel:+1555|call>", "a@b.test call"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
        ("&amp;lt;b&amp;gt; &amp;amp;", "&lt;b&gt; &amp;"),
        ("&lt;@U1&gt; &lt;!channel&gt;", "<@U1> <!channel>"),
        ("", ""),
        ("👍🏽 &quot;", "👍🏽 &quot;"),
    ],
)
def test_every_token_is_spelled_out(raw: str, read: str) -> None:
    assert readable(raw, Names()) == read


def test_only_a_token_mentions() -> None:
    assert mentions("hey <@U1>", "U1")
    assert mentions("<@U1|mira> hey", "U1")
    assert not mentions("&lt;@U1&gt;", "U1")
    assert not mentions("<@U11>", "U1")


@given(st.text())
def test_text_that_was_escaped_comes_back_as_it_was(text: str) -> None:
    raw = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert decoded(raw) == text
    assert readable(raw, Names()) == text
