"""Orders about what is useful: a word against a message, a word for it, what came of them."""

import re
from datetime import timedelta

from agency import engagement, feedback, lessons
from agency.feedback import Kind, Telling
from agency.gates import Rules
from bot.commands.asked import Asked, moment
from bot.responses import Responses
from memory.db import Reader, Tx

LATELY = timedelta(days=1)
"""How long after a message a bare word still means it."""


class Lessons:
    """Takes people's words on what they were told, and shows what was learnt from them."""

    def __init__(self, responses: Responses, rules: Rules) -> None:
        self._responses = responses
        self._rules = rules

    def unwanted(self, tx: Tx, asked: Asked) -> str:
        """Whoever says so is told less of that subject for a while."""
        telling = meant(tx, asked)
        if telling is None:
            return asked.text("no telling")
        if not self._responses.enabled:
            return asked.text("learning off")
        if len(several := feedback.of_original(tx, telling.original_id)) > 1:
            listed = "\n".join(f"- {one.subject}" for one in several)
            return asked.text("which of them", list=listed, subject=telling.subject)
        self._responses.note(tx, telling, asked.person, Kind.UNWANTED, evidence=asked.original)
        held = lessons.held(tx, asked.person, now=asked.now)
        lesson = next(one for one in held if one.telling_id == telling.id)
        until = moment(asked, lesson.until, self._rules)
        return asked.text("learnt", subject=telling.subject, until=until, id=f"n{lesson.id}")

    def useful(self, tx: Tx, asked: Asked) -> str:
        """A word for a message takes a word against it back."""
        telling = meant(tx, asked)
        if telling is None:
            return asked.text("no telling")
        self._responses.note(tx, telling, asked.person, Kind.USEFUL, evidence=asked.original)
        return asked.text("useful", subject=telling.subject)

    def learnt(self, reader: Reader, asked: Asked) -> str:
        """What the asker is told less of, and how this chat takes what it is told."""
        held = [
            one
            for one in lessons.held(reader, asked.person, now=asked.now)
            # Others read along in a room: what was told elsewhere is not theirs to know.
            if asked.direct or feedback.get(reader, one.telling_id).session_id == asked.chat
        ]
        lines = [
            asked.text(
                "lesson",
                id=f"n{one.id}",
                subject=one.subject,
                until=moment(asked, one.until, self._rules),
            )
            for one in held
        ]
        told, taken = feedback.taken_up(
            reader,
            asked.chat,
            since=asked.now - engagement.WINDOW,
            until=asked.now,
            limit=engagement.SAMPLE,
        )
        lines = [asked.text("lessons"), *lines] if lines else [asked.text("no lessons")]
        if told:
            lines.append(asked.text("taken", told=told, taken=taken))
        if engagement.of(reader, asked.chat, (asked.person,), "", now=asked.now).ignored:
            lines.append(asked.text("ignored"))
        return "\n".join(lines)

    def unlearn(self, tx: Tx, asked: Asked) -> str:
        """Take a lesson back by its number."""
        wanted = numbered(asked.command.argument)
        held = lessons.held(tx, asked.person, now=asked.now)
        found = next((one for one in held if one.id == wanted), None)
        if found is None:
            return asked.text("no lesson")
        lessons.end(tx, found.id, now=asked.now)
        feedback.take_back(tx, found.telling_id, asked.person, feedback.AGAINST)
        return asked.text("unlearnt", subject=found.subject)


def meant(reader: Reader, asked: Asked) -> Telling | None:
    """What a word is about: the message it answers, else the last one here if it is young."""
    if asked.target is not None:
        return next(iter(feedback.of_original(reader, asked.target.id)), None)
    if asked.unknown_target:
        return None
    lately = feedback.recent(reader, asked.chat, now=asked.now)
    return next((one for one in lately if asked.now - one.told_at <= LATELY), None)


def numbered(argument: str) -> int | None:
    """The number of a lesson as `n3`; None where it is none."""
    found = re.fullmatch(r"n(\d{1,18})", argument.strip().casefold())
    return int(found[1]) if found else None
