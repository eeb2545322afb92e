"""What somebody asks for that is switched off here: said plainly, so that nobody relies on it."""

from agency import wishes
from agency.wishes import Act
from bot.models.builtin import asking
from bot.models.builtin.context import Context

_TEXTS = {
    "ask_approval": (
        "Asking people for their leave is switched off here: I asked nobody. Please ask {who} "
        "yourself.",
        "这里没有开启征求同意的功能，我没有去问。请你直接问 {who}。",
    ),
    "wait_for": (
        "Keeping an ear open for something is switched off here, so I shall not tell you when it "
        "comes. Ask me later, and I look it up.",
        "这里没有开启留意消息的功能，到时我不会来告诉你。之后问我，我会去查。",
    ),
    "set_reminder": (
        "Reminders are switched off here, so I have set none.",
        "这里没有开启提醒功能，所以我没有设提醒。",
    ),
}  # fmt: skip


def told(text: str, zh: bool, context: Context) -> str:
    """The words for a wish whose tool is not there; empty for everything else."""
    off = context.me.get("off") or ()
    wish = asking.request(text)
    if wish is not None and "approvals" in off:
        return _say("ask_approval", zh).format(who=("、" if zh else ", ").join(wish.who))
    asked = wishes.read(text, now=context.now, zone=context.place, names=())
    if asked is None:
        return ""
    if asked.act is Act.WAIT:
        return _say("wait_for", zh) if "intentions" in off else ""
    return _say("set_reminder", zh) if "reminders" in off else ""


def _say(tool: str, zh: bool) -> str:
    return _TEXTS[tool][zh]
