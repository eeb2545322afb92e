"""Envelopes that have led bots astray, over the socket, as the adapter hears them.

Each test names the case it plays.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from adapters.chat import EventKind, Incoming, RoomKind
from tests.fakes.slack_api import SlackApi
from tests.fakes.slack_state import Channel
from tests.fakes.slack_world import World, make, running

Json = dict[str, Any]
BOT = "U0BOTHELP1"


def envelope(number: int, event_id: str, event: Json, **more: Any) -> Json:
    return {
        "envelope_id": f"6f1c0d2e-0000-4000-8000-{number:012d}",
        "type": "events_api",
        "accepts_response_payload": False,
        "retry_attempt": 0,
        "retry_reason": "",
        "payload": {
            "token": "unused",
            "team_id": "T0ACME0001",
            "api_app_id": "A0HELPER01",
            "type": "event_callback",
            "event_id": event_id,
            "event_time": 1767603600,
            "is_ext_shared_channel": False,
            "authorizations": [
                {
                    "enterprise_id": None,
                    "team_id": "T0ACME0001",
                    "user_id": BOT,
                    "is_bot": True,
                    "is_enterprise_install": False,
                }
            ],
            "event": event,
        },
    } | more


def message(channel: str, type: str, text: str, ts: str, **more: Any) -> Json:
    return {
        "type": "message",
        "channel": channel,
        "channel_type": type,
        "user": "U0MIRA0001",
        "text": text,
        "ts": ts,
        "event_ts": ts,
        "team": "T0ACME0001",
    } | more


@asynccontextmanager
async def helper() -> AsyncIterator[World]:
    """The bot in the workspace of the cases, where Mira and Jon are known."""
    api = SlackApi(team="T0ACME0001", bot=BOT)
    work = api.workspace
    for id, name in (("U0MIRA0001", "Mira"), ("U0JON00001", "Jon")):
        profile = {"display_name": name}
        work.users[id] = {"id": id, "team_id": "T0ACME0001", "name": name, "profile": profile}
    both = ["U0MIRA0001", "U0JON00001", BOT]
    work.channels["C0PLANNING"] = Channel("C0PLANNING", "planning", "channel", both)
    work.channels["C0GROUPDM1"] = Channel("C0GROUPDM1", "mpdm-1", "mpim", both)
    work.channels["D0MIRA0001"] = Channel("D0MIRA0001", "", "im", ["U0MIRA0001", BOT])
    async with api, running(make(api)) as world:
        yield world


async def heard(world: World, *envelopes: Json) -> list[Incoming]:
    """What comes of these envelopes, once all of them are acknowledged."""
    for raw in envelopes:
        await world.api.inject(raw)
    await world.api.until(lambda: all(d.acked for d in world.api.sockets.deliveries))
    return world.of()


async def test_a_mention_that_arrives_as_a_message_first_is_addressed_both_times() -> None:
    """SL-IN-01"""
    text = f"<@{BOT}> can you draft the agenda?"
    said = message("C0PLANNING", "channel", text, "1767603600.000100", client_msg_id="c-01")
    mention = {key: value for key, value in said.items() if key != "channel_type"}
    async with helper() as world:
        both = await heard(
            world,
            envelope(1, "Ev0AAA0001", said),
            envelope(2, "Ev0AAA0002", mention | {"type": "app_mention"}),
        )
        assert [one.addressed for one in both] == [True, True]
        assert {str(one.address) for one in both} == {
            "slack:T0ACME0001/C0PLANNING#1767603600.000100"
        }
        assert {one.text for one in both} == {"@Limen can you draft the agenda?"}


async def test_a_mention_in_a_direct_message_is_direct_both_times() -> None:
    """SL-IN-03"""
    text = f"<@{BOT}> remind me to call Jon"
    said = message("D0MIRA0001", "im", text, "1767603800.000300")
    mention = {key: said[key] for key in ("channel", "user", "text", "ts", "event_ts")}
    async with helper() as world:
        both = await heard(
            world,
            envelope(5, "Ev0AAC0001", said),
            envelope(6, "Ev0AAC0002", mention | {"type": "app_mention"}),
        )
        assert len({one.address for one in both}) == 1
        assert [one.room.kind for one in both] == [RoomKind.DIRECT, RoomKind.DIRECT]


async def test_a_preview_of_the_bots_own_link_is_not_heard() -> None:
    """SL-IN-04"""
    own = {
        "type": "message",
        "user": BOT,
        "bot_id": "B0HELPER01",
        "text": "See <https://example.test/plan>",
        "ts": "1767603900.000350",
    }
    preview = [{"id": 1, "from_url": "https://example.test/plan", "title": "Plan"}]
    event = {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": "D0MIRA0001",
        "channel_type": "im",
        "ts": "1767603902.000400",
        "event_ts": "1767603902.000400",
        "message": own | {"attachments": preview},
        "previous_message": own,
    }
    async with helper() as world:
        assert await heard(world, envelope(7, "Ev0TEST0007", event)) == []
        mine = {"user": "U0MIRA0001"}
        theirs = event | {"message": own | mine | {"attachments": preview}}
        theirs |= {"previous_message": own | mine}
        assert await heard(world, envelope(8, "Ev0TEST0099", theirs)) == []
        assert world.chat.health.note == ""


async def test_a_question_with_a_file_is_heard_with_it() -> None:
    """SL-IN-05"""
    url = "https://files.slack.com/files-pri/T0ACME0001-F0INVOICE1"
    file = {
        "id": "F0INVOICE1",
        "name": "invoice.pdf",
        "mimetype": "application/pdf",
        "filetype": "pdf",
        "size": 48210,
        "mode": "hosted",
        "url_private": f"{url}/invoice.pdf",
        "url_private_download": f"{url}/download/invoice.pdf",
    }
    more = {"subtype": "file_share", "upload": False, "files": [file]}
    said = message("D0MIRA0001", "im", "what does this invoice say?", "1767604000.000500", **more)
    async with helper() as world:
        (one,) = await heard(world, envelope(8, "Ev0TEST0008", said))
        assert one.text == "what does this invoice say?"
        assert [(f.name, f.mime, f.size) for f in one.files] == [
            ("invoice.pdf", "application/pdf", 48210)
        ]
        assert one.files[0].id == f"{url}/download/invoice.pdf"


async def test_escaped_text_is_decoded_once_and_mentions_nobody() -> None:
    """SL-IN-08"""
    text = f"<@{BOT}> why is `a &amp;lt; b &amp;&amp; &lt;@U0JON00001&gt;` wrong?"
    said = message("C0PLANNING", "channel", text, "1767604300.000800")
    async with helper() as world:
        (one,) = await heard(world, envelope(14, "Ev0TEST0014", said))
        assert one.text == "@Limen why is `a &lt; b && <@U0JON00001>` wrong?"


async def test_a_group_direct_message_is_a_group() -> None:
    """SL-IN-10"""
    lunch = message("C0GROUPDM1", "mpim", "Jon, lunch at noon?", "1767604500.001000")
    sure = message("C0GROUPDM1", "mpim", "sure", "1767604510.001001", user="U0JON00001")
    async with helper() as world:
        both = await heard(
            world, envelope(16, "Ev0TEST0016", lunch), envelope(17, "Ev0TEST0017", sure)
        )
        assert [(one.room.kind, one.addressed) for one in both] == [(RoomKind.GROUP, False)] * 2
        told = (await world.until_heard(EventKind.MEMBERS))[0].room
        assert (told.kind, told.open, told.title) == (RoomKind.GROUP, False, "Mira, Jon")


async def test_an_event_that_is_sent_twice_is_acknowledged_twice() -> None:
    """SL-IN-12"""
    said = message("D0MIRA0001", "im", "deploy to staging please", "1767604700.001200")
    first = envelope(1, "Ev0RETRY01", said)
    again = envelope(2, "Ev0RETRY01", said, retry_attempt=1, retry_reason="timeout")
    async with helper() as world:
        for one in await heard(world, first, again):
            assert str(one.address) == "slack:T0ACME0001/D0MIRA0001#1767604700.001200"
        assert len(world.api.sockets.deliveries) == 2


async def test_a_forwarded_message_is_quoted_with_its_author() -> None:
    """SL-IN-13"""
    shared = {
        "is_share": True,
        "is_msg_unfurl": True,
        "channel_id": "C0OPS00001",
        "author_id": "U0JON00001",
        "author_name": "Jon",
        "ts": "1767600500.000010",
        "text": "Disk on db-2 is at 91%",
        "fallback": "[Jan 5] Jon: Disk on db-2 is at 91%",
    }
    said = message("D0MIRA0001", "im", "", "1767604800.001300", attachments=[shared])
    async with helper() as world:
        (one,) = await heard(world, envelope(21, "Ev0TEST0021", said))
        assert one.text == "> Forwarded from Jon:\n> Disk on db-2 is at 91%"
        assert one.author.name == "Mira"


async def test_an_alert_that_is_only_a_card_has_words() -> None:
    """SL-IN-13: the alert the thread hangs from"""
    alert = {
        "type": "message",
        "subtype": "bot_message",
        "bot_id": "B0MONITOR1",
        "text": "",
        "attachments": [
            {
                "color": "danger",
                "title": "CPU high",
                "fields": [{"title": "host", "value": "web-3"}],
            }
        ],
        "ts": "1767600600.000020",
    }
    event = alert | {"channel": "C0PLANNING", "channel_type": "channel"}
    async with helper() as world:
        (one,) = await heard(world, envelope(22, "Ev0TEST0022", event))
        assert one.text == "> Attached, from somebody:\n> CPU high\n> host: web-3"
        assert (one.author.id, one.author.is_bot) == ("B0MONITOR1", True)


async def test_a_reply_keeps_the_root_of_its_thread() -> None:
    """SL-IN-15"""
    more = {"thread_ts": "1767605000.001500", "parent_user_id": "U0MIRA0001"}
    said = message("C0PLANNING", "channel", "and in euros?", "1767605060.001501", **more)
    async with helper() as world:
        (one,) = await heard(world, envelope(23, "Ev0TEST0023", said))
        assert one.address.thread == "1767605000.001500"
        assert one.address.message == "1767605060.001501"
        assert one.address.room.thread == "1767605000.001500"


async def test_a_bare_mention_is_a_message() -> None:
    """SL-IN-16"""
    event = {
        "type": "app_mention",
        "channel": "C0PLANNING",
        "user": "U0MIRA0001",
        "text": f"<@{BOT}>",
        "ts": "1767605100.001600",
        "event_ts": "1767605100.001600",
    }
    async with helper() as world:
        (one,) = await heard(world, envelope(24, "Ev0TEST0024", event))
        assert (one.kind, one.text, one.addressed) == (EventKind.NEW, "@Limen", True)


async def test_a_deleted_question_is_a_recall_of_it() -> None:
    """SL-IN-17"""
    asked = {
        "type": "app_mention",
        "channel": "C0PLANNING",
        "user": "U0MIRA0001",
        "text": f"<@{BOT}> what is Jon paid?",
        "ts": "1767605200.001700",
        "event_ts": "1767605200.001700",
    }
    deleted = {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        "channel": "C0PLANNING",
        "channel_type": "channel",
        "ts": "1767605205.001701",
        "deleted_ts": "1767605200.001700",
        "event_ts": "1767605205.001701",
        "previous_message": {
            "type": "message",
            "user": "U0MIRA0001",
            "text": f"<@{BOT}> what is Jon paid?",
            "ts": "1767605200.001700",
        },
    }
    async with helper() as world:
        new, gone = await heard(
            world, envelope(25, "Ev0TEST0025", asked), envelope(26, "Ev0TEST0026", deleted)
        )
        assert gone.kind is EventKind.RECALL
        assert (gone.address, gone.text, gone.addressed) == (new.address, "", False)


async def test_two_copies_share_the_events_and_the_later_one_says_so() -> None:
    """CN-04"""
    one = message("D0MIRA0001", "im", "one", "1767607000.000001")
    two = message("D0MIRA0001", "im", "two", "1767607001.000001")
    async with helper() as first, running(make(first.api)) as second:
        await first.api.inject(envelope(27, "Ev0TEST0027", one))
        await first.api.inject(envelope(28, "Ev0TEST0028", two))
        await first.api.until(lambda: all(d.acked for d in first.api.sockets.deliveries))
        assert [len(first.of()), len(second.of())] == [1, 1]
        assert "another copy of Limen" in second.chat.health.note
