"""What of a text is compared by the leak guard, each read once and only when it is asked for."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from datetime import date, datetime, time
from functools import cached_property, lru_cache

from agency import concepts, confidences, figures, moments, ordinary, rarity
from agency.figures import Figure

RUN = 12  # letters in a row that are no coincidence; a CJK character counts for two
GRAM, GRAM_CJK = 6, 3  # signs of the pieces of a run that are looked for first
CHUNK = 400  # signs that belong together; what is longer is looked at in such pieces
LONG = 6000  # signs of a text from which on only what is looked for is read of it
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_STRETCH = re.compile(rf"{_CJK.pattern}+")
_SENTENCES = re.compile(r"(?<=[.!?。！？；\n])\s*")
_SEPARATORS = re.compile(r"[\W_]+")
_TOKEN = re.compile(r"[a-z0-9]+(?:[.\-_/:][a-z0-9]+)*")
_PART = re.compile(r"[a-z0-9]+")
_DULL = re.compile(
    r"(19|20)\d\d|\d{1,2}:\d\d(:\d\d)?|[\d.,]+(am|pm|st|nd|rd|th|ms|s|min|mins|h|hrs|d|x|px|k|m|mn|"
    r"bn|w|gb|mb|kb|tb)|(19|20)\d\d[-/.]\d{1,2}([-/.]\d{1,2})?|q[1-4]"
)
_NAME = re.compile(r"(?<![\w.\-/])([A-Z][a-z]{2,}[A-Za-z]*|[A-Z]{3,})(?![\w\-/])")
_OPENING = re.compile(r"(^|[.!?。！？:：\n>*\-\"“‘(（])\s*$")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W_][ .\-_*·•]){2,}[^\W_](?![^\W_])")
_MONTH_NAMES = (
    "january february march april may june july august september october november december".split()
)
_MONTH = re.compile(
    rf"\b({'|'.join(_MONTH_NAMES)})\b|(?<!\d)(\d{{1,2}}|十[一二]?|[一二三四五六七八九])月(?!内)"
)
_ZH_MONTH = {
    sign: number
    for number, sign in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), start=1)
}
_LOOKALIKE = str.maketrans(
    "аеорсухіјѕԁвмнткАВЕКМНОРСТУХІЈЅαοενικρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdbmhtkABEKMHOPCTYXIJSaoevikptuxABEZHIKMNOPTYX",
)
_ENDINGS = ("ly", "ing", "ed", "ise", "ize", "ify", "tion", "sion", "ment", "ness", "able", "ful")
_LEET = str.maketrans("013457", "oieast")
_SURNAMES = (
    "欧阳|司马|上官|诸葛|[王李张刘陈杨赵黄吴徐孙朱胡郭何林罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁余叶蒋杜"
    "苏魏吕丁沈姚卢傅钟姜崔谭廖范汪陆贾韦邱侯邹熊孟秦薛阎雷夏龚钱戴莫孔郝邵]"
)
_ZH_NAME = re.compile(
    rf"(?:^|[^\w]|[跟和给让叫找请是把被与向对]|候选人|客户|同事|老师|经理|医生|律师|先生|女士)"
    rf"(?P<name>(?:{_SURNAMES})[\u4e00-\u9fff]{{1,2}}?)"
    r"(?=[^\w]|$|[说来要想会的在去被谈是下有不今明周一二三四五六七八九十离辞住生怀跟和把])"
)


class Traits:
    """A text as the guard sees it; when it was said decides what "Friday" is."""

    def __init__(self, text: str, said: date | None = None) -> None:
        self.text = plain(text)
        self.squeezed = squeeze(text)
        self.said = said

    @cached_property
    def chunks(self) -> list[str]:
        """A long text in overlapping pieces of a few sentences; nothing for a short one."""
        if len(self.text) <= CHUNK:
            return []
        parts, found = _SENTENCES.split(self.text), []
        for start in range(0, len(parts), 2):
            taken = parts[start]
            for more in parts[start + 1 :]:
                if len(taken) + len(more) > CHUNK:
                    break
                taken = f"{taken} {more}"
            found.append(taken[:LONG])
        return found

    @cached_property
    def lower(self) -> str:
        """In lower case and without accents."""
        return unaccented(self.text).lower()

    @cached_property
    def words(self) -> frozenset[str]:
        """English words in their plainest form."""
        found = {base(word) for word in _PART.findall(self.lower)}
        mixed = [w for w in found if not w.isalpha() and sum(map(str.isalpha, w)) >= 3]
        return frozenset(found | {base(word.translate(_LEET)) for word in mixed})

    @cached_property
    def chinese(self) -> list[str]:
        """Unbroken runs of Chinese."""
        return [] if self.squeezed.isascii() else _STRETCH.findall(self.squeezed)

    @cached_property
    def windows(self) -> frozenset[str]:
        """See `windows`."""
        return frozenset(windows(self.squeezed))

    @cached_property
    def digits(self) -> bool:
        """Whether there are any."""
        return any(map(str.isdigit, self.squeezed))

    @cached_property
    def _grams(self) -> tuple[frozenset[str], frozenset[str]]:
        return (_grams(self.squeezed, GRAM), _grams(self.squeezed, GRAM_CJK))

    def may_share_a_run(self, other: "Traits") -> bool:
        """A quick look: every run holds one of its own pieces that begin at every so many signs."""
        theirs, size = other.squeezed, GRAM if other.squeezed.isascii() else GRAM_CJK
        shortest = RUN if size == GRAM else RUN // 2
        mine = self._grams[0 if size == GRAM else 1]
        step = shortest - size + 1
        return any(theirs[i : i + size] in mine for i in range(0, len(theirs) - size + 1, step))

    @cached_property
    def codes(self) -> frozenset[str]:
        """Tickets, versions, keys: letters and digits in one."""
        return frozenset(_codes(self.lower))

    @cached_property
    def figures(self) -> frozenset[Figure]:
        """Amounts, those of dates left out."""
        return figures.read(_timeless(self.lower))

    @cached_property
    def names(self) -> dict[str, bool]:
        """Words with a capital, in their plainest form; False for those that begin a sentence."""
        found: dict[str, bool] = {}
        for match in _NAME.finditer(unaccented(self.text)):
            word = match.group().lower()
            if word in ordinary.ENGLISH or base(word) in ordinary.ENGLISH:
                continue
            inside = not _OPENING.search(self.text[max(0, match.start() - 12) : match.start()])
            inside = inside or _is_no_word(word)
            found[base(word)] = found.get(base(word), False) or inside
        return found

    @cached_property
    def chinese_names(self) -> frozenset[str]:
        """What looks like a Chinese person's name."""
        return frozenset(match["name"] for match in _ZH_NAME.finditer(self.text))

    @cached_property
    def unlisted(self) -> frozenset[str]:
        """Chinese words that no list has: mostly names."""
        runs = (run[:LONG] for run in self.chinese)
        return frozenset(
            word
            for run in runs
            for word in rarity.cut(run)
            if len(word) > 1 and rarity.weight(word) >= rarity.UNKNOWN
        )

    @cached_property
    def concepts(self) -> frozenset[str]:
        """Ordinary matters of team work, the same in both languages."""
        return frozenset(_concepts_of(self.lower))

    @cached_property
    def confidences(self) -> frozenset[str]:
        """See `confidences`."""
        return confidences.read(self.text)

    @cached_property
    def days(self) -> frozenset[str]:
        """Days, weekdays and months that are named, or meant as far as it is known."""
        return frozenset(_days(self.text, self.lower, self.said))

    def has(self, name: str) -> bool:
        """Whether somebody's name, or a part of it, stands in the text."""
        if not name.isascii() and name in self.squeezed:
            return True
        parts = [one for one in _PART.findall(unaccented(name).lower()) if len(one) > 1]
        return any(base(one) in self.words for one in parts)


