"""Waits, questions, duplicate work and risks that concern another room; English and Chinese."""

# fmt: off

from routing_shape import Hears, Story, said

STORIES = (
    Story(
        name="contract", kind="stale wait",
        rooms={"onboarding": "Ana Li", "legal": "Zoe Hu"},
        said=(
            said(1, "onboarding", "Ana", "d1",
                 "Waiting for the signed Globex contract before we can start.",
                 "在等 Globex 的合同签好才能开始。"),
            said(2, "legal", "Hu", "d2",
                 "The Globex contract is signed, copy in the drive.",
                 "Globex 合同已签好，副本在网盘。"),
        ),
        hears=(
            Hears(room="onboarding", facts=("Globex", "signed|签",), sources=("d2",)),
        ),
    ),
    Story(
        name="key", kind="stale wait",
        rooms={"mobile": "Mo Hu", "infra": "Zoe Kai"},
        said=(
            said(1, "mobile", "Hu", "d1",
                 "We can't continue until we get the push certificate for iOS.",
                 "iOS 的推送证书没到，没法继续，在等 iOS 推送证书。"),
            said(3, "infra", "Zoe", "d2",
                 "iOS push certificate has been renewed and uploaded.",
                 "iOS 推送证书已续期并上传。"),
        ),
        hears=(
            Hears(room="mobile", facts=("iOS", "renewed|续期",), sources=("d2",)),
        ),
    ),
    Story(
        name="already there", kind="stale wait",
        rooms={"mobile": "Mo Hu", "design": "Zoe Kai"},
        said=(
            said(1, "design", "Zoe", "d1",
                 "Onboarding illustrations are finished, folder art-55.",
                 "新手引导插画已完成，在文件夹 art-55。"),
            said(2, "mobile", "Hu", "d2",
                 "Still waiting for the onboarding illustrations.",
                 "还在等新手引导插画。"),
        ),
        hears=(
            Hears(room="mobile", facts=("art-55",), sources=("d1",)),
        ),
    ),
    Story(
        name="where", kind="question",
        rooms={"qa": "Li Wei", "data": "Mo Ana"},
        said=(
            said(1, "qa", "Wei", "e1",
                 "Where do the crash logs of the tablet app live now?",
                 "平板应用的崩溃日志现在放在哪里？"),
            said(2, "data", "Mo", "e2",
                 "Crash logs of the tablet app are stored under logs-tab-9.",
                 "平板应用的崩溃日志存到 logs-tab-9 了。"),
        ),
        hears=(
            Hears(room="qa", facts=("logs-tab-9",), sources=("e2",), major=False),
        ),
    ),
    Story(
        name="who approves", kind="owner",
        rooms={"release": "Kai Ana", "platform": "Lin Mo"},
        said=(
            said(1, "release", "Ana", "e1",
                 "Who approves access to the audit vault?",
                 "审计金库的访问权限谁来批？"),
            said(2, "platform", "Lin", "e2",
                 "Zoe approves access to the audit vault from now on.",
                 "以后审计金库的访问权限由 Zoe 审批。"),
        ),
        hears=(
            Hears(room="release", facts=("Zoe",), sources=("e2",), major=False),
        ),
    ),
    Story(
        name="owner known before", kind="owner",
        rooms={"release": "Kai Ana", "platform": "Lin Mo"},
        said=(
            said(1, "platform", "Lin", "e1",
                 "Owner of the Helsinki cluster is Hu.",
                 "Helsinki 集群的负责人是 Hu。"),
            said(2, "release", "Ana", "e2",
                 "Who is responsible for the Helsinki cluster?",
                 "Helsinki 集群谁负责？"),
        ),
        hears=(
            Hears(room="release", facts=("Hu",), sources=("e1",), major=False),
        ),
    ),
    Story(
        name="when", kind="question",
        rooms={"support": "Li Wei", "ops": "Zoe Hu"},
        said=(
            said(1, "support", "Li", "e1",
                 "When does the phone system upgrade happen?",
                 "电话系统升级是什么时候？"),
            said(2, "ops", "Zoe", "e2",
                 "Phone system upgrade is scheduled for 14 December, 07:00.",
                 "电话系统升级定在 12月14日 07:00。"),
        ),
        hears=(
            Hears(room="support", facts=("14 December|12月14",), sources=("e2",), major=False),
        ),
    ),
    Story(
        name="not an answer", kind="question",
        rooms={"support": "Li Wei", "ops": "Zoe Hu"},
        said=(
            said(1, "support", "Li", "e1",
                 "When does the phone system upgrade happen?",
                 "电话系统升级是什么时候？"),
            said(2, "ops", "Zoe", "e2",
                 "The phone system upgrade was a topic in the weekly again.",
                 "周会又聊了电话系统升级。"),
        ),
    ),
    Story(
        name="asked twice", kind="question",
        rooms={"support": "Li Wei", "ops": "Zoe Hu"},
        said=(
            said(1, "support", "Li", "e1",
                 "Who owns the badge printer?",
                 "工牌打印机谁负责？"),
            said(2, "ops", "Zoe", "e2",
                 "Who owns the badge printer?",
                 "工牌打印机谁负责？"),
        ),
    ),
    Story(
        name="exporter", kind="duplicate",
        rooms={"web": "Ana Li", "mobile": "Mo Hu"},
        said=(
            said(1, "web", "Li", "f1",
                 "I'm starting to write a PDF exporter for receipts.",
                 "我开始写收据的 PDF 导出工具。"),
            said(2, "mobile", "Hu", "f2",
                 "Our PDF exporter for receipts is finished, repo pdf-mint.",
                 "我们的收据 PDF 导出工具写完了，代码库 pdf-mint。"),
        ),
        hears=(
            Hears(room="web", facts=("pdf-mint",), sources=("f2",), major=False),
        ),
    ),
    Story(
        name="both start", kind="duplicate",
        rooms={"web": "Ana Li", "mobile": "Mo Hu"},
        said=(
            said(1, "mobile", "Hu", "f1",
                 "We started building the offline-sync module yesterday.",
                 "我们昨天开始做 offline-sync 模块。"),
            said(2, "web", "Li", "f2",
                 "I'll start building an offline-sync module now.",
                 "我现在开始做 offline-sync 模块。"),
        ),
        hears=(
            Hears(room="web", facts=("offline-sync",), sources=("f1",), major=False),
        ),
    ),
    Story(
        name="other thing", kind="duplicate",
        rooms={"web": "Ana Li", "mobile": "Mo Hu"},
        said=(
            said(1, "web", "Li", "f1",
                 "I start writing the invoice parser today.",
                 "今天我开始写发票解析器。"),
            said(2, "mobile", "Hu", "f2",
                 "Our receipt scanner is done.",
                 "我们的小票扫描器写好了。"),
        ),
    ),
    Story(
        name="already reused", kind="duplicate",
        rooms={"web": "Ana Li", "mobile": "Mo Hu"},
        said=(
            said(1, "web", "Li", "f1",
                 "I start writing the invoice parser today.",
                 "今天我开始写发票解析器。"),
            said(2, "mobile", "Hu", "f2",
                 "Our invoice parser is done, repo inv-parse.",
                 "我们的发票解析器写好了，仓库 inv-parse。"),
            said(2, "web", "Li", "f3",
                 "Heard from mobile: invoice parser exists, I use their inv-parse.",
                 "听移动组说发票解析器已经有了，我直接用 inv-parse。"),
        ),
    ),
    Story(
        name="supplier", kind="risk meets deadline",
        rooms={"sales": "Bo Zoe", "factory": "Hu Kai"},
        said=(
            said(1, "sales", "Bo", "g1",
                 "We promised Umbrella the X200 sensor delivery on 8 May.",
                 "答应了 Umbrella，X200 传感器 5月8日 交付。"),
            said(2, "factory", "Hu", "g2",
                 "X200 sensor production is delayed, earliest 20 May.",
                 "X200 传感器生产延期，最早 5月20日。"),
        ),
        hears=(
            Hears(room="sales", facts=("X200", "20 May|5月20",), sources=("g2",)),
            Hears(room="factory", facts=("Umbrella", "8 May|5月8",), sources=("g1",), major=False),
        ),
    ),
    Story(
        name="risk first", kind="risk meets deadline",
        rooms={"sales": "Bo Zoe", "security": "Hu Kai"},
        said=(
            said(1, "security", "Hu", "g1",
                 "Risk: the OAuth gateway has no failover yet.",
                 "风险：OAuth 网关还没有冗余。"),
            said(2, "sales", "Bo", "g2",
                 "Soylent launches on 2 July using our OAuth gateway.",
                 "Soylent 7月2日上线，用我们的 OAuth 网关。"),
        ),
        hears=(
            Hears(room="sales", facts=("OAuth", "failover|冗余",), sources=("g1",)),
            Hears(room="security", facts=("Soylent", "2 July|7月2",), sources=("g2",), major=False),
        ),
    ),
    Story(
        name="unrelated risk", kind="risk meets deadline",
        rooms={"sales": "Bo Zoe", "security": "Hu Kai"},
        said=(
            said(1, "sales", "Bo", "g1",
                 "Hooli goes live on 2 July with LDAP.",
                 "Hooli 7月2日上线，要 LDAP。"),
            said(2, "security", "Hu", "g2",
                 "Penetration tests of the intranet are delayed.",
                 "内网渗透测试延期了。"),
        ),
    ),
    Story(
        name="venue", kind="risk meets deadline",
        rooms={"events": "Ana Li", "facility": "Zoe Hu"},
        said=(
            said(1, "events", "Ana", "a",
                 "Plan: all-hands in the Aurora room on 9 June.",
                 "计划：6月9日 在 Aurora 厅开全员会。"),
            said(2, "facility", "Zoe", "b",
                 "Aurora room is closed for repairs until 20 June.",
                 "Aurora 厅维修关闭，到 6月20日。"),
        ),
        hears=(
            Hears(room="events", facts=("Aurora", "20 June|6月20",), sources=("b",)),
        ),
    ),
    Story(
        name="wait review", kind="stale wait",
        rooms={"mobile": "Mo Hu", "security": "Zoe Kai"},
        said=(
            said(1, "mobile", "Mo", "a",
                 "We're stuck waiting on the security review of the login flow.",
                 "登录流程的安全评审没出来，我们卡住了，在等安全评审。"),
            said(2, "security", "Zoe", "b",
                 "Security review of the login flow passed today, no findings.",
                 "登录流程的安全评审今天通过了，没有问题。"),
        ),
        hears=(
            Hears(room="mobile", facts=("passed|通过",), sources=("b",)),
        ),
    ),
    Story(
        name="wait license", kind="stale wait",
        rooms={"data": "Mo Ana", "it": "Hu Zoe"},
        said=(
            said(1, "data", "Ana", "a",
                 "Still no Tableau licence, the dashboard is on hold until we have one.",
                 "Tableau 许可证还没到，看板先暂停，在等许可证。"),
            said(3, "it", "Hu", "b",
                 "Bought 5 Tableau licences, keys are in the vault.",
                 "买了 5 个 Tableau 许可证，密钥在保险库。"),
        ),
        hears=(
            Hears(room="data", facts=("Tableau", "vault|保险库",), sources=("b",)),
        ),
    ),
    Story(
        name="question version", kind="question",
        rooms={"support": "Li Wei", "dev": "Mo Kai"},
        said=(
            said(1, "support", "Li", "a",
                 "Which version fixes the login crash on Android 14?",
                 "哪个版本修复了 Android 14 登录崩溃？"),
            said(2, "dev", "Mo", "b",
                 "The Android 14 login crash is fixed in 3.8.2.",
                 "Android 14 登录崩溃在 3.8.2 修复了。"),
        ),
        hears=(
            Hears(room="support", facts=("3.8.2",), sources=("b",), major=False),
        ),
    ),
    Story(
        name="question person", kind="owner",
        rooms={"sales": "Bo Li", "hr": "Zoe Hu"},
        said=(
            said(1, "sales", "Bo", "a",
                 "Who is the contact for the Lisbon office lease?",
                 "Lisbon 办公室租约的对接人是谁？"),
            said(2, "hr", "Zoe", "b",
                 "Hu handles the Lisbon office lease.",
                 "Lisbon 办公室租约由 Hu 负责。"),
        ),
        hears=(
            Hears(room="sales", facts=("Hu",), sources=("b",), major=False),
        ),
    ),
    Story(
        name="dup research", kind="duplicate",
        rooms={"ux": "Ana Li", "marketing": "Mo Hu"},
        said=(
            said(1, "marketing", "Mo", "a",
                 "We finished 12 customer interviews about pricing, notes in folder px-12.",
                 "我们做完了 12 个客户定价访谈，记录在 px-12 文件夹。"),
            said(2, "ux", "Li", "b",
                 "I'm kicking off customer interviews about pricing this week.",
                 "这周我开始做客户定价访谈。"),
        ),
        hears=(
            Hears(room="ux", facts=("px-12",), sources=("a",), major=False),
        ),
    ),
    Story(
        name="dup migration script", kind="duplicate",
        rooms={"web": "Ana Li", "core": "Mo Hu"},
        said=(
            said(1, "web", "Ana", "a",
                 "Today I begin building a CSV importer for the contacts.",
                 "今天我开始做联系人的 CSV 导入工具。"),
            said(2, "core", "Hu", "b",
                 "FYI the CSV importer for contacts already exists, see repo csv-lift.",
                 "联系人的 CSV 导入工具已经有了，见代码库 csv-lift。"),
        ),
        hears=(
            Hears(room="web", facts=("csv-lift",), sources=("b",), major=False),
        ),
    ),
    Story(
        name="risk hw", kind="risk meets deadline",
        rooms={"sales": "Bo Zoe", "supply": "Hu Kai"},
        said=(
            said(1, "sales", "Bo", "a",
                 "Promised Stark 200 units of the RX-7 by 15 April.",
                 "答应 Stark 4月15日 前交 200 台 RX-7。"),
            said(2, "supply", "Kai", "b",
                 "RX-7 chips are out of stock, next batch arrives 2 May.",
                 "RX-7 芯片缺货，下一批 5月2日 到。"),
        ),
        hears=(
            Hears(room="sales", facts=("RX-7", "2 May|5月2",), sources=("b",)),
            Hears(room="supply", facts=("Stark", "15 April|4月15",), sources=("a",), major=False),
        ),
    ),
    Story(
        name="wait dns", kind="stale wait",
        rooms={"web": "Ana Li", "infra": "Zoe Hu"},
        said=(
            said(1, "web", "Ana", "a",
                 "Blocked until DNS for shop.example is switched.",
                 "在等 shop.example 的 DNS 切换，卡住了。"),
            said(2, "infra", "Zoe", "b",
                 "DNS for shop.example has been switched.",
                 "shop.example 的 DNS 已切换。"),
        ),
        hears=(
            Hears(room="web", facts=("shop.example",), sources=("b",)),
        ),
    ),
    Story(
        name="owner change", kind="owner",
        rooms={"release": "Kai Ana", "ops": "Zoe Hu"},
        said=(
            said(1, "release", "Ana", "a",
                 "Who signs off the Mercury rollout?",
                 "Mercury 发布谁来拍板？"),
            said(2, "ops", "Zoe", "b",
                 "Mercury rollout: Hu signs off from today.",
                 "Mercury 发布从今天起由 Hu 批准。"),
        ),
        hears=(
            Hears(room="release", facts=("Hu",), sources=("b",), major=False),
        ),
    ),
    Story(
        name="q answered w/ link", kind="question",
        rooms={"qa": "Li Wei", "docs": "Mo Ana"},
        said=(
            said(1, "qa", "Li", "a",
                 "Where can I find the onboarding checklist?",
                 "入职清单在哪里？"),
            said(2, "docs", "Ana", "b",
                 "Onboarding checklist is now at https://wiki.example/onb-1",
                 "入职清单现在在 https://wiki.example/onb-1"),
        ),
        hears=(
            Hears(room="qa", facts=("onb-1",), sources=("b",), major=False),
        ),
    ),
)
