"""Slack's text as people read it: tokens in angle brackets, and three escaped signs.

`<@U1>` ──► @Mo     `<#C1|general>` ──► #general     `<https://x|label>` ──► [label](https://x)
`&lt;@U1&gt;` ──► <@U1>, which is mere text: tokens are read before anything is decoded.
"""

import re
from collections.abc import Iterator
from typing import Protocol

_TOKEN = re.compile(r"<([^<>]+)>")
_BROADCASTS = ("here", "channel", "everyone")


class Names(Protocol):
    """What ids are called; an empty name where nobody knows."""

    def user(self, id: str) -> str: ...

    def channel(self, id: str) -> str: ...


def readable(raw: str, names: Names) -> str:
    """The text with every token spelled out, decoded exactly once."""
    parts = _TOKEN.split(raw)
    return "".join(
        _spelled(part, names) if odd else decoded(part)
        for part, odd in zip(parts, _alternating(), strict=False)
    )


def mentions(raw: str, user: str) -> bool:
    """Whether a text really mentions somebody."""
    return any(token.partition("|")[0] == f"@{user}" for token in _TOKEN.findall(raw))


def decoded(text: str) -> str:
    """Slack escapes these three and no other; `&amp;` last, or `&amp;lt;` would come out wrong."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def link(url: str, label: str) -> str:
    """A Markdown link; the bare address where the label says no more."""
    same = {url, url.partition("://")[2], url.partition(":")[2]}
    return f"[{label}]({url})" if label and label not in same else url


def person(id: str, label: str, names: Names) -> str:
    """A mention by the best name there is."""
    return f"@{names.user(id) or label.lstrip('@') or id}"


def _alternating() -> Iterator[bool]:
    while True:
        yield False
        yield True


def _spelled(token: str, names: Names) -> str:
    target, _, label = token.partition("|")
    label = decoded(label)
    if target.startswith("@"):
        return person(target[1:], label, names)
    if target.startswith("#"):
        return f"#{label or names.channel(target[1:]) or target[1:]}"
    if target.startswith("!"):
        return _command(target[1:], label)
    url = decoded(target)
    if url.startswith(("mailto:", "tel:")):
        return label or url.partition(":")[2]
    return link(url, label)


def _command(target: str, label: str) -> str:
    kind, _, rest = target.partition("^")
    if kind in _BROADCASTS:
        return f"@{kind}"
    if kind == "subteam":
        return f"@{label.lstrip('@') or rest}"
    return label or kind  # a date with the words to show instead
