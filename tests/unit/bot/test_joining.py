"""Two people turn out to be one, in every table that names people."""

from agency import consents, mutes, personal
from bot.engine import inputs
from bot.engine.inputs import Entry, Trigger
from bot.joining import join
from memory import audiences, facts, links, originals, people
from memory.facts import Lesson
from memory.people import Account
from tests.fakes.town import Town

OWN_RECORDS = {"link_tries", "web_members", "web_events", "web_reactions"}
"""Whose `person_id` is the web chat's own id, or tries of a code."""


def settle(town: Town) -> tuple[int, int]:
    """Mo with two accounts, each with something said, learnt, heard and asked."""
    mo = town.person("Mo")
    other = people.resolve(
        town.tx,
        Account(platform="slack", tenant="T", native_id="U1", name="Mo P", email="mo@example.org"),
        now_us=town.us,
    )
    for person, zone in ((mo, "Europe/Berlin"), (other, "Asia/Shanghai")):
        personal.set_zone(town.tx, person, zone, now=town.now)
        mutes.mute_person(town.tx, person, f"subject {person}", now=town.now)
    personal.set_quota(town.tx, other, 3, now=town.now)
    for person, code in ((mo, "BCDF2345"), (other, "WXZW2345")):
        links.offer(town.tx, person, code, now_us=town.us)
        room = town.room(f"room-{person}", person)
        said = town.say(room, person, f"I am {person}")
        lesson = Lesson(kind="fact", body="x", subject="y", sources=(said,), person_id=person)
        facts.learn(town.tx, room, [lesson], run=None, now_us=town.us)
        entry = Entry(
            session_id=room,
            trigger=Trigger.MESSAGE,
            parts=(),
            key=f"k{person}",
            person_id=person,
            original_id=said,
        )
        inputs.add(town.tx, entry, now_us=town.us)
        proposal = town.proposal(town.room("target"), f"body {person}", (said,))
        handoff, _ = town.speaking().propose(town.tx, proposal, live=True)
        consents.ask(
            town.tx,
            handoff=handoff.id,
            person=person,
            source=room,
            target=handoff.target_id,
            body="b",
            originals=[said],
            now_us=town.us,
            expires_us=town.us + 1,
        )
    return mo, other


def test_no_table_is_left_with_the_one_who_is_gone(town: Town) -> None:
    mo, other = settle(town)
    join(town.tx, other, mo, reason="test", now_us=town.us)
    named = {table for table, columns in town.session.tables().items() if "person_id" in columns}
    assert {"accounts", "members", "originals", "facts", "consents", "inputs"} <= named
    for table in named - OWN_RECORDS:
        left = town.tx.one(
            f"SELECT COUNT(*) AS n FROM {table} WHERE person_id = :gone",  # noqa: S608
            gone=other,
        )
        assert left is not None
        assert left["n"] == 0, f"{table} still names the one who is gone"


def test_everything_of_both_is_of_one(town: Town) -> None:
    mo, other = settle(town)
    rooms = audiences.heard_by(town.tx, mo) | audiences.heard_by(town.tx, other)
    join(town.tx, other, mo, reason="test", now_us=town.us)
    assert audiences.heard_by(town.tx, mo) == rooms
    assert len(originals.said_by(town.tx, mo, limit=9)) == 2
    assert {one.platform for one in people.accounts(town.tx, mo)} == {"web", "slack"}
    assert [one.id for one in people.everyone(town.tx) if one.name.startswith("Mo")] == [mo]


def test_the_address_goes_along_so_that_a_third_account_is_known(town: Town) -> None:
    mo, other = settle(town)
    join(town.tx, other, mo, reason="test", now_us=town.us)
    third = Account(
        platform="feishu", tenant="T", native_id="ou", name="Mo", email="mo@example.org"
    )
    assert people.resolve(town.tx, third, now_us=town.us) == mo


def test_joining_somebody_with_themselves_changes_nothing(town: Town) -> None:
    mo, _ = settle(town)
    join(town.tx, mo, mo, reason="test", now_us=town.us)
    assert town.tx.one("SELECT 1 FROM joins") is None


def test_both_were_asked_the_same_and_each_word_stays(town: Town) -> None:
    mo, other = settle(town)
    [first] = [one for one in consents.asked(town.tx, limit=9) if one.person_id == mo]
    consents.ask(
        town.tx,
        handoff=first.handoff_id,
        person=other,
        source=first.source_id,
        target=first.target_id,
        body="b",
        originals=[],
        now_us=town.us,
        expires_us=town.us + 1,
    )
    join(town.tx, other, mo, reason="test", now_us=town.us)
    words = consents.of_handoff(town.tx, first.handoff_id)
    assert sorted(one.person_id for one in words) == sorted((mo, other))


def test_a_code_is_good_once_for_a_while_and_for_few_tries(town: Town) -> None:
    mo, other = settle(town)
    links.offer(town.tx, mo, "BCDF2345", now_us=town.us)
    for _ in range(links.TRIES - 1):
        assert links.redeem(town.tx, other, "XXXX2222", now_us=town.us) is None
    assert links.redeem(town.tx, other, "BCDF2345", now_us=town.us) == mo
    assert links.redeem(town.tx, other, "BCDF2345", now_us=town.us) is None
    links.offer(town.tx, mo, "GHJK2345", now_us=town.us)
    assert links.tried_out(town.tx, other, now_us=town.us)
    assert links.redeem(town.tx, other, "GHJK2345", now_us=town.us) is None
    town.now += links.MEMORY
    assert links.redeem(town.tx, other, "GHJK2345", now_us=town.us) is None, "it is too old"
    links.offer(town.tx, mo, "GHJK2345", now_us=town.us)
    assert links.redeem(town.tx, other, "GHJK2345", now_us=town.us) == mo


def test_codes_of_both_accounts_lead_to_one_person_and_not_round(town: Town) -> None:
    mo, other = settle(town)
    found = links.redeem(town.tx, other, "BCDF2345", now_us=town.us)
    assert found == mo
    join(town.tx, other, mo, reason="test", now_us=town.us)
    assert links.redeem(town.tx, mo, "WXZW2345", now_us=town.us) is None, "it leads to nobody"
    assert mo in [one.id for one in people.everyone(town.tx)]


def test_what_either_account_wanted_holds_for_the_one_person(town: Town) -> None:
    mo, other = settle(town)
    join(town.tx, other, mo, reason="test", now_us=town.us)
    wanted = personal.of(town.tx, mo, now=town.now)
    assert (str(wanted.zone), wanted.quota) == ("Europe/Berlin", 3)
    assert len(mutes.of_person(town.tx, mo, now=town.now)) == 2
