"""Words of team work that mean the same: synonyms, and English beside Chinese."""

_TABLE = """
release | release releases released releasing rollout launch ship ships shipping | 发布 上线 发版
deploy | deploy deployment deploys | 部署
pipeline | pipeline pipelines | 流水线 管线
path | path | 路径 通道
permission | permission permissions access authorization | 权限 授权
production | production prod | 生产 生产环境
staging | staging | 预发 预发布 测试环境
data | data | 数据
database | database db | 数据库
migration | migration migrations | 迁移
script | script scripts | 脚本
maintenance | maintenance outage downtime patch patching | 维护 停机 停服 补丁
customer | customer customers client clients | 客户
freeze | freeze | 冻结 封版
audit | audit audits | 审计
security | security | 安全
icon | icon icons | 图标
logo | logo logos | 标志
image | image images picture pictures photo photos | 图片
test | test tests testing | 测试
library | library lib libraries | 类库 库
refresh | refresh refreshing | 刷新
offer | offer offers quote quotes quotation bid | 报价 要约
vendor | vendor vendors supplier suppliers | 供应商
price | price prices pricing | 价格 定价
contract | contract contracts | 合同
budget | budget budgets | 预算
demo | demo demos demonstration | 演示
meeting | meeting meetings | 会议
interview | interview interviews | 访谈
account | account accounts | 账号 账户 帐号
registry | registry | 仓库 镜像仓库
repository | repo repos repository | 代码库 代码仓
server | server servers host hosts | 服务器
service | service services | 服务
api | api apis | 接口
port | port ports | 端口
bug | bug bugs defect | 缺陷
login | login signin sign-in log-in | 登录 登陆
payment | payment payments checkout billing | 支付 付款 结账 账单
invoice | invoice invoices | 发票
design | design designs mockup mockups | 设计 设计稿
page | page pages | 页面
homepage | homepage | 首页 主页
report | report reports | 报告 报表
dashboard | dashboard dashboards | 看板 仪表盘
translation | translation translations | 翻译 译文
document | doc docs documentation document documents | 文档
release-notes | changelog | 更新日志
backup | backup backups | 备份
certificate | certificate certificates cert certs | 证书
domain | domain domains | 域名
license | license licence licenses licences | 许可证 许可
signing | signing signature | 签名
search | search | 搜索 检索
index | index indexing | 索引
cache | cache caching | 缓存
queue | queue queues | 队列
export | export exports exporter | 导出
import | import imports importer | 导入
upload | upload uploads uploader | 上传
notification | notification notifications | 通知服务 推送
mail | mail mails email emails | 邮件
newsletter | newsletter newsletters | 内刊 简报 通讯稿
order | order orders | 订单
user | user users | 用户
model | model models | 模型
training | training | 培训 训练
venue | venue | 场地
event | event events conference | 活动 大会
booth | booth | 展位
office | office | 办公室
key | key keys credential credentials | 密钥
token | token tokens | 令牌
sdk | sdk | 开发包
app | app apps application | 应用
website | website site | 网站 官网
review | review reviews | 评审
sprint | sprint | 冲刺 迭代
schema | schema schemas | 表结构
form | form forms | 表单
survey | survey surveys questionnaire | 问卷 调研
marketing | marketing campaign | 营销 推广
workshop | workshop workshops | 工作坊 研讨会
draft | draft drafts | 草稿 初稿
video | video videos | 视频
font | font fonts | 字体
color | color colour colors colours | 颜色 配色
box | box package packaging | 包装
shipment | shipment delivery parcel | 发货 货物
factory | factory plant | 工厂
prototype | prototype prototypes | 原型 样机
sample | sample samples | 样品
sensor | sensor sensors | 传感器
firmware | firmware | 固件
hardware | hardware | 硬件
stock | stock inventory | 库存
warehouse | warehouse | 仓储
discount | discount discounts rebate | 折扣 优惠
lease | lease leases | 租约 租赁
hotel | hotel hotels | 酒店
flight | flight flights | 航班 机票
catering | catering caterer | 餐饮 茶歇
insurance | insurance | 保险
tax | tax taxes vat | 税 税率
payroll | payroll | 工资表
warranty | warranty | 保修 质保
battery | battery batteries | 电池
chip | chip chips | 芯片
screen | screen screens | 屏幕 界面
cable | cable cables | 线缆 电缆
router | router routers | 路由器
firewall | firewall | 防火墙
vpn | vpn | 虚拟专网
cluster | cluster clusters | 集群
node | node nodes | 节点
container | container containers | 容器
log | log logs | 日志
metric | metric metrics | 指标
alert | alert alerts alarm | 告警 警报
monitoring | monitoring monitor | 监控
latency | latency | 延迟
memory | memory ram | 内存
disk | disk disks | 磁盘 硬盘
storage | storage | 存储
archive | archive archives | 归档 档案
bucket | bucket buckets | 存储桶
table | table tables | 数据表
field | field fields | 字段
branch | branch branches | 分支
build | build builds | 构建 编译
module | module modules | 模块
plugin | plugin plugins extension | 插件
component | component components | 组件
button | button buttons | 按钮
menu | menu menus | 菜单
layout | layout layouts | 布局 版式
template | template templates | 模板
banner | banner banners | 横幅
poster | poster posters flyer flyers leaflet | 海报 传单
brochure | brochure brochures catalogue catalog | 手册 宣传册 目录册
slide | slide slides deck decks presentation | 幻灯片 演示文稿
roadmap | roadmap | 路线图
ticket | ticket tickets | 工单
requirement | requirement requirements | 需求
specification | spec specs specification | 规格 规范
feature | feature features | 功能
onboarding | onboarding | 入职 新手引导
complaint | complaint complaints | 投诉
refund | refund refunds | 退款
subscription | subscription subscriptions | 订阅
trial | trial trials | 试用
advert | ad ads advert adverts advertising | 广告
article | article articles blogpost | 文章 稿子
press | press | 新闻稿 媒体
webinar | webinar webinars | 网络研讨会
badge | badge badges | 工牌 胸牌
tour | tour tours | 参观
printer | printer printers | 打印机
laptop | laptop laptops notebook notebooks | 笔记本电脑 笔记本
phone | phone phones telephone | 电话 手机
subtitle | subtitle subtitles captions | 字幕
currency | currency currencies | 货币 币种
forecast | forecast forecasts | 预测
partner | partner partners | 合作伙伴 合作方
board | board | 董事会
investor | investor investors | 投资人 投资方
checklist | checklist checklists | 清单 检查表
guide | guide guides tutorial tutorials handbook | 指南 教程
course | course courses | 课程
exam | exam exams | 考试
hiring | hiring recruitment | 招聘
headcount | headcount | 编制
candidate | candidate candidates | 候选人
expense | expense expenses reimbursement | 报销 费用
wireframe | wireframe wireframes | 线框图
illustration | illustration illustrations | 插画 插图
parser | parser parsers | 解析器
scanner | scanner scanners | 扫描器 扫描仪
gateway | gateway gateways | 网关
connector | connector connectors | 连接器
endpoint | endpoint endpoints | 端点
webhook | webhook webhooks | 回调
encryption | encryption | 加密
compliance | compliance | 合规
incident | incident incidents | 事故
rollback | rollback | 回滚
shift | shift shifts on-call oncall | 值班
installer | installer installers | 安装器 安装包 安装程序
receipt | receipt receipts | 收据 小票
contact | contact contacts | 联系人 联系方式
address | address addresses | 地址
region | region regions | 地域 区域
network | network networks | 网络
upgrade | upgrade upgrades | 升级
crash | crash crashes | 崩溃
launch-event | keynote | 发布会
beijing | beijing | 北京
shanghai | shanghai | 上海
shenzhen | shenzhen | 深圳
guangzhou | guangzhou | 广州
hangzhou | hangzhou | 杭州
chengdu | chengdu | 成都
nanjing | nanjing | 南京
wuhan | wuhan | 武汉
suzhou | suzhou | 苏州
contractor | contractor contractors freelancer freelancers | 外包
red | red | 红色
blue | blue | 蓝色
green | green | 绿色
yellow | yellow | 黄色
black | black | 黑色
white | white | 白色
beta | beta betas | 内测 公测 测试版
summit | summit summits | 峰会
developer | developer developers | 开发者 开发人员
"""


