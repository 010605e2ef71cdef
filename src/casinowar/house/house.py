"""The house: its tables, purses, roles and checkpoints, in one thread over one store."""

import logging
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import cast

import msgspec

from casinowar.engine import Refusal
from casinowar.fairness import ByteSource, entropy
from casinowar.house.due_tables import DueTables
from casinowar.house.house_snapshots import Snapshots, read_house
from casinowar.house.house_writer import HouseWriter
from casinowar.house.journal import Journal, RoleRequest, is_reason
from casinowar.house.lobby import Lobby, undecided_line
from casinowar.house.player_limits import PlayerLimits
from casinowar.house.seat_quota import Holdings, Whereabouts
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.house.shared_tables import Elsewhere, SharedTables
from casinowar.house.table.chips import on_layout, war_at_risk, worth
from casinowar.house.table.dealer import advance
from casinowar.house.table.desk import Who
from casinowar.house.table.preview import Preview, preview
from casinowar.house.table.table import LiveTable, OnCommit
from casinowar.house.table_people import digest
from casinowar.house.tables import ClosedTable, OpenTables, SettingsError
from casinowar.protocol import Answer, CommandFrame, LobbyLine, PlayerView
from casinowar.protocol import AnyCommand as AnyCommand
from casinowar.store import (
    BreakTaken,
    LeaseLost,
    Recalled,
    Recorded,
    ShoeOpened,
    Store,
    StoreFailed,
    StoreInUse,
    TableListed,
)
from casinowar.store.ledger import BOUND
from casinowar.store.servers import Registry, SharedStore
from casinowar.words.refusals import refused

# isort: split
# The store says which extra is missing.
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = ["House", "LobbyLine", "PlayerView", "RoleRequest", "SettingsError", "Who"]
log = logging.getLogger(__name__)
PAST_KEPT = 20
"""So many tables that have closed are kept in mind while somebody asks of them."""
LONGEST_BREAK = 365 * 24 * 60
"""Minutes."""

LOOK_MS = 1_000
"""How often a table is looked at where something hangs on the wall's clock or on other tables: the bank of a player
with limits, or a line for seats."""

