"""The long connection under every fault it knows."""

import asyncio
from collections.abc import Callable

import pytest

from adapters.chat import EventKind
from adapters.errors import Refused, Retry
from adapters.feishu.connection import LIMIT_NOTE, Config
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.feishu_house import Running, Time, running
from tests.fakes.feishu_proxy import ForwardProxy


def pinged(here: Running, times: int) -> Callable[[], bool]:
    return lambda: here.feishu.hub.pings >= times


def opened(here: Running, times: int) -> Callable[[], bool]:
    return lambda: len(here.feishu.calls("ws.endpoint")) == times and here.feishu.connections == 1


async def test_the_servers_configuration_is_honoured_and_can_change(here: Running) -> None:
    here.feishu.hub.config["PingInterval"] = 30
    await here.feishu.until(lambda: here.feishu.hub.pings == 1)
    await here.time.pass_until(lambda: here.feishu.hub.pings == 2)  # its pong brings the new one
    await here.time.pass_until(lambda: here.feishu.hub.pings == 3)
    began = here.time.now
    await here.time.pass_until(lambda: here.feishu.hub.pings == 4)
    assert (here.time.now - began).total_seconds() == pytest.approx(30, abs=1.5)


def test_what_a_configuration_leaves_out_keeps_its_default() -> None:
    assert Config.of({"PingInterval": 90}) == Config(90.0, 120.0, 30.0)
    assert Config.of({"PingInterval": "often", "ReconnectNonce": -3}) == Config(120.0, 120.0, 0.0)
    assert Config.of(None) == Config()


async def test_cn_07_a_half_open_link_is_noticed_and_what_was_missed_is_read(
    here: Running,
) -> None:
    await here.house.until_room("project")
    await here.feishu.say("mo", "project", "before")
    await here.house.until()
    await here.feishu.until(lambda: here.feishu.hub.pings >= 1)
    await here.feishu.go_silent()
    chat = here.feishu.tenant.chat_of("mo", "project").id
    await here.time.advance(1)
    here.feishu.tenant.add(chat, "ou_mo", "text", {"text": "nobody told of this"})
    await here.time.pass_until(lambda: len(here.feishu.calls("ws.endpoint")) == 2)
    await here.house.until_text("nobody told of this")
    await here.feishu.until(lambda: here.feishu.connections == 1)  # the silent one was closed
    said = await here.feishu.say("mo", "project", "after")
    await here.feishu.until(lambda: here.feishu.acknowledged(said))


async def test_cn_07_a_quiet_link_that_answers_pings_is_left_alone(here: Running) -> None:
    for pings in range(1, 40):
        await here.time.pass_until(pinged(here, pings))
    assert here.feishu.calls("ws.endpoint") == ["ws.endpoint"]
    said = await here.feishu.say("mo", "project", "good morning")
    await here.feishu.until(lambda: here.feishu.acknowledged(said))


async def test_a_link_that_was_hung_up_is_opened_again(here: Running) -> None:
    for times in range(2, 5):
        await here.feishu.hang_up()
        await here.time.pass_until(opened(here, times))
    await here.feishu.say("mo", "project", "hello again")
    assert (await here.house.until())[0].text == "hello again"


async def test_topics_are_read_after_a_gap_too(here: Running) -> None:
    await here.house.until_room("project")
    root = await here.feishu.say("mo", "project", "root")
    await here.feishu.say("ana", "project", "first", thread=root)
    await here.house.until(count=2)
    await here.feishu.hang_up()
    tenant = here.feishu.tenant
    await here.time.advance(0.2, 0.2)
    place = {"thread": f"omt_{root[3:]}", "root": root, "parent": root}
    tenant.add("oc_project", "ou_ana", "text", {"text": "missed"}, **place)
    await here.time.pass_until(lambda: here.feishu.connections == 1)
    missed = await here.house.until_text("missed")
    assert missed.address.thread == f"omt_{root[3:]}"


async def test_what_was_edited_or_recalled_in_a_gap_is_noticed(here: Running) -> None:
    await here.house.until_room("project")
    said = await here.feishu.say("mo", "project", "Tuesday")
    gone = await here.feishu.say("mo", "project", "oops")
    await here.house.until(count=2)
    await here.feishu.hang_up()
    stored = here.feishu.tenant.messages[said]
    stored.content, stored.edits = '{"text": "Wednesday"}', 1
    here.feishu.tenant.messages[gone].deleted = True
    await here.time.pass_until(lambda: here.feishu.connections == 1)
    assert (await here.house.until(EventKind.EDIT))[0].text == "Wednesday"
    assert (await here.house.until(EventKind.RECALL))[0].address.message == gone


async def test_frames_that_are_garbage_do_not_end_the_link(here: Running) -> None:
    await here.feishu.hub.send_raw(b"\xff\xff no frame")
    said = await here.feishu.say("mo", "project", "hello")
    await here.feishu.until(lambda: here.feishu.acknowledged(said))
    assert here.feishu.calls("ws.endpoint") == ["ws.endpoint"]


async def test_an_event_while_nobody_is_connected_waits(feishu: FeishuApi, time: Time) -> None:
    said = await feishu.say("mo", "project", "anybody?")
    async with running(feishu, time) as here:
        assert (await here.house.until())[0].address.message == said


