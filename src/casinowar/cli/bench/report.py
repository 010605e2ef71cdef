"""The report of a load: what was measured, what was checked, and in which ways it failed."""

from collections.abc import Iterator
from typing import Any

import msgspec

from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.samples import BUSY, Spread

FORMAT = "casinowar-bench-serve/1"
MOST_TOLD = 5
LEAST_DONE = 0.95
"""A refusal is quickly said: a pace does not count as held when more than one command of twenty was not done."""

ROOM = 0.5
"""A server that used less of a core than this was not what answers waited for."""


class Cpu(msgspec.Struct, frozen=True):
    """The processor time of a process, and its share of one core over the time by the clock."""

    seconds: float
    percent: float


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """One stretch of a load: waits are counted from when a command was due, in milliseconds.

    `news` is from a commit until another viewer was told; None where two clocks would have to agree. `onlookers_cpu` is
    that of the process of those who look on, where there are any. `others_cpu` is what none of these used of this
    machine, the work of the kernel too, and `stolen_cpu` what its host took from it: in a quiet hour both are small.
    """

    pace: float | None
    seconds: float
    sent: int
    done: int
    unanswered: int
    throttled: int
    refused: dict[str, int]
    errors: dict[str, int]
    commands: dict[str, int]
    per_second: float
    answers: Spread
    news: Spread | None
    server_cpu: Cpu | None
    generator_cpu: Cpu
    onlookers_cpu: Cpu | None = None
    others_cpu: Cpu | None = None
    stolen_cpu: Cpu | None = None

    @property
    def is_generator_the_limit(self) -> bool:
        return self.generator_cpu.percent > 100 * BUSY

    @property
    def has_room(self) -> bool:
        """Whether the server had most of its core to spare: if it was late, something else made it wait."""
        return self.server_cpu is not None and self.server_cpu.percent < 100 * ROOM

    def holds(self, limit_ms: float) -> bool:
        """Whether 99 of 100 answers came in time, most of them that it was done, and nothing went wrong."""
        p99 = self.answers.p99
        is_done = self.done >= LEAST_DONE * self.sent
        return p99 is not None and p99 < limit_ms and is_done and not self.errors and not self.unanswered


