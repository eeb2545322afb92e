"""What people read that no model wrote, in English and Chinese."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from agency import salience

Language = Literal["en", "zh"]

_TROUBLE = {
    "en": "Sorry, I could not finish that: something on my side failed. Your message is kept; "
    "please ask again in a while.",
    "zh": "抱歉，我这边出了点问题，没能完成。你的消息已经保存，请稍后再问我一次。",
}
_AWAY = {
    "en": "My language model has been out of reach since {since}. I have your message, and answer "
    "as soon as it is back.",
    "zh": "我用的语言模型从 {since} 起连不上了。你的消息我已经收到，等它恢复就回答。",
}
_BEHIND = {
    "en": {
        0: "I am behind, since much is going on. I have your message, and it is next.",
        1: "I am behind: one question is before yours. I have your message, and answer it in turn.",
        2: "I am behind: {before} questions are before yours. I have your message, and answer it "
        "in turn.",
    },
    "zh": {
        0: "我这边有点忙不过来。你的消息我已经收到，下一个就是它。",
        1: "我这边有点忙不过来：前面还有 1 个问题。你的消息我已经收到，轮到就回答。",
        2: "我这边有点忙不过来：前面还有 {before} 个问题。你的消息我已经收到，轮到就回答。",
    },
}
_PROGRESS = {
    "en": "Still on it: {doing}… ({so_far})",
    "zh": "还在处理：{doing}……（{so_far}）",
}
_DOING = {
    "search_memory": {"en": "searching what was said", "zh": "在翻查说过的话"},
    "read_room": {"en": "reading back in this chat", "zh": "在回看这里的对话"},
    "explain": {"en": "looking up why I said that", "zh": "在查我当时为什么这么说"},
}
_THINKING = {"en": "thinking it over", "zh": "在思考"}
_NOTICES = {
    "down": {
        "en": "For you as an admin: {platform} has been down for a while. {reason}",
        "zh": "管理员请注意：{platform} 已经断开一段时间了。{reason}",
    },
    "letter": {
        "en": "For you as an admin: I could not post in {room} on {platform}. {reason}",
        "zh": "管理员请注意：我在 {platform} 的 {room} 里发不出消息。{reason}",
    },
    "budget": {
        "en": "For you as an admin: {used} % of today's budget is spent. {levels}. "
        "`budget` tells where it went.",
        "zh": "管理员请注意：今天的预算已经用了 {used}%。{levels}。说“预算”可以看到用在了哪里。",
    },
    "fire": {
        "en": "For you as an admin: something that happened was put aside, since I failed at it "
        "too often. `limen retry {fire}` gives it another try. {reason}",
        "zh": "管理员请注意：有件事我多次没能处理，已经放到一边。"
        "`limen retry {fire}` 可以再试一次。{reason}",
    },
    "room": {
        "en": "For you as an admin: there is hardly any room left in my data folder {folder}. "
        "{reason}. Messages are still taken; files and background work wait until there is more.",
        "zh": "管理员请注意：我的数据目录 {folder} 快没有空间了。{reason}。"
        "消息还能照常接收；附件和后台工作会等到有空间为止。",
    },
    "room again": {
        "en": "For you as an admin: there was no room in my data folder {folder} for a while. "
        "{reason}. There is again, and everything goes on.",
        "zh": "管理员请注意：我的数据目录 {folder} 有一段时间没有空间。{reason}。"
        "现在恢复了，一切继续。",
    },
    "model": {
        "en": "For you as an admin: the language model has been out of reach for a while. What "
        "people ask waits and is answered once it is back. {reason}",
        "zh": "管理员请注意：语言模型已经连不上一段时间了。大家的问题都会等着，恢复后再回答。"
        "{reason}",
    },
    "run": {
        "en": "For you as an admin: I gave up on something ({role}). {reason}",
        "zh": "管理员请注意：有件事我没能做完（{role}）。{reason}",
    },
}
_BUDGET = {
    "builtin": {
        "en": "Today's budget for the language model is used up. Until midnight ({zone}) my "
        "built-in rules answer; an admin can raise the budget.",
        "zh": "今天的语言模型预算已经用完，午夜（{zone}）之前由内置规则来回答；"
        "管理员可以调高预算。",
    },
    "refused": {
        "en": "Today's budget is used up, so I cannot answer this now. I am back after midnight "
        "({zone}): please ask again then. An admin can raise the budget.",
        "zh": "今天的预算已经用完，这个问题现在答不了。午夜（{zone}）之后我就回来，请到时再问一次；"
        "管理员可以调高预算。",
    },
}
_COSTS = {
    "free": {
        "en": "Today, {day} ({zone}): {tokens} tokens, {money}. No budget is set.",
        "zh": "今天，{day}（{zone}）：{tokens} token，{money}。没有设置预算。",
    },
    "today": {
        "en": "Today, {day} ({zone}): {used} % of the budget. Tokens: {tokens}. Money: {money}.",
        "zh": "今天，{day}（{zone}）：预算用了 {used}%。token：{tokens}。费用：{money}。",
    },
    "line": {
        "en": "{purpose}, {model}: {calls} calls, {tokens} tokens, {money}",
        "zh": "{purpose}，{model}：{calls} 次调用，{tokens} token，{money}",
    },
}
_LEVELS = {
    "ok": {"en": "as usual", "zh": "照常"},
    "cheaper": {"en": "the small model", "zh": "改用小模型"},
    "builtin": {"en": "the built-in model", "zh": "改用内置模型"},
    "paused": {"en": "paused until midnight", "zh": "暂停到午夜"},
}
_PURPOSES = {
    "foreground": {"en": "answers", "zh": "回答"},
    "agency": {"en": "the background mind", "zh": "后台思考"},
    "memory": {"en": "memory", "zh": "记忆"},
    "background": {"en": "look-ups on the side", "zh": "后台调查"},
}
_CLOSED_ROOM = {
    "en": "a private room (s{session}; `limen status` names it)",
    "zh": "一个私密的聊天（s{session}，`limen status` 会说是哪个）",
}
_PRIVATE = {"en": "(said in a private conversation)", "zh": "（在私聊中说的）"}
_CONSENTED = {
    "en": "(said in a private conversation, told with its author's word)",
    "zh": "（在私聊中说的，经本人同意后转告）",
}
_RECALLED = {"en": "(taken back by its author)", "zh": "（作者已撤回）"}
_ERASED = {"en": "(erased)", "zh": "（已抹去）"}
_STEPS = {
    "fire": {
        "en": "Noticed and put before the background mind (salience {salience}).",
        "zh": "注意到了，交给后台思考（显著度 {salience}）。",
    },
    "agency run": {
        "en": "The background mind read what was new ({count}) and connected it with the rest.",
        "zh": "后台思考读了新发生的事（{count} 件），和之前的联系了起来。",
    },
    "request": {
        "en": "Its author asked for it to be told, and read the words first.",
        "zh": "本人要求转告，并且先看过原话。",
    },
    "handoff": {"en": "For {room}: {what}", "zh": "交给 {room}：{what}"},
    "handoff hidden": {
        "en": "Something was handed over, resting on private words.",
        "zh": "交接了一件事，它以私密的内容为依据。",
    },
    "consent asked": {
        "en": "{who} was asked in private whether {room} may be told.",
        "zh": "私下问了{who}可不可以告诉 {room}。",
    },
    "consent granted": {
        "en": "{who} was asked in private and agreed that {room} may be told.",
        "zh": "私下问了{who}，得到同意后才告诉 {room}。",
    },
    "consent denied": {
        "en": "{who} was asked in private and did not want {room} to be told.",
        "zh": "私下问了{who}，没有得到同意，不告诉 {room}。",
    },
    "consent expired": {
        "en": "{who} was asked in private whether {room} may be told, and did not answer in time.",
        "zh": "私下问了{who}可不可以告诉 {room}，没有及时得到回答。",
    },
    "consent revoked": {
        "en": "{who} had agreed that {room} may be told, and took it back.",
        "zh": "{who}曾同意告诉 {room}，后来收回了。",
    },
    "approval asked": {
        "en": "{who} was asked: “{question}”",
        "zh": "问了{who}：“{question}”",
    },
    "approval granted": {
        "en": "{who} was asked and said yes: “{question}”",
        "zh": "问了{who}，得到同意：“{question}”",
    },
    "approval denied": {
        "en": "{who} was asked and said no: “{question}”",
        "zh": "问了{who}，没有得到同意：“{question}”",
    },
    "approval expired": {
        "en": "{who} was asked, and no answer came: “{question}”",
        "zh": "问了{who}，没有得到回答：“{question}”",
    },
    "approval revoked": {
        "en": "{who} had said yes, and took it back: “{question}”",
        "zh": "{who}曾同意，后来收回了：“{question}”",
    },
    "somebody": {"en": "Somebody", "zh": "有人"},
    "author": {"en": "Its author", "zh": "本人"},
    "another room": {"en": "another room", "zh": "另一个房间"},
    "inbox": {"en": "Kept for the digest, since it could wait.", "zh": "不急，留到摘要里再说。"},
    "run handoff": {
        "en": "Read the room as it was by then, and decided to say it.",
        "zh": "看过房间当时的情况，决定说出来。",
    },
    "run consent_request": {
        "en": "Asked here, because it was said here.",
        "zh": "话是在这里说的，所以在这里问。",
    },
    "schedule": {
        "en": "{who} asked for that at this time.",
        "zh": "{who}让我在这个时间做这件事。",
    },
    "run schedule": {"en": "Did at its time what was asked for.", "zh": "到点做了之前让我做的事。"},
    "run message": {"en": "Was asked, and answered.", "zh": "有人问，就回答了。"},
    "run": {"en": "Decided to say it.", "zh": "决定说出来。"},
    "run failed": {"en": "Could not finish, and said so.", "zh": "没能完成，如实说明。"},
}


def language(text: str, *, setting: str = "auto") -> Language:
    """The language to answer a text in; `setting` is the operator's `bot.language`."""
    if setting == "zh" or (setting == "auto" and salience.is_chinese(text)):
        return "zh"
    return "en"


