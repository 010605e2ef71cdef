"""Metrics of what the server uses of its machine: bytes on the disk, what is left there, the end of its certificate."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from casinowar.web.http.certificate import Certificate


def watch_machine(registry: CollectorRegistry, store: Path | None, certificate: Certificate | None) -> None:
    """Tell of the process, of the store's file where it has one, and of the certificate where there is one."""
    ProcessCollector(registry=registry)
    registry.register(_Files(store, certificate))


class _Files(Collector):
    """Figures that are read when somebody asks for the metrics."""

    def __init__(self, store: Path | None, certificate: Certificate | None) -> None:
        self._store, self._certificate = store, certificate

    def describe(self) -> Iterator[Metric]:
        """Describe no metrics: otherwise the registry would ask for values at once."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        if self._store is not None:
            yield _gauge("store_bytes", "The log's file, and what SQLite has beside it", _bytes_of(self._store))
            yield _gauge("disk_free_bytes", "What is left where the log lies", _free(self._store.parent))
        if self._certificate is not None:
            end = self._certificate.end.timestamp()
            yield _gauge("certificate_end_seconds", "When the certificate ends, in seconds since 1970", end)


def _gauge(name: str, says: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"casinowar_{name}", says, value=value)


def _bytes_of(store: Path) -> int:
    total = 0
    for more in ("", "-wal"):
        try:
            total += store.with_name(f"{store.name}{more}").stat().st_size
        except OSError:
            continue
    return total


def _free(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0
