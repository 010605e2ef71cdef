"""The tables of a store audited in several processes, each with a connection of its own to the same file."""

import gc
import multiprocessing
import multiprocessing.forkserver
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

from casinowar.audit.house import HouseAudit
from casinowar.audit.openings import OnRounds, Openings, Report, audit_openings
from casinowar.audit.snapshot import AuditedStore, EventReader
from casinowar.rulebooks import load_clauses

LEAST_EVENTS = 50_000
"""A log with fewer is read in less time than another process takes to start."""

LEAST_BYTES = 400 * LEAST_EVENTS
"""A file with fewer has no such log."""

ALLOCATIONS = 50_000
"""The garbage collector looks for cycles after so many: an audit makes hardly any, and makes much else."""

LOOK_S = 0.2


def cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes_for(events: int, tables: int) -> int:
    """The number of processes that a log of so many events is worth."""
    return 1 if events < LEAST_EVENTS else min(cores(), tables)


class Workers:
    """The other processes, before they have anything to do, and the rounds that have ended in all of them."""

    def __init__(self, jobs: int, context: BaseContext) -> None:
        self.jobs = jobs
        self.ended = context.Value("q", 0)
        self.pool = ProcessPoolExecutor(jobs, context, _begin, (self.ended,))

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


def prepare_workers(path: Path, jobs: int | None) -> Workers | None:
    """Start the processes before this one opens the store, where the file may be worth it.

    On Linux they are forks, which have imported everything already. No connection to SQLite crosses a fork, since there
    is none yet, and neither is there a thread.
    """
    wanted = jobs or cores()
    if wanted < 2 or path.stat().st_size < LEAST_BYTES:
        return None
    with suppress(Exception):  # Without other processes this one audits.
        if sys.platform == "linux" and threading.active_count() == 1:
            workers = Workers(wanted, multiprocessing.get_context("fork"))
            workers.pool.submit(os.getpid)
            return workers
        if _context().get_start_method() == "forkserver":
            multiprocessing.forkserver.ensure_running()
    return None


class TableProcesses:
    """Other processes that audit tables.

    The position of the last event is given, so that all see the store as it stood at the same moment.
    """

    def __init__(self, store: AuditedStore, house: HouseAudit, jobs: int, workers: Workers | None = None) -> None:
        self._store, self._house = store, house
        self._workers = workers or Workers(jobs, _context())
        self._given = store.path, store.head().events, house
        self._told = 0

    def begin(self, tasks: list[Openings], on_rounds: OnRounds) -> Iterator[Report]:
        """Begin with the largest; the reports come in the order of the tasks."""
        largest = sorted(tasks, key=lambda one: -one.events)
        try:
            futures = {task.name: self._workers.pool.submit(_audit, self._given, task) for task in largest}
        except Exception:  # An error of the system says nothing about the store.
            return (audit_openings(self._store, self._house, task, on_rounds) for task in tasks)
        return self._reports([(task, futures[task.name]) for task in tasks], on_rounds)

    def _reports(self, under_way: list[tuple[Openings, Future[Report]]], on_rounds: OnRounds) -> Iterator[Report]:
        for task, future in under_way:
            try:
                yield self._wait(future, on_rounds)
            except BrokenExecutor:  # A process that the system has ended says nothing about the store.
                yield audit_openings(self._store, self._house, task, on_rounds)

    def _wait(self, future: Future[Report], on_rounds: OnRounds) -> Report:
        while True:
            with suppress(TimeoutError):
                return future.result(LOOK_S)
            self.show(on_rounds)

    def show(self, on_rounds: OnRounds) -> None:
        """Tell how many rounds have ended in all processes since the last time."""
        ended: int = self._workers.ended.value
        on_rounds(ended - self._told)
        self._told = ended

    def close(self) -> None:
        self._workers.close()


def _context() -> BaseContext:
    """Processes that inherit nothing: a connection to SQLite must not cross a fork. One imports for all of them."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def ease_collection() -> None:
    """Let the garbage collector come more seldom."""
    gc.set_threshold(ALLOCATIONS)


Given = tuple[Path, int, HouseAudit]
"""The file, the position up to which it is read, and what the house's own stream tells."""

_ended: Any
_reader: EventReader | None = None


def _begin(ended: Any) -> None:
    """Begin a process. Clauses, which every book needs, are read while the parent has nothing to be done yet."""
    global _ended
    threading.Thread(target=_end_with_parent, daemon=True).start()
    ease_collection()
    _ended = ended
    with suppress(Exception):  # A book of the user's that is wrong is told where it is asked for.
        load_clauses()


def _end_with_parent() -> None:
    """Wait for the end of the parent, however it comes, and end this process too.

    A process that is left behind would hold its read transaction for ever, and the house could not open its store.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _audit(given: Given, openings: Openings) -> Report:
    global _reader
    path, upto, house = given
    if _reader is None:
        _reader = EventReader(path, upto)

    def count(rounds: int) -> None:
        with _ended.get_lock():
            _ended.value += rounds

    return audit_openings(_reader, house, openings, count)
