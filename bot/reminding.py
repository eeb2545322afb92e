"""The one reminder of a question for consent, in the morning of whoever was asked."""

from agency import consents, hours
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
        for consent in consents.to_remind(tx, now_us=to_us(now)):
            settings = self._rules.speaking
            awake = hours.first(tx, consent.source_id, now=now, settings=settings)
            later = awake > now and awake < consent.expires_at
            if awake <= now and consent.expires_at > now:
                self._remind(tx, consent)
            consents.remind_at(tx, consent.id, to_us(awake) if later else None)

    def _remind(self, tx: Tx, consent: Consent) -> None:
        lang = texts.language(consent.body)
        question = questions.consent_text(tx, consent, lang)
        self._desk.post(
            tx,
            consent.source_id,
            f"reminder:c{consent.id}",
            questions.text("still", lang, question=question),
            about=f"consent:{consent.id}",
            buttons=questions.consent_buttons(tx, consent, lang),
            proactive=True,
        )
