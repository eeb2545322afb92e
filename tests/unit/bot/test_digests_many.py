"""Digests for many people: each is written at a cost that does not grow with how many there are."""

from datetime import timedelta

from agency import handoffs
from agency.handoffs import State
from agency.policy import Grade, Settings
from bot.engine.waits import Bell
from bot.inbox.digests import AT_ONCE, Digests
from bot.inbox.pages import Settings as Pages
from bot.responses import Responses
from memory.moments import to_us
from tests.fakes.town import Town

MOST_LOOKS = 20  # turns in which a test's house may be done


class House:
    """A room of many people, each with a DM, and one piece of news that can wait."""

    def __init__(self, people: int) -> None:
        self.town = town = Town()
        lin = town.person("Lin")
        everybody = [town.person(f"Somebody{number}") for number in range(people)]
        for one in everybody:
            town.dm(one)
        said = town.say(town.room("architecture", lin), lin, "The gate is open.")
        room = town.room("all", lin, *everybody)
        self.speaking = town.speaking(speaking=Settings(minor="digest"))
        proposal = town.proposal(room, "The gate is open.", [said], grade=Grade.MINOR)
        self.news, _ = self.speaking.propose(town.tx, proposal, live=True)
        self.digests = Digests(
            self.speaking,
            town.clock,
            outbox_bell=Bell(),
            settings=Pages(),
            admits=lambda _, __: True,
            responses=Responses(town.clock, enabled=False),
        )
        town.now += timedelta(hours=23)

    def statements(self) -> int:
        """How many statements one turn takes."""
        asked: list[str] = []
        self.town.connection.set_trace_callback(asked.append)
        self.digests.give(self.town.tx)
        self.digests.due(self.town.tx)
        self.town.connection.set_trace_callback(None)
        return len(asked)

    def letters(self) -> int:
        row = self.town.tx.one("SELECT COUNT(*) AS n FROM letters")
        return int(row["n"]) if row else 0


def test_a_turn_costs_the_same_with_many_more_people() -> None:
    few, many = House(5 * AT_ONCE), House(15 * AT_ONCE)
    assert many.statements() <= few.statements() * 1.1
    assert few.letters() == many.letters() == AT_ONCE


def test_everybody_is_told_once_and_then_the_news_is() -> None:
    house = House(3 * AT_ONCE + 1)
    for _ in range(MOST_LOOKS):
        due = house.digests.due(house.town.tx)
        if due is None or due > to_us(house.town.now) + 1_000_000:
            break
        assert house.town.state(house.news) is State.DIGEST, "somebody is still to be told"
        house.digests.give(house.town.tx)
    assert house.letters() == 3 * AT_ONCE + 1
    told = handoffs.get(house.town.tx, house.news.id)
    assert (told.state, told.reason) == (State.SPOKEN, "told in a digest")
