"""Whether what somebody waits for has come: by the words of what was said later.

a promise, or a question, and a later message ─► settled, or still open
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from agency import subjects
from agency.salience import Kind

HANDED = re.compile(
    r"\b(?:(?:is|are|'s) (?:on|in|at|with) (?:your|the|our)|replied|answered|said|got back|sent|"
    r"went|gone|out|done|up|"
    r"here (?:it is|they are|is|are|you go)|attached|handed|gave|"
    r"got|posted|"
    r"delivered|put|left|filed|finished|ready|uploaded|shared|submitted|signed|paid|booked|ordered|"
    r"called|pushed|merged|published|printed|received|completed|dropped off|in your|thanks for the|"
    r"have the|shipped)\b"
    r"|(?<![不没太要])(?:[发交给寄传写做弄搞签付订贴放提挂补改齐好完到妥上]|提交|上传|搞定|"
    r"合并)(?:出|好|完|上|下|进)?(?:去|来)?了|"
    r"已[^，。；]{0,4}(?:[发交给寄传放贴挂签付完上]|提交)|附件|在这里|(?<![没未])(?:收到|拿到|"
    r"看到|见到|用上)|在(?:群|共享|网盘|云盘|石墨|语雀|飞书|腾讯文档|邮箱|前台|桌上)|"
    r"(?<![没未不])(?:搞定|妥了|完事|齐活)|(?:[开取拿领提接拉运带搬]走|上墙|上架|"
    r"到位|入库|归位|交接)了|"
    r"发[^，。；]{0,4}(?:群|邮箱|你们?)了|发给|^\s*[\[【](?:文件|图片|链接|文档|视频|照片|语音)|"
    r"\.(?:docx?|xlsx?|pptx?|pdf|zip|rar|png|jpe?g|mp[34]|mov|psd|dwg|csv|txt|md)\b|https?://|见上|"
    r"(?:放|存|挂|贴|传|留|摆|搁)[^，。；]{0,3}(?:在|到)[^，。；]{1,14}(?:了|里|上)(?![吗没])",
    re.I,
)
"""Something is with those who waited for it."""
WITHDRAWN = re.compile(
    r"\b(?:no longer need\w*|not need\w*|no need|no rush|no hurry|(?:don['’]t|do not) (?:bother|"
    r"need)|"
    r"instead|later than|new date|postpon\w+|cancel\w*|moved to|can wait|skip|leave it|"
    r"drop(?:ped)?|will (?:do|take|write|handle) (?:it|that|this|over|the)|took (?:it )?over|"
    r"need (?:one )?more|can't make|won't make|extended|will take|takes? (?:until|longer)|"
    r"need (?:more|another|until)|not before|i'll (?:do|take|write|handle) (?:it|that|this))\b"
    r"|不需要|不用|不必|不急|别[弄做写发管急]|[得要拖等](?:等?到)?(?=下?周[一二三四五六日]|"
    r"明[天早晚]|后天|\d{1,2}号)|歇着|甭|免了|省了|"
    r"别[\u4e00-\u9fff]{1,2}了?(?=[，。！~]|$)|取消|改到|"
    r"推迟|延到|来不及|接手|改为|要到|得等|"
    r"可能要|赶不|我自己|算了|晚点再|"
    r"[\u4e00-\u9fff]{0,6}(?:得|要|只能|怕是|估计)[^，。；]{0,8}才[能好行有出可给交]|"
    r"(?:晚|缓|拖|宽限|多等|再等)[^，。；]{0,3}(?:天|小时|周|会儿|一下)|推到|推迟|顺延|延期|"
    r"往后[推挪延]|挪到|改[天日]|"
    r"改成|改(?=[今明后下周\d]|[一二两三四五六七八九十]{1,2}[点号月])|换人|"
    r"[转移]给[^，。；]{1,6}(?:了|做|弄)|不做了|不办了|不搞了|不出了|黄了|作废|停了|"
    r"先别|叫[^，。；]{1,8}(?:做|弄|"
    r"换|修|写|搞)了|(?:帮|替)你[^，。；]{1,10}了",
    re.I,
)
"""Nobody waits for it any more, or not for that time."""
MISSING = re.compile(
    r"\b(?:nothing|missing|no \w+ (?:yet|in|here|there)|not (?:there|here|yet|in)|"
    r"still (?:the )?(?:old|using|with|no|not|drawing)|(?:haven|hasn|didn|isn|aren)['’]t|without|"
    r"empty|"
    r"placeholder\w*|last (?:year|week|month)|for now|meanwhile|old (?:one|version)s?)\b"
    r"|没(?!问题|毛病|事)|还不|先用|先按|旧的|占位|等着|催",
    re.I,
)
"""Somebody says that it is not there, or makes do without it."""
FIRM = re.compile(
    r"\b(?:by|before|until|till|no later than|promise|at the latest|due)\b|前|之前|以内|内|最晚|"
    r"最迟|一定|保证"
    r"|\b(?:send|deliver|submit|hand|upload|share|publish|finish|complete|ship|post|provide|"
    r"forward|"
    r"get (?:it|them|you)|have (?:it|them)|pay|sign|return|reply|answer|call|book|order)\b"
    r"|发|交|提交|给|上传|寄|付|签|回复|完成|做完|写完|搞定|弄好|订",
    re.I,
)
"""A promise others can count on, not only a note on what somebody is at."""


OWN_AFFAIRS = re.compile(
    r"我[^，。；]{0,14}(?:得|要|先|还得)(?:去接|去趟|去[医学托幼]|走|撤|回家|出门|下班|开会|上课|"
    r"接娃|接孩子|请假|赶)"
    r"|\bI (?:have to|need to|must|gotta) (?:leave|go|run|pick up)\b",
    re.I,
)
"""Where somebody has to be by then: nothing that others wait for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """A message that came after, as it stands to the one that is waited for."""

    text: str
    terms: subjects.Terms
    kinds: Collection[Kind]
    by_owner: bool
    """By whoever owes it."""
    same_room: bool
    answers: bool
    """As a reply to it."""


