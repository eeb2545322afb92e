"""The conversation's behaviour by rule: answer, pass on, ask for consent, or stay silent."""

from dataclasses import dataclass, field

from agency import moments, salience
from agency.salience import Kind
from bot.models.builtin import (
    absent,
    answers,
    asking,
    consenting,
    deliveries,
    intents,
    papers,
    reminders,
    retelling,
    wording,
)
from bot.models.builtin.agency import Call
from bot.models.builtin.context import Context, Row
from bot.models.builtin.intents import Intent
from memory.words import is_blank


@dataclass(slots=True)
class Turn:
    """What this step comes to: calls to make first, or words to say."""

    calls: list[Call] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    """Reasons for saying nothing."""
    consent: str = ""
    """The consent a question is asked for."""
    reply_to: str = ""
    asks: list[Call] = field(default_factory=list)
    """Questions to others, put last: the run waits for their answers."""


def decide(context: Context) -> tuple[list[Call], str]:
    """The calls of this step; a common message takes one."""
    inputs = context.pending or context.section("inputs")
    said = context.called("say")
    unsaid = asking.unsaid(context)
    if said and not context.pending and not context.reminded and not unsaid:
        if not said[-1].failed or context.called("stay_silent"):
            return [], "said"
        return _refused(inputs, len(said), context)
    turn = Turn()
    if said and unsaid and not context.pending:
        inputs = [row for row in context.told if asking.request(_plain(row, context))]
    for row in inputs:
        _take(row, context, turn)
    if turn.calls:
        return turn.calls, ""
    if turn.words:
        words = _say(turn, _apology(inputs, context))
        return [("say", words | ({"more": True} if turn.asks else {})), *turn.asks], ""
    if turn.asks:
        return turn.asks, ""
    return _silent("; ".join(dict.fromkeys(turn.silent)) or "nothing to answer")


def _plain(row: Row, context: Context) -> str:
    return intents.spoken_to(papers.said(row), str(context.me.get("name") or ""))


def _apology(inputs: list[Row], context: Context) -> list[str]:
    """A word on how late the answer comes, where a message was long on its way."""
    late = [row for row in inputs if row.get("addressed") and row.get("minutes_late")]
    if not late:
        return []
    oldest = max(late, key=lambda row: int(row["minutes_late"]))
    zh = chinese(str(oldest.get("text", "")), context)
    return [wording.text("late", zh, span=wording.span(int(oldest["minutes_late"]), zh))]


def _say(turn: Turn, before: list[str]) -> Row:
    arguments: Row = {"text": "\n\n".join([*before, *dict.fromkeys(turn.words)])}
    if turn.consent:
        arguments["consent"] = turn.consent
    if turn.reply_to and len(turn.words) == 1:
        arguments["reply_to"] = turn.reply_to
    return arguments


def _refused(inputs: list[Row], tries: int, context: Context) -> tuple[list[Call], str]:
    """What may not be said here is not known here: whoever asked is not left without a word."""
    asked = [row for row in inputs if row.get("trigger") == "message" and row.get("addressed")]
    if asked and tries == 1:
        zh = chinese(str(asked[-1].get("text", "")), context)
        return [("say", {"text": wording.text("unknown", zh)})], ""
    return _silent("what I wanted to say was refused")


def _silent(reason: str) -> tuple[list[Call], str]:
    return [("stay_silent", {"reason": reason})], reason


def _take(row: Row, context: Context, turn: Turn) -> None:
    match row.get("trigger"):
        case "handoff":
            words, reason = deliveries.handoff(row, context)
        case "consent_request":
            consent = str(row.get("consent", ""))
            if any(
                one.arguments.get("consent") == consent for one in context.called("answer_consent")
            ):
                turn.silent.append("they answered before they were asked")
                return
            words, reason = deliveries.consent_question(row, context), ""
            turn.consent = turn.consent or consent
        case "reminder":
            text = str(row.get("text", ""))
            words, reason = wording.text("reminder", chinese(text, context), text=text), ""
        case "schedule":
            _message(row | {"addressed": True}, context, turn)
            if turn.words and row.get("note"):
                turn.words[-1] += f"\n{row['note']}"
            return
        case "approval" | "report":
            wanted = row.get("addressed") or row.get("trigger") == "approval"
            words = str(row.get("text", "")) if wanted else ""
            reason = "a report that nobody here asked for"
        case _:
            _message(row, context, turn)
            return
    if words:
        turn.words.append(words)
    else:
        turn.silent.append(reason)


def chinese(text: str, context: Context) -> bool:
    """The language to answer in: the one set for the bot, else the asker's."""
    language = context.me.get("language")
    return language == "zh" if language in ("en", "zh") else salience.is_chinese(text)


