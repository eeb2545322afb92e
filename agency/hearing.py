"""What the people of one session may hear: the audience rule applied to stored audiences."""

from collections.abc import Iterable

from agency import consents
from agency.audience import Flow, Settings, hears_open, may_flow
from memory import audiences
from memory.audiences import Audience
from memory.db import Reader
from memory.originals import Original


class Hearing:
    """Answers for one target session inside one snapshot; what it looked up it remembers."""

    def __init__(self, reader: Reader, target: Audience, settings: Settings) -> None:
        self._reader = reader
        self._target = target
        self._settings = settings
        self._flows: dict[int, Flow] = {}

    def __call__(self, session: int) -> bool:
        """Whether anything said in a session may be used in the target."""
        return self.flow(session) is Flow.FREE

    def flow(self, session: int) -> Flow:
        """How what was said in a session flows to the target; inner sessions never do."""
        if session not in self._flows:
            self._flows[session] = self._from(audiences.find(self._reader, session))
        return self._flows[session]

    def look_up(self, sessions: Iterable[int]) -> None:
        """Look up at once what would be asked of each by itself; open rooms are known soonest."""
        fresh = {one for one in sessions if one not in self._flows}
        if fresh and hears_open(self._target, self._settings):
            workspace = self._target.workspace
            heard = audiences.open_among(self._reader, fresh, workspace=workspace)
            self._flows.update(dict.fromkeys(heard, Flow.FREE))
            fresh.difference_update(heard)
        if fresh:
            found = audiences.find_many(self._reader, fresh)
            self._flows.update((one, self._from(found.get(one))) for one in fresh)

    def _from(self, source: Audience | None) -> Flow:
        return may_flow(source, self._target, self._settings) if source else Flow.NEVER

    def original(self, original: Original, *, handoff: int) -> Flow:
        """How one original flows to the target, with the consents given for just this handoff."""
        flow = self.flow(original.session_id)
        if flow is Flow.CONSENT and consents.agreed(self._reader, original.id, handoff=handoff):
            return Flow.FREE
        return flow
