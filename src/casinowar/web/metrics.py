"""The metrics that the server counts, for Prometheus: sums over everybody, and no name of a player."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, cast

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from casinowar.engine import events as e
from casinowar.house.house import House
from casinowar.protocol import AnyCommand
from casinowar.store import Answer, Proposal, Recalled, SqliteStore

SECONDS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class _Do(msgspec.Struct):
    do: str


KINDS = frozenset(str(kind.__struct_config__.tag) for kind in AnyCommand.__args__)


_kinds = msgspec.json.Decoder(_Do)


def kind_of(command: bytes) -> str:
    """The command's name if it is one, so that a forger cannot make new labels."""
    try:
        kind = _kinds.decode(command).do
    except msgspec.MsgspecError:
        return "unknown"
    return kind if kind in KINDS else "unknown"


class Metrics:
    """The metrics of one server, in a registry of its own, so that two servers in one process do not count together."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        name = "casinowar_{}".format
        self.commands = Counter(name("commands"), "Commands by kind and outcome", ["kind", "outcome"], registry=own)
        self._of_kind: dict[tuple[str, str], Counter] = {}
        self.refusals = Counter(name("refusals"), "What tables and server refused, by code", ["code"], registry=own)
        self.frames_refused = Counter(name("frames_refused"), "Messages not taken, by code", ["code"], registry=own)
        self.sockets_dropped = Counter(name("sockets_dropped"), "Connections ended, by code", ["code"], registry=own)
        self.rounds = Counter(name("rounds"), "Rounds that have ended", registry=own)
        self.faults = Counter(name("faults"), "Mistakes of the server itself", registry=own)
        self.sockets = Gauge(name("sockets"), "Connections open now, but for those of other servers", registry=own)
        self.command_seconds = Durations(name("command_seconds"), "From command to answer, but for its transaction")
        own.register(self.command_seconds)
        self.commit_seconds = Histogram(
            name("commit_seconds"), "One transaction, until it is on the disk", buckets=SECONDS, registry=own
        )

    def count_command(self, command: bytes, outcome: str) -> None:
        """Count a command. Its counter is looked up once for each kind and outcome."""
        key = (kind_of(command), outcome)
        if key not in self._of_kind:
            self._of_kind[key] = self.commands.labels(*key)
        self._of_kind[key].inc()

    def note_events(self, recalled: Iterable[Recalled]) -> None:
        ended = sum(isinstance(one.event, e.RoundEnded) for one in recalled)
        if ended:
            self.rounds.inc(ended)

    def watch(self, house: House) -> None:
        """Read the books of this house from now on, whenever somebody asks for the metrics."""
        self.registry.register(_HouseBooks(house))

    def text(self) -> bytes:
        return generate_latest(self.registry)


class Durations(Collector):
    """A histogram of one thread, which counts without a lock."""

    def __init__(self, name: str, says: str) -> None:
        self._name, self._says = name, says
        self._counts = [0] * (len(SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(SECONDS, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[Metric]:
        bounds = (*(repr(bound) for bound in SECONDS), "+Inf")
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._says, buckets=buckets, sum_value=self._sum)


class _HouseBooks(Collector):
    """The figures of a house that are read when somebody asks for the metrics."""

    def __init__(self, house: House) -> None:
        self._house = house

    def describe(self) -> Iterator[Metric]:
        """Describe no metrics: otherwise the registry would ask for values at once."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        house = self._house
        unopened, stopped = house.count("unopened"), house.count("stopped")
        figures = {
            "trial_balance": ("Sum of all accounts of the house: zero, or something is badly wrong", _sum(house)),
            "unopened_commitments": (
                "Shoes committed to, not opened: one for each of its tables in play",
                unopened,
            ),
            "tables": ("Tables that this server decides", len(house.tables)),
            "tables_stopped": ("Tables of this server that an imbalance has stopped", stopped),
            "out_of_service": ("1 when the store takes nothing any more", int(house.out_of_service is not None)),
        }
        for name, (says, value) in figures.items():
            yield GaugeMetricFamily(f"casinowar_{name}", says, value=value)


def _sum(house: House) -> int:
    """The sum of all accounts, as the store keeps it."""
    return house.store.total() if house.out_of_service is None else 0


Measurable: Any = object


class Timed(Measurable):  # type: ignore[misc]
    """A store of any kind, with the time noted until each transaction is on the disk."""

    metrics: Metrics | None = None

    def commit(self, proposal: Proposal) -> Answer:
        if self.metrics is None or self._is_together:
            return cast(Answer, super().commit(proposal))
        with self.metrics.commit_seconds.time():
            return cast(Answer, super().commit(proposal))

    def finish_together(self) -> None:
        if self.metrics is None:
            super().finish_together()
            return
        with self.metrics.commit_seconds.time():
            super().finish_together()


class MeasuredStore(Timed, SqliteStore):
    """The store in a file."""


def measured_database(url: str) -> Any:
    """The store in a database, where other servers may be."""
    from casinowar.store.postgres.store import PostgresStore

    class MeasuredDatabase(Timed, PostgresStore):
        """The store in a database."""

    return MeasuredDatabase(url, is_shared=True)
