// Everything the page says, in English and Chinese.

const EN = {
  rooms: "Rooms", direct: "Direct", newRoom: "New room", speakAs: "Speak as", youAre: "You are",
  addPerson: "Add a person", personLink: "Copy personal link", copied: "Link copied: {name} can open it on their own device",
  stories: "Play a story", storiesAbout: "Limen plays a written conversation through the real app: people talk, it listens, and you can watch what it makes of it.",
  play: "Play", playing: "Playing: {title}", scenes: "Behind the scenes", close: "Close", menu: "Rooms and people",
  open: "Open room", private: "Private room", dm: "Direct conversation with {name}", members: "{n} people", membersTitle: "People in #{title}",
  invite: "Invite", leave: "Leave room", join: "Join room", notJoined: "You are reading #{title}. Join to write.",
  write: "Message {room}", writeThread: "Reply in thread", send: "Send", save: "Save", cancel: "Cancel",
  editing: "Editing your message", replyingTo: "Replying to {name}", hint: "Enter to send · Shift + Enter for a new line",
  thinking: "{name} is thinking…", edited: "edited", deleted: "This message was deleted.",
  react: "React", reply: "Reply", thread: "Thread", edit: "Edit", remove: "Delete", why: "Why?", more: "Message actions",
  whyTitle: "Why did you tell us this?", whyEmpty: "Nothing is known about how this message came about.",
  "replies.one": "1 reply", replies: "{n} replies", older: "Show earlier messages", newSince: "New", chose: "{by} chose “{label}”",
  emptyRoom: "Nothing was said here yet.", emptyRoomMore: "Write something. {name} listens, and answers when you mention @{name}.",
  emptyDm: "This is between you and {name}.", emptyDmMore: "What you say here stays here unless you agree that it may be told.",
  noPeople: "Nobody is here yet", noPeopleMore: "Add a person to begin.",
  today: "Today", yesterday: "Yesterday", offline: "The server cannot be reached", busy: "Much is being sent just now. This goes out by itself in a moment.", failed: "That did not work",
  reconnecting: "Connection lost. Trying again…", sure: "Delete this message?",
  title: "Title", name: "Name", about: "What they do (optional)", create: "Create", add: "Add",
  openAbout: "Everybody may read it and walk in", privateAbout: "Only members know it exists", whoIn: "Who is in it",
  asPerson: "As {name}", operatorView: "Operator view",
  operatorNotice: "You see everything now, private conversations included.",
  asNotice: "You see what {name} may know. Private words of others are hidden.",
  hidden: "Private: said where {name} is not", hiddenShort: "private",
  now: "Now", fires: "Fires", runs: "Agency runs", handoffs: "Handoffs", letters: "Outbox", files: "Attention files", sessions: "Sessions", approvals: "Approvals", wishOf: "wanted by {name}", mayAnswer: "{names} may answer", answeredBy: "answered by {name}",
  inbox: "Inbox", inboxWaits: "Waiting for you", inboxComing: "In the next digest, {at}", inboxOff: "Kept, no digest is due", inboxNoDm: "Kept until there is a direct conversation", inboxTold: "Told lately", inboxLeft: "Left out", inboxEmpty: "Nothing waits.", report: "Report",
  budget: "Budget", budgetPrivate: "What the bot costs is shown in the operator view.", budgetUntil: "Until {at}, then a new day begins.", tokensOf: "{n} tokens", calls: "{n} calls", "calls.one": "1 call",
  "purpose.foreground": "Answers", "purpose.agency": "Background mind", "purpose.memory": "Memory", "purpose.background": "Look-ups on the side",
  "level.ok": "as usual", "level.cheaper": "small model", "level.builtin": "built-in model", "level.paused": "paused",
  empty: "Nothing here yet.", moreRows: "Show more", filesPrivate: "Attention files may hold private things. Switch to the operator view to read them.",
  since: "since {at}", wakesAt: "wakes {at}", model: "Model", tokensToday: "Tokens today", costToday: "Cost today", up: "connected", down: "down", slack: "Slack", telegram: "Telegram", feishu: "Feishu",
  sources: "Rests on", gates: "Gates", outcome: "Outcome", delivery: "Deliver at", expires: "Expires", tries: "{n} tries", confidence: "{n}% sure",
  steps: "{n} steps", fireCount: "{n} fires", tokens: "{in} in · {out} out", trace: "Show the whole run", originals: "{n} messages", runCount: "{n} runs",
  "members.one": "1 person", "tries.one": "1 try", "steps.one": "1 step", "fireCount.one": "1 fire", "originals.one": "1 message", "runCount.one": "1 run",
  score: "salience {n}", notBefore: "not before {at}", sentAt: "sent {at}", backToRuns: "All runs",
  "count.fires": "fires waiting", "count.runs": "runs open", "count.handoffs": "handoffs open", "count.letters": "letters to send", "count.sessions": "sessions", "count.originals": "messages kept",
  "state.idle": "Idle", "state.waiting": "Gathering", "state.running": "Thinking", "state.paused": "Paused",
  "about.idle": "Nothing is on its mind.", "about.waiting": "It heard something and waits a moment for more.", "about.running": "It is thinking about what it heard.", "about.paused": "Background work is paused.",
  "step.original": "Said", "step.fire": "Noticed", "step.agency run": "Considered", "step.handoff": "Handed over", "step.inbox": "Kept", "step.consent": "Asked for consent", "step.run": "Decided in the room", "step.delivery": "Delivered",
  "trace.input": "Input", "trace.model": "Model", "trace.tool": "Tool", "trace.result": "Result", "trace.text": "Private words", "trace.error": "Error",
};

