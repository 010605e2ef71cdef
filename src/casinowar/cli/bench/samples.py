"""Samples of waiting times, and the processor time and memory that processes have used."""

import math
import os
from array import array
from collections.abc import Iterable
from pathlib import Path

import msgspec

BUSY = 0.9
"""A process that uses more of a core than this is itself the limit of what was measured."""


class Spread(msgspec.Struct, frozen=True):
    """How samples are spread, in milliseconds; None where there are none."""

    count: int
    p50: float | None = None
    p99: float | None = None
    p99_9: float | None = None
    max: float | None = None


class Samples:
    """Waiting times in seconds."""

    def __init__(self, seconds: Iterable[float] = ()) -> None:
        self._seconds = array("d", seconds)

    def __len__(self) -> int:
        return len(self._seconds)

    def add(self, seconds: float) -> None:
        self._seconds.append(seconds)

    def extend(self, seconds: Iterable[float]) -> None:
        self._seconds.extend(seconds)

    def seconds(self) -> list[float]:
        return list(self._seconds)

    def count_from(self, seconds: float) -> int:
        """The number of samples that are so long or longer."""
        return sum(one >= seconds for one in self._seconds)

    def spread(self) -> Spread:
        if not self._seconds:
            return Spread(0)
        ordered = sorted(self._seconds)
        shares = (percentile(ordered, share) for share in (0.5, 0.99, 0.999, 1))
        return Spread(len(ordered), *(round(1000 * seconds, 2) for seconds in shares))


def percentile(ordered: list[float], share: float) -> float:
    """The least of the samples that this share of them does not exceed: the nearest rank, never a value between two."""
    return ordered[max(1, math.ceil(share * len(ordered) - 1e-9)) - 1]


def cpu_seconds(pid: int) -> float | None:
    """The processor time of another process so far; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int | None:
    """The memory of another process that lies in the machine's; None where the system does not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class MachineTime(msgspec.Struct, frozen=True):
    """Seconds for which the cores of this machine were at work so far, and for which its host gave them to others."""

    busy: float
    stolen: float


def machine_seconds(stat: Path = Path("/proc/stat")) -> MachineTime | None:
    """The time of all cores together; None where the system does not tell."""
    try:
        user, nice, system, _, _, irq, softirq, stolen = map(int, stat.read_text().split("\n")[0].split()[1:9])
    except (OSError, ValueError):
        return None
    ticks = os.sysconf("SC_CLK_TCK")
    return MachineTime((user + nice + system + irq + softirq) / ticks, stolen / ticks)
