"""Reminders in plain words: which tool they ask for, and what is said of its result."""

import re
from dataclasses import replace
from typing import Any

from agency import whens, wishes
from agency.whens import Unclear
from agency.wishes import Act, Asking
from bot.models.builtin import intents
from bot.models.builtin.agency import Call
from bot.models.builtin.context import Context, Row, Step

_TEXTS: dict[str, tuple[str, str]] = {
    "set": ("Noted: {when} I remind {who}: {text}", "好的，{when}提醒{who}：{text}"),
    "set task": ("Noted: {when} I do that here: {text}", "好的，{when}我在这里做：{text}"),
    "again": ("Noted, once more {when}: {text}", "好的，{when}再提醒一次：{text}"),
    "changed": ("Changed: {when}: {text}", "已改为{when}：{text}"),
    "cancelled": ("Cancelled: {text}", "已取消：{text}"),
    "all cancelled": ("Cancelled: {count} reminders.", "已取消 {count} 个提醒。"),
    "waiting": (
        "I keep an ear open and tell you once {condition}.",
        "好的，我留意着，{condition}就告诉你。",
    ),
    "when": (
        "When shall I remind {who}? For example: Friday at 15:00.",
        "什么时候提醒{who}？比如：周五下午三点。",
    ),
    "what": ("What shall I remind {who} of?", "要提醒{who}什么？"),
    "which": ("Which one? {list}", "是哪一个？{list}"),
    "none": ("No reminders are set.", "现在没有设置提醒。"),
    "none here": ("I see no reminder here that you mean.", "这里没有找到你说的那个提醒。"),
    "list": ("Reminders:", "提醒："),
    "line": ("- {id}: {when}: {text}{who}", "- {id}，{when}：{text}{who}"),
    "wait line": ("- {id}: once {condition}", "- {id}：等到{condition}"),
    "for": (" (for {who})", "（提醒{who}）"),
    "you": ("you", "你"),
    "all": ("everyone", "大家"),
}  # fmt: skip
_TOOLS = {
    Act.REMIND: "set_reminder", Act.TASK: "set_reminder", Act.CHANGE: "change_reminder",
    Act.AGAIN: "change_reminder", Act.CANCEL: "cancel_reminder", Act.LIST: "list_reminders",
    Act.WAIT: "wait_for",
}  # fmt: skip
_ASKED = 2  # messages back: what somebody wanted, and the question when
_ALL = re.compile(
    r"us|everyone|everybody|all of us|the .+|我们|咱们|大家|所有人|全员|全体|团队|各位", re.I
)
_NAME = re.compile(
    r"^(?P<who>(?-i:[A-Z])[\w'’.-]*)\s|^(?P<zh>[\u4e00-\u9fff]{2,3})\s?(?=确认|同意|回复|签|说|答)"
)


def answer(text: str, row: Row, zh: bool, context: Context) -> tuple[list[Call], str] | None:
    """The calls or the words that a message about reminders comes to; None for another message."""
    asking = _read(text, context) or _completed(text, row, context)
    if asking is None or _TOOLS[asking.act] not in context.tools:
        return None
    if asking.act in (Act.CHANGE, Act.AGAIN, Act.CANCEL) and not _means_one(asking, row, context):
        return None
    call = _call(asking, row, zh, context)
    if isinstance(call, str):
        return [], call
    done = [step for step in context.called(call[0]) if step.arguments == call[1]]
    return ([], _told(asking, done[-1], row, zh, context)) if done else ([call], "")


def _read(text: str, context: Context) -> Asking | None:
    return wishes.read(text, now=context.now, zone=context.place, names=_names(context))


def _completed(text: str, row: Row, context: Context) -> Asking | None:
    """A time alone, after somebody was asked for the time of what they want to be reminded of."""
    try:
        whens.read(text, now=context.now, zone=context.place)
    except Unclear:
        return None
    talk = [one for one in context.section("history") if one.get("id") != row.get("original")]
    if len(talk) < _ASKED or not talk[-1].get("me") or talk[-_ASKED].get("me"):
        return None
    name = str(context.me.get("name") or "")
    before = _read(intents.spoken_to(str(talk[-_ASKED].get("text")), name), context)
    if before is None or before.when or before.act is not Act.REMIND:
        return None
    return replace(before, when=text, text=before.text, unclear=None)


def _call(asking: Asking, row: Row, zh: bool, context: Context) -> Call | str:
    tool = _TOOLS[asking.act]
    match asking.act:
        case Act.LIST:
            return tool, {}
        case Act.WAIT:
            return tool, _wait(asking, _names(context))
        case Act.CHANGE | Act.AGAIN | Act.CANCEL:
            found = _meant(asking, row, context)
            if isinstance(found, list):
                shown = "; ".join(f"{one['id']} ({one['text']})" for one in found)
                return _say("which", zh, list=shown)
            return tool, {"id": found} | ({"when": asking.when or _unread(asking)}
                                          if asking.act is not Act.CANCEL else {})  # fmt: skip
    words = asking.text or _quoted(row, context)
    who = _called(asking.who, zh)
    if not words:
        return _say("what", zh, who=who)
    if not asking.when and asking.unclear is None:
        return _say("when", zh, who=who)
    arguments: dict[str, Any] = {
        "text": words, "when": asking.when or _unread(asking), "who": asking.who,
    }  # fmt: skip
    return tool, arguments | ({"kind": "task"} if asking.act is Act.TASK else {})


