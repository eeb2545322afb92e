"""What an operator changes from the command line, also while Limen runs."""

import re

from bot.engine import sessions
from bot.engine.sessions import Attention
from bot.errors import LimenError
from bot.setup.config import Config
from bot.setup.home import Home
from memory import audiences
from memory.db import Database, Tx


async def set_attention(config: Config, room: str, attention: str) -> str:
    """Set when Limen listens and answers in a room, named by its title or its session (s3)."""
    wanted = _attention(attention)

    def change(tx: Tx) -> str:
        session = _session(tx, room)
        sessions.set_attention(tx, session, wanted)
        return f"attention of {room} is now {wanted.value}"

    home = Home(config.bot.data_dir)
    if not home.database.exists():
        raise LimenError(f"there is no database in {config.bot.data_dir}; start Limen once first")
    async with Database(home.database) as db:
        return await db.write(change)


def _attention(word: str) -> Attention:
    try:
        return Attention(word)
    except ValueError:
        known = ", ".join(one.value for one in Attention)
        raise LimenError(f"attention is one of {known}, got {word!r}") from None


def _session(tx: Tx, room: str) -> int:
    # A thread is called like its room, and goes along with it.
    titled = (sessions.find(tx, id) for id in audiences.titled(tx, room))
    found = [one.id for one in titled if one is not None and one.parent_id is None]
    if match := re.fullmatch(r"s?(\d{1,18})", room.strip()):
        session = sessions.find(tx, int(match[1]))
        if session is not None and session.kind is sessions.Kind.CONVERSATION:
            return session.id
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(f"s{id}" for id in found)
        raise LimenError(f"several rooms are called {room!r}: name one of {several}")
    raise LimenError(f"there is no room {room!r}; 'limen status' names them")
