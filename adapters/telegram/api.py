"""The Bot API through `telegram.Bot`: one pool of connections to listen, one to speak."""

import json
import logging
import os
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from datetime import UTC
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from adapters import network
from adapters.chat import Button, Receipt
from adapters.errors import Refused, Retry, Unknown
from adapters.telegram.incoming import UPDATES
from adapters.telegram.people import Me
from adapters.telegram.refusals import Revoked, translated
from adapters.telegram.settings import TelegramSettings

Json = dict[str, Any]
T = TypeVar("T")

_TALKERS = ("httpx", "httpcore", "telegram")
"""Loggers whose lines show whole addresses, with the token in them, and what people said."""

ANSWER_S = 25.0  # seconds; Telegram may be slow, and a message whose answer is missed is in doubt
CONNECT_S = 10.0
DOWNLOAD_S = 60.0
POOL_S = 5.0
SENDERS = 16  # connections; the pace allows 30 calls a second


class Api:
    """Calls that raise AdapterError only. `open` first; `close` may be called at any time."""

    def __init__(self, settings: TelegramSettings) -> None:
        self._settings = settings
        self._open = False

    def open(self) -> None:
        """Make the client; Refused says what is wrong with the proxy."""
        # The SDK's own switch to the type it will use; without it a 429 is a DeprecationWarning.
        os.environ.setdefault("PTB_TIMEDELTA", "1")
        hush()
        from telegram import Bot

        self._listening = self._listening_pool()
        self._speaking = self._pool(SENDERS, ANSWER_S)
        self._open = True
        self._bot = Bot(
            self._settings.token,
            base_url=self._settings.base_url,
            base_file_url=self._settings.base_file_url,
            request=self._speaking,
            get_updates_request=self._listening,
        )

    async def close(self) -> None:
        """Close both pools."""
        if not self._open:
            return
        self._open = False
        await _shut(self._listening)
        await _shut(self._speaking)

    async def listen_anew(self) -> None:
        """Let go of listening connections that have gone silent; whoever speaks is left alone."""
        if self._open:
            silent, self._listening = self._listening, self._listening_pool()
            await _shut(silent)

    async def me(self) -> Me:
        """The bot's own account."""
        user = await self._call(self._client.get_me())
        return Me(
            id=user.id,
            username=user.username or "",
            name=self._settings.bot_name,
            commands=frozenset(command.name for command in self._settings.commands),
            reads_all=bool(user.can_read_all_group_messages),
        )

    async def updates(self, offset: int | None) -> list[Json]:
        """Wait for updates, raw: the SDK's own parser lets one bad update spoil the rest."""
        given: Json = {"timeout": self._settings.poll_s, "allowed_updates": json.dumps(UPDATES)}
        if offset is not None:
            given["offset"] = offset
        address = f"{self._client.base_url}/getUpdates?{urlencode(given)}"
        found = await self._call(self._listening.post(address))
        if not isinstance(found, list) or not all(_is_update(one) for one in found):
            raise Retry("Telegram answered getUpdates with something that is no list of updates")
        return found

    async def show_menu(self) -> None:
        """Set what opens on a slash: in Chinese where the app is, in English elsewhere."""
        given = self._settings.commands
        if not given:
            return
        english = [(command.name, command.about) for command in given]
        chinese = [(command.name, command.about_zh) for command in given]
        await self._call(self._client.set_my_commands(english))
        await self._call(self._client.set_my_commands(chinese, language_code="zh"))

    async def delete_webhook(self) -> None:
        """Have updates come by polling again; those that wait are kept."""
        await self._call(self._client.delete_webhook(drop_pending_updates=False))

    async def post(
        self,
        chat: int,
        text: str,
        entities: Sequence[Json],
        *,
        thread: str | None = None,
        reply_to: str | None = None,
        buttons: Sequence[Button] = (),
        silent: bool = False,
    ) -> Receipt:
        """Post a message; a silent one makes no phone ring."""
        from telegram import LinkPreviewOptions, ReplyParameters

        reply = (
            ReplyParameters(int(reply_to), allow_sending_without_reply=True) if reply_to else None
        )
        sent = await self._call(
            self._client.send_message(
                chat,
                text,
                entities=_entities(entities),
                message_thread_id=int(thread) if thread else None,
                reply_parameters=reply,
                reply_markup=_keyboard(buttons),
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                disable_notification=silent or None,
            )
        )
        return Receipt(message=str(sent.message_id), at=sent.date.astimezone(UTC))

    async def edit(self, chat: int, message: int, text: str, entities: Sequence[Json]) -> None:
        """Change what a message says; its buttons go."""
        from telegram import LinkPreviewOptions

        await self._call(
            self._client.edit_message_text(
                text,
                chat,
                message,
                entities=_entities(entities),
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )
        )

    async def delete(self, chat: int, message: int) -> None:
        """Take a message of the bot's away."""
        await self._call(self._client.delete_message(chat, message))

    async def type(self, chat: int, thread: str | None) -> None:
        """Show for some five seconds that the bot is typing."""
        await self._call(
            self._client.send_chat_action(
                chat, "typing", message_thread_id=int(thread) if thread else None
            )
        )

    async def acknowledge(self, query: str) -> None:
        """End the spinner on a pressed button."""
        await self._call(self._client.answer_callback_query(query))

    async def admins(self, chat: int) -> list[Json]:
        """The users who run a group, the only ones that Telegram lists."""
        found = await self._call(self._client.get_chat_administrators(chat))
        return [admin.user.to_dict() for admin in found]

    async def download(self, file_id: str, limit: int) -> bytes:
        """The content of a file, at most `limit` bytes.

        The SDK would read a file of this machine where one lies under the path it is told.
        """
        asked = f"{self._client.base_url}/getFile?{urlencode({'file_id': file_id})}"
        try:
            told = await self._call(self._speaking.post(asked))
            path, size = _located(told)
            _check_size(size, limit)
            address = f"{self._client.base_file_url}/{quote(path)}"
            content: bytes = await self._call(
                self._speaking.retrieve(address, read_timeout=DOWNLOAD_S)
            )
        except Unknown as error:
            raise Retry(str(error)) from error  # reading twice harms nobody
        except Revoked as error:
            raise Refused("Telegram no longer has the file") from error
        _check_size(len(content), limit)
        return content

    @property
    def _client(self) -> Any:
        if not self._open:
            raise Retry("Telegram is not connected")
        return self._bot

    def _listening_pool(self) -> Any:
        return self._pool(2, self._settings.poll_s + self._settings.silence_s)

    def _pool(self, size: int, read_s: float) -> Any:
        from telegram.request import HTTPXRequest

        try:
            return HTTPXRequest(
                connection_pool_size=size,
                read_timeout=read_s,
                write_timeout=ANSWER_S,
                connect_timeout=CONNECT_S,
                pool_timeout=POOL_S,
                proxy=self._settings.proxy or None,
                # The environment's proxies would catch addresses on this machine as well.
                httpx_kwargs={"trust_env": False, "verify": network.certificates()},
            )
        except RuntimeError:
            raise Refused(
                "a socks proxy for Telegram needs one more package: "
                'pip install "python-telegram-bot[socks]"'
            ) from None
        except ValueError as error:
            raise Refused(f"[telegram] proxy is no address of a proxy: {error}") from None

    @staticmethod
    async def _call(call: Awaitable[T]) -> T:
        try:
            return await call
        except Exception as error:
            raise translated(error) from error


