"""The bins of bankrolls in which nights are counted: around the bankroll, on whole steps of money where these fit."""

from fractions import Fraction
from math import gcd, isqrt

import msgspec

from casinowar.sim import outcome_cells as cells
from casinowar.sim.pay_table import PayTable
from casinowar.sim.table_plan import Plan
from casinowar.sim.tallies import NIGHT_BINS

INITIAL_EDGE, SIDE_EDGE = 10, 2
"""No initial wager is expected to lose more than a tenth of its stake in a round, and no side wager more than half."""


class NightBins(msgspec.Struct, frozen=True):
    """Where the first bin begins, how wide each is, and the steps in which money moves, in minor units.

    `lowest` and `highest` are bankrolls below and above which no night can come; with a jackpot nothing is the highest.
    Falls are counted in bins of the same width from 0 on.
    """

    begin: int
    width: int
    step: int
    lowest: int
    highest: int | None

    @property
    def within(self) -> int:
        """How far a bankroll may lie from the value of its bin: 0 where there is a bin for each step."""
        return -(-(self.width - self.step) // 2)

    @property
    def least(self) -> int | None:
        """What the first bin stands for, with all that is less; none where nothing can be."""
        top = self.begin + self.width - self.step
        return top if self.lowest < self.begin else None

    @property
    def most(self) -> int | None:
        """What the last bin stands for, with all that is more; none where nothing can be."""
        bottom = self.begin + (NIGHT_BINS - 1) * self.width
        return bottom if self.highest is None or self.highest >= bottom + self.width else None

    @property
    def deepest(self) -> int | None:
        """The same of the last bin of falls."""
        bottom = (NIGHT_BINS - 1) * self.width
        return bottom if self.highest is None or self.highest - self.lowest >= bottom + self.width else None

    def bankroll(self, place: int) -> int:
        """What a bin stands for: its middle, or what bounds it where it has all that lies beyond."""
        end = {0: self.least, NIGHT_BINS - 1: self.most}.get(place)
        return max(self.lowest, self.begin + self._middle(place)) if end is None else end

    def fall(self, place: int) -> int:
        """The same of a fall."""
        end = self.deepest if place == NIGHT_BINS - 1 else None
        return self._middle(place) if end is None else end

    def _middle(self, place: int) -> int:
        return place * self.width + (self.width - self.step) // 2


def night_bins(plan: Plan, pays: PayTable) -> NightBins:
    """Bins for all that nights are likely to come to; what is beyond them lies in the first and in the last."""
    rounds, bankroll = plan.session, plan.bankroll
    nets = {wager: _nets(plan, pays, wager) for wager in plan.wagers}
    losses = {wager: max(0, -min(row)) for wager, row in nets.items()}
    gains = {wager: max(0, *row) for wager, row in nets.items()}
    lowest = max(0, bankroll - rounds * sum(losses.values()))
    highest = bankroll + rounds * sum(gains.values())
    # A wager that pays no more than it takes has at most this variance in a round; three deviations are enough.
    variance = sum(stake * (gains[wager] + losses[wager]) for wager, stake in plan.wagers.items())
    spread = 3 * (1 + isqrt(rounds * variance))
    edges = (
        rounds * stake // (INITIAL_EDGE if wager == "initial" else SIDE_EDGE) for wager, stake in plan.wagers.items()
    )
    bottom, top = max(lowest, bankroll - spread - sum(edges)), min(highest, bankroll + spread)
    if bankroll - (rounds - 1) * sum(losses.values()) >= sum(plan.wagers.values()) + pays.war_stake:
        nets |= {"initial": _nets(plan, pays, "initial", has_money=True)}
    unit = gcd(*(net for row in nets.values() for net in row)) or 1
    width = unit * max(1, -(-(top - bottom) // (unit * (NIGHT_BINS - 2))))
    has_meter = "progressive" in plan.wagers
    return NightBins(
        begin=bankroll - -(-(bankroll - bottom) // width) * width,
        width=width,
        step=gcd(unit, _prize(plan)) if has_meter else unit,
        lowest=lowest,
        highest=None if has_meter else highest,
    )


def bins_of(plan: Plan) -> NightBins:
    """The bins of a plan that has been made."""
    return night_bins(plan, PayTable(plan.rules, plan.wagers, tuple(plan.counted)))


def _nets(plan: Plan, pays: PayTable, wager: str, *, has_money: bool = False) -> list[int]:
    """All that a wager may net in a round of box 1; who always has money for a war surrenders only by strategy."""
    each = 1 << len(pays.counted)
    never = has_money and "surrender" not in plan.strategy[0].values()
    played = [cell for cell in range(cells.CELLS) if not (never and _is_surrender(cell))]
    found = (
        pays.net(wager, cell + cells.CELLS * (each - 1 + each * others))
        for others in range(plan.boxes if wager == "progressive" else 1)
        for cell in played
    )
    return [net for net in found if net is not None] or [0]


def _is_surrender(cell: int) -> bool:
    return cell >= cells.TIE and (cell - cells.TIE) % cells.BLOCK == cells.NO_WAR


def _prize(plan: Plan) -> int:
    """What the meter pays, or 1 where that is not always the same."""
    if plan.boxes > 1 or plan.meter_runs:
        return 1
    share = Fraction(*map(int, plan.rules.progressive.meter_share.split(":")))
    return int(plan.meter * share)
