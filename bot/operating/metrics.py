"""The metrics: their names, and the values of one moment in the form Prometheus reads.

Everything is read off what the house keeps anyhow: its rows, its platforms, and a Tally.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any

from adapters.chat import Health
from agency import budgets
from agency.budgets import MILLION, Spent
from bot.budgeting import by_purpose
from bot.engine import spending
from bot.engine.spending import Spending
from bot.operating import queues
from bot.operating.queues import Queue
from bot.operating.tally import BOUNDS, Tally
from memory.db import Reader
from memory.moments import to_us

Values = Iterable[tuple[tuple[str, ...], float]]
"""Samples: the labels of each, and its value."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One family of samples."""

    name: str
    kind: str
    """gauge, counter or histogram."""
    labels: tuple[str, ...]
    help: str


METRICS = (
    Metric("limen_queue_items", "gauge", ("queue",), "What waits, or is in hand."),
    Metric(
        "limen_queue_oldest_age_seconds",
        "gauge",
        ("queue",),
        "How long the first that is due has waited; 0 while none is.",
    ),
    Metric("limen_runs_total", "counter", ("role", "outcome"), "Runs that ended here."),
    Metric(
        "limen_deliveries_total",
        "counter",
        ("platform", "outcome"),
        "Tries to post a letter from here: sent, retry, refused, doubt or gave_up.",
    ),
    Metric(
        "limen_model_calls_total",
        "counter",
        ("purpose", "model"),
        "Calls of models in the team's day; from 0 again at its midnight.",
    ),
    Metric(
        "limen_tokens_total",
        "counter",
        ("purpose", "model", "kind"),
        "Their tokens: input, output, cache_read or cache_write.",
    ),
    Metric(
        "limen_cost_total",
        "counter",
        ("purpose", "model", "currency"),
        "What they cost by the prices of the settings.",
    ),
    Metric(
        "limen_budget_level",
        "gauge",
        ("purpose",),
        "0 all it wants, 1 the small model, 2 the built-in model, 3 paused.",
    ),
    Metric("limen_budget_used_ratio", "gauge", (), "The part of the day's budget that is spent."),
    Metric("limen_platform_up", "gauge", ("platform",), "1 while it is connected."),
    Metric(
        "limen_platform_heard_age_seconds",
        "gauge",
        ("platform",),
        "Since the platform gave any sign of life: a frame, a pong, an empty answer.",
    ),
    Metric(
        "limen_platform_inbound_age_seconds",
        "gauge",
        ("platform",),
        "Since its last event came in.",
    ),
    Metric("limen_database_commit_seconds", "histogram", (), "How long commits took."),
    Metric("limen_database_writes_total", "counter", (), "What those commits made durable."),
    Metric("limen_event_loop_lag_seconds", "gauge", (), "The worst lateness of the last minute."),
)
PROCESS = (
    "process_resident_memory_bytes",
    "process_virtual_memory_bytes",
    "process_cpu_seconds_total",
    "process_start_time_seconds",
    "process_open_fds",
    "process_max_fds",
)
"""What the client library tells of the process itself, where there is a /proc."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What the metrics are read off."""

    at: datetime
    queues: Mapping[str, Queue]
    spent: tuple[Spending, ...]
    """Today's."""


def look(reader: Reader, *, now: datetime, settings: budgets.Settings) -> Moment:
    """What the database tells."""
    day = budgets.day_of(now, settings.zone)
    return Moment(
        at=now,
        queues=queues.look(reader, now_us=to_us(now)),
        spent=tuple(spending.of_day(reader, day)),
    )


