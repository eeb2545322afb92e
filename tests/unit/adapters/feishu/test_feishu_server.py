"""The loopback server speaks the true wire: the official SDK works with it, unchanged."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE

from tests.fakes.feishu_api import FeishuApi

LISTEN = """
import sys
import lark_oapi as lark

url, app, secret = sys.argv[1:]

def heard(event):
    print("heard", event.event.message.message_id, event.event.message.content, flush=True)

def pressed(event):
    from lark_oapi.event.callback.model.p2_card_action_trigger import P2CardActionTriggerResponse
    return P2CardActionTriggerResponse({"toast": {"type": "info", "content": "done"}})

handler = (
    lark.EventDispatcherHandler.builder("", "")
    .register_p2_im_message_receive_v1(heard)
    .register_p2_card_action_trigger(pressed)
    .build()
)
lark.ws.Client(app, secret, event_handler=handler, domain=url).start()
"""

CALL = """
import json, sys
import lark_oapi as lark
from lark_oapi.api.contact.v3 import BatchUserRequest
from lark_oapi.api.im.v1 import *
from lark_oapi.core.model import RequestOption

url, app, secret = sys.argv[1:]
client = lark.Client.builder().app_id(app).app_secret(secret).domain(url).build()
im = client.im.v1

def create(kind, content, uuid):
    body = (CreateMessageRequestBody.builder().receive_id("oc_project").msg_type(kind)
            .content(json.dumps(content)).uuid(uuid).build())
    request = CreateMessageRequest.builder().receive_id_type("chat_id").request_body(body).build()
    return im.message.create(request)

first, again = create("text", {"text": "hi"}, "u1"), create("text", {"text": "hi"}, "u1")
assert first.success() and first.data.message_id == again.data.message_id, first.msg
broken = create("interactive", {"elements": []}, "u2")
assert broken.code == 230099, broken.code
reply = im.message.reply(
    ReplyMessageRequest.builder().message_id(first.data.message_id).request_body(
        ReplyMessageRequestBody.builder().msg_type("text").content('{"text": "in a topic"}')
        .reply_in_thread(True).uuid("u3").build()).build())
assert reply.data.thread_id.startswith("omt_"), reply.msg
listed = im.message.list(
    ListMessageRequest.builder().container_id_type("thread").container_id(reply.data.thread_id).build())
assert [m.message_id for m in listed.data.items] == [first.data.message_id, reply.data.message_id]
members = im.chat_members.get(
    GetChatMembersRequest.builder().chat_id("oc_project").member_id_type("open_id").build())
assert {m.name for m in members.data.items} == {"Wei", "Ana", "Bo"}
users = client.contact.v3.user.batch(
    BatchUserRequest.builder().user_ids(["ou_ana", "ou_bo"]).build())
assert [u.email for u in users.data.items] == ["ana@example.org", "bo@example.org"]
reaction = im.message_reaction.create(
    CreateMessageReactionRequest.builder().message_id(first.data.message_id).request_body(
        CreateMessageReactionRequestBody.builder().reaction_type(
            Emoji.builder().emoji_type("Typing").build()).build()).build())
assert reaction.success(), reaction.msg
print("fine", flush=True)
"""


async def started(script: str, feishu: FeishuApi) -> asyncio.subprocess.Process:
    """A script in a process of its own: the SDK claims the event loop when it is imported."""
    given = feishu.credentials
    return await asyncio.create_subprocess_exec(
        sys.executable, "-W", "ignore", "-c", script,
        given["domain"], given["app_id"], given["app_secret"], stdout=PIPE, stderr=PIPE,
    )  # fmt: skip


async def test_the_official_client_hears_messages_in_chunks_and_answers_buttons() -> None:
    async with FeishuApi() as feishu:
        feishu.hub.chunk = 200
        client = await started(LISTEN, feishu)
        try:
            await feishu.until(lambda: feishu.connections == 1, 60)
            said = await feishu.say("mo", "project", "a long message " * 40)
            await feishu.until(lambda: feishu.acknowledged(said))
            assert client.stdout is not None
            while not (line := await client.stdout.readline()).startswith(b"heard"):
                pass
            assert json.loads(line.split(b" ", 2)[2]) == {"text": "a long message " * 40}
            label = {"tag": "plain_text", "content": "Yes"}
            button = {"tag": "button", "text": label, "value": {"v": 1}}
            card = {"elements": [{"tag": "action", "actions": [button]}]}
            post = feishu.tenant.add("oc_project", feishu.tenant.app_id, "interactive", card)
            delivery = await feishu.press_raw("mo", post.id, "Yes")
            async with asyncio.timeout(10):
                await delivery.settled.wait()
            assert delivery.answer["toast"] == {"type": "info", "content": "done"}
            await feishu.until(lambda: feishu.hub.pings >= 1)
        finally:
            client.kill()
            await client.communicate()


async def test_the_official_client_calls_every_rest_method_in_use() -> None:
    async with FeishuApi() as feishu:
        client = await started(CALL, feishu)
        out, errors = await client.communicate()
        assert out.strip() == b"fine", errors.decode()[-2000:]
