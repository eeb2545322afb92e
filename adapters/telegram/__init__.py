"""Telegram as a chat: the Bot API with long polling."""
