"""What a letter says and whom it may call, before it takes any platform's form."""

from adapters import letters
from adapters.chat import Address, Author, Outgoing

ROOM = Address(platform="slack", account="T1", chat="C1")


def called(*people: tuple[str, str]) -> dict[str, str]:
    authors = tuple(Author(id=id, name=name) for name, id in people)
    return dict(letters.people(Outgoing(key="k", room=ROOM, text="", people=authors)))


def test_a_name_that_people_share_calls_none_of_them_however_it_is_written() -> None:
    assert called(("Ana", "1"), ("ana", "2"), ("Bo", "3")) == {"Ana": "", "ana": "", "Bo": "3"}


def test_somebody_named_twice_is_still_one_person() -> None:
    assert called(("Ana", "1"), ("Ana", "1"), ("", "2")) == {"Ana": "1"}


def test_only_a_possible_repeat_is_marked_in_its_own_language() -> None:
    said = {
        (text, repeat): letters.words(
            Outgoing(key="k", room=ROOM, text=text, possible_repeat=repeat)
        )
        for text in ("Done.", "已完成。")
        for repeat in (False, True)
    }
    assert said["Done.", False] == "Done."
    assert said["Done.", True] == "(possibly a repeat)\n\nDone."
    assert said["已完成。", True] == "（可能重复）\n\n已完成。"
