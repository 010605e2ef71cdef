"""The tables of a house: how each comes to be open, stands again after a restart, and closes."""

import itertools
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property

import msgspec

from casinowar.engine import Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine.decide.draw_order import is_mid_round
from casinowar.engine.roles import FLOOR
from casinowar.errors import CasinoWarError
from casinowar.fairness import ByteSource, ExportedShoe, ListedShoe
from casinowar.house.house_snapshots import is_over
from casinowar.house.journal import STREAM, Journal, is_reason
from casinowar.house.player_limits import PlayerLimits
from casinowar.house.seat_quota import SeatQuota, Whereabouts
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.house.settings_checks import SettingFault, find_fault
from casinowar.house.settings_file import default_tables
from casinowar.house.shared_tables import SharedTables, is_worth_keeping
from casinowar.house.shoes.keeper import Keeper, public_shoe
from casinowar.house.shoes.shoe_list import Chain
from casinowar.house.signatures import kept_chips
from casinowar.house.table import dealer, seats
from casinowar.house.table.bot_strategies import seat_bots
from casinowar.house.table.desk import Desk, Who
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable, OnCommit
from casinowar.house.table.table_snapshots import chain_of, list_of
from casinowar.protocol import Answer, Done, Refused
from casinowar.rulebooks import RulebookError, load_rulebook
from casinowar.rulebooks.editions import without_edition
from casinowar.rulebooks.load import is_known
from casinowar.store import Store, TableListed, resolved
from casinowar.words.phrases import money_words
from casinowar.words.refusals import refused

BANKERS = 2
"""So many bots bank at a private table, since nobody may do so for long."""

AN_OPENING = re.compile(r".+\.\d+")
PEOPLES = ("private-", "guest-", "bot-")
"""How names of private tables, guests and bots begin."""

NAME_TAKEN = "Name: another table has it: take another."
CLOSED_KEPT = 50
"""So many private tables are still shown once they have closed."""


class SettingsError(CasinoWarError, ValueError):
    """The table cannot be opened as it is set up."""


class ClosedTable:
    """A table that has closed: one of its openings, whose rounds and shoes are read from the log when they are wanted.

    `earlier` are the streams of the openings before it, whose shoes stand before its own in the list.
    """

    def __init__(self, store: Store, listed: TableListed, minor_digits: int, earlier: Iterable[str] = ()) -> None:
        self.store, self.stream, self.minor_digits = store, listed.stream, minor_digits
        self.settings = msgspec.convert(listed.settings, TableSettings)
        self._earlier = tuple(earlier)

    @cached_property
    def keeper(self) -> Keeper:
        listed = list_of(self.store, self.stream, chain_of(self.store, self._earlier))
        keeper = Keeper(self.store.seed, listed)
        for one in self.store.read(self.stream, listed.last_start) if listed.is_running else ():
            keeper.follow(one.event)
        return keeper

    def shoes(self) -> tuple[ListedShoe, ...]:
        return self.keeper.listed.lines

    def shoe(self, number: int) -> ExportedShoe | None:
        return public_shoe(self.keeper, self.store, number)


class Cause(msgspec.Struct, frozen=True):
    """The command behind an opening: whose it is, under which id, and what it said."""

    actor: str
    id: str
    body: object


