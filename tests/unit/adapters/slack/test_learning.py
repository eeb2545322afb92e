"""What Slack is asked after an event was stored: rooms and people, at its pace."""

import asyncio

from adapters.chat import EventKind, Incoming
from adapters.errors import Retry
from tests.fakes.platform import DIRECT
from tests.fakes.slack_api import SlackApi
from tests.fakes.slack_state import Channel
from tests.fakes.slack_world import World, connected, make, running


async def test_a_limit_on_questions_is_waited_for() -> None:
    async with connected() as world:
        world.api.fail("conversations.members", 30)
        await world.api.say("wei", "project", "hello")
        await world.clock.until_asleep(lambda nap: nap == 30)
        assert world.of(EventKind.MEMBERS) == []
        await world.clock.advance(30)
        assert (await world.until_heard(EventKind.MEMBERS))[0].room.title == "#project"


async def test_a_room_that_cannot_be_stored_now_is_told_again() -> None:
    async with connected() as world:
        refused: list[str] = []

        def refuse_once(incoming: Incoming) -> None:
            if incoming.kind is EventKind.MEMBERS and not refused:
                refused.append("once")
                raise Retry("the disk is full")

        world.before = refuse_once
        await world.api.say("wei", "project", "hello")
        await world.clock.until_asleep(lambda nap: nap == 2)
        await world.clock.advance(2)
        assert (await world.until_heard(EventKind.MEMBERS))[0].room.complete


async def test_of_a_very_large_room_not_everybody_is_told() -> None:
    async with SlackApi() as api:
        members = [f"U0{number:05d}" for number in range(1_200)]
        for id in members:
            profile = {"display_name": id}
            api.workspace.users[id] = {"id": id, "team_id": "T0ACME", "profile": profile}
        members = [*members, "U0WEI", api.workspace.bot]
        api.workspace.channels["C0ALL"] = Channel("C0ALL", "all", "channel", members)
        async with running(make(api)) as world:
            await api.say("wei", "all", "hello everybody")
            told = await _when_advancing(world)
            assert len(told.room.members) == 1_000
            assert (told.room.open, told.room.complete) == (True, False)


async def test_lists_nobody_understands_keep_it_from_nothing() -> None:
    async with SlackApi() as api:
        people = '{"ok": true, "members": [{"name": "no id"}, 5, {"id": "U0WEI", "name": "Wei"}]}'
        api.strange["users.list"] = (people, "application/json")
        api.strange["users.conversations"] = ('{"ok": true, "channels": [5]}', "application/json")
        async with running(make(api)) as world:
            await api.say("wei", "project", "hello")
            (event,) = await world.until_heard(EventKind.NEW)
            assert event.author.name == "Wei"


async def _when_advancing(world: World) -> Incoming:
    """Word of a room, though learning of it takes minutes at the pace of Slack's limits."""
    while not world.of(EventKind.MEMBERS):
        await world.clock.advance(60)
        await asyncio.sleep(0.001)
    return world.of(EventKind.MEMBERS)[0]


async def test_somebody_of_another_workspace_is_there_as_an_outsider() -> None:
    async with SlackApi() as api:
        api.workspace.channels["C0PROJECT"].members.append("U0FOREIGN")
        async with running(make(api)) as world:
            await api.say("wei", "project", "hello")
            room = (await world.until_heard(EventKind.MEMBERS))[0].room
            assert "U0FOREIGN" in {member.id for member in room.members}
            assert room.outsiders


async def test_a_person_who_changes_their_name_is_called_by_the_new_one() -> None:
    async with connected() as world:
        user = world.api.workspace.users["U0MO"]
        changed = user | {"profile": {"display_name": "Moritz", "email": "mo@example.org"}}
        payload = {"event_id": "Ev1", "event": {"type": "user_change", "user": changed}}
        await world.api.inject({"envelope_id": "e1", "type": "events_api", "payload": payload})
        await world.api.until(lambda: world.api.sockets.deliveries[0].acked)
        await world.api.say("mo", DIRECT, "it is me")
        assert (await world.until_heard(EventKind.NEW))[0].author.name == "Moritz"


async def test_names_that_cannot_be_read_at_the_start_do_not_keep_it_from_starting() -> None:
    async with SlackApi() as api:
        api.fail("users.list", 60)
        async with running(make(api)) as world:
            await api.say("mo", DIRECT, "hello")
            said = (await world.until_heard(EventKind.NEW))[0]
            assert (said.author.name, said.room.partial) == ("", True)


async def test_a_channel_the_bot_was_thrown_out_of_is_known_no_longer() -> None:
    async with connected() as world:
        await world.api.say("wei", "project", "hello")
        await world.until_heard(EventKind.MEMBERS)
        event = {"type": "member_left_channel", "user": "U0LIMEN", "channel": "C0PROJECT"}
        payload = {"event_id": "Ev1x", "event": event | {"event_ts": "1767603600.0"}}
        await world.api.inject({"envelope_id": "e1", "type": "events_api", "payload": payload})
        await world.api.until(lambda: all(d.acked for d in world.api.sockets.deliveries))
        await world.api.say("wei", "project", "are you still there?")
        assert (await world.until_heard(EventKind.NEW, count=2))[1].room.partial


async def test_a_channel_that_was_renamed_is_called_by_its_new_name() -> None:
    async with connected() as world:
        await world.api.say("wei", "project", "hello")
        await world.until_heard(EventKind.MEMBERS)
        event = {"type": "channel_rename", "channel": {"id": "C0PROJECT", "name": "release"}}
        payload = {"event_id": "Ev1x", "event": event}
        await world.api.inject({"envelope_id": "e1", "type": "events_api", "payload": payload})
        told = await world.until_heard(EventKind.MEMBERS, count=2)
        assert told[1].room.title == "#release"
