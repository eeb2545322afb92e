"""Carries out what people order, inside the transaction that takes their message in.

message ─► parse ─► once? ─► carried out ─► its answer into the outbox
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from adapters.chat import Incoming, RoomKind
from adapters.quotes import own_words
from agency import personal
from bot import texts
from bot.access import Notice, Right
from bot.commands.asked import Asked, Profile
from bot.commands.doors import Doors
from bot.commands.forgetting import Forgetting
from bot.commands.inboxes import Inboxes
from bot.commands.kept import Kept
from bot.commands.lessons import Lessons, meant
from bot.commands.parse import Unknown, parse
from bot.commands.post import Post
from bot.commands.silence import Silence, silenced
from bot.commands.telling import Telling, explained
from bot.commands.wanting import Wanting, found
from bot.commands.wording import text
from bot.commands.words import Word
from bot.commands.yeses import Yeses
from bot.engine.sessions import Attention, Session
from bot.texts import Language
from memory import audiences, links, originals
from memory.db import Reader, Tx, queries
from memory.moments import to_us
from memory.originals import Original

SQL = queries(__file__)

RECENT = 6  # messages that tell the language of a chat
_SILENT = (Attention.OBSERVE, Attention.OFF)


class Orders:
    """Answers every command; what they need is handed in by kind."""

    def __init__(
        self,
        post: Post,
        telling: Telling,
        silence: Silence,
        forgetting: Forgetting,
        doors: Doors,
        lessons: Lessons,
        inboxes: Inboxes,
        yeses: Yeses,
        wanting: Wanting,
        kept: Kept,
        *,
        profile: Profile,
    ) -> None:
        self._post = post
        self._profile = profile
        self._carry_out: dict[Word, Callable[[Tx, Asked], str]] = {
            Word.HELP: telling.help,
            Word.WHO: telling.who,
            Word.STATUS: telling.status,
            Word.WHY: telling.why,
            Word.APPROVALS: yeses.approvals,
            Word.CONSENTS: yeses.consents,
            Word.APPROVE: yeses.approve,
            Word.DECLINE: yeses.decline,
            Word.TAKE_BACK: yeses.take_back,
            Word.STOP: silence.stop,
            Word.PAUSE: silence.pause,
            Word.RESUME: silence.resume,
            Word.QUIET: lambda tx, asked: (
                wanting.my_quiet(tx, asked) if asked.direct else silence.quiet(tx, asked)
            ),
            Word.FORGET: forgetting.forget,
            Word.LINK: doors.link,
            Word.PAIR: doors.pair,
            Word.ALLOW: doors.allow,
            Word.DENY: doors.deny,
            Word.BUDGET: telling.budget,
            Word.UNWANTED: lessons.unwanted,
            Word.USEFUL: lessons.useful,
            Word.LESSONS: lessons.learnt,
            Word.UNLEARN: lessons.unlearn,
            Word.INBOX: inboxes.inbox,
            Word.DIGEST: inboxes.digest,
            Word.DIGEST_NOW: inboxes.digest_now,
            Word.REPORT: inboxes.report,
            Word.ANSWERS: wanting.answers_only,
            Word.SPEAK: wanting.speak_up,
            Word.PAUSE_ME: wanting.pause_me,
            Word.RESUME_ME: wanting.resume_me,
            Word.ZONE: wanting.zone,
            Word.MY_QUIET: wanting.my_quiet,
            Word.MY_QUOTA: wanting.my_quota,
            Word.MUTE: wanting.mute,
            Word.MUTE_HERE: wanting.mute_here,
            Word.UNMUTE: wanting.unmute,
            Word.MUTED: wanting.muted,
            Word.REMINDERS: kept.reminders,
            Word.CANCEL_REMINDER: kept.cancel,
        }

    def read(
        self,
        reader: Reader,
        incoming: Incoming,
        session: Session,
        *,
        person: int,
        right: Right,
        called: bool,
        now: datetime,
    ) -> Asked | Unknown | None:
        """The order that a message is, still without its original; None for a message."""
        said = own_words(incoming.text)
        command = parse(said, bot_name=self._profile.name, addressed=called)
        if incoming.author.is_bot:
            return None
        if command is None or isinstance(command, Unknown):
            return command if right.orders else None
        audience = audiences.find(reader, session.id)
        target = _target(reader, incoming)
        asked = Asked(
            command=command,
            session=session,
            audience=audience,
            person=person,
            right=right,
            original=0,
            target=target,
            # In a topic everything "answers" its beginning; only what is shown to be answered is.
            unknown_target=target is None and bool(incoming.reply_to and incoming.quoted),
            now=now,
            lang=command.lang if command.lang else self._spoken(reader, session),
            zone=(
                personal.of(reader, person, now=now).zone
                if audience is not None and audience.direct
                else None
            ),
        )
        if self._profile.language != "auto":
            asked = replace(asked, lang=texts.language("", setting=self._profile.language))
        if not right.orders and not _proves_itself(reader, asked):
            return None
        return asked if self._meant(reader, asked) else None

    def _meant(self, reader: Reader, asked: Asked) -> bool:
        """Whether plain words are an order here and now, and not a part of the conversation."""
        if asked.command.slash:
            return True
        if asked.session.attention in _SILENT:
            return False
        if asked.command.word is Word.RESUME:
            return silenced(reader, asked)
        if asked.command.word is Word.UNMUTE:
            return bool(found(reader, asked))
        if asked.command.word in (Word.UNWANTED, Word.USEFUL):
            return meant(reader, asked) is not None
        if asked.command.word is Word.BUDGET:
            return asked.right is Right.ADMIN  # to others a budget is a thing to talk about
        if asked.command.word is Word.WHY:
            return explained(reader, asked) is not None
        return True

    def take(self, tx: Tx, asked: Asked, incoming: Incoming) -> None:
        """Carry an order out and answer it, once for a message."""
        word = asked.command.word
        if _first(tx, asked.session, asked.original, word.value, to_us(asked.now)):
            answer = self._carry_out[word](tx, asked)
            key = f"order:{asked.original}"
            self._post.send(tx, asked.session, key, answer, reply_to=_answered(incoming))

    def unknown(
        self, tx: Tx, unknown: Unknown, session: Session, original: int, incoming: Incoming
    ) -> None:
        """Say that there is no such command."""
        if _first(tx, session, original, "", to_us(incoming.at)):
            said = text("unknown", self._spoken(tx, session), name=unknown.name)
            key = f"order:{original}"
            self._post.send(tx, session, key, said, reply_to=_answered(incoming))

    def turn_away(
        self, tx: Tx, notice: Notice, session: Session, original: int, incoming: Incoming
    ) -> None:
        """Tell a stranger politely that nothing will come of it, or what to do."""
        lang = texts.language(incoming.text, setting=self._profile.language)
        name = "stranger code" if notice.code else "stranger"
        said = text(name, lang, code=notice.code)
        key = f"refusal:{original}"
        self._post.send(tx, session, key, said, reply_to=_answered(incoming))

    def _spoken(self, reader: Reader, session: Session) -> Language:
        """The language of a chat, by what was said there last."""
        said = originals.recent(reader, session.id, limit=RECENT)
        words = " ".join(one.body for one in said if not one.body.startswith("/"))
        return texts.language(words, setting=self._profile.language)


def _proves_itself(reader: Reader, asked: Asked) -> bool:
    """A code nobody can guess shows whose account it is, whoever is on the list."""
    gives_a_code = asked.command.word is Word.LINK and asked.direct and asked.command.argument
    if not gives_a_code or asked.right is not Right.STRANGER:
        return False
    return not links.tried_out(reader, asked.person, now_us=to_us(asked.now))


def _target(reader: Reader, incoming: Incoming) -> Original | None:
    if incoming.reply_to is None:
        return None
    return originals.at_address(reader, f"{incoming.address.room}#{incoming.reply_to}")


def _answered(incoming: Incoming) -> str | None:
    """In a group it is shown which message is answered."""
    return incoming.address.message if incoming.room.kind is RoomKind.GROUP else None


def _first(tx: Tx, session: Session, original: int, word: str, now_us: int) -> bool:
    row = tx.one(SQL["take"], original=original, session=session.id, word=word, now=now_us)
    return row is not None
