"""Files belong to their original: found with it, gone with it."""

import pytest

from memory import files, originals, search
from memory.files import Sent, State
from memory.originals import Kind, Saying
from tests.fakes.town import Town

ADDRESS = "web:main/c#1"


def said(town: Town, text: str = "see this", *sent: str) -> int:
    saying = Saying(
        session_id=1, kind=Kind.MESSAGE, author="Ana", body=text, said_us=1, address=ADDRESS
    )
    id = originals.keep(town.tx, saying, now_us=1)
    assert id is not None
    keep(town, id, *sent)
    return id


def keep(town: Town, original: int, *names: str) -> None:
    wanted = [Sent(locator=f"at {n}", name=n, mime="text/plain", size=None) for n in names]
    with originals.reindexing(town.tx, original):
        files.keep(town.tx, original, wanted, now_us=town.us)


def read(town: Town, file: int, original: int, text: str, picture: str = "") -> bool:
    with originals.reindexing(town.tx, original):
        return files.read(town.tx, file, text=text, picture=picture)


def found(town: Town, words: str) -> list[int]:
    hits = search.originals(town.tx, words, visible=lambda _: True, limit=9)
    recalled = search.recall_originals(town.tx, words, visible=lambda _: True, limit=9)
    assert [one.id for one in hits] == [one.id for one in recalled]
    return [one.id for one in hits]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The lease of the warehouse ends in May.", "when does the warehouse lease end?"),
        ("仓库的租约五月到期。", "仓库租约什么时候到期？"),
    ],
)
def test_a_message_is_found_by_what_its_file_says(town: Town, text: str, words: str) -> None:
    original = said(town, "here you go", "scan.pdf")
    assert found(town, words) == []
    [file] = files.of_original(town.tx, original)
    assert read(town, file.id, original, text)
    assert found(town, words) == found(town, "scan.pdf") == [original]


def test_a_file_can_be_found_by_its_name_before_it_is_read(town: Town) -> None:
    original = said(town, "", "budget-2027.xlsx")
    assert found(town, "budget 2027") == [original]


def test_a_recalled_message_takes_its_files_along(town: Town) -> None:
    original = said(town, "", "secret.pdf")
    [file] = files.of_original(town.tx, original)
    read(town, file.id, original, "the vault code", "7.png")
    originals.recall(town.tx, ADDRESS, now_us=2)
    assert found(town, "vault code") == found(town, "secret.pdf") == []
    assert files.of_original(town.tx, original) == []
    assert files.words_of(town.tx, [original]) == {}
    assert files.gone(town.tx, limit=9) == {file.id: "7.png"}
    files.remove(town.tx, [file.id])
    assert files.gone(town.tx, limit=9) == {}
    stored = dict(town.tx.all("SELECT * FROM files")[0])
    assert "vault" not in str(stored)
    assert "secret" not in str(stored)


def test_what_was_read_too_late_is_not_kept(town: Town) -> None:
    original = said(town, "", "a.txt")
    [file] = files.of_original(town.tx, original)
    originals.recall(town.tx, ADDRESS, now_us=2)
    assert not read(town, file.id, original, "too late")
    assert not files.begin(town.tx, file.id)
    assert found(town, "late") == []


def test_an_edit_keeps_the_files_it_still_has(town: Town) -> None:
    original = said(town, "two papers", "a.txt", "b.txt")
    a, b = files.of_original(town.tx, original)
    read(town, a.id, original, "apples")
    read(town, b.id, original, "bananas")
    originals.revise(town.tx, ADDRESS, "one paper and one more", version=2, now_us=2)
    assert found(town, "apples") == found(town, "bananas") == [original]
    keep(town, original, "a.txt", "c.txt")
    keep(town, original, "a.txt", "c.txt")
    assert found(town, "apples") == [original]
    assert found(town, "bananas") == []
    shown = [(one.name, one.state) for one in files.of_original(town.tx, original)]
    assert shown == [("a.txt", State.READ), ("c.txt", State.WAITING)]


def test_what_is_put_off_is_due_later_and_expected_only_when_that_is_soon(town: Town) -> None:
    original = said(town, "", "a.txt")
    [file] = files.of_original(town.tx, original)
    assert [one.id for one in files.due(town.tx, now_us=town.us, limit=9)] == [file.id]
    assert files.expected(town.tx, until_us=town.us + 1) == {original}
    files.begin(town.tx, file.id)
    files.put_off(town.tx, file.id, due_us=town.us + 100)
    assert files.due(town.tx, now_us=town.us, limit=9) == []
    assert files.next_due(town.tx, now_us=town.us) == town.us + 100
    assert files.expected(town.tx, until_us=town.us + 100) == frozenset()
    [later] = files.due(town.tx, now_us=town.us + 100, limit=9)
    assert later.attempts == 1


def test_a_file_given_up_says_why_and_is_not_fetched_again(town: Town) -> None:
    original = said(town, "", "a.txt")
    [file] = files.of_original(town.tx, original)
    files.refuse(town.tx, file.id, "too large: 30 MB")
    [shown] = files.of_original(town.tx, original)
    assert (shown.state, shown.note) == (State.UNREADABLE, "too large: 30 MB")
    assert files.due(town.tx, now_us=town.us, limit=9) == []
    assert files.next_due(town.tx, now_us=0) is None
