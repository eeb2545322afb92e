"""What commands answer, in English and Chinese."""

from bot.commands.sentences import learning, switches, wanting
from bot.texts import Language

_CORE: dict[str, dict[Language, str]] = {
    "help": {
        "en": "I read along here, answer when you mention me, and speak up when something said "
        "elsewhere matters here.\n"
        "What you can order, after a slash or as a message to me:\n"
        "- `status`: how I am · `who are you`: what I am, and what I keep\n"
        "- `why`: what led to my last unasked message; or as a reply to any message of mine\n"
        "- `stop`: break off what I am doing here\n"
        "- `pause 2h` or `pause until Monday`: I only listen · `be quiet here`: I only answer · "
        "`resume`\n"
        "- `quiet 22:00-08:00`: nothing unasked in these hours · `quiet off`\n"
        "- `stop telling me about …` or `don't mention … here` · `muted` lists them\n"
        "- for you alone, everywhere: `pause me` · `my quiet hours 22-7` · "
        "`my time zone is Europe/Berlin`\n"
        "- `forget that`: your last message here, or the one you reply to · "
        "`forget everything I said here`\n"
        "- `not useful`, as a reply to what I told you unasked: less of that · `lessons`\n"
        "- `approvals`: what I wait for your word on · `consents`: what you allowed · "
        "`link`: join your accounts (in a DM)\n"
        "- say it in your words: `remind me on Friday at three to …`, `tell me when …` · "
        "`reminders` lists them\n"
        "- in a DM: `inbox`: what waits for you · `digest 8:30`, `digest now`, `digest off` · "
        "`report`: what I did today",
        "zh": "我在这里听大家说话，被提到时回答；别处说的事和这里有关时，我会主动说一声。\n"
        "可以对我下的命令，前面加斜杠，或者直接对我说：\n"
        "- `状态`：我现在怎么样 · `你是谁`：我是什么、会保存什么\n"
        "- `为什么`：我上次主动开口的来由；也可以回复我的任意一条消息来问\n"
        "- `停`：停下我在这里正做的事\n"
        "- `暂停两小时` 或 `暂停到周一`：我只听不说 · `安静点`：我只回答 · `继续`\n"
        "- `勿扰 22:00-08:00`：这段时间不主动打扰 · `勿扰 关`\n"
        "- `别再跟我说…的事`、`别在这里提…` · `屏蔽列表` 看有哪些\n"
        "- 只对你、到处有效：`别打扰我` · `我的勿扰 22-7` · `我的时区是 Asia/Shanghai`\n"
        "- `忘掉这条`：你在这里的上一条消息，或你回复的那条 · `忘掉我在这里说的一切`\n"
        "- `没用`：回复我主动说的消息，这类事就少说 · `学到了什么`\n"
        "- `待确认`：等你点头的事 · `我的同意`：你同意过的事 · `绑定`：合并你的账号（在私聊里）\n"
        "- 用自己的话说就行：`周五下午三点提醒我…`、`…之后告诉我` · `提醒列表` 看有哪些\n"
        "- 在私聊里：`收件箱`：等你的事 · `摘要 8:30`、`现在摘要`、`摘要 关` · "
        "`日报`：我今天做了什么",
    },
    "help admin": {
        "en": "- For admins: `pair CODE` · `allow platform:id` · `deny platform:id` · "
        "`pause everywhere` · `resume everywhere` · `budget`",
        "zh": "- 管理员：`批准 代码` · `允许 平台:ID` · `禁止 平台:ID` · "
        "`暂停 全部` · `继续 全部` · `预算`",
    },
    "who": {
        "en": "I am {name}, a bot, not a person. The model behind me is {model}.\n"
        "I hear what is said in the chats I am in, keep it with its author and time, and learn "
        "facts from it. What is said in an open room may help other rooms; what you tell me in "
        "a DM goes nowhere else {dm}.\n"
        "To be private, write to me in a DM, or tell me `forget that`.",
        "zh": "我是 {name}，一个机器人，不是人。背后的模型是 {model}。\n"
        "我所在的聊天里说的话我都会听到，连同说话人和时间一起保存，并从中记下要点。公开房间里说的话可能会帮到别的房间；"
        "你在私聊里告诉我的事不会说到别处{dm}。\n"
        "想要保密，就在私聊里对我说，或者让我 `忘掉这条`。",
    },
    "who dm ask": {"en": "unless you agree first", "zh": "，除非你先同意"},
    "who dm never": {"en": "at all", "zh": ""},
    "who dm allow": {
        "en": "as a rule; whoever runs me allowed me to use it where it helps",
        "zh": "是惯例，但管理员允许我在有用的地方使用",
    },
    "status": {
        "en": "**{name}** {version} · model {model} · instance {instance}",
        "zh": "**{name}** {version} · 模型 {model} · 实例 {instance}",
    },
    "up": {"en": "connected", "zh": "已连接"},
    "down": {"en": "not connected", "zh": "未连接"},
    "waiting": {
        "en": "- at work: {runs} runs, {letters} messages on their way",
        "zh": "- 进行中：{runs} 个任务，{letters} 条消息待发",
    },
    "not paused": {"en": "- not paused", "zh": "- 没有暂停"},
    "is paused": {"en": "- paused {until}", "zh": "- 已暂停{until}"},
    "no quiet": {"en": "- no quiet hours", "zh": "- 没有勿扰时段"},
    "quiet": {
        "en": "- quiet hours {start}–{over} ({zone})",
        "zh": "- 勿扰时段 {start}–{over}（{zone}）",
    },
    "attention addressed": {
        "en": "- here I answer when I am addressed",
        "zh": "- 在这里被叫到时回答",
    },
    "attention all": {"en": "- here I look at every message", "zh": "- 在这里每条消息都会看"},
    "attention observe": {"en": "- here I only listen", "zh": "- 在这里只听不说"},
    "attention off": {
        "en": "- here I neither answer nor pass anything on",
        "zh": "- 在这里既不回答也不转达",
    },
    "why": {"en": "What led to that message:", "zh": "那条消息是这么来的："},
    "why none": {
        "en": "I have said nothing unasked here. Reply `why` to a message of mine to ask about it.",
        "zh": "我在这里没有主动说过话。想问哪条消息，就回复那条消息说 `为什么`。",
    },
    "stopped": {"en": "Stopped.", "zh": "已停下。"},
    "idle": {"en": "I am not doing anything here.", "zh": "我在这里没有正在做的事。"},
    "until": {"en": "until {moment}", "zh": "到 {moment}"},
    "until resumed": {"en": "until somebody says `resume`", "zh": "，直到有人说 `继续`"},
    "paused": {
        "en": "Paused {until}: I listen, and neither answer nor speak up. Commands still work; "
        "`resume` ends it.",
        "zh": "已暂停{until}：我只听，不回答，也不主动说话。命令仍然有效；说 `继续` 就恢复。",
    },
    "paused everywhere": {
        "en": "Paused everywhere {until}. `resume everywhere` ends it.",
        "zh": "所有聊天都已暂停{until}。说 `继续 全部` 就恢复。",
    },
    "resumed": {"en": "I am back.", "zh": "我回来了。"},
    "not paused here": {"en": "I was not paused here.", "zh": "我在这里没有被暂停。"},
    "still paused": {
        "en": "An admin has paused me everywhere {until}.",
        "zh": "管理员把我在所有聊天里都暂停了{until}。",
    },
    "quiet set": {
        "en": "Quiet hours of this chat are {start}–{over} ({zone}): until they are over I say "
        "nothing unasked.",
        "zh": "这个聊天的勿扰时段是 {start}–{over}（{zone}）：期间我不会主动说话。",
    },
    "quiet off": {
        "en": "This chat has no quiet hours now.",
        "zh": "这个聊天现在没有勿扰时段。",
    },
    "say when": {
        "en": "I did not understand that time. Say it like `pause 2h`, `pause until 18:00`, or "
        "`pause` alone.",
        "zh": "我没看懂这个时间。可以说 `暂停两小时`、`暂停到18:00`，或者只说 `暂停`。",
    },
    "say hours": {
        "en": "Say the hours like `quiet 22:00-08:00`, or `quiet off`.",
        "zh": "请这样说时段：`勿扰 22:00-08:00`，或者 `勿扰 关`。",
    },
    "forgotten": {
        "en": "Forgotten: {messages} of your messages, and {facts} things I had learnt from them. "
        "In the chat itself they stay until you delete them.",
        "zh": "已忘掉：{messages} 条消息，以及从中记下的 {facts} 个要点。"
        "聊天里的原文要你自己删除。",
    },
    "not yours": {
        "en": "That message is not yours; only its author or an admin can let me forget it.",
        "zh": "那条消息不是你的；只有作者本人或管理员能让我忘掉它。",
    },
    "nothing to forget": {
        "en": "I know of no message of yours here to forget.",
        "zh": "你在这里没有我记着的消息。",
    },
    "confirm": {
        "en": "That would be {messages} of your messages here, with all I learnt from them. To "
        "confirm, say: `forget everything I said here, confirm`",
        "zh": "这会忘掉你在这里的 {messages} 条消息，以及从中记下的一切。"
        "要确认，请说：`忘掉我在这里说的一切，确认`",
    },
    "say what": {
        "en": "Say `forget that`, reply `forget that` to a message, or say `forget everything I "
        "said here`.",
        "zh": "可以说 `忘掉这条`，或者回复某条消息说 `忘掉这条`，或者说 `忘掉我在这里说的一切`。",
    },
    "no approvals": {
        "en": "Nothing waits for your word here.",
        "zh": "这里没有等你点头的事。",
    },
    "approvals": {
        "en": "This waits for your word. Answer by the buttons, in words, or like `approve a3` or "
        "`decline a3`.",
        "zh": "这些在等你答复。可以点按钮，直接说，或者这样说：`同意 a3`、`拒绝 a3`。",
    },
    "approval": {
        "en": "- {id}: may I tell {room}, until {until}: “{text}”",
        "zh": "- {id}：可以告诉 {room} 吗，{until} 前：“{text}”",
    },
    "to approve": {
        "en": "- {id}: {who} asks, until {until}: “{text}”",
        "zh": "- {id}：{who} 问，{until} 前：“{text}”",
    },
    "wished": {
        "en": "You wait for an answer (`take back a3` ends that):",
        "zh": "你在等答复（`收回 a3` 就不再等）：",
    },
    "wish": {
        "en": "- {id}: from {names}, until {until}: “{text}”",
        "zh": "- {id}：等 {names}，{until} 前：“{text}”",
    },
    "consents": {
        "en": "What you allowed. To end one: `take back c3`.",
        "zh": "你同意过的事。想收回就说：`收回 c3`。",
    },
    "no consents": {
        "en": "You have allowed nothing that could still be taken back.",
        "zh": "没有你同意过、还能收回的事。",
    },
    "in my own chat": {
        "en": "Please ask me that in a DM: it is about what you told me there.",
        "zh": "请在私聊里问我，这和你在那里说的话有关。",
    },
    "given": {
        "en": "- {id}: {room} may be told {reach}: “{text}”",
        "zh": "- {id}：可以告诉 {room}（{reach}）：“{text}”",
    },
    "given always": {
        "en": "- {id}: yes every time it is asked: “{text}”",
        "zh": "- {id}：每次问都同意：“{text}”",
    },
    "reach once": {"en": "this once", "zh": "就这一次"},
    "reach fact": {"en": "this whenever it matters", "zh": "这件事随时都行"},
    "reach room": {"en": "all you tell me here, such as", "zh": "你在这里说的都行，比如"},
    "reach until": {"en": ", until {until}", "zh": "，到 {until} 为止"},
    "say which": {
        "en": "Name it like `a3` or `c3`; `approvals` and `consents` list them.",
        "zh": "请说出编号，比如 `a3` 或 `c3`；`待确认` 和 `我的同意` 会列出来。",
    },
    "taken back": {
        "en": "Taken back: {id}. Nothing more rests on it.",
        "zh": "已收回 {id}，之后不会再按它来做。",
    },
    "nothing to take back": {
        "en": "There is nothing of yours to take back under {id}.",
        "zh": "{id} 没有你可以收回的。",
    },
    "no such question": {
        "en": "{id} is not waiting for your word: it is answered, closed, or somebody else's.",
        "zh": "{id} 没有在等你答复：已经答复、关闭了，或者是别人的事。",
    },
    "noted yes": {"en": "Thanks: {id} is a yes.", "zh": "好的，{id} 你同意了。"},
    "noted no": {"en": "All right: {id} is a no.", "zh": "好的，{id} 你不同意。"},
    "in private": {
        "en": "Please say that to me in a DM, where nobody else reads the code.",
        "zh": "请在私聊里对我说，免得代码被别人看到。",
    },
    "link offered": {
        "en": "From your other account, send me this in a DM within 15 minutes:\n`link {code}`\n"
        "Both are then one person to me. Give the code to nobody else.",
        "zh": "请在 15 分钟内，用你的另一个账号私聊我：\n`绑定 {code}`\n"
        "之后我就把两个账号当成同一个人。不要把代码给别人。",
    },
    "linked": {
        "en": "Linked: {accounts} are one person to me now. Each DM stays its own conversation.",
        "zh": "已绑定：{accounts} 现在在我这里是同一个人。各自的私聊仍是分开的对话。",
    },
    "linked elsewhere": {
        "en": "Your accounts were linked by the code from here: {accounts}. If that was not you, "
        "tell whoever runs me at once.",
        "zh": "有人用这里的代码绑定了你的账号：{accounts}。如果不是你本人，请立刻告诉管理员。",
    },
    "linked already": {
        "en": "These accounts are linked already.",
        "zh": "这些账号已经绑定过了。",
    },
    "bad code": {
        "en": "I know no such code; it may be too old. Say `link` in a DM of your first account "
        "for a fresh one.",
        "zh": "没有这个代码，可能已经过期。请用第一个账号在私聊里说 `绑定`，重新取一个。",
    },
    "too many tries": {
        "en": "Too many wrong codes. Please try again in an hour.",
        "zh": "输错的次数太多，请一小时后再试。",
    },
    "admins only": {
        "en": "Only an admin can do that.",
        "zh": "只有管理员可以这样做。",
    },
    "admins private": {
        "en": "Please say that to me in your own DM.",
        "zh": "请在你自己的私聊里对我说。",
    },
    "paired": {
        "en": "{name} ({account}) may talk with me now.",
        "zh": "{name}（{account}）现在可以和我说话了。",
    },
    "welcome": {
        "en": "You may talk with me now. Say `help` to see what I can do.",
        "zh": "现在你可以和我说话了。说 `帮助` 看看我能做什么。",
    },
    "no pairing": {
        "en": "Nobody waits under that code; it may be too old. Write it like `pair ABCD2345`.",
        "zh": "没有人在等这个代码，可能已经过期。请这样写：`批准 ABCD2345`。",
    },
    "allowed": {"en": "{account} may talk with me now.", "zh": "{account} 现在可以和我说话了。"},
    "denied": {
        "en": "{account} may no longer talk with me.",
        "zh": "{account} 不能再和我说话了。",
    },
    "never met": {
        "en": "I have met nobody with exactly that id so far.",
        "zh": "到目前为止，我还没见过正好是这个 ID 的人。",
    },
    "say account": {
        "en": "Name the account like `allow slack:U024BE7LH`, with one of {platforms}.",
        "zh": "请这样写账号：`允许 slack:U024BE7LH`，平台是 {platforms} 之一。",
    },
    "is admin": {
        "en": "{account} is an admin by the settings file; change it there.",
        "zh": "{account} 是配置文件里的管理员，请在那里修改。",
    },
    "unknown": {
        "en": "I know no command `/{name}`. `/help` names them all.",
        "zh": "没有 `/{name}` 这个命令。`/帮助` 列出全部命令。",
    },
    "stranger": {
        "en": "Sorry, I may only talk with people I have been told about. Whoever runs me can add "
        "you.",
        "zh": "抱歉，我只能和已登记的人说话。请联系管理员把你加进来。",
    },
    "stranger code": {
        "en": "Hello! I do not know you yet. Please give this code to an admin of mine, who tells "
        "me `pair {code}`. It is good for an hour.",
        "zh": "你好！我还不认识你。请把这个代码交给我的管理员，由管理员对我说 `批准 {code}`。"
        "代码一小时内有效。",
    },
}  # fmt: skip


_TEXTS = _CORE | learning.TEXTS | wanting.TEXTS | switches.TEXTS


def text(key: str, lang: Language, /, **values: object) -> str:
    """A sentence of an answer."""
    return _TEXTS[key][lang].format(**values)
