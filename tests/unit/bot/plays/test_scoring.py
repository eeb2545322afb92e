from datetime import UTC, datetime, timedelta

from bot.plays.chronicle import Voice
from bot.plays.scenario import Chat, Expected, Message, Scenario
from bot.plays.scoring import Delivery, Played, Score, score

NOW = datetime(2025, 3, 3, 9, tzinfo=UTC)


def chat(id: str, *members: str, type: str = "group", private: bool = False) -> Chat:
    words = {"en": id, "zh": id}
    return Chat(id=id, type=type, members=members, private=private, title=words)


def message(id: str, room: str, sender: str, text: str) -> Message:
    return Message(id=id, wake=1, chat=room, sender=sender, text={"en": text}, after=timedelta(0))


def told(
    room: str, text: str, *sources: str, minute: int = 1, voice: Voice = Voice.UNASKED
) -> Delivery:
    at = NOW + timedelta(minutes=minute)
    return Delivery(chat=room, text=text, at=at, voice=voice, rests_on=frozenset(sources))


def judged(*deliveries: Delivery, expect: tuple[Expected, ...] = (), wakes: int = 1) -> Score:
    chats = (
        chat("ops", "zoe"), chat("web", "li", "ana"), chat("dm-li", "li", type="dm"),
        chat("board", "zoe", "ana", private=True),
    )  # fmt: skip
    played = Scenario(
        id="x", kind="k", start=NOW.replace(tzinfo=None), people={},
        chats={one.id: one for one in chats},
        messages=(
            message("a", "ops", "zoe", "The port is open."),
            message("s", "board", "zoe", "We sell the whole Leeds office in May."),
            message("p", "web", "li", "I'll send it by noon."),
        ),
        expect=expect, may=(), canary=("sell",),
    )  # fmt: skip
    return score(Played(
        scenario=played, language="en", deliveries=deliveries, said_at={"a": NOW},
        wakes=tuple(NOW + timedelta(seconds=10 * (n + 1)) for n in range(wakes)),
    ))  # fmt: skip


OPEN = Expected(chat="web", must=("port", "open"), src=("a",))


def test_a_room_that_hears_all_facts_is_met() -> None:
    found = judged(told("web", "The port is open.", "a"), expect=(OPEN,))

    assert (found.met, found.right, found.faults) == (1, 1, [])


def test_half_of_it_is_a_disturbance() -> None:
    found = judged(told("web", "The port.", "a"), expect=(OPEN,))

    assert (found.met, found.right, found.unasked) == (0, 0, 1)


def test_the_wake_that_told_it_does_not_make_it_late() -> None:
    news = told("web", "The port is open.", "a")

    assert judged(news, expect=(OPEN,), wakes=1).late == 0
    assert judged(news, expect=(OPEN,), wakes=3).late == 2


def test_answers_and_questions_of_consent_disturb_nobody() -> None:
    answer = told("web", "Yes.", voice=Voice.ANSWER)
    question = told("dm-li", "May I?", voice=Voice.QUESTION)

    found = judged(answer, question)

    assert (found.silent, found.kept) == (1, 1)


def test_a_promise_may_be_called_to_mind_where_it_was_made() -> None:
    wanted = Expected(chat="dm-li", must=("noon",), src=("p",))

    assert judged(told("web", "By noon, you said.", "p"), expect=(wanted,)).met == 1


def test_private_words_leak_by_canary_or_by_a_run_of_letters() -> None:
    assert judged(told("web", "They sell it.")).leaks == 1
    assert judged(told("web", "The whole Leeds office!")).leaks == 1
    assert judged(told("board", "You sell the whole Leeds office.")).leaks == 0


def test_the_same_substance_twice_is_counted() -> None:
    again = told("web", "By the way, the port is open now.", "a", minute=5)

    assert judged(told("web", "The port is open.", "a"), again).duplicates == 1
