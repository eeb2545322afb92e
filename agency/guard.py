"""What a text would give away to a room: the leak guard applied to what is stored.

Private originals are asked of indexes, and never all read: those that share words with the text or
write its amounts in another way, the last ones said, the last ones of whoever is named in it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from functools import cached_property

from agency import figures, leaks, traits
from agency.hearing import Hearing
from agency.leaks import Leak, Opens, Private
from agency.traits import Traits
from memory import audiences, facts, files, originals, people, search
from memory.audiences import Audience
from memory.db import Reader
from memory.originals import Original
from memory.people import Person

PRIVATES = 300  # private originals a text is compared with, those closest in words
LATEST = 800  # and so many of the last ones, where words alone could be made not to match
SAID_BY = 100  # and of the last ones of everybody named in the text, who may be paraphrased
NAMED = 8  # people named in a text who are looked at
OPENS = 300  # open originals in which a shared piece may have been met, those closest in words
WORDS = 400  # words of a text that are looked for
_QUOTED = re.compile(r"\s*>")
FILES = 300_000  # signs of files compared on each side, those of the closest messages first


def leak(
    reader: Reader,
    text: str,
    *,
    target: Audience,
    hears: Hearing,
    allowed: frozenset[int] = frozenset(),
    agreed: tuple[str, ...] = (),
    now: datetime | None = None,
    asked: bool = False,
) -> Leak | None:
    """The first thing a text gives away to a room that may not know it; None when there is none.

    `allowed` are originals that may be told there: open ones and those with consent. `agreed` are
    texts that passed this guard or were agreed to, and may be repeated. `now` is the local time at
    which it is said, for what "tomorrow" is; `asked`, whether it answers somebody.
    """
    found = leaks_of(
        reader, text, target=target, hears=hears, allowed=allowed, agreed=agreed, now=now,
        asked=asked,
    )  # fmt: skip
    return next(found, None)


def leaks_of(
    reader: Reader,
    text: str,
    *,
    target: Audience,
    hears: Hearing,
    allowed: frozenset[int] = frozenset(),
    agreed: tuple[str, ...] = (),
    now: datetime | None = None,
    asked: bool = False,
) -> Iterator[Leak]:
    """Everything a text gives away; see `leak`."""
    mine = Traits(text, now.date() if now else None)
    words = "\n".join((text, mine.text, *mine.words, *mine.chinese))
    colleagues = [one for one in people.mentioned(reader, words) if one.name]
    named = [one for one in colleagues if mine.has(one.name)][:NAMED]
    privates = list(_privates(reader, mine, text, hears, allowed, named))
    if privates:
        met = _Known(reader, text, target, hears, allowed, agreed, colleagues, named, privates)
        yield from leaks.all_of(mine, privates, met, asked=asked)


class _Known(Opens):
    """What the people of a room could have met; looked up when it is first asked for."""

    def __init__(
        self,
        reader: Reader,
        text: str,
        target: Audience,
        hears: Hearing,
        allowed: frozenset[int],
        agreed: tuple[str, ...],
        colleagues: list[Person],
        named: list[Person],
        privates: list[Private],
    ) -> None:
        # Colleagues are known by name, whoever spoke of them in private.
        super().__init__(people=(one.name for one in colleagues))
        self._reader = reader
        self._text = text
        self._target = target
        self._hears = hears
        self._allowed = allowed
        self._agreed = agreed
        self._named = named
        self._privates = privates
        self._looked: dict[str, bool] = {}

    @cached_property
    def texts(self) -> list[str]:
        """What is open and close in words, who said it and in which open rooms."""
        found = [*self._told]
        found += self._open_ones(self._text, limit=OPENS, words=WORDS)
        bodies = [self._said(one) for one in found]
        bodies += _enclosed(self._reader, (one.id for one in found))
        ids = {one.session_id for one in found if self._hears(one.session_id)}
        rooms = (audiences.find(self._reader, id) for id in ids)
        titles = [room.title for room in rooms if room]
        return [
            *bodies, *(one.author for one in found), *titles, self._target.title, *self._agreed
        ]  # fmt: skip

    @cached_property
    def names(self) -> list[str]:
        """Of all colleagues: a text may call somebody by the middle of a name."""
        everyone = (one.name for one in people.everyone(self._reader) if one.name)
        return [*dict.fromkeys((*self.people, *everyone))]

    @cached_property
    def _told(self) -> list[Original]:
        return originals.find_many(self._reader, sorted(self._allowed))

    @cached_property
    def _own(self) -> list[Private]:
        """What is open of those who are named in the text, by themselves."""
        own = [_private(one, {}) for one in self._told]
        for person in self._named:
            said = originals.said_by(self._reader, person.id, limit=SAID_BY)
            names: dict[int | None, str] = {person.id: person.name}
            own += [_private(one, names) for one in said if self._hears(one.session_id)]
        return own

    def piece(self, piece: str) -> bool:
        """Whether it was: a single word may well be met far from what the text is about."""
        if piece not in self._looked:
            # An index knows words, which a squeezed run of Latin letters has none of.
            found = len(piece) < leaks.RUN or not piece.isascii()
            self._looked[piece] = super().piece(piece) or (found and self._elsewhere(piece))
        return self._looked[piece]

    def figure(self, figure: figures.Figure) -> bool:
        """Whether an amount was, however it was written."""
        written = leaks.written(figure.value)
        if written not in self._looked:
            ways = (way for way in figures.spellings(figure.value) if len(way) > 1)
            self._looked[written] = super().figure(figure) or any(
                figure.value in {one.value for one in traits.of(body).figures}
                for body in self._bodies(" ".join(ways))
            )
        return self._looked[written]

    def matter(self, kind: str, names: tuple[str, ...]) -> bool:
        """Whether it was spoken of, or somebody spoke of it themselves."""
        if super().matter(kind, names):
            return True
        own = (one for one in self._own if not names or set(one.authors) & set(names))
        return any(kind in traits.of(one.text).confidences for one in own)

    def _open_ones(self, text: str, *, limit: int, words: int = 24) -> list[Original]:
        """Open originals close in words. What the bot said elsewhere was for there alone."""
        found = search.originals(
            self._reader, text, visible=self._hears, limit=limit, words=words,
            look_up=self._hears.look_up,
        )  # fmt: skip
        here, own = self._target.session_id, originals.Kind.OUTPUT
        return [one for one in found if one.kind is not own or one.session_id == here]

    def _said(self, original: Original) -> str:
        """What a message makes open: private words that somebody else quotes stay private."""
        body = original.body
        if ">" not in body or original.session_id == self._target.session_id:
            return body
        quoted = Traits("\n".join(line for line in body.splitlines() if _QUOTED.match(line)))
        foreign = (
            one
            for one in self._privates
            if one.person != original.person_id and quoted.may_share_a_run(traits.of(one.text))
        )
        if any(not quoted.windows.isdisjoint(traits.of(one.text).windows) for one in foreign):
            return "\n".join(line for line in body.splitlines() if not _QUOTED.match(line))
        return body

    def _elsewhere(self, piece: str) -> bool:
        squeezed = traits.squeeze(piece)
        return any(squeezed in traits.squeeze(body) for body in self._bodies(piece))

    def _bodies(self, words: str) -> Iterator[str]:
        found = self._open_ones(words, limit=20)
        yield from map(self._said, found)
        yield from _enclosed(self._reader, (one.id for one in found))


def _privates(
    reader: Reader,
    mine: Traits,
    text: str,
    hears: Hearing,
    allowed: frozenset[int],
    named: list[Person],
) -> Iterator[Private]:
    def private(session: int) -> bool:
        return not hears(session)

    def privately(sessions: list[int]) -> list[int]:
        hears.look_up(sessions)
        return [one for one in sessions if private(one)]

    amounts = (way for one in mine.figures for way in figures.spellings(one.value))
    wanted = f"{text}\n{mine.text if mine.text != text else ''}\n{' '.join(amounts)}"
    found = search.originals(
        reader, wanted, visible=private, limit=PRIVATES, exclude=allowed, words=WORDS,
        look_up=hears.look_up,
    )  # fmt: skip
    found += originals.latest_in(reader, privately, limit=LATEST)
    for person in named:
        said = originals.said_by(reader, person.id, limit=SAID_BY)
        found += (one for one in said if private(one.session_id))
    writers = {one.person_id for one in found if one.person_id is not None}
    names: dict[int | None, str] = dict(people.called(reader, writers).items())
    told: dict[int, Private] = {}
    for original in found:
        # The bot's own words rest on what people said there, and that is compared itself.
        if original.kind is not originals.Kind.OUTPUT and original.id not in {*allowed, *told}:
            told[original.id] = _private(original, names)
    yield from told.values()
    for id, words in _files(reader, told):
        yield Private(words, id, told[id].authors)
    known = search.facts(reader, text, visible=private, limit=PRIVATES, look_up=hears.look_up)
    for fact in known:
        sources = originals.find_many(reader, facts.sources(reader, fact.id))
        said = [one for one in sources if one.kind is not originals.Kind.OUTPUT]
        if sources and not said:
            continue  # it was learnt from the bot's own words
        if not allowed.issuperset(one.id for one in said) or not sources:
            authors = tuple(dict.fromkeys(one.author for one in said if one.author))
            yield Private(fact.body, said[0].id if said else None, authors)


def _private(original: Original, names: dict[int | None, str]) -> Private:
    called = (original.author, names.get(original.person_id, ""))
    said: date = original.said_at.date()
    authors = tuple(dict.fromkeys(one for one in called if one))
    return Private(original.body, original.id, authors, said, original.person_id)


def _files(reader: Reader, ids: Iterable[int]) -> Iterator[tuple[int, str]]:
    """What the files of messages say: as private or as open as the message itself."""
    left = FILES
    wanted = list(dict.fromkeys(ids))
    found = files.words_of(reader, wanted)
    for id in wanted:
        if left > 0 and id in found:
            yield id, found[id][:left]
            left -= len(found[id])


def _enclosed(reader: Reader, ids: Iterable[int]) -> Iterator[str]:
    return (words for _, words in _files(reader, ids))
