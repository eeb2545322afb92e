"""Known cases, each with its exact events, through the real connection of the adapter."""

import json
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.chat import EventKind, RoomKind
from adapters.errors import Retry
from tests.fakes.feishu_api import FeishuApi
from tests.fakes.feishu_house import Running, Time, running

MIRA = {"union_id": "on_mira0001", "user_id": "u_mira0001", "open_id": "ou_mira0001"}
HELPER = {
    "key": "@_user_1", "name": "Helper", "tenant_key": "tk_acme",
    "id": {"open_id": "ou_bothelp01", "union_id": "on_bothelp01", "user_id": ""},
}  # fmt: skip
OTHER = HELPER | {
    "name": "Other Bot",
    "id": {"open_id": "ou_otherbot1", "union_id": "on_otherbot1", "user_id": ""},
}
GROUP = {"chat_id": "oc_team0001", "chat_type": "group"}
DM = {"chat_id": "oc_p2pmira1", "chat_type": "p2p"}


def received(
    event_id: str,
    message_id: str,
    chat: dict[str, str],
    content: dict[str, Any] | str,
    kind: str = "text",
    *,
    at: str = "1767603600123",
    sender: dict[str, Any] | None = None,
    sender_type: str = "user",
    **more: Any,
) -> dict[str, Any]:
    """The event of a message."""
    message = {
        "message_id": message_id, "create_time": at, "update_time": at, **chat,
        "message_type": kind,
        "content": content if isinstance(content, str) else json.dumps(content), **more,
    }  # fmt: skip
    told_by = {
        "sender_id": sender or MIRA, "sender_type": sender_type, "tenant_key": "tk_acme",
    }  # fmt: skip
    return {
        "schema": "2.0",
        "header": header(event_id, "im.message.receive_v1"),
        "event": {"sender": told_by, "message": message},
    }


def header(event_id: str, kind: str, at: str = "1767603600456") -> dict[str, str]:
    return {
        "event_id": event_id, "event_type": kind, "create_time": at, "token": "unused",
        "app_id": "cli_helper0001", "tenant_key": "tk_acme",
    }  # fmt: skip


@pytest.fixture
async def team(time: Time) -> AsyncIterator[Running]:
    """The bot called Helper in the tenant of the cases."""
    tenant = {
        "app_id": "cli_helper0001", "bot": "ou_bothelp01", "app_name": "Helper", "key": "tk_acme",
    }  # fmt: skip
    async with (
        FeishuApi(clock=time.clock, **tenant) as feishu,
        running(feishu, time, bot_name="Helper") as made,
    ):
        yield made


async def test_fs_in_01_rich_text_keeps_every_tag(team: Running) -> None:
    rows = [
        [
            {"tag": "at", "user_id": "@_user_1", "user_name": "Helper"},
            {"tag": "text", "text": " check ", "style": ["bold"]},
            {"tag": "a", "href": "https://example.test", "text": "link"},
        ],
        [{"tag": "img", "image_key": "img_v3_abc"}],
        [{"tag": "code_block", "language": "PYTHON", "text": "print(1)\n"}],
        [{"tag": "md", "text": "**note**"}],
        [{"tag": "emotion", "emoji_type": "SMILE"}],
    ]
    content = {"title": "Plan", "content": rows}
    event = received("evt0001aa11bb22", "om_msg0001", GROUP, content, "post", mentions=[HELPER])
    await team.feishu.inject(event)
    heard = (await team.house.until())[0]
    assert heard.text == (
        "Plan\n@Helper check [link](https://example.test)\n[image]\n"
        "```python\nprint(1)\n```\n**note**\n😄"
    )
    assert heard.addressed
    team.feishu.tenant.files["om_msg0001", "img_v3_abc"] = b"\x89PNG"
    assert await team.chat.fetch(heard.files[0], limit=100) == b"\x89PNG"


async def test_fs_in_02_only_its_own_open_id_is_the_bot(team: Running) -> None:
    text = {"text": "@_user_1 status?"}
    await team.feishu.inject(
        received("evt0002aa11bb22", "om_msg0002", GROUP, text, mentions=[OTHER])
    )
    await team.feishu.inject(
        received("evt0003aa11bb22", "om_msg0003", GROUP, text, mentions=[HELPER])
    )
    other, own = await team.house.until(count=2)
    assert (other.text, other.addressed) == ("@Other Bot status?", False)
    assert (own.text, own.addressed) == ("@Helper status?", True)


async def test_fs_in_04_at_all_is_text_and_addresses_nobody(team: Running) -> None:
    text = {"text": "@_all team lunch at 12"}
    await team.feishu.inject(received("evt0005aa11bb22", "om_msg0005", GROUP, text, mentions=[]))
    named = {"key": "@_all", "id": {"open_id": ""}, "name": "所有人", "tenant_key": ""}
    await team.feishu.inject(received("evt0005b", "om_msg0005b", GROUP, text, mentions=[named]))
    for heard in await team.house.until(count=2):
        assert (heard.text, heard.addressed) == ("@all team lunch at 12", False)


