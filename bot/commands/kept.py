"""Orders about reminders: what is set, and one that is to be no more."""

from agency import intentions, schedules
from bot.commands.asked import Asked
from bot.timed import keeping, wording
from bot.timed.keeping import Keeping
from bot.tools.reminders import wished_here
from memory.db import Reader, Tx


class Kept:
    """Lists and cancels without a model."""

    def __init__(self, keeper: Keeping) -> None:
        self._keeper = keeper

    def reminders(self, reader: Reader, asked: Asked) -> str:
        """What is set and waited for, as far as it may be spoken of here."""
        found = keeping.visible(reader, asked.session.id, asked.person)
        lines = [self._line(reader, asked, one) for one in found]
        lines += [
            wording.text("waiting", asked.lang, id=one.id, condition=one.body)
            for one in wished_here(reader, asked.session.id, asked.person)
        ]
        if not lines:
            return wording.text("none", asked.lang)
        return "\n".join([wording.text("list", asked.lang), *lines])

    def cancel(self, tx: Tx, asked: Asked) -> str:
        """One by its number."""
        said = asked.command.argument.strip().casefold()
        kind, number = said[0], int(said[1:])
        if kind == "n":
            return self._drop(tx, asked, number)
        found = schedules.find(tx, number)
        if found is None or not keeping.may_end(tx, found, asked.person):
            return wording.text("unknown", asked.lang, id=said)
        if not self._keeper.cancel(tx, found, reason="cancelled by a command"):
            return wording.text("unknown", asked.lang, id=said)
        return wording.text("cancelled", asked.lang, id=found.id, text=found.body)

    def _drop(self, tx: Tx, asked: Asked, number: int) -> str:
        found = intentions.find(tx, number)
        own = found is not None and found.wish and found.wish.person_id == asked.person
        if found is None or not own:
            return wording.text("unknown", asked.lang, id=f"n{number}")
        self._keeper.drop_wish(tx, found, reason="cancelled by a command")
        return wording.text("let go", asked.lang, id=number, text=found.body)

    def _line(self, reader: Reader, asked: Asked, one: schedules.Schedule) -> str:
        row = keeping.row(reader, one, asked.lang, now=asked.now)
        who = ""
        if one.person_id is not None and one.person_id != asked.person:
            who = wording.text("for person", asked.lang, name=row["for"])
        elif one.target_id != asked.session.id:
            who = wording.text("for room", asked.lang, room=row["in"])
        name = "line task" if one.kind is schedules.Kind.TASK else "line"
        return wording.text(name, asked.lang, id=one.id, when=row["when"], text=one.body, who=who)
