"""The long connection: made anew when it is lost, silent or asked to leave."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import pytest

from adapters.chat import EventKind
from adapters.errors import Refused
from tests.fakes.platform import DIRECT
from tests.fakes.slack_api import SlackApi
from tests.fakes.slack_world import connected, make, running

PING = 5.0
ASKED = re.compile(r"(?:GET|POST) (\w+://\S+) HTTP/1\.1\r")
"""Whole addresses are asked of a proxy alone."""


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something of a chat's health, which tells nobody when it changes."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_a_connection_that_was_closed_is_made_anew_at_once() -> None:
    async with connected() as world:
        await world.api.hang_up()
        await world.api.until(lambda: len(world.api.calls("apps.connections.open")) == 2)
        await world.api.say("mo", DIRECT, "hello")
        await world.until_heard(EventKind.NEW)
        assert world.chat.health.up


async def test_a_disconnect_message_gives_a_new_connection_before_the_old_one_is_left() -> None:
    async with connected() as world:
        await world.api.sockets.disconnect()
        await world.api.until(lambda: world.api.connections == 2)
        await world.api.until(lambda: world.api.connections == 1)
        await until(lambda: world.chat.health.up)
        await world.api.say("mo", DIRECT, "hello")
        await world.until_heard(EventKind.NEW)
        assert world.chat.health.note == ""


async def test_a_frame_of_several_megabytes_does_not_break_the_connection() -> None:
    async with connected() as world:
        await world.api.say("mo", DIRECT, "long" * 1_200_000)
        assert len((await world.until_heard(EventKind.NEW))[0].text) == 4_800_000
        assert world.api.calls("apps.connections.open") == ["apps.connections.open"]


async def test_a_silent_socket_is_noticed_by_the_pongs_that_do_not_come() -> None:
    async with connected() as world:
        await world.clock.until_asleep(lambda nap: nap == PING)
        await world.api.go_silent()
        await world.api.say("mo", DIRECT, "can you hear me?")
        for _ in range(3):
            pings = world.clock.naps.count(PING)
            await world.clock.advance(PING)
            if len(world.api.calls("apps.connections.open")) == 1:
                await world.clock.until_asleep(
                    lambda _, seen=pings: (  # type: ignore[misc]
                        world.clock.naps.count(PING) > seen
                    )
                )
        assert (await world.until_heard(EventKind.NEW))[0].text == "can you hear me?"
        assert len(world.api.calls("apps.connections.open")) == 2


async def test_a_quiet_connection_with_pongs_is_left_alone() -> None:
    async with connected() as world:
        for pings in range(1, 20):
            await world.clock.until_asleep(lambda _, pings=pings: (  # type: ignore[misc]
                world.clock.naps.count(PING) == pings
            ))  # fmt: skip
            await until(lambda: world.chat.health.heard_at == world.clock.now)
            await world.clock.advance(PING)
        assert world.api.calls("apps.connections.open") == ["apps.connections.open"]


async def test_an_unreachable_slack_is_tried_for_ever_with_growing_waits() -> None:
    async with SlackApi() as api:
        world = make(api, base_url="http://127.0.0.1:9/api/")
        task = asyncio.create_task(world.chat.run(world.receive))
        for wait in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0):
            await world.clock.until_asleep(lambda nap, wait=wait: nap == wait)  # type: ignore[misc]
            world.clock.naps.clear()
            assert not world.chat.health.up
            assert "cannot be reached" in world.chat.health.note
            await world.clock.advance(wait)
        task.cancel()
        await asyncio.wait({task})


async def test_it_connects_when_slack_is_back() -> None:
    api = SlackApi()
    async with api, running(make(api)) as world:
        await api._runner.cleanup()
        await world.clock.until_asleep(lambda nap: nap == 1.0)
        async with api:
            await world.clock.advance(1.0)
            await until(lambda: world.chat.health.up)
            await api.say("mo", DIRECT, "hello")
            await world.until_heard(EventKind.NEW)


async def test_a_connection_counts_only_after_the_hello() -> None:
    async with SlackApi() as api:
        api.sockets.mute = True
        world = make(api)
        task = asyncio.create_task(world.chat.run(world.receive))
        await api.until(lambda: api.connections == 1)
        assert not world.chat.health.up
        api.sockets.mute = False
        await api.hang_up()
        await world.clock.until_asleep(lambda nap: nap == 1.0)
        assert "hung up before it said hello" in world.chat.health.note
        await world.clock.advance(1.0)
        await world.chat.started()
        assert world.chat.health.up
        task.cancel()
        await asyncio.wait({task})


async def test_a_second_copy_on_the_same_app_is_named() -> None:
    """CN-04"""
    async with SlackApi() as api:
        api.sockets.others = 1
        async with running(make(api)) as world:
            note = world.chat.health.note
            assert world.chat.health.up
            assert "Slack counts 2 connections of this app: another copy of Limen" in note
            assert "Stop it, or give it a Slack app of its own" in note
            api.sockets.others = 0
            await api.hang_up()
            await api.until(lambda: len(api.calls("apps.connections.open")) == 2)
            await until(lambda: world.chat.health.up)
            assert world.chat.health.note == ""


async def test_a_second_copy_that_comes_later_is_named_at_the_next_connection() -> None:
    """CN-04"""
    async with connected() as world:
        world.api.sockets.others = 1
        await world.api.hang_up()
        await until(lambda: "2 connections" in world.chat.health.note)


async def test_two_running_copies_name_each_other() -> None:
    """CN-04: the later one sees the earlier."""
    async with SlackApi() as api, running(make(api)) as first, running(make(api)) as second:
        assert first.chat.health.note == ""
        assert "2 connections" in second.chat.health.note


async def test_a_limit_on_new_connections_is_waited_for() -> None:
    async with SlackApi() as api:
        world = make(api)
        api.app_token_error = "ratelimited"
        task = asyncio.create_task(world.chat.run(world.receive))
        await world.clock.until_asleep(lambda nap: nap >= 1.0)
        api.app_token_error = ""
        await world.clock.advance(60)
        await world.chat.started()
        task.cancel()
        await asyncio.wait({task})


async def test_socket_mode_that_is_off_is_told_and_heals() -> None:
    async with SlackApi() as api:
        world = make(api)
        api.app_token_error = "socket_mode_not_enabled"
        task = asyncio.create_task(world.chat.run(world.receive))
        await world.clock.until_asleep(lambda nap: nap == 1.0)
        assert "turn on Settings → Socket Mode" in world.chat.health.note
        api.app_token_error = ""
        await world.clock.advance(1.0)
        await world.chat.started()
        assert world.chat.health.note == ""
        task.cancel()
        await asyncio.wait({task})


async def test_an_app_token_without_its_scope_is_refused() -> None:
    async with SlackApi() as api:
        api.app_token_error = "missing_scope"
        world = make(api)
        with pytest.raises(Refused, match="scope"):
            await world.chat.run(world.receive)


async def test_a_frame_that_is_no_json_stops_nobody() -> None:
    async with connected() as world:
        await world.api.sockets.links[0].socket.send_str("{no json")
        await world.api.sockets.links[0].socket.send_str("[1]")
        await world.api.say("mo", DIRECT, "hello")
        assert (await world.until_heard(EventKind.NEW))[0].text == "hello"
        assert len(world.api.calls("apps.connections.open")) == 1


async def test_a_proxy_of_the_settings_carries_the_calls_and_the_socket() -> None:
    """CN-09"""
    async with SlackApi() as api, proxy() as (address, passed):
        async with running(make(api, proxy=address)) as world:
            await api.say("mo", DIRECT, "hello")
            await world.until_heard(EventKind.NEW)
        assert {"/api/auth.test", "/api/apps.connections.open", "/link"} <= set(passed)


@asynccontextmanager
async def proxy() -> AsyncIterator[tuple[str, list[str]]]:
    """An HTTP proxy in front of one server, and the paths that were asked of it."""
    passed: list[str] = []
    done: list[asyncio.Task[None]] = []

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                passed.extend(urlsplit(url).path for url in ASKED.findall(data.decode("latin-1")))
                target.write(data)
                await target.drain()
        with suppress(ConnectionError):
            target.close()
            await target.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        done.append(asyncio.ensure_future(serve(reader, writer)))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readline()
        if not first:  # it was given up before anything was asked
            writer.close()
            return await writer.wait_closed()
        place = urlsplit(first.split()[1].decode())
        passed.append(place.path)
        there, back = await asyncio.open_connection(place.hostname, place.port)
        back.write(first)
        await asyncio.gather(pump(reader, back), pump(there, writer))
        return None

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", passed
        await asyncio.gather(*done)
