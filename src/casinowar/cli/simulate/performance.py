"""The performance of a simulation at the command line: its workers, progress, first compile, and Ctrl-C."""

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from time import monotonic
from types import FrameType
from typing import Any

import click
import msgspec

from casinowar.cli.simulate.cluster import NoCluster, cluster_executor
from casinowar.cli.simulate.device import NoDevice, device_executor
from casinowar.cli.simulate.progress_bar import ProgressBar
from casinowar.cli.terminal.output import say
from casinowar.extras import require
from casinowar.sim import Plan, Progress, Result, Until, run

INTERRUPTED = 130
"""The exit status of a run that Ctrl-C has ended."""


class Performance(msgspec.Struct, frozen=True):
    """A result, the seconds it took where it was played now, and whether somebody broke it off. Where the kernel had to
    be compiled meanwhile, the seconds say nothing of how fast it plays."""

    result: Result
    seconds: float | None
    is_interrupted: bool
    has_compiled: bool = False


def perform(
    plan: Plan,
    seed: int,
    rounds: int,
    until: Until | None,
    *,
    device: str,
    workers: int | None,
    cluster: str | None,
    first_chunk: int,
) -> Performance:
    """Play, on this machine's cores or elsewhere, and give what came of it until the end or until Ctrl-C."""
    require("casinowar simulate", "sim", "numpy", "numba")
    latest = Result(plan=plan)
    with ExitStack() as stack:
        executor, count, at_once = _executor(stack, plan, device, workers, cluster)
        bar = stack.enter_context(ProgressBar(sys.stderr))
        compiling = stack.enter_context(announced_compile(bar))
        interrupt = stack.enter_context(noted_interrupt(bar))
        began = monotonic()

        def follow(progress: Progress) -> None:
            nonlocal latest
            latest = progress.result
            bar.show(progress, until)

        try:
            result = run(
                plan,
                seed,
                rounds,
                executor=executor,
                workers=count,
                until=until,
                progress=follow,
                stop=lambda: interrupt.is_noted,
                first_chunk=first_chunk,
                chunks_at_once=at_once,
            )
        except (CancelledError, OSError, RuntimeError) as error:
            if cluster is None:
                raise
            done = f"{latest.rounds:,} rounds were done" if latest.rounds else "nothing was done"
            told = str(error) or type(error).__name__
            raise click.ClickException(f"--cluster {cluster}: the cluster is gone, {done}: {told}") from None
        return Performance(result, monotonic() - began, interrupt.is_noted, compiling.is_said)


def _executor(
    stack: ExitStack, plan: Plan, device: str, workers: int | None, cluster: str | None
) -> tuple[Executor | None, int, int]:
    """Who plays, none being threads of this process; how many of them; and how many chunks each plays at once."""
    try:
        if device == "gpu":
            playing, at_once = stack.enter_context(device_executor(plan))
            return playing, 1, at_once
        if cluster is not None:
            executor, count = stack.enter_context(cluster_executor(cluster))
            return executor, workers or count, 1
    except (NoCluster, NoDevice) as error:
        raise click.ClickException(str(error)) from None
    return None, workers or cores(), 1


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Interrupt:
    """Whether Ctrl-C was pressed. Chunks that are being played end first; whoever presses it again leaves at once.

    A chunk is compiled code in a thread that nobody can end, and Python would wait for it: so the process is ended.
    """

    def __init__(self, bar: ProgressBar) -> None:
        self.is_noted = False
        self._bar = bar

    def note(self, number: int, frame: FrameType | None) -> None:
        if self.is_noted:
            try:
                self._bar.clear()
            finally:
                os._exit(INTERRUPTED)
        self.is_noted = True
        self._bar.clear()
        say("Stopping with the chunks that are being played; Ctrl-C again leaves at once, and keeps nothing.")


@contextmanager
def noted_interrupt(bar: ProgressBar) -> Iterator[Interrupt]:
    """Let the first Ctrl-C be noted, so that no chunk is torn; as before where this is not the main thread."""
    interrupt = Interrupt(bar)
    try:
        before = signal.signal(signal.SIGINT, interrupt.note)
    except ValueError:
        yield interrupt
        return
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)


class Compiling:
    """Whether it was said that the kernel is compiled."""

    is_said = False


@contextmanager
def announced_compile(bar: ProgressBar) -> Iterator[Compiling]:
    """Say it when numba begins to compile the kernel, which it does once and keeps."""
    compiling = Compiling()
    if find_spec("numba") is None:
        yield compiling
        return
    from numba.core import event

    class Announcement(event.Listener):
        def on_start(self, event: Any) -> None:
            if not compiling.is_said:
                compiling.is_said = True
                bar.clear()
                say("Compiling the kernel, which takes up to a minute and is kept for the next time.")

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Announcement()):
        yield compiling
