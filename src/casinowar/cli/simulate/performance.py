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


class Performance(msgspec.Struct, frozen=True):
    """A result, the seconds it took where it was played now, and whether somebody broke it off."""

    result: Result
    seconds: float | None
    is_interrupted: bool


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
        executor, count = _executor(stack, device, workers, cluster)
        bar = stack.enter_context(ProgressBar(sys.stderr))
        stack.enter_context(announced_compile(bar))
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
            )
        except KeyboardInterrupt:
            return Performance(latest, monotonic() - began, True)
        except (CancelledError, OSError, RuntimeError) as error:
            if cluster is None:
                raise
            done = f"{latest.rounds:,} rounds were done" if latest.rounds else "nothing was done"
            told = str(error) or type(error).__name__
            raise click.ClickException(f"--cluster {cluster}: the cluster is gone, {done}: {told}") from None
        return Performance(result, monotonic() - began, interrupt.is_noted)


def _executor(stack: ExitStack, device: str, workers: int | None, cluster: str | None) -> tuple[Executor | None, int]:
    """Who plays: none for threads of this process; and how many of them."""
    try:
        if device == "gpu":
            return stack.enter_context(device_executor()), 1
        if cluster is not None:
            executor, count = stack.enter_context(cluster_executor(cluster))
            return executor, workers or count
    except (NoCluster, NoDevice) as error:
        raise click.ClickException(str(error)) from None
    return None, workers or cores()


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Interrupt:
    """Whether Ctrl-C was pressed. Chunks that are being played end first; whoever presses it again leaves at once."""

    def __init__(self, bar: ProgressBar) -> None:
        self.is_noted = False
        self._bar = bar

    def note(self, number: int, frame: FrameType | None) -> None:
        if self.is_noted:
            raise KeyboardInterrupt
        self.is_noted = True
        self._bar.clear()
        say("Stopping with the chunks that are being played; Ctrl-C again leaves at once.")


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


@contextmanager
def announced_compile(bar: ProgressBar) -> Iterator[None]:
    """Say it when numba begins to compile the kernel, which it does once and keeps."""
    if find_spec("numba") is None:
        yield
        return
    from numba.core import event

    class Announcement(event.Listener):
        is_made = False

        def on_start(self, event: Any) -> None:
            if not self.is_made:
                self.is_made = True
                bar.clear()
                say("Compiling the kernel, which takes up to a minute and is kept for the next time.")

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Announcement()):
        yield
