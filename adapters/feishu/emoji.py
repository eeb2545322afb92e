"""Feishu's names of reactions as emoji."""

_NAMES = {
    "THUMBSUP": "👍", "ThumbsDown": "👎", "HEART": "❤️", "PARTY": "🎉", "SMILE": "😄", "OK": "👌",
    "APPLAUSE": "👏", "THANKS": "🙏", "DONE": "✅", "FIRE": "🔥", "MUSCLE": "💪", "JIAYI": "➕",
    "LAUGH": "😂", "LOL": "🤣", "BLUSH": "😊", "CRY": "😭", "SOB": "😭", "ANGRY": "😠", "WOW": "😮",
    "SHOCKED": "😱", "THINKING": "🤔", "FACEPALM": "🤦", "SHRUG": "🤷", "WINK": "😉", "LOVE": "😍",
    "KISS": "😘", "COOL": "😎", "SLEEP": "😴", "YAWN": "🥱", "SWEAT": "😅", "SMIRK": "😏",
    "SAD": "😢", "ClownFace": "🤡", "Fire": "🔥", "CheckMark": "✅", "CrossMark": "❌", "No": "🚫",
    "Yes": "🆗", "Hundred": "💯", "BOMB": "💣", "ROSE": "🌹", "CAKE": "🎂", "BEER": "🍺",
    "COFFEE": "☕", "EYES": "👀", "FISTBUMP": "👊", "WAVE": "👋", "HIGHFIVE": "🙌", "SALUTE": "🫡",
    "Pin": "📌", "Alarm": "⏰", "Trophy": "🏆", "Typing": "⌨️",
}  # fmt: skip


def shown(name: str) -> str:
    """The emoji, or its name between colons where nobody drew one."""
    return _NAMES.get(name, f":{name}:" if name else "")
