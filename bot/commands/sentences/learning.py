"""What is said about what people find useful."""

from bot.texts import Language

TEXTS: dict[str, dict[Language, str]] = {
    "no telling": {
        "en": "I told nothing unasked here lately. Reply to the message you mean.",
        "zh": "我最近没有在这里主动说过什么。请回复你指的那条消息。",
    },
    "which of them": {
        "en": "That message told several things. Which of them? Say for example `stop telling me "
        "about {subject}`.\n{list}",
        "zh": "那条消息里有好几件事，是哪一件？比如可以说 `别再跟我说{subject}的事`。\n{list}",
    },
    "learnt": {
        "en": "Understood: I will tell you less about “{subject}” until {until} ({id}). What "
        "changes a plan still comes, in your digest where it can wait. Say `useful` to the same "
        "message, or `unlearn {id}`, to take that back.",
        "zh": "明白了：到 {until} 之前，关于“{subject}”我会少跟你说（{id}）。会改变计划的事仍会"
        "告诉你，能等的放进摘要。想收回，就对那条消息说 `有用`，或者说 `取消 {id}`。",
    },
    "useful": {
        "en": "Good to know. I keep telling you about “{subject}”.",
        "zh": "好的，关于“{subject}”我会继续告诉你。",
    },
    "lessons": {"en": "What you called not useful:", "zh": "你说过没用的："},
    "lesson": {
        "en": "- {id} “{subject}”, until {until}",
        "zh": "- {id} “{subject}”，到 {until}",
    },
    "no lessons": {
        "en": "You called nothing not useful so far. Reply `not useful` to what you do not need.",
        "zh": "你还没有说过哪条没用。收到不需要的消息，可以回复 `没用`。",
    },
    "taken": {
        "en": "Taken up, of the last {told} things I told here unasked: {taken}.",
        "zh": "我最近在这里主动说的 {told} 件事里，有 {taken} 件得到了回应。",
    },
    "ignored": {
        "en": "Nobody took up what I said here lately, so small news waits for the digest.",
        "zh": "最近没有人回应我在这里说的，所以小事我会放进摘要。",
    },
    "unlearnt": {
        "en": "Taken back: I tell you about “{subject}” as before.",
        "zh": "已收回：关于“{subject}”我会像以前一样告诉你。",
    },
    "no lesson": {
        "en": "You have no such entry. `lessons` names them, like n3.",
        "zh": "没有这一条。说 `学到了什么` 可以看到全部编号，比如 n3。",
    },
    "learning off": {
        "en": "Learning is switched off here by the operator.",
        "zh": "管理员关闭了学习功能。",
    },
}  # fmt: skip
