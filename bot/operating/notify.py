"""Tells systemd how the process stands, where it was started by a unit of `Type=notify`."""

import logging
import socket
from collections.abc import Mapping

from bot.engine.waits import Sleep

logger = logging.getLogger(__name__)


class Notifier:
    """Sends to the socket that the environment names; without one it does nothing."""

    def __init__(self, env: Mapping[str, str], sleep: Sleep) -> None:
        path = env.get("NOTIFY_SOCKET", "")
        # systemd writes a socket of the abstract kind with an @
        self._address = f"\0{path[1:]}" if path.startswith("@") else path
        self._sleep = sleep
        every = env.get("WATCHDOG_USEC", "")
        self._beat_s = int(every) / 2e6 if every.isdigit() else 0.0

    def ready(self) -> None:
        """It has started."""
        self._send("READY=1\nSTATUS=running")

    def stopping(self) -> None:
        """It ends now."""
        self._send("STOPPING=1\nSTATUS=letting what is being done end its step")

    async def watch(self) -> None:
        """Say that the event loop answers, twice in the time systemd waits, until cancelled."""
        while self._address and self._beat_s:
            self._send("WATCHDOG=1")
            await self._sleep(self._beat_s)

    def _send(self, text: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.setblocking(False)
                line.sendto(text.encode(), self._address)
        except OSError as error:
            logger.warning("systemd could not be told %s: %s", text.split("\n")[0], error)
