"""The Slack adapter with the real client on a loopback Slack: events in, in order and safely."""

import asyncio
import json
from dataclasses import replace

import pytest

from adapters.chat import Address, EventKind, Incoming, RoomKind
from adapters.errors import Refused, Retry
from tests.fakes.platform import DIRECT
from tests.fakes.slack_api import SlackApi
from tests.fakes.slack_world import connected, make, running


async def test_it_says_where_it_can_be_reached() -> None:
    async with connected() as world:
        assert await world.chat.started() == "Acme as @limen"
        assert world.chat.health.up
        assert world.chat.health.note == ""


async def test_a_message_is_stored_before_it_is_acknowledged() -> None:
    async with connected() as world:
        acknowledged: list[bool] = []

        def look(incoming: Incoming) -> None:
            if incoming.kind is EventKind.NEW:
                acknowledged.append(world.api.acknowledged(incoming.address.message or ""))

        world.before = look
        ts = await world.api.say("mo", DIRECT, "hello")
        await world.api.until(lambda: world.api.acknowledged(ts))
        assert acknowledged == [False]
        assert [said.text for said in world.of(EventKind.NEW)] == ["hello"]


async def test_what_cannot_be_stored_now_is_acknowledged_when_it_was() -> None:
    async with connected() as world:
        world.refusals = [Retry("the disk is full")] * 5
        ts = await world.api.say("mo", DIRECT, "hello")
        for wait in (0.5, 1.0, 2.0, 4.0, 8.0):
            await world.clock.until_asleep(lambda nap, wait=wait: nap == wait)  # type: ignore[misc]
            assert not world.api.acknowledged(ts)
            await world.clock.advance(wait)
        await world.api.until(lambda: world.api.acknowledged(ts))
        assert [said.text for said in world.of(EventKind.NEW)] == ["hello"]


async def test_a_room_waits_for_its_event_and_other_rooms_do_not() -> None:
    async with connected() as world:
        world.refusals = [Retry("not now")]
        await world.api.say("mo", DIRECT, "first")
        await world.clock.until_asleep(lambda nap: nap == 0.5)
        second = await world.api.say("mo", DIRECT, "second")
        other = await world.api.say("wei", "project", "elsewhere")
        await world.api.until(lambda: world.api.acknowledged(other))
        assert not world.api.acknowledged(second)
        await world.clock.advance(0.5)
        await world.api.until(lambda: world.api.acknowledged(second))
        texts = [said.text for said in world.of(EventKind.NEW)]
        assert texts == ["elsewhere", "first", "second"]


async def test_what_was_not_acknowledged_comes_again_after_the_connection_broke() -> None:
    async with connected() as world:
        world.refusals = [Retry("not now")]
        ts = await world.api.say("mo", DIRECT, "hello")
        await world.clock.until_asleep(lambda nap: nap == 0.5)
        await world.api.hang_up()
        await world.api.until(lambda: world.api.sockets.deliveries[0].tries == 2)
        await world.clock.advance(0.5)
        await world.api.until(lambda: world.api.acknowledged(ts))
        assert {str(said.address) for said in world.of(EventKind.NEW)} == {
            f"slack:T0ACME/D0MO#{ts}"
        }


async def test_what_arrives_while_the_bot_is_away_is_heard_when_it_is_back() -> None:
    async with SlackApi() as api:
        await api.say("mo", DIRECT, "are you there?")
        async with running(make(api)) as world:
            heard = await world.until_heard(EventKind.NEW)
            assert heard[0].text == "are you there?"


async def test_a_resent_event_is_acknowledged_under_both_envelopes() -> None:
    """SL-IN-12: the second envelope repeats the event under a new id."""
    async with connected() as world:
        ts = await world.api.say("mo", DIRECT, "deploy to staging please")
        await world.api.until(lambda: world.api.acknowledged(ts))
        await world.api.redeliver(ts)
        await world.api.until(lambda: world.api.acknowledged(ts))
        heard = world.of(EventKind.NEW)
        assert {str(said.address) for said in heard} == {f"slack:T0ACME/D0MO#{ts}"}
        assert len(set(heard)) == 1


