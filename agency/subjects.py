"""What a message is about: its identifying words, weighted, and how near two messages are."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from agency import concepts, moments, rarity

_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-_./'’][A-Za-z0-9]+)*|[\u4e00-\u9fff]+")
_URL = re.compile(r"https?://\S+")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_STRONG = 1.5  # from this weight on a word alone can tie two messages together


def _words(text: str) -> list[str]:
    return text.split()


_STOP = frozenset(
    _words(
        """
a an the this that these those it its it's i i'm i'll i've i'd me my mine we we're we'll we've our
ours us you your you're he she they them their his her who whom whose what when where which why
how is are was were be been being am do does did done doing have has had having will would shall
should can could may might must not no don't doesn't didn't won't can't cannot isn't aren't and or
but if then else so because as of at by for with without from to in into on onto off out up down
over under about after before until till since during between through again further once here
there all any both each few more most other some such only own same than too very just now yet
still already soon also even ever never always maybe perhaps please thanks thank ok okay yes yeah
hi hello hey sure start starts starting started begin begins beginning finish finishing finished
finishes complete completed make makes making made get gets getting got go goes going gone come
comes take takes taking took use uses used using move moves moved moving switch switches switched
switching change changes changed changing decide decides decided decision plan plans planned
planning let lets let's need needs needed want wants wanted know knows known think thinks say says
said tell tells told ask asks asked see sees seen look looks looking like likes work works working
worked wait waits waiting waited block blocked blocks blocking open opens opened new old update
updates updated team teams anyone anybody everyone everybody somebody someone something anything
thing things today tomorrow yesterday week weeks month months day days hour hours time date
deadline due owner owners owns effective final fyi minutes note notes correction actually instead
ready currently really quite good great nice bad well much many lot lots first last next previous
early earliest late later latest put set keep keeps kept stay stays hold holds held send sends
sent sending give gives write writes writing wrote written build-up fix fixed fixes fixing able
one two three four five slip slips slipped slipping delay delayed delays result results risk risks
worried worry concern concerned permission's agree agreed agrees promise promised responsible
charge lead leads approve approves approved approval's target around part via per re haha lol
sorry morning afternoon evening noon night live lives step steps internal issue issues problem
problems building left away exact exactly name
named called everything while ended january february march
april june july august september october november december
btw thx lol ffs asap pls plz gonna wanna gotta hmm hm oh ah ugh yay wow guys folks
everyone's typo eur usd gbp chf rmb cny euro euros dollar dollars forget hold ceo cto boss
sorted arrive arrives arrived arriving news bring brings brought push pushed pushes pushing cut cuts
raise raised raises drop dropped drops shift shifted extend extended shorten shortened postpone
postponed rather
heads-up heads quick yep nope np tmr eta
"""
    )
)
_ZH_STOP_WORDS = sorted(
    _words(
        """
