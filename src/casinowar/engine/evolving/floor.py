"""What events of the floor do to the table."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.engine.state import Table


def _time_passed(table: Table, event: e.TimePassed) -> Table:
    return replace(table, clock=table.clock + event.seconds)


def _limits_announced(table: Table, event: e.LimitsAnnounced) -> Table:
    return replace(table, limits_notice=(event.limit, table.clock))


def _limits_changed(table: Table, event: e.LimitsChanged) -> Table:
    return replace(table, limit=event.limit, limits_notice=None)


def _closing_announced(table: Table, event: e.ClosingAnnounced) -> Table:
    return replace(table, closing_notice=table.clock)


def _table_closed(table: Table, event: e.TableClosed) -> Table:
    return replace(table, is_closed=True)


def _round_sat_out(table: Table, event: e.RoundSatOut) -> Table:
    return replace(table, sat_out={**table.sat_out, event.player: (event.rounds, table.round.number)})


def _noted(table: Table, event: e.AbstentionNoted) -> Table:
    """Said for the log; the table stands as before."""
    return table


CHANGES: dict[type, Callable[[Table, Any], Table]] = {
    e.TimePassed: _time_passed,
    e.LimitsAnnounced: _limits_announced,
    e.LimitsChanged: _limits_changed,
    e.ClosingAnnounced: _closing_announced,
    e.TableClosed: _table_closed,
    e.RoundSatOut: _round_sat_out,
    e.AbstentionNoted: _noted,
}
