"""Orders about what people want of it: less here, nothing of that, not at night, not now."""

from datetime import datetime, tzinfo

from agency import mutes, personal, preferences
from agency.gates import Rules
from agency.mutes import Mute
from bot.commands import times, worded
from bot.commands.asked import Asked, moment
from bot.commands.lessons import meant
from bot.commands.silence import chat_of, until
from bot.commands.words import OFF, THAT
from bot.engine import sessions
from bot.engine.sessions import Attention
from bot.speaking import Speaking
from memory import audiences
from memory.db import Reader, Tx

MOST_QUOTA = 1000


class Wanting:
    """Keeps wishes, confirms each with the words that take it back, and tells which there are."""

    def __init__(self, speaking: Speaking) -> None:
        self._speaking = speaking

    @property
    def _rules(self) -> Rules:
        return self._speaking.rules

    def answers_only(self, tx: Tx, asked: Asked) -> str:
        """Only answer here, for a while or until somebody lets it speak up again."""
        end = self._end(asked)
        if end is None:
            return asked.text("answers when")
        for session in chat_of(tx, asked):
            preferences.answers_only(tx, session, end, now=asked.now)
        if asked.session.attention is Attention.ALL:
            sessions.set_attention(tx, asked.chat, Attention.ADDRESSED)
        self._reconsider(tx, chat_of(tx, asked))
        return asked.text("answers only", until=self._until(asked, end, "speak up"))

    def speak_up(self, tx: Tx, asked: Asked) -> str:
        """Speak up here again, beginning with what waited."""
        here = chat_of(tx, asked)
        before = preferences.of(tx, here[0], now=asked.now).answers_until
        for session in here:
            preferences.answers_only(tx, session, None, now=asked.now)
        self._reconsider(tx, here)
        return asked.text("speaks up" if before is not None else "spoke up")

    def pause_me(self, tx: Tx, asked: Asked) -> str:
        """Tell the asker nothing unasked, wherever."""
        end = self._end(asked)
        if end is None:
            return asked.text("pause me when")
        personal.pause(tx, asked.person, end, now=asked.now)
        self._reconsider(tx, _everywhere(tx, asked))
        return asked.text("paused me", until=self._until(asked, end, "resume me"))

    def resume_me(self, tx: Tx, asked: Asked) -> str:
        """Tell the asker things again."""
        before = personal.of(tx, asked.person, now=asked.now).paused_until
        personal.pause(tx, asked.person, None, now=asked.now)
        self._reconsider(tx, _everywhere(tx, asked))
        return asked.text("resumed me" if before is not None else "not paused me")

    def zone(self, tx: Tx, asked: Asked) -> str:
        """The asker's own time zone: told, set, or taken back."""
        said = asked.command.argument.strip()
        if said.casefold() in OFF:
            personal.set_zone(tx, asked.person, None, now=asked.now)
            self._reconsider(tx, _everywhere(tx, asked))
            return asked.text("zone off", zone=self._zone(tx, asked))
        if not said:
            return asked.text("zone is", zone=self._zone(tx, asked))
        name = worded.zone(said)
        if name is None:
            return asked.text("say zone")
        personal.set_zone(tx, asked.person, name, now=asked.now)
        self._reconsider(tx, _everywhere(tx, asked))
        local = asked.now.astimezone(self._zone(tx, asked))
        return asked.text("zone set", zone=name, clock=f"{local:%H:%M}")

    def my_quiet(self, tx: Tx, asked: Asked) -> str:
        """Hours in which the asker is told nothing unasked, in their own zone."""
        said = asked.command.argument.strip().casefold()
        found = preferences.NEVER if said in OFF else times.hours(said)
        if found is None:
            return asked.text("say my hours")
        personal.set_quiet(tx, asked.person, found, now=asked.now)
        for session in audiences.direct_with(tx, asked.person):
            preferences.set_quiet(tx, session, None, now=asked.now)
        self._reconsider(tx, _everywhere(tx, asked))
        if found == preferences.NEVER:
            return asked.text("my hours off")
        start, over = (f"{one:%H:%M}" for one in found)
        return asked.text("my hours", start=start, over=over, zone=self._zone(tx, asked))

    def my_quota(self, tx: Tx, asked: Asked) -> str:
        """How many unasked messages a day the asker wants."""
        said = asked.command.argument.strip().casefold()
        off = said in OFF
        if not off and not (said.isdecimal() and int(said) <= MOST_QUOTA):
            return asked.text("say quota")
        personal.set_quota(tx, asked.person, None if off else int(said), now=asked.now)
        if off:
            return asked.text("quota off", quota=self._rules.speaking.person_quota)
        return asked.text("quota set", quota=int(said))

    def mute(self, tx: Tx, asked: Asked) -> str:
        """Tell the asker nothing more of a subject."""
        return self._mute(tx, asked, here=False)

    def mute_here(self, tx: Tx, asked: Asked) -> str:
        """Tell this chat nothing more of a subject; in a DM that is its person."""
        return self._mute(tx, asked, here=not asked.direct)

    def _mute(self, tx: Tx, asked: Asked, *, here: bool) -> str:
        subject, wanted = worded.timed(asked.command.argument)
        if subject.casefold() in THAT:
            telling = meant(tx, asked)
            subject = telling.subject if telling is not None else ""
        if not subject:
            return asked.text("say subject")
        end = times.end(wanted, now=asked.now, zone=self._own(asked)) if wanted else None
        if here:
            kept = mutes.mute_chat(tx, asked.chat, subject, until=end, now=asked.now)
        else:
            kept = mutes.mute_person(tx, asked.person, subject, until=end, now=asked.now)
        self._reconsider(tx, chat_of(tx, asked) if here else _everywhere(tx, asked))
        return asked.text(
            "muted here" if here else "muted",
            subject=kept.subject,
            until="" if end is None else asked.text("for", moment=moment(asked, end, self._rules)),
        )

    def unmute(self, tx: Tx, asked: Asked) -> str:
        """Tell of a subject again."""
        ended = [one for one in found(tx, asked) if mutes.end(tx, one.id, now=asked.now)]
        if not ended:
            return asked.text("not muted")
        return asked.text("unmuted", subject="”, “".join(one.subject for one in ended))

    def muted(self, reader: Reader, asked: Asked) -> str:
        """What the asker, and this chat, does not want to hear of."""
        lines = [
            asked.text(
                "mute" if one.person_id is not None else "mute here",
                subject=one.subject,
                until=""
                if one.until is None
                else asked.text("for", moment=moment(asked, one.until, self._rules)),
            )
            for one in _listed(reader, asked)
        ]
        if not lines:
            return asked.text("no mutes" if asked.direct else "no mutes here")
        return "\n".join([asked.text("mutes"), *lines])

    def _end(self, asked: Asked) -> datetime | None:
        said = asked.command.argument
        if not said:
            return preferences.OPEN_END
        return times.end(said, now=asked.now, zone=self._own(asked))

    def _until(self, asked: Asked, end: datetime, undo: str) -> str:
        if end >= preferences.OPEN_END:
            return asked.text(f"until {undo}")
        return until(asked, end, self._rules)

    def _own(self, asked: Asked) -> tzinfo:
        return asked.zone or self._rules.speaking.zone

    def _zone(self, reader: Reader, asked: Asked) -> tzinfo:
        own = personal.of(reader, asked.person, now=asked.now).zone
        return own or self._rules.speaking.zone

    def _reconsider(self, tx: Tx, meant: list[int]) -> None:
        for session in meant:
            self._speaking.reconsider_held(tx, session)


def found(reader: Reader, asked: Asked) -> list[Mute]:
    """The mutes that an order to end one means."""
    subject, _ = worded.timed(asked.command.argument)
    here = _listed(reader, asked)
    if not asked.direct:
        here += mutes.of_person(reader, asked.person, now=asked.now)
    same = [one for one in here if one.subject.casefold() == subject.casefold()]
    return same or [one for one in here if subject and one.covers(subject)]


def _listed(reader: Reader, asked: Asked) -> list[Mute]:
    """In a DM what its person does not want; in a room what the room does not, for all to see."""
    if asked.direct:
        return mutes.of_person(reader, asked.person, now=asked.now)
    return mutes.of_chat(reader, asked.chat, now=asked.now)


def _everywhere(reader: Reader, asked: Asked) -> list[int]:
    return sorted(audiences.heard_by(reader, asked.person) | {asked.session.id})
