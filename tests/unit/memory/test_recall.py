"""What is recalled before a run: rare words however old, common ones only where they are new."""

import pytest

from memory import facts, originals, search
from memory.db import Database, Tx
from memory.originals import Kind, Saying


def _say(tx: Tx, session: int, *bodies: str) -> list[int | None]:
    sayings = (
        Saying(session_id=session, kind=Kind.MESSAGE, author="Ana", body=body, said_us=1)
        for body in bodies
    )
    return [originals.keep(tx, saying, now_us=1) for saying in sayings]


def _anybody(session: int) -> bool:
    return True


@pytest.mark.parametrize(
    ("old", "chatter", "question"),
    [
        ("The turbine contract is signed.", "The invoice came again.", "turbine or invoice?"),
        ("冷却塔的合同签好了。", "今天又来了一张发票。", "冷却塔和发票怎么样了？"),
    ],
)
async def test_a_rare_word_is_recalled_however_old(
    db: Database, old: str, chatter: str, question: str
) -> None:
    await db.write(_say, 1, old)
    await db.write(_say, 1, *[chatter] * (search.NEWEST + 20))
    found = await db.read(search.recall_originals, question, visible=_anybody, limit=3)
    assert found[0].body == old
    assert [one.body for one in found[1:]] == [chatter, chatter]


async def test_more_shared_words_come_first_then_what_is_newer(db: Database) -> None:
    bodies = ("The gateway moves.", "The gateway moves on Friday.", "The gateway waits.")
    await db.write(_say, 1, *bodies)
    found = await db.read(
        search.recall_originals, "Does the gateway move on Friday?", visible=_anybody, limit=5
    )
    assert [one.body for one in found] == [bodies[1], bodies[0], bodies[2]]


async def test_what_may_not_be_shown_takes_no_place(db: Database) -> None:
    await db.write(_say, 2, *["secret gateway"] * 20)
    shown = await db.write(_say, 1, "gateway one", "gateway two")
    found = await db.read(
        search.recall_originals,
        "secret gateway",
        visible=lambda session: session == 1,
        limit=2,
        exclude=frozenset({shown[0] or 0}),
    )
    assert [one.body for one in found] == ["gateway two"]


async def test_only_facts_that_stand_are_recalled(db: Database) -> None:
    def learn(tx: Tx) -> None:
        (source,) = _say(tx, 1, "The gateway is Mo's now.")
        lesson = facts.Lesson(
            kind="owner", body="Mo owns the gateway.", subject="gateway", sources=(source or 0,)
        )
        facts.learn(tx, 1, [lesson], run=None, now_us=1)

    await db.write(learn)
    found = await db.read(search.recall_facts, "who owns the gateway?", visible=_anybody, limit=3)
    assert [one.body for one in found] == ["Mo owns the gateway."]
    await db.write(facts.forget_source, 1)
    assert not await db.read(search.recall_facts, "the gateway", visible=_anybody, limit=3)


async def test_nothing_asked_recalls_nothing(db: Database) -> None:
    await db.write(_say, 1, "hello")
    assert not await db.read(search.recall_originals, "?!", visible=_anybody, limit=3)
