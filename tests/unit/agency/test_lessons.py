"""What somebody calls not useful is told less, longer each time, and never for ever."""

from datetime import UTC, datetime, timedelta

import pytest

from agency import engagement, feedback, lessons
from agency.feedback import Kind
from memory import audiences, people
from memory.audiences import Audience
from memory.db import Database, Reader, Tx
from memory.moments import to_us
from memory.people import Account

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
DAY = timedelta(days=1)
ANA, BO, WEI = 1, 2, 3
ROOM = 7


def tell(tx: Tx, number: int, at: datetime = NOW, subject: str = "canary release") -> int:
    feedback.told(tx, original=number, handoff=number, session=ROOM, subject=subject, now=at)
    return feedback.of_original(tx, number)[0].id


async def unwanted(db: Database, subject: str, *persons: int, now: datetime = NOW) -> str:
    def look(reader: Reader) -> str:
        return engagement.of(reader, ROOM, persons, subject, now=now).unwanted

    return await db.read(look)


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("canary release path", "the canary release"),
        ("灰度发布流程", "灰度发布流程改了"),
    ],
)
async def test_a_refusal_lowers_its_subject_for_that_person_alone(
    db: Database, said: str, again: str
) -> None:
    def refuse(tx: Tx) -> None:
        lessons.learn(tx, ANA, tell(tx, 1, subject=said), said, now=NOW)

    await db.write(refuse)

    assert await unwanted(db, again, ANA) == said
    assert await unwanted(db, again, BO) == ""
    assert await unwanted(db, "office party budget", ANA) == ""


async def test_a_refusal_runs_out(db: Database) -> None:
    def refuse(tx: Tx) -> None:
        lessons.learn(tx, ANA, tell(tx, 1), "canary release", now=NOW)

    await db.write(refuse)

    assert await unwanted(db, "canary release", ANA, now=NOW + lessons.FIRST - DAY)
    assert not await unwanted(db, "canary release", ANA, now=NOW + lessons.FIRST)


async def test_each_further_refusal_holds_twice_as_long_up_to_a_limit(db: Database) -> None:
    def refuse(tx: Tx) -> list[timedelta]:
        held = []
        for number in range(1, 8):
            at = NOW + number * 100 * DAY
            lesson = lessons.learn(tx, ANA, tell(tx, number, at), "canary release", now=at)
            held.append(lesson.until - at)
        return held

    lengths = await db.write(refuse)

    assert lengths[:3] == [lessons.FIRST, 2 * lessons.FIRST, 4 * lessons.FIRST]
    assert lengths[-1] == lessons.LONGEST


async def test_a_refusal_that_was_taken_back_counts_for_nothing(db: Database) -> None:
    def refuse(tx: Tx) -> timedelta:
        first = lessons.learn(tx, ANA, tell(tx, 1), "canary release", now=NOW)
        assert lessons.end(tx, first.id, now=NOW)
        return lessons.learn(tx, ANA, tell(tx, 2), "canary release", now=NOW).until - NOW

    assert await db.write(refuse) == lessons.FIRST


async def test_a_room_is_told_less_when_half_of_it_says_so(db: Database) -> None:
    def settle(tx: Tx) -> None:
        for name in ("Ana", "Bo", "Wei"):
            account = Account(platform="web", tenant="web", native_id=name, name=name)
            people.resolve(tx, account, now_us=to_us(NOW))
        room = Audience(
            session_id=ROOM,
            title="project",
            direct=False,
            open=True,
            workspace="team",
            complete=True,
            outsiders=False,
            members=frozenset({ANA, BO, WEI}),
        )
        audiences.record(tx, room, now_us=to_us(NOW))
        lessons.learn(tx, ANA, tell(tx, 1), "canary release", now=NOW)

    await db.write(settle)
    assert await unwanted(db, "canary release") == ""

    def second(tx: Tx) -> None:
        lessons.learn(tx, BO, tell(tx, 2), "canary release", now=NOW)

    await db.write(second)
    assert await unwanted(db, "canary release") == "canary release"


async def ignored(db: Database, now: datetime) -> bool:
    def look(reader: Reader) -> bool:
        return engagement.of(reader, ROOM, (), "anything", now=now).ignored

    return await db.read(look)


async def test_a_chat_that_lets_everything_pass_counts_as_ignoring(db: Database) -> None:
    def settle(tx: Tx) -> None:
        for number in range(engagement.SAMPLE):
            tell(tx, number, NOW - 3 * DAY)

    await db.write(settle)

    assert await ignored(db, NOW)
    assert not await ignored(db, NOW - 2 * DAY - timedelta(minutes=1)), "it may still be answered"
    assert not await ignored(db, NOW + engagement.WINDOW), "what is old says nothing of today"


@pytest.mark.parametrize("kind", [Kind.REPLY, Kind.REACTION, Kind.LIKED, Kind.ACTED])
async def test_one_response_of_any_kind_is_attention(db: Database, kind: Kind) -> None:
    def settle(tx: Tx) -> None:
        for number in range(engagement.SAMPLE):
            telling = tell(tx, number, NOW - 3 * DAY)
        feedback.respond(tx, telling, ANA, kind, now=NOW)

    await db.write(settle)
    assert not await ignored(db, NOW)


async def test_two_people_who_are_one_keep_what_either_said(db: Database) -> None:
    def settle(tx: Tx) -> None:
        telling = tell(tx, 1)
        feedback.respond(tx, telling, ANA, Kind.LIKED, now=NOW)
        feedback.respond(tx, telling, BO, Kind.LIKED, now=NOW)
        lessons.learn(tx, BO, telling, "canary release", now=NOW)
        feedback.rehome(tx, BO, ANA)
        lessons.rehome(tx, BO, ANA)

    await db.write(settle)
    found = await db.read(feedback.responses, 1)
    assert [one.person_id for one in found] == [ANA]
    assert await unwanted(db, "canary release", ANA)
