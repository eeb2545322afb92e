"""Words by which news is told plainly: doubt, memory, lack, trouble, what has come to be so."""

import re

DOUBTFUL = re.compile(
    r"\b(?:if|whether|maybe|perhaps|might|could|would|"
    r"(?<!nobody )(?<!one )(?<!body )(?<!we )should(?! not)|suppose|imagine|wonder\w*|wish|hope|"
    r"hopefully|thinking|think|guess|probably|idea|rumou?r\w*|joke|ha(?:ha)*|lol|someday|at home|"
    r"at my place|dream\w*|fingers crossed|let'?s (?:see|discuss|talk)|what about|how about|"
    r"not sure|(?:do not|don['’]t) forget|remember to|please (?:remember|don't forget|"
    r"let me know)|undecided|fun fact|funny|"
    r"considering|propos(?:e|al|ing)|suggest\w*|debat\w+|discuss(?:ing)?|in theory|one day)\b"
    r"|如果|要是|假如|会不会|能不能|要不要|要不|是不是|也许|可能|或许|"
    r"大概(?! *[\d一二两三四五六七八九十])|应该|希望|建议|想想|"
    r"感觉|据说|听说|不如"
    r"|怕是|我家|家里|估计|万一|哈哈|不确定|还在想|是否|别忘|记得|麻烦|[没未]决定|[没未]定|讨论|"
    r"商量一下|考虑"
    r"|趣事|上家|前公司|梦见|做梦|要是能|该多好",
    re.I,
)
"""Not asserted: a thought, a wish, a rumour, a joke, or what happens at home."""
SAYS = re.compile(
    r"\b(?:sa(?:ys|id)|told|tells?|wants?|decided|heard|according)\b|说|通知|要求", re.I
)
"""Somebody else's words."""
SECOND_HAND = re.compile(
    r"\b(?:news|word) from\b|\bas (?:decided|announced|agreed|discussed) (?:in|by|with)\b|"
    r"\b(?:heard|learned|read) (?:that|from|about)\b|\bjust (?:heard|read|saw)\b|\b(?:told|"
    r"tells) (?:us|me)\b|"
    r"\bpassing (?:this |it )?on\b|\brelay\w*\b|\b(?:fyi|update) from\b|转告|转述|转发|"
    r"据[^，。；]{1,8}说|听[^，。；]{1,6}说|"
    r"[^，。；]{1,6}(?:组|群|那边)(?:说|通知)|院里刚?通知",
    re.I,
)
"""Passed on, not told first."""
NOT_YET = re.compile(
    r"\b(?:yet|still|soon|almost|nearly|working on|trying|waiting|unless)\b"
    r"|还没|尚未|仍|还在|正在|在等|快要|快好|快(?!满|过期|到期|没|用完|坏)[^，。；]{1,3}了|差不多|"
    r"再给|马上|即将|准备|等着|"
    r"没有?消息|催",
    re.I,
)
"""On its way only."""
GOES_ON = re.compile(
    r"^\W*(?:and|but|so|because|since|as|which|it|they|we|he|she)\b|\b(?:it|they|them|its)\b"
    r"|[它这那]",
    re.I,
)
"""A clause that speaks on about what was named before it."""
WORKS = re.compile(
    r"\b(?:again|back|fixed|works?|working|running|reachable|up|online|restored|repaired|solved|"
    r"resolved|fine|"
    r"sorted|open|recovered|replaced|ok|okay)\b|恢复|修好|好了|能[用连开上进]了|又能|可以了|正常|"
    r"通了|解决|换好",
    re.I,
)
"""What was broken is in order."""
TROUBLE = re.compile(
    r"\b(?:no|cannot|(?:did|does|is|are|was|were|can|may|will|must|has|have) not|"
    r"never|nothing|nobody|none|broken?|broke|shut|closed?|closes|gone|"
    r"lost|stolen|sold out|out of (?:stock|order|business|print)|leak\w*|(?:on|caught) fire|"
    r"flood\w*|fail\w*|"
    r"bust|bankrupt|fenced|blocked|banned|refus\w+|reject\w+|declin\w+|stuck|held (?:up|back|in)|"
    r"showstoppers?|bugs?|defects?|(?:too|running|is|are|be|days?|weeks?|hours?) late(?:r)?|"
    r"problem|recall\w*|torn|crack\w*|"
    r"quit|down|"
    r"withdr[ae]w\w*|discontinued|expired|earliest|at best|"
    r"at the earliest|cancel\w*|off limits|out of|slip\w*|delay\w*|short(?:age)?|"
    r"(?:we're|we are|is|are) out|expir\w+|runs? out|laps\w+|(?:broke|hurt|sprained|"
    r"twisted) (?:his|her|my|their)|missing|trip(?:s|ped)?|overheat\w*|overload\w*|(?:days?|"
    r"weeks?|far|well) behind|behind schedule|criticals?|"
    r"vulnerab\w+|end of life|obsolete|"
    r"deprecated|unsupported|withdrawn|unavailable|dead|died|shot|burst|collapsed|"
    r"not before|strand\w*|jam\w*|overdue|postpon\w*)\b"
    r"|\b(?:is|are|was|were|did|does|do|ca|wo|has|have|had|must)n['’]t\b"
    r"|还没|尚未|(?<![没无])问题|故障|[扭摔受]伤|生病|[\u4e00-\u9fff]不[了好完成出]|"
    r"没[^，。；]{0,2}过|不在|"
    r"[过进上下]不去|[走打行]不通|坏|倒闭|落后|没人[有能会]|病了|不合格|晚到|晚[\d一二两三四五六]+[个天周]|跳闸|过热|超载|"
    r"停[了产业办止用运电水]|没[了货有法能]|谢绝|禁[用入止行]|闭[馆园店]|清场|封山|限行|"
    r"不(?:开放|放人|接待|接客|营业)|不[再能用了走行让准予够许收]|[用做来到]不了|"
    r"关[了闭门停]|拆|封[了闭路锁到]|开挖|断[路水电网]|"
    r"漏|[卖用售]完(?!请?归|请?放|请?还|请?关|后|就|再|之|记得|要|给|的)|[卖用]光|售罄|断|扣|丢|"
    r"撤|退出|拒|驳|否决|只能|只好|只剩|最快|最早|烂|裂|塌|"
    r"淹|烧|挂了|"
    r"崩|罢|缺|冻结|取消|作废|改[走用到在成为去]|换[成到了]|推[到迟]|搬[到去]|压在|滞|延|征用",
    re.I,
)
"""Something is wrong with it, or it has to be done another way."""
OPEN = re.compile(
    r"\b(?:nothing (?:moves|happens|goes)|on ice|on hold|held up|parked|paused|stalled|idle|"
    r"as long as|ha(?:s|ve) to (?:rest|wait)|(?:has|have|gets?|got) no|just sits|sits? (?:here|"
    r"there)|"
    r"can(?:'t|not|not) (?:\w+ ){1,4}(?:until|unless|without|before)|unless|until|till|without|"
    r"as soon as|the (?:moment|minute) |once|hold(?:ing)? (?:off|back|on)|stuck|waiting|"
    r"unreachable|hangs on|nothing from|missing|short of|lack\w*|need\w* (?:the|a|an|your|their)|"
    r"depends? on|hinges on|only (?:\w+ ){0,4}(?:when|once|after))\b"
    r"|^\W*no\b|[^，。；]着(?:呢|$|[，。；])|没[^，。；]{1,6}之?前|等|"
    r"[\u4e00-\u9fff]不[到了来出上动成完开起下好通齐]|一[^，。；]{1,5}[我你他]?们?就|没法|没办法|"
    r"无法|差(?!不多|评|旅)|就缺|只缺|"
    r"还缺|缺|没下来|没到|"
    r"没来|没给|才能|停着|卡|指望|盼|搁",
    re.I,
)
"""Somebody lacks something."""
HELD = re.compile(
    r"\bnothing (?:moves|happens)|\bon (?:hold|ice)\b|\b(?:can(?:'t|not)|blocked|stuck|wait\w*)\b.*"
    r"\b(?:until|unless|without)\b|(?:只能|只好)?先[^，。；]{0,3}着|[干等停]着|在等|就等|还在",
    re.I,
)
"""A room that waits itself tells nobody that something has come or gone."""
AS_WAS = re.compile(
    r"\bnot (?:been |being )?(?:cancel|chang|mov|delay|postpon|affect)\w*"
    r"|\bas (?:planned|it was|before|usual)\b|\bunchanged\b|\bstays?\b|照旧|照常|不变$|"
    r"不[换改挪搬推动]了|还是(?![要会没不有很在]|[^，。；]{0,12}[？?])|没有?变|"
    r"不受影响|照原",
    re.I,
)
"""Nothing has changed."""
OTHERWISE = re.compile(
    r"\b(?:mov(?:es?|ed|ing)|shift(?:s|ed|ing)?|switch(?:es|ed|ing)?|swap(?:s|ped|ping)?|"
    r"chang(?:es?|ed|ing)|replac(?:es?|ed|ing)|renam\w+|relocat\w+|postpon\w+|reschedul\w+|"
    r"push(?:es|ed|ing)? (?:back|out|to|forward)|pushed|brought forward|bring\w* forward|extend\w*|"
    r"shorten\w*|rais(?:es?|ed|ing)|lower\w*|cut(?:s|ting)?|reduc\w+|increas\w+|slip(?:s|ped|"
    r"ping)?|"
    r"delay\w*|drop(?:s|ped|ping)?|convert\w*|redirect\w*|transferr?\w*|adjust\w*|revis\w+|"
    r"supersed\w+|trim\w*|bump\w*|doubl\w+|halv\w+|withdr[ae]w\w*|cancel\w*|scrap\w*|call\w* off|"
    r"retir\w+|discontinu\w+|remov\w+|pull\w*|tak(?:en|es|ing) (?:out|off|over|down)|took (?:out|"
    r"off|over)|"
    r"shut\w*|clos(?:es|ed|ing)|bann?\w*|forbid\w*|forbidden|stop(?:s|ped|ping)?|end(?:s|ed)|"
    r"since|minimum|now|no longer|any ?more|instead|rather than|not .{1,20} but|after all|"
    r"from now on|as of|"
    r"starting|effective|until further|off limits|goes (?:to|on|in)|will (?:be|only|go|happen)|"
    r"won['’]t|must|ha(?:s|ve) to|only|new|down to|up to|back to|so it'?s|ends? up|"
    r"this (?:time|year|week)|decided|agreed|settled|no)\b"
    r"|最低|至少|[\u4e00-\u9fff](?<!完)成(?![功本员立])|精简|改|换|调[整到成]|挪|移|搬|推[迟后到]|"
    r"顺延|"
    r"延[期后到]|"
    r"提前|缩|[涨降升减增]到?|替|变|转|作废|"
    r"以.{1,12}为准|取消|停|统一|一律|"
    r"现在|起[，。]|新的|新[址版规号价款批]|[换用上]新|不再|别[\u4e00-\u9fff]|"
    r"由[^，。；]{1,8}[代顶接替]|定[在于为了]|"
    r"晚[到了点]|早[到了点]|撤|"
    r"下架|砍|禁|关|拆|"
    r"不[做用办让走开上]|只[能放有收开接给剩做到]|过[了期时][^，。；]{0,6}不|才|成了|用不了",
    re.I,
)
"""It is otherwise than it was, or was to be."""
CHANGES = re.compile(
    r"\b(?:mov\w+|shift\w*|switch\w*|swap\w*|chang\w+|replac\w+|renam\w+|relocat\w+|postpon\w+|"
    r"reschedul\w+|"
    r"push\w*|forward|extend\w*|shorten\w*|rais\w+|lower\w*|cut\w*|reduc\w+|increas\w+|slip\w*|"
    r"delay\w*|drop\w*|"
    r"convert\w*|redirect\w*|adjust\w*|revis\w+|trim\w*|bump\w*|doubl\w+|halv\w+|withdr[ae]w\w*|"
    r"cancel\w*|"
    r"scrap\w*|retir\w+|remov\w+|now|since|minimum|no longer|any ?more|instead|rather|after all|"
    r"from now on|"
    r"as of|no|not|only|"
    r"goes|gets|already|already|must|ha(?:s|ve) to)\b"
    r"|[改换挪移搬推延缩涨降升减增替变停]|调[整到成至低高]|由[^，。；]{1,8}[代顶接替]|"
    r"别[\u4e00-\u9fff]|提前|顺延|最低|至少|"
    r"取消|作废|现在|不再|"
    r"只[能放有批收开接给剩做到]|为止|不[收许让]|"
    r"[\u4e00-\u9fff](?<!完)成|放[A-Z\u4e00-\u9fff]",
    re.I,
)
"""Something is given another value."""
NO_QUESTION = re.compile(
    r"\bremember(?:s|ed)? when\b|(?:^|[.,;:!]\s*)(?:so |and |or |hey,? )?(?:should|shall|could|"
    r"can|may|why don't) we\b|\b(?:what|"
    r"how) about\b|\bwhat if\b"
    r"|记得.*那[次年回]|要不要|要不|不如|能不能把|可不可以|怎么样[？?]|如何[？?]",
    re.I,
)
"""A memory or a proposal in the form of a question."""
HOLDER = re.compile(
    r"(?:交给|归|由|找)了?[\u4e00-\u9fffA-Z][^，。；]{0,6}|在[^，。；]{1,5}(?:手[里上]|那[儿里边])"
)
"""Who has it or sees to it."""
PLACE = re.compile(
    r"\b(?:in|at|on|under|behind|inside|next to|near|with|to)\b|[:：]|https?:|\w+/\w+"
    r"|在|放|收到|搬到|移到|[A-Z\d][区柜层号楼]",
    re.I,
)
"""Where something is."""
COMING = re.compile(
    r"\b(?:back|earliest|ready|arriv\w+|comes?|returns?|delivered|flies|lands|get it|at best)\b"
    r"|才|最快|最早|回来|到货|拿回|送回|放行|取回",
    re.I,
)
"""It is to come, on a day that is named."""
AGAIN = re.compile(
    r"\b(?:return|back to|after all|instead|changed?|swap\w*|not|rather|reverted?)\b"
    r"|回到|改|换|还是|不用|不要|变",
    re.I,
)
"""Somebody takes back what was said before."""
FIRST_PERSON = re.compile(
    r"\b(?:i'?m|i am|we'?re|we are)?\s*(?:going to|gonna|about to|planning to|starting to)\s+"
    r"(?!be\b)\w+|\b(?:i'?ll|let me|i (?:will|want to|plan to)|we'?ll)\s+(?!be\b)\w+|"
    r"\b(?:i'?m|we'?re|i am|we are) (?:now |just )?\w+ing\b|^\W*(?:\w+ )?\w+ing (?:on |off |"
    r"up )?(?:the|a|an|my|our)\b|"
    r"我的(?:活儿?|任务)|我[^，。；]{0,8}(?:打算|准备|想|要|来|会|开始|着手)[^，。；]{0,2}(?:做|写|搞|弄|整|画|编|搭|"
    r"拉|出|拍|译|建|"
    r"理|列|起草|统计|梳理|制作|汇总|开发)"
    r"|我(?:(?![过了完])[^，。；]){1,12}一?[份版套篇]|我[^，。；]{0,8}(?:整理|做|写|画|搭|编|翻译|"
    r"统计)一?[份个套张篇下]?"
    r"|我[^，。；]{0,10}(?:统计|整理|汇总|梳理|编|翻译|起草|画|录|拍|搭|写|"
    r"做)(?![了过完好成的])[^，。；]{2,}",
    re.I,
)
"""Somebody is about to make something."""
EXISTS = re.compile(
    r"\b(?:already|there (?:is|are)|exists?|we (?:have|'ve|got)|we['’]ve (?:had|got|made|built|"
    r"done)|i have|i['’]ve"
    r"|(?:i|we) (?:made|built|wrote|published|did|finished)|lives? (?:in|at|on|under)|sits? (?:in|"
    r"at|on|under)|"
    r"(?:is|are|it'?s) (?:in|on|at|under|the)|has been|have (?:all )?been|finished|done|"
    r"complete[d]?|ready)\b"
    r"|[做写搞弄整画编搭拍译建理列录印排攒备]过|[做写弄整画编搭拍译建理列录制排调配剪印]好|"
    r"(?:去年|上个?[周月]|早就|前[几两]天)[^，。；]{1,8}[完好成齐过](?:了|[，。]|$)|已有|已经|现成|"
    r"有一?[份个版套张]|[做写画译]完|有了|早就?有|里就?有|就[上做有写]了|上线|上架",
    re.I,
)
"""Such a thing is there already."""
DONE_ZH = re.compile(
    r"(?<![不没太快就要])[\u4e00-\u9fff]了(?![吗呢吧解])|[\u4e00-\u9fff]过[了，。一]|已|"
    r"在\s*[\u4e00-\u9fffA-Za-z0-9]"
    r"|可以|能[用进看]|[齐好完通到]了|没问题|[送寄运发批][来到下]|[收搬移][到进]|落在"
)
"""It has come to be so."""
DONE_EN = re.compile(
    r"\b(?:\w{2,}ed|is|are|was|has|have|got|came|went|sits?|stands?|lies|lives?|can|you can|here|"
    r"sent|put|left|brought|found|made|built|done|set|gave|answers?|works?|runs?|fine|hangs?|"
    r"through)\b",
    re.I,
)
"""It is so, or has come to be so."""
CLAUSE = re.compile(r"[，。；！,;!：]|[.:](?=\s|$)")
MOVED = re.compile(
    r"往后[推挪延]|重排|重新排|改约|挪到|顺延|改[到在期]|提前到|\b(?:moved|postponed|rescheduled)\b",
    re.I,
)
"""Put on another day by those who know the first one."""
ONWARDS = re.compile(
    r"\b(?:as of|from (?:today|now|tomorrow|monday)|until further)\b|"
    r"从[^，。；]{1,6}起|即日起|起(?=[，。]|$)",
    re.I,
)
"""It holds from then on."""
ENDS = re.compile(
    r"\b(?:expir\w+|laps\w+|runs? out|valid (?:until|till|through)|(?:held|reserved|open|"
    r"kept) (?:for you )?(?:until|till)|"
    r"ends?|closes?|deadline|due|no later than|latest|cut-?off|last (?:day|date|chance)|"
    r"only until)\b"
    r"|到期|过期|失效|截止|有效期|有效至|作废|为止|只[收开接到][^，。；]{0,3}(?:点|号|周)|保留到|"
    r"最晚|最后一天|逾期|前必须",
    re.I,
)
"""A date after which something is no longer to be had."""
