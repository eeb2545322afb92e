"""Names are found in texts through an index, as a look at every name would find them."""

import re
from random import Random

from memory import people
from memory.names import starts, starts_in
from tests.fakes.town import Town

NAMES = (
    "Ana", "Bo", "O'Brien", "Jean-Luc Picard", "Émile", "Zoë Müller", "Иван", "Ян",
    "王小明", "欧阳 娜", "李", "さくら", "김민수", "สมชาย",
    "R2D2", "x_y", "ANA MARIA", "Łukasz", "José", "🙂", "❤️", "...", "Sıla", "İpek", "Ğ",
)  # fmt: skip
TEXTS = (
    "Ask Ana and Bo about it.", "ana-maria was here", "O'Brien said no",
    "Did jean-luc picard call?", "Émile et émile", "zoë müller: ja",
    "Скажите Ивану", "Яна и Ян", "r2d2!", "x_y", "Anabel",
    "请告诉王小明和李总", "欧阳 娜在吗", "Ana和王小明",
    "さくらさんは", "김민수가 왔다", "บอกสมชายหน่อย",
    "Łukasz", "JOSÉ", "", "nobody", "１２ Ａｎａ", "①Ana去，②Bo来", "№R2D2", "éAna",
    "🙂 is away", "ask❤️and...", "SILA, Sila", "ipek İPEK", "\x00 \ud83d\x01🙂ğ",
)  # fmt: skip


def test_whoever_a_look_at_every_name_finds_is_found(town: Town) -> None:
    known = {town.person(name): name for name in NAMES}
    for text in TEXTS:
        every = {
            id for id, name in known.items() if re.search(people.as_word(name), text, re.IGNORECASE)
        }
        assert set(people.named(town.tx, text)) == every, text


def test_those_most_of_whose_name_is_there_are_found_where_many_share_a_word(town: Town) -> None:
    ids = [town.person(f"{sign}{n} Long") for sign in "abc" for n in range(8)]
    found = people.mentioned(town.tx, "I saw c7 Long, and b2 long.", limit=4)
    assert {ids[10], ids[23]} <= {one.id for one in found}
    assert found == sorted(found, key=lambda one: one.name)


def test_initials_of_many_crowd_out_nobody(town: Town) -> None:
    for n in range(60):
        town.person(f"A{n:02} {'bcdfgh'[n % 6].upper()}.")
    zoe, wim = town.person("Zoe"), town.person("Wim K.")
    text = "Zoe could not find the dog; Wim K. has gone for help, but heard from Carl."
    assert {one.id for one in people.mentioned(town.tx, text, limit=20)} == {zoe, wim}


def test_few_are_read_however_many_there_are(town: Town) -> None:
    random = Random(4)
    for _ in range(80):
        town.person("".join(random.choices("bcdfghjklmnpqrstvwxz", k=8)))
    ana = town.person("Ana")
    found = people.mentioned(town.tx, "Please ask Ana whether the bread is ready by Friday.")
    assert ana in {one.id for one in found}
    assert len(found) < 10


def test_a_name_is_filed_as_it_is_now(town: Town) -> None:
    ana = town.person("Ana")
    account = people.Account(platform="web", tenant="main", native_id="ana", name="Berta")
    assert people.resolve(town.tx, account, now_us=2) == ana
    assert people.named(town.tx, "Ana or Berta") == [ana]
    assert not people.mentioned(town.tx, "Ana")
    people.erase(town.tx, ana, now_us=3)
    assert not people.mentioned(town.tx, "Ana, Berta")
    assert not town.tx.all("SELECT start FROM name_starts")


def test_names_of_an_older_version_are_found_and_then_filed(town: Town) -> None:
    ana = town.person("Ana")
    town.tx.run("DELETE FROM name_starts")
    town.tx.run("UPDATE people SET filed = 0")
    assert people.named(town.tx, "Is Ana in?") == [ana]
    assert people.mentioned(town.tx, "nobody"), "one that is not filed is looked at every time"
    assert people.file_names(town.tx) == 1
    assert people.file_names(town.tx) == 0
    assert people.named(town.tx, "Is Ana in?") == [ana]
    assert not people.mentioned(town.tx, "nobody")


def test_whoever_was_joined_to_another_is_called_like_them(town: Town) -> None:
    ana, other = town.person("Ana"), town.person("Anastasia")
    people.merge(town.tx, other, ana, reason="test", now_us=2)
    assert people.named(town.tx, "Ana, Anastasia") == [ana]
    assert people.called(town.tx, [ana, other, 99]) == {ana: "Ana"}


def test_a_name_begins_with_its_words_or_else_with_its_first_sign() -> None:
    assert starts_in("— !! …") == {"—", "!", "."}
    assert starts("🙂!") == {"🙂"}
    assert starts(" ") == frozenset()
    assert starts("Jean-Luc") == {"jean", "luc "}
    assert starts("欧阳 娜") == {"欧阳", "娜 "}
