"""Markdown as what a reader sees without any markup, and the mark of a possible repeat."""

import re
from itertools import groupby

from adapters.markdown import layout
from adapters.markdown.parser import parse

_CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


def render(text: str) -> str:
    """The text without markup; links keep their address in brackets."""
    runs = layout.laid(parse(text), quote_marks=True)
    return "".join(_shown(label, list(group)) for label, group in groupby(runs, _link))


def repeat_mark(text: str) -> str:
    """What to put above a text that may have been posted already, in its language."""
    return "（可能重复）" if _CHINESE.search(text) else "(possibly a repeat)"


def _link(run: layout.Run) -> str:
    return "" if run.fixed else run.span.link


def _shown(link: str, runs: list[layout.Run]) -> str:
    text = "".join(run.text for run in runs)
    address = link.removeprefix("mailto:")
    return f"{text} ({address})" if address and address not in text else text
