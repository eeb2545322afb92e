"""One digest a day for a person, at their hour: what waits on them, then what changed, by room.

entries ─► due? ─► each checked against the present ─► one letter ─► told, and the agency hears
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from agency import consents, handoffs, inbox
from agency.handoffs import State
from agency.inbox import Entry, Kind
from bot.engine import letters
from bot.engine.letters import Draft
from bot.engine.sessions import Session
from bot.engine.waits import Bell, Clock
from bot.inbox import pages, wording
from bot.inbox.pages import Page, Settings, Told
from bot.responses import Responses
from bot.speaking import Speaking
from bot.texts import Language
from memory import originals
from memory.db import Reader, Tx
from memory.moments import to_us

Admits = Callable[[Reader, int], bool]
"""Whether a person may talk with the bot; to a stranger it sends nothing unasked."""

AT_ONCE = 8  # people in one transaction; nobody else can write meanwhile
SECOND = 1_000_000  # microseconds
MOST = 12  # lines of changes in one digest
TOLD = "told in a digest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What one digest says."""

    body: str
    told: list[Told]


class Digests:
    """An alarm's work: looks whose hour has come, and writes to them."""

    def __init__(
        self,
        speaking: Speaking,
        clock: Clock,
        *,
        outbox_bell: Bell,
        settings: Settings,
        admits: Admits,
        responses: Responses,
    ) -> None:
        self._admits = admits
        self._responses = responses
        self._speaking = speaking
        self._clock = clock
        self._outbox_bell = outbox_bell
        self.settings = settings

    def due(self, reader: Reader) -> int | None:
        """When the next digest is due or an entry expires, in stored form."""
        times, now = [inbox.next_expiry(reader)], self._clock()
        for person, since in self._awaited(reader):
            due = self._due(reader, person, since)
            # A moment of their own each, so that whoever is left over is due anew.
            times.append(to_us(due) + person % SECOND if due is not None else None)
            if due is not None and due <= now:
                break  # all the others are looked at when these are told
        return min((one for one in times if one is not None), default=None)

    def give(self, tx: Tx) -> None:
        """Drop what is too late, and give everybody whose hour has come their digest."""
        now = self._clock()
        self._settle(tx, inbox.expire(tx, now_us=to_us(now)), else_to=State.EXPIRED)
        given, done = 0, list[Entry]()
        for person, since in self._awaited(tx):
            due = self._due(tx, person, since)
            if due is None or due > now:
                continue
            if given == AT_ONCE:
                break  # what others write comes in between
            done += self._write(tx, self.page(tx, person))
            given += 1
        self._settle(tx, done, else_to=State.DROPPED)

    def _due(self, reader: Reader, person: int, since: datetime) -> datetime | None:
        rules = self._speaking.rules
        desk, *_ = pages.reached(reader, person, rules)
        return pages.next_at(
            reader, person, desk, since, rules=rules, settings=self.settings, now=self._clock()
        )

    def _awaited(self, reader: Reader) -> list[tuple[int, datetime]]:
        """Whose digest has something to tell, of those who may talk with the bot."""
        return [one for one in inbox.awaited(reader) if self._admits(reader, one[0])]

    def page(
        self,
        reader: Reader,
        person: int,
        *,
        desk: Session | None = None,
        lang: Language | None = None,
    ) -> Page:
        """A person's inbox as it is now; `desk` and `lang` where they are known."""
        return pages.page(
            reader,
            person,
            rules=self._speaking.rules,
            settings=self.settings,
            now=self._clock(),
            desk=desk,
            lang=lang,
        )

    def at_once(
        self, tx: Tx, person: int, letter_key: str, *, desk: Session, lang: Language
    ) -> str:
        """The digest of somebody who asked for it, as the answer with this key; empty for none."""
        page = self.page(tx, person, desk=desk, lang=lang)
        done = self._drop(tx, page)
        digest = compose(page)
        if digest is not None:
            done += self._told(tx, page, digest, letter_key)
        self._settle(tx, done, else_to=State.DROPPED)
        return digest.body if digest is not None else ""

    def _write(self, tx: Tx, page: Page) -> list[Entry]:
        """Write somebody's digest; the entries that are told or dropped by it."""
        now = self._clock()
        done = self._drop(tx, page)
        digest = compose(page)
        if digest is None or page.desk is None or page.desk.address is None:
            return done
        day = now.astimezone(page.lines.style.zone).date()
        key = inbox.give(tx, page.person, day, now_us=to_us(now))
        if key is None:
            return done
        original = originals.keep(
            tx,
            originals.Saying(
                session_id=page.desk.id,
                kind=originals.Kind.OUTPUT,
                author=self.settings.bot_name,
                body=digest.body,
                said_us=to_us(now),
                aside=True,
            ),
            now_us=to_us(now),
        )
        draft = Draft(
            key=key,
            session_id=page.desk.id,
            address=page.desk.address,
            body=digest.body,
            original_id=original,
            proactive=True,
        )
        letters.post(tx, draft, now_us=to_us(now))
        done += self._told(tx, page, digest, key)
        if original is not None:
            for one in digest.told:
                self._responses.told(tx, page.desk, one.entry.caused_by("handoff"), original)
        tx.on_commit(self._outbox_bell.ring)
        return done

    def _drop(self, tx: Tx, page: Page) -> list[Entry]:
        for one in page.fallen:
            inbox.drop(tx, one.entry.id, one.why_not, now_us=to_us(self._clock()))
        return [one.entry for one in page.fallen]

    def _told(self, tx: Tx, page: Page, digest: Digest, letter_key: str) -> list[Entry]:
        now_us = to_us(self._clock())
        for one in digest.told:
            inbox.tell(tx, one.entry.id, letter_key, now_us=now_us)
        for lead in page.leads:
            name, _, id = lead.cause.partition(":")
            if name == "consent":  # the digest has reminded of it
                consents.remind_at(tx, int(id), None)
        return [one.entry for one in digest.told]

    def _settle(self, tx: Tx, entries: Iterable[Entry], *, else_to: State) -> None:
        """Report the handoffs that nobody waits for any more whom a digest will reach."""
        for id in {one.caused_by("handoff") for one in entries} - {None}:
            handoff = handoffs.get(tx, id or 0)
            if handoff.state is not State.DIGEST:
                continue
            cause = f"handoff:{handoff.id}"
            waiting = inbox.waiting_for(tx, cause)
            if any(self._reaches(tx, person) for person in waiting):
                continue  # they are told later
            of_it = [one for one in inbox.of_cause(tx, cause) if one.kind is Kind.DIGEST]
            told = any(one.state in (inbox.State.TOLD, inbox.State.SEEN) for one in of_it)
            if told or not waiting:
                reason = TOLD if told else next((o.reason for o in of_it if o.reason), "")
                to = State.SPOKEN if told else else_to
                handoffs.move(tx, handoff, to, reason=reason, now_us=to_us(self._clock()))
                self._speaking.report(tx, handoff, to, reason)

    def _reaches(self, reader: Reader, person: int) -> bool:
        if not self._admits(reader, person):
            return False
        desk, *_ = pages.reached(reader, person, self._speaking.rules)
        return desk is not None and inbox.wants_digest(reader, person)


def compose(page: Page) -> Digest | None:
    """The text, most telling lines only; None when there is nothing to tell."""
    if not page.coming:
        return None
    lang, style = page.lines.style.lang, page.lines.style
    day = wording.day(style.now.astimezone(style.zone).date(), lang)
    parts = [wording.text("digest", lang, day=day)]
    if page.leads:
        parts += ["", wording.text("waits", lang), *(f"- {one.text}" for one in page.leads)]
    told = page.coming[:MOST]
    rooms: dict[str, list[str]] = {}
    for one in told:
        rooms.setdefault(page.lines.room(one.entry), []).append(one.line)
    for room, lines in rooms.items():
        title = f"**{room}**" if room else wording.text("elsewhere", lang)
        parts += ["", title, *(f"- {line}" for line in lines)]
    if rest := len(page.coming) - len(told):
        parts += ["", wording.text("more", lang, n=rest)]
    return Digest(body="\n".join(parts), told=told)
