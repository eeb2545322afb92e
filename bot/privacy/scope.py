"""What goes when somebody's words go: all that rests on them, as far as anything leads there.

messages ─► facts · handoffs · inputs ─► runs ─► letters ─► messages of the bot ─► and so on
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agency import (
    approvals,
    consents,
    feedback,
    fires,
    handoffs,
    inbox,
    intentions,
    lessons,
    repeats,
    schedules,
    waits,
)
from bot.engine import inputs, letters, runs
from bot.privacy.own_words import OwnWords, Whose
from bot.privacy.shelves import READ, SAID
from memory import facts, files, originals, people
from memory.db import Reader
from memory.erasing import MARK

AT_ONCE = 500  # rows of a kind in one transaction
EVER = 2**62  # a moment after every moment


@dataclass(slots=True)
class Scope:
    """The rows that go, by kind."""

    rows: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    posts: set[str] = field(default_factory=set)
    """The keys of letters that go."""

    def add(self, kind: str, ids: Iterable[int]) -> None:
        """Some rows more."""
        self.rows[kind].update(ids)

    def counts(self) -> dict[str, int]:
        """How many rows of each kind go."""
        return {kind: len(ids) for kind, ids in self.rows.items() if ids}

    def parts(self) -> Iterator["Scope"]:
        """The same in pieces, each for a transaction of its own; what was said comes last."""
        kinds = sorted(self.rows, key=lambda kind: kind == SAID)
        keys = sorted(self.posts)
        for start in range(0, len(keys), AT_ONCE):
            yield Scope(posts=set(keys[start : start + AT_ONCE]))
        for kind in kinds:
            ids = sorted(self.rows[kind])
            for start in range(0, len(ids), AT_ONCE):
                yield Scope({kind: set(ids[start : start + AT_ONCE])})


def follow(reader: Reader, whose: Whose, *, until_us: int) -> tuple[Scope, OwnWords]:
    """All that rests on what some people, or everybody in some sessions, said by a moment.

    With it come the words that only they said, by which more can be found.

    `whose.people` are one person with all who turned out to be that one, and `whose.sessions`
    hold their DMs. What others said, of whomever, is not touched.
    """
    said = {
        *originals.of_people(reader, whose.people, until_us=until_us),
        *originals.of_sessions(reader, whose.sessions, until_us=until_us),
    }
    own = _own_words(reader, whose, said)
    scope = Scope()
    for kind, shelf in READ.items():
        scope.add(kind, (id for id, text in shelf.words(reader) if own.told_in(text)))
    scope.add(SAID, said)
    known = 0
    while known != _size(scope):
        known = _size(scope)
        _grow(reader, scope, whose, said)
    return _without_what_goes_on(reader, scope), own


def _own_words(reader: Reader, whose: Whose, said: Iterable[int]) -> OwnWords:
    """What only they said, and how only they are called."""
    own = OwnWords(reader, whose)
    ids = [
        row["id"] for row in originals.whole(reader, said) if row["kind"] != originals.Kind.OUTPUT
    ]
    for row in (*originals.whole(reader, ids), *originals.older(reader, ids)):
        own.add(row["body"])
    for text in files.words_of(reader, ids).values():
        own.add(text)
    for person in whose.people:
        names = {one.name for one in people.accounts(reader, person)}
        found = people.find(reader, person)
        for name in (names | ({found.name} if found else set())) - {MARK}:
            own.add(name)
    return own


def _size(scope: Scope) -> int:
    return sum(map(len, scope.rows.values())) + len(scope.posts)


def _grow(reader: Reader, scope: Scope, whose: Whose, said: set[int]) -> None:
    """Follow what is known one step further; `said` is what the people themselves said."""
    rows, gone, sessions = scope.rows, scope.rows[SAID], whose.sessions
    scope.add("facts", facts.resting_on(reader, gone, sessions))
    scope.add("summaries", {*sessions, *_rooms_of(reader, said)})
    scope.add("handoffs", handoffs.touched(reader, originals=gone, sessions=sessions))
    _add_runs(reader, scope, whose, said)
    told = rows["handoffs"]
    scope.add("gate records", told)
    scope.add(
        "consents",
        consents.touched(reader, handoffs=told, people=whose.people, sessions=sessions),
    )
    scope.add(
        "approvals",
        approvals.touched(reader, runs=rows["runs"], people=whose.people, sessions=sessions),
    )
    scope.add(
        "intentions",
        intentions.touched(reader, originals=gone, people=whose.people, sessions=sessions),
    )
    scope.add(
        "promises and questions",
        waits.touched(reader, originals=said, people=whose.people, sessions=sessions),
    )
    scope.add(
        "tellings", feedback.touched(reader, originals=gone, handoffs=told, sessions=sessions)
    )
    scope.add("lessons", lessons.of_tellings(reader, rows["tellings"]))
    scope.add("lasting conditions", repeats.touched(reader, handoffs=told, sessions=sessions))
    _add_letters(reader, scope, whose)
    scope.add(SAID, originals.outputs_of_runs(reader, rows["runs"]))


def _add_runs(reader: Reader, scope: Scope, whose: Whose, said: set[int]) -> None:
    """What was put into runs, and the runs that read it."""
    rows, sessions = scope.rows, whose.sessions
    set_at = schedules.touched(reader, people=whose.people, originals=said, sessions=sessions)
    scope.add("reminders", set_at)
    turns = schedules.carriers(reader, rows["reminders"])
    scope.add(SAID, (one["original_id"] for one in turns if one["original_id"] is not None))
    carried = handoffs.carriers(reader, rows["handoffs"])
    entered = [one["input_id"] for one in (*turns, *carried) if one["input_id"] is not None]
    entered += inputs.touched(reader, originals=said, people=whose.people, sessions=sessions)
    scope.add("inputs", entered)
    fired = fires.touched(
        reader, originals=rows[SAID], sessions=sessions, runs=runs.of_sessions(reader, sessions)
    )
    scope.add("fires", fired)
    read = {
        *runs.of_sessions(reader, sessions),
        *inputs.readers(reader, rows["inputs"]),
        *fires.readers(reader, rows["fires"]),
        *_learners(reader, said),
        *(one["agency_run_id"] for one in carried),
        *(one["run_id"] for one in carried if one["run_id"] is not None),
    }
    for kind in ("runs", "traces", "tool results"):
        scope.add(kind, read)


def _add_letters(reader: Reader, scope: Scope, whose: Whose) -> None:
    """What was said, or is to be, and lies in inboxes."""
    rows = scope.rows
    causes = {
        f"{name}:{id}"
        for name, kind in (
            ("handoff", "handoffs"),
            ("consent", "consents"),
            ("approval", "approvals"),
            ("schedule", "reminders"),
        )
        for id in rows[kind]
    }
    resting = inbox.touched(reader, people=(), originals=rows[SAID], causes=causes)
    found = {
        *letters.touched(reader, runs=rows["runs"], originals=rows[SAID], sessions=whose.sessions),
        *letters.about_any(reader, frozenset(causes)),
        *letters.keyed(reader, inbox.letters(reader, resting)),
        *rows["letters"],
    }
    # What somebody was told beside others is no word of theirs, though it lies in their inbox.
    scope.add("inbox entries", resting)
    scope.add("inbox entries", inbox.touched(reader, people=whose.people, originals=()))
    for one in letters.with_pieces(reader, found):
        scope.add("letters", [one["id"]])
        scope.posts.add(one["key"])
        if one["original_id"] is not None:
            scope.add(SAID, [one["original_id"]])


def _rooms_of(reader: Reader, said: Iterable[int]) -> set[int]:
    return {row["session_id"] for row in originals.whole(reader, said)}


def _learners(reader: Reader, said: Iterable[int]) -> Iterator[int]:
    """The memory runs that read something of what was said."""
    by_room: dict[int, list[int]] = defaultdict(list)
    for row in originals.whole(reader, said):
        by_room[row["session_id"]].append(row["id"])
    for burst in inputs.bursts(reader):
        ids = by_room.get(burst.session_id, [])
        next_one = bisect_right(ids, burst.after)
        if next_one < len(ids) and ids[next_one] <= burst.until:
            yield burst.run_id


def _without_what_goes_on(reader: Reader, scope: Scope) -> Scope:
    """A run under way is at work with its trace, which goes when it ends; see `Lifecycle`."""
    for kind in ("runs", "traces", "tool results"):
        scope.rows[kind] = set(runs.ended_of(reader, scope.rows[kind]))
    return scope


def written_since(reader: Reader, own: OwnWords, before: Scope) -> Scope:
    """What holds their words all the same: a run that was under way has written them since."""
    scope = Scope()
    for kind, shelf in READ.items():
        scope.add(kind, (id for id, text in shelf.words(reader) if own.told_in(text)))
    read = inputs.readers(reader, before.rows["inputs"])
    for kind in ("runs", "traces", "tool results"):
        scope.add(kind, read)
    scope.add(SAID, originals.outputs_of_runs(reader, read))
    there = own.whose.sessions
    scope.add(SAID, originals.of_sessions(reader, there, until_us=EVER))
    said = letters.touched(reader, runs=read, originals=scope.rows[SAID], sessions=there)
    for one in letters.with_pieces(reader, {*said, *scope.rows["letters"]}):
        scope.add("letters", [one["id"]])
        scope.posts.add(one["key"])
        if one["original_id"] is not None:
            scope.add(SAID, [one["original_id"]])
    scope.add("facts", facts.resting_on(reader, scope.rows[SAID]))
    scope.add("handoffs", handoffs.touched(reader, originals=scope.rows[SAID], sessions=()))
    return _without_what_goes_on(reader, scope)
