"""English sentences that give something a new value: moved, replaced, dropped, from now on."""

import re

_I = re.IGNORECASE

VALUE = r"(?:[^,;:()“”\"]|(?<=\d):(?=\d))+?"
_END = (
    r"(?=\s*(?:[,;()“”\"!?]|[.:](?!\d)|$|\s(?:effective|starting|at|for|because|since|due to|as of|"
    r"instead|as"
    r" (?:decided|agreed)|for now|until|so|and|but|which|after|this|next|please|then|now|"
    r"from now)\b))"
)
_MOVE = (
    r"(?:moves?|moved|switch(?:es|ed)?|chang(?:es|ed)?|migrates?|migrated|shift(?:s|ed)?"
    r"|postponed?|pushed(?: back)?|pulled forward|brought forward|rescheduled|renamed|go(?:es)?|"
    r"delayed|slips?|slipped|extended|shortened|raised|lowered|increased|reduced|cut|trimmed|"
    r"bumped|dropped|drops|rises|rose|falls|fell|grows|grew|relocated|upgraded|downgraded|"
    r"converted|capped|went)(?: up| down| back| out)?"
)
_CARRY = (
    r"(?:mov(?:e|es|ed|ing)|push(?:es|ed|ing)?|shift(?:s|ed|ing)?|postpon(?:e|es|ed|ing)|"
    r"reschedul(?:e|es|ed|ing)|bump(?:s|ed|ing)?|rais(?:e|es|ed|ing)|lower(?:s|ed|ing)?|"
    r"cut(?:s|ting)?|reduc(?:e|es|ed|ing)|trim(?:s|med|ming)?|extend(?:s|ed|ing)?|"
    r"shorten(?:s|ed|ing)?|increas(?:e|es|ed|ing)|chang(?:e|es|ed|ing)|switch(?:es|ed|ing)?|"
    r"delay(?:s|ed|ing)?|bring(?:s|ing)?|brought|pull(?:s|ed|ing)?|migrat(?:e|es|ed|ing)|"
    r"renam(?:e|es|ed|ing)|relocat(?:e|es|ed|ing)|upgrad(?:e|es|ed|ing)|limit(?:s|ed|ing)?|"
    r"cap(?:s|ped|ping)?)"
)
"""Verbs by which somebody moves something to a new value."""
_THING = r"(?P<about>(?:(?!to\b|from\b|and\b|but\b|you\b|it\b)[\w'’/-]+\s+){1,5}?)"
CHANGES: tuple[re.Pattern[str], ...] = (
    re.compile(
        rf"\b(?:(?:is|are|'re|be|been)\s+(?:moving|switching|changing|migrating|shifting)|{_MOVE})"
        rf"\s+from\s+(?:the\s+)?(?P<old>{VALUE})\s+(?:over\s+)?(?:to|onto)\s+(?:the\s+)?"
        rf"(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"\b{_CARRY}\s+(?:the\s+|our\s+)?{_THING}(?:back\s+|up\s+|down\s+|over\s+|out\s+|"
        rf"forward\s+)?from\s+(?:the\s+)?(?P<old>{VALUE})\s+to\s+(?:the\s+)?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"(?<![\w./-])(?P<old>[\w./-]+(?: [\w./-]+)?) (?:is|are|was|will be|gets?|"
        rf"has been) (?:now )?replaced"
        rf" (?:with|by) (?:the )?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"^\W*(?:decided|decision|"
        rf"agreed)\b.*?\bfrom\s+(?P<old>{VALUE})\s+to\s+(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"(?:^|:\s*)(?:the\s+)?(?P<old>{VALUE}) (?:is|are) (?:now )?(?:withdrawn|obsolete|"
        rf"outdated|void|"
        r"deprecated|retired|dropped|gone|dead)[,;.]? (?:and )?(?:please )?(?:it'?s|it is|use|"
        r"now|we use|"
        rf"take|go with|switch to) (?:now )?(?:the )?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        r"\b(?:from now on|as of (?:now|today)|effective immediately)\b.*?\b(?:is|are|stands at)\s+"
        rf"(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"(?:^|:\s*)(?:the\s+)?(?P<old>{VALUE}) (?:is|are|was|were) (?:now )?(?:withdrawn|"
        rf"obsolete|outdated"
        rf"|void|deprecated|retired|"
        rf"dropped)[,;]? (?:and )?(?:please )?use (?:the )?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"\breplac(?:e|es|ed|ing)\s+(?:the\s+)?(?P<old>{VALUE})\s+(?:with|by)\s+(?:the\s+)?"
        rf"(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"\b(?:uses?|using|from|by|on|with|be|is|are|gets?|needs?|take|choose|go with|going with|"
        rf"to)\s+(?:the\s+)?"
        rf"(?P<new>{VALUE}),?\s+(?:instead of|rather than|not|and not)\s+(?:the\s+)?"
        rf"(?P<old>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"(?<![\w./-])(?P<new>[\w./-]+(?: [\w./-]+)?) replaces (?:the )?(?P<old>{VALUE}){_END}", _I
    ),
    re.compile(
        rf"\b(?:(?:is|are|'re|be|been)\s+(?:moving|switching|changing|migrating|shifting)|{_MOVE})"
        rf"(?:\s+(?:back|over|forward))?\s+(?:to|until|till)\s+(?:the\s+)?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"\b{_CARRY}\s+(?:the\s+|our\s+)?{_THING}(?:back\s+|up\s+|down\s+|over\s+|out\s+|"
        rf"forward\s+)?to\s+(?:the\s+)?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(rf"\b(?:is|are)\s+now\s+(?:the\s+|on\s+|in\s+|at\s+)?(?P<new>{VALUE}){_END}", _I),
    re.compile(
        r"\b(?:is|are|'s|takes? place|happens?)\s+(?:on|in|at|an?|the|only)\s+(?:the\s+|an?\s+)?"
        r"(?P<new>(?:[^\s,;:()]+\s+){1,4}?)now(?=\s*(?:[,;.!]|$))",
        _I,
    ),
    re.compile(
        rf"(?:^|[,;:]\s*)(?:it'?s|use|we use|it is|take|please use)\s+(?P<new>{VALUE})\s+"
        r"(?:from now on|from today|going forward|instead)\b",
        _I,
    ),
    re.compile(
        r"^\W*(?:fyi:?\s+|heads[- ]up:?\s+)?(?:the\s+)?(?P<old>(?:[\w'./-]+\s+){1,4}?)"
        r"(?:cancell?ed|scrapped|called off|dropped)(?=\s*(?:[,;.!]|$))",
        _I,
    ),
    re.compile(
        r"\bnew\s+(?:\w+\s+){0,3}(?:date|deadline|time|name|version|target|venue|place|owner|"
        rf"budget|limit|plan|slot|url|address)\b[^,;:]*?(?:\s+is|"
        rf":)\s+(?:the\s+)?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"\b(?:going|(?:we(?:'ll| will)? )?go(?:es)?|went)\s+with\s+(?:the\s+)?(?P<new>{VALUE})"
        rf"{_END}",
        _I,
    ),
    re.compile(
        rf"\b(?:decided|agreed|decision|settled)\b[^,;]*?\b(?:to use|on|use|for|to build on)\s+"
        rf"(?:the\s+)?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        r"\b(?:stay(?:s|ing)?|stick(?:ing)?|keep(?:s|ing)?|remain(?:s|ing)?)\s+(?:with|on|to|at)\s+"
        rf"(?:the\s+)?(?P<new>{VALUE}){_END}",
        _I,
    ),
    re.compile(rf"\bback\s+to\s+(?:the\s+)?(?P<new>{VALUE}){_END}", _I),
    re.compile(
        rf"(?:^|[,.;:]\s*)(?:there(?:'s| is| are|"
        rf" will be) )?no (?:more )?(?P<old>{VALUE})(?=\s+(?:this|next|"
        r"on\s+(?:\w+day|the\s+\d|\d)|today|tomorrow|tonight|anymore|any more|for now)\b)",
        _I,
    ),
    re.compile(
        r"\b(?:drop(?:s|ped|ping)?|cancel(?:s|l?ed|l?ing)?|retir(?:e|es|ed|ing)|deprecat(?:e|es|ed)"
        r"|discontinu(?:e|es|ed)|ditch(?:ed|es|ing)?|ax(?:e|ed|es|ing)|binned|stop using|"
        r"remov(?:e|es|ed|ing)|sunset(?:s|ting)?|abandon(?:ed)?"
        rf"|scrap(?:ped)?|kill(?:ed)?)\s+(?:support for\s+)?(?:the\s+)?(?P<old>{VALUE}){_END}",
        _I,
    ),
    re.compile(
        rf"^(?:decided:?\s*|decision:?\s*)?(?:the\s+)?(?P<old>{VALUE})\s+(?:is|are|was|has been|"
        r"have been|will be)\s+(?:now\s+)?(?:cancell?ed|dropped|off|retired|called off|shut down|"
        r"switched off|discontinued|deprecated|removed|withdrawn|void|obsolete|dead|deleted|"
        r"going away|gone|scrapped|not happening)\b",
        _I,
    ),
    re.compile(
        r"(?:^|[,:]\s*|\bthat )\W*(?:the\s+)?(?P<old>(?:[\w'./-]+\s+){1,4}?)(?:goes|go|dies|"
        r"vanishes|"
        r"disappears|shuts down|gets? (?:deleted|removed|dropped|retired|switched off|shut down|"
        r"turned off))"
        r"\b(?: away)?(?!\s+to\b)(?=\s*(?:[,.;!]|$|\b(?:on|in|next|this|tomorrow|today|soon|"
        r"after|by|from)\b))",
        _I,
    ),
    re.compile(
        rf"^\W*+(?:the\s+)?(?P<old>{VALUE})\s+(?:won't|will not|isn't going to|is not going to)\s+"
        rf"(?:happen|take place|go ahead|be (?:held|offered|supported))\b",
        _I,
    ),
    re.compile(
        rf"\b(?:turn(?:s|ed|ing)? off|shut(?:s|ting)? (?:off|down)|switch(?:es|ed|ing)? off|"
        rf"phas(?:e|es|ed|ing) out|tak(?:e|es|ing) down|skip(?:s|ped|ping)?|call(?:s|ed|ing)? off|"
        rf"no longer (?:support|offer|use|sell|accept)(?:s|ing)?|stop(?:s|ped|ping)? (?:supporting|"
        rf"using|selling|accepting|offering))\s+(?:the\s+)?(?P<old>{VALUE}){_END}",
        _I,
    ),
)
