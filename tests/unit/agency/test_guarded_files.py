"""What files say is guarded like the words they came with."""

import pytest

from agency import guard
from agency.leaks import Leak
from memory import files, originals
from memory.files import Sent
from tests.fakes.town import Town

TEXT = "Offer for Kai Brandt: 91250 EUR a year, starting with the harbour office."
CHINESE = "薪资方案：年薪九万一千，从港口办公室开始入职。"


def enclose(town: Town, original: int, text: str) -> None:
    with originals.reindexing(town.tx, original):
        sent = Sent(locator="1", name="offer.txt", mime="text/plain", size=None)
        files.keep(town.tx, original, [sent], now_us=town.us)
        [file] = files.of_original(town.tx, original)
        files.read(town.tx, file.id, text=text)


def leak(town: Town, text: str, room: int) -> Leak | None:
    return guard.leak(town.tx, text, target=town.audience(room), hears=town.hears(room))


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (TEXT, "Somebody was offered 91250 EUR."),
        (TEXT, "They start with the harbour office soon."),
        (CHINESE, "听说从港口办公室开始入职。"),
    ],
)
def test_what_a_private_file_says_is_not_told(town: Town, file: str, text: str) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    project = town.room("project", ana, bo)
    secret = town.say(town.room("hiring", ana, open=False), ana, "see the paper")
    assert leak(town, text, project) is None
    enclose(town, secret, file)
    assert leak(town, text, project) is not None


def test_what_an_open_file_says_may_be_told(town: Town) -> None:
    ana, bo = town.person("Ana"), town.person("Bo")
    project, news = town.room("project", ana, bo), town.room("news", ana)
    secret = town.say(town.room("hiring", ana, open=False), ana, "see the paper")
    enclose(town, secret, TEXT)
    enclose(town, town.say(news, ana, "it is out"), TEXT)
    assert leak(town, "Kai Brandt was offered 91250 EUR.", project) is None


def test_a_file_taken_back_with_its_message_is_no_longer_compared(town: Town) -> None:
    ana = town.person("Ana")
    secret = town.say(town.room("hiring", ana, open=False), ana, "see the paper")
    enclose(town, secret, TEXT)
    town.take_back(secret)
    assert files.words_of(town.tx, [secret]) == {}