async def test_an_event_that_is_never_taken_is_given_up_and_told() -> None:
    async with connected() as world:
        world.refusals = [ValueError("no")] * 3
        ts = await world.api.say("mo", DIRECT, "poison")
        await world.clock.until_asleep(lambda nap: nap == 0.5)
        await world.clock.advance(0.5)
        await world.clock.until_asleep(lambda nap: nap == 1.0)
        assert not world.api.acknowledged(ts)
        await world.clock.advance(1.0)
        await world.api.until(lambda: world.api.acknowledged(ts))
        await world.api.say("mo", DIRECT, "next")
        assert [said.text for said in await world.until_heard(EventKind.NEW)] == ["next"]
        assert "could not be understood or stored: 1" in world.chat.health.note


async def test_garbage_is_acknowledged_and_stops_nobody() -> None:
    async with connected() as world:
        await world.api.send_garbage()
        await world.api.until(lambda: world.api.sockets.deliveries[0].acked)
        await world.api.say("mo", DIRECT, "hello")
        assert (await world.until_heard(EventKind.NEW))[0].text == "hello"
        assert "could not be understood or stored: 1" in world.chat.health.note


async def test_events_of_unknown_kinds_are_acknowledged_in_silence() -> None:
    async with connected() as world:
        for event in ("app_home_opened", "emoji_changed", "something_new"):
            await world.api.inject(
                {
                    "envelope_id": f"e-{event}",
                    "type": "events_api",
                    "payload": {"event_id": event, "event": {"type": event, "user": "U0MO"}},
                }
            )
        await world.api.until(lambda: all(d.acked for d in world.api.sockets.deliveries))
        assert world.heard == []
        assert world.chat.health.note == ""


async def test_a_mention_is_heard_twice_as_one_and_the_same() -> None:
    """SL-IN-01: as `message` and as `app_mention`; both say that the bot was addressed."""
    async with connected() as world:
        ts = await world.api.say("wei", "project", "what is open?", mention=True)
        heard = await world.until_heard(EventKind.NEW, count=2)
        assert [said.addressed for said in heard] == [True, True]
        assert {said.text for said in heard} == {"@Limen what is open?"}
        assert {str(said.address) for said in heard} == {f"slack:T0ACME/C0PROJECT#{ts}"}


async def test_an_unknown_room_is_partial_first_and_whole_after_the_acknowledgement() -> None:
    async with connected() as world:
        ts = await world.api.say("wei", "project", "morning")
        said = (await world.until_heard(EventKind.NEW))[0]
        assert (said.room.partial, said.room.open, said.room.complete) == (True, False, False)
        assert said.room.kind is RoomKind.GROUP
        told = (await world.until_heard(EventKind.MEMBERS))[0]
        assert world.api.acknowledged(ts)
        assert str(told.address) == "slack:T0ACME/C0PROJECT"
        assert (told.room.title, told.room.open, told.room.partial) == ("#project", True, False)
        assert {(member.name, member.email) for member in told.room.members} == {
            ("Wei", "wei@example.org"),
            ("Ana", "ana@example.org"),
            ("Bo", "bo@example.org"),
        }
        await world.api.say("wei", "project", "again")
        assert (await world.until_heard(EventKind.NEW, count=2))[1].room == told.room


async def test_a_room_that_was_learned_is_asked_about_again_after_ten_minutes() -> None:
    async with connected() as world:
        await world.api.say("wei", "project", "one")
        await world.until_heard(EventKind.MEMBERS)
        world.api.workspace.channels["C0PROJECT"].name = "projects"
        await world.api.say("wei", "project", "two")
        await world.until_heard(EventKind.NEW, count=2)
        assert len(world.api.calls("conversations.info")) == 1
        await world.clock.advance(601)
        await world.api.say("wei", "project", "three")
        told = await world.until_heard(EventKind.MEMBERS, count=2)
        assert told[1].room.title == "#projects"


async def test_a_room_that_cannot_be_looked_up_is_not_asked_about_at_every_message() -> None:
    async with SlackApi() as api:
        api.web.scopes.discard("channels:read")
        async with running(make(api)) as world:
            first = await api.say("wei", "project", "one")
            await api.until(lambda: api.acknowledged(first))
            await api.until(lambda: bool(api.calls("conversations.info")))
            await api.say("wei", "project", "two")
            await world.until_heard(EventKind.NEW, count=2)
            await api.say("mo", DIRECT, "three")
            await world.until_heard(EventKind.MEMBERS)
            assert api.calls("conversations.info") == ["conversations.info"] * 2