class OpenTables:
    """The open tables, each with its desk. Of those that somebody opened, `open_streams` are taken up, or all.

    `replaced` are those that closed and opened again while the house is open, by the number of their opening.
    """

    def __init__(
        self,
        store: Store,
        settings: HouseSettings,
        tables: dict[str, LiveTable],
        log: Journal,
        restraint: PlayerLimits,
        tick: Callable[[], int],
        source: ByteSource,
        on_commit: OnCommit,
        note: Callable[[LiveTable], None],
        whereabouts: Whereabouts,
        open_streams: set[str] | None,
        shared: SharedTables | None = None,
    ) -> None:
        self.store, self.settings, self.tables = store, settings, tables
        self.desks: dict[str, Desk] = {}
        self.replaced: dict[str, LiveTable] = {}
        self.notes: list[str] = []
        self._whereabouts, self.quota = whereabouts, SeatQuota(whereabouts)
        self._log, self._restraint, self._on_commit, self._note = log, restraint, on_commit, note
        self._tick, self._source = tick, source
        self._shared = shared
        self.wanted = {one.name: one for one in settings.tables or default_tables()}
        if shared is not None:
            return
        for one in self.wanted.values():
            self._settle(one)
        for name, listed in list(log.listed.items()):
            if name not in self.wanted and (open_streams is None or listed.stream in open_streams):
                self._take_up(listed)

    def _settle(self, settings: TableSettings) -> None:
        """Open a table of the settings: as it stood, if its rules are still the same, else closed and opened anew."""
        listed = self._log.listed.get(settings.name)
        if listed is None:
            self._list(settings, "house", "in the settings")
            return
        was = self._start(listed.stream, settings)
        is_same = _is_same_game(was, settings, listed)
        if is_same and not was.table.is_closed:
            return
        if not was.table.is_closed and not self._retire(was):
            self.notes.append(f"table {settings.name} keeps its rules until its round is over: restart to change them")
            return
        self._list(settings, "house", "in the settings")

    def _take_up(self, listed: TableListed) -> None:
        """Take up a table that somebody opened; close one that has gone from the settings."""
        live = self._start(listed.stream, msgspec.convert(listed.settings, TableSettings))
        if listed.by == "house" and not live.table.is_closed:
            self._retire(live)
        if is_over(live):
            self._drop(live)

    def announce(self, settings: TableSettings) -> None:
        """List a table of the settings that no server has listed yet; whoever takes its lease opens it."""
        if settings.name not in self._log.listed:
            self._write_listing(settings, "house", "in the settings")

    def take(self, listed: TableListed, *, is_new_start: bool) -> None:
        """Take up a table whose lease this server has. At a new start changed settings count, and what is over goes."""
        settings = self.wanted.get(listed.table)
        if settings is not None and is_new_start:
            self._settle(settings)
        elif is_new_start:
            self._take_up(listed)
        else:
            live = self._start(listed.stream, settings or msgspec.convert(listed.settings, TableSettings))
            if not is_worth_keeping(live):
                self._drop(live)

    def forget(self, live: LiveTable) -> None:
        """Keep a table no longer in mind."""
        del self.tables[live.name], self.desks[live.name]
        self._note(live)

    def _drop(self, live: LiveTable) -> None:
        """Keep a closed table no longer in mind."""
        self.forget(live)
        if self._shared is not None:
            self._shared.close_stream(live)

    def _fault(self, settings: TableSettings) -> SettingFault | None:
        digits = self.settings.minor_digits
        return find_fault(settings, settings.load_rules(), lambda amount: money_words(amount, digits))

    def _fresh_stream(self, table: str) -> str:
        """A new stream for a table: one that opens again under its name has a stream of its own."""
        taken = {STREAM, *(one.stream for one in self._log.listed.values())}
        names = itertools.chain([table], (f"{table}.{n}" for n in itertools.count(2)))
        return next(name for name in names if name not in taken and not self.store.version(name))

    def _retire(self, live: LiveTable, reason: str = "the settings have changed") -> bool:
        """Close a table that nobody plays at, with all chips back in their purses and its shoe opened."""
        if (
            live.stopped is not None
            or live.table.has_wagers
            or is_mid_round(live.table)
            or kept_chips.standstill(live) is not None
        ):
            return False
        draft = Draft(live.rules, live.table)
        for player in list(live.table.players):
            seats.leave(live, draft, player)
        if draft.do(dealer.CLOSE, reason) is not None:
            return False
        live.commit(draft, "house", f"{live.stream}.{live.version + 1}")
        dealer.advance(live)
        return live.table.is_closed

    def _list(self, settings: TableSettings, by: str, reason: str, cause: Cause | None = None) -> Answer:
        """List a table and open it, with its bots in their boxes. Once it is listed, a restart would open it too."""
        if settings.name in self.tables:
            dealer.advance(self.tables[settings.name])
        answer = self._write_listing(settings, by, reason, cause)
        if isinstance(answer, Done):
            self._start(self._log.listed[settings.name].stream, settings)
        return answer

    def _write_listing(self, settings: TableSettings, by: str, reason: str, cause: Cause | None = None) -> Answer:
        """List a table. Whoever opens it at once has its lease before anybody else knows of it."""
        fault = find_fault(settings, settings.load_rules())
        if fault is not None:
            raise SettingsError(f"table {settings.name}: {fault}")
        stream, kept = self._fresh_stream(settings.name), msgspec.to_builtins(settings)
        if self._shared is not None and (cause is not None or settings.name in self.tables):
            self._shared.claim(stream)
        cause = cause or Cause("house", f"list-{stream}", kept)
        listed = TableListed(settings.name, stream, kept, by, reason)
        return self._log.commit(cause.actor, cause.id, cause.body, [listed], settings.name)

    def _start(self, stream: str, settings: TableSettings) -> LiveTable:
        live = LiveTable(
            self.store,
            stream,
            settings,
            self.settings,
            self._restraint,
            self.quota,
            self._tick,
            self._source,
            self._log.fund_bot,
            self._earlier(settings.name),
        )
        if not live.version:
            _open(live)
        live.on_commit = self._on_commit  # Nobody knows of a table that is being opened.
        before = self.tables.get(live.name)
        self.tables[live.name], self.desks[live.name] = live, Desk(live)
        if before is not None:
            self.replaced[f"{live.name}.{len(self._log.openings[live.name]) - 1}"] = before
            live.tell([])
        self._note(live)
        return live

    def _earlier(self, name: str) -> Chain:
        """The shoes of a table's openings before the last one that is listed: in mind where the last but one stands."""
        before = self._log.streams_before(self._log.listed[name])
        there = self.tables.get(name)
        if there is not None and before and there.stream == before[-1]:
            return there.keeper.listed.chain
        return chain_of(self.store, before)

    def open(self, who: Who, id: str, settings: TableSettings, reason: str, body: object) -> Answer:
        is_floor = not who.roles.isdisjoint(FLOOR)
        is_private = settings.owner == who.name and settings.dealer == "automatic"
        if not (is_private or (is_floor and settings.owner is None)):
            return refused(id, Refusal("not_allowed"))
        if is_private and self._has_enough_tables(who.name):
            return refused(id, Refusal("too_many_tables"))
        if not is_private and not is_reason(reason):
            return refused(id, Refusal("reason_due"))
        if self._shared is not None:
            self._shared.check_here(settings.name)
        there = self.tables.get(settings.name)
        if settings.name == STREAM or (there is not None and not there.table.is_closed):
            return Refused(id, "name_taken", NAME_TAKEN)
        if not is_private and not self._is_free_name(settings.name):
            return Refused(id, "name_taken", NAME_TAKEN)
        by = f"{'player' if settings.owner else 'floor'}:{who.name}"
        try:
            fault = self._fault(settings)
            if fault is not None:
                return Refused(id, "table_refused", fault.plain)
            return self._list(settings, by, reason, Cause(who.name, id, body))
        except (ValueError, OSError) as error:
            return refused(id, Refusal("table_refused"), detail=str(error)[:200])

    def _is_free_name(self, name: str) -> bool:
        """Whether a name is free: other capitals make no other name, and `late.1` is that of an earlier opening.

        Else the shoes of a table could be listed anew under a name that nobody tells from the old one.
        """
        alike = {one.casefold(): one for one in self._log.listed}
        is_another = alike.get(name.casefold(), name) != name
        return not (is_another or AN_OPENING.fullmatch(name) or name.casefold().startswith(PEOPLES))

    def open_private(self, player: str, id: str, rulebook: str, bots: tuple[str, ...], body: object) -> Answer:
        """Open a private table like the house's own of the book. Where players bank, the first bots do.

        Who has enough is refused before the book is loaded, which is the dear part.
        """
        self._make_room()
        if self._has_enough_tables(player):
            return refused(id, Refusal("too_many_tables"))
        if is_known(rulebook) and load_rulebook(rulebook).bank.by == "player":
            bots = ("bank",) * min(BANKERS, len(bots)) + bots[BANKERS:]
        self._forget_closed()
        usual = next((one for one in default_tables() if one.rulebook == without_edition(rulebook)), None)
        settings = msgspec.convert(
            {
                "name": f"private-{secrets.token_hex(5)}",
                "rulebook": rulebook,
                "title": "Private table",
                "options": usual.options if usual else {},
                "owner": player,
                "bots": [{"strategy": strategy} for strategy in bots],
            },
            TableSettings,
        )
        return self.open(Who(player), id, settings, "private table", body)

    def _has_enough_tables(self, player: str) -> bool:
        """Whether a player has enough private tables: neither a player nor an address can take all of them."""
        owned = self._whereabouts.owned
        is_too_many = owned[player] >= self.settings.private_tables_each or self.quota.has_enough_tables(player)
        return is_too_many or owned.total() >= self.settings.private_tables

    def _make_room(self) -> None:
        """Close a private table that everybody has left, where all are taken and somebody wants one."""
        there = [live for live in self._private() if not live.table.is_closed]
        if self._whereabouts.owned.total() < self.settings.private_tables:
            return
        for live in there:
            if seats.is_deserted(live) and self._retire(live, "room for others"):
                return

    def _forget_closed(self) -> None:
        """Forget private tables that closed long ago: they are in the store and no longer in memory."""
        for live in [live for live in self._private() if is_over(live)][:-CLOSED_KEPT]:
            self._drop(live)

    def _private(self) -> list[LiveTable]:
        return [live for live in self.tables.values() if live.settings.owner is not None]


