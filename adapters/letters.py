"""A letter before it takes any platform's form: its words, and whom they may call."""

from collections.abc import Mapping

from adapters.chat import Outgoing
from adapters.markdown import plain


def words(letter: Outgoing) -> str:
    """The Markdown, with a line above where it may have been posted already."""
    if not letter.possible_repeat:
        return letter.text
    return f"{plain.repeat_mark(letter.text)}\n\n{letter.text}"


def people(letter: Outgoing) -> Mapping[str, str]:
    """Ids by name; of a name that people share it is empty, as the wrong one might be called."""
    ids: dict[str, set[str]] = {}
    for person in letter.people:
        ids.setdefault(person.name.casefold(), set()).add(person.id)
    return {
        person.name: person.id if len(ids[person.name.casefold()]) == 1 else ""
        for person in letter.people
        if person.name
    }
