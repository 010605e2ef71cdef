"""What events of the floor do to the table."""

from typing import Any

from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.engine.state import Changes, Table


def _on_floor(table: Table, **changes: Any) -> Table:
    return replace(table, floor=replace(table.floor, **changes))


def _time_passed(table: Table, event: e.TimePassed) -> Table:
    return _on_floor(table, clock=table.floor.clock + event.seconds)


def _limits_announced(table: Table, event: e.LimitsAnnounced) -> Table:
    return _on_floor(table, limits_notice=(event.limit, table.floor.clock))


def _limits_changed(table: Table, event: e.LimitsChanged) -> Table:
    return replace(_on_floor(table, limits_notice=None), limit=event.limit)


def _closing_announced(table: Table, event: e.ClosingAnnounced) -> Table:
    return _on_floor(table, closing_notice=table.floor.clock, closing_minutes=event.minutes or 0)


def _table_closed(table: Table, event: e.TableClosed) -> Table:
    return replace(table, is_closed=True)


def _round_sat_out(table: Table, event: e.RoundSatOut) -> Table:
    return _on_floor(table, sat_out={**table.floor.sat_out, event.player: (event.rounds, table.round.number)})


def _decks_announced(table: Table, event: e.DecksAnnounced) -> Table:
    return _on_floor(table, decks_notice=(event.decks, event.perfect_pairs, table.floor.clock))


def _decks_changed(table: Table, event: e.DecksChanged) -> Table:
    return _on_floor(table, decks_notice=None, decks=event.decks)


def _box_max_directed(table: Table, event: e.BoxMaxDirected) -> Table:
    return _on_floor(table, box_max=event.amount, is_plain=False)


def _player_max_directed(table: Table, event: e.PlayerMaxDirected) -> Table:
    return _on_floor(table, player_max=event.amount, is_plain=False)


def _bettors_per_area_set(table: Table, event: e.BettorsPerAreaSet) -> Table:
    return _on_floor(table, bettors=event.bettors)


def _player_excluded(table: Table, event: e.PlayerExcluded) -> Table:
    """Who is excluded is no player of this table any more."""
    table = replace(table, patrons=table.patrons - {event.player})
    return _on_floor(table, excluded=table.floor.excluded | {event.player}, is_plain=False)


def _partnership_flagged(table: Table, event: e.PartnershipFlagged) -> Table:
    return _on_floor(table, partners=(*table.floor.partners, frozenset(event.players)), is_plain=False)


CHANGES: Changes = {
    e.TimePassed: _time_passed,
    e.LimitsAnnounced: _limits_announced,
    e.LimitsChanged: _limits_changed,
    e.ClosingAnnounced: _closing_announced,
    e.TableClosed: _table_closed,
    e.RoundSatOut: _round_sat_out,
    e.DecksAnnounced: _decks_announced,
    e.DecksChanged: _decks_changed,
    e.BoxMaxDirected: _box_max_directed,
    e.PlayerMaxDirected: _player_max_directed,
    e.BettorsPerAreaSet: _bettors_per_area_set,
    e.PlayerExcluded: _player_excluded,
    e.PartnershipFlagged: _partnership_flagged,
}
