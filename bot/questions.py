"""Questions for a yes or no that code puts to people, in words, with their buttons."""

from collections.abc import Callable

from adapters.chat import Button
from agency import approvals, consents
from agency.approvals import Approval
from agency.consents import Consent
from bot import texts
from bot.engine import letters, sessions
from bot.engine.letters import Draft, Letter
from bot.engine.waits import Clock
from bot.rows import Rooms
from bot.texts import Language
from memory import originals
from memory.db import Reader, Tx
from memory.moments import to_us

_LABEL = 24  # signs of a room's title on a button; a longer one is not named there
_TEXTS: dict[str, dict[Language, str]] = {
    "approval": {
        "en": "{who} would like your word: “{question}”",
        "zh": "{who} 想请你定一下：“{question}”",
    },
    "approval in": {
        "en": "{who}, in {room}, would like your word: “{question}”",
        "zh": "{who} 在 {room} 想请你定一下：“{question}”",
    },
    "approval here": {
        "en": "@{name}, {who} would like your word: “{question}”",
        "zh": "@{name}，{who} 想请你定一下：“{question}”",
    },
    "asked": {
        "en": "I have asked {names}, and say here what comes of it.",
        "zh": "已经问了 {names}，有答复我就在这里说。",
    },
    "asked later": {
        "en": "It is no hour for {names} now: I ask on {when}, and say here what comes of it.",
        "zh": "现在不方便打扰 {names}，{when} 再问，有答复我就在这里说。",
    },
    "still": {
        "en": "This still waits for your word. {question}",
        "zh": "这件事还在等你的答复。{question}",
    },
    "still several": {
        "en": "These still wait for your word; their buttons are above.",
        "zh": "这几件事还在等你的答复，按钮在上面。",
    },
    "consent": {
        "en": "May I tell {room}: “{text}”?",
        "zh": "我可以告诉 {room}：“{text}”吗？",
    },
    "exactly": {
        "en": "In {room} it would read: “{text}”",
        "zh": "告诉 {room} 的原话是：“{text}”",
    },
    "yes once": {"en": "Yes, this once", "zh": "可以，就这一次"},
    "yes room": {"en": "Yes, always to {room}", "zh": "可以，以后都能告诉 {room}"},
    "yes there": {"en": "Yes, always there", "zh": "可以，以后都行"},
    "yes every": {"en": "Yes, every time", "zh": "同意，以后都行"},
    "yes": {"en": "Yes, this once", "zh": "同意，就这一次"},
    "no": {"en": "No", "zh": "不行"},
    "always told": {
        "en": "From now on I may tell {room} what you tell me here, without asking, unless you say "
        "it in confidence. To take that back: `take back c{id}`",
        "zh": "以后你在这里告诉我的事，我可以不再问就告诉 {room}，你说要保密的除外。"
        "想收回就说：`收回 c{id}`",
    },
    "always done": {
        "en": "I take it as your yes every time this is asked. To take that back: "
        "`take back a{id}`",
        "zh": "以后再问这件事，我都当你同意。想收回就说：`收回 a{id}`",
    },
    "not yours": {
        "en": "@{who}, only {names} can answer that.",
        "zh": "@{who}，这件事只有 {names} 能回答。",
    },
    "closed": {
        "en": "That question is closed: nobody answered in time, or it was no longer wanted. "
        "Nothing was done.",
        "zh": "这个问题已经关闭：没有及时得到回答，或者不再需要了。什么都没有做。",
    },
    "answered yes": {
        "en": "{who} has answered that already: yes.",
        "zh": "{who} 已经回答了：同意。",
    },
    "answered no": {
        "en": "{who} has answered that already: no.",
        "zh": "{who} 已经回答了：不同意。",
    },
    "told": {"en": "I have told {room}.", "zh": "已经告诉 {room} 了。"},
    "not told": {
        "en": "I did not tell {room}: it had been said there meanwhile, or did not fit any more.",
        "zh": "没有告诉 {room}：那边已经说过，或者不合适再说了。",
    },
    "told already": {
        "en": "That was told already, so there is nothing to stop. I tell nothing more of it.",
        "zh": "那件事已经说了，收不回来。之后不会再说。",
    },
}  # fmt: skip


def text(key: str, lang: Language, /, **values: object) -> str:
    """A sentence of a question or of what follows an answer."""
    return _TEXTS[key][lang].format(**values)


