"""What is said about what people want."""

from bot.texts import Language

TEXTS: dict[str, dict[Language, str]] = {
    "answers only": {
        "en": "I will only answer here {until}: when you mention me, or ask. What could wait goes "
        "into the digest. `speak up again` takes that back.",
        "zh": "{until}，我在这里只回答：被提到或被问到时才说话。能等的事放进摘要。"
        "说 `可以说话了` 就恢复。",
    },
    "until speak up": {"en": "until you say otherwise", "zh": "在你改口之前"},
    "answers when": {
        "en": "I did not understand that time. Say it like `be quiet here until Monday`, or "
        "`be quiet here` alone.",
        "zh": "我没看懂这个时间。可以说 `安静到周一`，或者只说 `安静点`。",
    },
    "speaks up": {
        "en": "I will speak up here again when something matters.",
        "zh": "好的，有要紧的事我会再在这里主动说。",
    },
    "spoke up": {
        "en": "I speak up here as it is; nobody asked me not to.",
        "zh": "我本来就会在这里主动说话，没有人让我安静。",
    },
    "paused me": {
        "en": "I will tell you nothing unasked {until}, in no chat. Ask me and I answer; reminders "
        "you set go on after it. `resume me` takes that back.",
        "zh": "{until}，我在任何聊天里都不会主动打扰你。你问我还是会答；你定的提醒之后照旧。"
        "说 `可以找我了` 就恢复。",
    },
    "until resume me": {"en": "until you say otherwise", "zh": "在你改口之前"},
    "pause me when": {
        "en": "I did not understand that time. Say it like `pause me until Monday`, or `pause me` "
        "alone.",
        "zh": "我没看懂这个时间。可以说 `到周一别打扰我`，或者只说 `别打扰我`。",
    },
    "resumed me": {
        "en": "I will tell you things again when they matter.",
        "zh": "好的，有要紧的事我会再告诉你。",
    },
    "not paused me": {"en": "You had not paused me.", "zh": "你没有让我别打扰你。"},
    "zone set": {
        "en": "Your time zone is {zone}, where it is {clock} now. Your quiet hours, reminders and "
        "digest follow it. `my time zone off` takes that back.",
        "zh": "你的时区是 {zone}，那里现在是 {clock}。你的勿扰时段、提醒和摘要都按它来。"
        "说 `我的时区 关` 就取消。",
    },
    "zone off": {
        "en": "I no longer go by a zone you named; for you it is {zone} now.",
        "zh": "不再按你说的时区了；现在按 {zone}。",
    },
    "zone is": {"en": "For you I go by {zone}.", "zh": "你的时间我按 {zone} 算。"},
    "say zone": {
        "en": "I know no such zone. Write it like `my time zone is Europe/Berlin`.",
        "zh": "没有这个时区。请这样写：`我的时区是 Asia/Shanghai`。",
    },
    "my hours": {
        "en": "Your quiet hours are {start}–{over} ({zone}): until they are over I tell you "
        "nothing unasked, save reminders you set yourself. `my quiet hours off` takes that back.",
        "zh": "你的勿扰时段是 {start}–{over}（{zone}）：期间除了你自己定的提醒，我不会主动打扰你。"
        "说 `我的勿扰 关` 就取消。",
    },
    "my hours off": {
        "en": "You have no quiet hours now. `my quiet hours 22:00-07:00` sets some.",
        "zh": "你现在没有勿扰时段。要设置，就说 `我的勿扰 22:00-07:00`。",
    },
    "say my hours": {
        "en": "Say the hours like `my quiet hours 22:00-07:00`, or `my quiet hours off`.",
        "zh": "请这样说时段：`我的勿扰 22:00-07:00`，或者 `我的勿扰 关`。",
    },
    "quota set": {
        "en": "At most {quota} a day: what concerns you beyond that waits for your digest. "
        "`my limit off` takes that back.",
        "zh": "每天最多 {quota} 条，更多与你有关的事放进摘要。说 `我的上限 关` 就取消。",
    },
    "quota off": {
        "en": "You are back at the {quota} a day that everybody has.",
        "zh": "恢复到大家都有的每天 {quota} 条。",
    },
    "say quota": {
        "en": "Say a number like `my limit 3`, or `my limit off`.",
        "zh": "请说一个数，比如 `我的上限 3`，或者 `我的上限 关`。",
    },
    "muted": {
        "en": "I will not bring up “{subject}” to you{until}. Ask me and I tell you. `tell me "
        "about {subject} again` takes that back.",
        "zh": "好的{until}，不再主动跟你说“{subject}”。你问我还是会答。"
        "说 `可以再说{subject}了` 就恢复。",
    },
    "muted here": {
        "en": "I will not bring up “{subject}” here{until}. Ask me and I tell you. `tell us about "
        "{subject} again` takes that back.",
        "zh": "好的{until}，不再在这里主动提“{subject}”。问我还是会答。"
        "说 `可以再说{subject}了` 就恢复。",
    },
    "for": {"en": " until {moment}", "zh": "，到 {moment} 为止"},
    "say subject": {
        "en": "Say of what, like `stop telling me about the newsletter`.",
        "zh": "请说是什么事，比如 `别再跟我说周报的事`。",
    },
    "unmuted": {
        "en": "I will bring up “{subject}” again when it matters.",
        "zh": "好的，“{subject}”有要紧的事我会再说。",
    },
    "not muted": {
        "en": "You have not muted that. `muted` lists what you have.",
        "zh": "你没有屏蔽过这件事。说 `屏蔽列表` 看看有哪些。",
    },
    "mutes": {"en": "What I do not bring up:", "zh": "我不主动提的事："},
    "mute": {"en": "- to you: “{subject}”{until}", "zh": "- 对你：“{subject}”{until}"},
    "mute here": {"en": "- here: “{subject}”{until}", "zh": "- 在这里：“{subject}”{until}"},
    "no mutes": {
        "en": "Nothing is muted. Say `stop telling me about …`, or `don't mention … here`.",
        "zh": "没有屏蔽任何事。可以说 `别再跟我说…的事`，或者 `别在这里提…`。",
    },
    "no mutes here": {
        "en": "Nothing is muted for this room. What you muted for yourself I list in our DM.",
        "zh": "这个房间没有屏蔽任何事。你为自己屏蔽的，我在私聊里列给你。",
    },
    "is answers only": {
        "en": "- here I only answer, {until}",
        "zh": "- 在这里只回答，{until}",
    },
    "is paused me": {
        "en": "- I tell you nothing unasked, {until}",
        "zh": "- 不主动打扰你，{until}",
    },
    "between": {"en": ", ", "zh": "、"},
    "has mutes": {"en": "- not brought up: {subjects}", "zh": "- 不主动提：{subjects}"},
}  # fmt: skip
