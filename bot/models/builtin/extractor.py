"""Facts of a burst of messages by rule, with the originals they stand on."""

from agency.salience import Kind
from bot.models.builtin import answers, claims, promises, telling, wording
from bot.models.builtin.agency import Call
from bot.models.builtin.claims import Claim
from bot.models.builtin.context import Context, Row
from bot.models.builtin.world import Remark, World

_FACTS = (
    (Kind.DECISION, "decision"), (Kind.CHANGE, "change"), (Kind.CORRECTION, "change"),
    (Kind.REVERSAL, "change"), (Kind.COMMITMENT, "commitment"),
    (Kind.OWNER, "owner"), (Kind.DEADLINE, "deadline"), (Kind.RISK, "risk"),
    (Kind.RESOLUTION, "resolution"), (Kind.QUESTION, "question"),
)  # fmt: skip
_SUMMARY = 6  # remarks in a summary paragraph


def decide(context: Context) -> tuple[list[Call], str]:
    """One `remember` call, with an empty list where nothing is worth keeping."""
    if context.called("remember"):
        return [], "remembered"
    rows = dict(context.rows, history=context.section("messages"), facts=[], recalled=[])
    known = answers.scene(Context(rows=rows, tools=context.tools))
    made = {c.remark.id: c for c in claims.gather(known)}
    stale = {id for id, claim in made.items() if claim.replaced}
    known_sources = {s for f in context.section("facts") for s in f.get("sources") or ()}
    kept = [r for r in known.remarks if not r.me and not r.idle and r.id not in stale]
    facts = [f for r in kept if r.id not in known_sources for f in _facts(r, made.get(r.id))]
    arguments: Row = {"facts": facts}
    summary = _summary(kept, known)
    if summary:
        arguments["summary"] = summary
    return [("remember", arguments)], ""


def _facts(remark: Remark, claim: Claim | None) -> list[Row]:
    """The weightiest kind of a message; one fact is enough to find it again."""
    about = claim.terms if claim else remark.terms
    for kind, name in _FACTS:
        signal = remark.first(kind)
        if signal is None:
            continue
        fact: Row = {
            "kind": name,
            "text": telling.retold(remark.text),
            "subject": telling.subject_phrase(signal.text)
            or telling.subject_words(about, remark.text),
            "sources": [remark.id],
        }
        if about and not remark.terms:
            # A bare correction: what it corrects has to be named to be found again.
            fact["text"] = f"{fact['subject']}: {fact['text']}"
        if remark.person:
            fact["person"] = remark.person
        until = promises.due(remark)
        if until:
            fact["due_at"] = until.isoformat()
        return [fact]
    return []


def _summary(kept: list[Remark], known: World) -> str:
    worthy = [r for r in kept if r.signals][-_SUMMARY:]
    here = next(iter(known.rooms.values()), None)
    zh = known.chinese(here) if here and worthy else False
    parts = [wording.text("summary", zh, who=r.who, text=telling.retold(r.text)) for r in worthy]
    return ("" if zh else " ").join(parts)
