"""When the bot listens and answers in a chat, set by the people in it."""

from typing import Literal

from pydantic import Field

from bot.engine import sessions
from bot.engine.sessions import Attention
from bot.engine.tool import Args, Call, Capability, Result, WriteTool
from memory.db import Tx


class AttentionArgs(Args):
    """What this chat wants."""

    attention: Literal["addressed", "all", "observe", "off"] = Field(
        description="addressed: answer when spoken to (the default). all: look at every message. "
        "observe: listen, never answer. off: neither answer nor pass anything on."
    )


class SetAttention(WriteTool[AttentionArgs]):
    """Changes the attention of the run's own chat, and of no other."""

    name = "set_attention"
    description = (
        "Set when you listen and answer in this chat; only when somebody here asks for it."
    )
    capability = Capability.SELF
    args = AttentionArgs

    def write(self, tx: Tx, call: Call, args: AttentionArgs) -> Result:
        """From the next message on."""
        sessions.set_attention(tx, call.session_id, Attention(args.attention))
        return Result(text=f"this chat's attention is now {args.attention!r}")