const ZH = {
  rooms: "房间", direct: "私聊", newRoom: "新建房间", speakAs: "发言身份", youAre: "您是",
  addPerson: "添加成员", personLink: "复制个人链接", copied: "链接已复制：{name} 可以在自己的设备上打开",
  stories: "播放故事", storiesAbout: "Limen 会在真实的应用里演完一段写好的对话：大家说话，它在一旁听，您可以看到它怎么处理。",
  play: "播放", playing: "正在播放：{title}", scenes: "幕后", close: "关闭", menu: "房间与成员",
  open: "开放房间", private: "私密房间", dm: "与 {name} 的私聊", members: "{n} 人", membersTitle: "#{title} 的成员",
  invite: "邀请", leave: "离开房间", join: "加入房间", notJoined: "您正在浏览 #{title}，加入后即可发言。",
  write: "发消息到 {room}", writeThread: "在话题中回复", send: "发送", save: "保存", cancel: "取消",
  editing: "正在编辑消息", replyingTo: "回复 {name}", hint: "Enter 发送 · Shift + Enter 换行",
  thinking: "{name} 正在思考…", edited: "已编辑", deleted: "此消息已删除。",
  react: "表情", reply: "回复", thread: "话题", edit: "编辑", remove: "删除", why: "为什么？", more: "消息操作",
  whyTitle: "为什么告诉我们这个？", whyEmpty: "没有关于这条消息由来的记录。",
  replies: "{n} 条回复", older: "显示更早的消息", newSince: "新消息", chose: "{by} 选择了“{label}”",
  emptyRoom: "这里还没有人说话。", emptyRoomMore: "写点什么吧。{name} 会听，提到 @{name} 时会回答。",
  emptyDm: "这里只有您和 {name}。", emptyDmMore: "您在这里说的话不会外传，除非您同意。",
  noPeople: "还没有成员", noPeopleMore: "添加一个人就可以开始。",
  today: "今天", yesterday: "昨天", offline: "无法连接服务器", busy: "现在发来的太多，稍等片刻会自动发出。", failed: "操作没有成功",
  reconnecting: "连接已断开，正在重试…", sure: "要删除这条消息吗？",
  title: "标题", name: "姓名", about: "做什么的（可选）", create: "创建", add: "添加",
  openAbout: "所有人都可以阅读和加入", privateAbout: "只有成员知道它的存在", whoIn: "成员",
  asPerson: "以 {name} 的视角", operatorView: "管理员视角",
  operatorNotice: "您现在能看到一切，包括私密对话。",
  asNotice: "您看到的是 {name} 可以知道的内容，他人的私密内容已隐藏。",
  hidden: "私密：{name} 不在说这话的地方", hiddenShort: "私密",
  now: "现在", fires: "触发", runs: "思考", handoffs: "交接", letters: "发件箱", files: "注意力文件", sessions: "会话", approvals: "待确认", wishOf: "{name} 想问", mayAnswer: "{names} 可以答复", answeredBy: "{name} 已答复",
  inbox: "收件箱", inboxWaits: "等您处理", inboxComing: "会在下次摘要里，{at}", inboxOff: "留着，暂无摘要", inboxNoDm: "留着，等有了私聊再说", inboxTold: "最近说过的", inboxLeft: "没有再说的", inboxEmpty: "没有在等的事。", report: "日报",
  budget: "预算", budgetPrivate: "费用只在管理员视角显示。", budgetUntil: "到 {at} 为止，之后是新的一天。", tokensOf: "{n} token", calls: "{n} 次调用",
  "purpose.foreground": "回答", "purpose.agency": "后台思考", "purpose.memory": "记忆", "purpose.background": "后台调查",
  "level.ok": "照常", "level.cheaper": "小模型", "level.builtin": "内置模型", "level.paused": "已暂停",
  empty: "还没有内容。", moreRows: "显示更多", filesPrivate: "注意力文件可能包含私密内容，请切换到管理员视角阅读。",
  since: "自 {at}", wakesAt: "{at} 醒来", model: "模型", tokensToday: "今日 token", costToday: "今日费用", up: "已连接", down: "已断开", slack: "Slack", telegram: "Telegram", feishu: "飞书",
  sources: "依据", gates: "关卡", outcome: "结果", delivery: "送达时间", expires: "失效", tries: "{n} 次尝试", confidence: "把握 {n}%",
  steps: "{n} 步", fireCount: "{n} 个触发", tokens: "入 {in} · 出 {out}", trace: "查看完整过程", originals: "{n} 条消息", runCount: "{n} 次运行",
  score: "显著度 {n}", notBefore: "不早于 {at}", sentAt: "{at} 已发送", backToRuns: "全部思考",
  "count.fires": "待处理触发", "count.runs": "进行中", "count.handoffs": "未结交接", "count.letters": "待发消息", "count.sessions": "会话", "count.originals": "已记住的消息",
  "state.idle": "空闲", "state.waiting": "收集中", "state.running": "思考中", "state.paused": "已暂停",
  "about.idle": "现在没有挂念的事。", "about.waiting": "听到了一些事，稍等看看还有没有下文。", "about.running": "正在思考听到的内容。", "about.paused": "后台工作已暂停。",
  "step.original": "有人说", "step.fire": "注意到", "step.agency run": "思考", "step.handoff": "交接", "step.inbox": "留着", "step.consent": "征求同意", "step.run": "在房间里决定", "step.delivery": "送达",
  "trace.input": "输入", "trace.model": "模型", "trace.tool": "工具", "trace.result": "结果", "trace.text": "内心独白", "trace.error": "错误",
  "word.notify": "主动告知", "word.approval": "等点头", "word.alert": "警示",
  "word.admitted": "通过", "word.held": "暂缓", "word.asking": "征求同意", "word.digest": "汇总", "word.silent": "沉默", "word.refused": "拒绝", "word.duplicate": "重复",
  "word.spoken": "已说出", "word.declined": "决定不说", "word.expired": "已过期", "word.dropped": "已放弃", "word.delivered": "已送达", "word.proposed": "提出",
  "word.pending": "等待", "word.submitted": "已提交", "word.merged": "已合并", "word.steered": "已并入", "word.consumed": "已处理", "word.failed": "失败", "word.dead": "作废",
  "word.queued": "排队", "word.running": "进行中", "word.suspended": "挂起", "word.succeeded": "完成", "word.cancelled": "已取消",
  "word.sending": "发送中", "word.sent": "已发送", "word.unknown": "未知", "word.idle": "空闲", "word.group": "群组", "word.direct": "私聊", "word.agency": "思考",
  "word.major": "重要", "word.minor": "次要", "word.none": "无",
  "word.message_observed": "消息", "word.run_output_observed": "自己的发言", "word.memory_session_completed": "记忆整理", "word.heartbeat": "定时回顾", "word.report": "回报", "word.intention": "意图",
  "word.audience": "听众", "word.live_run": "思考进行中", "word.hops": "转述次数", "word.sources": "依据", "word.spoke": "已发言", "word.asked": "已询问", "word.granted": "已同意", "word.denied": "已拒绝", "word.revoked": "已撤回", "word.approval": "请示", "word.fact": "这件事随时可说", "word.room": "以后都可说", "word.always": "每次都同意", "word.leak_guard": "泄密检查", "word.leak": "泄密检查", "word.agency_run": "思考进行中", "word.run": "思考进行中", "word.grade": "重要程度", "word.policy": "发言规则", "word.quota": "配额", "word.cooldown": "冷却", "word.quiet_hours": "免打扰时段", "word.consent": "同意", "word.early": "提前唤醒", "word.quiet": "安静后", "word.max_wait": "等待到限",
  "word.context": "背景", "word.reminder": "提醒", "word.decision": "决定", "word.conflict": "冲突", "word.risk": "风险", "word.owner": "负责人", "word.answer": "回答", "word.commitment": "承诺",
};

const SETS = { en: EN, zh: ZH };
let current = localStorage.getItem("limen.language") ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");

export const language = () => current;

export function setLanguage(code) {
  current = code;
  localStorage.setItem("limen.language", code);
}

export function t(key, values = {}) {
  // English has a form for one; Chinese needs none.
  const one = values.n === 1 && current === "en" ? EN[`${key}.one`] : undefined;
  const text = one ?? SETS[current]?.[key] ?? EN[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** A word of the bot's own vocabulary (a state, a verdict), readable. */
export function word(value) {
  return SETS[current]?.[`word.${String(value).replaceAll(" ", "_")}`] ?? String(value).replaceAll("_", " ");
}
