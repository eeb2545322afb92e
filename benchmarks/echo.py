"""A bare echo bot on each platform's own SDK, in a process of its own: `… echo slack`.

It answers every message with the same words, and keeps nothing. Its settings come from the
environment, under Limen's names.
"""

import asyncio
import json
import os
import sys
from typing import Any


async def slack() -> None:
    """Socket Mode as the SDK's documentation shows it: acknowledge, then answer."""
    from slack_sdk.socket_mode.aiohttp import SocketModeClient
    from slack_sdk.socket_mode.response import SocketModeResponse
    from slack_sdk.web.async_client import AsyncWebClient

    web = AsyncWebClient(_env("SLACK__BOT_TOKEN"), base_url=_env("SLACK__BASE_URL"))
    client = SocketModeClient(_env("SLACK__APP_TOKEN"), web_client=web)

    async def answer(socket: Any, request: Any) -> None:
        await socket.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
        event = request.payload.get("event", {})
        if event.get("type") == "message" and "bot_id" not in event:
            await web.chat_postMessage(channel=event["channel"], text=event["text"])

    client.socket_mode_request_listeners.append(answer)
    await client.connect()
    await _stay()


async def telegram() -> None:
    """An application with the SDK's own updater."""
    from telegram import Update
    from telegram.ext import Application, MessageHandler, filters

    async def answer(update: Update, context: Any) -> None:
        if update.effective_message is not None:
            await update.effective_message.reply_text(update.effective_message.text or "")

    builder = Application.builder().token(_env("TELEGRAM__TOKEN"))
    app = builder.base_url(_env("TELEGRAM__BASE_URL")).build()
    app.add_handler(MessageHandler(filters.TEXT, answer))
    await app.initialize()
    await app.start()
    assert app.updater is not None
    await app.updater.start_polling()
    await _stay()


def feishu() -> None:
    """The SDK's long connection, which owns its loop and its thread."""
    import lark_oapi
    from lark_oapi.api.im.v1 import CreateMessageRequest, CreateMessageRequestBody

    id, secret, domain = (_env(f"FEISHU__{key}") for key in ("APP_ID", "APP_SECRET", "DOMAIN"))
    rest = lark_oapi.Client.builder().app_id(id).app_secret(secret).domain(domain).build()

    def answer(data: Any) -> None:
        message = data.event.message
        body = (
            CreateMessageRequestBody.builder()
            .receive_id(message.chat_id)
            .msg_type("text")
            .content(json.dumps({"text": json.loads(message.content)["text"]}))
            .build()
        )
        request = CreateMessageRequest.builder().receive_id_type("chat_id").request_body(body)
        rest.im.v1.message.create(request.build())

    handler = (
        lark_oapi.EventDispatcherHandler.builder("", "")
        .register_p2_im_message_receive_v1(answer)
        .build()
    )
    print("ready", flush=True)
    lark_oapi.ws.Client(id, secret, event_handler=handler, domain=domain).start()


async def _stay() -> None:
    print("ready", flush=True)
    await asyncio.Event().wait()


def _env(key: str) -> str:
    return os.environ[f"LIMEN_{key}"]


if __name__ == "__main__":
    platform = sys.argv[1]
    if platform == "feishu":
        feishu()
    else:
        asyncio.run({"slack": slack, "telegram": telegram}[platform]())
