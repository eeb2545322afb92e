"""`python -m bot` is the same as `limen`."""

from bot.cli import main

main()
