"""What may flow where: something heard in one session, used in another.

everyone there could have heard it · or it was said in the open · or its author said yes
"""

from dataclasses import dataclass
from enum import StrEnum

from memory.audiences import Audience


class Dm(StrEnum):
    """What becomes of things said in a DM."""

    ASK = "ask"
    """Ask their author, in that DM."""
    NEVER = "never"
    """They never leave it."""
    ALLOW = "allow"
    """They may be used anywhere; the operator answers for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The privacy rules of this instance."""

    groups_open: bool = True
    """Whether open rooms flow to rooms of the same workspace."""
    dm: Dm = Dm.ASK


class Flow(StrEnum):
    """May it be used there?"""

    FREE = "free"
    """Yes."""
    CONSENT = "consent"
    """Only when its author says so."""
    NEVER = "never"
    """No."""


def may_flow(source: Audience, target: Audience, settings: Settings) -> Flow:
    """Whether what was said in `source` may be used in `target`.

    Consents already given are the caller's to apply: they are about single originals.
    """
    if source.session_id == target.session_id or _all_heard(source, target):
        return Flow.FREE
    if source.direct:
        return {Dm.ASK: Flow.CONSENT, Dm.NEVER: Flow.NEVER, Dm.ALLOW: Flow.FREE}[settings.dm]
    inside = source.workspace == target.workspace and hears_open(target, settings)
    return Flow.FREE if source.open and inside else Flow.NEVER


def hears_open(target: Audience, settings: Settings) -> bool:
    """Whether whatever is said in open rooms of its workspace may be used in `target`."""
    return settings.groups_open and not target.outsiders


def _all_heard(source: Audience, target: Audience) -> bool:
    # An open or incompletely listed room may hold anybody, so nobody there is known to have heard.
    known = target.complete and not target.open and bool(target.members)
    return known and target.members <= source.members
