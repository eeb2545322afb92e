"""The words around what an inbox, a digest and a report tell, in English and Chinese."""

from datetime import date, datetime, tzinfo

from bot.texts import Language

_TEXTS: dict[str, dict[Language, str]] = {
    "digest": {"en": "**Your digest, {day}**", "zh": "**{day}摘要**"},
    "inbox": {"en": "**Your inbox**", "zh": "**你的收件箱**"},
    "waits": {"en": "**Waiting for you**", "zh": "**等你处理**"},
    "coming": {"en": "**In your next digest** ({when})", "zh": "**会在下次摘要里**（{when}）"},
    "coming off": {
        "en": "**Kept for you** (your digest is off; `digest now` tells them)",
        "zh": "**为你留着**（摘要已关；说 `现在摘要` 就告诉你）",
    },
    "coming later": {
        "en": "**Kept for you** (write to me in a DM, and it comes in your digest)",
        "zh": "**为你留着**（私聊我一次，之后就会放进你的摘要）",
    },
    "told": {"en": "**Told lately**", "zh": "**最近告诉过你的**"},
    "nothing": {"en": "Nothing waits for you.", "zh": "没有等你的事。"},
    "elsewhere": {"en": "**Elsewhere**", "zh": "**其他**"},
    "more": {
        "en": "… and {n} more (`inbox` lists them)",
        "zh": "……还有 {n} 条（`收件箱` 里都有）",
    },
    "source": {"en": "{who}, {room}, {when}", "zh": "{who}，{room}，{when}"},
    "source private": {
        "en": "told with its author's consent, {when}",
        "zh": "经本人同意转告，{when}",
    },
    "link": {"en": "open", "zh": "查看"},
    "ask consent": {
        "en": "May I tell {room}: “{text}”? (until {when}; answer by its buttons, or in words)",
        "zh": "可以告诉 {room} 吗：“{text}”（{when} 前有效；点按钮，或者直接说）",
    },
    "ask approval": {
        "en": "Your word is asked for: “{text}” (until {when})",
        "zh": "等你点头：“{text}”（{when} 前有效）",
    },
    "owed promise": {
        "en": "You said in {room}: “{text}” (by {when})",
        "zh": "你在 {room} 说过：“{text}”（{when} 前）",
    },
    "owed question": {
        "en": "You were asked in {room}: “{text}”",
        "zh": "{room} 有人问你：“{text}”",
    },
    "digest at": {
        "en": "Your digest comes at {at} ({zone}), on days that have something to tell.",
        "zh": "每天 {at}（{zone}）给你一份摘要；没有事的日子不发。",
    },
    "digest off": {
        "en": "You get no digest any more. What would have been in it is in your `inbox`; "
        "`digest {at}` brings it back.",
        "zh": "不再给你发摘要。原本会写进去的都在 `收件箱` 里；说 `摘要 {at}` 就恢复。",
    },
    "digest is": {
        "en": "Your digest comes at {at} ({zone}). Change it with `digest 8:30`, `digest off`; "
        "`digest now` brings it at once.",
        "zh": "你的摘要每天 {at}（{zone}）发。可以说 `摘要 8:30`、`摘要 关` 来改，"
        "`现在摘要` 马上看。",
    },
    "digest is off": {
        "en": "Your digest is off. `digest 8:30` switches it on, `digest now` brings it at once.",
        "zh": "你的摘要已关。说 `摘要 8:30` 开启，说 `现在摘要` 马上看。",
    },
    "digest when": {
        "en": "I did not understand that time. Say it like `digest 8:30`, `digest off` or "
        "`digest now`.",
        "zh": "我没看懂这个时间。可以说 `摘要 8:30`、`摘要 关` 或 `现在摘要`。",
    },
    "own dm": {
        "en": "That is yours alone: please ask me in a DM.",
        "zh": "这只给你本人看，请在私聊里对我说。",
    },
    "report": {"en": "**Report for {day}**", "zh": "**{day}日报**"},
    "report all": {"en": "**Report for {day}, the whole house**", "zh": "**{day}日报（全部）**"},
    "looked": {
        "en": "- looked at: {messages} in {rooms}, {fires} put before the background mind, "
        "{files} read",
        "zh": "- 看了：{rooms} 个房间的 {messages} 条消息，{fires} 条交给后台思考，"
        "读了 {files} 个文件",
    },
    "found": {
        "en": "- found: {handoffs} for other rooms, {facts}",
        "zh": "- 发现：{handoffs} 件别处需要知道的事，{facts} 个要点",
    },
    "said": {
        "en": "- said: {answers}, {unasked} nobody asked for, {digests}",
        "zh": "- 说了：{answers} 个回答，{unasked} 条主动的消息，{digests} 份摘要",
    },
    "held": {
        "en": "- held: {waiting} waiting, {silent} kept to myself, {refused} not allowed out, "
        "{dropped} settled or stale by then",
        "zh": "- 留着：{waiting} 件在等，{silent} 件没说，{refused} 件不许说，"
        "{dropped} 件已解决或过时",
    },
    "spent": {
        "en": "- spent: {tokens} tokens in {calls}{cost}",
        "zh": "- 花费：{calls} 次调用，{tokens} 个 token{cost}",
    },
    "spent on": {"en": "  - {purpose}: {tokens} tokens", "zh": "  - {purpose}：{tokens} 个 token"},
    "cost": {"en": ", {cost}", "zh": "，{cost}"},
    "foreground": {"en": "answers", "zh": "回答"},
    "agency": {"en": "the background mind", "zh": "后台思考"},
    "memory": {"en": "memory", "zh": "记忆"},
    "background": {"en": "look-ups on the side", "zh": "后台调查"},
    "yesterday": {"en": "yesterday {time}", "zh": "昨天 {time}"},
    "today": {"en": "{time}", "zh": "{time}"},
    "tomorrow": {"en": "tomorrow {time}", "zh": "明天 {time}"},
}  # fmt: skip
_DAYS = (
    ("Monday", "周一"), ("Tuesday", "周二"), ("Wednesday", "周三"), ("Thursday", "周四"),
    ("Friday", "周五"), ("Saturday", "周六"), ("Sunday", "周日"),
)  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def text(key: str, lang: Language, /, **values: object) -> str:
    """A sentence."""
    return _TEXTS[key][lang].format(**values)


def counted(n: int, noun: str, lang: Language) -> str:
    """A number with what it counts; Chinese texts name that themselves."""
    if lang == "zh":
        return str(n)
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def day(of: date, lang: Language) -> str:
    """A day as people write it."""
    english, chinese = _DAYS[of.weekday()]
    if lang == "zh":
        return f"{of.month}月{of.day}日（{chinese}）"
    return f"{english}, {of.day} {_MONTHS[of.month - 1]}"


def moment(at: datetime, zone: tzinfo, lang: Language, *, now: datetime) -> str:
    """A moment as people read it beside others of these days."""
    local, today = at.astimezone(zone), now.astimezone(zone).date()
    near = {0: "today", -1: "yesterday", 1: "tomorrow"}.get((local.date() - today).days)
    if near:
        return text(near, lang, time=f"{local:%H:%M}")
    if lang == "zh":
        return f"{local.month}月{local.day}日 {local:%H:%M}"
    return f"{local.day} {_MONTHS[local.month - 1][:3]} {local:%H:%M}"
