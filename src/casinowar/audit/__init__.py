"""The audit of a live house: its log, money, tables, sealed shoes, rounds and staff, and what is wrong where.

It needs nothing but the store: rules, commands and seeds are all in there.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import msgspec

from casinowar.audit.findings import Finding, Findings, in_words
from casinowar.audit.house import HouseAudit
from casinowar.audit.money import find_money_faults
from casinowar.audit.rounds import RoundAudit
from casinowar.audit.shoes import ChainAudit, ShoeAudit
from casinowar.audit.tables import TableAudit
from casinowar.engine import Table
from casinowar.history.log_walk import ENDS
from casinowar.house.journal import STREAM
from casinowar.store import Checkpoint, Recalled, ShoeCommitted, Store, audit
from casinowar.store.envelope import event_in, open_envelope
from casinowar.store.ledger import accounts_of

__all__ = ["Audit", "Counts", "Finding"]

COMMITTED = str(ShoeCommitted.__struct_config__.tag)
END_NAMES = {str(end.__struct_config__.tag) for end in ENDS}
Progress = Callable[[str], None]


class Counts(msgspec.Struct):
    """The numbers of what the audit read; of the rounds, how many it replayed."""

    events: int = 0
    commands: int = 0
    tables: int = 0
    rounds: int = 0
    replayed: int = 0
    shoes: int = 0
    checkpoints: int = 0


class Audit:
    """One audit of one store, which must not change meanwhile. `counts` and `notes` fill while `findings` is read.

    `remarks` are what an older program wrote and this one does not, which is no fault.

    `keys` are public keys of which one signs checkpoints; without any, that of the checkpoints `kept` outside. `rounds`
    is how many rounds are replayed, chosen by chance, where not all of them are.
    """

    def __init__(
        self,
        store: Store,
        keys: Iterable[str] = (),
        kept: Iterable[Checkpoint] = (),
        rounds: int | None = None,
        progress: Progress = lambda text: None,
    ) -> None:
        self.counts = Counts()
        self.notes: list[str] = []
        self.remarks: list[str] = []
        self._store, self._kept, self._progress = store, list(kept), progress
        self._key = self._signing_key(tuple(keys))
        self._house = HouseAudit()
        self._chain = ChainAudit()
        self._closed: dict[str, bool] = {}
        self._met = 0
        self._chosen = None if rounds is None else self._choose(rounds)

    def _signing_key(self, keys: tuple[str, ...]) -> str | None:
        used = [one.key for one in self._kept]
        with suppress(Exception):  # Checkpoints that cannot be read are findings of the store's own audit.
            used += [one.key for one in self._store.checkpoints()]
        if not keys:
            return self._kept[0].key if self._kept else None
        return next((key for key in keys if key in used), keys[0])

    def findings(self) -> Findings:
        """Everything that is wrong, one after the other; nothing where all is well."""
        self._count()
        self._progress("the log, its chains, postings and checkpoints")
        for said in audit(self._store, self._key, self._kept):
            where, _, what = said.partition(": ")
            yield Finding(where, what)
        yield from _guard("the money", find_money_faults(self._store))
        yield from _guard("the seeds", self._seeds())
        yield from _guard("the house", self._house.findings(self._store.read(STREAM)))
        yield from _guard("the tables", self._tables())
        yield from self._chain.findings()
        self.remarks += self._chain.remarks
        yield from _guard("the list of tables", self._lists())

    def _count(self) -> None:
        with suppress(Exception):  # A store that cannot be read is a finding of its own audit.
            head = self._store.head()
            self.counts.events, self.counts.commands = head.events, head.commands
            self.counts.checkpoints = len(self._store.checkpoints())
            if not self._kept:
                self.notes.append("no checkpoint from outside was given: a tail that was cut off cannot be told")

    def _tables(self) -> Findings:
        """The findings of every table, by its name, and under a name in the order of its openings."""
        places = {stream: (one.table, at) for at, (stream, one) in enumerate(self._house.listed.items())}
        for stream in sorted(self._store.streams(), key=lambda stream: places.get(stream, (stream, 0))):
            if stream != STREAM:
                self.counts.tables += 1
                yield from _guard(stream, self._table(stream))

    def _table(self, stream: str) -> Findings:
        listed = self._house.listed.get(stream)
        is_sealed = listed is None or listed.settings.get("dealer") != "real"
        name = stream if listed is None else listed.table
        shoes = ShoeAudit(name, stream, self._store.seed, self._chain, is_sealed=is_sealed)
        rounds = RoundAudit(stream, self._is_chosen)
        table = TableAudit(stream, shoes, self._house.staff, rounds.follow)
        is_sound = True
        for finding in table.findings(self._events_of(stream)):
            is_sound = False
            yield finding
        yield from rounds.finish()
        self.counts.rounds += len(table.rounds)
        self.counts.replayed += rounds.replayed
        self.counts.shoes += len(shoes.listed)
        self._closed[stream] = table.table.is_closed
        if table.stopped is not None:
            self.notes.append(f"{stream} is stopped: {table.stopped}")
        if listed is None and (table.table.players or len(shoes.listed)):
            yield Finding(stream, "was played at and is in no list of tables")
        if is_sound:
            yield from self._balances(stream, table.table)

    def _events_of(self, stream: str) -> Iterator[Recalled]:
        for one in self._store.read(stream):
            if one.version % 1_000 == 1:
                self._progress(f"{stream}, event {one.version}")
            yield one

    def _balances(self, stream: str, table: Table) -> Findings:
        for account, counted in accounts_of(stream, table).items():
            held = self._store.balance(account)
            if held != counted:
                yield Finding(account, f"holds {held} by the ledger and {counted} by the table after its last event")

    def _lists(self) -> Findings:
        """Findings of the list of tables: each has its stream, and each but the last under a name is closed."""
        last = {listed.table: stream for stream, listed in self._house.listed.items()}
        for stream, listed in self._house.listed.items():
            if stream not in self._closed:
                yield Finding(stream, "is in the list of tables and has no events")
            elif stream != last[listed.table] and not self._closed[stream]:
                yield Finding(stream, f"was never closed, and {last[listed.table]} was opened under its name")

    def _seeds(self) -> Findings:
        """Findings of the seeds, which are in no chain: each has its commitment in the log, and serves one shoe."""
        entries = (row.entry for row in self._store.event_rows() if row.name == COMMITTED)
        events = (event_in(open_envelope(entry)) for entry in entries)
        committed = {event.commitment for event in events if isinstance(event, ShoeCommitted)}
        seeds: dict[bytes | None, str] = {}
        for commitment in self._store.commitments():
            seed = self._store.seed(commitment)
            if seed in seeds:
                yield Finding(f"seed of {commitment}", f"is the seed of {seeds[seed]} too")
            seeds[seed] = commitment
            if commitment not in committed:
                yield Finding(f"seed of {commitment}", "no shoe was ever committed to it")

    def _choose(self, rounds: int) -> set[int]:
        """The rounds to replay, chosen by chance: places among all rounds, in the order in which they are met."""
        total = sum(row.name in END_NAMES for row in self._store.event_rows())
        return set(secrets.SystemRandom().sample(range(total), min(rounds, total)))

    def _is_chosen(self) -> bool:
        self._met += 1
        return self._chosen is None or self._met - 1 in self._chosen


def _guard(where: str, findings: Findings) -> Findings:
    """The findings; an error that an altered row causes is a finding too."""
    try:
        yield from findings
    except Exception as error:
        yield Finding(where, f"cannot be read: {in_words(error)}")
