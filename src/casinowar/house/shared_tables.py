"""The tables that this server decides, of a house that several servers decide: taken, given, and lost.

A table is decided by whoever holds the lease of its stream. What a server does not decide it knows from the house's own
stream, from what the others tell of the people at their tables, and from the log.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Protocol

from casinowar.errors import CasinoWarError
from casinowar.house.house_snapshots import is_over
from casinowar.house.journal import STREAM
from casinowar.house.player_limits import PlayerLimits
from casinowar.house.table.table import LiveTable
from casinowar.house.table_people import PeopleHouse, TablePeople
from casinowar.house.table_share import Orphans, to_give, to_take
from casinowar.store import LeaseLost, StoreError, StoreFailed, StoreInUse, TableListed
from casinowar.store.commit import recall
from casinowar.store.servers import Registry, SharedStore, Sight

log = logging.getLogger(__name__)
RENEW_MS = 2_500
"""A lease is renewed so often; it lasts four times as long."""

AGAIN_MS = 10_000
"""So long a table is left to others that could not be taken up here."""

PAUSED_MS = 1_500
"""Who has not looked around for so long was paused, and reads on before anything is decided.

Others wait longer than that for its answer before they tell a player what they have written.
"""

TAKEN_AT_ONCE = 3
"""So many tables at most are taken up in one look, so that commands to others come between."""

ROWS_AT_ONCE = 2_000
"""So many events of others are read at a time, and left unread about so many while nobody needs them."""

HOUSE, TABLES = "house", "tables"
"""What servers wake each other for, beside people: the house's stream has grown, tables have gone over."""


class Elsewhere(CasinoWarError):
    """The table is there, and another server decides it, or nobody just now."""

    def __init__(self, table: str) -> None:
        super().__init__(f"{table} is decided by another server")
        self.table = table


class SharedHouse(PeopleHouse, Protocol):
    """What the house does for the tables that it shares with other servers."""

    tables: dict[str, LiveTable]
    out_of_service: str | None
    is_draining: bool
    is_gathering: bool

    @property
    def listed(self) -> Mapping[str, TableListed]:
        """The last opening of each table."""

    @property
    def restraint(self) -> PlayerLimits: ...

    def tick(self) -> int: ...

    def settle(self) -> None: ...

    def attempt(self, do: Callable[[], object]) -> None: ...

    def follow_others(self) -> None:
        """Follow what other servers have written to the house's stream."""

    def take_up(self, listed: TableListed, *, is_new_start: bool) -> None: ...

    def drop(self, live: LiveTable) -> None: ...

    def save_given(self, tables: Iterable[LiveTable]) -> None: ...


