"""Nods: a short word or sign about something that was told, which says "I know" or "later".

Only conditions that hold on are told again at all; whoever nods is spared that.
"""

import re
from datetime import datetime, timedelta

from agency import handoffs, repeats
from bot.engine import letters
from bot.engine.sessions import Session
from bot.responses import LIKED
from memory import audiences, originals
from memory.db import Reader, Tx

SOON = timedelta(hours=12)
"""In a DM, a word within this time is about what was told last."""
_MARKS = " \t\n,.!?:;，。！？：；、~～"
_KNOWN = re.compile(
    r"(?:ok|okay|k|got it|noted|i know|we know|understood|thanks|thank you|thx|will do|on it|"
    r"yes|yep|sure|stop|enough|already known)"
    r"|(?:好|好的|好吧|嗯|知道了?|我知道了?|收到|明白了?|了解了?|谢谢|多谢|行|停|够了|别说了|在办了?)",
    re.I,
)
_LATER = re.compile(
    r"(?:maybe |remind me )?(?:later|not now|in a bit|tomorrow)|稍后|稍等|等会儿?|待会儿?|等一下|"
    r"回头(?:再说)?|晚点(?:再说)?|以后再说|明天再说",
    re.I,
)


def known(text: str) -> bool | None:
    """True for "I know", False for "later", None for anything else."""
    said = text.strip(_MARKS)
    if _KNOWN.fullmatch(said) or said in LIKED:
        return True
    return False if _LATER.fullmatch(said) else None


def heard(tx: Tx, session: Session, *, answered: int | None, text: str, now: datetime) -> None:
    """Somebody said something; `answered` is the message it answers."""
    nod = known(text)
    if nod is None:
        return
    told = answered if answered is not None else _last_told(tx, session, now)
    letter = letters.of_original(tx, told) if told is not None else None
    if letter is None or letter.run_id is None:
        return
    lasting = [one.id for one in handoffs.of_run(tx, letter.run_id) if one.lasting]
    repeats.acknowledge(tx, lasting, known=nod, now=now)


def _last_told(reader: Reader, session: Session, now: datetime) -> int | None:
    """In a DM a bare word is about what was told last; in a room it may be about anything."""
    room = audiences.find(reader, session.id)
    last = letters.last_unasked(reader, session.id) if room is not None and room.direct else None
    original = originals.find(reader, last) if last is not None else None
    young = original is not None and now - original.said_at <= SOON
    return last if young else None
