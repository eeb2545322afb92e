"""The settings of the parts, taken from the settings of the house."""

import importlib.metadata
from dataclasses import replace

from agency import audience, budgets, coalescing, policy
from agency.gates import Rules
from bot import access, context
from bot.commands.asked import Profile
from bot.engine import dispatch, keeper
from bot.inbox import pages
from bot.inbox.lines import Link, no_link
from bot.models.anthropic_model import ModelSettings
from bot.models.model import Model
from bot.parts import Part
from bot.safekeeping import retention as keeping
from bot.setup import settings, storage
from bot.setup.config import Config


def rules(config: Config) -> Rules:
    """What may be said where, and when."""
    return Rules(
        privacy=audience.Settings(
            groups_open=config.privacy.groups == "open", dm=audience.Dm(config.privacy.dm)
        ),
        speaking=policy.Settings(
            enabled=config.speaking.enabled,
            zone=config.bot.zone,
            quiet=config.speaking.quiet_hours,
            minor=config.speaking.minor,
            daily_quota=config.speaking.daily_quota,
            person_quota=config.speaking.person_quota,
            cooldown=config.speaking.cooldown,
            settle=config.speaking.settle,
            learning=config.duties.learning,
        ),
    )


def budget(config: Config) -> budgets.Settings:
    """What a day may cost."""
    wanted = config.budget
    return budgets.Settings(
        tokens=wanted.daily_tokens,
        cost=round(wanted.daily_cost * budgets.MILLION),
        currency=wanted.currency,
        zone=config.bot.zone,
        morning=config.speaking.digest_at,
        fallback=wanted.fallback == "builtin",
        shares={purpose: getattr(wanted, f"{purpose.value}_share") for purpose in budgets.Purpose},
        prices={
            name: budgets.Price(
                input=one.input,
                output=one.output,
                cache_read=one.input if one.cache_read is None else one.cache_read,
                cache_write=(
                    one.input * budgets.CACHE_WRITE if one.cache_write is None else one.cache_write
                ),
            )
            for name, one in wanted.known_prices.items()
        },
    )


def digests(config: Config, link: Link = no_link) -> pages.Settings:
    """When people are told what could wait."""
    return pages.Settings(
        at=config.speaking.digest_at,
        enabled=config.duties.digest and config.speaking.enabled,
        language=config.bot.language,
        bot_name=config.bot.name,
        link=link,
    )


def retention(config: Config) -> keeping.Settings:
    """How long what is kept stays."""
    return keeping.Settings(
        originals=config.retention.originals,
        traces=config.retention.traces,
        zone=config.bot.zone,
    )


def relays(config: Config) -> bool:
    """Whether what one room says is put before the agency for the sake of others."""
    return config.agency.enabled and config.duties.relay


def waits(config: Config) -> bool:
    """Whether overdue promises and questions are asked about."""
    return config.agency.enabled and config.duties.waits


def wishes(config: Config) -> bool:
    """Whether what is to be said once something happens is kept and matched."""
    return config.agency.enabled and config.duties.intentions


def approves(config: Config) -> bool:
    """Whether people are asked for their leave on behalf of others."""
    return config.duties.approvals and config.speaking.enabled


def thinks(config: Config) -> bool:
    """Whether the agency has any duty at all."""
    return relays(config) or waits(config) or wishes(config)


def off(config: Config) -> tuple[str, ...]:
    """The duties that are not done here, whichever switch it is that keeps them off."""
    done = {
        "relay": relays(config) and config.speaking.enabled,
        "waits": waits(config) and config.speaking.enabled,
        "intentions": wishes(config) and config.speaking.enabled,
        "digest": config.duties.digest and config.speaking.enabled,
        "reminders": config.duties.reminders and config.speaking.enabled,
        "approvals": approves(config),
        "learning": config.duties.learning,
    }
    return tuple(name for name, is_done in done.items() if not is_done)


def patience(config: Config) -> coalescing.Settings:
    """How long the agency lets news gather."""
    return coalescing.Settings(
        quiet_window=config.agency.quiet_window,
        max_wait=config.agency.max_wait,
        early_wake=config.agency.early_wake,
        batch=config.agency.max_fires,
    )


def endpoint(wanted: settings.Model) -> ModelSettings:
    """Where the language model is, and how long it is waited for."""
    return ModelSettings(
        name=wanted.name,
        small_name=wanted.small_name,
        base_url=wanted.base_url or None,
        api_key=wanted.api_key.get_secret_value(),
        idle_timeout_s=wanted.timeout.total_seconds(),
        progress_timeout_s=wanted.timeout.total_seconds(),
        context_tokens=wanted.context_tokens,
        output_tokens=wanted.max_tokens,
    )


def told(config: Config, model: Model) -> context.Settings:
    """What every run is told of the bot."""
    return context.Settings(
        name=config.bot.name,
        language=config.bot.language,
        timezone=config.bot.zone.key,
        model=model.name,
        off=off(config),
    )


def admission(config: Config) -> access.Settings:
    """Who may talk with it."""
    return access.Settings(
        mode=config.access.mode,
        admins=config.access.admins,
        allow=config.access.allow,
        platforms=settings.PLATFORMS,
    )


def profile(config: Config, model: Model, *, instance: str) -> Profile:
    """What it says of itself."""
    return Profile(
        name=config.bot.name,
        version=importlib.metadata.version("limen"),
        model=model.name,
        instance=instance,
        language=config.bot.language,
        off=off(config),
    )


def dispatching(config: Config, parts: frozenset[Part]) -> dispatch.Settings:
    """How much runs at once in a process that does these parts."""
    common = dispatch.Settings(
        places=config.bot.max_parallel_runs if Part.WORKER in parts else 0,
        background=dispatch.BACKGROUND if Part.AGENCY in parts else 0,
    )
    return replace(common, lease=keeper.TERM, alone=False) if storage.shared(config) else common
