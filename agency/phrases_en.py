"""English patterns of what a clause does: decide, promise, ask, wait, warn and so on."""

import re

from agency.changes_en import CHANGES as CHANGES
from agency.patterns import any_of as _any

_I = re.IGNORECASE
DECISION = _any(
    r"\b(?:we|they|team|i|board|lin|it was|has|have)(?: have| has|'ve| all)? (?:decided|agreed)\b",
    r"^(?:finally |just )?(?:decided|agreed)\b",
    r"\bdecision\s*(?:made|taken|is|:|-)|\bdecision (?:from|of|by|in)\b[^.:]{0,30}:",
    r"\bfinal(?:ly)? decision\b",
    r"\b(?:settled|signed off) on\b",
    r"\bit'?s (?:decided|official|final)\b",
    r"\b(?:we|we'll|we will|we're) (?:go|going) with\b",
    r",\s*final\b",
    r"\b(?:from now on|as of (?:now|today)|effective immediately)\b",
)
TENTATIVE = _any(
    r"\b(?:maybe|perhaps|might|could|should we|shall we|what if|propos(?:e|al|ed|ing)|suggest\w*|"
    r"thinking (?:about|of)|consider(?:ing)?|would be nice|i'd (?:like|love|prefer)|i wish|"
    r"not sure|"
    r"if we|discuss(?:ing|ed)?|debat\w+|rumou?r|wonder\w*|not (?:yet )?decided|haven't decided|"
    r"no decision|undecided|one day|someday|in theory|option|fun fact|years ago|back then|"
    r"at my (?:last|old|previous)|used to|once upon|last (?:year|job)|(?:article|blog|talk|"
    r"post) about)\b"
)
COMMITMENT = _any(
    r"\b(?:i|we)(?:'ll| will| shall)\s+(?:still |also |definitely |then |have |get )?(?!be\b|see\b|"
    r"think\b|never\b|not\b|probably\b|try\b|miss\b)\w+",
    r"\b(?:i|we)(?:'m|'re| am| are) going to (?!be\b)\w+",
    r"^\W*(?:(?:ok(?:ay)?|sure|yes|yep|yeah|np|alright)[\s,.!]+)?(?:will|gonna|'ll|going to) "
    r"(?:get|send|do|have|share|upload|post|deliver|finish|write|fix|bring|forward|drop|ping|push|"
    r"prepare|make|give|hand|ship|put|call|book|order|pay|sign|submit|email|mail)\b",
    r"\b(?:i|we) (?:promise to|owe you|can do (?:it|that))\b|\bleave (?:\S+ ){1,5}(?:to|with) me\b",
    r"\bi'?ll\s+(?!be\b|see\b|think\b|never\b|not\b|probably\b|try\b|miss\b)\w+",
    r"\b(?:from|by) me (?:by|before|until|on)\b|\bi(?:'m| am) (?:sending|delivering|handing|"
    r"finishing|"
    r"shipping|uploading|sharing)\b",
    r"\bi promise\b|,\s*promise[d!.]*$|\bcount on me\b|\byou(?:'ll| will) (?:have|get|receive|"
    r"see) (?:it|them|the|my|a)\b",
    r"\bi can (?:have|get|send|finish|deliver)\b",
)
OWNER = _any(
    r"\b(?:owner|lead|approver|dri|point person|contact|driver|captain)\b(?:\s+(?:of|for)\s+"
    r"[^,;:]+?)?\s*(?:is|are|:|=)\s*(?:now\s+)?(?P<who>(?-i:[A-Z]\w+)|[\u4e00-\u9fff]{2,4})",
    r"\b(?P<who2>(?-i:[A-Z]\w+))\s+(?:\([^)]*\)\s+)?(?:now\s+)?(?:owns?|approves?|leads?|"
    r"signs?|manages?|maintains?|looks after|takes care of|is responsible"
    r"|is in charge of|takes over|took over|signs off|handles?|decides on|drives?|grants?"
    r"|is (?:the |now the |our )?(?:\w+ ){0,2}(?:owner|approver|contact|lead|dri))\b",
    r"\b(?:owned|approved|led|handled) by (?P<who3>(?-i:[A-Z]\w+))",
)
DEADLINE = _any(
    r"\b(?:deadline|due|target date|no later than|by|before|until|till|expires?|expiring|valid|"
    r"goes? live|going live|go-live|launch(?:es|ing)?|ships?|cut-?off|freezes?|closes?|ends?|"
    r"starts? on|release date|delivery|signed|runs? out|needs? it|must be|hard stop)\b"
)
RISK = _any(
    r"\b(?:risk(?! (?:form|register|assessment|team|report|matrix|list|log))|risky|worried|worry|"
    r"concerned|slips?|slipped|slipping|delayed|delays?|at risk|"
    r"behind schedule|vulnerab\w+|overrun|over budget|too late|running late|bottleneck|"
    r"short of|shortage|in danger|postponed|won't (?:make|work|be ready|be done|arrive)|"
    r"will not (?:make|be ready|arrive)|can't (?:make|finish|deliver)|cannot (?:make|finish|"
    r"deliver)|"
    r"not (?:yet )?(?:be )?(?:approved|granted|ready|signed|available|working)|isn't ready|"
    r"(?:fails?|failing|failed|broken|breaks?|down)\b|no (?:permission|permissions|access|budget|"
    r"capacity|rights)|(?:lacks?|missing|without) (?:\w+ )?(?:permission|permissions|access|"
    r"approval|budget|rights)|earliest|not before|out of (?:stock|order)|fell through|"
    r"fallen through|broke down|collapsed|called off|sold out|unavailable|"
    r"might (?:not|fail|slip|break)|may (?:not (?:make|arrive|work|be)|slip|fail)|could (?:slip|"
    r"fail)|"
    r"(?:doesn't|didn't|don't|did not|does not) (?:work|arrive|pass|start|boot|show up)|"
    r"(?:is|are|'s|'re) (?:stuck|late|blocked|broken|leaking|sick)|stuck (?:at|in) customs|"
    r"takes? (?:us )?(?:until|till)|not until|only (?:on|by|from|in) (?=\d|mon|tue|wed|thu|fri|"
    r"next)|"
    r"strike|freez(?:e|es|ing)|frozen|on ice|paused|suspended|halted|reboot(?:s|ed|ing)?|"
    r"restart(?:s|ed)?|"
    r"(?:is|are|goes?|went|be|gone|taken) offline|paint(?:ed|ing)|renovat\w+|stay out|no access|"
    r"do not enter|in use by|"
    r"(?:don't|do not|dont) (?:install|use|deploy|order|buy|ship|touch|open|send)|security hole|"
    r"offline|power cut|flood(?:ed)?|occupied|taken|double.booked|"
    r"criticals?|blockers?|regressions?|"
    r"recall(?:ed)?|takes? (?:\w+ )?longer|another (?:\w+ )?(?:days?|weeks?|months?)|"
    r"(?:days?|weeks?|months?) late|ran out|running out|runs out|not (?:going to|gonna) (?:make|"
    r"work|arrive|happen)|unstable|leak(?:s|ing|ed)?|crash(?:es|ed|ing)?|trouble|hiccup|"
    r"push(?:es|ed) us|cracked|"
    r"(?:is|are|stays?|remains?|be) (?:still )?closed|closed for|rejected|denied)\b"
)
QUESTION = _any(
    r"[?？]\s*[)”\"]*\s*$",
    r"\b(?:does|do) (?:anyone|anybody|somebody|someone|you) know\b",
    r"^(?:\W|hey|hi|ok|so|and|btw|quick q|question|guys|folks|team)*\b"
    r"(?:who|what|when|where|which|whose|how)\b(?! (?:a|an)\b)",
    r"\b(?:any idea|can (?:someone|anyone|anybody)|looking for|anyone know|anybody know|who knows|"
    r"no idea (?:who|when|where|which|what|how)|need to know|wondering (?:who|when|where|which))\b",
)
OPEN_QUESTION = _any(
    r"\bwho (?:approves?|owns?|signs?|grants?|decides?|takes?|is)\b", r"permission"
)
DONE = _any(
    r"\b(?:is|are|was|were|has been|have been|been|'s|now|just|already|finally|all|gets?|got)\s+"
    r"(?:now |already |all |fully |also |finally |just |back )?"
    r"(?:done|finished|ready|fixed|resolved|solved|merged|deployed|live|open|opened|up|available|"
    r"approved|granted|here|delivered|unblocked|shipped|published|landed|back|complete|completed|"
    r"in|"
    r"enabled|installed|signed|online|restored|renewed|reachable|provisioned|created|uploaded|"
    r"paid)\b",
    r"(?:'s|\bis|\bare) (?:now |already )?(?:in|on|under|at) (?:the |our |your )?[\w/.-]+ now\b|"
    r"\b(?:is|are|'s) (?:now |finally )?out(?=\s*(?:[!.,;]|$|\bnow\b))",
    r"(?<=\w )(?:deployed|merged|uploaded|delivered|shipped|installed|published|released|fixed|"
    r"renewed|"
    r"signed|approved|opened|enabled|activated|granted|migrated|restored|received|created|resolved|"
    r"repaired|completed|finished|unblocked|provisioned|confirmed|cleared)"
    r"(?=\s+(?:to|on|in|at|into|this|today|yesterday|now|and|since|with|an? \w+ ago)\b)",
    r"(?<=[a-z] )(?:submitted|handed in|done|ready|finished|fixed|live|merged|deployed|approved|"
    r"signed|shipped|solved|"
    r"sorted|delivered|uploaded|up and running|back up|good to go|all set)\s*(?=[!.,;:✅🎉]|$|"
    r"\bnow\b)",
    r"^\W*(?:and |ok |so )?(?:booked|ordered|paid|called|done|finished|fixed|resolved|merged|"
    r"deployed|delivered|shipped|"
    r"sent|attached|uploaded|"
    r"published|opened|granted|enabled|approved|moved|signed|arrived)\b",
    r"\b(?:put|dropped|placed|left|saved|pushed|moved|added) (?:\w+ ){0,5}(?:in|into|on|to|under|"
    r"at) "
    r"(?:the |our |your )?(?:\w+ )?(?:folder|drive|share|wiki|repo|inbox|vault|desk|channel|bucket|"
    r"drop ?box|page|board|sheet|doc)\b",
    r"\b(?:i|we|they|(?-i:[A-Z]\w+))(?:'ve| have| has)?(?: just| already| finally)? (?:sent|"
    r"finished|"
    r"delivered|merged|fixed|uploaded|published|opened|deployed|shipped|completed|released|granted|"
    r"enabled|attached|pushed|posted|shared|built|wrote|signed|approved|renewed|got|received)\b",
    r"\bhere (?:is|are|it is|they are|you go)\b|\battached\b|\b(?:has|have) arrived\b|\barrived\b",
    r"\b(?:works|working) (?:now|again)\b|\bgreen again\b|\bwe (?:already )?have (?:a|an|our)\b",
    r"\bthere(?:'s| is| are) (?:\S+ ){1,8}already\b|\balready (?:have|has|had|got|wrote|built|"
    r"made|did)\b|"
    r"\b(?:we|they|there) (?:have|has) (?:\S+ ){1,6}already\b|\b(?:came|come|is|"
    r"are) in\b(?= ?[,.!]|$)|"
    r"\bsigned off\b|\bgot (?:the )?(?:ok|go|green light|approval)\b|\byou can (?:go|start|"
    r"continue|use)\b|"
    r"\b(?:upgrade|migration|rollout|import|move|test|check|audit|review|export|"
    r"backup) (?:finished|completed|"
    r"ended|is over)\b|"
    r"\b[a-z]+ (?:has |have |just |already |finally )*(?:granted|approved|finished|delivered|"
    r"released|"
    r"published|signed|fixed|merged|deployed|uploaded|shipped|completed|confirmed|accepted|"
    r"repaired|sent|"
    r"gave|paid|received|installed|renewed|unlocked|handed)\s+(?:the|a|an|our|us|me|it|them|all|"
    r"over|"
    r"back|your|their)\b|"
    r"\bexists?(?=\s*(?:[:,.]|$))|\bsaid (?:yes|ok)\b|\b(?:came|went|gone) through\b|"
    r"\bthere is already\b|\balready exists?\b|\bin place\b",
    r"\b(?:went live|goes live now|launched|passed|succeeded|cleared|bought|ordered|rolled out|"
    r"set up)\b",
    r"\b(?:has|have|is|are|was|were) (?:now |already |also )?(?:been )?(?!blocked|delay|need|"
    r"plan|schedul|"
    r"expect|suppos|worried|concern|interest|relat|bas|call|nam|us|clos|fail|reject|deni|postpon|"
    r"cancel|deprecat|retir|discontinu|expos|leak|crash|"
    r"requir|limit|stop|expir|miss|suspend|paus|mov|chang|replac|assign|own|convinc|annoy|bor|"
    r"tir|excit)"
    r"[a-z]{3,}ed\b",
)
NOT_DONE = _any(
    r"\b(?:not|isn't|aren't|wasn't|hasn't|haven't|never|no longer|nearly|almost|once|until|when|if|"
    r"will be|should be|to be|half|partly|nobody|no one|before)\b(?!\s+only)"
)
WAIT = _any(
    r"\b(?:waiting (?:for|on|until)|wait(?:s)? (?:for|on|until)|(?:still )?blocked\b|stuck\b|"
    r"on hold\b|held up\b|pending\b|depend(?:s|ing)? on|"
    r"(?:can't|cannot|can not|couldn't|cant) (?:\S+ ){0,8}(?:until|till|before|without)|"
    r"(?:blocked|stuck|waiting|hanging)(?= (?:by|on|for|behind|at|w/))|as long as (?:we|there)|"
    r"still no (?=\w+ )|holding (?:off|back) (?:until|for|on|till)|(?:idle|nothing moves) until|"
    r"(?:as soon as|once) (?:we have|we get|the|it)|needs? (?:\S+ ){1,6}before|"
    r"no (?:\w+ ){1,2}left|(?:ran|are|we're|is) out of (?!order|office|the|town|date|scope)|"
    r"used up|"
    r"parked (?:for now|until)|(?:can't|cannot) (?:\w+ ){1,6}(?:no|without)\b|"
    r"hold(?:ing)? (?:\S+ ){1,5}(?:until|till)|no (?:\w+ ){1,2}from \w+ yet|no \w+ yet|"
    r"nothing (?:moves|happens|goes on)|before we (?:hear|know|get)|"
    r"still (?:missing|not here|not there|no sign)|(?:hasn't|haven't|has not|"
    r"have not) (?:arrived|come|"
    r"been delivered|shown up)|no progress (?:until|without)|paused until)\b"
)
PLAN = _any(
    r"\bplan(?:s|ned|ning)?\b|\blet'?s\b|\b(?:going to|we'll|we will|we're|we are)\b|"
    r"\bscheduled?\b",
    r"\b(?:we|our \w+|team|still) (?:still |always |currently )?(?:uses?|using|ships?|builds?|"
    r"targets?|expects?|assumes?|run|runs|need|needs|count|counts|rely|relies)\b",
    r"\b(?:ship|release|roll ?out|build|launch|deploy|run|test|start|book|print)\w*\s+"
    r"(?:\w+\s+){0,3}(?:with|on|using|for|at|in)\b",
    r"\b(?:we told|told (?:the )?(?:customers?|clients?|everyone|users?)|announced|announcing|"
    r"invited|invitations?|booked|printed|informed|communicat\w+)\b",
    r"\b(?:customers?|clients?|users?|guests?|everyone|they) (?:still |all )?(?:expects?|knows?|"
    r"thinks?|assumes?)\b",
    r"\b(?:uses|needs|requires|relies on|asks? for|asking)\b",
    r"\b(?:agenda|roadmap|milestone|todo|to do|next step|preparing|prepare|aiming|aim for|"
    r"target)\b",
    r"^(?!(?:nothing|anything|something|everything|morning|evening|during|"
    r"according)\b)\w{3,}ing (?:(?:the|a|an|our|all|my|your)\b|"
    r"(?:\S+ ){1,6}(?:today|tomorrow|on|by|next|this)\b)",
    r"\b(?:will|shall) (?:use|be|ship|run|start|go|happen|take place)\b|\bon track for\b",
)
START = _any(
    r"\b(?:i|we)(?:'m|'re|'ll| am| are| will| have|'ve)?\s*(?:just |now |also |about to |"
    r"going to )*"
    r"(?:start(?:s|ed|ing)?|begin|began|beginning|kick(?:ing|ed)? off|build(?:ing)?|writ(?:e|ing)|"
    r"working on|pick(?:ing|ed)? up|implement(?:ing)?|develop(?:ing)?|creat(?:e|ing)|draft(?:ing)?|"
    r"prototyp(?:e|ing)|cod(?:e|ing)|design(?:ing)?|set(?:ting)? up|tackl(?:e|ing))\b",
    r"\b(?:gonna|going to|about to|planning to|want to|wanna|plan to) (?:build|write|set up|"
    r"create|make|"
    r"develop|translate|draft|design|implement|code|prepare|record|draw|script|migrate|port)\b",
    r"\b(?:i|we)(?:'ve| have) (?:just |now |already )?begun\b",
    r"\b(?:started|starting|begun|began)\s+(?:to \w+|\w+ing|on|with|the|a|an|our)\b",
    r"^(?:starting|beginning|building|writing|kicking off|working on|implementing|drafting)\b",
)
RELAY = _any(
    r"\bfyi\b|\bheads[- ]?up\b|\b(?:news|update|word) from\b|\bas (?:decided|announced|agreed|"
    r"discussed) (?:in|by|with)\b|\bsaw (?:that|the (?:decision|news|change))\b|"
    r"\bjust (?:heard|learned|read|saw)\b|\bheard from\b|\bfor (?:everyone's|your) information\b|"
    r"\b(?:told|tells) (?:us|me)\b|\bpassing (?:this )?on\b|\brelaying\b"
)
CORRECTION = _any(
    r"^\W*(?:hm+,? |oh,? |ah,? |ok,? )?(?:correction|sorry|oops|scratch that|scrap (?:that|it)|"
    r"i meant|i mean|"
    r"make (?:that|it)|typo|actually|update|edit|small correction|no,? wait|wait|hang on|hold on|"
    r"strike that|my mistake|no[,.]|in fact)(?!\w)|\bso (?:it'?s )?[^.,;]{1,24} it is\b"
)
REVERSAL = _any(
    r"\b(?:revert(?:ed|ing)?|rolled back|roll back|scrap(?:ped)? (?:that|it|the)|undo|undone|"
    r"cancel that|forget (?:that|it|the)|never ?mind|stay(?:s|ing)? (?:with|on)|"
    r"stick(?:ing)? (?:with|to)|back to|"
    r"return(?:s|ed|ing)? to (?:the )?(?=\S{1,20} (?:for|on|at|in|as)\b)|revers(?:e|ed|ing)|"
    r"withdrawn|call(?:ed|ing)? (?:it |that )?"
    r"off|overruled|on second thought|changed our minds?|is off the table|take that back|"
    r"keep(?:ing)? the (?:old|current)|(?:we|we're|we'll) keep(?:ing)? (?:the |our |it)|said no\b|"
    r"forget (?:what|about|my)|ignore (?:that|what|my|the (?:last|previous|above))|false alarm|"
    r"as (?:originally )?planned after all|not (?:moving|changing|happening) after all|"
    r"stays? (?:as (?:it )?(?:is|was)|the same|unchanged|put)|disregard (?:that|my|the)|"
    r"decision is void|on hold again)\b"
)
PRIVATE = _any(
    r"\bbetween (?:us|you and me|the two of us)\b|\bjust between\b",
    r"\bkeep (?:it|this|that) (?:private|confidential|secret|to yourself|between|quiet|here)\b",
    r"\b(?:do not|don'?t|please don'?t|never) (?:\w+ )?(?:tell|share|mention|repeat|pass|forward|"
    r"say)\b",
    r"\b(?:confidential|off the record|in confidence|not public|hush|under nda)\b",
    r"\b(?:it|this|that)(?:'s| is| stays| remains) (?:\w+ )?(?:private|a secret|secret)\b",
    r"\b(?:nobody|no one|not a soul)\b[^.!?]{0,24}\b(?:knows?|hears?|finds? out)\b|\bnot a word\b|"
    r"\b(?:strictly|just|only) for you\b|\bfor your (?:eyes|ears) only\b|\bto yourself\b|"
    r"\bnot for (?:anyone|others)\b",
    r"\bonly (?:you|for you|telling you)\b|\bnot (?:yet )?official\b|\bstays? between\b",
)
PERSONAL = _any(
    r"\b(?:hospital|doctor|dentist|clinic|surgery|appointment|sick|illness|ill|therapy|therapist|"
    r"pregnan\w+|divorc\w+|custody|funeral|depress\w+|burn(?:ed|t)? ?out|burnout|diagnos\w+|"
    r"medical|"
    r"medication|resign\w*|quit(?:ting)?|leaving the (?:company|team)|job offer|new job|"
    r"interview(?:ing)?"
    r" (?:at|elsewhere|with)|salary|raise|bonus|price floor|floor price|bottom line|walk-away|"
    r"lowest "
    r"(?:we|price)|laid off|layoffs?|fired|visa|bankrupt\w*|lawsuit|acquisition|password|"
    r"secret key|"
    r"passphrase|maternity|paternity|parental leave|wedding|mortgage|debt)\b"
)
UNAVAILABLE = _any(
    r"\b(?:appointment|hospital|doctor|dentist|surgery|away|out of office|ooo|on leave|vacation|"
    r"holiday|day off|not available|unavailable|can'?t (?:make|come|be there|do|attend)|"
    r"cannot (?:make"
    r"|come|attend)|won't be (?:there|in|around)|travel(?:l?ing)?|off on|flight|funeral|sick|"
    r"court)\b"
)
ASSIGNED = _any(
    r"\b(?:pencil+ed in|penciled|put (?:down|in)|assigned|scheduled|booked|signed up|noted|"
    r"volunteered|planned|counting on|listed)\s+(?:\w+ )?(?P<who>(?-i:[A-Z]\w+))",
    r"\b(?:put|have|got|set|wrote)\s+(?P<who3>(?-i:[A-Z]\w+))\s+(?:down|in for|on)\b",
    r"\b(?P<who2>(?-i:[A-Z]\w+)) (?:is (?:down|on|scheduled|assigned|pencilled in|set|presenting|"
    r"running|"
    r"doing|hosting)|will (?:do|give|run|present|host|take|cover|lead)|takes|presents|covers|hosts|"
    r"does|runs|gives)\b",
)
EXPIRY = _any(
    r"\b(?:expires?|expiring|expiration|valid (?:until|till|through)|runs? out|lapses?)\b"
)
OURS = _any(r"\bour\b|\bwe\b")
BANTER = _any(
    r"\b(?:haha+|hehe|lol|lmao|rofl|just kidding|jk|kidding|joking|joke)\b|[😂🤣😅😜😆🙃]|"
    r"(?<!\w)[:;]-?[)PD](?!\w)",
    r"\b(?:move to|open|become|buy|join) an? (?:farm|island|cave|bakery|monastery|farmer|monk|"
    r"circus|bar)\b",
)
SMALLTALK = _any(
    r"^\s*(?:hi|hello|hey|good (?:morning|evening|night|afternoon)|morning|thanks?|thank you|ty|"
    r"thx|"
    r"cheers|welcome|bye|see you|happy birthday|congrats|congratulations|nice|cool|ok|okay|\+1|"
    r"great|"
    r"sounds good|well done|good job)\b[\s\w,]{0,20}[!.…]*\s*$",
    r"\b(?:anyone|who(?:'s| is| wants)?|let'?s|fancy|want|up for|grab|time for)\b.*"
    r"\b(?:lunch|coffee|beer|pizza|drinks?|dinner)\b",
    r"^\W*(?:lunch|coffee|beer|pizza|dinner)\b[^.]{0,20}[?!]",
    r"\b(?:weather|weekend plans|birthday cake|karaoke|football)\b",
)
INJECTION = _any(
    r"\bignore (?:all |any |your |the |my |previous |prior |earlier |above )*(?:rules?|"
    r"instructions?|"
    r"prompts?|guidelines|policies|restrictions)\b",
    r"\bdisregard (?:all |any |your |the |previous )*(?:rules?|instructions?|prompts?|"
    r"guidelines)\b",
    r"\b(?:you are now|act as|pretend (?:to be|you)|developer mode|jailbreak|system prompt)\b",
    r"^\s*(?:assistant|bot|system|ai|limen|dear (?:ai|assistant|bot))\s*[:,]",
    r"\b(?:post|send|share|copy|reveal|paste|forward|tell (?:me|us)|show|list|print|dump)\b[^.]*"
    r"\b(?:(?:your )?other (?:chats?|rooms?|channels?|conversations?)|private (?:chats?|"
    r"messages?)|dms?"
    r"|your (?:instructions|prompt|memory|secrets))\b",
    r"\b(?:bot|assistant|ai|limen|agent|machine|language model)\b[^.!?]{0,60}\b(?:rules?|"
    r"instructions?|developer|admin\w*|"
    r"mode|suspended|overrid\w+|authori[sz]\w*|unlock\w*|confidential\w*|everything|private|"
    r"secrets?)\b",
    r"\b(?:new|updated|changed?|different) (?:rules?|instructions?|orders?|policy|"
    r"policies) (?:for|from)\b[^.]*\b(?:bot|"
    r"assistant|admin|ai|developer)\b|\bas (?:your|the) (?:developer|admin\w*|owner|creator)\b",
    r"\b(?:print|list|reveal|dump|output|repeat|show|post|recite|summari[sz]e|"
    r"disclose)\b[^.]{0,50}\b(?:private|"
    r"confidential|secret|in confidence|direct messages?|dms?|told you|system prompt)\b",
    r"\bwithout (?:asking|consent)\b|<\s*/?\s*(?:system|section|instruction)",
)
LEAD = re.compile(
    r"^\s*(?:[(\[][^)\]]{2,30}[)\]]\s*)?(?:(?:ok(?:ay)?|so|team|all|hi all|hey|quick|short|small|"
    r"great|"
    r"good|bad)\s*(?:news|update|note)?[,:!]\s*)?"
    r"(?:(?:we(?:'ve| have)?|i(?:'ve)?|the team)?\s*(?:just |finally |all )?(?:decided|agreed)\s*"
    r"(?:(?:today|now|together|yesterday)\s*)?(?:[:,-]|that)\s*|(?:final |the )?decision\s*"
    r"(?:[:,-]|is(?: that)?)\s*|minutes(?:[^:]{0,40})?:\s*|notes?(?:[^:]{0,40})?:\s*|"
    r"(?:small )?correction\s*[:,-]\s*|update\s*[:,-]\s*|fyi\s*[:,-]?\s*|heads[- ]up\s*[:,-]?\s*|"
    r"(?:sorry|oops|actually|scratch that|make that|signed|risk|answer|info|reminder)\s*[:,-]\s*|"
    r"i'?m (?:a bit |really |quite )?(?:worried|concerned) (?:about|that)\s+(?:the )?)",
    _I,
)
"""The opening of a sentence that says what kind of sentence it is; left out when it is retold."""
