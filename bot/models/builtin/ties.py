"""How remarks of different rooms hang together: same matter, settled, heard already."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

from agency import subjects
from agency.salience import Kind
from bot.models.builtin import claims, kinship, rivals
from bot.models.builtin.pair import Pair
from bot.models.builtin.world import Remark, Room, World

RECENT = timedelta(days=45)


def elsewhere(target: Room, source: Remark) -> bool:
    """Whether a room can gain from a remark made in another one."""
    if source.room.session == target.session or source.me or source.idle:
        return False
    if not source.shareable or target.record or bygone(source):
        return False
    if informed(target, source) or _member_knows(target, source):
        return False
    # Everyone here sits there too and has read it.
    return not (target.members and target.members <= source.room.members)


_TELLING = re.compile(
    r"(?:通知|告诉|告知|知会|转告|同步|电话|说)[^，。；]{0,4}$|(?:跟|和|给|向)$", re.I
)
_TOLD = re.compile(
    r"^[^，。；]{0,6}?(?:通知|告诉|告知|知会|转告|同步|说过|讲过|打过|也?知道|收到|确认)"
)


def informed(target: Room, source: Remark) -> bool:
    """Whether a remark itself says that the people of a room were told."""
    name = re.sub(r"[#\s]|(?<=[\u4e00-\u9fff]{2})(?:群|工作群|交流群)$", "", target.title)
    if len(name) < 2 or name[0] < "\u4e00":
        return False
    for match in re.finditer(re.escape(name), source.text):
        before, after = source.text[: match.start()], source.text[match.end() :]
        told = re.search(r"已|了|过|刚", source.text[max(0, match.start() - 8) : match.end() + 8])
        if told and (_TELLING.search(before) or _TOLD.match(after)):
            return True
    return False


_MET = (
    r"(?:told|phoned|rang|called|informed|messaged|texted|let|warned) {0}\b|\b{0} (?:knows|"
    r"(?:was|has been|is) (?:told|informed)|(?:has )?(?:heard|seen it))\b"
    r"|(?:通知|告诉|告知|知会|转告)(?:了|过)?{0}|(?:跟|和|给|同){0}(?:已经?)?(?:说|讲|打|通)"
    r"(?:了|过)|{0}(?:那边|他|她)?(?:已经|也)?知道了?"
)
"""Somebody was told, or knows."""
_NOT_MET = re.compile(r"\b(?:not|n['’]t|nobody|please|someone)\b|没|别|未|不", re.I)


def _member_knows(target: Room, source: Remark) -> bool:
    """Whether a remark itself says that somebody of a room knows."""
    for name in target.members:
        if len(name) < 2:
            continue
        match = re.search(_MET.format(re.escape(name)), source.text, re.I)
        if match and not _NOT_MET.search(source.text[max(0, match.start() - 8) : match.end()]):
            return True
    return False


PAST = re.compile(
    r"\b(?:remember(?:s|ed|ing)? (?:when|how|the (?:time|day|year))|back (?:in|when|then)|used to|"
    r"years? ago|months? ago|last (?:year|summer|winter|spring|autumn|fall|season|time)|"
    r"once upon|(?:at )?my (?:last|old|previous|former) "
    r"(?:job|company|team|boss|school)|old (?:thread|photo|days)|"
    r"anniversary|grand(?:ma|pa|mother|father)\w*|childhood|when i was|good old)\b"
    r"|前年|去年|往年|那年|当年|上次|那次|那回|想起|回忆|记得.*那|"
    r"(?<![\d点号日天周一二三四五六末底午晚上])以前|从前|曾经|历史上|老照片|"
    r"[上前]家公司|小时候|外婆|爷爷|"
    r"奶奶|几年前",
    re.I,
)
"""Told of old times: news to nobody."""
_MADE_THEN = re.compile(
    r"(?:去年|前年|上次|以前|往年)[^，。；]{0,4}?(?:就?有[一过个份套]|就?[做写建搭整编画]过|"
    r"就?[做写建搭编印录拍排]好|就?[印录拍排配]过|留的|留了|用的那[个份套])"
)
"""Made then, and there still."""
_STILL = re.compile(
    r"(?:在|放|存|挂|传)[^，。；]{1,14}(?:里|上|中|库|盘|后台|下|层|柜)(?:[，。]|$)|(?:直接|还|"
    r"照样)(?:能|可以)[用跑看拿]|"
    r"现成|拿去|https?:|在我(?:们)?(?:这|手)|还[有剩]"
)
"""And there still."""
_YEAR = re.compile(r"\b(?:in|from|back|a|that) ((?:19|20)\d\d)\b(?!-)|((?:19|20)\d\d)年")


def bygone(remark: Remark) -> bool:
    """Whether it tells of old times."""
    years = [int(a or b) for a, b in _YEAR.findall(remark.text)]
    told = PAST.search(_MADE_THEN.sub("", remark.text)) and not _STILL.search(remark.text)
    return bool(told) or any(year < remark.at.year for year in years)


MUSING = re.compile(
    r"\b(?:love[ds]?|(?:i|we|they|all|really) likes?|liked|nice|cute|funny|fun|beautiful|ugly|"
    r"cool|awesome|remember(?:s|"
    r"ed)? when|article|"
    r"blog|podcast|read about|heard about|last (?:year|job)|years ago|back then|used to|once|"
    r"history of|anniversary|bought|birthday|congrats|thanks? for|recommend\w*|pretty|looks?)\b"
    r"|(?:上?周末|昨[天晚]|前天|上周)[^，。；]{0,3}(?:去|看|吃|逛|玩|见|碰)[了到过]|不错|好看|"
    r"好玩|好用|喜欢|点赞|真棒|厉害|文章|博客|播客|听说|推荐|去年|上个月|以前|当年|"
    r"曾经|记得|纪念|"
    r"恭喜|生日|有意思|谢谢",
    re.I,
)
_ACTING = (
    Kind.PLAN, Kind.COMMITMENT, Kind.START, Kind.WAIT, Kind.DEADLINE, Kind.DECISION, Kind.CHANGE,
    Kind.QUESTION,
)  # fmt: skip


def counts_on(remark: Remark) -> bool:
    """Whether people go by what a remark says; mere opinions and memories they do not."""
    return remark.has(*_ACTING) or not MUSING.search(remark.text)


_OUTSIDE = re.compile(
    r"\b(?:contract\w*|signed|promised|sold|tickets?|premieres?|launch\w*|press|deadline|must|"
    r"has to)\b"
    r"|合同|签|答应|承诺|首映|开幕|必须|发布会",
    re.I,
)


def bound(remark: Remark) -> bool:
    """Whether others hold the team to the date: it is more than a plan of its own."""
    return remark.has(Kind.DEADLINE) or bool(_OUTSIDE.search(remark.text))


_OPEN_END = re.compile(
    r"\b(?:not|isn't|aren't|wasn't|hasn't|haven't|won't|can't|cannot|don't|doesn't|didn't|no|"
    r"nobody|"
    r"yet|still|soon|later|will|would|should|could|might|may|maybe|going to|gonna|plan\w*|tomorrow|"
    r"next|need\w*|want\w*|hope\w*|almost|nearly|half|working on|trying|until|till|before|if)\b"
    r"|没|不|未|还|会|要|将|明天|下周|可能|也许|希望|打算|准备|快|再|等|如果|在做|在写",
    re.I,
)
_UNDECIDED = (
    Kind.QUESTION, Kind.WAIT, Kind.RISK, Kind.COMMITMENT, Kind.START, Kind.PLAN, Kind.ASSIGNED,
    Kind.BANTER, Kind.SMALLTALK, Kind.CHANGE, Kind.DEADLINE,
)  # fmt: skip


def states(remark: Remark) -> bool:
    """Whether a remark plainly says how something is by now, in whatever words."""
    if remark.has(*_UNDECIDED) or _OPEN_END.search(remark.text) or MUSING.search(remark.text):
        return False
    return len(remark.terms) >= 2


def fits(here: Remark, there: Remark) -> bool:
    if abs(here.at - there.at) > RECENT or subjects.contrary(here.terms, there.terms):
        return False
    return not rivals.two_of_a_kind(here, there)


def pairs(
    world: World, here: Callable[[Remark], bool], there: Callable[[Remark], bool]
) -> Iterator[tuple[Remark, Remark]]:
    """Remarks of two rooms of which at least one is news."""
    mine = [r for r in world.remarks if not r.me and not r.idle and here(r)]
    yours = [r for r in world.remarks if not r.me and there(r) and not taken_back(r, world)]
    for a in mine:
        for b in yours:
            if (a.fresh or b.fresh) and elsewhere(a.room, b):
                yield a, b


_SOON = timedelta(minutes=30)


def amended(remark: Remark, world: World) -> Remark | None:
    """What a correction corrects: the last plain remark before it."""
    if not remark.has(Kind.CORRECTION, Kind.REVERSAL) or remark.has(Kind.QUESTION):
        return None
    before = [
        r for r in world.within(remark.room)
        if r.at < remark.at and remark.at - r.at < _SOON and not r.me and not r.idle
        and not r.has(Kind.QUESTION) and r.terms
    ]  # fmt: skip
    weights = {r.id: sum(kinship.shared(r, remark, world).values()) for r in before}
    shared = sorted((r for r in before if weights[r.id] >= 1.0), key=lambda r: weights[r.id])
    own = [r for r in before if r.who == remark.who or (r.times and remark.times)]
    likely = shared or own
    return likely[-1] if likely else None


def taken_back(there: Remark, world: World) -> bool:
    """Whether the same room has corrected a remark since."""
    return any(
        later.at > there.at and not later.me and (
            _corrects(later, there, world) or _outdates(later, there, world)
        )
        for later in world.within(there.room)
    )  # fmt: skip


_INSTEAD = re.compile(
    r"\b(?:make it|instead|we(?:'ll| will)? (?:take|use|go with)|so (?:it'?s|we))\b|"
    r"改[成到为用走在]?|换[成到]?|还是用",
    re.I,
)
"""Something else takes the place of what is of no use."""


def _corrects(later: Remark, there: Remark, world: World) -> bool:
    soon = later.at - there.at < _SOON and not later.has(Kind.QUESTION)
    if soon and _INSTEAD.search(later.text) and Pair(there, later, world).trouble:
        return True
    if not later.has(Kind.CORRECTION, Kind.REVERSAL):
        return False
    near = sum(kinship.shared(later, there, world).values()) >= 1.0
    return near or amended(later, world) is there


def _outdates(later: Remark, there: Remark, world: World) -> bool:
    """Whether the same thing was given another value on the same day."""
    if later.has(Kind.QUESTION, Kind.WAIT) or later.at - there.at > timedelta(hours=12):
        return False
    both = Pair(there, later, world)
    if both.weight < 1.6 or not both.other_value or rivals.two_of_a_kind(there, later):
        return False
    return min(both.cover_here, both.cover_there) >= 0.4


def covers(wanted: dict[str, float], given: dict[str, float]) -> bool:
    """Whether a remark speaks of what is wanted and not only of something near it."""
    if not any(t[0] >= "\u4e00" for t in given):
        # Said in another language: only names, identifiers and known concepts can match.
        latin = {t: w for t, w in wanted.items() if t[0] < "\u4e00"}
        wanted = latin if len(latin) >= 2 else wanted
    hits = [t for t in wanted if t in given]
    if not hits or subjects.contrary(wanted, given):
        return False
    for sort in (_exact, _telling):
        wanted_ids = [t for t, w in wanted.items() if sort(t, w)]
        if wanted_ids and not any(t in given for t in wanted_ids):
            return False
    weight = sum(wanted[t] for t in hits) / sum(wanted.values())
    return weight >= 0.5 and len(hits) * 2 >= len(wanted) and (len(hits) >= 2 or len(wanted) <= 1)


def _exact(term: str, weight: float) -> bool:
    return weight >= 2.5 or (term.isdigit() and len(term) > 1)


def _telling(term: str, weight: float) -> bool:
    return weight >= 2.0


def same_matter(a: Remark, b: Remark) -> bool:
    """Whether two remarks are surely about one matter."""
    return subjects.link(a.terms, b.terms).near and not subjects.contrary(a.terms, b.terms)


_SETTLED = re.compile(
    r"\b(?:unblocked|works now|working now|got it|never ?mind|found it|solved|sorted|all good|"
    r"no longer"
    r" (?:blocked|needed|waiting)|thanks,? (?:that|it)|can continue|moving on|we're good)\b"
    r"|搞定|解决了|通了|好了|可以了|不用了|不用等|不等了|要到了|拿到了|收到了|有了|找到了|解封|"
    r"不等了|能用了|知道了|不卡了|继续了",
    re.I,
)


_GOT = re.compile(
    r"\b(?:got it|found it|we're good|all good|sorted)\b|不用等|不等了|要到了|拿到了|找到了|"
    r"(?<![没未])有了|可以了|看到了|分到了|"
    r"收到了",
    re.I,
)
"""What closes the question right before it, though it does not repeat its words."""


_ARRIVED = re.compile(
    r"\b(?:arrived|is here|are here|came in|delivered|landed|showed up|signed for)\b"
    r"|刚[^，。；]{0,4}[到好齐完通]|[到好齐完通]了|(?<![没不])来了|签收",
    re.I,
)


def settled(open_one: Remark, world: World) -> bool:
    """Whether the room settled its own wait or question."""
    near = 0
    for later in world.within(open_one.room):
        if later.at < open_one.at or later.id == open_one.id or later.me:
            continue
        near += 1
        if later.reply_to == open_one.id and not later.has(Kind.QUESTION):
            return True
        tie = subjects.link(open_one.terms, later.terms)
        closing = bool(_SETTLED.search(later.text))
        at_once = near <= 2 and bool(_GOT.search(later.text))
        if closing and (later.who == open_one.who or tie.shared > 0 or at_once):
            return True
        if later.has(Kind.DONE, Kind.RESOLUTION, Kind.RELAY) and tie.loose:
            return True
        open_still = later.has(Kind.QUESTION, Kind.WAIT, Kind.RISK) or _OPEN_END.search(later.text)
        shared = kinship.shared(open_one, later, world)
        if (
            _ARRIVED.search(later.text)
            and not open_still
            and sum(shared.values()) >= (1.2 if near <= 2 else 1.6)
        ):
            return True
    return False


def heard(room: Room, news: Remark, world: World) -> bool:
    """Whether a room already has what is new in a remark."""
    return any(contains(remark, news) for remark in world.within(room))


_MERE = frozenset({Kind.PERSONAL, Kind.UNAVAILABLE})


def contains(remark: Remark, news: Remark) -> bool:
    asking = remark.has(Kind.QUESTION) and not remark.me  # our own words may quote a question
    if remark.idle or asking or not subjects.link(remark.terms, news.terms).near:
        return False
    owner = news.first(Kind.OWNER)
    if owner and owner.who and owner.who not in remark.text:
        return False
    if news.has(Kind.RISK) and not (remark.me or remark.has(Kind.RISK, Kind.RELAY, Kind.CHANGE)):
        return False  # the same day in a plan is no warning
    if news.times:
        same = any(claims.same_time(t, news, u, remark) for t in news.times for u in remark.times)
        # A day named before the news came may be that of a plan the news upsets.
        before = remark.at < news.at and not (remark.me or remark.has(Kind.RELAY))
        if same and before and all(s.kind in _MERE for s in news.signals):
            return sum(w for t, w in news.terms.items() if t not in remark.terms) < 1.0
        return same
    strong = [t for t, w in news.terms.items() if w >= 2.0]
    if strong:
        named = all(t in remark.terms for t in strong)
        late = remark.at >= news.at or remark.has(Kind.RELAY)
        return named and late and _beyond(news.terms, strong, remark.terms)
    told = remark.me or remark.has(Kind.RELAY, Kind.DONE, Kind.RESOLUTION)
    return told and remark.at >= news.at


def _beyond(news: dict[str, float], names: list[str], given: dict[str, float]) -> bool:
    """Whether more of some news is there than the names of the things it is about."""
    others = [term for term in news if not any(term in name for name in names)]
    return not others or any(term in given for term in others)


def undone(news: Remark, world: World) -> bool:
    """Whether what was there is broken or taken back again."""
    return any(
        later.at > news.at
        and later.has(Kind.RISK, Kind.REVERSAL)
        and later.room.session == news.room.session
        and subjects.link(later.terms, news.terms).near
        for later in world.remarks
    )


def over(risk: Remark, world: World) -> bool:
    return any(
        later.at >= risk.at and later.id != risk.id
        and later.has(Kind.DONE, Kind.RESOLUTION) and not later.has(Kind.RISK)
        and covers(risk.terms, later.terms | later.room.terms)
        for later in world.remarks
        if not later.me and later.room.open
    )  # fmt: skip


def dropped(remark: Remark, world: World) -> bool:
    """Whether the room itself gave the plan up later."""
    return any(
        later.at > remark.at
        and later.has(Kind.REVERSAL)
        and subjects.link(later.terms, remark.terms).loose
        for later in world.within(remark.room)
    )
