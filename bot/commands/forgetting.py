"""The order to forget: a message of one's own, or all of them in this chat."""

from collections.abc import Callable, Sequence

from bot.access import Right
from bot.commands.asked import Asked
from bot.commands.parse import confirmed
from bot.commands.words import ALL, THAT
from bot.engine import sessions
from bot.withdrawals import Withdrawals
from memory import originals
from memory.db import Reader, Tx
from memory.originals import Kind, Original

LOOKED_BACK = 200  # messages of the chat among which the asker's last one is looked for
MOST = 100_000  # messages forgotten at once

Tell = Callable[[Tx, Original], None]
"""Tells the agency that a message was taken back."""


class Forgetting:
    """Takes messages out of memory for those who said them."""

    def __init__(self, withdrawals: Withdrawals, tell: Tell) -> None:
        self._withdrawals = withdrawals
        self._tell = tell

    def forget(self, tx: Tx, asked: Asked) -> str:
        """One message, or after a word that confirms it every one."""
        sure, what = confirmed(asked.command.argument)
        if what in ALL:
            found = _own(tx, asked, limit=MOST, threads=True)
            if not found:
                return asked.text("nothing to forget")
            return self._gone(tx, asked, found) if sure else _question(asked, found)
        if what and what not in THAT:
            return asked.text("say what")
        if asked.target is not None:
            mine = asked.target.person_id == asked.person
            if not mine and asked.right is not Right.ADMIN:
                return asked.text("not yours")
            return self._gone(tx, asked, [asked.target])
        if asked.unknown_target:
            return asked.text("nothing to forget")
        last = [one for one in _own(tx, asked, limit=LOOKED_BACK) if not one.aside][-1:]
        return self._gone(tx, asked, last) if last else asked.text("nothing to forget")

    def _gone(self, tx: Tx, asked: Asked, found: Sequence[Original]) -> str:
        messages = learnt = 0
        for original in found:
            facts = self._withdrawals.recall(tx, original)
            if facts is None:
                continue
            messages, learnt = messages + 1, learnt + facts
            if not original.aside:
                self._tell(tx, original)
        if not messages:
            return asked.text("nothing to forget")
        return asked.text("forgotten", messages=messages, facts=learnt)


def _question(asked: Asked, found: Sequence[Original]) -> str:
    return asked.text("confirm", messages=len(found))


def _own(reader: Reader, asked: Asked, *, limit: int, threads: bool = False) -> list[Original]:
    """What the asker said in this chat before the order, oldest first."""
    here = [asked.session.id]
    if threads and asked.session.parent_id is None:
        here += sessions.kin(reader, asked.session)
    found = [
        one
        for session in here
        for one in originals.recent(reader, session, limit=limit, before=asked.original)
        if one.person_id == asked.person and one.kind is Kind.MESSAGE
    ]
    return sorted(found, key=lambda one: one.id)