def _message(row: Row, context: Context, turn: Turn) -> None:
    if not row.get("addressed"):
        turn.silent.append("not addressed")
        return
    name = str(context.me.get("name") or "")
    text = intents.spoken_to(papers.said(row), name)
    zh = chinese(papers.around(row, context) if is_blank(text) else text, context)
    if is_blank(text):
        _wordless(row, zh, context, turn)
        return
    if words := absent.told(text, zh, context):
        turn.words.append(words)
        return
    if _approval(text, row, zh, context, turn) or _retelling(text, row, zh, context, turn):
        return
    if _consent(text, row, zh, context, turn):
        return
    kept = reminders.answer(text, row, zh, context)
    if kept is not None:
        turn.calls += kept[0]
        turn.words += [kept[1]] if kept[1] else []
        return
    words = _fixed(intents.read(text, name), row, zh, context)
    if words:
        turn.words.append(words)
        return
    intent = intents.read(text, name)
    if _about_files(intent, row, context) and _papers(text, row, zh, context, turn):
        return
    match intent:
        case Intent.WHY:
            _why(zh, context, turn)
        case Intent.RECAP:
            _recap(row, zh, context, turn)
        case Intent.MINE:
            _mine(row, zh, context, turn)
        case Intent.REMIND:
            turn.words.append(wording.text("no_reminder", zh))
        case Intent.QUIET | Intent.RESUME as intent:
            _hush(intent, zh, context, turn)
        case Intent.LISTEN | Intent.FOLLOW | Intent.LEAVE as intent:
            _attend(intent, zh, context, turn)
        case Intent.QUESTION:
            _answer(text, row, zh, context, turn)
        case _:
            _note(text, zh, context, turn)


def _wordless(row: Row, zh: bool, context: Context, turn: Turn) -> None:
    """A file, a sticker or a bare mention."""
    if papers.shows(row) and not _to_me(row, context):
        turn.silent.append("it was shown to the room")
        return
    told = papers.summary(papers.enclosed(row), zh)
    turn.words.append(told or wording.text("wordless", zh))


def _about_files(intent: Intent, row: Row, context: Context) -> bool:
    if intent is Intent.NOTE:
        return _to_me(row, context)
    return intent in (Intent.QUESTION, Intent.RECAP)


def _to_me(row: Row, context: Context) -> bool:
    """Whether it surely speaks to the bot, and not only to a room where the bot looks at all."""
    name = str(context.me.get("name") or "Limen").lower()
    if _direct(context) or name in str(row.get("text", "")).lower():
        return True
    return any(one.get("me") for one in papers.replied(row, context))


def _papers(text: str, row: Row, zh: bool, context: Context, turn: Turn) -> bool:
    """Speak of the files a message carries or means, where it does."""
    files = papers.unspoken(row) or papers.meant(text, row, context)
    if files:
        words = papers.answer(text, [{"files": files}], zh) or papers.summary(files, zh)
        turn.words.append(words)
    return bool(files)


def _fixed(intent: Intent, row: Row, zh: bool, context: Context) -> str:
    who = str(row.get("from") or wording.text("someone", zh))
    match intent:
        case Intent.GREETING:
            off = context.me.get("off") or ()
            return wording.text("greeting_plain" if "relay" in off else "greeting", zh, who=who)
        case Intent.HELP:
            return wording.text("help", zh)
        case Intent.WHO:
            key = "who_am_i_today" if context.me.get("budget") else "who_am_i"
            return wording.text(key, zh, name=context.me.get("name") or "Limen")
        case Intent.THANKS:
            return wording.text("welcome", zh)
        case _:
            return ""


def _approval(text: str, row: Row, zh: bool, context: Context, turn: Turn) -> bool:
    """Take the message as the wish to have somebody asked, or as a word that was waited for."""
    wish = asking.request(text)
    if wish is not None and "ask_approval" in context.tools:
        if words := asking.verdict(wish, context, zh):
            turn.words.append(words)
            turn.reply_to = str(row.get("original") or "")
        else:
            turn.asks.append(asking.call(wish))
        return True
    if words := asking.thanks(context, zh):
        turn.words.append(words)
        return True
    others = [c for c in context.section("consents") if c.get("state") == "asked"]
    found = asking.answer(text, row, others, context)
    if found == []:
        turn.words.append(asking.which(others, context, zh))
    turn.calls += found or []
    return found is not None


def _retelling(text: str, row: Row, zh: bool, context: Context, turn: Turn) -> bool:
    """Take the message as the wish to have a room told something."""
    taken = retelling.take(text, row, zh, context) if _direct(context) else None
    if taken is None:
        return False
    words, calls, reason = taken
    turn.words += words
    turn.calls += calls
    turn.silent += [reason] if reason else []
    return True


