"""One line for each round that is over: its hands, what each wager came to, and what the bank did."""

from casinowar.engine import Round, Table
from casinowar.engine import events as e
from casinowar.history.log_walk import ENDS, VOIDS
from casinowar.protocol import RoundLine
from casinowar.store import Recalled


class RoundLines:
    """Follows a table's log. The bank has its chips back before the round is over, so that is noted until then."""

    def __init__(self) -> None:
        self._bank: tuple[str, int] | None = None

    def after(self, one: Recalled, table: Table) -> RoundLine | None:
        """The round's line where this event has ended it; `table` is as it stands after the event."""
        if isinstance(one.event, e.BankReturned):
            self._bank = (one.event.player, one.event.net)
        if not isinstance(one.event, ENDS):
            return None
        bank, self._bank = self._bank, None
        return round_line(table.round, one.version, isinstance(one.event, VOIDS), one.at, bank)


def round_line(
    round_: Round, version: int, is_void: bool, at: int | None = None, bank: tuple[str, int] | None = None
) -> RoundLine:
    """With every hand that was dealt, also those that went to the rack before the round was over."""
    hands = tuple(sorted(round_.hands.items()))
    wagers = tuple(
        (box, wager, player, laid.amount, str(laid.outcome), laid.paid, laid.returned)
        for (box, wager, player), laid in round_.wagers.items()
    )
    odds = tuple(laid.odds for laid in round_.wagers.values())
    clauses = tuple(laid.clauses for laid in round_.wagers.values())
    placed = tuple(laid.placed for laid in round_.wagers.values())
    is_cut = placed != tuple(laid.amount for laid in round_.wagers.values())
    return RoundLine(round_.number, version, hands, wagers, is_void, odds, clauses, at, bank, placed if is_cut else ())