def _open(live: LiveTable) -> None:
    """Write the first events of a table: its book, its opening, and its bots in their boxes."""
    settings, rules = live.settings, live.settings.load_rules()
    draft = Draft(rules, Table())
    draft.note(resolved(rules))
    refusal = draft.do(c.OpenTable(limit=settings.limit, limits=settings.limits, meter=settings.meter))
    for bot in sorted(settings.bots, key=lambda bot: bot.box is None):
        refusal = refusal or seat_bots(draft, set(), 1, bot.strategy, "house", bot.box)
    if refusal:
        told = refused("", refusal)
        raise SettingsError(f"table {live.name}: {told.says} ({', '.join(told.clauses)})")
    live.commit(draft, "house", f"{live.stream}.open")


def _is_same_game(live: LiveTable, settings: TableSettings, listed: TableListed) -> bool:
    """Whether rules, limits and the first meter are those under which the table was opened.

    A table that is open keeps its edition: a newer one comes when it is opened again, or when the settings name it.
    """
    was = msgspec.convert(listed.settings, TableSettings)
    if (was.limit, was.limits, was.meter, was.dealer) != (
        settings.limit,
        settings.limits,
        settings.meter,
        settings.dealer,
    ):
        return False
    rules = settings.load_rules()
    with suppress(RulebookError):
        rules = settings.load_rules(live.rules.edition)
    return resolved(rules).digest in (live.opened_with, resolved(live.rules).digest)