def _consent(text: str, row: Row, zh: bool, context: Context, turn: Turn) -> bool:
    """Take the message as the answer to a waiting question of consent, if it is one."""
    taken = consenting.take(text, row, zh, context)
    if taken is None:
        return False
    words, calls = taken
    turn.words += words
    turn.calls += calls
    return True


def _why(zh: bool, context: Context, turn: Turn) -> None:
    steps = context.called("explain")
    if not steps and "explain" in context.tools:
        turn.calls.append(("explain", {}))
        return
    chain = steps[-1].found.get("chain", []) if steps else []
    turn.words.append(deliveries.chain(chain, context, zh))


def _recap(row: Row, zh: bool, context: Context, turn: Turn) -> None:
    """Of this room; in a direct chat, of the rooms its person may hear."""
    asking = str(row.get("original"))
    if not _direct(context):
        turn.words.append(answers.recap(answers.scene(context), asking, zh))
        return
    extra = _looked_up(_NEWS[zh], context, turn)
    if extra is not None:
        who = str(row.get("from") or "")
        turn.words.append(answers.recap_all(answers.scene(context, extra), asking, who, zh))


def _mine(row: Row, zh: bool, context: Context, turn: Turn) -> None:
    extra = _looked_up(_PROMISED[zh], context, turn)
    if extra is not None:
        who = str(row.get("from") or "")
        turn.words.append(answers.promised(answers.scene(context, extra), who, zh))


_NEWS = (
    "decided decision moves moved plan deadline owns risk blocked ready done waiting",
    "决定 定了 改到 计划 截止 负责 风险 卡住 完成 上线 推迟",
)
_PROMISED = (
    "I'll I will send finish deliver have ready by before",
    "我 前 发 给 交 完成 做完 写好",
)
"""Words that news and promises are found by, by language."""


def _looked_up(query: str, context: Context, turn: Turn) -> list[Row] | None:
    """What a search found; None while it has still to be made."""
    searched = context.called("search_memory")
    if not searched and "search_memory" in context.tools:
        turn.calls.append(("search_memory", {"query": query, "limit": 20}))
        return None
    return [r for step in searched for r in step.found.get("results", [])]


def _direct(context: Context) -> bool:
    rooms = context.section("room")
    return bool(rooms) and rooms[0].get("kind") == "direct"


def _hush(intent: Intent, zh: bool, context: Context, turn: Turn) -> None:
    tool, key = ("quiet", "quieted") if intent is Intent.QUIET else ("resume", "resumed")
    if tool in context.tools and not context.called(tool):
        turn.calls.append((tool, {"scope": "here"}))
    elif tool not in context.tools and intent is Intent.QUIET:
        _attend(Intent.LISTEN, zh, context, turn)
    else:
        turn.words.append(wording.text(key, zh))


_ATTENTION = {
    Intent.LISTEN: ("observe", "listening"), Intent.FOLLOW: ("all", "following"),
    Intent.LEAVE: ("off", "left"),
}  # fmt: skip


def _attend(intent: Intent, zh: bool, context: Context, turn: Turn) -> None:
    attention, key = _ATTENTION[intent]
    if "set_attention" not in context.tools:
        turn.silent.append("how I listen here cannot be set from this chat")
    elif not context.called("set_attention"):
        turn.calls.append(("set_attention", {"attention": attention}))
    else:
        turn.words.append(wording.text(key, zh))


def _answer(text: str, row: Row, zh: bool, context: Context, turn: Turn) -> None:
    searched = context.called("search_memory")
    extra = [r for step in searched for r in step.found.get("results", [])]
    known = answers.scene(context, extra)
    found = answers.search(text, str(row.get("original")), known)
    rows = [*context.section("history"), *context.section("recalled"), *extra]
    told = papers.answer(text, rows, zh)
    carriers = {row.get("id") for row in rows if papers.enclosed(row)}
    if told and (not found or found[0].remark.id in carriers):
        turn.words.append(told)
    elif found:
        here = next(iter(known.rooms.values()), None)
        asker = str(row.get("from") or "")
        turn.words.append(answers.phrase(text, found, known, here, zh, asker=asker))
        turn.reply_to = str(row.get("original") or "")
    elif not searched and "search_memory" in context.tools:
        turn.calls.append(("search_memory", {"query": answers.query(text)}))
    else:
        turn.words.append(wording.text("unknown", zh))


def _note(text: str, zh: bool, context: Context, turn: Turn) -> None:
    """Something told and not asked: a short sign in a direct chat, silence in a group."""
    direct = _direct(context)
    kinds = {s.kind for s in salience.read(text)} - {Kind.BANTER, Kind.SMALLTALK, Kind.INJECTION}
    if direct and Kind.PRIVATE in kinds:
        turn.words.append(wording.text("keep", zh))  # something may have been told before
    elif direct and (kinds or moments.find(text)):
        turn.words.append(wording.text("noted", zh))
    else:
        turn.silent.append("it was told, not asked")
