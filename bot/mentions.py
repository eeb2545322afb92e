"""Whom the bot may mention in a room: the people known there, by their ids on its platform."""

from adapters.chat import Author
from bot.engine.letters import Letter
from memory import audiences, people
from memory.db import Reader


def known(reader: Reader, letter: Letter) -> tuple[Author, ...]:
    """The people of a letter's room that have an account where it goes; bots are left out."""
    audience = audiences.find(reader, letter.session_id)
    return tuple(
        Author(id=account.native_id, name=account.name)
        for person in sorted(audience.members if audience else ())
        for account in people.accounts(reader, person)
        if account.platform == letter.address.platform and account.tenant == letter.address.account
    )