def consent_text(reader: Reader, consent: Consent, lang: Language) -> str:
    """A question for consent, with exactly what would be told."""
    room = Rooms(reader).called(consent.target_id)
    return text("consent", lang, room=room, text=consent.body)


def exactly(reader: Reader, consent: Consent, said: str, lang: Language) -> str:
    """What a question says, with the very text that would be told where it is missing."""
    if _plain(consent.body) in _plain(said):
        return said
    room = Rooms(reader).called(consent.target_id)
    return f"{said}\n\n{text('exactly', lang, room=room, text=consent.body)}"


def consent_buttons(reader: Reader, consent: Consent, lang: Language) -> tuple[Button, ...]:
    """This once, always to that room, or no."""
    room = Rooms(reader).called(consent.target_id)
    always = text("yes room", lang, room=room) if len(room) <= _LABEL else text("yes there", lang)
    return (
        Button(label=text("yes once", lang), value=f"consent:{consent.id}:yes"),
        Button(label=always, value=f"consent:{consent.id}:always"),
        Button(label=text("no", lang), value=f"consent:{consent.id}:no"),
    )


def approval_text(reader: Reader, approval: Approval, person: int, session: int) -> str:
    """A question for approval, as it is put to somebody in a session."""
    rooms, lang = Rooms(reader), texts.language(approval.question)
    who, asked = rooms.person(approval.person_id), approval.question
    here, there = rooms.audience(session), rooms.audience(approval.session_id)
    if here is not None and not here.direct:
        return text("approval here", lang, name=rooms.person(person), who=who, question=asked)
    if there is None or there.direct:
        return text("approval", lang, who=who, question=asked)
    room = rooms.called(approval.session_id)
    return text("approval in", lang, who=who, room=room, question=asked)


def approval_buttons(approval: Approval) -> tuple[Button, ...]:
    """This once, every time, or no."""
    lang = texts.language(approval.question)
    return (
        Button(label=text("yes", lang), value=f"approval:{approval.id}:yes"),
        Button(label=text("yes every", lang), value=f"approval:{approval.id}:always"),
        Button(label=text("no", lang), value=f"approval:{approval.id}:no"),
    )


def overtaken(reader: Reader, letter: Letter) -> bool:
    """Whether a letter puts a question that is answered or closed meanwhile."""
    kind, _, id = letter.about.partition(":")
    if not letter.buttons:
        return False
    if kind == "approval":
        wanted = approvals.find(reader, int(id))
        return wanted is not None and wanted.state is not approvals.State.ASKED
    if kind == "consent":
        asked = consents.find(reader, int(id))
        return asked is not None and asked.state is not consents.State.ASKED
    return False


class Desk:
    """Posts what code has to say about a question, once for a key."""

    def __init__(self, clock: Clock, ring: Callable[[], None], *, bot_name: str) -> None:
        self._clock = clock
        self._ring = ring
        self._bot_name = bot_name

    def post(
        self,
        tx: Tx,
        session: int,
        key: str,
        body: str,
        *,
        about: str,
        buttons: tuple[Button, ...] = (),
        proactive: bool = False,
        timed: bool = False,
    ) -> int | None:
        """Keep the words as the chat's own history, and post them; the original they are kept as.

        `timed`: a person chose the moment.
        """
        found = sessions.find(tx, session)
        if found is None or found.address is None:
            return None
        now_us = to_us(self._clock())
        original = self._kept(tx, session, body, now_us)
        draft = Draft(
            key=key[: letters.KEY_LIMIT],
            session_id=session,
            address=found.address,
            body=body,
            original_id=original,
            buttons=buttons,
            proactive=proactive,
            timed=timed,
            about=about,
        )
        letters.post(tx, draft, now_us=now_us)
        tx.on_commit(self._ring)
        return original

    def _kept(self, tx: Tx, session: int, body: str, now_us: int) -> int | None:
        return originals.keep(
            tx,
            originals.Saying(
                session_id=session,
                kind=originals.Kind.OUTPUT,
                author=self._bot_name,
                body=body,
                said_us=now_us,
                aside=True,
            ),
            now_us=now_us,
        )


def _plain(said: str) -> str:
    return "".join(sign for sign in said.casefold() if sign.isalnum())
