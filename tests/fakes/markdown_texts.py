"""Markdown as models and people write it, and as nobody should: strategies for property tests."""

from hypothesis import strategies as st

SIGNS = (
    "a b c Z 0 9 1. - * _ ` ~ ~~ ** ``` # > < & | \\ [ ] ( ) ! : = + . , @ / \n \t 中 文 ， 。 "
    "（ ） 🙂 👩‍💻 👍🏽 🇨🇳 é e\u0301 ش ل \u202e \u200b &amp; &lt; <b> </b> <at <!channel> @here "
    "@Mira https://x.test/a_b [x](y) ](https://y.test) [r]: https://z.test ![i](https://i.test) "
    "--- ... \\* {} $ % ' \""
).split(" ")

raw = st.one_of(
    st.lists(st.sampled_from([*SIGNS, " ", "\n", "\n\n", "    "]), max_size=60).map("".join),
    st.text(max_size=200),
)
"""Any text at all, often with what looks like markup."""

_words = st.lists(
    st.sampled_from(
        "plan the Deploy v1.2 snake_case 2*3 a<b R&D 发布 今天下午 三点（见附件） 🙂 👩‍💻 @Mira "
        "#42 50% https://x.test/a_b_c?d=e&f=g [draft] C:\\temp ~5 <!everyone> é".split()
    ),
    min_size=1,
    max_size=8,
).map(" ".join)
_inline = st.one_of(
    _words,
    _words.map("**{}**".format),
    _words.map("*{}*".format),
    _words.map("~~{}~~".format),
    _words.map("`{}`".format),
    _words.map("[{}](https://docs.test/a_(b))".format),
    _words.map("**bold *both {}***".format),
)
_line = st.lists(_inline, min_size=1, max_size=4).map(" ".join)
_cell = st.one_of(st.just(""), _inline).map(lambda text: text.replace("|", "\\|"))


def _table(rows: list[list[str]]) -> str:
    width = max(map(len, rows))
    filled = [row + [""] * (width - len(row)) for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in filled]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _indented(text: str, mark: str) -> str:
    return mark + text.replace("\n", "\n" + " " * len(mark))


_leaf = st.one_of(
    _line,
    _line,
    st.tuples(st.integers(1, 6), _line).map(lambda found: "#" * found[0] + " " + found[1]),
    st.tuples(st.sampled_from(["", "python", "c++"]), st.lists(_words, max_size=5)).map(
        lambda found: f"```{found[0]}\n" + "\n".join(found[1]) + "\n```"
    ),
    st.lists(st.lists(_cell, min_size=1, max_size=4), min_size=1, max_size=6).map(_table),
    st.just("---"),
)
_blocks = st.recursive(
    _leaf,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map(
            lambda blocks: "\n".join(_indented(block, "- ") for block in blocks)
        ),
        st.lists(inner, min_size=1, max_size=4).map(
            lambda blocks: "\n".join(_indented(b, f"{at}. ") for at, b in enumerate(blocks, 7))
        ),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda blocks: "> " + "\n\n".join(blocks).replace("\n", "\n> ")
        ),
        inner.map(lambda block: _indented(block, "- [x] ")),
    ),
    max_leaves=8,
)
structured = st.lists(_blocks, max_size=8).map("\n\n".join)
"""Well-formed Markdown of every kind of block, nested."""

long = st.tuples(structured, st.integers(1, 40)).map(
    lambda found: "\n\n".join([found[0]] * found[1])
)
"""So much that it takes several messages."""

any_markdown = st.one_of(raw, structured)