我们 你们 他们 她们 咱们 大家 我 你 他 她 它 的 了 在 是 和 与 跟 或 把 被 给 到 从 用 改为
改成 改到 改用 换成 换到 改 为 成 已经 已 要 会 能 可以 吗 呢 吧 啊 呀 哪个 哪里 哪 什么时候 什么
谁 怎么 为什么 这个 那个 这 那 个 就 都 也 还 很 太 再 又 先 才 但是 但 不过 所以 因为 如果 不
没有 没 有 对 请 让 去 来 上 下 做完 做 写好 写 开始 完成 搞定 决定 计划 打算 准备 负责人 负责
截止 同步 更正 最终 最早 最晚 之前 之后 以前 以后 前 后 知道 告诉 需要 等 等待 卡住 正在 目前 现在
今早 今天 明天 刚刚 刚 终于 应该 必须 可能 也许 一下 一个 一些 一起 所有 各位 本 该 此 其 及 以及
通过 关于 根据 按 由 向 往 里 中 内 外 着 过 得 地 所 将 并 且 而 只 仅 更 最 好 行 哦 嗯
哈哈 谢谢 收到 不错 恢复 正常 延期 推迟 提前 风险 担心 问题 定了 定 说 看 想 发出来 发 出 新 旧 老
生效 生 日期 时间 目标 移到 移 切到 切换 迁到 使用 采用 继续 暂时 仍 仍然 还是 保持 纪要 会上 记录
找谁 谁批 找 签 准确 名字 叫什么 叫 命名 通知 结论 缩短 延长 挪到 挪 涨到 涨 降到 降
砍到 砍 增加 减少 换到 换 放到 传到 上传 放 传 拿到 拿 啥时候
多少 要求 至少 多大 几个 抱歉 不好意思 统一 时候 说了 先按 按照 通知了 大家 各位 同学 麻烦 辛苦 今儿
明儿 消息 结果 出来 下线 上线了 有点 大概 估计 左右 举行
举办 办 领导 老板 总算 终于 赶紧 顺便 对了 另外 还有 那边 这边 咱 俩 呗 哈 啦 咯 嘛 呃 哎 哦
提醒 确认 更新 进行 批准 审批 拍板 没人 有人 有没有 是不是 是否 要不要 能不能 即日起 从现在起
"""
    ),
    key=len,
    reverse=True,
)
_ZH_NOUNS = re.compile("|".join(sorted(concepts.CHINESE, key=len, reverse=True)))
_ZH_STOP = re.compile("|".join(_ZH_STOP_WORDS))

_ZH_FILLERS = re.compile("|".join(word for word in _ZH_STOP_WORDS if len(word) > 1))
_ZH_EDGES = "".join(word for word in _ZH_STOP_WORDS if len(word) == 1)

_EDGES = frozenset(_ZH_EDGES)

_ORPHAN = re.compile(r"(?<![^\0\s])[^\0\s](?![^\0\s])")
_HALF = frozenset("会能可上下中里外内前后发看想用改做写新老旧出来去开定生好行地所向往本成都知要")
_MEASURE = frozenset("天元块万个号点年月份人台套次条位页分秒")
"""What is counted: it belongs to the number before it."""

Terms = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """How two messages are tied by their words."""

    shared: float
    """Weight of the words both have."""
    cover: float
    """The same as a part of the shorter message's weight."""
    strong: bool
    """Whether an identifying word (a name, an identifier, a number) is shared."""
    count: int

    @property
    def near(self) -> bool:
        """Surely about the same matter."""
        return (
            (self.strong and self.shared >= _STRONG)
            or (self.count >= 2 and self.shared >= 1.6)
            or (self.shared >= 1.0 and self.cover >= 0.6)
        )

    @property
    def loose(self) -> bool:
        """Possibly about the same matter."""
        return self.near or self.shared >= 1.0


def terms(text: str, people: Collection[str] = ()) -> dict[str, float]:
    """Identifying words with their weight; dates and the given people's names are left out."""
    return dict(_terms(text, frozenset(people)))


@lru_cache(maxsize=4096)  # background messages come again wake after wake
def _terms(text: str, people: frozenset[str]) -> Terms:
    names = {part.lower() for name in people for part in (name, *name.split())}
    found: dict[str, float] = {}
    plain = not _CJK.search(text)  # a capital opens an English sentence, not a Chinese one
    clean = _without_moments(_URL.sub(" ", text.replace("()", "")))
    for match in _TOKEN.finditer(clean):
        token = match.group()
        if token[0] >= "\u4e00":
            counted = _sign_before(clean, match.start()).isdigit()
            _chinese(token[1:] if counted and token[0] in _MEASURE else token, names, found)
        elif token.lower() not in names:
            _english(token, plain and match.start() == 0, found)
    return found


def _sign_before(text: str, position: int) -> str:
    """The sign before a position, spaces left out."""
    return text[:position].rstrip()[-1:]


def link(a: Terms, b: Terms) -> Link:
    """Compare two sets of weighted words."""
    both = a.keys() & b.keys()
    # A word that is a name in one of them is one in the other, where it opens the sentence; two
    # characters that are a word in one are no chance pair in the other.
    weights = {
        t: max(a[t], b[t]) if min(a[t], b[t]) >= 1.0 or t[0] >= "\u4e00" else min(a[t], b[t])
        for t in both
    }
    shared = sum(weights.values())
    smaller = min(sum(a.values()), sum(b.values()))
    return Link(
        shared=shared,
        cover=min(1.0, shared / smaller) if smaller else 0.0,
        strong=any(weight >= _STRONG for weight in weights.values()),
        count=len(both),
    )


_COMMON = frozenset(
    _words(
        "customer user release meeting test data page "
        "report document office event order app website "
        "service model price number list link file thing "
        "people guy side part place group room channel "
        "call mail phone screen design review feature "
        "form server version ticket task friday monday "
        "flow process squad role 流程 "
        "news info copy market account build deploy demo launch plant"
    )
)


