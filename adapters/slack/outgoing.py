"""A letter as the arguments of chat.postMessage; pure."""

from typing import Any

from adapters import letters
from adapters.chat import Button, Outgoing
from adapters.errors import Refused
from adapters.markdown import plain
from adapters.markdown import slack as markdown
from adapters.slack.incoming import BUTTON

Json = dict[str, Any]

LETTER = "limen_letter"
"""The type of the metadata that carries a letter's key."""
LABEL = 75  # signs of a button
VALUE = 2_000  # signs of what it sends back
ROW = 25  # buttons of one block


def formatted(letter: Outgoing) -> Json:
    """The letter in its best form."""
    rendered = markdown.render(letters.words(letter), letters.people(letter))
    blocks = [*rendered.blocks, *button_rows(letter.buttons)]
    if letter.buttons and not rendered.blocks:
        blocks.insert(0, _paragraph(rendered.text))
    return _common(letter) | {"text": rendered.text} | ({"blocks": blocks} if blocks else {})


def bare(letter: Outgoing) -> Json:
    """The same words without any formatting, for when that was rejected."""
    text = markdown.escaped(plain.render(letters.words(letter)))
    rows = button_rows(letter.buttons)
    # With blocks the text is not shown, so with buttons it has to stand in one as well.
    blocks = (
        [_paragraph(text[at : at + 3_000]) for at in range(0, len(text), 3_000)] if rows else []
    )
    shown = {"blocks": [*blocks, *rows]} if rows else {}
    return _common(letter) | {"text": text, "mrkdwn": False} | shown


def button_rows(buttons: tuple[Button, ...], *, first: int = 0) -> list[Json]:
    """The blocks that hold the buttons."""
    for button in buttons:
        if len(button.value) > VALUE:
            raise Refused(
                f"the value of the button {button.label!r} has {len(button.value)} signs; "
                f"{VALUE} is the most Slack takes"
            )
    elements = [
        {
            "type": "button",
            "action_id": f"{BUTTON}_{number}",
            "text": {"type": "plain_text", "text": _cut(button.label), "emoji": True},
            "value": button.value,
        }
        for number, button in enumerate(buttons, first)
    ]
    rows = [elements[at : at + ROW] for at in range(0, len(elements), ROW)]
    return [{"type": "actions", "elements": row} for row in rows]


def _common(letter: Outgoing) -> Json:
    return {
        "channel": letter.room.chat,
        "thread_ts": letter.room.thread,
        "metadata": {"event_type": LETTER, "event_payload": {"key": letter.key}},
        "unfurl_links": False,
        "unfurl_media": False,
        "link_names": False,
        "parse": "none",
    }


def _paragraph(text: str) -> Json:
    return {"type": "section", "text": {"type": "plain_text", "text": text or " "}}


def _cut(label: str) -> str:
    return label if len(label) <= LABEL else f"{label[: LABEL - 1]}…"
