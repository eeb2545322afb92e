"""Facts rest on originals, and fall with them."""

from memory import facts, search
from memory.facts import Lesson
from memory.sqlite import SqliteSession
from tests.fakes.town import Town


def lesson(*sources: int, body: str = "The fridge is repaired on Friday.") -> Lesson:
    return Lesson(kind="deadline", body=body, subject="fridge 冰箱", sources=sources)


def found(town: Town, text: str) -> list[int]:
    return [one.id for one in search.facts(town.tx, text, visible=lambda _: True, limit=9)]


def test_a_fact_is_learnt_once_and_leads_back_to_its_sources(town: Town) -> None:
    room = town.room("general")
    one, two = town.say(room, None, "a"), town.say(room, None, "b")
    (id,) = facts.learn(town.tx, room, [lesson(one, two)], run=7, now_us=1)
    assert facts.learn(town.tx, room, [lesson(two, one)], run=8, now_us=2) == []
    assert facts.sources(town.tx, id) == [one, two]
    assert [fact.id for fact in facts.of_run(town.tx, 7)] == [id]
    assert [fact.subject for fact in facts.of_session(town.tx, room, limit=9)] == ["fridge 冰箱"]
    assert found(town, "repaired") == found(town, "冰箱") == [id]


def test_a_fact_falls_with_any_of_its_sources(town: Town) -> None:
    room = town.room("general")
    one, two = town.say(room, None, "a"), town.say(room, None, "b")
    facts.learn(town.tx, room, [lesson(one, two), lesson(two, body="kept")], run=1, now_us=1)
    assert facts.forget_source(town.tx, one) == 1
    assert facts.forget_source(town.tx, one) == 0
    assert [fact.body for fact in facts.of_session(town.tx, room, limit=9)] == ["kept"]
    assert found(town, "repaired") == []
    if isinstance(town.session, SqliteSession):
        town.tx.run("INSERT INTO facts_text (facts_text) VALUES ('integrity-check')")


def test_facts_of_a_dm_are_not_found_from_a_group(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    dm, room = town.dm(ana), town.room("project", ana, bo)
    said = town.say(dm, ana, "private")
    facts.learn(town.tx, dm, [lesson(said)], run=1, now_us=1)
    assert search.facts(town.tx, "fridge", visible=town.hears(room), limit=9) == []
    assert len(search.facts(town.tx, "fridge", visible=town.hears(dm), limit=9)) == 1


def test_a_checkpoint_moves_on_and_never_back(town: Town) -> None:
    assert facts.summary(town.tx, 1) == facts.Summary(body="", covered=0)
    facts.cover(town.tx, 1, body="about fridges", covered=5, now_us=1)
    facts.cover(town.tx, 1, body="", covered=9, now_us=2)
    facts.cover(town.tx, 1, body="", covered=3, now_us=3)
    assert facts.summary(town.tx, 1) == facts.Summary(body="about fridges", covered=9)
    assert facts.summary(town.tx, 2).body == ""
