"""Slack's names for emoji, of those that people react with most."""

_SIGNS = {
    "+1": "👍",
    "thumbsup": "👍",
    "-1": "👎",
    "thumbsdown": "👎",
    "ok_hand": "👌",
    "clap": "👏",
    "pray": "🙏",
    "raised_hands": "🙌",
    "muscle": "💪",
    "wave": "👋",
    "eyes": "👀",
    "heart": "❤️",
    "tada": "🎉",
    "rocket": "🚀",
    "fire": "🔥",
    "100": "💯",
    "white_check_mark": "✅",
    "heavy_check_mark": "✔️",
    "x": "❌",
    "question": "❓",
    "exclamation": "❗",
    "warning": "⚠️",
    "smile": "😄",
    "joy": "😂",
    "thinking_face": "🤔",
    "cry": "😢",
}


def sign(name: str) -> str:
    """The emoji itself where it is one of the common ones, else `:name:`; without skin tones."""
    bare = name.partition("::")[0]
    return _SIGNS.get(bare) or f":{bare}:"
