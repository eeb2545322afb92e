"""Near misses, jokes, numbers and promises with a twist; English and Chinese."""

# fmt: off

from routing_shape import Hears, Story, said

STORIES = (
    Story(
        name="deprecated", kind="heard",
        rooms={"arch": "Lin Mo", "project": "Ana Bo"},
        said=(
            said(1, "project", "Bo", "a",
                 "I start integrating the legacy-auth SDK tomorrow.",
                 "明天我开始接入 legacy-auth SDK。"),
            said(2, "arch", "Lin", "b",
                 "We decided to retire legacy-auth in March.",
                 "我们决定三月停用 legacy-auth。"),
        ),
        hears=(
            Hears(room="project", facts=("legacy-auth",), sources=("b",)),
        ),
    ),
    Story(
        name="cancelled event", kind="heard",
        rooms={"pr": "Lin Mo", "events": "Ana Bo"},
        said=(
            said(1, "events", "Ana", "a",
                 "Booked the hotel for the Vienna fair.",
                 "已预订 Vienna 展会的酒店。"),
            said(2, "pr", "Lin", "b",
                 "Vienna fair is cancelled.",
                 "Vienna 展会取消了。"),
        ),
        hears=(
            Hears(room="events", facts=("Vienna", "cancel|取消",), sources=("b",)),
        ),
    ),
    Story(
        name="date in both but other thing", kind="silence",
        rooms={"a": "Lin Mo", "b": "Ana Bo"},
        said=(
            said(1, "b", "Ana", "a",
                 "Payroll run is due on 28 May.",
                 "工资表 5月28日 截止。"),
            said(2, "a", "Lin", "b",
                 "Decided: security drill moves to 30 May.",
                 "决定：安全演练改到 5月30日。"),
        ),
    ),
    Story(
        name="numbers differ", kind="silence",
        rooms={"a": "Lin Mo", "b": "Ana Bo"},
        said=(
            said(1, "b", "Ana", "a",
                 "Waiting for ticket OPS-114 to be fixed.",
                 "在等 OPS-114 修复。"),
            said(2, "a", "Lin", "b",
                 "Ticket OPS-141 is fixed.",
                 "OPS-141 已修复。"),
        ),
    ),
    Story(
        name="ticket", kind="heard",
        rooms={"a": "Lin Mo", "b": "Ana Bo"},
        said=(
            said(1, "b", "Ana", "a",
                 "Waiting for ticket OPS-114 to be fixed.",
                 "在等 OPS-114 修复。"),
            said(2, "a", "Lin", "b",
                 "OPS-114 is fixed and deployed.",
                 "OPS-114 已修复并部署。"),
        ),
        hears=(
            Hears(room="b", facts=("OPS-114",), sources=("b",)),
        ),
    ),
    Story(
        name="q where zh-en", kind="heard",
        rooms={"a": "Lin Mo", "b": "Ana Bo"},
        said=(
            said(1, "b", "Ana", "a",
                 "大促的 landing page 素材放哪了？",
                 "Where are the landing page assets for the sale?"),
            said(2, "a", "Lin", "b",
                 "landing page assets for the sale are in drive folder LP-77.",
                 "大促 landing page 素材在 LP-77 文件夹。"),
        ),
        hears=(
            Hears(room="b", facts=("LP-77",), sources=("b",), major=False),
        ),
    ),
    Story(
        name="risk no date overlap resolved", kind="heard",
        rooms={"sales": "Bo Zoe", "it": "Hu Kai"},
        said=(
            said(1, "sales", "Bo", "a",
                 "Demo for Cyberdyne on 4 June uses the Falcon rig.",
                 "6月4日 给 Cyberdyne 的演示要用 Falcon 台架。"),
            said(2, "it", "Hu", "b",
                 "Falcon rig is down, repair takes until 10 June.",
                 "Falcon 台架坏了，修到 6月10日。"),
        ),
        hears=(
            Hears(room="sales", facts=("Falcon", "10 June|6月10",), sources=("b",)),
        ),
    ),
    Story(
        name="joke decision", kind="silence",
        rooms={"a": "Lin Mo", "b": "Ana Bo"},
        said=(
            said(1, "b", "Ana", "a",
                 "Plan: paint the office door blue on Friday.",
                 "计划：周五把办公室门刷成蓝色。"),
            said(2, "a", "Lin", "b",
                 "Decided: the office door moves from blue to pink unicorns, haha just kidding",
                 "决定：办公室门从蓝色改成粉色独角兽，哈哈开玩笑的"),
        ),
    ),
    Story(
        name="promise done by thanks", kind="silence",
        rooms={"team": "Ana Bo", "dm-bo": "Bo"},
        said=(
            said(1, "team", "Bo", "a",
                 "I'll send the contract draft by Tuesday 10:00.",
                 "合同草稿我周二10:00前发。"),
            said(2, "team", "Ana", "b",
                 "(Tuesday 09:40) Thanks for the contract draft, Bo!",
                 "（周二09:40）合同草稿收到了，谢谢 Bo！"),
            said(3, "team", "Ana", "c",
                 "(Tuesday 12:00) Lunch?",
                 "（周二12:00）吃饭？"),
        ),
    ),
    Story(
        name="promise cancelled", kind="silence",
        rooms={"team": "Ana Bo", "dm-bo": "Bo"},
        said=(
            said(1, "team", "Bo", "a",
                 "I'll send the contract draft by Tuesday 10:00.",
                 "合同草稿我周二10:00前发。"),
            said(2, "team", "Ana", "b",
                 "(Tuesday 09:00) We no longer need the contract draft.",
                 "（周二09:00）合同草稿不需要了。"),
            said(3, "team", "Ana", "c",
                 "(Tuesday 12:00) Reviewing the budget.",
                 "（周二12:00）在看预算。"),
        ),
    ),
    Story(
        name="two promises", kind="heard",
        rooms={"team": "Ana Bo Li", "dm-bo": "Bo", "dm-li": "Li"},
        said=(
            said(1, "team", "Bo", "a",
                 "I'll send the contract draft by Tuesday 10:00.",
                 "合同草稿我周二10:00前发。"),
            said(1, "team", "Li", "b",
                 "I'll upload the photos by Thursday.",
                 "照片我周四前上传。"),
            said(3, "team", "Ana", "c",
                 "(Tuesday 12:00) Reviewing the budget.",
                 "（周二12:00）在看预算。"),
        ),
        hears=(
            Hears(room="dm-bo", facts=("contract|合同",), sources=("a",), major=False),
        ),
    ),
    Story(
        name="q answered later same room", kind="silence",
        rooms={"qa": "Li Wei", "data": "Mo Ana"},
        said=(
            said(1, "qa", "Wei", "a",
                 "Which dashboard shows churn for Q3?",
                 "Q3 流失率在哪个看板？"),
            said(2, "qa", "Li", "b",
                 "It's in board-44.",
                 "在 board-44。"),
            said(3, "data", "Mo", "c",
                 "Churn for Q3 is shown on dashboard board-44 again.",
                 "Q3 流失率又能在看板 board-44 上看到了。"),
        ),
    ),
    Story(
        name="risk told twice", kind="heard",
        rooms={"sales": "Bo Zoe", "sec": "Hu Kai"},
        said=(
            said(1, "sales", "Bo", "a",
                 "Tyrell goes live on 2 June with Kerberos.",
                 "Tyrell 6月2日上线，要 Kerberos。"),
            said(2, "sec", "Hu", "b",
                 "Kerberos setup slips to 9 June.",
                 "Kerberos 配置推迟到 6月9日。"),
            said(3, "sec", "Kai", "c",
                 "As Hu said, Kerberos will be late, 9 June.",
                 "如 Hu 所说，Kerberos 要晚到 6月9日。"),
        ),
        hears=(
            Hears(room="sales", facts=("Kerberos", "9 June|6月9",), sources=("b",)),
            Hears(room="sec", facts=("Tyrell",), sources=("a",), major=False),
        ),
    ),
)