def _load() -> tuple[dict[str, str], dict[str, str]]:
    english: dict[str, str] = {}
    chinese: dict[str, str] = {}
    for line in _TABLE.strip().splitlines():
        concept, words, characters = (part.strip() for part in line.split("|"))
        english.update(dict.fromkeys(words.split(), concept))
        chinese.update(dict.fromkeys(characters.split(), concept))
    return english, chinese


ENGLISH, CHINESE = _load()
"""A word to the concept it stands for."""

CONTRASTS: tuple[frozenset[str], ...] = (
    frozenset({"staging", "production", "dev", "development", "sandbox"}),
    frozenset({"ios", "android"}),
    frozenset({"red", "blue", "green", "yellow", "black", "white"}),
    frozenset({"frontend", "backend", "前端", "后端"}),
    frozenset({"eu", "us", "apac", "asia", "europe", "america"}),
    frozenset({"mysql", "postgres", "postgresql", "redis", "mongodb", "sqlite"}),
    frozenset({"q1", "q2", "q3", "q4"}),
    frozenset(
        {"english", "chinese", "french", "german", "spanish", "italian", "japanese", "korean"}
        | {"英文", "中文", "法文", "德文", "日文", "韩文", "英语", "法语", "德语", "日语", "韩语"}
        | {"西语", "俄文", "俄语", "russian", "portuguese", "dutch", "polish"}
    ),
    frozenset(
        {
            "berlin",
            "paris",
            "london",
            "shanghai",
            "beijing",
            "shenzhen",
            "tokyo",
            "hangzhou",
            "chengdu",
        }
    ),
)
"""Sets of which a matter names one; two different ones are two different matters."""
