"""Where a person is reached in private, and in which language."""

from bot import health, texts
from bot.engine import sessions
from bot.engine.sessions import Attention, Session
from bot.texts import Language
from memory import audiences, originals
from memory.db import Reader

RECENT = 6  # messages that tell the language of a DM
_SILENT = (Attention.OBSERVE, Attention.OFF)


def desks(reader: Reader, person: int) -> list[Session]:
    """The DMs of a person in which the bot may speak, the one they were in last first."""
    found = (sessions.find(reader, id) for id in audiences.direct_with(reader, person))
    usable = (
        one
        for one in found
        if one is not None and one.parent_id is None and one.attention not in _SILENT
    )
    return sorted((one for one in usable if one.address), key=lambda one: one.last_at, reverse=True)


def up(reader: Reader, desk: Session) -> bool:
    """Whether the platform of a DM is connected, as far as is known."""
    if desk.address is None:
        return False
    down = {one.name for one in health.every(reader) if not one.up}
    return desk.address.platform not in down


def language(reader: Reader, person: int, desk: Session | None, *, setting: str) -> Language:
    """The language a person is written to: by what they said last in their DM, or anywhere."""
    said = [
        one.body
        for one in (originals.recent(reader, desk.id, limit=RECENT) if desk else [])
        if one.kind is originals.Kind.MESSAGE and not one.body.startswith(("/", "／"))
    ]
    said = said or [one.body for one in originals.said_by(reader, person, limit=RECENT)]
    return texts.language(" ".join(said), setting=setting)