class Money(msgspec.Struct, frozen=True):
    """What the players had at first and have now, what their rounds brought them, and whoever's account is wrong.

    `audit` is what the audit of the whole database found; None where it is not ours.
    """

    bought_in: int
    has: int
    won: int
    wrong: list[str]
    audit: list[str] | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A whole load. With `limit_ms` the answers had to come in time; `steps` are those of a search for the pace."""

    plan: Plan
    url: str | None
    stretch: Stretch
    money: Money
    differing_views: list[str]
    views: int
    rounds: dict[str, int]
    cards: int
    reconnects: int
    broken: list[str]
    limit_ms: float | None = None
    steps: list[Stretch] | None = None
    best: float | None = None
    notes: list[str] = []

    def failures(self) -> list[str]:
        """What went wrong, a line for each kind."""
        stretches = [self.stretch, *(self.steps or ())]
        errors = {error for stretch in stretches for error in stretch.errors}
        missing = sum(stretch.unanswered for stretch in stretches)
        told = {
            f"{missing} commands got no answer": missing > 0,
            f"errors: {_first(sorted(errors))}": bool(errors),
            f"connections: {_first(self.broken)}": bool(self.broken),
            f"money: {_first(self.money.wrong)}": bool(self.money.wrong),
            f"money: the audit found: {_first(self.money.audit or [])}": bool(self.money.audit),
            f"views that are not the server's: {_first(self.differing_views)}": bool(self.differing_views),
            "nothing was done": self.stretch.done == 0,
        }
        if self.limit_ms is not None and self.steps is None:
            told[f"p99 is not below {self.limit_ms:g} ms"] = not self.stretch.holds(self.limit_ms)
        if self.limit_ms is not None and self.steps is not None:
            told[f"no pace was found with p99 below {self.limit_ms:g} ms"] = self.best is None
        return [what for what, is_so in told.items() if is_so]

    def data(self) -> dict[str, Any]:
        return {"format": FORMAT, **msgspec.to_builtins(self), "failures": self.failures()}

    def lines(self) -> Iterator[tuple[str, str]]:
        """The report for people: a name and a value for each line."""
        plan, stretch = self.plan, self.stretch
        yield "house", self.url or "of its own"
        open_too = f", {plan.open_tables} more open" if plan.open_tables else ""
        yield "load", f"{plan.tables} tables, {plan.seats} seats at each, {plan.watchers} watchers{open_too}"
        for step in self.steps or ():
            is_held = self.limit_ms is not None and step.holds(self.limit_ms)
            who = f"server {_percent(step.server_cpu)}, generator {_percent(step.generator_cpu)}"
            yield (
                f"at {step.pace:g} a second",
                f"p99 {_ms(step.answers.p99)} ms, {who}: {'held' if is_held else 'not held'}",
            )
        if self.steps is not None:
            best = f"{self.best:g} a second" if self.best is not None else "none"
            yield f"largest pace with p99 below {self.limit_ms:g} ms", best
        offered = f"{stretch.pace:g} a second" if stretch.pace else f"players think {plan.think:g} s"
        yield "offered", f"{offered}, for {stretch.seconds:.1f} s"
        yield "commands", f"{stretch.sent:,} sent, {stretch.done:,} done ({stretch.per_second:.1f} a second)"
        yield "commands by kind", _counts(stretch.commands)
        yield "refused", _counts(stretch.refused)
        yield "throttled, unanswered", f"{stretch.throttled}, {stretch.unanswered}"
        yield "errors", _counts(stretch.errors)
        yield "answers: p50, p99, p99.9, max (ms)", _spread(stretch.answers)
        if stretch.news is not None:
            yield "news to others: p50, p99, p99.9, max (ms)", _spread(stretch.news)
        yield "CPU of the server", _cpu(stretch.server_cpu)
        yield "CPU of this generator", _cpu(stretch.generator_cpu)
        if stretch.onlookers_cpu is not None:
            yield "CPU of those who look on", _cpu(stretch.onlookers_cpu)
        yield "CPU of others, stolen by the host", f"{_cpu(stretch.others_cpu)}; {_cpu(stretch.stolen_cpu)}"
        yield "rounds, cards proved", f"{sum(self.rounds.values()):,}, {self.cards:,}"
        yield "reconnects", str(self.reconnects)
        yield "money", _money(self.money)
        yield "views equal to the server's", f"{self.views - len(self.differing_views)} of {self.views}"


def _first(texts: list[str]) -> str:
    more = f", and {len(texts) - MOST_TOLD} more" if len(texts) > MOST_TOLD else ""
    return "; ".join(texts[:MOST_TOLD]) + more


def _counts(counts: dict[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {count:,}" for name, count in ordered) or "none"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _spread(spread: Spread) -> str:
    return ", ".join(_ms(value) for value in (spread.p50, spread.p99, spread.p99_9, spread.max))


def _percent(cpu: Cpu | None) -> str:
    return "unknown" if cpu is None else f"{cpu.percent:.0f} %"


def _cpu(cpu: Cpu | None) -> str:
    return "not known" if cpu is None else f"{cpu.seconds:.2f} s, {cpu.percent:.0f} % of a core"


def _money(money: Money) -> str:
    is_right = not money.wrong and money.has == money.bought_in + money.won
    audit = "" if money.audit is None else f"; the audit found {len(money.audit) or 'nothing'}"
    told = f"{money.bought_in:,} at first, {money.won:+,} in rounds, {money.has:,} now"
    return f"{told}: {'right' if is_right else 'WRONG'}{audit}"