async def test_joining_and_leaving_change_who_hears() -> None:
    async with connected() as world:
        await world.api.say("wei", "project", "one")
        await world.until_heard(EventKind.MEMBERS)
        await world.api.join("mo", "project")
        told = await world.until_heard(EventKind.MEMBERS, count=2)
        assert "Mo" in {member.name for member in told[1].room.members}
        await world.api.leave("mo", "project")
        await world.until_heard(EventKind.MEMBERS, count=4)
        assert "Mo" not in {member.name for member in world.of(EventKind.MEMBERS)[-1].room.members}


async def test_guests_are_outsiders() -> None:
    async with SlackApi() as api:
        api.workspace.users["U0BO"]["is_ultra_restricted"] = True
        async with running(make(api)) as world:
            await api.say("wei", "project", "one")
            assert (await world.until_heard(EventKind.MEMBERS))[0].room.outsiders


async def test_a_direct_message_is_addressed_and_known_at_once() -> None:
    async with connected() as world:
        await world.api.say("mo", DIRECT, "hi")
        said = (await world.until_heard(EventKind.NEW))[0]
        assert (said.room.kind, said.addressed) == (RoomKind.DIRECT, True)
        assert (said.room.title, said.room.partial, said.room.open) == ("Mo", False, False)
        assert [member.email for member in said.room.members] == ["mo@example.org"]


async def test_a_reply_in_a_thread_is_addressed_by_its_root() -> None:
    async with connected() as world:
        root = await world.api.say("wei", "project", "who deploys?")
        reply = await world.api.say("ana", "project", "I do", thread=root)
        heard = await world.until_heard(EventKind.NEW, count=2)
        assert heard[0].address.thread is None
        assert str(heard[1].address) == f"slack:T0ACME/C0PROJECT/{root}#{reply}"
        await world.api.react("wei", "project", reply, "👍")
        reaction = (await world.until_heard(EventKind.REACTION))[0]
        assert (reaction.text, reaction.address) == ("👍", heard[1].address)


async def test_a_reply_in_a_thread_the_bot_began_is_addressed_to_it() -> None:
    async with connected() as world:
        receipt = await world.chat.send(world.letter("Shall I book the room?"))
        await world.api.say("wei", "project", "yes", thread=receipt.message)
        assert (await world.until_heard(EventKind.NEW))[0].addressed


async def test_edits_and_recalls_are_told_of_the_same_message() -> None:
    async with connected() as world:
        ts = await world.api.say("wei", "project", "at noon")
        await world.api.edit("wei", "project", ts, "at one & not later")
        await world.api.recall("wei", "project", ts)
        heard = await world.until_heard(count=3)
        assert [said.kind for said in heard] == [EventKind.NEW, EventKind.EDIT, EventKind.RECALL]
        assert [said.text for said in heard] == ["at noon", "at one & not later", ""]
        assert len({said.address for said in heard}) == 1
        assert heard[0].version < heard[1].version < heard[2].version


async def test_the_bots_own_words_edits_and_reactions_do_not_come_in() -> None:
    async with connected() as world:
        await world.api.say("mo", DIRECT, "hi")
        question = (await world.until_heard(EventKind.NEW))[0]
        await world.chat.send(world.letter("hello", "D0MO"))
        await world.chat.show_working(question.address, True)
        last = await world.api.say("mo", DIRECT, "thanks")
        await world.api.until(lambda: world.api.acknowledged(last))
        assert [said.text for said in world.of()] == ["hi", "thanks"]


async def test_a_slash_command_is_text_to_the_bot() -> None:
    async with connected() as world:
        given = await world.api.command("wei", "project", "status now")
        bare = await world.api.command("mo", DIRECT, "")
        heard = await world.until_heard(EventKind.NEW, count=2)
        assert [said.text for said in heard] == ["/status now", "/help"]
        assert all(said.addressed for said in heard)
        assert heard[0].address.message == f"slash-{given.payload['trigger_id']}"
        assert heard[1].room.kind is RoomKind.DIRECT
        await world.api.until(lambda: given.acked and bare.acked)


