"""Whether what waited is still news: it was not said, settled or overtaken in the meantime."""

from collections.abc import Callable, Collection

from agency import handoffs, salience, subjects
from agency.handoffs import Handoff
from agency.salience import Kind
from memory import originals, search
from memory.db import Reader
from memory.originals import Original

LIKE = 12  # later messages that share its words, of which each is compared
_NAMED = 0.6  # the part of a subject's words that a message on it holds
_SETTLES = frozenset({Kind.DONE, Kind.RESOLUTION})
_OVERTAKES = frozenset({Kind.REVERSAL, Kind.CORRECTION, Kind.CHANGE, Kind.DECISION})
_TELLS = _SETTLES | _OVERTAKES | {Kind.RELAY, Kind.OWNER, Kind.DEADLINE}
_OPEN = frozenset({Kind.WAIT, Kind.QUESTION, Kind.COMMITMENT, Kind.RISK, Kind.DEADLINE, Kind.PLAN})

Heard = Callable[[int], bool]
"""Whether what was said in a session may be looked at."""


def overtaken(reader: Reader, handoff: Handoff, *, sessions: Collection[int], hears: Heard) -> str:
    """Why it is no longer news; empty while it is.

    `sessions` are those of the chat it goes to. Only what the chat may hear, or was said where its
    sources were, is looked at, so that its silence tells nothing of other rooms.
    """
    newest = next(handoffs.on_subject(reader, handoff, sessions), None)
    if newest is not None and newest.id > handoff.id:
        return "something newer was handed over on its subject"
    sources = [
        one for one in originals.find_many(reader, list(handoff.originals)) if not one.recalled
    ]
    if not sources:
        return ""
    rooms = {one.session_id for one in sources}
    kinds = {signal.kind for one in sources for signal in salience.read(one.body, subject=False)}
    for later in _later(reader, handoff, sources, lambda id: id in rooms or hears(id)):
        found = {signal.kind for signal in salience.read(later.body, subject=False)}
        if later.session_id in sessions and later.session_id not in rooms and found & _TELLS:
            return "it was said there meanwhile"
        if found & _SETTLES and kinds & _OPEN:
            return "it was settled meanwhile"
        if found & _OVERTAKES:
            return "a later message changed it"
    return ""


def _later(
    reader: Reader, handoff: Handoff, sources: list[Original], visible: Heard
) -> list[Original]:
    """What people said after the last source, and after it was proposed, on the same matter."""
    text = f"{handoff.subject} {handoff.subject_state} " + " ".join(one.body for one in sources)
    newest = max(one.id for one in sources)
    about = [subjects.terms(one.body) for one in sources] + [subjects.terms(handoff.body)]
    found = search.recall_originals(
        reader, text, visible=visible, limit=LIKE, exclude=frozenset(handoff.originals)
    )
    return [
        one
        for one in found
        if one.id > newest
        and one.said_at >= handoff.created_at
        and one.kind is originals.Kind.MESSAGE
        and not (one.aside or one.recalled)
        and _on(handoff.subject, subjects.terms(one.body))
        and _same_matter(subjects.terms(one.body), about)
    ]


def _on(subject: str, words: subjects.Terms) -> bool:
    """Whether a message names most of a subject, each word counting alike: one shared name, however
    telling, is no shared matter."""
    weighed = subjects.terms(subject)
    wanted = [term for term, weight in weighed.items() if weight >= 1.0] or list(weighed)
    return sum(term in words for term in wanted) >= _NAMED * len(wanted)


def _same_matter(words: subjects.Terms, about: list[dict[str, float]]) -> bool:
    return any(subjects.link(words, one).near and not _apart(words, one) for one in about)


def _apart(a: subjects.Terms, b: subjects.Terms) -> bool:
    """Whether they name different members of one set; numbers are what may have changed."""
    plain = [{term: weight for term, weight in x.items() if not term.isdigit()} for x in (a, b)]
    return subjects.contrary(*plain)
