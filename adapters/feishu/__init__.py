"""Feishu and Lark: a long connection for what comes in, REST for what goes out."""
