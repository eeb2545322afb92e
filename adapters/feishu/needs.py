"""What the app needs in the developer console: permissions, events, callbacks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """A permission; any one of `names` will do."""

    names: tuple[str, ...]
    english: str
    chinese: str
    needed: bool = True
    """Without it Limen cannot do its work; otherwise only something is missing."""


SCOPES = (
    Scope(
        ("im:message:send_as_bot", "im:message"), "Send messages as an app", "以应用的身份发消息"
    ),
    Scope(
        ("im:message.group_msg",),
        "Read all messages in associated group chats",
        "获取群组中所有消息",
    ),
    Scope(
        ("im:message.p2p_msg:readonly", "im:message.p2p_msg", "im:message"),
        "Read private messages sent to the bot",
        "读取用户发给机器人的单聊消息",
    ),
    Scope(
        ("im:message:readonly", "im:message"),
        "Read private and group messages",
        "获取单聊、群组消息",
    ),
    Scope(("im:resource",), "Read and upload images or other files", "获取与上传图片或文件资源"),
    Scope(
        ("im:chat:readonly", "im:chat:read", "im:chat"),
        "Read group information",
        "获取群组信息",
    ),
    Scope(
        ("im:chat.members:read", "im:chat"),
        "Read group members",
        "查看群成员",
    ),
    Scope(
        ("im:message.reactions:write_only", "im:message"),
        "Send and delete message reactions",
        "发送、删除消息表情回复",
        needed=False,
    ),
    Scope(
        ("im:message.reactions:read", "im:message"),
        "Read message reactions",
        "查看消息表情回复",
        needed=False,
    ),
    Scope(
        ("contact:contact.base:readonly", "contact:contact:readonly"),
        "Read contacts",
        "获取通讯录基本信息",
        needed=False,
    ),
    Scope(
        ("contact:user.base:readonly", "contact:contact:readonly"),
        "Read basic user information",
        "获取用户基本信息",
        needed=False,
    ),
    Scope(
        ("contact:user.email:readonly",),
        "Read user email",
        "获取用户邮箱信息",
        needed=False,
    ),
)

EVENTS = {
    "im.message.receive_v1": "接收消息",
    "im.message.recalled_v1": "撤回消息",
    "im.message.reaction.created_v1": "新增消息表情回复",
    "im.message.reaction.deleted_v1": "删除消息表情回复",
    "im.chat.member.user.added_v1": "用户进群",
    "im.chat.member.user.deleted_v1": "用户出群",
    "im.chat.member.bot.added_v1": "机器人进群",
    "im.chat.member.bot.deleted_v1": "机器人被移出群",
    "im.chat.updated_v1": "群配置修改",
    "im.chat.disbanded_v1": "解散群",
}
"""What to subscribe to, with its name in the console."""
CALLBACKS = {"card.action.trigger": "卡片回传交互"}
"""So that buttons work."""