def values(
    moment: Moment,
    tally: Tally,
    platforms: Mapping[str, Health],
    *,
    settings: budgets.Settings,
    lag_s: float,
) -> dict[str, Values]:
    """The samples of every metric but the histogram."""
    return {
        "limen_queue_items": [((name,), one.items) for name, one in moment.queues.items()],
        "limen_queue_oldest_age_seconds": [
            ((name,), one.age_s) for name, one in moment.queues.items()
        ],
        "limen_runs_total": [*tally.runs.items()],
        "limen_deliveries_total": [*tally.deliveries.items()],
        **_spent(moment.spent),
        **_budget(moment.spent, settings),
        **_platforms(platforms, moment.at),
        "limen_database_writes_total": [((), tally.writes)],
        "limen_event_loop_lag_seconds": [((), lag_s)],
    }


def render(found: Mapping[str, Values], tally: Tally) -> tuple[bytes, str]:
    """The text of all metrics, and its content type."""
    from prometheus_client import CollectorRegistry, ProcessCollector
    from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Collected(found, tally))
    return generate_latest(registry), CONTENT_TYPE_LATEST


class _Collected:
    """What a registry asks."""

    def __init__(self, found: Mapping[str, Values], tally: Tally) -> None:
        self._found = found
        self._tally = tally

    def collect(self) -> Iterator[Any]:
        """Every family, those without a sample too."""
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
        )

        for metric in METRICS:
            if metric.kind == "histogram":
                buckets, total = _buckets(self._tally), self._tally.commit_seconds
                yield HistogramMetricFamily(metric.name, metric.help, buckets, total)
                continue
            kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
            family = kind(metric.name, metric.help, labels=metric.labels)
            for labels, value in self._found[metric.name]:
                family.add_metric(labels, value)
            yield family


def _buckets(tally: Tally) -> list[tuple[str, float]]:
    ends = [*map(str, BOUNDS), "+Inf"]
    return list(zip(ends, map(float, accumulate(tally.commits)), strict=True))


def _spent(spent: Iterable[Spending]) -> dict[str, Values]:
    calls: list[tuple[tuple[str, ...], float]] = []
    tokens: list[tuple[tuple[str, ...], float]] = []
    costs: list[tuple[tuple[str, ...], float]] = []
    for one in spent:
        used = one.usage
        kinds = {
            "input": used.input_tokens,
            "output": used.output_tokens,
            "cache_read": used.cache_read_tokens,
            "cache_write": used.cache_write_tokens,
        }
        calls.append(((one.purpose, one.model), one.calls))
        tokens += [((one.purpose, one.model, kind), count) for kind, count in kinds.items()]
        costs.append(((one.purpose, one.model, one.currency), one.cost / MILLION))
    return {
        "limen_model_calls_total": _summed(calls),
        "limen_tokens_total": _summed(tokens),
        "limen_cost_total": costs,
    }


def _summed(values: Values) -> Values:
    """One sample for equal labels: a model's price may come or go in a day."""
    sums: dict[tuple[str, ...], float] = {}
    for labels, value in values:
        sums[labels] = sums.get(labels, 0.0) + value
    return [*sums.items()]


def _budget(spent: Iterable[Spending], settings: budgets.Settings) -> dict[str, Values]:
    day = by_purpose(spent, settings.currency)
    levels = budgets.levels(day, settings)
    used = budgets.used(sum(day.values(), Spent()), settings)
    return {
        "limen_budget_level": [
            ((purpose.value,), budgets.ORDER.index(level)) for purpose, level in levels.items()
        ],
        "limen_budget_used_ratio": [((), used)],
    }


def _platforms(platforms: Mapping[str, Health], now: datetime) -> dict[str, Values]:
    def age(at: datetime) -> float:
        return max(0.0, (now - at).total_seconds())

    known = platforms.items()
    return {
        "limen_platform_up": [((name,), float(one.up)) for name, one in known],
        "limen_platform_heard_age_seconds": [
            ((name,), age(one.heard_at)) for name, one in known if one.heard_at
        ],
        "limen_platform_inbound_age_seconds": [
            ((name,), age(one.event_at)) for name, one in known if one.event_at
        ],
    }
