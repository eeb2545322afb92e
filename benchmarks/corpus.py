"""Talk as teams talk it: two languages, 50,000 words, a few of them very common.

The words are made up from syllables and characters, their frequencies follow Zipf's law, and the
most frequent ones are the real function words of both languages, as in real talk.
"""

from collections.abc import Iterator
from itertools import accumulate, product
from random import Random

WORDS = 50_000
_ENGLISH = (
    "the to of and a in is it that for on we you be this with are i have not as at will can but "
    "if from so was they do by or what there an all when just our about me my no more out up "
    "should would think need know get like time now only then some how also after go see does "
    "make could new been than work want still way good back over too here let take one two"
).split()
_CHINESE = (
    "的 了 我 是 在 你 有 不 我们 这个 就 都 也 还 和 可以 一下 那个 没有 什么 现在 今天 明天 然后 "
    "如果 因为 所以 但是 怎么 时候 已经 应该 需要 知道 问题 看看 大家 或者 比较 之后"
).split()
_ONSETS = "b br c ch cr d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w z".split()
_RIMES = "a ai an ar e ea el en er i in ing ir o on oo or ou u um un ur".split()


class Corpus:
    """Draws messages; the same seed draws the same ones."""

    def __init__(self, seed: int = 7) -> None:
        self._random = Random(seed)
        self._english = _vocabulary(_ENGLISH, _english_words(), WORDS // 2)
        self._chinese = _vocabulary(_CHINESE, _chinese_words(), WORDS // 2)
        self._weights = list(accumulate(1 / rank for rank in range(1, WORDS // 2 + 1)))

    def messages(self, count: int) -> Iterator[str]:
        """Ordinary messages, two English ones to each Chinese one."""
        for _ in range(count):
            english = self._random.random() < 2 / 3
            words = self._english if english else self._chinese
            length = 4 + int(self._random.expovariate(1 / 8))
            chosen = self._random.choices(words, cum_weights=self._weights, k=min(length, 60))
            yield f"{' '.join(chosen).capitalize()}." if english else f"{''.join(chosen)}。"


def _vocabulary(common: list[str], rest: Iterator[str], size: int) -> list[str]:
    words = dict.fromkeys(common)
    while len(words) < size:
        words[next(rest)] = None
    return list(words)


def _english_words() -> Iterator[str]:
    syllables = ["".join(parts) for parts in product(_ONSETS, _RIMES)]
    Random(1).shuffle(syllables)
    for first, second in product(syllables, repeat=2):
        yield first + second


def _chinese_words() -> Iterator[str]:
    signs = [chr(code) for code in range(0x4E00, 0x4E00 + 6000, 3)]
    Random(2).shuffle(signs)
    frequent = signs[:400]
    for first, second in product(frequent, frequent):
        yield first + second
