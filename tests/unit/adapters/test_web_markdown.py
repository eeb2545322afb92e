"""Markdown of messages: safe, and marked where somebody is mentioned."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.web.markdown import Markdown
from adapters.web.rooms import Person

PEOPLE = (
    Person(id="ana", name="Ana"),
    Person(id="ana-b", name="Ana Berg"),
    Person(id="mei", name="陈梅"),
    Person(id="bot", name="Limen"),
)


MARKDOWN = Markdown()


def html(text: str) -> str:
    return MARKDOWN.html(text, PEOPLE).strip()


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:x)",
        "<javascript:alert(1)>",
        '[x](https://e.example/"onmouseover="alert(1))',
        'https://e.example/"><script>alert(1)</script>',
        "![x](https://e.example/track.png)",
        "@Ana<script>",
        "`<script>`",
        "[a]: javascript:alert(1)\n\n[a]",
    ],
)
def test_nothing_that_runs_or_tracks_survives(text: str) -> None:
    shown = html(text).lower()
    assert "<script" not in shown and "<img" not in shown
    assert 'href="javascript' not in shown and 'href="data' not in shown
    assert 'href="vbscript' not in shown and '" onmouseover' not in shown
    assert "<a" not in shown or 'rel="noopener noreferrer nofollow"' in shown


@settings(deadline=None, max_examples=60)  # a busy machine is no fault of the renderer
@given(st.text(alphabet=st.sampled_from("<>\"'&@#`*_[]()!:/ahtps. \nAna陈梅"), max_size=60))
def test_no_text_makes_an_unknown_element(text: str) -> None:
    shown = html(text)
    known = {
        *("p", "br", "em", "strong", "code", "pre", "a", "span", "ul", "ol", "li", "hr", "s"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "thead", "tbody", "tr"),
        *("th", "td"),
    }
    for piece in shown.split("<")[1:]:
        name = piece.lstrip("/").split(">")[0].split()[0]
        assert name in known


@pytest.mark.parametrize(
    ("text", "person", "shown"),
    [
        ("hi @Ana!", "ana", "@Ana"),
        ("hi @ana berg", "ana-b", "@ana berg"),
        ("@陈梅请看", "mei", "@陈梅"),
        ("请＠Limen看", "bot", "＠Limen"),
        ("**@Ana**", "ana", "@Ana"),
    ],
)
def test_mentions_are_marked(text: str, person: str, shown: str) -> None:
    assert f'<span class="mention" data-person="{person}">{shown}</span>' in html(text)


@pytest.mark.parametrize("text", ["mail ana@Ana.example", "@Anabel", "`@Ana`", "@nobody"])
def test_what_is_no_mention_is_left_alone(text: str) -> None:
    assert "mention" not in html(text)


def test_bare_addresses_become_links_without_the_full_stop() -> None:
    assert '<a href="https://e.example/a?b=1&amp;c=2"' in html("see https://e.example/a?b=1&c=2.")
    assert ">https://e.example/文档</a>。" in html("见 https://e.example/文档。")
    assert html("[one](https://e.example) two").count("<a ") == 1
    assert html("[https://e.example](https://e.example)").count("<a ") == 1


def test_lines_stay_lines_and_tables_are_tables() -> None:
    assert "<br" in html("one\ntwo")
    assert "<table>" in html("|a|b|\n|-|-|\n|1|2|")
    assert "<s>no</s>" in html("~~no~~")