async def test_fs_in_05_a_forwarded_record_is_read_child_by_child(team: Running) -> None:
    event = received(
        "evt0006aa11bb22", "om_fwd0001", DM, "Merged and Forwarded Message", "merge_forward"
    )
    tenant = team.feishu.tenant
    later = tenant.add("oc_p2pmira1", "ou_jon0001", "image", {"image_key": "img_v3_x"})
    later.upper = "om_fwd0001"
    first = tenant.add("oc_p2pmira1", "ou_jon0001", "text", {"text": "budget is 40k"})
    first.upper, first.at = "om_fwd0001", datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
    await team.feishu.inject(event)
    assert (await team.house.until())[0].text == "[forwarded conversation]"
    edit = (await team.house.until(EventKind.EDIT))[0]
    assert edit.address.message == "om_fwd0001"
    assert edit.text.splitlines()[1:] == [
        "> Forwarded from a conversation:",
        "> ou_jon0001: budget is 40k",
        "> ou_jon0001: [image]",
    ]


async def test_fs_in_06_only_a_thread_id_is_a_topic(team: Running) -> None:
    await team.feishu.inject(
        received("evt0007aa11bb22", "om_msg0007", DM, {"text": "what's the total?"})
    )
    reply: dict[str, Any] = {"root_id": "om_msg_bot1", "parent_id": "om_msg_bot1"}
    await team.feishu.inject(
        received("evt0008aa11bb22", "om_msg0008", DM, {"text": "and with tax?"}, **reply)
    )
    topic: dict[str, Any] = {
        "root_id": "om_root9",
        "parent_id": "om_root9",
        "thread_id": "omt_topic9",
    }
    await team.feishu.inject(received(
        "evt0009aa11bb22", "om_msg0009", GROUP, {"text": "@_user_1 here in the topic"}, **topic,
        mentions=[HELPER],
    ))  # fmt: skip
    asked, quoted, in_topic = await team.house.until(count=3)
    assert asked.address.room == quoted.address.room
    assert (asked.reply_to, quoted.reply_to) == (None, "om_msg_bot1")
    assert (in_topic.address.thread, in_topic.quoted) == ("omt_topic9", "")


async def test_fs_in_06_a_quoted_reply_brings_what_it_answers(team: Running) -> None:
    await team.feishu.inject(received("e1", "om_a", DM, {"text": "the total is 40"}))
    await team.house.until()
    event = received("e2", "om_b", DM, {"text": "with tax?"}, parent_id="om_a", root_id="om_a")
    await team.feishu.inject(event)
    answer = (await team.house.until(count=2))[1]
    assert answer.quoted == "> In reply to somebody:\n> the total is 40"


async def test_fs_in_06_an_answer_goes_into_a_topic_only_from_a_topic(team: Running) -> None:
    await team.feishu.inject(received("e1", "om_a", DM, {"text": "and?"}, parent_id="om_x"))
    heard = (await team.house.until())[0]
    letter = team.letter("so", room=heard.address.room, reply_to="om_a")
    await team.chat.send(letter)
    assert "reply_in_thread" not in team.feishu.rest.bodies[-1]
    assert team.feishu.posts()[0].thread is None


async def test_fs_in_08_a_late_repeat_is_the_same_message_to_the_house(time: Time) -> None:
    tenant = {"app_id": "cli_helper0001", "bot": "ou_bothelp01", "key": "tk_acme"}
    event = received("evt_pay_001", "om_pay001", DM, {"text": "pay invoice 17"})
    async with FeishuApi(clock=time.clock, **tenant) as feishu:
        seen = []
        for _ in range(3):  # each time another process
            async with running(feishu, time) as here:
                await feishu.inject(event)
                seen += await here.house.until()
                await feishu.until(lambda: feishu.acknowledged("om_pay001"))
            await time.advance(300, 60)
    assert len({(i.address, i.kind, i.version, i.text, i.at) for i in seen}) == 1


async def test_fs_in_09_a_file_is_acknowledged_without_being_fetched(team: Running) -> None:
    content = {"file_key": "file_v3_big", "file_name": "scan.pdf"}
    event = received("evt_big_001", "om_big001", DM, content, "file")
    team.feishu.tenant.files["om_big001", "file_v3_big"] = b"x" * 20_000_000
    await team.feishu.inject(event)
    await team.feishu.inject(event)
    await team.feishu.until(lambda: team.feishu.acknowledged("om_big001"))
    assert team.feishu.calls("resources") == []
    first, again = await team.house.until(count=2)
    assert (first.text, first.address) == ("[file scan.pdf]", again.address)
    assert len(await team.chat.fetch(first.files[0], limit=30_000_000)) == 20_000_000


