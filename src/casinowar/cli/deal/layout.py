"""The table of real cards at a glance: chips and seats, what lies on the layout, and what is left in the shoe."""

from collections.abc import Iterator

from casinowar.dealers import RealTable
from casinowar.engine import DEALER
from casinowar.words.phrases import dealer_name, plain, wager_name


def tell_state(real: RealTable) -> Iterator[str]:
    table = real.table
    for player, chips in table.players.items():
        boxes = [str(box) for box, seated in table.seats.items() if seated == player]
        seat = f"box {' and '.join(boxes)}" if boxes else "not seated"
        yield f"  {plain(player)}: {chips:,} chips, {seat}"
    if table.bank is not None:
        yield f"  Bank: {plain(table.bank.player)} with {table.bank.stake:,}, {table.bank.left:,} to pay with"
    if real.rules.wager.progressive:
        yield f"  Meter: {table.meter:,}"
    if not table.round.is_over:
        yield from _layout(real)
    shown = ", the cutting card has shown" if table.shuffle == "cut_card" or table.cut_in == 0 else ""
    yield f"  {table.shoe_left or 'No'} cards in the shoe{shown}."


def _layout(real: RealTable) -> Iterator[str]:
    round_ = real.table.round
    for (box, wager, player), laid in round_.wagers.items():
        settled = f", {laid.outcome}" if laid.outcome else ""
        yield f"  Box {box}: {plain(player)} has {laid.amount:,} on {wager_name(real.rules, wager)}{settled}"
    for box, hand in round_.hands.items():
        where = dealer_name(real.rules).capitalize() if box == DEALER else f"Box {box}"
        yield f"  {where}: {' '.join(hand)}"