@lru_cache(maxsize=2048)
def of(text: str, said: date | None = None) -> Traits:
    """The traits of a text that is met again and again."""
    return Traits(text, said)


def plain(text: str) -> str:
    """A text without what only disguises it: width, unseen signs, look-alikes, gaps in words."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_LOOKALIKE)
        text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return _SPACED.sub(lambda match: _SEPARATORS.sub("", match.group()), text)


def unaccented(text: str) -> str:
    """A text whose letters bear no marks, sign by sign."""
    if text.isascii():
        return text
    return "".join(
        sign if sign.isascii() or _CJK.match(sign) else unicodedata.normalize("NFKD", sign)[0]
        for sign in text
    )


def squeeze(text: str) -> str:
    """Letters and digits alone, folded: without case, width, accents, spaces and punctuation."""
    if text.isascii():
        return _SEPARATORS.sub("", text).lower()
    folded = unicodedata.normalize("NFKD", text.translate(_LOOKALIKE)).casefold()
    return _SEPARATORS.sub("", folded)


def windows(squeezed: str) -> Iterator[str]:
    """The shortest run from every sign on that is no coincidence any more."""
    return (squeezed[start:end] for start, end in spans(squeezed))


def spans(squeezed: str) -> Iterator[tuple[int, int]]:
    """Where `windows` begin and end."""
    if squeezed.isascii():
        yield from ((i, i + RUN) for i in range(len(squeezed) - RUN + 1))
        return
    start = weight = 0
    for end, sign in enumerate(squeezed, 1):
        weight += _weight(sign)
        while weight - _weight(squeezed[start]) >= RUN:
            weight -= _weight(squeezed[start])
            start += 1
        if weight >= RUN:
            yield start, end


def runs(squeezed: str, known: frozenset[str]) -> Iterator[str]:
    """The longest stretches of a squeezed text whose windows are all known, in order."""
    begun = ended = -1
    for start, end in spans(squeezed):
        if squeezed[start:end] not in known:
            continue
        if end != ended + 1 and ended > 0:
            yield squeezed[begun:ended]
        if end != ended + 1:
            begun = start
        ended = end
    if ended > 0:
        yield squeezed[begun:ended]


def base(word: str) -> str:
    """A word without its commonest endings; the same for `contract` and `contracts`."""
    if len(word) < 5 or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ings", "ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def rare(words: Collection[str]) -> set[str]:
    """Those that are long enough, and neither everyday words nor those of team work."""
    return {w for w in words if len(w) >= 5 and w.isalpha() and w not in _ORDINARY}


def is_strange(word: str) -> bool:
    """Whether no list has a word, with whichever of the endings that `base` takes away."""
    return all(rarity.weight(word + end) >= rarity.UNKNOWN for end in ("", "e", "s", "es", "ed"))


def remains(stretch: str) -> int:
    """How many characters of a stretch of Chinese are left without its everyday words."""
    left, at = 0, 0
    alone = 0
    while at < len(stretch):
        for length in (4, 3, 2):
            if stretch[at : at + length] in ordinary.CHINESE and at + length <= len(stretch):
                at += length
                left += alone if alone > 1 else 0
                alone = 0
                break
        else:
            alone += 1
            at += 1
    return left + (alone if alone > 1 else 0)


def _grams(squeezed: str, size: int) -> frozenset[str]:
    return frozenset(squeezed[i : i + size] for i in range(len(squeezed) - size + 1))


def weight(squeezed: str) -> int:
    """How many letters a squeezed text counts for."""
    return sum(map(_weight, squeezed))


def _weight(sign: str) -> int:
    # By far most signs are decided by the first comparison.
    return 1 if sign < "\u3040" or not _CJK.match(sign) else 2


def _is_no_word(word: str) -> bool:
    """Whether it can only be a name, also where a sentence begins with it."""
    unknown = rarity.weight(word) >= rarity.UNKNOWN and rarity.weight(rarity.stem(word)) >= 1
    return unknown and len(word) > 4 and not word.endswith(_ENDINGS)


def _codes(lower: str) -> Iterator[str]:
    for token in _TOKEN.findall(lower):
        digits = sum(sign.isdigit() for sign in token)
        mixed = any(sign.isalpha() for sign in token) or token.count(".") > 1
        if mixed and 2 <= digits < len(token) and not _DULL.fullmatch(token):
            yield squeeze(token)


def _concepts_of(lower: str) -> Iterator[str]:
    for word in _PART.findall(lower):
        if word in concepts.ENGLISH:
            yield concepts.ENGLISH[word]
    for stretch in _STRETCH.findall(lower):
        for start in range(len(stretch)):
            for length in (2, 3, 4):
                found = concepts.CHINESE.get(stretch[start : start + length])
                if found:
                    yield found


def _timeless(lower: str) -> str:
    """Without dates and times of day, whose numbers are no amounts."""
    for moment in moments.find(lower):
        if moment.minutes is None:
            blank = " " * (moment.end - moment.start)
            lower = f"{lower[: moment.start]}{blank}{lower[moment.end :]}"
    return lower


def _days(text: str, lower: str, said: date | None) -> Iterator[str]:
    written = datetime.combine(said, time(12)) if said else None
    for moment in moments.find(text):
        if moment.weekday is not None:
            yield f"weekday {moment.weekday}"
        if moment.month is not None and moment.day is not None:
            yield f"{moment.month}-{moment.day}"
        elif written is not None and (day := moment.date_from(written)) is not None:
            yield f"{day.month}-{day.day}"
    for match in _MONTH.finditer(lower):
        name = match[1]
        if name == "may" and not re.search(
            r"(?:in|by|of|until|since) $|\d ?$", lower[: match.start()][-6:]
        ):
            continue
        number = _MONTH_NAMES.index(name) + 1 if name else _month(match[2])
        yield f"month {number}"


def _month(signs: str) -> int:
    return int(signs) if signs.isdigit() else _ZH_MONTH[signs]


_ORDINARY = ordinary.ENGLISH | frozenset(map(base, ordinary.ENGLISH))
