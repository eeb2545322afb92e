"""How people take what they were told unasked: their signs, their answers, what they do next."""

import re
from datetime import timedelta

from agency import feedback, handoffs, lessons, salience, subjects
from agency.feedback import AGAINST, SIGNS, Kind, Telling
from bot.engine.sessions import Session
from bot.engine.waits import Clock
from memory import audiences
from memory.db import Reader, Tx

LIKED = frozenset(
    "👍 ❤ 🙏 ✅ 🎉 👌 💯 🙌 👏 😊 🔥 🥰 🤝 +1 thumbsup heart pray white_check_mark tada ok_hand "
    "clap ok done thanks applause love".split()
)
DISLIKED = frozenset(
    "👎 🙄 😡 🤬 🤫 🔕 ❌ 💤 -1 thumbsdown thumbs_down no_bell x shushing_face angry".split()
)
_ACTING = frozenset(
    {
        salience.Kind.DECISION,
        salience.Kind.CHANGE,
        salience.Kind.CORRECTION,
        salience.Kind.RESOLUTION,
        salience.Kind.DONE,
        salience.Kind.COMMITMENT,
    }
)
SOON = timedelta(hours=12)
"""In a DM, what is said within this time is said to what was told."""
_TONES = re.compile("[\U0001f3fb-\U0001f3ff\ufe0f]|::skin-tone-\\d")
_SAME = 0.5  # the part of a subject's weight that what follows has to hold


class Responses:
    """Notes how what was told is taken; every method belongs to a transaction."""

    def __init__(self, clock: Clock, *, enabled: bool) -> None:
        self._clock = clock
        self.enabled = enabled
        """Off, nothing is noted and nothing learnt."""

    def told(self, tx: Tx, session: Session, handoff: int | None, original: int | None) -> None:
        """A message of the bot told of a handoff; None where there is no such thing."""
        if self.enabled and handoff is not None and original is not None:
            feedback.told(
                tx,
                original=original,
                handoff=handoff,
                session=session.parent_id or session.id,
                subject=handoffs.get(tx, handoff).subject,
                now=self._clock(),
            )

    def reacted(self, tx: Tx, original: int, person: int, sign: str) -> None:
        """Somebody put a sign on a message, or took theirs away (`sign` empty)."""
        for telling in feedback.of_original(tx, original) if self.enabled else []:
            if sign:
                self.note(tx, telling, person, _meaning(sign), note=sign)
            elif feedback.take_back(tx, telling.id, person, SIGNS):
                lessons.unlearn(tx, telling.id, person, now=self._clock())

    def said(
        self, tx: Tx, session: Session, original: int, answered: int | None, person: int, text: str
    ) -> None:
        """Somebody said something where the bot may have told something before."""
        if not self.enabled:
            return
        chat = session.parent_id or session.id
        lately = feedback.recent(tx, chat, now=self._clock())
        if not lately:
            return
        alone = _alone(tx, chat)
        for telling in lately:
            late = self._clock() - telling.told_at > SOON
            if answered == telling.original_id or (alone and not late):
                self.note(tx, telling, person, Kind.REPLY, evidence=original)
        acting = {one.kind for one in salience.read(text, subject=False)} & _ACTING
        for telling in lately if acting else []:
            if _about(telling.subject, text):
                self.note(tx, telling, person, Kind.ACTED, evidence=original)

    def note(
        self,
        tx: Tx,
        telling: Telling,
        person: int,
        kind: Kind,
        *,
        evidence: int | None = None,
        note: str = "",
    ) -> None:
        """Keep one response, and learn from it where it is a refusal or takes one back."""
        now = self._clock()
        fresh = feedback.respond(
            tx, telling.id, person, kind, evidence=evidence, note=note, now=now
        )
        if kind in AGAINST and fresh:
            lessons.learn(tx, person, telling.id, telling.subject, now=now)
        elif kind is Kind.USEFUL:
            feedback.take_back(tx, telling.id, person, AGAINST)
            lessons.unlearn(tx, telling.id, person, now=now)


def _meaning(sign: str) -> Kind:
    plain = _TONES.sub("", sign).strip(": ").casefold()
    if plain in DISLIKED:
        return Kind.DISLIKED
    return Kind.LIKED if plain in LIKED else Kind.REACTION


def _alone(reader: Reader, chat: int) -> bool:
    """In a DM whatever is said next is said to the bot."""
    room = audiences.find(reader, chat)
    return room is not None and room.direct


def _about(subject: str, text: str) -> bool:
    wanted, said = subjects.terms(subject), subjects.terms(text)
    whole = sum(wanted.values())
    return bool(whole) and sum(w for term, w in wanted.items() if term in said) >= _SAME * whole
