"""Markdown of a message as safe HTML: no raw HTML, no images, links to the web only."""

import re
from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters import mentions
from adapters.web.rooms import Person

_SAFE = re.compile(r"^(https?://|mailto:)", re.IGNORECASE)
_ADDRESS = re.compile(
    r"https?://[^\s<>\"'，。；、）】》！？]+[^\s<>\"'.,;:!?)\]，。；：、）】》！？]"
)


class Markdown:
    """Renders messages; mentions of people get a mark that the page can colour."""

    def __init__(self) -> None:
        self._parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
        self._parser.enable(["table", "strikethrough"]).disable("image")
        self._parser.validateLink = lambda url: _SAFE.match(url) is not None  # type: ignore[method-assign]

    def html(self, text: str, people: Sequence[Person]) -> str:
        """The text as HTML. `people` are those whose mention is marked."""
        known = {person.name.lower(): person.id for person in people}
        pattern = mentions.pattern(known)
        tokens = self._parser.parse(text)
        for token in tokens:
            if token.children:
                token.children = _decorated(token.children, pattern, known)
        return str(self._parser.renderer.render(tokens, self._parser.options, {}))


def _decorated(
    children: list[Token], pattern: re.Pattern[str], known: dict[str, str]
) -> list[Token]:
    result: list[Token] = []
    linked = 0
    for token in children:
        if token.type == "link_open":
            linked += 1
            token.attrSet("target", "_blank")
            token.attrSet("rel", "noopener noreferrer nofollow")
        elif token.type == "link_close":
            linked -= 1
        if token.type == "text" and not linked:
            result.append(_raw(_text(token.content, pattern, known)))
        else:
            result.append(token)
    return result


def _text(content: str, pattern: re.Pattern[str], known: dict[str, str]) -> str:
    parts: list[str] = []
    end = 0
    for found in _ADDRESS.finditer(content):
        parts.append(_mentioned(content[end : found.start()], pattern, known))
        url = escape(found[0])
        parts.append(
            f'<a href="{url}" target="_blank" rel="noopener noreferrer nofollow">{url}</a>'
        )
        end = found.end()
    parts.append(_mentioned(content[end:], pattern, known))
    return "".join(parts)


def _mentioned(content: str, pattern: re.Pattern[str], known: dict[str, str]) -> str:
    parts: list[str] = []
    end = 0
    for found in pattern.finditer(content):
        person = escape(known.get(found[1].lower(), ""))
        parts.append(escape(content[end : found.start()]))
        parts.append(f'<span class="mention" data-person="{person}">{escape(found[0])}</span>')
        end = found.end()
    parts.append(escape(content[end:]))
    return "".join(parts)


def _raw(html: str) -> Token:
    # The renderer writes this type as it stands; everything in it was escaped above.
    token = Token("html_inline", "", 0)
    token.content = html
    return token
