"""Buttons under a card: how they are put there, and what stands there once one was pressed."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from adapters.chat import Button

Json = dict[str, Any]
CARDS = 500  # cards remembered, so that a press can take their buttons away


def with_buttons(card: Json, buttons: Sequence[Button]) -> Json:
    """The card with a row of buttons at its end, each sending its value back."""
    return _ended(card, [_button(button) for button in buttons])


def pressed_label(value: object) -> str:
    """What stood on a button of ours, by what it sent back."""
    return str(value.get("label") or "") if isinstance(value, dict) else ""


class Cards:
    """The cards with buttons that were sent lately, without their buttons."""

    def __init__(self) -> None:
        self._cards: OrderedDict[str, Json] = OrderedDict()

    def keep(self, message: str, card: Json) -> None:
        """A card was sent with buttons below it."""
        self._cards[message] = card
        if len(self._cards) > CARDS:
            self._cards.popitem(last=False)

    def answer(self, message: str, label: str, *, replace: bool) -> Json:
        """What Feishu shows the presser; with `replace` the choice stands in the buttons' place."""
        chosen = f"✓ {label}" if label else "✓"
        answer: Json = {"toast": {"type": "success", "content": chosen}}
        card = self._cards.get(message)
        if replace and card is not None:
            shown = {"tag": "div", "text": {"tag": "plain_text", "content": chosen}}
            answer["card"] = {"type": "raw", "data": _ended(card, [shown])}
        return answer


def _ended(card: Json, more: list[Json]) -> Json:
    body = card["body"]
    return card | {"body": body | {"elements": [*body["elements"], *more]}}


def _button(button: Button) -> Json:
    value = {"value": button.value, "label": button.label}
    return {
        "tag": "button",
        "text": {"tag": "plain_text", "content": button.label},
        "behaviors": [{"type": "callback", "value": value}],
    }
