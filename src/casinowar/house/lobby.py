"""The lobby and the counts of a house, kept up to date: a table is counted again once something has happened there."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from casinowar.engine import Refusal, Table, step
from casinowar.engine.commands import OpenTable
from casinowar.engine.view import Viewer, view
from casinowar.engine.view.signs import WagerSpot
from casinowar.house.settings import TableSettings
from casinowar.house.table import dealer
from casinowar.house.table.table import LiveTable
from casinowar.protocol import LobbyLine, SideWager, Timer
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import SIDE
from casinowar.store import TableListed


class Entry(msgspec.Struct, frozen=True):
    """One table in the lobby: its line without the timer, what it waits for until when, and what is counted of it."""

    line: LobbyLine
    due: dealer.Due | None
    counts: Counter[str]


class Lobby:
    """The line of every open table, and the sums over all of them."""

    def __init__(self, tables: Mapping[str, LiveTable]) -> None:
        self._tables = tables
        self._entries: dict[str, Entry] = {}
        self._changed: dict[str, None] = dict.fromkeys(tables)
        self._sums: Counter[str] = Counter()

    def __len__(self) -> int:
        """The number of tables of which something is kept."""
        return len(self._entries.keys() | self._changed.keys())

    def note(self, table: str) -> None:
        """Count a table again when somebody asks next: something has happened there. One that is gone is forgotten."""
        self._changed[table] = None
        if table not in self._tables:
            self._count_again(table)

    def lines(self) -> tuple[LobbyLine, ...]:
        self._bring_up_to_date()
        return tuple(self._timed(live) for live in self._tables.values())

    def count(self, what: str) -> int:
        """The number of `unopened` shoes, or of `stopped` tables."""
        self._bring_up_to_date()
        return self._sums[what]

    def _bring_up_to_date(self) -> None:
        for table in list(self._changed):
            self._count_again(table)

    def _count_again(self, table: str) -> None:
        before, live = self._entries.pop(table, None), self._tables.get(table)
        if before is not None:
            self._sums.subtract(before.counts)
        if live is not None:
            now = self._entries[table] = Entry(_line(live), dealer.awaited(live), _counts(live))
            self._sums.update(now.counts)
        del self._changed[table]

    def _timed(self, live: LiveTable) -> LobbyLine:
        entry = self._entries[live.name]
        left = 0 if entry.due is None else entry.due.at - live.now()
        return (
            msgspec.structs.replace(entry.line, timer=Timer(entry.due.what, left))
            if entry.due and left > 0
            else entry.line
        )


def undecided_line(listed: TableListed, seated: int, waiting: int) -> LobbyLine:
    """The line of a table that nobody decides just now: as it was opened, stopped, with who is known to be there."""
    line = _opened_line(msgspec.json.encode(listed.settings))
    return msgspec.structs.replace(line, seated=seated, waiting=waiting, is_stopped=True)


@lru_cache(maxsize=1_000)
def _opened_line(kept: bytes) -> LobbyLine:
    """The line of a table that was opened with these settings. They are kept: loading a book takes long."""
    settings = msgspec.json.decode(kept, type=TableSettings)
    rules = settings.load_rules()
    opened = step(rules, Table(), OpenTable(limit=settings.limit, limits=settings.limits, meter=settings.meter))
    return _plain_line(settings.name, rules, settings, Table() if isinstance(opened, Refusal) else opened[1])


def _counts(live: LiveTable) -> Counter[str]:
    return Counter(unopened=live.keeper.unopened, stopped=int(live.stopped is not None))


def _line(live: LiveTable) -> LobbyLine:
    return msgspec.structs.replace(
        _plain_line(live.name, live.rules, live.settings, live.table),
        seated=len(live.humans),
        bots=len(live.bots),
        watching=len(live.present),
        rounds=live.rounds_done,
        version=live.version,
        is_stopped=live.stopped is not None,
        is_paused=live.is_paused,
        waiting=len(live.line.claims),
    )


def _plain_line(name: str, rules: Rulebook, settings: TableSettings, table: Table) -> LobbyLine:
    """The line of a table at which nobody is."""
    seen = view(rules, table, Viewer("watcher"))
    return LobbyLine(
        name=name,
        title=settings.called,
        rulebook=rules.id,
        book_title=rules.title,
        dealer=settings.dealer,
        boxes=rules.table.boxes,
        seated=0,
        bots=0,
        watching=0,
        minimum=table.limit.minimum,
        maximum=table.limit.maximum,
        unit=table.limit.unit,
        betting_seconds=settings.timers.betting,
        rounds=0,
        version=0,
        owner=settings.owner,
        is_closed=table.is_closed,
        is_stopped=False,
        phase=table.phase,
        timer=None,
        taken=tuple(sorted(table.seats)),
        decks=seen.signs.decks,
        sides=tuple(_side(spot) for spot in seen.layout if spot.wager in SIDE),
        meter=seen.signs.meter,
        bank=seen.bank,
    )


def _side(spot: WagerSpot) -> SideWager:
    return SideWager(spot.wager, spot.label, tuple(one.pays for one in spot.odds if ":" in one.pays))
