"""The ledger: what each event moves from which account to which, in double entry and whole minor units.

It reads events only and keeps its own account of what lies on the layout, so that it is a second witness of the
engine's money and not a copy of it.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.store import events as r

ISSUANCE = "issuance"
"""Where play money comes from and goes to: always as far below zero as all other accounts are above it."""

BOUND = 2**53
"""No balance may reach this: beyond it a reader of JSON may lose units."""

OVERDRAWABLE = ("issuance", "float", "meter_memo")
"""The kinds of account that may stand below zero; nobody else can owe."""

Spot = tuple[int, str, str]


class Posting(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An amount that goes into the account, or out of it where it is negative."""

    account: str
    amount: int


class Laid(msgspec.Struct, frozen=True, gc=False):
    """Chips on one spot, the bank's match beside them, and what went back once it was settled."""

    amount: int
    match: int = 0
    back: int | None = None


class Layout(msgspec.Struct, frozen=True, gc=False):
    """What the ledger must remember between events of one table."""

    stream: str
    wagers: dict[Spot, Laid] = {}
    is_over: bool = True
    bank: tuple[str, int] | None = None
    banker: str | None = None
    meter: int = 0
    stopped: str | None = None

    def lies_for(self, player: str) -> int:
        """What a player has in play: wagers that are not settled, and the chips of their bank."""
        wagers = {} if self.is_over else self.wagers
        laid = sum(one.amount for (_, _, who), one in wagers.items() if who == player and one.back is None)
        return laid + (self.bank[1] if self.bank is not None and self.bank[0] == player else 0)


Moves = dict[str, int]
Posted = tuple[Layout, Moves]


def purse(player: str) -> str:
    return f"purse:{player}"


def chips(stream: str, player: str) -> str:
    return f"chips:{stream}:{player}"


def may_overdraw(account: str) -> bool:
    return account.partition(":")[0] in OVERDRAWABLE


def post(layout: Layout, event: r.Recorded) -> tuple[Layout, tuple[Posting, ...]]:
    """The postings of one event, which sum to zero, and the layout after it."""
    rule = RULES.get(type(event))
    if rule is None:
        return layout, ()
    layout, moves = rule(layout, event)
    return layout, tuple([Posting(account, amount) for account, amount in moves.items() if amount])


def _move(amount: int, source: str, target: str) -> Moves:
    return {source: -amount, target: amount}


def _stake(layout: Layout, player: str, amount: int) -> Moves:
    return _move(amount, chips(layout.stream, player), f"escrow:{layout.stream}")


def _lay(layout: Layout, spot: Spot, laid: Laid) -> Layout:
    return replace(layout, wagers={**layout.wagers, spot: laid})


def _lift(layout: Layout, spot: Spot) -> Layout:
    return replace(layout, wagers={where: laid for where, laid in layout.wagers.items() if where != spot})


def _move_bank(layout: Layout, moves: Moves, gain: int) -> Posted:
    """Move chips to or from whoever banks: the player who does, or else the float."""
    if layout.bank is None:
        moves[f"float:{layout.stream}"] = moves.get(f"float:{layout.stream}", 0) + gain
        return layout, moves
    moves[f"bank:{layout.stream}"] = gain
    player, held = layout.bank
    return replace(layout, bank=(player, held + gain)), moves


def _wager_placed(layout: Layout, event: e.WagerPlaced) -> Posted:
    if layout.is_over:
        layout = replace(layout, wagers={}, is_over=False, banker=None)
    spot = (event.box, event.wager, event.player)
    before = layout.wagers.get(spot, Laid(0))
    return _lay(layout, spot, Laid(before.amount + event.amount)), _stake(layout, event.player, event.amount)


def _wager_changed(layout: Layout, event: e.WagerAmended | e.WagerLimited | e.WagerFound | e.MatchLimited) -> Posted:
    wager = "initial" if isinstance(event, e.MatchLimited) else event.wager
    spot = (event.box, wager, event.player)
    before = layout.wagers[spot]
    moves = _stake(layout, event.player, event.amount - before.amount)
    laid = replace(before, amount=event.amount)
    if not isinstance(event, e.WagerLimited) or before.match <= event.amount:
        return _lay(layout, spot, laid), moves
    freed = before.match - event.amount
    moves[f"escrow:{layout.stream}"] -= freed
    return _move_bank(_lay(layout, spot, replace(laid, match=event.amount)), moves, freed)


