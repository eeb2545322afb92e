"""What people read that no model wrote, in English and Chinese."""

from typing import Literal

from agency import salience

Language = Literal["en", "zh"]

_TROUBLE = {
    "en": "Sorry, I could not finish that: something on my side failed. Your message is kept; "
    "please ask again in a while.",
    "zh": "抱歉，我这边出了点问题，没能完成。你的消息已经保存，请稍后再问我一次。",
}
_YES = {"en": "Yes, tell them", "zh": "可以，告诉他们"}
_NO = {"en": "No, keep it here", "zh": "不，先别说"}
_PRIVATE = {"en": "(said in a private conversation)", "zh": "（在私聊中说的）"}


def language(text: str, *, setting: str = "auto") -> Language:
    """The language to answer a text in; `setting` is the operator's `bot.language`."""
    if setting == "zh" or (setting == "auto" and salience.is_chinese(text)):
        return "zh"
    return "en"


def trouble(lang: Language) -> str:
    """A run for somebody was given up."""
    return _TROUBLE[lang]


def consent_buttons(lang: Language) -> tuple[str, str]:
    """The labels for yes and no."""
    return _YES[lang], _NO[lang]


def private(lang: Language) -> str:
    """In place of words the reader may not see."""
    return _PRIVATE[lang]
