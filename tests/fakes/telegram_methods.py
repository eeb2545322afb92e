"""The methods of the Bot API, answering from the world or refusing as Telegram does."""

import re
from collections.abc import Mapping
from typing import Any

from tests.fakes.telegram_rules import (
    DOWNLOAD,
    ApiError,
    bad,
    check_caption,
    check_keyboard,
    check_text,
)
from tests.fakes.telegram_world import BOT, Json, World, user

KEPT = "text entities caption caption_entities reply_markup".split()


class Methods:
    """What a bot may call, but for getUpdates; parameters are decoded already."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.can_join_groups = True
        self.reads_all = True
        """Privacy mode is off."""
        self.webhook = ""
        self.commands: dict[str, list[Json]] = {}
        """The menu by language."""
        self.actions: list[tuple[int, str]] = []
        self.answered: list[str] = []
        """Callback queries the bot answered."""

    def call(self, method: str, given: Mapping[str, Any]) -> Any:
        """The result, or ApiError."""
        handler = getattr(self, f"_{method}", None)
        if handler is None or not method[:1].islower():
            raise ApiError(404, "Not Found")
        return handler(given)

    def _getMe(self, given: Mapping[str, Any]) -> Json:
        return {
            **self.world.me,
            "can_join_groups": self.can_join_groups,
            "can_read_all_group_messages": self.reads_all,
            "supports_inline_queries": False,
        }

    def _getWebhookInfo(self, given: Mapping[str, Any]) -> Json:
        waiting = len(self.world.updates)
        return {
            "url": self.webhook,
            "has_custom_certificate": False,
            "pending_update_count": waiting,
        }

    def _deleteWebhook(self, given: Mapping[str, Any]) -> bool:
        self.webhook = ""
        return True

    def _setMyCommands(self, given: Mapping[str, Any]) -> bool:
        if not all(re.fullmatch("[a-z0-9_]{1,32}", one["command"]) for one in given["commands"]):
            raise bad("BOT_COMMAND_INVALID")
        self.commands[str(given.get("language_code", ""))] = list(given["commands"])
        return True

    def _sendMessage(self, given: Mapping[str, Any]) -> Json:
        chat = self._open_chat(given)
        text = str(given.get("text", ""))
        check_text(text, given.get("entities") or ())
        check_keyboard(given.get("reply_markup"))
        return self._post(chat, given, text=text)

    def _sendPhoto(self, given: Mapping[str, Any]) -> Json:
        chat = self._open_chat(given)
        caption = str(given.get("caption", ""))
        check_caption(caption, given.get("caption_entities") or ())
        photo = [{"file_id": "sent", "file_unique_id": "sent", "width": 1, "height": 1}]
        return self._post(chat, given, photo=photo)

    def _post(self, chat: int, given: Mapping[str, Any], **content: Any) -> Json:
        made = {
            "message_id": self.world.next_message(),
            "from": self.world.me,
            "chat": self.world.chat(chat),
            "date": self.world.now(),
            **self._thread(chat, given),
            **self._reply(chat, given),
            **{name: given[name] for name in KEPT if given.get(name)},
            **content,
        }
        self.world.messages[chat, made["message_id"]] = made
        return made

    def _thread(self, chat: int, given: Mapping[str, Any]) -> Json:
        if not given.get("message_thread_id"):
            return {}
        thread = int(given["message_thread_id"])
        if thread not in self.world.topics.get(chat, set()):
            raise bad("message thread not found")
        return {"message_thread_id": thread, "is_topic_message": True}

    def _reply(self, chat: int, given: Mapping[str, Any]) -> Json:
        reply = given.get("reply_parameters")
        if not reply:
            return {}
        there = self.world.messages.get((chat, int(reply["message_id"])))
        if there is None and not reply.get("allow_sending_without_reply"):
            raise bad("message to be replied not found")
        if there is None:
            return {}
        inner = {key: value for key, value in there.items() if key != "reply_to_message"}
        return {"reply_to_message": inner}

    def _editMessageText(self, given: Mapping[str, Any]) -> Json:
        text, entities = str(given.get("text", "")), given.get("entities") or []
        check_text(text, entities)
        check_keyboard(given.get("reply_markup"))
        return self._change(given, text=text, entities=entities)

    def _editMessageReplyMarkup(self, given: Mapping[str, Any]) -> Json:
        check_keyboard(given.get("reply_markup"))
        return self._change(given)

    def _change(self, given: Mapping[str, Any], **content: Any) -> Json:
        chat = self._open_chat(given)
        standing = self.world.standing(chat, int(given["message_id"]))
        if standing["from"]["id"] != BOT:
            raise bad("message can't be edited")
        new = {**standing, **content, "reply_markup": given.get("reply_markup") or {}}
        same = all(new.get(k, []) == standing.get(k, []) for k in ("text", "entities"))
        if same and new["reply_markup"] == standing.get("reply_markup", {}):
            raise bad(
                "message is not modified: specified new message content and reply markup are "
                "exactly the same as a current content and reply markup of the message"
            )
        standing.update({**new, "edit_date": self.world.now()})
        if not standing["reply_markup"]:
            del standing["reply_markup"]
        return standing

    def _deleteMessage(self, given: Mapping[str, Any]) -> bool:
        chat = self._open_chat(given)
        if self.world.messages.pop((chat, int(given["message_id"])), None) is None:
            raise bad("message to delete not found")
        return True

    def _answerCallbackQuery(self, given: Mapping[str, Any]) -> bool:
        self.answered.append(str(given["callback_query_id"]))
        return True

    def _sendChatAction(self, given: Mapping[str, Any]) -> bool:
        self.actions.append((self._open_chat(given), str(given["action"])))
        return True

    def _setMessageReaction(self, given: Mapping[str, Any]) -> bool:
        chat = self._open_chat(given)
        emoji = "".join(str(one["emoji"]) for one in given.get("reaction") or ())
        self.world.reactions[chat, int(given["message_id"]), BOT] = emoji
        return True

    def _getChat(self, given: Mapping[str, Any]) -> Json:
        gifts = dict.fromkeys(
            "unlimited_gifts limited_gifts unique_gifts premium_subscription "
            "gifts_from_channels".split(),
            False,
        )
        return {
            **self.world.chat(self._open_chat(given)),
            "accent_color_id": 0,
            "max_reaction_count": 11,
            "accepted_gift_types": gifts,
        }

    def _getChatMember(self, given: Mapping[str, Any]) -> Json:
        id = int(given["user_id"])
        there = id in self.world.members.get(self._open_chat(given), [])
        return {"status": "member" if there else "left", "user": user(id)}

    def _getChatMemberCount(self, given: Mapping[str, Any]) -> int:
        return len(self.world.members.get(self._open_chat(given), [])) + 1

    def _getChatAdministrators(self, given: Mapping[str, Any]) -> list[Json]:
        chat = self._open_chat(given)
        if chat > 0:
            raise bad("there are no administrators in the private chat")
        first = self.world.members.get(chat, [])[:1]
        return [{"status": "creator", "user": user(id), "is_anonymous": False} for id in first]

    def _getFile(self, given: Mapping[str, Any]) -> Json:
        id = str(given["file_id"])
        if id not in self.world.files:
            raise bad("wrong file_id or the file is temporarily unavailable")
        path, content = self.world.files[id]
        if id in self.world.big_files or len(content) > DOWNLOAD:
            raise bad("file is too big")
        return {
            "file_id": id,
            "file_unique_id": f"u{id}",
            "file_size": len(content),
            "file_path": path,
        }

    def _open_chat(self, given: Mapping[str, Any]) -> int:
        """The chat of a call, or why the bot cannot act there."""
        try:
            chat = int(given["chat_id"])
        except (KeyError, ValueError):
            raise bad("chat_id is empty") from None
        if chat in self.world.moved:
            new = self.world.moved[chat]
            raise bad("group chat was upgraded to a supergroup chat", migrate_to_chat_id=new)
        if chat in self.world.blocked:
            why = "blocked by the user" if chat > 0 else "kicked from the supergroup chat"
            raise ApiError(403, f"Forbidden: bot was {why}")
        if not self.world.knows(chat):
            raise bad("chat not found")
        return chat