async def test_fs_in_11_own_words_never_come_in_and_other_apps_are_bots(team: Running) -> None:
    own = {"union_id": "on_bothelp01", "user_id": "", "open_id": "ou_bothelp01"}
    other = {"union_id": "on_otherbot1", "user_id": "", "open_id": "ou_otherbot1"}
    await team.feishu.inject(received(
        "evt0016aa11bb22", "om_msg0016", GROUP, {"text": "Sure, done!"}, sender=own,
        sender_type="app",
    ))  # fmt: skip
    await team.feishu.inject(received(
        "evt0017aa11bb22", "om_msg0017", GROUP, {"text": "@_user_1 Sure, done!"}, sender=other,
        sender_type="app", mentions=[HELPER],
    ))  # fmt: skip
    (heard,) = await team.house.until()
    await team.feishu.until(lambda: team.feishu.acknowledged("om_msg0016"))
    assert (heard.address.message, heard.author.is_bot) == ("om_msg0017", True)
    assert heard.addressed


async def test_fs_in_13_a_person_is_their_open_id_even_without_user_id(
    team: Running, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "adapters.feishu")
    sender = {"union_id": "on_mira0001", "user_id": None, "open_id": "ou_mira0001"}
    await team.feishu.inject(
        received("evt0018aa11bb22", "om_msg0018", DM, {"text": "hi"}, sender=sender)
    )
    heard = (await team.house.until())[0]
    assert (heard.author.id, heard.room.kind) == ("ou_mira0001", RoomKind.DIRECT)
    assert "on_mira0001" in caplog.text  # what an access list may have to name


async def test_fs_in_14_a_backlog_keeps_its_age_in_milliseconds(team: Running) -> None:
    await team.feishu.inject(received(
        "evt0019aa11bb22", "om_msg0019", DM, {"text": "is the server up?"}, at="1767592800000"
    ))  # fmt: skip
    await team.feishu.inject(
        received("evt0020aa11bb22", "om_msg0020", DM, {"text": "hello?"}, at="1767603600000")
    )
    old, new = await team.house.until(count=2)
    assert old.at == datetime(2026, 1, 5, 6, 0, tzinfo=UTC)
    assert (new.at - old.at).total_seconds() == 3 * 3600


async def test_fs_in_15_a_recall_names_exactly_its_message(team: Running) -> None:
    await team.feishu.inject(received("evt0021aa11bb22", "om_q1", DM, {"text": "list open tasks"}))
    await team.feishu.inject(
        received("evt0022aa11bb22", "om_q2", DM, {"text": "delete the old folder"})
    )
    _, second = await team.house.until(count=2)
    await team.feishu.inject({
        "schema": "2.0",
        "header": header("evt_recall1", "im.message.recalled_v1", "1767603700000"),
        "event": {
            "message_id": "om_q2", "chat_id": "oc_p2pmira1", "recall_time": "1767603700000",
            "recall_type": "message_owner",
        },
    })  # fmt: skip
    recall = (await team.house.until(EventKind.RECALL))[0]
    assert recall.address == second.address
    team.feishu.tenant.messages["om_q2"].deleted = True
    await team.chat.show_working(recall.address, True)  # on what is gone: no error


async def test_fs_in_15_a_recall_that_cannot_be_stored_comes_again(team: Running) -> None:
    team.house.troubles = [Retry("not now")]
    await team.feishu.inject({
        "schema": "2.0",
        "header": header("evt_recall1", "im.message.recalled_v1"),
        "event": {"message_id": "om_q2", "chat_id": "oc_p2pmira1"},
    })  # fmt: skip
    assert (await team.house.until(EventKind.RECALL))[0].address.message == "om_q2"


async def test_fs_in_16_voice_and_stickers_are_visible_and_fetchable(team: Running) -> None:
    voice = {"file_key": "file_v3_voice1", "duration": 7000}
    sticker = {"file_key": "v3_sticker1"}
    spoken = voice | {"speech_to_text": "明天上线"}
    await team.feishu.inject(received("evt0023aa11bb22", "om_voice1", DM, voice, "audio"))
    await team.feishu.inject(received("evt0024aa11bb22", "om_msg0024", DM, sticker, "sticker"))
    await team.feishu.inject(received("evt0025", "om_voice2", DM, spoken, "audio"))
    heard = await team.house.until(count=3)
    assert [incoming.text for incoming in heard] == [
        "[voice message, 7 s]", "[sticker]", "[voice message, 7 s] 明天上线",
    ]  # fmt: skip
    team.feishu.tenant.files["om_voice1", "file_v3_voice1"] = b"OggS"
    assert heard[0].files[0].mime == "audio/ogg"
    assert await team.chat.fetch(heard[0].files[0], limit=100) == b"OggS"


async def test_fs_out_06_a_member_met_in_the_group_is_mentioned(team: Running) -> None:
    jon = {"key": "@_user_1", "id": {"open_id": "ou_ana"}, "name": "Jon", "tenant_key": "tk_acme"}
    await team.feishu.inject(
        received("e1", "om_a", GROUP, {"text": "@_user_1 will do it"}, mentions=[jon])
    )
    await team.feishu.inject(
        received("e2", "om_b", GROUP, {"text": "yes"}, sender={"open_id": "ou_ana"})
    )
    await team.feishu.until(lambda: team.feishu.acknowledged("om_a"))
    second = next(i for i in await team.house.until(count=2) if i.author.id == "ou_ana")
    assert second.author.name == "Jon"
