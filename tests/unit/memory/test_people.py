"""People are one person on every platform, as far as an address tells."""

from memory import people
from memory.db import Database, Tx
from memory.people import Account
from tests.fakes.town import Town


def account(platform: str, id: str, name: str, **more: object) -> Account:
    return Account(platform=platform, tenant="t", native_id=id, name=name, **more)  # type: ignore[arg-type]


def resolve(town: Town, given: Account) -> int:
    return people.resolve(town.tx, given, now_us=1)


def test_an_account_is_the_same_person_for_ever(town: Town) -> None:
    one = resolve(town, account("slack", "U1", "Ana"))
    assert resolve(town, account("slack", "U1", "Ana")) == one
    assert resolve(town, account("slack", "U2", "Ana")) != one
    assert resolve(town, account("feishu", "U1", "Ana")) != one


def test_the_same_address_on_two_platforms_is_one_person(town: Town) -> None:
    one = resolve(town, account("slack", "U1", "Ana", email="Ana@Example.com "))
    two = resolve(town, account("feishu", "ou_1", "安娜", email="ana@example.com"))
    assert one == two
    assert [a.platform for a in people.accounts(town.tx, one)] == ["slack", "feishu"]


def test_an_address_shown_later_is_learnt(town: Town) -> None:
    one = resolve(town, account("slack", "U1", "Ana"))
    resolve(town, account("slack", "U1", "Ana", email="ana@example.com"))
    assert resolve(town, account("feishu", "ou_1", "Ana", email="ana@example.com")) == one


def test_two_people_who_are_known_already_stay_two(town: Town) -> None:
    one = resolve(town, account("slack", "U1", "Ana", email="ana@example.com"))
    two = resolve(town, account("feishu", "ou_1", "Ana"))
    assert resolve(town, account("feishu", "ou_1", "Ana", email="ana@example.com")) == two != one


def test_a_bot_is_nobody_by_its_address(town: Town) -> None:
    one = resolve(town, account("slack", "U1", "Ana", email="ops@example.com"))
    bot = resolve(town, account("slack", "B1", "Ops", email="ops@example.com", is_bot=True))
    assert bot != one
    found = people.find(town.tx, bot)
    assert found is not None
    assert found.is_bot


def test_a_person_is_called_what_their_last_used_account_is_called(town: Town) -> None:
    one = resolve(town, account("slack", "U1", "Ana"))
    resolve(town, account("slack", "U1", "Ana Maria"))
    found = people.find(town.tx, one)
    assert found is not None
    assert found.name == "Ana Maria"
    assert people.of_account(town.tx, "slack", "t", "U1") == one
    assert people.of_account(town.tx, "slack", "t", "U9") is None
    assert people.find(town.tx, 99) is None
    assert [p.name for p in people.everyone(town.tx)] == ["Ana Maria"]


async def test_people_are_found_by_the_names_a_text_holds(db: Database) -> None:
    def act(tx: Tx) -> list[list[int]]:
        ids = {
            name: people.resolve(
                tx,
                Account(platform="web", tenant="local", native_id=name, name=name),
                now_us=1,
            )
            for name in ("Ana", "Bo", "莫然")
        }
        texts = ("What did Ana promise?", "ana答应了什么", "Banana boat", "莫然说什么了", "(bo)")
        named = [people.named(tx, text) for text in texts]
        assert named == [[ids["Ana"]], [ids["Ana"]], [], [ids["莫然"]], [ids["Bo"]]]
        return named

    await db.write(act)
