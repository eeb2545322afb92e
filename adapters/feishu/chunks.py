"""Long events arrive in pieces: put together in any order, in bounded memory."""

from collections import OrderedDict

WAITING = 64  # events that may be incomplete at once
PIECES = 1024  # of one event
BYTES = 16 * 1024 * 1024  # of all that waits together


class Chunks:
    """What has come of events that are not whole yet; the oldest goes when there is too much.

    An event that goes is not lost: it was not acknowledged, so Feishu sends it again.
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, dict[int, bytes]] = OrderedDict()
        self._bytes = 0

    def add(self, message: str, total: int, number: int, piece: bytes) -> bytes | None:
        """The whole event once its last piece has come; pieces count from 0."""
        if total <= 1:
            return piece
        if not 0 <= number < total or total > PIECES:
            return None
        pieces = self._waiting.setdefault(message, {})
        self._bytes += len(piece) - len(pieces.get(number, b""))
        pieces[number] = piece
        if len(pieces) == total:
            self._let_go(message)
            return b"".join(pieces[at] for at in range(total))
        while len(self._waiting) > WAITING or self._bytes > BYTES:
            self._let_go(next(iter(self._waiting)))
        return None

    def _let_go(self, message: str) -> None:
        self._bytes -= sum(map(len, self._waiting.pop(message).values()))
