"""Markdown as each platform wants it, and cut to what fits one message there.

text ──► parser ──► tree ──► slack | telegram | feishu | plain
                     └─────► pages (cut) ──► writer ──► Markdown pieces
"""
