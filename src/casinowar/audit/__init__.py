"""The audit of a live house: its log, money, tables, sealed shoes, rounds and staff, and what is wrong where.

It needs nothing but the store: rules, commands and seeds are all in there.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress

import msgspec
from msgspec.structs import replace

from casinowar.audit.bodies import HouseBodies
from casinowar.audit.findings import Finding, Findings, in_words
from casinowar.audit.house import HouseAudit
from casinowar.audit.log import Committed, LogWalk, committed_in, extents, sizes
from casinowar.audit.money import find_money_faults
from casinowar.audit.openings import Openings, Report, StreamReport, audit_openings
from casinowar.audit.processes import TableProcesses, Workers, processes_for
from casinowar.audit.shoes import ChainAudit, find_seed_faults
from casinowar.audit.snapshot import AuditedStore
from casinowar.audit.stream_log import PlainSource, Source, StreamFacts, StreamLog
from casinowar.house.journal import STREAM
from casinowar.store import Checkpoint, Store, audit

__all__ = ["Audit", "Counts", "Finding"]

Progress = Callable[[int, int], None]
"""Told the rounds that are done, and how many there are."""

Begin = Callable[[list[Openings]], Iterator[Report]]
"""Have tables audited: the reports come in order, and may be under way before they are asked for."""


class Counts(msgspec.Struct):
    """The numbers of what the audit read; of the rounds, how many it replayed, and how many of those from a record.

    >>> from casinowar.audit import Audit
    >>> from casinowar.store import MemoryStore
    >>> audit = Audit(MemoryStore())
    >>> list(audit.findings()), audit.counts.rounds
    ([], 0)
    """

    events: int = 0
    commands: int = 0
    tables: int = 0
    rounds: int = 0
    replayed: int = 0
    records: int = 0
    shoes: int = 0
    checkpoints: int = 0


class Audit:
    """One audit of one store, which must not change meanwhile. `counts` and `notes` fill while `findings` is read.

    `remarks` are what an older program wrote and this one does not, which is no fault.

    `keys` are the public keys that sign checkpoints; without any, that of the checkpoints `kept` outside. `rounds`
    is how many rounds are replayed, chosen by chance, where not all of them are. With `records` each of them is written
    as a round record, and not only those in which something is out of the ordinary. What is before the checkpoint
    `since` was audited before: it must be what it was, and is not replayed. `jobs` is the number of processes that
    audit tables of a SQLite store; without it there are as many as the log is worth. They are `workers`, where those
    were started before the store was opened.

    >>> from casinowar.audit import Audit
    >>> from casinowar.store import MemoryStore
    >>> list(Audit(MemoryStore()).findings())
    []
    """

    def __init__(
        self,
        store: Store,
        keys: Iterable[str] = (),
        kept: Iterable[Checkpoint] = (),
        rounds: int | None = None,
        progress: Progress | None = None,
        *,
        records: bool = False,
        since: Checkpoint | None = None,
        jobs: int | None = None,
        workers: Workers | None = None,
    ) -> None:
        self.counts = Counts()
        self.notes: list[str] = []
        self.remarks: list[str] = []
        self._store, self._progress, self._since, self._jobs = store, progress, since, jobs
        self._workers = workers
        self._source: Source = store if isinstance(store, AuditedStore) else PlainSource(store)
        self._kept = [*kept, *([] if since is None or since in kept else [since])]
        self._keys = tuple(keys) or tuple(one.key for one in self._kept[:1])
        self._rounds, self._records = rounds, records
        self._house = HouseAudit()
        self._closed: dict[str, bool | None] = {}
        self._skipped: set[str] = set()
        self._done = self._total = 0

    def findings(self) -> Findings:
        """Everything that is wrong, one after the other; nothing where all is well.

        All is read before the first is told: the log is sound only if the tables that are read from it are.
        """
        self._count()
        bodies = HouseBodies(self._store)
        log = LogWalk(self._store, self._keys, self._kept, bodies.positions)
        events = StreamLog(self._source, STREAM, log.marks(STREAM))
        of_house = list(_guard("the house", self._house.findings(bodies.follow(events))))
        reports: list[Report] = []
        unread: list[Finding] = []
        with self._at_work() as begin:
            before = self._audited_before(log, events.facts, begin)
            try:
                coming = begin(self._tasks(log, before))
                self._count_rounds(before)
                if self._since is None:
                    log.read_commands()
                reports = list(coming)
                self._on_rounds(self._total - self._done)  # A round with two ends is told once, and counted twice.
            except Exception as error:  # An error that an altered row causes is a finding too.
                unread.append(Finding("the tables", f"cannot be read: {in_words(error)}"))
        if isinstance(self._store, AuditedStore):
            self._store.await_check()
        streams = [one for report in reports for one in report.streams]
        facts = [events.facts, *(one.facts for one in streams)]
        is_before = before is not None and all(one.is_sound for one in facts)
        is_sound = not unread and (log.is_sound(facts) if self._since is None else is_before)
        yield from self._of_log(is_sound)
        yield from _guard("the seeds", self._seeds(log.committed if is_sound else committed_in(self._store)))
        recalled = [one for one in log.committed if before is not None and one[0].position <= before]
        yield from _guard("the seeds", find_seed_faults(recalled, self._store.seed))
        yield from of_house
        yield from self._of_tables(streams)
        over = {one.stream for one in streams if one.is_over} | self._skipped
        yield from _guard("the snapshots of the house", bodies.findings([one.limits for one in facts], over))
        yield from unread
        yield from self._of_chain(reports, None if before is None else log.numbered_from)
        yield from _guard("the list of tables", self._lists())

    def _audited_before(self, log: LogWalk, house: StreamFacts, begin: Begin) -> int | None:
        """The position up to which all was audited before: that of the checkpoint, where the whole log is sound."""
        if self._since is None:
            return None
        is_sound = False
        with suppress(Exception):  # The slower audits say what cannot be read.
            coming = begin([replace(task, is_replayed=False) for task in self._tasks(log, None)])
            log.read_commands()
            is_sound = log.is_sound([house, *(one.facts for report in coming for one in report.streams)])
        before = self._since.events if is_sound else None
        self._note_since(self._since, before)
        return before

    def _of_log(self, is_sound: bool) -> Findings:
        """What is wrong with the log and the money, by those who can tell."""
        if is_sound:
            return
        for said in audit(self._store, self._keys, self._kept):
            where, _, what = said.partition(": ")
            yield Finding(where, what)
        yield from _guard("the money", find_money_faults(self._store))

    def _count(self) -> None:
        with suppress(Exception):  # A store that cannot be read is a finding of its own audit.
            head = self._store.head()
            self.counts.events, self.counts.commands = head.events, head.commands
            self.counts.checkpoints = len(self._store.checkpoints())
            if not self._kept:
                self.notes.append("no checkpoint from outside was given: a tail that was cut off cannot be told")

    def _note_since(self, one: Checkpoint, before: int | None) -> None:
        """Say what is taken from the checkpoint."""
        if before is not None:
            covered = f"{one.events} events and {one.commands} commands before it are what they were, and not replayed"
            self.notes.append(f"since checkpoint {one.number}: {covered}")
        else:
            self.notes.append(f"the log is not sound, so that nothing is taken from checkpoint {one.number}")

    def _named_streams(self) -> dict[str, list[str]]:
        """The streams of tables by the table's name, and under a name in the order of its openings."""
        places = {stream: (one.table, at) for at, (stream, one) in enumerate(self._house.listed.items())}
        grouped: dict[str, list[str]] = {}
        for stream in sorted(self._store.streams(), key=lambda stream: places.get(stream, (stream, 0))):
            if stream != STREAM:
                grouped.setdefault(places.get(stream, (stream, 0))[0], []).append(stream)
        return grouped

    def _tasks(self, log: LogWalk, before: int | None) -> list[Openings]:
        """The tables to audit; after a checkpoint those that have gone on since, or have snapshots, which it lacks."""
        grouped, kept = self._named_streams(), {row.stream for row in self._store.snapshot_rows()}
        is_plain = before is None and self._rounds is None
        found = sizes(self._store) if is_plain else extents(self._store, before)
        total = sum(found[stream].ends for streams in grouped.values() for stream in streams)
        chosen = None if self._rounds is None else _choose(self._rounds, total)
        tasks = []
        met = 0
        for name, streams in grouped.items():
            under = [found[stream] for stream in streams]
            if all(one.audited == one.events for one in under) and kept.isdisjoint(streams):
                self._closed |= {stream: one.is_closed for stream, one in zip(streams, under, strict=True)}
                self._skipped |= {stream for stream in streams if self._closed[stream]}
                continue
            ends = sum(one.ends for one in under)
            own = None if chosen is None else frozenset(at - met for at in chosen if met <= at < met + ends)
            met += ends
            audited = {stream: one.audited for stream, one in zip(streams, under, strict=True)}
            events = sum(one.events for one in under)
            marks = {stream: log.marks(stream) for stream in streams}
            tasks.append(Openings(name, tuple(streams), events, own, self._records, audited, marks))
        return tasks

    @contextmanager
    def _at_work(self) -> Iterator[Begin]:
        """Those who audit tables: other processes, or this one."""
        processes = self._processes()
        if processes is None:
            yield lambda tasks: (audit_openings(self._source, self._house, task, self._on_rounds) for task in tasks)
            return
        with closing(processes):
            yield lambda tasks: processes.begin(tasks, self._on_rounds)

    def _processes(self) -> TableProcesses | None:
        """Other processes; none where the log is not worth it, or the system has none to give."""
        with suppress(Exception):  # An error of the system says nothing about the store.
            jobs = self._jobs or processes_for(self.counts.events, len(self._named_streams()))
            if jobs >= 2 and isinstance(self._store, AuditedStore):
                return TableProcesses(self._store, self._house, jobs, self._workers)
        return None

    def _count_rounds(self, before: int | None) -> None:
        """Count the rounds that there are, for whoever looks on, while others are at work on them."""
        if self._progress is not None:
            self._total = sum(one.ends for one in extents(self._store, before).values())
            self._on_rounds(0)

    def _on_rounds(self, rounds: int) -> None:
        self._done += rounds
        if self._progress is not None:
            self._progress(self._done, self._total)

    def _of_tables(self, reports: list[StreamReport]) -> Findings:
        for one in reports:
            self.counts.tables += 1
            self.counts.rounds += one.rounds
            self.counts.replayed += one.replayed
            self.counts.records += one.records
            self.counts.shoes += one.shoes
            self._closed[one.stream] = one.is_closed
            if one.stopped is not None:
                self.notes.append(f"{one.stream} is stopped: {one.stopped}")
            yield from one.findings
            yield from _guard(one.stream, self._balances(one.accounts))

    def _balances(self, accounts: dict[str, int]) -> Findings:
        for account, counted in accounts.items():
            held = self._store.balance(account)
            if held != counted:
                yield Finding(account, f"holds {held} by the ledger and {counted} by the table after its last event")

    def _of_chain(self, reports: list[Report], numbered_from: int | None) -> Findings:
        chain = ChainAudit(numbered_from)
        for report in reports:
            chain.join(report.chain)
        yield from chain.findings()
        self.remarks += chain.remarks

    def _lists(self) -> Findings:
        """Findings of the list of tables: each has its stream, and each but the last under a name is closed."""
        last = {listed.table: stream for stream, listed in self._house.listed.items()}
        for stream, listed in self._house.listed.items():
            if stream not in self._closed:
                yield Finding(stream, "is in the list of tables and has no events")
            elif stream != last[listed.table] and not self._closed[stream]:
                yield Finding(stream, f"was never closed, and {last[listed.table]} was opened under its name")

    def _seeds(self, committed: Iterable[Committed]) -> Findings:
        """Findings of the seeds, which are in no chain: each has its commitment in the log, and serves one shoe."""
        commitments = {event.commitment for _, event in committed}
        seeds: dict[bytes | None, str] = {}
        for commitment in self._store.commitments():
            seed = self._store.seed(commitment)
            if seed in seeds:
                yield Finding(f"seed of {commitment}", f"is the seed of {seeds[seed]} too")
            seeds[seed] = commitment
            if commitment not in commitments:
                yield Finding(f"seed of {commitment}", "no shoe was ever committed to it")


def _choose(rounds: int, total: int) -> set[int]:
    """The rounds to replay, chosen by chance: places among all rounds, in the order in which they are met."""
    return set(secrets.SystemRandom().sample(range(total), min(rounds, total)))


def _guard(where: str, findings: Findings) -> Findings:
    """The findings; an error that an altered row causes is a finding too."""
    try:
        yield from findings
    except Exception as error:
        yield Finding(where, f"cannot be read: {in_words(error)}")
