"""Words of team work that mean the same: synonyms, and English beside Chinese."""

_TABLE = """
release | release releases released releasing rollout launch ship ships shipping golive | 发布 上线 发版
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
maintenance | maintenance | 维护
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
mail | mail mails email emails newsletter | 邮件
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
    frozenset({"frontend", "backend", "前端", "后端"}),
    frozenset({"eu", "us", "apac", "asia", "europe", "america"}),
    frozenset({"mysql", "postgres", "postgresql", "redis", "mongodb", "sqlite"}),
    frozenset({"q1", "q2", "q3", "q4"}),
    frozenset({"berlin", "paris", "london", "shanghai", "beijing", "shenzhen", "tokyo"}),
)
"""Sets of which a matter names one; two different ones are two different matters."""
