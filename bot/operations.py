"""What an operator changes from the command line, also while Limen runs."""

import re
from datetime import datetime

from bot import access, codes, texts
from bot.commands.doors import welcome
from bot.commands.post import Post
from bot.engine import sessions
from bot.engine.sessions import Attention
from bot.errors import LimenError
from bot.setup import storage
from bot.setup.config import Config
from memory import audiences
from memory.db import Tx
from memory.moments import to_us


async def set_attention(config: Config, room: str, attention: str) -> str:
    """Set when Limen listens and answers in a room, named by its title or its session (s3)."""
    wanted = _attention(attention)

    def change(tx: Tx) -> str:
        session = _session(tx, room)
        sessions.set_attention(tx, session, wanted)
        return f"attention of {room} is now {wanted.value}"

    async with storage.database(config) as db:
        return await db.write(change)


async def pair(config: Config, code: str, now: datetime) -> str:
    """Let in the stranger who was given a code."""
    wanted = codes.read(code)
    if wanted is None:
        raise LimenError(f"{code!r} is no code; a stranger's message names it, like 'BCDF2345'")

    def let_in(tx: Tx) -> access.Newcomer | None:
        newcomer = access.pair(tx, wanted, by=None, now=now)
        if newcomer is not None:
            post = Post(lambda: now, _no_bell, bot_name=config.bot.name)
            said = texts.language("", setting=config.bot.language)
            welcome(tx, post, newcomer, said, now_us=to_us(now))
        return newcomer

    async with storage.database(config) as db:
        newcomer = await db.write(let_in)
    if newcomer is None:
        raise LimenError(f"nobody waits under {wanted}; codes are good for an hour")
    return f"{newcomer.name} ({newcomer.account}) may talk with {config.bot.name} now"


def _no_bell() -> None:
    """The process that runs looks into its outbox by itself."""


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
