"""Every tool of the house, by its name."""

from typing import Any

from agency.attention import Attention
from bot import derived
from bot.approving import Approving
from bot.engine.controller import SessionController
from bot.engine.tool import Tool
from bot.responses import Responses
from bot.setup.config import Config
from bot.speaking import Speaking
from bot.timed.keeping import Keeping
from bot.tools import (
    approve,
    attend,
    attention,
    consent,
    handoff,
    recall,
    remember,
    reminders,
    say,
    tell,
    usefulness,
    wishes,
)


def tools(
    config: Config,
    speaking: Speaking,
    gate: SessionController,
    files: Attention,
    responses: Responses,
    approving: Approving,
    keeping: Keeping,
) -> dict[str, Tool[Any]]:
    """Those of all roles; which role is given which is said in `bot/engine/roles.py`."""
    rules = speaking.rules
    made: tuple[Tool[Any], ...] = (
        say.Say(speaking, bot_name=config.bot.name, language=config.bot.language),
        say.StaySilent(),
        consent.AnswerConsent(speaking),
        tell.TellRoom(speaking),
        attend.SetAttention(),
        wishes.SetWish(speaking, language=config.bot.language),
        recall.SearchMemory(rules),
        recall.ReadRoom(),
        recall.ReadSession(),
        recall.ReadTrace(),
        recall.ListSessions(),
        recall.ListPeople(),
        recall.Explain(rules),
        handoff.SubmitToSession(speaking, relay=config.duties.relay),
        attention.WriteAttention(files),
        attention.LogAction(files),
        attention.StartSubagent(gate),
        remember.Remember(),
        usefulness.NoteUsefulness(responses),
    )
    if config.duties.reminders:
        made += (
            reminders.SetReminder(keeping, language=config.bot.language),
            reminders.ListReminders(keeping, language=config.bot.language),
            reminders.ChangeReminder(keeping, language=config.bot.language),
            reminders.CancelReminder(keeping, language=config.bot.language),
        )
    if config.duties.intentions:
        made += (attention.SetIntention(), attention.DropIntention())
        made += (reminders.WaitFor(keeping, language=config.bot.language),)
    if derived.approves(config):
        made += (approve.AskApproval(approving), approve.AnswerApproval(approving))
    return {tool.name: tool for tool in made}
