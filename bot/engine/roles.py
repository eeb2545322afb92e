"""Roles: a prompt, classes of power, a list of tools, a model tier and limits."""

from dataclasses import dataclass
from pathlib import Path

from bot.engine.tool import Capability
from bot.models.model import Tier

_PROMPTS = Path(__file__).parents[1] / "prompts"
_AGENCY_PROMPTS = Path(__file__).parents[2] / "agency" / "prompts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a run of this name is and may do."""

    name: str
    prompt: str
    classes: frozenset[Capability]
    """A tool outside these is neither listed nor executed."""
    tools: tuple[str, ...]
    purpose: str
    """What its tokens are booked to."""
    tier: Tier = Tier.MAIN
    max_steps: int = 12
    """Model calls a run may take, counted anew whenever something is steered into it."""
    max_tokens: int = 4096
    """Tokens one answer may have."""
    must_answer: bool = False
    """An addressed run that ends without a word is asked once more."""


def all_roles() -> dict[str, Role]:
    """Every role by name, with its prompt read from its file."""
    roles = (
        Role(
            name="conversation",
            prompt=_read(_PROMPTS / "conversation.md"),
            classes=frozenset(
                {Capability.READ, Capability.ORCHESTRATE, Capability.SELF, Capability.SAY}
            ),
            tools=(
                "say",
                "stay_silent",
                "search_memory",
                "read_room",
                "answer_consent",
                "tell_room",
                "ask_approval",
                "answer_approval",
                "explain",
                "set_attention",
                "set_wish",
                "note_usefulness",
                "set_reminder",
                "list_reminders",
                "change_reminder",
                "cancel_reminder",
                "wait_for",
            ),
            purpose="foreground",
            must_answer=True,
        ),
        Role(
            name="agency",
            prompt=_read(_AGENCY_PROMPTS / "agency.md"),
            classes=frozenset({Capability.READ, Capability.ORCHESTRATE, Capability.SELF}),
            tools=(
                "submit_to_session",
                "search_memory",
                "read_session",
                "read_trace",
                "list_sessions",
                "list_people",
                "write_attention",
                "log_action",
                "set_intention",
                "drop_intention",
                "start_subagent",
            ),
            purpose="agency",
            max_steps=16,
        ),
        Role(
            name="memory",
            prompt=_read(_PROMPTS / "memory.md"),
            classes=frozenset({Capability.READ, Capability.SELF}),
            tools=("remember",),
            purpose="memory",
            tier=Tier.SMALL,
            max_steps=3,
        ),
        Role(
            name="subagent",
            prompt=_read(_PROMPTS / "subagent.md"),
            classes=frozenset({Capability.READ}),
            tools=("search_memory", "read_session", "read_trace", "list_sessions", "list_people"),
            purpose="background",
            max_steps=8,
        ),
    )
    return {role.name: role for role in roles}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
