"""Which words promise that the bot does something later, and which do not."""

import pytest

from agency.vows import vow
from bot.models.builtin import reminders, wording
from bot.timed import wording as timed_wording

PROMISES = """
Sure, I'll check again tomorrow morning and let you know!
I'll get back to you on that.
I will remind you on Friday.
Okay, I'll keep you posted.
I'll keep an eye on it.
Let me look into it and come back to you tomorrow.
I'm going to check in with Ben next week.
Tomorrow I'll send you the summary.
I'll ping you when the build is done.
I'll tell you once it's signed.
Got it. I'll follow up with the team.
I'll have the summary ready by Friday... I will send it on Friday.
I'll notify you as soon as they reply.
I'll try again later.
I'll summarise this every Monday.
Noted, I'll remind everyone at 9.
I'll check back in an hour.
明天我再看看并告诉你
好的，明天早上我再看看并告诉你！
下周一上午我来总结
好的，我明天会提醒你
我会跟进的
我会留意，有消息第一时间告诉你
稍后我再查一下
我晚点给你回复
到时候我会通知大家
下周一我来总结
我会盯着这件事
周五我再确认一下
我过两小时再看看
我会在明天上午告诉你结果
一有消息我就告诉你
""".strip().splitlines()
HARMLESS = """
I'll check now.
Let me check.
Let me look that up.
Shall I remind you tomorrow?
If you tell me when, I'll remind you.
Tell me when, and I'll remind you.
I can remind you if you give me a time.
Mo wrote: “I'll send it tomorrow.”
I won't tell anybody.
Ben will check again tomorrow.
The release is tomorrow; we will decide then.
You said you'll send it on Friday.
I keep that in mind.
I'll remember that.
I'll be quiet here.
Understood, I'll answer only when I'm mentioned.
I'll keep it between us.
I will not pass that on.
I cannot check again tomorrow by myself.
In short: the plan moves to Friday.
I do not know that; ask Ben tomorrow.
I'll put it simply: the date is Friday.
Would you like me to follow up with Ben?
We'll meet again tomorrow.
Ana is going to report back on Monday.
I'll stop here.
I'll explain: the job runs every night.
Done: the summary is above.
I'll do that right away.
Nobody has answered that yet.
He'll get back to you.
I would check the logs again tomorrow.
You can ask me again later.
I heard that the contract is signed.
我现在就查
我马上看一下
要不要我明天提醒你？
如果你告诉我时间，我会提醒你
你说个时间，我就提醒你
Mo 说“我明天再看看”
我不会告诉别人
小雷明天会再确认
明天上线，到时大家再定
我记住了
好的，我会保密
我只在被提到时回答
这件事我不清楚，可以明天问问小雷
他会通知大家
我没法自己跟进
发布定在周五
我来解释一下：任务每天晚上跑
需要我明天提醒大家吗
可以让我在周五提醒你
我已经告诉他们了
明天下午三点开会
我看到 #project 改到了周五
""".strip().splitlines()


@pytest.mark.parametrize("text", PROMISES)
def test_a_promise_for_later_is_found(text: str) -> None:
    assert vow(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_other_words_are_no_promise(text: str) -> None:
    assert vow(text) == ""


def test_the_sentences_of_the_built_in_model_promise_nothing_unkept() -> None:
    told = [*wording._TEXTS.values(), *reminders._TEXTS.values(), *timed_wording._TEXTS.values()]

    assert [text for pair in told for text in pair if vow(text)] == []


def test_the_promise_itself_is_named() -> None:
    assert vow("Fine. I'll check again tomorrow! Bye.") == "I'll check again tomorrow!"
