"""What reminders say, and how their times are told, in English and Chinese."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agency.grid import Grid
from agency.when_parts import WEEKDAYS
from agency.whens import Trouble, Unclear
from bot.texts import Language

_DAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_NTH: dict[str, tuple[str, str]] = {
    "1st": ("first", "第一个"), "2nd": ("second", "第二个"), "3rd": ("third", "第三个"),
    "4th": ("fourth", "第四个"), "last": ("last", "最后一个"),
}  # fmt: skip
_UNITS = {
    "minutes": ("minute", "分钟"), "hours": ("hour", "小时"), "days": ("day", "天"),
    "weeks": ("week", "周"),
}  # fmt: skip
_TEXTS: dict[str, tuple[str, str]] = {
    "me": ("Reminder: {text}", "提醒：{text}"),
    "me here": ("@{name} Reminder: {text}", "@{name} 提醒：{text}"),
    "all": ("Reminder for everyone: {text}", "提醒大家：{text}"),
    "you": ("{asker} asked me to remind you: {text}", "{asker}让我提醒你：{text}"),
    "you here": (
        "@{name} {asker} asked me to remind you: {text}",
        "@{name} {asker}让我提醒你：{text}",
    ),
    "all elsewhere": (
        "{asker} asked me to remind everyone here: {text}",
        "{asker}让我提醒大家：{text}",
    ),
    "late": ("(This was due at {due}; I was away.)", "（本该在 {due} 提醒，我当时不在。）"),
    "late more": (
        "(This was due at {due}; I was away and left out {count} earlier ones.)",
        "（本该在 {due} 提醒，我当时不在，之前还错过了 {count} 次。）",
    ),
    "held": (
        "(This was due at {due}; I waited as asked.)",
        "（本该在 {due} 提醒，按要求等到了现在。）",
    ),
    "held more": (
        "(This was due at {due}; I waited as asked, and left out {count} earlier ones.)",
        "（本该在 {due} 提醒，按要求等到了现在，之前还略过了 {count} 次。）",
    ),
    "moved": ("Changed: {when}: {text}", "已改为：{when}，{text}"),
    "list": ("Reminders:", "提醒："),
    "line": ("- r{id}: {when}: {text}{who}", "- r{id}，{when}：{text}{who}"),
    "line task": ("- r{id}: {when}: I do: {text}{who}", "- r{id}，{when}，我来做：{text}{who}"),
    "for person": (" (for {name})", "（提醒{name}）"),
    "for room": (" (in {room})", "（在{room}）"),
    "waiting": ("- n{id}: once {condition}: I tell you", "- n{id}：等到{condition}就告诉你"),
    "none": ("No reminders are set.", "现在没有设置提醒。"),
    "cancelled": ("Cancelled: r{id} ({text}).", "已取消 r{id}（{text}）。"),
    "let go": ("I no longer wait for n{id} ({text}).", "不再等 n{id}（{text}）了。"),
    "unknown": (
        "There is no reminder {id} here; `reminders` lists them.",
        "这里没有提醒 {id}；发“提醒列表”可以看到全部。",
    ),
    "off": ("Reminders are switched off here.", "这里没有开启提醒。"),
    "no waiting": ("Waiting for news is switched off here.", "这里没有开启“等消息”。"),
    "no words": (
        "What shall I remind of? A reminder needs words, at most {most} signs of them.",
        "提醒什么呢？需要一句话，最多 {most} 个字。",
    ),
    "too many": (
        "There are {most} reminders already; please cancel one first.",
        "已经有 {most} 个提醒了，请先取消一个。",
    ),
    "too many others": (
        "That were {most} reminders for others today, which is the most.",
        "今天已经给别人设了 {most} 个提醒，不能再多了。",
    ),
    "over": (
        "r{id} is over; when shall I say it again?",
        "r{id} 已经结束了。要什么时候再提醒？",
    ),
    "private": (
        "That repeats something said in private which they may not know.",
        "这里面有私下说的话，对方不应该知道。",
    ),
    "not admitted": (
        "{name} may not talk with me, so I cannot remind them.",
        "{name}还不能和我对话，我没法提醒。",
    ),
    "no dm": (
        "I have no chat with {name} alone; ask me in a room where they are.",
        "我和{name}还没有私聊，请在对方也在的群里让我提醒。",
    ),
    "not in": (
        "You are not in {name}, so I cannot remind anybody there for you.",
        "你不在{name}里，我不能替你在那里提醒。",
    ),
    "nobody": (
        "I know nobody called {name} who is in a room with you.",
        "和你同在一个群里的人中，我不认识{name}。",
    ),
    "several": ("{name} may be any of {names}; who is it?", "{name}可能是{names}，是哪一位？"),
    "nothing to hear": (
        "I do not know what to listen for in “{condition}”; please say it more plainly.",
        "“{condition}”里我不知道该留意什么，请说得再具体一点。",
    ),
    "not yours": ("r{id} is somebody else's reminder.", "r{id} 是别人的提醒。"),
}  # fmt: skip
_TROUBLE: dict[Trouble, tuple[str, str]] = {
    Trouble.NOTHING: (
        "When shall that be? For example: Friday at 15:00, or in two hours.",
        "什么时候呢？比如：周五下午三点，或者两小时后。",
    ),
    Trouble.UNKNOWN: (
        "I did not understand “{words}” as part of a time. When shall it be?",
        "“{words}”我没看懂是什么时间。请再说一下什么时候。",
    ),
    Trouble.PAST: (
        "“{words}” is over already. When shall it be?",
        "“{words}”已经过去了。改到什么时候？",
    ),
    Trouble.HOUR: ("At what time {words}?", "{words}几点？"),
    Trouble.NEVER: ("There is no {words}. Which day do you mean?", "没有{words}这一天。是哪天？"),
    Trouble.FAR: (
        "“{words}” is more than five years away; that is too far for me.",
        "“{words}”在五年以后，太远了，我记不了。",
    ),
    Trouble.OFTEN: (
        "“{words}” is too often; every five minutes is the most.",
        "“{words}”太频繁了，最多每五分钟一次。",
    ),
}  # fmt: skip


def text(key: str, lang: Language, /, **values: object) -> str:
    """A sentence."""
    return _TEXTS[key][lang == "zh"].format(**values)


def trouble(unclear: Unclear, lang: Language) -> str:
    """The question that a time asks which was not understood."""
    return _TROUBLE[unclear.trouble][lang == "zh"].format(words=unclear.words.strip())


def moment(at: datetime, zone: ZoneInfo, lang: Language, *, now: datetime) -> str:
    """A moment with its day, date and time."""
    local, today = at.astimezone(zone), now.astimezone(zone).date()
    day, year = _DAYS[lang][local.weekday()], local.year != today.year
    if lang == "zh":
        date = f"{local.year}年" * year + f"{local.month}月{local.day}日"
        return f"{date}（{day}）{local:%H:%M}"
    date = f"{local.day} {_MONTHS[local.month - 1]}" + f" {local.year}" * year
    return f"{day}, {date} at {local:%H:%M}"


def short(at: datetime, zone: ZoneInfo, lang: Language, *, now: datetime) -> str:
    """A moment: the time alone when it is of today."""
    local = at.astimezone(zone)
    if local.date() == now.astimezone(zone).date():
        return f"{local:%H:%M}"
    return moment(at, zone, lang, now=now)


def when(grid: Grid, first: datetime, zone: ZoneInfo, lang: Language, *, now: datetime) -> str:
    """A grid in words, with its next turn."""
    following = moment(first, zone, lang, now=now)
    if not grid.recurs:
        return following
    rule = _rule(grid, lang)
    if grid.until is not None:
        last = grid.until if grid.zone != "UTC" else _shown(grid.until, zone)
        end = f"{last.month}月{last.day}日" if lang == "zh" else f"{last.day} {_month(last)}"
        rule += f"，到{end}为止" if lang == "zh" else f" until {end}"
    return f"{rule}（下一次{following}）" if lang == "zh" else f"{rule} (next on {following})"


def _rule(grid: Grid, lang: Language) -> str:
    if grid.every is not None:
        return _step(grid, *grid.every, lang)
    at = f"{int(grid.cron['hour']):02}:{int(grid.cron['minute']):02}"
    days = _weekdays(grid.cron["day_of_week"], lang) if "day_of_week" in grid.cron else ""
    if lang == "zh":
        return f"{days or _monthly(grid.cron, lang)} {at}"
    return f"every {days or _monthly(grid.cron, lang)} at {at}"


def _step(grid: Grid, count: int, unit: str, lang: Language) -> str:
    one, chinese = _UNITS[unit]
    at = f"{grid.start:%H:%M}"
    weekday = _DAYS[lang][grid.start.weekday()]
    if lang == "zh":
        rule = f"每{count if count > 1 else ''}{chinese}"
        rule += f"的{weekday}" if unit == "weeks" else ""
        return rule if unit in ("minutes", "hours") else f"{rule} {at}"
    rule = f"every {count} {one}s" if count > 1 else f"every {one}"
    rule += f" on {weekday}" if unit == "weeks" else ""
    return rule if unit in ("minutes", "hours") else f"{rule} at {at}"


def _weekdays(written: str, lang: Language) -> str:
    days = [WEEKDAYS.index(day) for day in written.split(",")]
    if days == [0, 1, 2, 3, 4]:
        return "每个工作日" if lang == "zh" else "weekday"
    names = [_DAYS[lang][day] for day in days]
    if lang == "zh":
        return "每" + "、".join(names)
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _monthly(cron: Mapping[str, str], lang: Language) -> str:
    day, months = cron.get("day", "*"), cron.get("month", "")
    if day == "*":
        return "每天" if lang == "zh" else "day"
    which, _, name = day.partition(" ")
    several = "," in months
    if lang == "zh":
        start = f"每年{months}月" if months and not several else "每月"
        start = f"{months.replace(',', '、')}月" if several else start
        if name:
            return f"{start}{_NTH[which][1]}{_DAYS[lang][WEEKDAYS.index(name)]}"
        return f"{start}最后一天" if day == "last" else f"{start}{day}日"
    if months and not several:
        return f"year on {day} {_MONTHS[int(months) - 1]}"
    span = f"{12 // (months.count(',') + 1)} months" if several else "month"
    if name:
        return f"{span} on the {_NTH[which][0]} {_DAYS[lang][WEEKDAYS.index(name)]}"
    return f"{span} on the last day" if day == "last" else f"{span} on day {day}"


def _month(at: datetime) -> str:
    return _MONTHS[at.month - 1]


def _shown(at: datetime, zone: ZoneInfo) -> datetime:
    return at + (zone.utcoffset(at) or timedelta(0))
