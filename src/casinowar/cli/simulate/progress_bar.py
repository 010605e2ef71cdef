"""The progress of a run on a terminal: a bar with the rate and the time that is left."""

from time import monotonic
from types import TracebackType
from typing import TextIO

from casinowar.cli.terminal.text_tables import room
from casinowar.sim import Progress, Until

EVERY = 0.1
LONGEST_BAR = 30
CLEAR = "\r\x1b[K"


class ProgressBar:
    """One line of a terminal, written over again and again, and gone at the end. Elsewhere nothing is written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream if stream.isatty() else None
        self._shown = 0.0

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, progress: Progress, until: Until | None) -> None:
        if self._stream is not None and monotonic() - self._shown >= EVERY:
            self._shown = monotonic()
            self._write(CLEAR + progress_line(progress, until, room() - 1))

    def clear(self) -> None:
        if self._stream is not None:
            self._write(CLEAR)

    def _write(self, text: str) -> None:
        assert self._stream is not None
        self._stream.write(text)
        self._stream.flush()


def progress_line(progress: Progress, until: Until | None, width: int) -> str:
    """`[#####     ] 50%  120 M rounds/s  0:08 left`, within the width."""
    part = part_done(progress, until)
    rate = progress.rounds / max(progress.seconds, 1e-9)
    left = progress.seconds * (1 - part) / part if part else 0.0
    told = f"{part:4.0%}  {short_number(rate)} rounds/s  {clock(left)} left"
    bar = min(LONGEST_BAR, width - len(told) - 3)
    if bar < 5:
        return told[:width]
    full = int(bar * part)
    return f"[{'#' * full}{' ' * (bar - full)}] {told}"


def part_done(progress: Progress, until: Until | None) -> float:
    """The part of the work that is done. A standard error falls with the root of the rounds."""
    part = progress.rounds / progress.wanted
    if until is not None and (error := progress.result.wager(until.wager).standard_error):
        part = max(part, (until.standard_error / error) ** 2)
    return min(1.0, part)


def short_number(number: float) -> str:
    """A number in three digits and a letter, such as `12.3 M`."""
    for size, letter in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def clock(seconds: float) -> str:
    """Seconds as a clock tells them: `0:08`, `12:30`, `3:05:00`, or days where there are many."""
    whole = int(seconds + 0.5)
    if whole >= 172_800:
        return f"{whole // 86_400:,} days"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