class SharedTables:
    """This server's part of a shared house.

    `sight` is what the last look has shown, and `on_moved` is called with each table that has come or gone. Streams
    that are `over` need not be taken up by anybody.
    """

    def __init__(self, house: SharedHouse, registry: Registry, store: SharedStore) -> None:
        self.house, self.registry, self.store = house, registry, store
        self.people = TablePeople(house, registry)
        self.sight = Sight()
        self.is_leaving = False
        self.on_moved: Callable[[str], None] = lambda table: None
        self.over: set[str] = set()
        self._noted: dict[str, int] = {}
        self._orphans, self._kept, self._unable = Orphans(), set[str](), dict[str, int]()
        self._position = 0
        self._renewed_at = self._looked_at = house.tick()
        self._is_first, self._is_written = True, False
        self._connection = store.connection

    @property
    def me(self) -> int:
        return self.registry.number

    @property
    def is_alone(self) -> bool:
        """Whether no other server is there that could take a table."""
        return all(one.number == self.me or one.is_leaving for one in self.sight.servers)

    # Whose a table is.

    def streams(self) -> list[str]:
        """The streams of the tables that are open, in the order of their listing."""
        return [one.stream for one in self.house.listed.values() if one.stream not in self.over]

    def is_open(self, table: str) -> bool:
        """Whether a table is open, at whichever server."""
        listed = self.house.listed.get(table)
        return listed is not None and listed.stream not in self.over

    def owner(self, table: str) -> int | None:
        """The server that decides a table; none where nobody does just now."""
        if table in self.house.tables:
            return self.me
        listed = self.house.listed.get(table)
        owner = None if listed is None else self.sight.owner(listed.stream)
        return None if owner == self.me else owner

    def check_here(self, table: str) -> None:
        """Raise where a table is open and not decided here."""
        self._check_leases()
        self._check_sight()
        if table in self.house.tables:
            return
        if table not in self.house.listed:
            self.house.follow_others()  # It may have been opened at another server a moment ago.
        if self.is_open(table):
            raise Elsewhere(table)

    # Looking around.

    def begin(self, closed: Iterable[str], position: int) -> None:
        """Begin with what the start has read: the streams that are over, and the log up to a position."""
        self.over, self._position = set(closed), position

    def look(self) -> bool:
        """Renew leases, see what others have done, take what falls to this server and give what it has too much of.

        True where there is more to take at once.
        """
        house = self.house
        if house.out_of_service is not None:
            return False
        house.settle()
        now = house.tick()
        if now - self._renewed_at >= RENEW_MS:
            self.renew()
            self._keep_up()
        self.sight = self.registry.look()
        if self.sight.line(self.me) is None or self._is_doubtful():  # This server is not there for the others.
            self.renew()
            self.sight = self.registry.look()
        house.follow_others()
        self._looked_at = now
        self._follow_people()
        if house.is_draining:
            return False
        streams = self.streams()
        given, taken = to_give(self.me, self.sight, streams, self._kept), self._to_take(streams)
        if given:
            self.give(given)
        return self._take(taken)

    def _is_doubtful(self) -> bool:
        """Whether a lease of this server is not seen to be its own: it was cut off or paused for long, or the clock of
        the database has leapt."""
        return any(self.sight.owners.get(stream) != self.me for stream in self.store.leases)

    def _to_take(self, streams: list[str]) -> list[str]:
        """What falls to this server, and what was left by those to whom it fell: that is kept, since they cannot."""
        now = self.house.tick()
        self._unable = {stream: at for stream, at in self._unable.items() if now - at < AGAIN_MS}
        orphans = [] if self.is_leaving else self._orphans.find(self.sight, streams, now)
        own = dict.fromkeys(to_take(self.me, self.sight, streams))
        able = [stream for stream in own | dict.fromkeys(orphans) if stream not in self._unable]
        self._kept.update(stream for stream in able if stream not in own)
        return able

    def renew(self) -> None:
        """Renew the leases; tables whose lease is lost are dropped."""
        self._renewed_at, self._connection = self.house.tick(), self.store.connection
        self.registry.stay_awake(self.store.lease_ms)
        for stream in sorted(self.store.renew_leases()):
            self._lose(stream)

    def _check_leases(self) -> None:
        """Renew first where a lease may be lost by now, after a pause or a lost connection.

        Otherwise somebody would be shown a table as it was when another server took it over.
        """
        late = self.house.tick() - self._renewed_at >= self.store.lease_ms
        if (late or self._connection != self.store.connection) and self.house.out_of_service is None:
            self.house.settle()
            self.house.attempt(lambda: self.safe(self.renew))

    def _check_sight(self) -> None:
        """Read on first after a pause: a player may have been told elsewhere that a break counts, or a limit."""
        now = self.house.tick()
        if now - self._looked_at >= PAUSED_MS and self.house.out_of_service is None:
            self.house.settle()
            self.house.follow_others()
            self._looked_at = now

    def _take(self, streams: list[str]) -> bool:
        listed = {one.stream: one for one in self.house.listed.values()}
        was_free = self._is_first
        taken = 0
        for stream in streams:
            if taken == TAKEN_AT_ONCE and not self._is_first:
                return True
            taken += self._take_up(listed[stream], is_new_start=was_free)
        self._is_first = False
        return False

    def _take_up(self, listed: TableListed, *, is_new_start: bool) -> bool:
        try:
            self.claim(listed.stream)
        except StoreInUse:
            return False
        try:
            self.follow(None)  # What others have done there is read before it counts as this server's own.
            self.house.take_up(listed, is_new_start=is_new_start)
        except (StoreFailed, LeaseLost):
            raise
        except Exception as error:
            traceback = None if isinstance(error, StoreError) else error  # The store says all that there is to say.
            extra = {"table": listed.table, "error": str(error)}
            log.error("a table could not be taken up", extra=extra, exc_info=traceback)
            self._release(listed.stream)
            self._unable[listed.stream] = self.house.tick()
            return False
        log.info("a table is decided here", extra={"table": listed.table})
        self.registry.tell(TABLES)
        self.on_moved(listed.table)
        return True

    def claim(self, stream: str) -> None:
        """Take the lease of a stream; `StoreInUse` where another server has it."""
        self.house.settle()
        self.store.take_lease(stream)
        self.sight = Sight(self.sight.servers, {**self.sight.owners, stream: self.me})

    def give(self, streams: Iterable[str]) -> None:
        """Hand tables over: written down, dropped, and their leases free."""
        self.house.settle()
        wanted = set(streams)
        there = [live for live in self.house.tables.values() if live.stream in wanted]
        self.people.tell(there)
        self.house.save_given(there)
        for live in there:
            self._drop(live)
            self._release(live.stream)
            owners = {stream: owner for stream, owner in self.sight.owners.items() if stream != live.stream}
            self.sight = Sight(self.sight.servers, owners)
            log.info("a table was handed over", extra={"table": live.name})
        self.registry.tell(TABLES)
        for live in there:
            self.on_moved(live.name)

    def _release(self, stream: str) -> None:
        """Let another server take a stream at once; where the lease cannot be given back now, when it has run out."""
        try:
            self.store.release_lease(stream)
        except StoreError as error:
            log.warning("a lease runs out", extra={"stream": stream, "error": str(error)})

    def leave(self) -> None:
        """Take no more tables, and hand over all where another server is there to take them."""
        self.is_leaving = True
        self.registry.leave()
        self.look()

    def lose(self, table: str) -> None:
        """Drop a table whose lease is lost."""
        live = self.house.tables.get(table)
        if live is not None:
            self._lose(live.stream)

    def _lose(self, stream: str) -> None:
        for live in [one for one in self.house.tables.values() if one.stream == stream]:
            log.warning("the lease of a table is lost", extra={"table": live.name})
            self.house.attempt(partial(self._count_on, live))
            self._drop(live)
            self.on_moved(live.name)

    def _count_on(self, live: LiveTable) -> None:
        """Count for the limits what others have written at a table that was still taken for one's own, and left out."""
        for one in self.store.read(live.stream, live.version):
            if one.position > self._position:
                return
            self.house.restraint.note(one)
            self._noted[live.stream] = one.version

    def _drop(self, live: LiveTable) -> None:
        self._noted[live.stream] = max(live.version, self._noted.get(live.stream, 0))
        self.people.forget(live.stream)
        self._kept.discard(live.stream)
        self.house.drop(live)

    def close_stream(self, live: LiveTable) -> None:
        """Note that a table is over: nobody need take it up."""
        self.over.add(live.stream)
        self.house.settle()
        if self.house.out_of_service is None:  # Else it may be over in memory alone.
            self.registry.put_people(live.stream, True, b"")
        self._release(live.stream)

    # What others do.

    def follow(self, until: int | None) -> None:
        """Count what others have written for the limits of players, up to a position or to the end.

        Places that an open group has are not passed by: it gets others if the connection is lost now.
        """
        certain = self.store.certain_end()
        end = certain if until is None else min(until, certain)
        if end <= self._position:
            return
        own = [STREAM, *(live.stream for live in self.house.tables.values())]
        while self._position < end:
            read_to = min(end, self._position + ROWS_AT_ONCE)
            for row in self.store.rows_of_others(self._position, read_to, own):
                if row.version > self._noted.get(row.stream, 0):
                    self.house.restraint.note(recall(row))
            self._position = read_to
        if not self.house.is_gathering:
            self._noted = {}

    def _keep_up(self) -> None:
        """Follow the others here and there, also where nothing is done: whoever takes up a table reads up to the end
        first, and cannot read hours then."""
        end = self.store.certain_end()
        if end - self._position >= ROWS_AT_ONCE:
            self.follow(end)

    def held_by(self, player: str, tables: Iterable[str]) -> dict[str, tuple[int, int]]:
        """A player's chips at these tables, before them and on the layout, as the log has them."""
        streams = {self.house.listed[table].stream: table for table in tables}
        held = self.store.held_by(player, list(streams)) if streams else {}
        return {streams[stream]: amounts for stream, amounts in held.items()}

    def has_moved(self, account: str, since: int) -> bool:
        """Whether any server has written behind a position that something went into an account, or out of it."""
        rows = self.store.rows_of_others(since, self.store.head().events, ())
        return any(one.account == account for row in rows for one in recall(row).postings)

    def _follow_people(self) -> None:
        own = {live.stream for live in self.house.tables.values()}
        names = {
            one.stream: one.table
            for one in self.house.listed.values()
            if one.stream not in self.over and one.stream not in own
        }
        self.over |= self.people.follow(names)

    def note_written(self) -> None:
        """Note that this server has written to the house's stream."""
        self._is_written = True
        if not self.house.is_gathering:
            self.tell_written()

    def tell_written(self) -> None:
        """Wake the other servers, once what was written to the house's stream is on the disk."""
        if self._is_written:
            self._is_written = False
            self.registry.tell(HOUSE)

    def safe(self, do: Callable[[], object]) -> None:
        """Do what may find that a lease is lost, or that another server is in the way for a moment."""
        try:
            do()
        except LeaseLost:
            self.renew()
        except StoreError as error:
            log.warning("another server was in the way", extra={"error": str(error)})


def is_worth_keeping(live: LiveTable) -> bool:
    """Whether a table that was taken up is still one: a private one that is over is none."""
    return not (is_over(live) and live.settings.owner is not None)
