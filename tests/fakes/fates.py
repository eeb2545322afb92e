"""What becomes of each column that can hold text when somebody is erased.

`test_erase_tables.py` walks the whole schema and fails where a column is missing here, so that a
new table cannot be forgotten: whoever adds one says what becomes of it, and does it.
"""

from collections.abc import Mapping
from enum import StrEnum


class Fate(StrEnum):
    """What becomes of the text of a column."""

    BLANKED = "blanked"
    """A mark stands in its place; the row stays, since others point at it."""
    DELETED = "deleted"
    """The row goes."""
    INDEX = "index"
    """Full text: entries go with their rows, and their bytes when the files are swept."""
    WORD = "word"
    """A word of the program's own, a number, a hash or a moment: it tells of nobody."""
    PLACE = "place"
    """Where something was said: it goes with the chat, and tells nothing of what was said."""
    HOUSE = "house"
    """Of the house and its platforms, not of what people said."""


B, D, X, W, P, H = Fate.BLANKED, Fate.DELETED, Fate.INDEX, Fate.WORD, Fate.PLACE, Fate.HOUSE

_FULL_TEXT = {
    "": {"body": X},
    "_config": {"k": W, "v": W},
    "_data": {"block": X},
    "_docsize": {"sz": W},
    "_idx": {"segid": W, "term": X, "pgno": W},
}

FATES: Mapping[str, Mapping[str, Fate]] = {
    **{
        f"{index}{part}": fates
        for index in ("originals_text", "facts_text")
        for part, fates in _FULL_TEXT.items()
    },
    "migrations": {"name": H},
    # memory
    "people": {"name": B, "email": B},
    "name_starts": {"start": D},
    "accounts": {"platform": D, "tenant": D, "native_id": D, "name": D},
    "joins": {"reason": B},
    "link_codes": {"code": D},
    "audiences": {"title": P, "kind": W, "workspace": P, "digest": P},
    "originals": {"kind": W, "address": P, "author": B, "body": B, "reply_to": W},
    "versions": {"body": D},
    "files": {
        "locator": B, "name": B, "mime": W, "state": W, "note": B, "text": B, "picture": B,
    },
    "facts": {"kind": D, "body": D, "subject": D, "key": D},
    "summaries": {"body": B},
    "erasures": {"kind": W, "marks": W, "counts": W},
    # agency
    "fires": {
        "kind": W, "payload": B, "dedupe_key": W, "origin": W, "state": W, "error": B,
    },
    "handoffs": {
        "key": W, "kind": W, "subject": B, "subject_state": B, "body": B, "grade": W,
        "metadata": B, "state": W, "reason": B,
    },
    "gate_records": {"gate": W, "reason": B},
    "consents": {"body": B, "state": W, "note": B, "scope": W},
    "intentions": {"body": B, "terms": B, "state": W, "reason": B},
    "intention_wishes": {"condition": B, "language": W},
    "preferences": {"quiet_from": D, "quiet_to": D},
    "wants": {"zone": D, "zone_shown": D, "quiet_from": D, "quiet_to": D, "digest_at": D},
    "mutes": {"subject": D, "terms": D},
    "conditions": {"key": D},
    "inbox": {
        "key": W, "kind": W, "subject": B, "text": B, "cause": W, "state": W, "reason": B,
        "told_in": W,
    },
    "digests": {"day": D},
    "approvals": {"key": W, "subject": B, "question": B, "state": W, "holds": W, "note": B},
    "schedules": {
        "key": W, "kind": W, "body": B, "grid": W, "zone": W, "language": W, "state": W,
        "reason": B,
    },
    "schedule_turns": {"outcome": W, "reason": B},
    "budget_levels": {"day": W, "purpose": W, "level": W},
    "tellings": {"subject": B},
    "responses": {"kind": D, "note": D},
    "lessons": {"subject": D, "terms": D},
    "waits": {"kind": W, "said": B, "state": W, "reason": B},
    # bot
    "sessions": {"kind": W, "key": P, "attention": W},
    "inputs": {
        "trigger_type": W, "parts": B, "metadata": B, "dedupe_key": B, "origin": W, "state": W,
    },
    "runs": {
        "role": W, "state": W, "claimed_by": H, "outcome": W, "reason": B, "error": B,
        "ration": W,
    },
    "steps": {"role": W, "content": B, "model": H},
    "tool_results": {"use_id": W, "name": W, "body": B, "outcome": W, "reason": B},
    "letters": {
        "key": W, "address": P, "body": B, "reply_to": P, "buttons": B, "state": W,
        "message_id": P, "error": B, "about": W,
    },
    "platforms": {"name": H, "note": H},
    "grants": {"platform": D, "native_id": D},
    "pairings": {"code": D, "platform": D, "native_id": D, "name": D},
    "refusals": {"platform": D, "native_id": D, "day": D},
    "commands": {"word": W},
    "spending": {"day": W, "purpose": W, "model": H, "currency": W},
    "leases": {"name": H, "owner": H},
    "programs": {"version": H},
    "restores": {"source": H, "doubts": W},
    "clearings": {"kind": W},
    "outages": {"state": W, "error": H},
    # the web chat, which is a platform of its own
    "web_people": {"id": D, "name": D, "about": D},
    "web_rooms": {"id": P, "title": P, "access": W},
    "web_members": {"room_id": D, "person_id": D},
    "web_posts": {
        "room_id": P, "author_id": B, "body": B, "buttons": B, "chosen": W, "chosen_by": B,
        "letter": W,
    },
    "web_reactions": {"person_id": D, "emoji": D},
    "web_events": {"kind": W, "room_id": P, "person_id": B, "body": B},
}  # fmt: skip