def trouble(lang: Language) -> str:
    """A run for somebody was given up."""
    return _TROUBLE[lang]


def away(lang: Language, *, since: datetime, now: datetime) -> str:
    """A run for somebody waits for the model; both moments in the zone of the team."""
    same = since.date() == now.date()
    return _AWAY[lang].format(since=f"{since:%H:%M}" if same else f"{since:%Y-%m-%d %H:%M}")


def behind(lang: Language, *, before: int) -> str:
    """A run for somebody waits for its turn, behind so many others."""
    return _BEHIND[lang][min(before, 2)].format(before=before)


def progress(lang: Language, *, tool: str, steps: int, seconds: int) -> str:
    """A run for somebody goes on, and takes long."""
    doing = _DOING.get(tool, _THINKING)[lang]
    if lang == "zh":
        lasted = f"{seconds} 秒" if seconds < 120 else f"{seconds // 60} 分钟"
        return _PROGRESS[lang].format(
            doing=doing, so_far=f"{steps} 步，{lasted}" if steps else lasted
        )
    lasted = f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"
    counted = f"{steps} step{'' if steps == 1 else 's'}, " if steps else ""
    return _PROGRESS[lang].format(doing=doing, so_far=counted + lasted)


def notice(name: str, lang: Language, **values: str) -> str:
    """What an admin has to know."""
    return _NOTICES[name][lang].format(**values)


