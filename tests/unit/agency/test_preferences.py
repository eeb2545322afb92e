"""What a chat wants is read by the gates: held up, told afterwards, never lost."""

from datetime import UTC, datetime, time, timedelta

from agency import policy, preferences
from agency.handoffs import Handoff, State
from agency.policy import Grade
from bot.speaking import Speaking
from tests.fakes.town import Town

NUDGE = "The release path is now canary-release."


def room(town: Town) -> int:
    return town.room("project", town.person("Ana"), town.person("Bo"))


def propose(town: Town, target: int, speaking: Speaking) -> Handoff:
    lin = town.person("Lin")
    source = town.say(town.room("architecture", lin), lin, "We decided: canary-release.")
    return speaking.propose(town.tx, town.proposal(target, NUDGE, (source,)), live=True)[0]


def test_nothing_is_wanted_at_first(town: Town) -> None:
    wanted = preferences.of(town.tx, room(town), now=town.now)
    assert wanted == preferences.Preferences()
    settings = policy.Settings(quiet=(time(22), time(8)))
    assert wanted.applied(settings) == settings


def test_a_pause_that_is_over_is_none(town: Town) -> None:
    chat = room(town)
    preferences.pause(town.tx, chat, town.now + timedelta(hours=1), now=town.now)
    later = town.now + timedelta(hours=1)
    assert preferences.of(town.tx, chat, now=town.now).paused_until == later
    assert preferences.of(town.tx, chat, now=later).paused_until is None


def test_the_longer_pause_holds_the_chats_own_or_that_of_the_whole_bot(town: Town) -> None:
    chat, soon = room(town), town.now + timedelta(hours=1)
    preferences.pause(town.tx, preferences.EVERYWHERE, soon, now=town.now)
    assert preferences.of(town.tx, chat, now=town.now).paused_until == soon
    preferences.pause(town.tx, chat, preferences.OPEN_END, now=town.now)
    assert preferences.of(town.tx, chat, now=town.now).paused_until == preferences.OPEN_END
    preferences.pause(town.tx, chat, None, now=town.now)
    assert preferences.of(town.tx, chat, now=town.now).paused_until == soon


def test_a_chats_own_quiet_hours_win_also_when_they_are_none(town: Town) -> None:
    chat, settings = room(town), policy.Settings(quiet=(time(22), time(8)))
    preferences.set_quiet(town.tx, chat, (time(12), time(13, 30)), now=town.now)
    wanted = preferences.of(town.tx, chat, now=town.now)
    assert wanted.applied(settings).quiet == (time(12), time(13, 30))
    preferences.set_quiet(town.tx, chat, preferences.NEVER, now=town.now)
    none = preferences.of(town.tx, chat, now=town.now).applied(settings)
    night = datetime(2026, 11, 30, 23, tzinfo=UTC)
    assert policy.awake(night, none) == night


def test_a_thread_begins_with_what_its_chat_wants(town: Town) -> None:
    chat, thread = room(town), town.room("thread")
    preferences.pause(town.tx, chat, preferences.OPEN_END, now=town.now)
    preferences.inherit(town.tx, thread, chat)
    assert preferences.of(town.tx, thread, now=town.now).paused_until == preferences.OPEN_END


def test_what_a_pause_holds_up_is_let_through_when_it_is_over(town: Town) -> None:
    chat, speaking = room(town), town.speaking()
    preferences.pause(town.tx, chat, town.now + timedelta(hours=1), now=town.now)
    held = propose(town, chat, speaking)
    assert town.state(held) is State.HELD
    speaking.sweep(town.tx)
    assert town.state(held) is State.HELD
    town.now += timedelta(hours=1)
    speaking.sweep(town.tx)
    assert town.state(held) is State.ADMITTED


def test_an_open_pause_holds_up_what_would_be_too_late_and_it_expires_in_its_time(
    town: Town,
) -> None:
    chat, speaking = room(town), town.speaking()
    preferences.pause(town.tx, chat, preferences.OPEN_END, now=town.now)
    held = propose(town, chat, speaking)
    assert town.state(held) is State.HELD, "a pause may end at any time"
    town.now = held.expires_at
    speaking.sweep(town.tx)
    assert town.state(held) is State.EXPIRED


def test_ending_a_pause_lets_what_waited_through_at_once(town: Town) -> None:
    chat, speaking = room(town), town.speaking()
    preferences.pause(town.tx, chat, preferences.OPEN_END, now=town.now)
    held = propose(town, chat, speaking)
    preferences.pause(town.tx, chat, None, now=town.now)
    speaking.reconsider_held(town.tx, chat)
    assert town.state(held) is State.ADMITTED


def test_a_pause_ends_into_quiet_hours_without_a_word(town: Town) -> None:
    settings = policy.Settings(
        quiet=(time(22), time(8)), paused_until=datetime(2026, 11, 30, 23, tzinfo=UTC)
    )
    case = policy.Case(now=town.now, settings=settings, grade=Grade.MAJOR)
    last = policy.decide(case).answers[-1]
    assert (last.gate, last.go) == (policy.PAUSE, False)
    assert last.not_before == datetime(2026, 12, 1, 8, tzinfo=UTC)
