"""The command line: each command a function, and what went wrong said in one place."""

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from bot import inspection, operations, parts, reading, serve
from bot.app import Surroundings, system_clock, system_sleep
from bot.errors import LimenError
from bot.operating import logs
from bot.operating.redaction import Secrets, of_settings
from bot.plays import ambient, evaluation, houses, leakage, month, play
from bot.privacy import erase as erasure
from bot.privacy import export as exporting
from bot.safekeeping import backup, migrating, vacuuming
from bot.safekeeping import restore as restoring
from bot.setup import config as configuration
from bot.setup import doctor as checks
from bot.setup import init as first_settings
from bot.setup import storage
from bot.setup.config import Config
from memory.errors import StorageError

cli = typer.Typer(
    name="limen",
    help="A teammate that lives in a team's chats, and speaks up rarely, at the right moment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="Settings file; limen.toml here if there is one.")
]


@cli.command()
def run(
    config: ConfigFile = None,
    verbose: bool = False,
    only: Annotated[
        list[str] | None,
        typer.Option(help="gateway, worker or agency: one part of several processes."),
    ] = None,
) -> None:
    """Start Limen and keep it running; prints the address to open."""
    loaded = _load(config)
    around = Surroundings(
        secrets=_log(loaded, verbose=verbose),
        parts=parts.parse(only or (), shared=storage.shared(loaded)),
    )
    asyncio.run(serve.serve(loaded, print_line=_say, around=around))


@cli.command(name="play")
def play_story(
    story: Annotated[str, typer.Argument(help="A story's name, or 'all'.")] = "",
    language: Annotated[str, typer.Option(help="en, zh, or both.")] = "both",
    names: Annotated[bool, typer.Option("--list", help="Name the stories, one a line.")] = False,
    model: Annotated[
        str, typer.Option(help="builtin, or configured: the one of your settings.")
    ] = houses.BUILTIN,
    config: ConfigFile = None,
) -> None:
    """Play a written story through the whole app and check what it expects."""
    if names:
        for name in play.names():
            _say(name)
        return
    if not story:
        raise LimenError("name a story, or 'all'; 'limen play --list' names them")
    loaded = _load(config)
    _log(loaded)
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    passed = asyncio.run(
        play.play(story, language, loaded, print_line=_say, model=model, colour=colour)
    )
    raise typer.Exit(0 if passed else 1)