def _wager_withdrawn(layout: Layout, event: e.WagerWithdrawn) -> Posted:
    return _lift(layout, (event.box, event.wager, event.player)), _stake(layout, event.player, -event.amount)


def _betting_closed(layout: Layout, event: e.BettingClosed) -> Posted:
    return replace(layout, banker=None if layout.bank is None else layout.bank[0]), {}


def _war_declared(layout: Layout, event: e.WarDeclared) -> Posted:
    moves = _stake(layout, event.player, event.amount)
    moves[f"escrow:{layout.stream}"] += event.match
    layout = _lay(layout, (event.box, "war", event.player), Laid(event.amount, event.match))
    return _move_bank(layout, moves, -event.match)


def _decision_reopened(layout: Layout, event: e.DecisionReopened) -> Posted:
    spot = (event.box, "war", event.player)
    match = layout.wagers[spot].match
    moves = _stake(layout, event.player, -event.amount)
    moves[f"escrow:{layout.stream}"] -= match
    return _move_bank(_lift(layout, spot), moves, match)


def _wager_settled(layout: Layout, event: e.WagerSettled) -> Posted:
    spot = (event.box, event.wager, event.player)
    laid = layout.wagers[spot]
    if laid.back is not None:
        return _forfeit_wager(layout, event)
    stake, back = laid.amount + laid.match, event.paid + event.returned
    moves = {f"escrow:{layout.stream}": -stake, chips(layout.stream, event.player): back}
    return _move_bank(_lay(layout, spot, replace(laid, back=back)), moves, stake - back)


def _forfeit_wager(layout: Layout, event: e.WagerSettled) -> Posted:
    """Take back what a settled wager has won: it goes to whoever banked it, even after the round."""
    spot = (event.box, event.wager, event.player)
    player = chips(layout.stream, event.player)
    after = _lay(layout, spot, replace(layout.wagers[spot], back=0))
    if layout.is_over and layout.banker is not None:
        banker = chips(layout.stream, layout.banker)
        return after, {} if banker == player else _move(event.taken_back, player, banker)
    return _move_bank(after, {player: -event.taken_back}, event.taken_back)


def _wager_reversed(layout: Layout, event: e.WagerReversed) -> Posted:
    """An open wager leaves the layout; a settled one is undone by whoever banked it, even after the round."""
    spot = (event.box, event.wager, event.player)
    laid = layout.wagers[spot]
    player = chips(layout.stream, event.player)
    after = _lay(layout, spot, Laid(laid.amount, 0, laid.amount))
    if laid.back is None:
        return _move_bank(
            after, {f"escrow:{layout.stream}": -laid.amount - laid.match, player: laid.amount}, laid.match
        )
    due = laid.amount - laid.back
    if layout.is_over and layout.banker is not None:
        banker = chips(layout.stream, layout.banker)
        return after, {} if banker == player else _move(due, banker, player)
    return _move_bank(after, {player: due}, -due)


def _bank_accepted(layout: Layout, event: e.BankAccepted) -> Posted:
    return replace(layout, bank=(event.player, event.stake)), _move(
        event.stake, chips(layout.stream, event.player), f"bank:{layout.stream}"
    )


def _bank_given_back(layout: Layout, event: e.BankReturned | e.BankRelinquished) -> Posted:
    if layout.bank is None:
        return layout, {}
    amount = event.amount if isinstance(event, e.BankReturned) else layout.bank[1]
    return replace(layout, bank=None), _move(amount, f"bank:{layout.stream}", chips(layout.stream, event.player))


def _set_meter(layout: Layout, meter: int) -> Posted:
    """Set the meter, which counts what the next jackpot pays. Its memo account holds the other side."""
    return replace(layout, meter=meter), _move(
        meter - layout.meter, f"meter_memo:{layout.stream}", f"meter:{layout.stream}"
    )


def _round_over(layout: Layout, event: r.Recorded) -> Posted:
    return replace(layout, is_over=True), {}


def _table_resumed(layout: Layout, event: e.TableResumed) -> Posted:
    return replace(layout, wagers={}, is_over=True, banker=None), {}


