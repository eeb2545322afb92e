"""What one person may know: the sessions they are in, and what is said in the open around them."""

from collections.abc import Callable

from agency import consents, handoffs
from agency.audience import Settings
from agency.handoffs import Handoff
from memory import audiences, originals, people
from memory.db import Reader

Knows = Callable[[int], bool]
"""Whether what was said in a session may be shown; None in its place stands for everything."""


class Knowing:
    """Answers for one person inside one snapshot; what it looked up it remembers.

    Stricter than a room's `Hearing`: another's DM stays closed whatever the operator allows to be
    retold, because a view shows words and not news.
    """

    def __init__(
        self, reader: Reader, person: int | None, settings: Settings, *, workspace: str
    ) -> None:
        self._reader = reader
        self._settings = settings
        self._mine = audiences.heard_by(reader, person) if person is not None else frozenset()
        accounts = people.accounts(reader, person) if person is not None else []
        self._workspaces = {workspace, *(account.tenant for account in accounts)}
        self._known: dict[int, bool] = {}

    def __call__(self, session: int) -> bool:
        """Whether this person is in a session or could walk into it; False for inner sessions."""
        if session not in self._known:
            self._known[session] = session in self._mine or self._is_open(session)
        return self._known[session]

    def _is_open(self, session: int) -> bool:
        if not self._settings.groups_open:
            return False
        audience = audiences.find(self._reader, session)
        return audience is not None and audience.open and audience.workspace in self._workspaces


def may_read(reader: Reader, handoff: Handoff, knows: Knows | None) -> bool:
    """Whether a handoff's words may be shown.

    Its target must be known, and each of its sources known or told there by its author's word.
    What it claims to rest on is believed only as far as the leak guard has looked.
    """
    if knows is None:
        return True
    sources = originals.find_many(reader, list(handoff.originals))
    return (
        knows(handoff.target_id)
        and all(
            knows(source.session_id) or consents.agreed(reader, source.id, handoff=handoff.id)
            for source in sources
        )
        and _guarded(reader, handoff.id)
    )


def _guarded(reader: Reader, handoff: int) -> bool:
    """Whether the leak guard let its text pass; a question to its author is guarded too."""
    looked = [one for one in handoffs.gate_records(reader, handoff) if one.gate == "leak guard"]
    return looked[-1].passed if looked else bool(consents.of_handoff(reader, handoff))
