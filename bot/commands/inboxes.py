"""Orders about what waits for somebody: their inbox, the hour of their digest, their report."""

from dataclasses import dataclass
from datetime import timedelta

from agency import inbox, personal, spans
from agency.gates import Rules
from agency.inbox import Kind, Note
from bot.access import Right
from bot.commands.asked import Asked
from bot.commands.own import NOW, YESTERDAY, bare_hour
from bot.commands.words import OFF
from bot.inbox import pages, report, wording
from bot.inbox.digests import Digests
from memory.db import Tx
from memory.moments import to_us


@dataclass(frozen=True, slots=True)
class Inboxes:
    """Answers a person about their own; nobody else reads it."""

    digests: Digests
    rules: Rules

    def inbox(self, tx: Tx, asked: Asked) -> str:
        """What waits for them, and what comes in their next digest."""
        if not asked.direct:
            return wording.text("own dm", asked.lang)
        return pages.text_of(self._page(tx, asked))

    def digest(self, tx: Tx, asked: Asked) -> str:
        """When their digest comes: told, set, or switched off; or the digest itself at once."""
        if not asked.direct:
            return wording.text("own dm", asked.lang)
        said = asked.command.argument.strip().casefold()
        if said in NOW:
            return self.digest_now(tx, asked)
        if said in OFF:
            inbox.switch(tx, asked.person, on=False, now_us=to_us(asked.now))
            at, _ = self._hour(tx, asked)
            return wording.text("digest off", asked.lang, at=at)
        if not said:
            on = inbox.wants_digest(tx, asked.person) and self.digests.settings.enabled
            at, zone = self._hour(tx, asked)
            name = "digest is" if on else "digest is off"
            return wording.text(name, asked.lang, at=at, zone=zone)
        hour = spans.clock(bare_hour(said))
        if hour is None:
            return wording.text("digest when", asked.lang)
        personal.set_digest(tx, asked.person, hour, now=asked.now)
        inbox.switch(tx, asked.person, on=True, now_us=to_us(asked.now))
        at, zone = self._hour(tx, asked)
        return wording.text("digest at", asked.lang, at=at, zone=zone)

    def digest_now(self, tx: Tx, asked: Asked) -> str:
        """What the next digest would tell, told at once instead."""
        if not asked.direct:
            return wording.text("own dm", asked.lang)
        told = self.digests.at_once(
            tx, asked.person, f"order:{asked.original}", desk=asked.session, lang=asked.lang
        )
        return told or pages.text_of(self._page(tx, asked))

    def report(self, tx: Tx, asked: Asked) -> str:
        """What was looked at, found, said, held and spent; an admin hears of the whole house."""
        if not asked.direct:
            return wording.text("own dm", asked.lang)
        own = personal.of(tx, asked.person, now=asked.now)
        zone = own.zone or self.rules.speaking.zone
        day = asked.now.astimezone(zone).date()
        if asked.command.argument.strip().casefold() in YESTERDAY:
            day -= timedelta(days=1)
        whole = asked.right is Right.ADMIN
        found = report.of(tx, day, zone, person=None if whole else asked.person)
        text = report.text_of(found, asked.lang)
        key = f"order:{asked.original}"
        note = Note(
            key=f"report:{asked.original}",
            person_id=asked.person,
            kind=Kind.REPORT,
            subject=f"{day}",
            text=text,
            cause=f"report:{day}",
            told_in=key,
        )
        inbox.add(tx, note, now_us=to_us(asked.now))
        return text

    def _page(self, tx: Tx, asked: Asked) -> pages.Page:
        """What may be told in this very DM."""
        return self.digests.page(tx, asked.person, desk=asked.session, lang=asked.lang)

    def _hour(self, tx: Tx, asked: Asked) -> tuple[str, str]:
        at, zone = pages.hour(
            tx,
            asked.person,
            rules=self.rules,
            settings=self.digests.settings,
            now=asked.now,
        )
        return f"{at:%H:%M}", str(zone)
