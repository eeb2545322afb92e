"""Foreign words inside a message: a Markdown quote under a label that names their author."""

from enum import StrEnum

from adapters.chat import one_line


class Manner(StrEnum):
    """How foreign words came into a message."""

    REPLY = "reply"
    """It answers them."""
    FORWARD = "forward"
    """They were passed on."""
    CARD = "card"
    """They came with it: a link preview, an app's card, an alert."""


_LABELS = {
    Manner.REPLY: "In reply to {author}:",
    Manner.FORWARD: "Forwarded from {author}:",
    Manner.CARD: "Attached, from {author}:",
}
_LIMIT = 6000  # signs of foreign words that are kept


def quote(manner: Manner, author: str, text: str) -> str:
    """The words as quoted lines, cut where they are very long; empty without words."""
    words = text.strip()
    if not words:
        return ""
    if len(words) > _LIMIT:
        words = f"{words[:_LIMIT]} …"
    label = _LABELS[manner].format(author=one_line(author) or "somebody")
    return "\n".join(f"> {line}".rstrip() for line in (label, *words.splitlines()))


def own_words(text: str) -> str:
    """A text without its quoted lines: what its author said themselves."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">"))
