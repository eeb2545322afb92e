"""Who is there changes: what a room may hear is judged by its people as they are by then."""

import pytest

from agency import gates, handoffs
from agency.audience import Flow
from agency.audience import Settings as Privacy
from agency.gates import Rules
from agency.guard import leak
from agency.handoffs import Handoff, State
from agency.policy import Settings as Speaking
from bot.joining import join
from memory import audiences, people
from memory.people import Account
from tests.fakes.town import Town

RULES = Rules(privacy=Privacy(), speaking=Speaking())
SAID = "In June we buy Zebrix for 4.2 million."


class Scene:
    """A closed board, a closed room of the same people, and Mo who is in neither."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.ana, self.bo, self.mo = (town.person(name) for name in ("Ana", "Bo", "Mo"))
        self.board = town.room("board", self.ana, self.bo, open=False)
        self.deal = town.room("deal", self.ana, self.bo, open=False)
        self.said = town.say(self.board, self.ana, SAID)

    def propose(self) -> Handoff:
        proposal = self.town.proposal(self.deal, "Zebrix is bought in June.", (self.said,))
        return self.town.speaking().propose(self.town.tx, proposal, live=True)[0]

    def flow(self, source: int, target: int) -> Flow:
        return self.town.hears(target).flow(source)


@pytest.fixture
def scene(town: Town) -> Scene:
    return Scene(town)


def test_whoever_comes_in_before_it_is_read_stops_it(scene: Scene) -> None:
    handoff = scene.propose()
    assert scene.town.state(handoff) is State.ADMITTED
    assert gates.still_heard(scene.town.tx, handoff, rules=RULES)
    scene.town.room("deal", scene.ana, scene.bo, scene.mo, open=False)
    assert not gates.still_heard(scene.town.tx, handoff, rules=RULES)


def test_whoever_leaves_the_room_it_was_said_in_may_not_be_told_more_of_it(scene: Scene) -> None:
    scene.town.room("board", scene.ana, open=False)
    assert handoffs.get(scene.town.tx, scene.propose().id).state is State.REFUSED


def test_a_room_under_another_name_is_the_same_room(scene: Scene) -> None:
    before = scene.flow(scene.board, scene.deal)
    audience = scene.town.audience(scene.board)
    scene.town.tx.run("UPDATE audiences SET title = 'general' WHERE session_id = :s", s=scene.board)
    assert audience.title != scene.town.audience(scene.board).title
    assert scene.flow(scene.board, scene.deal) is before
    assert scene.flow(scene.board, scene.town.room("lobby", scene.mo)) is Flow.NEVER


def test_a_guest_closes_a_room_to_what_is_open(scene: Scene) -> None:
    town = scene.town
    news = town.room("news", scene.mo)
    assert scene.flow(news, town.room("plans", scene.ana)) is Flow.FREE
    shared = town.room("plans", scene.ana, outsiders=True)
    assert scene.flow(news, shared) is Flow.NEVER
    said = town.say(news, scene.mo, "Zebrix delivers on Monday.")
    text = "Zebrix brings it on Monday."
    assert leak(town.tx, text, target=town.audience(shared), hears=town.hears(shared)) is not None
    assert said


def test_a_dm_with_several_is_a_closed_room_and_nobody_s_to_free(scene: Scene) -> None:
    group = scene.town.room("mpdm", scene.ana, scene.bo, open=False)
    assert scene.flow(group, scene.town.room("plans", scene.ana, scene.bo)) is Flow.NEVER
    assert scene.flow(group, scene.deal) is Flow.FREE
    assert scene.flow(group, scene.town.dm(scene.mo)) is Flow.NEVER


def test_another_bot_in_a_room_is_nobody(town: Town) -> None:
    robot = town.person("Robot", is_bot=True)
    ana = town.person("Ana")
    room = town.room("board", ana, open=False)
    assert town.audience(room).members == {ana}
    assert town.hears(town.dm(ana)).flow(room) is Flow.FREE
    assert robot not in town.audience(room).members


def test_a_person_with_two_accounts_hears_on_both_what_they_said_on_one(scene: Scene) -> None:
    town = scene.town
    account = Account(platform="telegram", tenant="bot", native_id="7", name="Ana K", is_bot=False)
    other = people.resolve(town.tx, account, now_us=town.us)
    on_slack, on_telegram = town.dm(scene.ana), town.dm(other)
    town.say(on_slack, scene.ana, SAID)
    assert scene.flow(on_slack, on_telegram) is Flow.CONSENT, "as long as nobody knows"
    join(town.tx, other, scene.ana, reason="link code", now_us=town.us)
    assert audiences.heard_by(town.tx, scene.ana) >= {on_slack, on_telegram}
    assert scene.flow(on_slack, on_telegram) is Flow.FREE
    assert scene.flow(on_slack, town.dm(scene.bo)) is Flow.CONSENT


def test_two_people_with_one_name_are_two(scene: Scene) -> None:
    twin = people.resolve(
        scene.town.tx,
        Account(platform="web", tenant="main", native_id="ana-2", name="Ana", is_bot=False),
        now_us=scene.town.us,
    )
    assert scene.flow(scene.town.dm(scene.ana), scene.town.dm(twin)) is Flow.CONSENT
    assert scene.flow(scene.board, scene.town.dm(twin)) is Flow.NEVER


# quotes and forwards

QUOTED = "> Forwarded from Ana:\n> In June we buy Zebrix for 4.2 million.\n\nwhat do you think?"
TELLS = "Zebrix costs 4.2 million."


def told(scene: Scene, room: int) -> bool:
    town = scene.town
    return leak(town.tx, TELLS, target=town.audience(room), hears=town.hears(room)) is None


def test_private_words_quoted_by_somebody_else_are_private_everywhere_else(scene: Scene) -> None:
    lobby = scene.town.room("lobby", scene.bo, scene.mo)
    general = scene.town.room("general", scene.mo)
    scene.town.say(lobby, scene.bo, QUOTED)
    assert told(scene, lobby), "its people have read them"
    assert not told(scene, general)


def test_words_forwarded_by_their_author_are_the_rooms(scene: Scene) -> None:
    lobby = scene.town.room("lobby", scene.ana, scene.mo)
    scene.town.say(lobby, scene.ana, QUOTED)
    assert told(scene, lobby)
    assert told(scene, scene.town.room("general", scene.mo))


def test_what_was_also_said_in_the_open_may_be_told_whoever_quotes_it(scene: Scene) -> None:
    lobby = scene.town.room("lobby", scene.bo, scene.mo)
    scene.town.say(lobby, scene.bo, "So Zebrix it is, for 4.2 million.")
    assert told(scene, scene.town.room("general", scene.mo))
