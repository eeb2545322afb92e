"""What the people of one session may hear: the audience rule applied to stored audiences."""

from agency import consents
from agency.audience import Flow, Settings, may_flow
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
            source = audiences.find(self._reader, session)
            self._flows[session] = (
                may_flow(source, self._target, self._settings) if source else Flow.NEVER
            )
        return self._flows[session]

    def original(self, original: Original, *, handoff: int) -> Flow:
        """How one original flows to the target, with the consents given for just this handoff."""
        flow = self.flow(original.session_id)
        if flow is Flow.CONSENT and consents.agreed(self._reader, original.id, handoff=handoff):
            return Flow.FREE
        return flow
