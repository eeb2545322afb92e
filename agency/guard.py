"""What a text would give away to a room: the leak guard applied to what is stored."""

from collections.abc import Iterable, Iterator

from agency import leaks
from agency.hearing import Hearing
from memory import audiences, facts, files, originals, people, search
from memory.audiences import Audience
from memory.db import Reader

PRIVATES = 500  # private originals a text is compared with, those closest in words
LATEST = 800  # and so many of the last ones, where words alone could be made not to match
OPENS = 300  # open originals in which a shared piece may have been met, those closest in words
WORDS = 400  # words of a text that are looked for
FILES = 300_000  # signs of files compared on each side, those of the closest messages first


def leak(
    reader: Reader,
    text: str,
    *,
    target: Audience,
    hears: Hearing,
    allowed: frozenset[int] = frozenset(),
    agreed: tuple[str, ...] = (),
) -> str | None:
    """The first thing a text gives away to a room that may not know it; None when there is none.

    `allowed` are originals that may be told there: open ones and those with consent. `agreed` are
    texts that passed this guard or were agreed to, and may be repeated.
    """
    privates = list(_privates(reader, text, hears, allowed))
    if not privates:
        return None
    known = _Known(reader, text, target, hears, allowed, agreed)
    return leaks.leaked(text, privates, known)


class _Known:
    """Whether the people of a room could have met a piece of text; looked up when first asked."""

    def __init__(
        self,
        reader: Reader,
        text: str,
        target: Audience,
        hears: Hearing,
        allowed: frozenset[int],
        agreed: tuple[str, ...],
    ) -> None:
        self._reader = reader
        self._hears = hears
        opens = search.originals(reader, text, visible=hears, limit=OPENS, words=WORDS)
        told = originals.find_many(reader, sorted(allowed))
        bodies = [one.body for one in (*opens, *told)]
        bodies += _enclosed(reader, (one.id for one in (*told, *opens)))
        authors = [one.author for one in (*opens, *told)]
        # Colleagues and open rooms are known by name, whoever spoke of them in private.
        names = [person.name for person in people.everyone(reader)]
        rooms = {one.session_id for one in (*opens, *told) if hears(one.session_id)}
        titles = [room.title for id in rooms if (room := audiences.find(reader, id))]
        self._met = "\n".join(
            leaks.squeeze(one)
            for one in (*bodies, *authors, *names, *titles, target.title, *agreed)
        )

    def __call__(self, piece: str) -> bool:
        squeezed = leaks.squeeze(piece)
        if squeezed in self._met:
            return True
        # A single word may well be met far from what the text is about.
        found = search.originals(self._reader, piece, visible=self._hears, limit=20)
        bodies = (one.body for one in found)
        enclosed = _enclosed(self._reader, (one.id for one in found))
        return any(squeezed in leaks.squeeze(body) for body in (*bodies, *enclosed))


def _privates(reader: Reader, text: str, hears: Hearing, allowed: frozenset[int]) -> Iterator[str]:
    def private(session: int) -> bool:
        return not hears(session)

    near = search.originals(
        reader, text, visible=private, limit=PRIVATES, exclude=allowed, words=WORDS
    )
    latest = (one for one in originals.latest(reader, limit=LATEST) if private(one.session_id))
    said: list[int] = []
    for original in {one.id: one for one in (*near, *latest)}.values():
        # The bot's own words rest on what people said there, and that is compared itself.
        if original.kind is not originals.Kind.OUTPUT and original.id not in allowed:
            said.append(original.id)
            yield original.body
    yield from _enclosed(reader, said)
    for fact in search.facts(reader, text, visible=private, limit=PRIVATES):
        if not allowed.issuperset(facts.sources(reader, fact.id)):
            yield fact.body


def _enclosed(reader: Reader, ids: Iterable[int]) -> Iterator[str]:
    """What the files of messages say: as private or as open as the message itself."""
    left = FILES
    wanted = list(dict.fromkeys(ids))
    found = files.words_of(reader, wanted)
    for id in wanted:
        if left > 0 and id in found:
            yield found[id][:left]
            left -= len(found[id])
