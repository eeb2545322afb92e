"""Tells an order from a message: exact short phrases only, after a slash or said to the bot.

/help · /limen help · /状态 · @Limen pause 2h · 暂停两小时 — anything longer is for the model
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from bot import codes
from bot.commands import marks, own, times, worded
from bot.commands.words import (
    ALL,
    CONFIRM,
    EVERY_TIME,
    EVERYWHERE,
    OFF,
    PHRASES,
    THAT,
    WISHES,
    Word,
)
from bot.texts import Language

LONGEST = 120  # signs; no order is longer
OWN = "limen"
"""The slash command that is registered with platforms, whatever the bot is called."""
_MARKS = " \t,.!?:;，。！？：；、"
_SLASH = re.compile(r"[/／](?P<name>[^\s/@／]+)(?:@(?P<bot>\S+))?(?:\s+(?P<rest>.*))?")
_REMINDER = re.compile(r"[rn]\d{1,9}")
_ACCOUNT = re.compile(r"[a-z]+:\S+")
_LESSON = re.compile(r"n\d{1,18}")
_LEADS: tuple[tuple[str, Word, Language], ...] = tuple(
    sorted(
        (
            (phrase, word, lang)
            for word, phrases in PHRASES.items()
            for lang in ("en", "zh")
            for phrase in phrases.of(lang)
        ),
        key=lambda lead: -len(lead[0]),
    )
)
_NAMED: tuple[tuple[str, Word, bool], ...] = tuple(
    (name, word, name in phrases.zh or not name.isascii())
    for word, phrases in PHRASES.items()
    for name in (*phrases.en, *phrases.zh, *phrases.slash)
    if " " not in name
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """An order, understood."""

    word: Word
    argument: str = ""
    """The rest, as written; after a slash it may be anything."""
    slash: bool = False
    lang: Language | None = None
    """The language of the words; None after a slash, where Latin names serve everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A slash and a word that is no order."""

    name: str


def parse(text: str, *, bot_name: str, addressed: bool) -> Command | Unknown | None:
    """The order a message is; None for a message.

    `addressed`: said to the bot by mention, by name, as a reply or in a DM. `/limen …` always is.
    """
    if len(text) > LONGEST or "\n" in text.strip():
        return None
    said = _unnamed(text.strip(), bot_name)
    if slash := _SLASH.fullmatch(said):
        return _after_slash(slash, bot_name, addressed)
    return _plain(said) if addressed else None


def _after_slash(slash: re.Match[str], bot_name: str, addressed: bool) -> Command | Unknown | None:
    name, rest = slash["name"].casefold(), (slash["rest"] or "").strip()
    if name in (OWN, bot_name.casefold().replace(" ", "")):
        if plain := _plain(rest or "help"):
            return replace(plain, slash=True, lang="zh" if plain.lang == "zh" else None)
        first, _, rest = rest.partition(" ")
        name, addressed = first.casefold(), True
    if not addressed:
        return None
    named = [(word, chinese) for one, word, chinese in _NAMED if one == name]
    if not named:
        return Unknown(name=name)
    # One word may order several things; what is behind it tells which.
    word, chinese = next((one for one in named if understood(one[0], rest)), named[0])
    lang: Language | None = "zh" if chinese else None
    return Command(word=word, argument=_tidy(rest), slash=True, lang=lang)


def _plain(said: str) -> Command | None:
    tidy = _tidy(said)
    if wish := worded.read(tidy):
        return Command(word=wish.word, argument=wish.argument, lang=wish.lang)
    for lead, word, lang in _LEADS:
        if tidy[: len(lead)].casefold() != lead:
            continue
        rest = tidy[len(lead) :]
        if rest and lead.isascii() and rest[0] != " ":
            continue  # "statuses" is no "status"
        if understood(word, rest):
            return Command(word=word, argument=rest.strip(), lang=lang)
    return None


def understood(word: Word, argument: str) -> bool:
    """Whether the words behind a command are all that it may have behind it."""
    takes, said = _TAKES.get(word), argument.strip().casefold()
    if word in WISHES:
        return worded.takes(word, argument.strip())
    return takes(said) if takes else not said


def everywhere(argument: str) -> tuple[bool, str]:
    """Whether the whole bot is meant, and what is left of the words."""
    said = argument.strip().casefold()
    for name in EVERYWHERE:
        if said == name or said.startswith(f"{name} "):
            return True, said[len(name) :].strip()
    return False, said


def _pauses(argument: str) -> bool:
    _, rest = everywhere(argument)
    return not rest or times.names_end(rest)


def confirmed(argument: str) -> tuple[bool, str]:
    """Whether the word that confirms stands at the end, and what is before it."""
    said = argument.strip().casefold()
    for word in CONFIRM.values():
        if said.endswith(word):
            return True, said.removesuffix(word).strip(_MARKS)
    return False, said


def _codes(argument: str) -> bool:
    return codes.read(argument) is not None


_TAKES: dict[Word, Callable[[str], bool]] = {
    Word.PAUSE: _pauses,
    Word.RESUME: lambda said: not everywhere(said)[1],
    Word.QUIET: lambda said: said in OFF or times.hours(said) is not None,
    Word.FORGET: lambda said: said in THAT or confirmed(said)[1] in ALL,
    Word.LINK: lambda said: not said or _codes(said),
    Word.PAIR: _codes,
    Word.ALLOW: lambda said: _ACCOUNT.fullmatch(said) is not None,
    Word.DENY: lambda said: _ACCOUNT.fullmatch(said) is not None,
    Word.APPROVE: partial(marks.names_one, more=EVERY_TIME),
    Word.DECLINE: marks.names_one,
    Word.TAKE_BACK: marks.names_one,
    Word.UNLEARN: lambda said: _LESSON.fullmatch(said) is not None,
    Word.CANCEL_REMINDER: lambda said: _REMINDER.fullmatch(said) is not None,
    Word.DIGEST: own.takes_digest,
    Word.REPORT: own.takes_report,
}
"""What the commands with words behind them take; the others take none."""


def _unnamed(said: str, bot_name: str) -> str:
    """Without the bot's own name at the start or the end."""
    name = rf"[@＠]?{re.escape(bot_name)}"
    said = re.sub(rf"^{name}(?![A-Za-z0-9_])[{_MARKS}]*", "", said, flags=re.I)
    return re.sub(rf"[{_MARKS}]*(?<![A-Za-z0-9_/／]){name}[{_MARKS}]*$", "", said, flags=re.I)


def _tidy(said: str) -> str:
    return " ".join(said.split()).strip(_MARKS)
