"""Envelopes of any form at all are acknowledged, and none keeps back those behind it."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.chat import Incoming
from adapters.slack.directory import Directory, Identity
from adapters.slack.hearing import Hearing
from adapters.slack.incoming import read

Json = dict[str, Any]

WORDS = (
    "type user channel ts text event item subtype message previous_message blocks elements files "
    "attachments thread_ts edited actions container value action_id fields title id"
).split()
KINDS = (
    "message app_mention reaction_added member_joined_channel channel_rename rich_text section "
    "message_changed message_deleted file_share block_actions 1767603600.000100 C1 U1 limen_button"
).split()
leaves = st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(KINDS)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=8)
    ),
    max_leaves=25,
)
envelopes = st.builds(
    lambda kind, payload, event: {
        "envelope_id": "e1",
        "type": kind,
        "payload": payload | {"event": event} if isinstance(payload, dict) else payload,
    },
    st.sampled_from(["events_api", "interactive", "slash_commands", "new_kind"]),
    values,
    values,
)


async def _no_wait(seconds: float) -> None:
    await asyncio.sleep(0)


async def heard(envelope: Json) -> tuple[list[str], list[Incoming]]:
    """What is acknowledged, and what is heard, of an envelope and a plain message behind it."""
    now = datetime(2026, 11, 30, tzinfo=UTC)
    known = Directory("Limen")
    known.me = Identity(team="T1", team_name="Acme", user="U0BOT", bot="B0BOT", handle="limen")
    taken: list[Incoming] = []
    acknowledged: list[str] = []

    async def receive(incoming: Incoming) -> None:
        taken.append(incoming)

    hearing = Hearing(
        lambda kind, payload: read(kind, payload, known, now),
        lambda kind, payload, incoming: None,
        lambda: now,
        _no_wait,
        lambda: 0.5,
    )
    hearing.listen(receive)
    event = {"type": "message", "channel": "C1", "user": "U1", "text": "after it", "ts": "1.0"}
    behind: Json = {"envelope_id": "e2", "type": "events_api", "payload": {"event": event}}
    for one in (envelope, behind):

        async def acknowledge(id: str = one["envelope_id"]) -> None:
            acknowledged.append(id)

        hearing.accept(one, acknowledge)
    async with asyncio.timeout(5):
        while len(acknowledged) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0)
    await hearing.close()
    return acknowledged, taken


@settings(max_examples=150, deadline=None)
@given(envelopes)
def test_every_envelope_is_acknowledged_and_blocks_nothing(envelope: Json) -> None:
    acknowledged, taken = asyncio.run(heard(envelope))
    assert sorted(acknowledged) == ["e1", "e2"]
    assert "after it" in {one.text for one in taken}
