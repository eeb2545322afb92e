"""Markdown as what a reader sees without any markup, and the mark of a possible repeat."""

import re

from adapters.markdown import layout
from adapters.markdown.parser import parse

_CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


def render(text: str) -> str:
    """The text without markup; links keep their address in brackets."""
    return "".join(_shown(run) for run in layout.laid(parse(text), quote_marks=True))


def repeat_mark(text: str) -> str:
    """What to put above a text that may have been posted already, in its language."""
    return "（可能重复）" if _CHINESE.search(text) else "(possibly a repeat)"


def _shown(run: layout.Run) -> str:
    link = run.span.link.removeprefix("mailto:")
    return f"{run.text} ({link})" if link and link not in run.text else run.text