RULES: Mapping[type, Callable[[Layout, Any], Posted]] = {
    r.PurseFunded: lambda layout, event: (layout, _move(event.amount, ISSUANCE, purse(event.player))),
    r.PurseDrained: lambda layout, event: (layout, _move(event.amount, purse(event.player), ISSUANCE)),
    r.CashedOut: lambda layout, event: (
        layout,
        _move(event.amount, chips(layout.stream, event.player), purse(event.player)),
    ),
    r.TableStopped: lambda layout, event: (replace(layout, stopped=event.reason), {}),
    r.TableCleared: lambda layout, event: (replace(layout, stopped=None), {}),
    e.BoughtIn: lambda layout, event: (
        layout,
        _move(event.amount, purse(event.player), chips(layout.stream, event.player)),
    ),
    e.WagerPlaced: _wager_placed,
    e.WagerAmended: _wager_changed,
    e.WagerLimited: _wager_changed,
    e.WagerFound: _wager_changed,
    e.MatchLimited: _wager_changed,
    e.WagerWithdrawn: _wager_withdrawn,
    e.BettingClosed: _betting_closed,
    e.WarDeclared: _war_declared,
    e.DecisionReopened: _decision_reopened,
    e.WagerSettled: _wager_settled,
    e.WagerReversed: _wager_reversed,
    e.BankAccepted: _bank_accepted,
    e.BankReturned: _bank_given_back,
    e.BankRelinquished: _bank_given_back,
    e.TableOpened: lambda layout, event: _set_meter(layout, event.meter),
    e.MeterFed: lambda layout, event: _set_meter(layout, layout.meter + event.amount),
    e.MeterPaid: lambda layout, event: _set_meter(layout, layout.meter - event.amount + event.seed),
    e.RoundEnded: _round_over,
    e.RoundInvalidated: _round_over,
    e.RoundVoided: _round_over,
    e.TableResumed: _table_resumed,
}


Pairs = tuple[tuple[str, int], ...]


class LayoutWalk:
    """The layout of one table as events are posted one after the other: what `post` gives, in less time.

    What comes most often, a wager placed and one settled by the float, changes the wagers in place.
    """

    def __init__(self, stream: str) -> None:
        self._layout = Layout(stream)
        self._escrow, self._float, self._chips = f"escrow:{stream}", f"float:{stream}", chips(stream, "")

    @property
    def layout(self) -> Layout:
        return replace(self._layout, wagers={**self._layout.wagers})

    def post(self, event: r.Recorded) -> Pairs:
        """The postings of the next event, each as account and amount."""
        kind, layout = type(event), self._layout
        if kind is e.WagerPlaced:
            return self._place(cast(e.WagerPlaced, event))
        if kind is not e.WagerSettled or layout.bank is not None:
            return self._post(event)
        settled = cast(e.WagerSettled, event)
        wagers, player = layout.wagers, settled.player
        spot = (settled.box, settled.wager, player)
        laid = wagers[spot]
        if laid.back is not None:
            return self._post(event)
        amount, match = laid.amount, laid.match
        stake, back = amount + match, settled.paid + settled.returned
        wagers[spot] = Laid(amount, match, back)
        if stake and not back:
            return (self._escrow, -stake), (self._float, stake)
        moves = ((self._escrow, -stake), (self._chips + player, back), (self._float, stake - back))
        return moves if stake and back and stake != back else tuple([move for move in moves if move[1]])

    def _post(self, event: r.Recorded) -> Pairs:
        self._layout, postings = post(self._layout, event)
        return tuple([(posting.account, posting.amount) for posting in postings])

    def _place(self, event: e.WagerPlaced) -> Pairs:
        if self._layout.is_over:
            self._layout = replace(self._layout, wagers={}, is_over=False, banker=None)
        player, amount, wagers = event.player, event.amount, self._layout.wagers
        spot = (event.box, event.wager, player)
        before = wagers.get(spot)
        wagers[spot] = Laid(amount if before is None else before.amount + amount)
        return ((self._chips + player, -amount), (self._escrow, amount)) if amount else ()


def accounts_of(stream: str, table: Table) -> dict[str, int]:
    """The balances of a table's accounts by the engine's own count; the meter's memo stands against the meter."""
    return {
        **{chips(stream, player): held for player, held in table.players.items()},
        f"float:{stream}": table.house,
        f"escrow:{stream}": table.escrow,
        f"bank:{stream}": table.bank.chips if table.bank else 0,
        f"meter:{stream}": table.meter,
        f"meter_memo:{stream}": -table.meter,
    }


def find_imbalance(balances: Mapping[str, int], expected: Mapping[str, int], total: int) -> str | None:
    """The fault of the trial balance in words, or none."""
    if total:
        return f"all accounts together hold {total}, not 0"
    for account, held in expected.items():
        if balances.get(account, 0) != held:
            return f"{account} holds {balances.get(account, 0)} by the ledger and {held} by the table"
    return None
