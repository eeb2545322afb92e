"""In a direct message, a pressed button leaves its choice where the buttons were."""

import asyncio
import logging
from typing import Any

from adapters.slack.api import Api
from adapters.slack.faults import CallFailed
from adapters.slack.words import decoded

logger = logging.getLogger(__name__)

Json = dict[str, Any]


MOST = 256  # messages that wait for their edit; of more the buttons stay


class Presses:
    """Edits the messages one after another, aside."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._pressed: asyncio.Queue[Json] = asyncio.Queue(MOST)

    def show(self, payload: Json) -> None:
        """Show soon what was chosen; it is stored already."""
        try:
            self._pressed.put_nowait(payload)
        except asyncio.QueueFull:
            logger.info(
                "slack buttons stay: too many were pressed", extra={"action": "slack_press"}
            )

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            payload = await self._pressed.get()
            try:
                await self._api.call("chat.update", **chosen(payload))
            except CallFailed as failed:
                logger.info("slack buttons stay: %s", failed, extra={"action": "slack_press"})
            except Exception:  # one press of an unknown form must not end all others
                logger.exception("slack buttons stay: the press was not understood")


def chosen(payload: Json) -> Json:
    """The arguments of the edit: the same message with `✓ Label` in place of the buttons."""
    message, action = payload["message"], payload["actions"][0]
    label = decoded((action.get("text") or {}).get("text") or "")
    mark = {"type": "context", "elements": [{"type": "plain_text", "text": f"✓ {label}"}]}
    kept = [block for block in message.get("blocks") or [] if block.get("type") != "actions"]
    return {
        "channel": payload["channel"]["id"],
        "ts": message["ts"],
        "text": message.get("text") or label,
        "blocks": [*kept, mark],
    }