def hush() -> None:
    """Keep the token out of the log."""
    for talker in _TALKERS:
        logging.getLogger(talker).setLevel(logging.WARNING)


async def _shut(pool: Any) -> None:
    with suppress(Exception):  # broken connections may not even close
        await pool.shutdown()


def _is_update(told: object) -> bool:
    return isinstance(told, dict) and isinstance(told.get("update_id"), int)


def _located(told: object) -> tuple[str, int | None]:
    """The path of a file below Telegram's address of files, and its size."""
    found = told if isinstance(told, dict) else {}
    path, size = found.get("file_path"), found.get("file_size")
    if not isinstance(path, str) or not path:
        raise Refused("Telegram no longer has the file")
    if ".." in path.split("/") or path.startswith("/"):
        raise Refused("Telegram names a path outside of its files")
    return path, size if isinstance(size, int) else None


def _check_size(size: int | None, limit: int) -> None:
    if size is not None and size > limit:
        raise Refused(f"the file has {size} bytes; at most {limit} are read")


def _entities(entities: Sequence[Json]) -> Any:
    from telegram import MessageEntity

    return [MessageEntity.de_json(dict(entity)) for entity in entities] or None


def _keyboard(buttons: Sequence[Button]) -> Any:
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup

    if not buttons:
        return None
    row = [InlineKeyboardButton(b.label, callback_data=b.value) for b in buttons]
    short = sum(len(b.label) for b in buttons) <= _ROW
    return InlineKeyboardMarkup([row] if short else [[button] for button in row])


_ROW = 24  # signs of labels that stand side by side on a phone
