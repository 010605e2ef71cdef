"""What events of the opening, and of the making of a stack, do to the table."""

from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.engine.state import Changes, Table


def _cards_prepared(table: Table, event: e.CardsPrepared) -> Table:
    """A shuffle undoes the cut."""
    step = "spread_2" if event.step == "spread" and event.batch == 2 else event.step
    prepared = table.prepared if step in table.prepared else (*table.prepared, step)
    if event.step == "inspect":
        return replace(table, prepared=prepared, inspected_by=event.by)
    if event.step not in ("shuffle", "swap_batch"):
        return replace(table, prepared=prepared)
    return replace(table, prepared=prepared, cut_made=False, cut_declined=(), marker=None)


def _full_shuffle_required(table: Table, event: e.FullShuffleRequired | e.SpreadRequested) -> Table:
    return replace(table, full_shuffle=True)


def _discards_returned(table: Table, event: e.DiscardsReturned) -> Table:
    return replace(table, shoe_left=table.shoe_left + event.cards, rack=(), opening_burned=False)


CHANGES: Changes = {
    e.CardsPrepared: _cards_prepared,
    e.FullShuffleRequired: _full_shuffle_required,
    e.SpreadRequested: _full_shuffle_required,
    e.DiscardsReturned: _discards_returned,
}