async def test_a_wrong_secret_is_refused_with_what_to_do(feishu: FeishuApi, time: Time) -> None:
    made = Running(feishu, time, app_secret="not this")
    made.start()
    with pytest.raises(Refused, match=r"Credentials & Basic Info \(开发者后台 → 凭证与基础信息\)"):
        await made.chat.started()
    assert made.task is not None
    with pytest.raises(Refused, match="cli_limen"):
        await made.task
    assert not made.chat.health.up
    assert "app_secret" in made.chat.health.note


async def test_a_secret_revoked_later_ends_the_run_as_soon_as_it_shows(here: Running) -> None:
    here.feishu.revoke()
    await here.feishu.hang_up()
    assert here.task is not None
    await here.time.pass_until(lambda: here.task is not None and here.task.done())
    with pytest.raises(Refused, match="app_secret"):
        here.task.result()


@pytest.mark.parametrize("at_handshake", [False, True])
async def test_too_many_connections_are_waited_out_with_a_note(
    feishu: FeishuApi, time: Time, at_handshake: bool
) -> None:
    if at_handshake:
        feishu.handshake_no = (514, 1000040350, "exceed_conn_limit")
    else:
        feishu.endpoint_no = (1000040350, "exceed_conn_limit")
    made = Running(feishu, time)
    made.start()
    try:
        await time.pass_until(lambda: len(feishu.calls("ws.endpoint")) >= 3)
        assert made.chat.health.note == LIMIT_NOTE
        feishu.endpoint_no = feishu.handshake_no = None
        await time.pass_until(lambda: made.chat.health.up)
        assert made.chat.health.note == ""
    finally:
        await made.stop()


async def test_an_app_without_long_connection_says_where_to_switch_it_on(
    feishu: FeishuApi, time: Time
) -> None:
    feishu.endpoint_no = (1000040346, "long connection is not enabled")
    made = Running(feishu, time)
    made.start()
    try:
        await time.pass_until(lambda: len(feishu.calls("ws.endpoint")) >= 2)
        assert "使用长连接接收事件" in made.chat.health.note
        assert not made.chat.health.up
    finally:
        await made.stop()


async def test_tries_to_connect_become_rarer_but_never_end(feishu: FeishuApi, time: Time) -> None:
    feishu.endpoint_no = (1, "system busy")
    made = Running(feishu, time)
    made.start()
    try:
        await time.pass_until(lambda: len(feishu.calls("ws.endpoint")) >= 9)
        waits = time.slept[-8:]
        assert waits == sorted(waits)
        assert max(time.slept) <= 120
    finally:
        await made.stop()


async def test_a_server_that_is_not_there_is_tried_again(time: Time) -> None:
    async with FeishuApi(clock=time.clock) as gone:
        made = Running(gone, time)
    made.start()
    try:
        await time.pass_until(lambda: len(time.slept) >= 3)
        assert "cannot be reached" in made.chat.health.note
    finally:
        await made.stop()


async def test_stopping_is_clean_even_while_an_event_is_being_stored(here: Running) -> None:
    here.house.gate.clear()
    await here.feishu.say("mo", "project", "half done")
    await here.house.until_called(1)
    await here.stop()
    await here.feishu.until(lambda: here.feishu.connections == 0)
    ours = [t for t in asyncio.all_tasks() if t.get_name().startswith("feishu")]
    assert ours == []


async def test_a_socks_proxy_without_its_package_names_the_package(
    feishu: FeishuApi, time: Time
) -> None:
    made = Running(feishu, time, proxy="socks5://me:secret@proxy:1080")
    made.start()
    with pytest.raises(Refused, match="aiohttp-socks") as refused:
        await made.chat.started()
    assert "secret" not in str(refused.value)
    await made.stop()


async def test_a_proxy_carries_rest_and_the_long_connection(feishu: FeishuApi, time: Time) -> None:
    async with ForwardProxy() as proxy, running(feishu, time, proxy=proxy.url) as here:
        said = await feishu.say("mo", "project", "through the wall")
        await feishu.until(lambda: feishu.acknowledged(said))
        await here.chat.send(here.letter("and back"))
        assert feishu.posts("project")[0].text == "and back"
        for path in ("/open-apis/im/v1/messages", "/callback/ws/endpoint", "/ws?device_id=1"):
            assert f"{feishu.url.removeprefix('http')}{path}".encode() in proxy.asked


async def test_a_proxy_that_is_not_there_is_named(feishu: FeishuApi, time: Time) -> None:
    made = Running(feishu, time, proxy="http://127.0.0.1:9")
    with pytest.raises(Retry, match="cannot be reached"):
        await made.chat.send(made.letter("hello"))
    await made.close()


async def test_the_environments_proxies_are_ignored(
    feishu: FeishuApi, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    async with running(feishu, time) as here:
        await feishu.say("mo", "project", "hello")
        await here.house.until()


async def test_redelivered_events_are_handed_in_each_time_as_the_same_message(
    here: Running,
) -> None:
    said = await here.feishu.say("mo", "direct", "pay invoice 17")
    await here.house.until()
    await here.feishu.redeliver(said)
    await here.house.until(count=2)
    await here.time.advance(6 * 3600, 3600)
    await here.feishu.redeliver(said)
    once, again, late = await here.house.until(count=3)
    # the house knows it by address, kind and version; the memory of a process would not do
    assert once == again
    assert (late.address, late.version, late.at) == (once.address, once.version, once.at)
    await here.feishu.until(lambda: here.feishu.acknowledged(said))
