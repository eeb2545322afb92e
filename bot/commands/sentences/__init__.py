"""Sentences of answers, a file for each group of commands; `bot/commands/wording.py` joins them."""
