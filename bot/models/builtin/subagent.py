"""A subagent's short answer from the sections it was given."""

from bot.models.builtin import answers, conversation, wording
from bot.models.builtin.agency import Call
from bot.models.builtin.context import Context


def decide(context: Context) -> tuple[list[Call], str]:
    """Look for the task's words in what is there; the final text is the report."""
    rows = [*context.section("task"), *context.section("inputs")]
    task = " ".join(str(row.get("task") or row.get("text") or "") for row in rows).strip()
    zh = conversation.chinese(task, context)
    extra = [
        row
        for name, section in context.rows.items()
        if name not in ("me", "room", "task", "inputs", "sessions", "history", "facts", "recalled")
        for row in section
        if row.get("text") and row.get("id")
    ]
    known = answers.scene(context, extra)
    found = answers.search(task, "", known)
    if not found:
        return [], wording.text("unknown", zh)
    here = next(iter(known.rooms.values()), None)
    return [], answers.phrase(task, found, known, here, zh)