async def test_files_are_named_with_the_message_and_fetched_with_the_token() -> None:
    """SL-IN-05: subtype file_share is a message like any other."""
    async with connected() as world:
        await world.api.send_file("mo", DIRECT, "a.txt", "text/plain", b"12345", "what is this?")
        said = (await world.until_heard(EventKind.NEW))[0]
        assert said.text == "what is this?"
        file = said.files[0]
        assert (file.name, file.mime, file.size) == ("a.txt", "text/plain", 5)
        assert await world.chat.fetch(file, limit=5) == b"12345"
        with pytest.raises(Refused, match="5 bytes; 4 is the most"):
            await world.chat.fetch(file, limit=4)


async def test_revoked_tokens_end_the_run_with_what_to_do() -> None:
    """CN-10"""
    async with SlackApi() as api:
        world = make(api)
        task = asyncio.create_task(world.chat.run(world.receive))
        await world.chat.started()
        api.revoke()
        with pytest.raises(Refused, match=r"slack\.bot_token is of no use: the token was revoked"):
            await task
        assert not world.chat.health.up
        assert "reinstall the app" in world.chat.health.note


@pytest.mark.parametrize(
    "code", ["token_revoked", "invalid_auth", "account_inactive", "not_authed"]
)
async def test_a_bad_bot_token_at_the_start_is_refused_at_once(code: str) -> None:
    """CN-10"""
    async with SlackApi() as api:
        api.token_error = code
        world = make(api)
        with pytest.raises(Refused, match=code):
            await world.chat.run(world.receive)
        with pytest.raises(Refused, match=code):
            await world.chat.started()
        assert api.calls() == ["auth.test"]


async def test_a_bad_app_token_is_refused_and_named() -> None:
    async with SlackApi() as api:
        world = make(api, app_token="xapp-1-A0LIMEN-1-wrong")
        with pytest.raises(Refused, match=r"slack\.app_token is of no use.*connections:write"):
            await world.chat.run(world.receive)


async def test_a_token_revoked_while_running_is_noticed_by_a_letter() -> None:
    async with SlackApi() as api:
        world = make(api)
        task = asyncio.create_task(world.chat.run(world.receive))
        await world.chat.started()
        api.token_error = "account_inactive"
        with pytest.raises(Refused):
            await world.chat.send(world.letter("hello"))
        with pytest.raises(Refused, match="account_inactive"):
            await task


async def test_being_removed_from_the_workspace_ends_the_run() -> None:
    async with SlackApi() as api:
        world = make(api)
        task = asyncio.create_task(world.chat.run(world.receive))
        await world.chat.started()
        event = {"type": "app_uninstalled"}
        raw = json.loads(json.dumps({"event_id": "Ev1", "event": event}))
        await api.inject({"envelope_id": "e1", "type": "events_api", "payload": raw})
        with pytest.raises(Refused, match="removed from the workspace"):
            await task
        assert api.sockets.deliveries[0].acked


async def test_an_address_that_is_not_slacks_is_refused() -> None:
    async with SlackApi() as api:
        api.strange["auth.test"] = ('{"ok": true}', "application/json")
        world = make(api)
        with pytest.raises(Refused, match=r"is slack\.base_url"):
            await world.chat.run(world.receive)


async def test_a_socks_proxy_without_its_package_is_refused_by_name() -> None:
    async with SlackApi() as api:
        world = make(api, proxy="socks5://127.0.0.1:1080")
        with pytest.raises(Refused, match="aiohttp-socks"):
            await world.chat.run(world.receive)


async def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with connected() as world:
        await world.api.say("mo", DIRECT, "hello")
        await world.until_heard(EventKind.NEW)


async def test_a_message_has_the_address_that_slack_would_tell() -> None:
    async with connected() as world:
        place = Address(platform="slack", account="T1", chat="C1", message="1700000000.000100")
        link = "https://limen-test.slack.com/archives/C1/p1700000000000100"
        assert world.chat.link(place) == link
        inside = replace(place, thread="1690000000.000200")
        assert world.chat.link(inside) == f"{link}?thread_ts=1690000000.000200&cid=C1"
        assert world.chat.link(place.room) == "", "a room is no message"