def special(words: Terms) -> dict[str, float]:
    """The words that are about few matters; what every team speaks of every day is left out."""
    return {term: weight for term, weight in words.items() if term not in _COMMON}


def contrary(a: Terms, b: Terms) -> bool:
    """Whether the two name different members of one set, such as staging and production."""
    for group in concepts.CONTRASTS:
        mine, yours = group & a.keys(), group & b.keys()
        if mine and yours and not mine & yours:
            return True
    numbers_a, numbers_b = ({t for t in x if _numeric(t)} for x in (a, b))
    return bool(numbers_a and numbers_b and not numbers_a & numbers_b)


def _numeric(term: str) -> bool:
    return term.isdigit() and len(term) > 1


def without_fillers(run: str) -> str:
    """A run of Chinese without its common words, those of one sign only where they stand apart."""
    pieces = (piece.strip(_ZH_EDGES) for piece in _ZH_FILLERS.sub(" ", run).split())
    return " ".join(piece for piece in pieces if piece)


def timeless(text: str) -> str:
    """A text without its dates and times."""
    return _without_moments(text)


def _without_moments(text: str) -> str:
    parts: list[str] = []
    end = 0
    for moment in moments.find(text):
        parts.append(text[end : moment.start])
        end = moment.end
    return " ".join([*parts, text[end:]])


def _english(token: str, first: bool, found: dict[str, float]) -> None:
    word = token.lower().replace("’", "'").removesuffix("'s")
    if word in concepts.ENGLISH:
        _add(found, concepts.ENGLISH[word], 1.0)
    elif word in _STOP or (len(word) < 2 and not word.isdigit()):
        return
    elif re.fullmatch(r"v?\d+(?:\.\d+)*", word):
        if len(word) > 1:
            _add(found, word, 1.2 if word.startswith("v") else _STRONG)
    elif re.search(r"[-_./]", word):
        plain = word.rpartition("-")[2] in _STOP
        _add(found, word, 1.0 if plain else 2.5)
        for part in re.split(r"[-_./]", word):
            if part not in _STOP and len(part) > 2:
                _add(found, concepts.ENGLISH.get(part, rarity.stem(part)), 0.7)
    elif token.isupper() or re.search(r"\d", word) or re.search(r"[a-z][A-Z]", token):
        _add(found, word, 2.0)
    elif token[0].isupper() and not first:
        _add(found, rarity.stem(word), _STRONG)
    else:
        _add(found, rarity.stem(word), 1.0)


def _chinese(run: str, names: Collection[str], found: dict[str, float]) -> None:
    for name in names:
        if name and name[0] >= "\u4e00" and len(name) > 1:
            run = run.replace(name, " ")
    for noun in _ZH_NOUNS.findall(run):
        _add(found, concepts.CHINESE[noun], 1.0)
    plain = _ZH_NOUNS.sub(" ", run)
    for word in _whole(plain):
        _add(found, word, 1.0)
        plain = plain.replace(word, " ")
    for match in _ORPHAN.finditer(_ZH_STOP.sub(lambda m: "\0" * len(m.group()), plain)):
        _orphan(plain, match.start(), found)
    rest = _ZH_STOP.sub(" ", plain)
    for piece in rest.split():
        if len(piece) == 2:
            _add(found, piece, 1.0)
        for i in range(len(piece) - 1 if len(piece) > 2 else 0):
            _add(found, piece[i : i + 2], 0.7)


def _whole(run: str) -> list[str]:
    """Listed words of which a sign is a common word elsewhere: they are no less telling for it."""
    return [
        word for piece in run.split() for word in rarity.cut(piece)
        if len(word) > 1 and rarity.weight(word) >= 0.9 and set(word) & _EDGES
        and word[0] not in "不没再还" and not _ZH_FILLERS.search(word)
    ]  # fmt: skip


def _orphan(run: str, at: int, found: dict[str, float]) -> None:
    """A character left alone may be half of a word whose other half is a common one elsewhere."""
    for pair in (run[max(0, at - 1) : at + 1], run[at : at + 2]):
        if len(pair) == 2 and _HALF & set(pair) and " " not in pair:
            _add(found, pair, 0.7)


def _add(found: dict[str, float], term: str, weight: float) -> None:
    found[term] = max(found.get(term, 0.0), weight)
