"""Events in odd hands: whatever comes over the wire is acknowledged and stops nothing."""

import logging
import re
from pathlib import Path
from random import Random

import pytest

from adapters.chat import Address, EventKind
from tests.fakes import odd
from tests.fakes.four_chats import KINDS
from tests.fakes.live import one_chat


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["slack", "telegram", "feishu"])
async def test_events_of_any_form_stop_nothing(
    name: str, seed: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    dice = Random(seed)
    async with one_chat(KINDS[name].make(), tmp_path) as line:
        events = await odd.every_kind(line)
        for _ in range(400):
            await odd.deliver(line.platform, odd.bent(dice.choice(events), dice))
        await line.platform.say("ana", "project", "after all of it")
        await line.hear("after all of it")
        await line.platform.until(lambda: odd.is_settled(line.platform))
        assert not line.running.done()
        assert line.chat.health.up
        assert re.search(r"\d{2,} (events|update)|stored: \d{2,}", line.chat.health.note)
        kinds = {event.kind for event in line.heard.events}
        assert kinds >= {EventKind.NEW, EventKind.EDIT, EventKind.REACTION, EventKind.ACTION}
        for event in line.heard.events:
            assert Address.parse(str(event.address)) == event.address
            assert "\n" not in event.author.name and "\u202e" not in event.author.name
            assert len(event.author.name) <= 200
            event.text.encode()