@cli.command(name="eval")
def evaluate(
    scenarios: Annotated[
        Path | None, typer.Option(help="A file or folder of them; without it those that ship.")
    ] = None,
    language: Annotated[str, typer.Option(help="en, zh, or both.")] = evaluation.BOTH,
    model: Annotated[
        str, typer.Option(help="builtin, or configured: the model of the settings.")
    ] = houses.BUILTIN,
    show: Annotated[
        bool, typer.Option("--show", help="Print what Limen said, and faults.")
    ] = False,
    leaks: Annotated[
        bool, typer.Option("--leaks", help="Measure the leak guard alone, on pairs of texts.")
    ] = False,
    a_month: Annotated[
        bool, typer.Option("--month", help="Live through a month of a team; give it some minutes.")
    ] = False,
    days: Annotated[
        bool, typer.Option("--days", help="Compare five set-ups over five days of a team.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Measure how well each room is told what it needs, and nothing else."""
    loaded = _load(config)
    _log(loaded)
    if leaks:
        leakage.report(language, print_line=_say, show=show)
        return
    if days:
        asyncio.run(ambient.compare(language, loaded, print_line=_say, show=show))
        return
    if a_month:
        asyncio.run(month.simulate(language, loaded, print_line=_say, show=show))
        return
    asyncio.run(
        evaluation.evaluate(scenarios, language, loaded, print_line=_say, show=show, model=model)
    )


@cli.command()
def why(
    message: Annotated[str, typer.Argument(help="A message of the bot: o12, l4 or its words.")],
    config: ConfigFile = None,
) -> None:
    """Show the whole chain of something the bot said."""
    for line in inspection.why(_load(config), message):
        _say(line)


@cli.command()
def status(config: ConfigFile = None) -> None:
    """Show what runs, waits and failed."""
    for line in inspection.status(_load(config), system_clock()):
        _say(line)


@cli.command()
def inbox(
    person: Annotated[str, typer.Argument(help="A name, or an id like p4; without it all.")] = "",
    config: ConfigFile = None,
) -> None:
    """Show what waits for people, and what comes in their digests."""
    for line in reading.inbox(_load(config), person, system_clock()):
        _say(line)


@cli.command()
def report(
    day: Annotated[str, typer.Option(help="Such as 2026-11-30; without it today.")] = "",
    config: ConfigFile = None,
) -> None:
    """Show what was looked at, found, said, held and spent in a day."""
    for line in reading.daily_report(_load(config), day, system_clock()):
        _say(line)


@cli.command()
def budget(
    days: Annotated[int, typer.Option(help="How many days to show.")] = 7,
    config: ConfigFile = None,
) -> None:
    """Show where tokens and money went, and what is cut down today."""
    for line in inspection.budget(_load(config), days, system_clock()):
        _say(line)


@cli.command()
def approvals(config: ConfigFile = None) -> None:
    """Show what waits for somebody's yes or no, and the last answers."""
    for line in inspection.approvals(_load(config)):
        _say(line)


@cli.command()
def reminders(config: ConfigFile = None) -> None:
    """Show what is set at a time and waited for."""
    for line in inspection.reminders(_load(config), system_clock()):
        _say(line)


@cli.command()
def retry(
    fire: Annotated[str, typer.Argument(help="A dead fire (f12), or 'all'; see 'limen status'.")],
    config: ConfigFile = None,
) -> None:
    """Give something the agency failed at too often a fresh start."""
    _say(asyncio.run(inspection.retry(_load(config), fire)))


@cli.command()
def attention(
    room: Annotated[str, typer.Argument(help="A room's title, or its session (s3).")],
    mode: Annotated[str, typer.Argument(help="addressed, all, observe or off.")],
    config: ConfigFile = None,
) -> None:
    """Set when Limen listens and answers in a room; also while it runs."""
    _say(asyncio.run(operations.set_attention(_load(config), room, mode)))


@cli.command()
def pair(
    code: Annotated[str, typer.Argument(help="The code a stranger was given.")],
    config: ConfigFile = None,
) -> None:
    """Let somebody in who wrote to Limen and got a code; also while it runs."""
    _say(asyncio.run(operations.pair(_load(config), code, system_clock())))


@cli.command(name="backup")
def back_up(
    to: Annotated[
        Path | None, typer.Option(help="A file or folder; without it backups/ in the data folder.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option(help="Read this backup whole instead; say whether it is sound.")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Write all that Limen keeps into one file; also while it runs."""
    if check is not None:
        lines = backup.check(check)
    else:
        lines = asyncio.run(backup.make(_load(config), to, now=system_clock(), sleep=system_sleep))
    for line in lines:
        _say(line)


@cli.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    yes: Annotated[
        bool, typer.Option("--yes", help="Also where there is content; it is put aside.")
    ] = False,
    moving: Annotated[
        bool, typer.Option("--moving", help="Nothing ran since: what waited in it goes on.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Put a backup in the place of what Limen keeps; Limen has to be stopped."""
    doing = restoring.restore(
        _load(config), file, yes=yes, moving=moving, now=system_clock(), sleep=system_sleep
    )
    for line in asyncio.run(doing):
        _say(line)


@cli.command()
def migrate(
    check: Annotated[bool, typer.Option("--check", help="Only look; 1 when not current.")] = False,
    config: ConfigFile = None,
) -> None:
    """Tell how the database stands to this version, and bring it up to date."""
    if check:
        lines, current = migrating.look(_load(config))
    else:
        lines, current = asyncio.run(migrating.bring_up(_load(config), system_clock())), True
    for line in lines:
        _say(line)
    raise typer.Exit(0 if current else 1)


@cli.command()
def vacuum(config: ConfigFile = None) -> None:
    """Give back the space of what was cleared away; Limen has to be stopped."""
    for line in vacuuming.vacuum(_load(config)):
        _say(line)


@cli.command()
def export(
    who: Annotated[str, typer.Argument(help="A person or a chat: a name, or an id (p4, s3).")],
    to: Annotated[Path | None, typer.Option(help="A file; without it standard output.")] = None,
    config: ConfigFile = None,
) -> None:
    """Write down everything kept about a person or a chat, as JSON; also while Limen runs."""
    found = exporting.export(_load(config), who, now=system_clock())
    _say(exporting.write(found, to) if to is not None else exporting.shown(found))


@cli.command()
def erase(
    who: Annotated[str, typer.Argument(help="A person or a chat: a name, or an id (p4, s3).")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Only rewrite the files without what was deleted.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Take all words of a person or a chat out of what Limen keeps; also while it runs."""
    if sweep == bool(who):
        raise LimenError("name a person or a chat to erase, or say --sweep alone")
    settings = _load(config)
    doing = (
        erasure.sweep_only(settings)
        if sweep
        else erasure.erase(
            settings,
            who,
            ask=lambda question: yes or typer.confirm(f"{question}\nerase all of it?"),
            clock=system_clock,
            sleep=system_sleep,
        )
    )
    for line in asyncio.run(doing):
        _say(line)


@cli.command()
def doctor(
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Look over this machine and the settings; say what is wrong and what to do."""
    found = asyncio.run(checks.examine(config, os.environ, clock=system_clock))
    _say(checks.render_json(found) if as_json else checks.render(found))
    raise typer.Exit(1 if checks.failed(found) else 0)


@cli.command()
def init(config: ConfigFile = None) -> None:
    """Write a first settings file with a word on every key."""
    ask = typer.prompt if sys.stdin.isatty() else None
    target = config or configuration.DEFAULT_FILE
    written = first_settings.write(
        target,
        os.environ,
        (lambda question, default: ask(question, default=default)) if ask else None,
    )
    _say(f"wrote {written}")


def main() -> None:
    """Run a command; what went wrong is said in one place, without a trace."""
    try:
        cli()
    except (LimenError, StorageError) as error:
        _give_up(error)
    except ExceptionGroup as group:
        named, unknown = group.split((LimenError, StorageError))
        if named is None or unknown is not None:
            raise
        _give_up(*_leaves(named))


def _leaves(group: ExceptionGroup[Exception]) -> Iterator[Exception]:
    """What the tasks of a house died of, without the groups around it."""
    for error in group.exceptions:
        if isinstance(error, ExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


def _give_up(*errors: Exception) -> NoReturn:
    for line in dict.fromkeys(map(str, errors)):
        print(f"limen: {Secrets().hide(line)}", file=sys.stderr)
    sys.exit(1)


def _load(path: Path | None) -> Config:
    return configuration.load(configuration.find(path), os.environ)


def _say(line: str) -> None:
    print(line, flush=True)


def _log(config: Config, *, verbose: bool = False) -> Secrets:
    secrets, level = Secrets(of_settings(config)), config.log.level
    logs.start(config.log.format, "info" if verbose and level != "debug" else level, secrets)
    return secrets