def budget(name: str, lang: Language, *, zone: str) -> str:
    """The day's budget is used up."""
    return _BUDGET[name][lang].format(zone=zone)


def costs(name: str, lang: Language, **values: str) -> str:
    """What was spent."""
    return _COSTS[name][lang].format(**values)


def purpose(name: str, lang: Language) -> str:
    """What something was spent on."""
    return _PURPOSES[name][lang]


def level(purpose: str, at: str, lang: Language) -> str:
    """How much a purpose may still spend."""
    colon = "：" if lang == "zh" else ": "
    return f"{_PURPOSES[purpose][lang]}{colon}{_LEVELS[at][lang]}"


def levels(found: Sequence[tuple[str, str]], lang: Language) -> str:
    """The same for several."""
    told = ("；" if lang == "zh" else "; ").join(level(*one, lang) for one in found)
    return told[:1].upper() + told[1:]


def closed_room(lang: Language, session: int) -> str:
    """In place of a room's title, for somebody who is not in it."""
    return _CLOSED_ROOM[lang].format(session=session)


def private(lang: Language) -> str:
    """In place of words the reader may not see."""
    return _PRIVATE[lang]


def consented(lang: Language) -> str:
    """In place of private words that were told by their author's leave."""
    return _CONSENTED[lang]


def let_go(lang: Language) -> str:
    """Stands for words that were kept for a time only."""
    return "（不再保留）" if lang == "zh" else "(no longer kept)"


def recalled(lang: Language) -> str:
    """In place of words that were taken back."""
    return _RECALLED[lang]


def erased(lang: Language) -> str:
    """In place of words that were erased at somebody's wish."""
    return _ERASED[lang]


def step(name: str, lang: Language, **values: object) -> str:
    """A sentence of a why-chain."""
    return _STEPS[name][lang].format(**values)