def _told(asking: Asking, step: Step, row: Row, zh: bool, context: Context) -> str:
    if step.failed:
        return step.text
    found = step.found.get("reminders", [])
    match asking.act:
        case Act.LIST:
            return _list(found, step.found.get("waiting", []), row, zh)
        case Act.WAIT:
            return _say("waiting", zh, condition=asking.text)
        case Act.CANCEL:
            if asking.id == wishes.ALL:
                return _say("all cancelled", zh, count=step.text.partition(" ")[0])
            return _say("cancelled", zh, text=_text_of(str(step.arguments.get("id")), context))
    if not found:
        return _say("none here", zh)
    made = found[-1]
    key = {Act.REMIND: "set", Act.TASK: "set task", Act.AGAIN: "again"}.get(asking.act, "changed")
    who = _called(asking.who, zh)
    return _say(key, zh, when=_when(made, zh), who=who, text=made["text"])


def _when(made: Row, zh: bool) -> str:
    when = str(made["when"])
    return when if zh or when.startswith("every") else f"on {when}"


def _list(found: list[Row], waiting: list[Row], row: Row, zh: bool) -> str:
    lines = []
    for one in found:
        other = one["for"] not in (row.get("from"), "everyone")
        who = _say("for", zh, who=one["for"]) if other else ""
        lines.append(_say("line", zh, id=one["id"], when=one["when"], text=one["text"], who=who))
    lines += [_say("wait line", zh, id=one["id"], condition=one["condition"]) for one in waiting]
    return "\n".join([_say("list", zh), *lines]) if lines else _say("none", zh)


def _wait(asking: Asking, names: list[str]) -> dict[str, Any]:
    named = _NAME.match(asking.text)
    name = (named["who"] or named["zh"]) if named else ""
    said_by = name if name.casefold() in {one.casefold() for one in names if one} else ""
    condition = asking.text[len(name) :].strip() if said_by else asking.text
    return {"condition": condition or asking.text, "said_by": said_by}


def _means_one(asking: Asking, row: Row, context: Context) -> bool:
    """Whether there is a reminder it can be about; "move it" may be about anything else."""
    if asking.act is Act.AGAIN:
        return any(one.get("said_as") for one in _kept(context))
    return bool(asking.id or _kept(context) or _said(row, context))


def _meant(asking: Asking, row: Row, context: Context) -> str | list[Row]:
    """The id that is meant, or those among which it is not clear."""
    if asking.id:
        return asking.id
    answered = _said(row, context)
    if answered:
        return str(answered[0]["id"])
    kept = _kept(context)
    if asking.act is Act.AGAIN:  # what was said last
        said = [one for one in kept if one.get("said_as")]
        kept = sorted(said, key=lambda one: int(str(one["said_as"][0])[1:]))[-1:]
    fresh = [one for one in kept if one.get("newest")]
    if len(kept) == 1 or fresh:
        return str((fresh or kept)[0]["id"])
    return kept


def _kept(context: Context) -> list[Row]:
    """Those of the asker that may be meant: still to come, or said a moment ago."""
    return context.section("reminders")


def _said(row: Row, context: Context) -> list[Row]:
    """The reminder that the message answers."""
    reply = str(row.get("reply_to") or "")
    if not reply:
        shown = [one for one in context.section("history") if one.get("id") == row.get("original")]
        reply = str(shown[0].get("reply_to") or "") if shown else ""
    return [one for one in _kept(context) if reply and reply in one.get("said_as", [])]


def _quoted(row: Row, context: Context) -> str:
    """The words of the message that is answered: "remind me of this tomorrow"."""
    shown = {one.get("id"): one for one in context.section("history")}
    own = shown.get(row.get("original"))
    answered = shown.get(own.get("reply_to")) if own else None
    return " ".join(str(answered["text"]).split())[:300] if answered else ""


def _text_of(id: str, context: Context) -> str:
    return next((str(one["text"]) for one in _kept(context) if one["id"] == id), id)


def _unread(asking: Asking) -> str:
    return asking.unclear.words if asking.unclear else ""


def _called(who: str, zh: bool) -> str:
    if who.lower() in ("me", "", "我"):
        return _say("you", zh)
    return _say("all", zh) if _ALL.fullmatch(who) else who


def _names(context: Context) -> list[str]:
    found: list[str] = []
    for room in context.section("room"):
        found += [str(one.get("name")) for one in room.get("members", [])]
        found += [str(name) for name in room.get("colleagues", [])]
        found += [str(name).lstrip("#") for name in room.get("rooms", [])]
    return found


def _say(key: str, zh: bool, **values: object) -> str:
    return _TEXTS[key][zh].format(**values)
