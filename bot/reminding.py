"""The one reminder of questions for consent, in the morning of whoever was asked.

Several that wait in one DM are called to mind together: one message, whatever was asked.
"""

from collections import defaultdict

from agency import consents, gates, hours
from agency.consents import Consent
from agency.gates import Rules
from bot import questions, texts
from bot.engine.waits import Clock
from bot.questions import Desk
from memory.db import Reader, Tx
from memory.moments import to_us


class Reminding:
    """Asks once more; every method belongs to a transaction."""

    def __init__(self, clock: Clock, desk: Desk, *, rules: Rules) -> None:
        self._clock = clock
        self._desk = desk
        self._rules = rules

    def next_moment(self, reader: Reader) -> int | None:
        """When `sweep` has something to do next, in stored form."""
        return consents.next_reminder(reader)

    def sweep(self, tx: Tx) -> None:
        """Remind whoever is awake; the others when they are."""
        now = self._clock()
        waiting: dict[int, list[Consent]] = defaultdict(list)
        for consent in consents.to_remind(tx, now_us=to_us(now)):
            settings = self._rules.speaking
            awake = hours.first(tx, consent.source_id, now=now, settings=settings)
            later = awake > now and awake < consent.expires_at
            known = gates.knows_of(tx, consent.person_id, consent.target_id)
            if awake <= now and consent.expires_at > now and known:
                waiting[consent.source_id].append(consent)
            consents.remind_at(tx, consent.id, to_us(awake) if later else None)
        for found in waiting.values():
            self._remind(tx, found)

    def _remind(self, tx: Tx, found: list[Consent]) -> None:
        first, lang = found[0], texts.language(found[0].body)
        asked = [questions.consent_text(tx, one, lang) for one in found]
        said = questions.text("still", lang, question=asked[0])
        if len(found) > 1:
            lines = (f"- {one}" for one in asked)
            said = "\n".join((questions.text("still several", lang), *lines))
        self._desk.post(
            tx,
            first.source_id,
            f"reminder:c{first.id}",
            said,
            about=f"consent:{first.id}",
            buttons=questions.consent_buttons(tx, first, lang) if len(found) == 1 else (),
            proactive=True,
        )
