"""Every sentence the built-in model says, in English and Chinese."""

import re
from datetime import datetime

_TEXTS: dict[str, tuple[str, str]] = {
    "late": (
        "(You wrote {span} ago; it reached me only now.)",
        "（这条消息是 {span}前发的，我刚刚才收到。）",
    ),
    "lead": ("Heads-up from {room}: {text} ({who}, {time}).", "{room} 的消息：{text}（{who}，"
    "{time}）。"),
    "lead_quote": (
        "Heads-up from {room}, where {who} wrote at {time}: “{quoted}”",
        "{room} 的消息：{who} {time} 说“{text}”。",
    ),
    "now": ("{subject} is now {new}", "{subject}现在是 {new}"),
    "clash": (
        "{room} has decided this differently: {text} ({who}, {time}). Best settle it with them "
        "before going on.",
        "{room} 的决定和这里不一样：{text}（{who}，{time}）。最好先和他们商量一下。",
    ),
    "unblocked": (
        "Good news from {room}: {text} ({who}, {time}). You no longer need to wait for it.",
        "{room} 的好消息：{text}（{who}，{time}）。不用再等了。",
    ),
    "unblocked_quote": (
        "Good news from {room}, where {who} wrote at {time}: “{quoted}” "
        "You no longer need to wait.",
        "{room} 的好消息，{who} {time} 说“{text}”。不用再等了。",
    ),
    "risk": (
        "This may affect your plan. {who} in {room} ({time}): “{quoted}”",
        "这可能影响你们的安排：{room} 的 {who}（{time}）说“{text}”。",
    ),
    "date": (
        "A date elsewhere depends on this. {who} in {room} ({time}): “{quoted}”",
        "有一个日期与此相关：{room} 的 {who}（{time}）说“{text}”。",
    ),
    "answer": (
        "About the open question here, {who} in {room} ({time}): “{quoted}”",
        "关于这里的问题，{room} 的 {who}（{time}）说“{text}”。",
    ),
    "duplicate": (
        "Before you put more time in: {room} may have this already. "
        "{who} there ({time}): “{quoted}”",
        "先别急着做：{room} 可能已经有了。{who}（{time}）说“{text}”。",
    ),
    "away_self": (
        "You have been put down for something in {room}. {who} ({time}): “{quoted}”"
        " If that does not suit you, better tell them.",
        "你被安排了一件事：{room} 的 {who}（{time}）说“{text}”。如果不方便，最好告诉他们一声。",
    ),
    "away_room": (
        "Mind the day. {who} in {room} ({time}): “{quoted}”",
        "注意时间：{room} 的 {who}（{time}）说“{text}”。",
    ),
    "deadline": (
        "A date set in {room}: {text} ({who}, {time}).",
        "{room} 有一个期限：{text}（{who}，{time}）。",
    ),
    "deadline_quote": (
        "A date set in {room}, where {who} wrote at {time}: “{quoted}”",
        "{room} 有一个期限，{who} {time} 说“{text}”。",
    ),
    "remind_self": (
        "You said in {room}: “{quoted}” That time has passed and I have not seen it yet. "
        "Is it done, or is there a new date?",
        "你在 {room} 说过“{text}”。时间已经过了，我还没看到结果。完成了吗，还是改个时间？",
    ),
    "remind_here": (
        "{who}, you said: “{quoted}” That time has passed and I have not seen it yet. "
        "Is it done, or is there a new date?",
        "{who}，你说过“{text}”。时间已经过了，还没看到结果。完成了吗，还是改个时间？",
    ),
    "more": (
        "One more thing on that, from {room}: “{text}” ({who}, {time}).",
        "补充一点，{room} 的 {who}（{time}）说“{text}”。",
    ),
    "fact": ("From {room}: {text}.", "{room}：{text}。"),
    "open": ("Still open in {room}: “{text}” ({who}).", "{room} "
    "还有一个未决问题：“{text}”（{who}）。"),
    "why_now": ("Why now: {target} still says “{here}” ({who}).", "为什么现在：{target} 里 {who} "
    "还在说“{here}”。"),
    "suggest": (
        "Suggestion: say it once, shortly; the people there decide. How sure: {sure}.",
        "建议：简短说一次，由他们决定。把握：{sure}。",
    ),
    "handed": ("Handed on: {subject} to {targets}.", "已转给 {targets}：{subject}。"),
    "nothing": ("Nothing needs handing on.", "没有需要转达的内容。"),
    "kept_done": ("Nothing to hand on yet; I keep it in mind.", "暂时没有要转达的，先记着。"),
    "handed_done": ("The handoffs are placed.", "转达已提交。"),
    "overdue_promise_there": (
        "You said in {room}: “{text}” I have not seen it yet. Is it done, or is there a new date?",
        "你在 {room} 说过：“{text}”我还没看到。做好了吗，还是要换个时间？",
    ),
    "overdue_promise_here": (
        "{owner}, you said here: “{text}” I have not seen it yet. Is it done, or is there a new "
        "date?",
        "{owner}，你在这里说过：“{text}”我还没看到。做好了吗，还是要换个时间？",
    ),
    "overdue_question_there": (
        "{asker} asked you in {room}: “{text}” I have seen no answer there yet.",
        "{asker} 在 {room} 问过你：“{text}”那边还没看到你的回答。",
    ),
    "overdue_question_here": (
        "{owner}, {asker}'s question here is still open: “{text}”",
        "{owner}，{asker} 在这里问的还没有回答：“{text}”",
    ),
    "listen_for": ("whoever still says {old} does not know the change [{id}]", "谁还说“{old}”，"
    "谁就还不知道这个改动[{id}]"),
    "greeting": (
        "Hi {who}! I listen in the rooms I am in and speak up when something said elsewhere "
        "matters "
        "here. Ask me what was decided, who owns something, or what you missed.",
        "你好，{who}！我在各个聊天里旁听，别处说的事和这里有关时才开口。"
        "可以问我定了什么、谁负责、错过了什么。",
    ),
    "greeting_plain": (
        "Hi {who}! I answer when you ask me: what was decided, who owns something, or what you "
        "missed.",
        "你好，{who}！有事可以问我：定了什么、谁负责、错过了什么。",
    ),
    "help": (
        "You can ask me: what was decided about X, who owns X, when is X due, what did I miss, or "
        "why I told you something. I remember what is said in the rooms I am in and tell each room "
        "only what it may hear; what you write to me in private I pass on only if you agree. I "
        "can also remind you: remind me on Friday at three to call Jo.",
        "可以问我：X 定了什么、X 谁负责、X 什么时候截止、我错过了什么、为什么告诉我们。"
        "我记得各个聊天里说过的话，每个聊天只会听到它可以知道的内容；私聊里的话，"
        "你同意了我才会转达。也可以让我提醒：周五下午三点提醒我给小乔打电话。",
    ),
    "who_am_i": (
        "I am {name}, a teammate bot. Right now the built-in, rule-based model answers; no paid "
        "language model is set. So I understand simple questions, and I look things up rather "
        "than guess.",
        "我是 {name}，团队里的机器人。现在回答你的是内置的规则模型，没有配置付费的语言模型。"
        "所以简单的问题我能懂，我会查记录，不会乱猜。",
    ),
    "who_am_i_today": (
        "I am {name}, a teammate bot. Today's budget for the language model is used up, so until "
        "midnight the built-in, rule-based model answers: I understand simple questions, and I "
        "look things up rather than guess.",
        "我是 {name}，团队里的机器人。今天的语言模型预算用完了，午夜之前由内置的规则模型回答："
        "简单的问题我能懂，我会查记录，不会乱猜。",
    ),
    "welcome": ("You are welcome.", "不客气。"),
    "unknown": (
        "I do not know. I found nothing about that in what I may tell here.",
        "我不知道。在这里能说的记录里，我没有找到相关内容。",
    ),
    "found": ("{text} ({who} in {room}, {time})", "{text}（{who}，{room}，{time}）"),
    "found_quote": ("{Who} wrote in {room} ({time}): “{text}”", "{who} 在 "
    "{room}（{time}）说：“{text}”"),
    "found_owner": (
        "{owner}, as far as I know: “{text}” ({who} in {room}, {time})",
        "据我所知是 {owner}：“{text}”（{who}，{room}，{time}）",
    ),
    "recap": ("In short, from this room:\n{lines}", "这里最近的要点：\n{lines}"),
    "recap_line": ("- {who} ({time}): {text}", "- {who}（{time}）：{text}"),
    "recap_none": ("Nothing of weight happened here lately.", "这里最近没有什么要紧的事。"),
    "why": ("I told you because of this:\n{lines}", "我说那句话的原因是：\n{lines}"),
    "why_said": ("- {who} in {room}{time}: “{text}”", "- {who} 在 {room}{time}：“{text}”"),
    "why_line": ("- {text}{time}", "- {text}{time}"),
    "why_saw": ("- From that I made a note{time}: {text}", "- 由此我记下一条{time}：{text}"),
    "why_told": ("- And I said it here{time}.", "- 然后我在这里说了{time}。"),
    "why_none": (
        "I find no message of mine here that came from another room.",
        "我没有找到我在这里转达过的消息。",
    ),
    "consent_ask": ("May I tell {target}: “{text}”?", "我可以告诉 {target}“{text}”吗？"),
    "consent_ask_that": ("May I tell {target} that {text}?", "我可以告诉 {target}：{text}吗？"),
    "consent_yes": ("Thanks, I will tell {target}.", "好的，我会告诉 {target}。"),
    "keep": ("All right, from here on I tell nobody.", "好的，从现在起我不会告诉别人。"),
    "consent_no": ("All right, it stays between us.", "好的，不会告诉别人。"),
    "consent_always": (
        " From now on I tell them what you tell me here without asking; `take back {id}` ends "
        "that.",
        "以后你在这里说的，我不再问就会告诉他们；想收回就说 `收回 {id}`。",
    ),
    "consent_until": (" Until {until}, and no longer.", "到 {until} 为止。"),
    "consent_other_words": (
        "All right, I do not tell {target} that as it stands.",
        "好的，这段话我不会这样告诉 {target}。",
    ),
    "consent_told": (
        "I have told {target} already, so I cannot take it back. I tell nothing more of it.",
        "已经告诉 {target} 了，收不回来。之后不会再说。",
    ),
    "consent_which": (
        "I have more than one question open with you. Which one do you mean: {targets}?",
        "我有几个问题在等你回答，你指的是哪一个：{targets}？",
    ),
    "told_for": ("From {who}: {text}", "{who} 让我转告：{text}"),
    "told_which": (
        "Which room do you mean? You are in {rooms}. Please say it once more with its name.",
        "你指的是哪个聊天？你在 {rooms} 里。请带上名字再说一次。",
    ),
    "told_nowhere": (
        "I know no room that you are in, so there is nobody I could tell.",
        "我不知道你在哪个群里，所以没有人可以转告。",
    ),
    "told_refused": (
        "I cannot tell {room} that: it was told before, or it says more than I may pass on.",
        "这件事我不能告诉 {room}：可能已经说过了，或者里面有不能转告的内容。",
    ),
    "told_soon": ("I tell {room}.", "我会告诉 {room}。"),
    "approval_granted": ("{who} says yes: “{question}”", "{who} 同意了：“{question}”"),
    "approval_denied": ("{who} says no: “{question}”", "{who} 不同意：“{question}”"),
    "approval_revoked": (
        "{who} has taken the yes back: “{question}”", "{who} 收回了同意：“{question}”",
    ),
    "approval_expired": (
        "Nobody has answered: “{question}” I take that as no.",
        "没有人答复：“{question}”，我当作不同意。",
    ),
    "approval_note": (" In their words: “{note}”", "原话是：“{note}”"),
    "approval_failed": (
        "I cannot ask {who}: either I know nobody of that name, they have no chat with me, or they "
        "may not know what is said here.",
        "我没法问 {who}：可能我不认识叫这个名字的人，对方没有和我的私聊，"
        "或者这里的话不能让对方知道。",
    ),
    "approval_thanks": ("Thanks, I tell {who}.", "好的，我告诉 {who}。"),
    "approval_not_yours": ("Only {who} can answer that.", "这件事只有 {who} 能回答。"),
    "approval_which": (
        "Several questions wait for your word. Which one do you mean?\n{lines}",
        "有几个问题在等你答复，你指的是哪一个？\n{lines}",
    ),
    "wished": (
        "You wanted to know once {condition}: {who} wrote in {room}: “{text}”",
        "你想知道{condition}：{who} 在 {room} 说“{text}”",
    ),
    "reminder": ("A reminder: {text}", "提醒一下：{text}"),
    "listening": (
        "All right, from now on I only listen here. Whoever runs me can let me answer again.",
        "好的，从现在起我在这里只听不说。想让我再回答，请找管理我的人。",
    ),
    "following": ("All right, I look at every message here.", "好的，这里的每条消息我都会看。"),
    "left": (
        "All right, I neither answer here nor pass anything on. Whoever runs me can change that.",
        "好的，我在这里既不回答，也不转达。想改回来，请找管理我的人。",
    ),
    "no_reminder": (
        "I cannot set a reminder from that. Say for example: remind me on Friday at three to call "
        "Jo.",
        "这样我没法设提醒。可以这样说：周五下午三点提醒我给小乔打电话。",
    ),
    "mine": ("You promised:\n{lines}", "你答应过：\n{lines}"),
    "mine_line": ("- {text} ({room}, {time})", "- {text}（{room}，{time}）"),
    "mine_none": ("I know of no promise of yours.", "我没有找到你答应过的事。"),
    "recap_all": ("In short, from where you are:\n{lines}", "你所在的聊天里最近的要点：\n{lines}"),
    "recap_room": ("- {who} in {room} ({time}): {text}", "- {who} 在 {room}（{time}）：{text}"),
    "noted": ("Noted.", "记下了。"),
    "summary": ("{who}: {text}.", "{who}：{text}。"),
    "quieted": ("All right, I stay quiet.", "好的，我先不说话了。"),
    "resumed": ("All right, I speak up again when it matters.", "好的，有要紧的事我会再说。"),
    "file_read": ("I read {name}. It begins: “{text}”", "{name} 我看了，开头是：“{text}”"),
    "file_says": ("{name} says: “{text}”", "{name} 里写着：“{text}”"),
    "picture": (
        "I cannot look at pictures: the built-in model answers here. Tell me in words what it "
        "shows, and I remember that.",
        "我看不了图片，这里回答的是内置模型。请用文字告诉我图里是什么，我会记住。",
    ),
    "file_voice": (
        "I could not listen to {name}: no transcriber is at work here. Please write it to me.",
        "我听不了 {name}，这里没有可用的语音转写。请打字告诉我。",
    ),
    "file_waiting": (
        "{name} is not here yet. Ask me again in a moment.",
        "{name} 还没收到，请过一会儿再问我。",
    ),
    "file_large": ("{name} is too large for me to read.", "{name} 太大了，我读不了。"),
    "file_locked": (
        "{name} needs a password, so I could not read it.", "{name} 有密码，我打不开。",
    ),
    "file_scanned": (
        "I found no text in {name}; it may be a scan.", "{name} 里没有文字，可能是扫描件。",
    ),
    "file_damaged": ("{name} is damaged; I could not read it.", "{name} 已损坏，我读不了。"),
    "file_unknown": (
        "I cannot read a file like {name}. A PDF or plain text works.",
        "我读不了 {name} 这种文件，PDF 或纯文本可以。",
    ),
    "file_slow": ("Reading {name} took too long; I gave up.", "{name} 读得太久，我放弃了。"),
    "file_off": ("Reading files is switched off here.", "这里关闭了读文件的功能。"),
    "file_lost": ("I could not get {name} from the chat.", "我没能从聊天里取到 {name}。"),
    "file_unread": ("I could not read {name}.", "我没能读 {name}。"),
    "the_file": ("the file", "这个文件"),
    "wordless": (
        "I understand words best. Ask me what was decided, who owns something, or what you missed.",
        "我更懂文字。可以问我定了什么、谁负责、错过了什么。",
    ),
    "someone": ("someone", "有人"),
    "you": ("you", "你"),
    "this_chat": ("our chat", "我们的私聊"),
}  # fmt: skip
_HAN = "\u4e00"  # the first Chinese character
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def span(minutes: int, zh: bool) -> str:
    """A stretch of time in its largest unit."""
    for size, en, cn in ((1440, "d", "天"), (60, "h", "小时")):
        if minutes >= size:
            return f"{minutes // size} {cn if zh else en}"
    return f"{minutes} {'分钟' if zh else 'min'}"


def text(key: str, zh: bool, /, **values: object) -> str:
    """A sentence in one language, filled in."""
    template = _TEXTS[key][zh]
    if zh:
        # Between two Chinese characters stands no space, as it does around a Latin name.
        for name, value in values.items():
            first, last = str(value)[:1], str(value)[-1:]
            if last >= _HAN:
                template = re.sub(rf"(\{{{name}\}}) (?=[{_HAN}-\u9fff])", r"\1", template)
            if first >= _HAN:
                template = re.sub(rf"(?<=[{_HAN}-\u9fff]) (\{{{name}\}})", r"\1", template)
    return template.format(**values)


def clock(at: datetime, now: datetime, zh: bool) -> str:
    """A time as one says it: the hour today, the day with it otherwise."""
    hour = f"{at:%H:%M}"
    days = (now.date() - at.date()).days
    if days == 0:
        return hour
    if days == 1:
        return f"昨天 {hour}" if zh else f"yesterday {hour}"
    if zh:
        return f"{at.month}月{at.day}日 {hour}"
    return f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]}, {hour}"