_OF_DEED = re.compile(
    r"([\u4e00-\u9fff])(?:得[不很挺真]?[错好棒清]|(?:[好完齐妥掉出过到上进回下走]|"
    r"[进上出回下过起][来去])?了|[好完齐妥]|过)(?![吗没])"
)
_NO_DEED = frozenset(
    "我你他她的是在不没要会能可到前后上下天点月日号周一二三四五六七八九十今明就都也还和跟把给"
)


def did(promise: str, text: str) -> bool:
    """Whether a Chinese message says done of the very verb of a promise."""
    for match in _OF_DEED.finditer(text):
        sign, before = match.group(1), text[max(0, match.start() - 3) : match.start()]
        if sign in promise and sign not in _NO_DEED and not re.search(r"[没未不还别等]", before):
            return True
    return False


def keeps(promised: subjects.Terms, later: Later, promise: str = "") -> bool:
    """Whether a promise was delivered, moved or made needless by a later message."""
    tie = subjects.link(promised, later.terms)
    about = later.by_owner or tie.shared > 0
    if later.same_room and about and WITHDRAWN.search(later.text):
        return True
    done = Kind.DONE in later.kinds or Kind.RESOLUTION in later.kinds or HANDED.search(later.text)
    theirs = later.by_owner or (tie.shared > 0 and Kind.QUESTION not in later.kinds)
    if theirs and later.same_room and did(promise, later.text):
        return True
    if not done or Kind.QUESTION in later.kinds or Kind.WAIT in later.kinds:
        return False
    if MISSING.search(later.text) and not later.by_owner:
        return False
    if later.by_owner and (tie.shared > 0 or later.same_room):
        return True
    if tie.shared > 0 and later.same_room and Kind.RISK not in later.kinds:
        return True
    return later.same_room and later.answers


def answers(asked: subjects.Terms, later: Later) -> bool:
    """Whether a question was answered or given up by a later message."""
    tie = subjects.link(asked, later.terms)
    if Kind.QUESTION in later.kinds and not later.answers:
        return False
    if later.same_room and (later.answers or later.by_owner):
        return True
    settles = {Kind.DONE, Kind.RESOLUTION, Kind.DECISION, Kind.CHANGE} & set(later.kinds)
    if settles and tie.near:
        return True
    return later.same_room and tie.shared > 0 and bool(WITHDRAWN.search(later.text))
