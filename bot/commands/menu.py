"""The commands a platform's menu offers, each with a line in both languages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One command of a menu."""

    name: str
    """Behind the slash; Latin, since menus take nothing else."""
    en: str
    zh: str


MENU = (
    Line("help", "What I do and what you can order", "我能做什么、可以怎么吩咐我"),
    Line("status", "How I am", "我现在怎么样"),
    Line("who", "What I am, and what I keep", "我是什么、会保存什么"),
    Line("why", "What led to my last unasked message", "我上次主动开口的来由"),
    Line("stop", "Break off what I am doing here", "停下我在这里正做的事"),
    Line("pause", "Only listen for a while: /pause 2h", "一段时间只听不说：/pause 2h"),
    Line("resume", "Speak again", "恢复说话"),
    Line("quiet", "Nothing unasked in these hours: /quiet 22:00-08:00", "这段时间不主动打扰"),
    Line(
        "forget", "Forget a message: reply to it, or your last one", "忘掉回复的那条，或你的上一条"
    ),
    Line("approvals", "What I wait for your word on", "等你点头的事"),
    Line("consents", "What you allowed, and taking it back", "你同意过的事，可以收回"),
    Line("inbox", "What waits for you (in a DM)", "等你的事（在私聊里）"),
    Line("digest", "The hour of your digest: /digest 8:30", "每天几点给你摘要：/digest 8:30"),
    Line("report", "What I did today (in a DM)", "我今天做了什么（在私聊里）"),
    Line("link", "Join your accounts (in a DM)", "合并你的账号（在私聊里）"),
)