AFTER_FAULT_MS = 1_000


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class House(HouseWriter):
    """The house takes all commands of the server. After a failure of the medium it takes none."""

    def __init__(
        self,
        store: Store,
        settings: HouseSettings | None = None,
        *,
        tick: Callable[[], int] = monotonic_ms,
        source: ByteSource = entropy,
        key: Ed25519PrivateKey | None = None,
        registry: Registry | None = None,
    ) -> None:
        super().__init__(store, tick, key)
        self.settings = settings or HouseSettings()
        self.is_draining = False
        self.on_commit: OnCommit | None = None
        self.tables: dict[str, LiveTable] = {}
        self._past: dict[str, ClosedTable] = {}
        self._due, self._where, self._lobby = DueTables(tick), Whereabouts(), Lobby(self.tables)
        self.shared = None if registry is None else SharedTables(self, registry, cast(SharedStore, store))
        self._restraint = PlayerLimits(store.now, self._at_war)
        self._log = Journal(store, self._restraint)
        self._snapshots = Snapshots(store, self._log, self._restraint)
        self._open = self._open_tables(source, read_house(store, self._log, self._restraint))
        self.notes, self.replaced, self.quota = self._open.notes, self._open.replaced, self._open.quota
        if self.shared is not None:
            self._begin_shared(self.shared)

    def _open_tables(self, source: ByteSource, open_streams: set[str] | None) -> OpenTables:
        """Open the tables, all of which are written together: a house of many tables need not wait for each.

        Where several servers decide them, each is opened when its lease is taken.
        """
        self._open_streams = open_streams
        self.store.begin_together()
        try:
            return OpenTables(
                self.store, self.settings, self.tables, self._log, self._restraint, self._tick, source,
                self._on_commit, self._note, self._where, open_streams, self.shared,
            )  # fmt: skip
        finally:
            self.store.finish_together()

    # Tables that several servers decide.

    def _begin_shared(self, shared: SharedTables) -> None:
        """Begin as one of several servers: with no table, until the first look around."""
        self._snapshots.follow, self._snapshots.open_streams = self._follow, shared.streams
        self._restraint.catch_up = lambda: shared.follow(None)
        self._log.on_written = shared.note_written
        known = self._open_streams
        over = [one.stream for one in self.listed.values() if known is not None and one.stream not in known]
        shared.begin(over, self._restraint.read_to)
        wanted, before = self._open.wanted, dict(self.listed)
        for one in wanted.values():
            self._log.by_turns(partial(self._open.announce, one))
        of_house = [name for name, one in before.items() if one.by == "house" and shared.is_open(name)]
        lacks = [name for name in of_house if name not in wanted]
        if lacks and (adds := [name for name in wanted if name not in before]):
            log.warning("this server has other settings", extra={"lacks": ", ".join(lacks), "adds": ", ".join(adds)})

    @property
    def listed(self) -> dict[str, TableListed]:
        """The last opening of each table."""
        return self._log.listed

    @property
    def restraint(self) -> PlayerLimits:
        return self._restraint

    def tick(self) -> int:
        return self._tick()

    def _follow(self, until: int) -> None:
        self._log.catch_up()
        assert self.shared is not None
        self.shared.follow(until)

    def follow_others(self) -> None:
        """Follow what other servers have written to the house's stream."""
        self._log.catch_up()

    def take_up(self, listed: TableListed, *, is_new_start: bool) -> None:
        """Take up a table whose lease this server has: as after a start where no other server was there."""
        self._open.take(listed, is_new_start=is_new_start)

    def drop(self, live: LiveTable) -> None:
        """Keep a table no longer in mind: another server decides it."""
        self._open.forget(live)

    def save_given(self, tables: Iterable[LiveTable]) -> None:
        self.attempt(lambda: self._snapshots.save_given(tables))

    def note_people(self, table: str, held: Holdings, addresses: dict[str, str]) -> None:
        """Note who is at a table that another server decides."""
        if table not in self.tables:
            self._where.note(table, held)
            for player, address in addresses.items():
                self.quota.note(player, address)

    def people_at(self, live: LiveTable) -> tuple[Holdings, dict[str, str]]:
        """Who is at a table, and the addresses by which they are counted."""
        held = _holdings(live)
        return held, self.quota.addresses(held.people)

    def seen_purses(self, players: Collection[str]) -> AbstractContextManager[None]:
        """Read the purses of these players at once, for views that are made within the block."""
        if self.shared is None or len(players) < 2 or self.is_gathering or self.out_of_service is not None:
            return nullcontext()
        return self.shared.store.glance([f"purse:{player}" for player in players])

    def check_here(self, table: str) -> None:
        """Raise where a table is open and another server decides it."""
        if self.shared is not None:
            self.shared.check_here(table)

    # Tables.

    def table_or_closed(self, name: str) -> LiveTable | ClosedTable | None:
        """The live table of this name, or the opening of a table that has closed."""
        listed = None if name in self.tables else self._log.opening(name)
        if listed is None:
            return self.tables.get(name)
        live = self.tables.get(listed.table)
        if live is not None and live.stream == listed.stream:
            return live
        stream = listed.stream
        if stream not in self._past:
            self._past = dict(list(self._past.items())[1 - PAST_KEPT :])
            earlier = self._log.streams_before(listed)
            self._past[stream] = ClosedTable(self.store, listed, self.settings.minor_digits, earlier)
        return self._past[stream]

    def stream_of(self, name: str) -> str:
        """The stream of the table's events."""
        live, listed = self.tables.get(name), self._log.opening(name)
        return live.stream if live is not None else listed.stream if listed is not None else name

    def _on_commit(self, table: str, recalled: list[Recalled]) -> None:
        if any(isinstance(one.event, ShoeOpened) for one in recalled):
            self.hasten_checkpoint()
        self._snapshots.note(recalled)
        self._note(self.tables[table])
        if self.on_commit is not None:
            self.on_commit(table, recalled)

    def _note(self, live: LiveTable) -> None:
        """Note that something has happened at a table, or that it is gone: what is due there, and who is there."""
        self._lobby.note(live.name)
        if self.tables.get(live.name) is not live:
            self._due.put(live.name, None)
            if self.shared is None or not self.shared.is_open(live.name):
                self._where.forget(live.name)
            return
        self._due.touch(live.name)
        self._where.note(live.name, _holdings(live))

    def open_table(self, who: Who, id: str, settings: TableSettings, reason: str) -> Answer:
        """Open a new table: the floor's to do; a player's own where it is private and dealt by the house."""
        body = [msgspec.to_builtins(settings), reason]
        return self._once(who.name, id, body, lambda: self._open.open(who, id, settings, reason, body))

    def open_private(self, player: str, id: str, rulebook: str, bots: tuple[str, ...], address: str = "") -> Answer:
        """Open a player's private table with bots, under a name that nobody guesses."""
        self._note_address(player, address)
        body = ["private", rulebook, list(bots)]
        return self._once(player, id, body, lambda: self._open.open_private(player, id, rulebook, bots, body))

    # Acts.

    def _begin(self, id: str) -> Answer | None:
        if self.out_of_service is not None:
            return refused(id, Refusal("out_of_service"))
        return refused(id, Refusal("draining")) if self.is_draining else None

    def _once(self, actor: str, id: str, body: object, do: Callable[[], Answer]) -> Answer:
        """Give a repeated command its first answer, or do it now."""
        return self._begin(id) or self.guard(
            id, lambda: self._log.by_turns(lambda: self._log.answer_before(actor, id, body) or do())
        )

    def act(self, who: Who, frame: CommandFrame) -> Answer:
        refusal = self._begin(frame.id)
        if refusal is not None:
            return refusal
        self.check_here(frame.table)
        desk = self._open.desks.get(frame.table)
        if desk is None:
            return refused(frame.id, Refusal("no_such_table"))
        self._note_address(who.name, who.address)
        before = desk.live.version
        try:
            answer = self.guard(frame.id, lambda: desk.act(who, frame))
        except LeaseLost:
            self._lose(frame.table)
            raise Elsewhere(frame.table) from None
        if desk.live.version == before:  # Otherwise it was noted with the commit.
            self._note(desk.live)
        return answer

    def _lose(self, table: str) -> None:
        assert self.shared is not None
        self.shared.lose(table)

    def _note_address(self, player: str, address: str) -> None:
        """Note the address by which somebody is counted; among several servers it goes about as a digest."""
        self.quota.note(player, address if self.shared is None or not address else digest(address))

    def preview(self, who: Who, frame: CommandFrame, command: AnyCommand) -> Preview:
        """Preview what a command would do at a table that is there."""
        return preview(self._open.desks[frame.table], who, frame, command)

    def advance(self) -> int | None:
        """Do what is due at any table; give the milliseconds until the next thing is due.

        It is written together. A table whose turn fails is tried again later, and the others have theirs.
        """
        if not self._takes_acts():
            return None
        fault: Exception | None = None
        is_own = not self.is_gathering
        for name in self._due.take():
            try:
                self._advance(name)
            except StoreFailed as error:
                self.fail(error)
                break
            except LeaseLost:
                self._lose(name)
            except Exception as error:
                fault = error
                self._due.put(name, AFTER_FAULT_MS)
        if is_own:
            self.settle_soon()
            if not self.is_gathering:
                self.attempt(self.check)
        if fault is not None:
            raise fault
        return self._due.wait() if self._takes_acts() else None

    def _takes_acts(self) -> bool:
        return self.out_of_service is None and not self.is_draining

    def _advance(self, name: str) -> None:
        live = self.tables[name]
        wait = advance(live, self.gather)
        self._where.note(name, _holdings(live))
        bank = live.table.bank
        is_everybody_here = live.present.issuperset(live.humans)
        if live.grace_left and not is_everybody_here:
            wait = live.grace_left if wait is None else min(wait, live.grace_left)
            self._lobby.note(name)
        elif live.is_in_grace and not live.grace_left:
            live.is_in_grace = False
            if not is_everybody_here:  # Whoever is not back is shown as away from now on.
                live.tell([])
        if live.line.claims or (bank is not None and self._restraint.are_set(bank.player)):
            wait = LOOK_MS if wait is None else min(wait, LOOK_MS)
        self._due.put(name, wait)
        if self._snapshots.are_due(live):
            self.gather()
            if self.is_gathering:
                self._snapshots.save_due(live, self.tables.values())

    def present(self, player: str, table: str, is_present: bool) -> None:
        """Note whether a socket of this player looks at the table; others are told only of a player with a seat."""
        live = self.tables.get(table)
        if live is None or (player in live.present) == is_present:
            return
        live.seen[player] = self._tick()
        (live.present.add if is_present else live.present.discard)(player)
        self._note(live)
        if live.box_of(player) is not None:
            live.tell([])

    # Players.

    def welcome(self, player: str) -> None:
        self.attempt(lambda: self._log.welcome(player, self.settings.guest_purse))

    def roles(self, account: str) -> frozenset[str]:
        return self._log.roles(account)

    @property
    def last_request(self) -> int:
        return self._log.last_request

    def import_roles(self, requests: Iterable[RoleRequest]) -> None:
        """Take requests for roles into the log. While another server is in the way, that is left to the next look."""
        try:
            self.attempt(lambda: self._log.import_roles(requests))
        except StoreInUse as error:
            log.warning("roles are not taken in yet", extra={"error": str(error)})

    def note_audit(self, by: str, reason: str) -> Refusal | None:
        """Note that staff have the log audited.

        If the medium has failed there is no note, and the audit runs all the same.
        """
        if not is_reason(reason):
            return Refusal("reason_due")
        if self.out_of_service is None and not self.is_draining:
            self.attempt(lambda: self._log.note_audit(by, reason))
        return None

    def refill(self, player: str, id: str, elsewhere: int = 0, purse: int | None = None) -> Answer:
        """Fill a purse that has run low. `elsewhere` are the player's chips at tables that other servers decide, and
        `purse` is what it held when they were counted: what has gone to such a table since is in neither."""
        body = [player, self.settings.refill, "refill"]
        return self._once(player, id, body, lambda: self._refill(player, id, elsewhere, purse))

    def _refill(self, player: str, id: str, elsewhere: int, purse: int | None) -> Answer:
        account = f"purse:{player}"
        held = self.store.balance(account)
        if purse is not None and held != purse:
            return refused(id, Refusal("not_written"))
        if not self._can_refill(player, held + elsewhere):
            return refused(id, Refusal("purse_not_low"))
        return self._log.fund(player, id, player, self.settings.refill, "house", "refill", {account: held})

    def _can_refill(self, player: str, has: int) -> bool:
        """Whether somebody with so much besides the chips at the tables here may have the purse filled."""
        has += sum(worth(live.table, player) for live in self._tables_of(player))
        return self.settings.refill > 0 and has < self.settings.refill_below

    def fund(self, who: Who, id: str, player: str, amount: int, reason: str) -> Answer:
        """Put an operator's play money into another player's purse, or take it out."""
        return self._once(who.name, id, [player, amount, reason], lambda: self._pay(who, id, player, amount, reason))

    def _pay(self, who: Who, id: str, player: str, amount: int, reason: str) -> Answer:
        if "operator" not in who.roles:
            return refused(id, Refusal("not_allowed"))
        if not is_reason(reason):
            return refused(id, Refusal("reason_due"))
        if player == who.name:
            return refused(id, Refusal("own_purse"))
        if not amount:
            return refused(id, Refusal("amount_not_positive"))
        if not self._log.is_welcome(player):
            return refused(id, Refusal("unknown_player"))
        if self.store.balance(f"purse:{player}") + amount >= BOUND:
            return refused(id, Refusal("purse_full"))
        return self._log.fund(who.name, id, player, amount, f"operator:{who.name}", reason)

    def set_limits(self, player: str, id: str, loss: int | None, minutes: int | None) -> Answer:
        """Set what a player can lose and how long they can play in a day."""
        body = ["limits", loss, minutes]
        return self._once(
            player,
            id,
            body,
            lambda: (
                self._restrain(player, id, body, self._restraint.set_limits(player, loss, minutes))
                if all(limit is None or limit >= 0 for limit in (loss, minutes))
                else refused(id, Refusal("amount_not_positive"))
            ),
        )

    def take_break(self, player: str, id: str, minutes: int) -> Answer:
        """Begin a break of a player now; it is never shortened."""
        body = ["break", minutes]
        return self._once(
            player,
            id,
            body,
            lambda: (
                self._restrain(player, id, body, [BreakTaken(player, self.store.now() + 60_000 * minutes)])
                if 0 < minutes <= LONGEST_BREAK
                else refused(id, Refusal("amount_not_positive"))
            ),
        )

    def _restrain(self, player: str, id: str, body: object, events: Iterable[Recorded]) -> Answer:
        answer = self._log.commit(player, id, body, events)
        for table in self._where.tables_of(player):
            self._due.touch(table)
        return answer

    def _at_war(self, player: str) -> int:
        """The cost of the wars that the player may yet be asked to go to, at all tables."""
        return sum(war_at_risk(live.rules, live.table, player) for live in self._tables_of(player))

    def _tables_of(self, player: str) -> list[LiveTable]:
        """The tables at which a player sits, waits or has chips, in the order of the house."""
        return [self.tables[name] for name in self._where.tables_of(player) if name in self.tables]

    def player(self, name: str) -> PlayerView:
        loss, minutes = self._restraint.limits(name)
        coming, purse = self._restraint.coming(name), self.store.balance(f"purse:{name}")
        return PlayerView(
            player=name,
            purse=purse,
            chips={live.name: live.table.players[name] for live in self._tables_of(name) if name in live.table.players},
            loss_limit=loss,
            minutes_limit=minutes,
            coming_loss_limit=coming.loss if coming else None,
            coming_minutes_limit=coming.minutes if coming else None,
            coming_from=coming.begins if coming else None,
            lost_today=self._restraint.lost(name),
            minutes_today=self._restraint.minutes(name),
            break_until=self._restraint.break_until(name),
            can_refill=self._can_refill(name, purse),
            on_layout={live.name: lies for live in self._tables_of(name) if (lies := on_layout(live.table, name))},
        )

    def lobby(self) -> tuple[LobbyLine, ...]:
        return self._lobby.lines()

    def undecided_lines(self, tables: Iterable[str]) -> list[LobbyLine]:
        """The lobby's lines of open tables that no server decides just now."""
        there = {table: self._where.holdings(table) for table in tables}
        return [
            undecided_line(self.listed[table], len(held.seated), len(held.waiting)) for table, held in there.items()
        ]

    def count(self, what: str) -> int:
        """Count the `unopened` shoes or the `stopped` tables."""
        return self._lobby.count(what)

    def close(self) -> None:
        """Close the house: take no more commands, and sign the last checkpoint."""
        self.settle()
        self.is_draining = True
        if self.out_of_service is None and (self.shared is None or self.shared.is_alone):
            self.attempt(lambda: self._snapshots.save_last(self.tables.values()))
            self.attempt(self.last_checkpoint)


def _holdings(live: LiveTable) -> Holdings:
    players = tuple(live.table.players)
    if live.table.is_closed:
        return Holdings(players=players)
    return Holdings(live.settings.owner, tuple(live.humans), tuple(live.line.claims), players)
