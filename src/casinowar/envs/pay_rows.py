"""What every bet and decision nets in every outcome cell, in minor units, for the kernel of the vectorised tables."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from casinowar.cards import RANKS, SUITS
from casinowar.envs.actions import Action
from casinowar.envs.optimum import meter_prize
from casinowar.extras import require
from casinowar.rulebooks import Rulebook
from casinowar.sim import Plan, make_plan
from casinowar.sim.outcome_cells import CELLS
from casinowar.sim.pay_table import JACKPOT, PayTable, outcome_of

require("casinowar.envs.pay_rows", "envs", "numba")


def plan_of(rules: Rulebook, stakes: Mapping[str, int], others: int = 0, is_fresh: bool = True) -> Plan:
    """The plan of a table with every wager on it, which says what the kernel must tell apart; or `PlanRefused`."""
    boxes = 1 + others + (rules.bank.by == "player")
    return make_plan(rules, boxes=boxes, wagers=stakes, fresh=is_fresh)


def pay_rows(
    rules: Rulebook, bets: Sequence[Action], decisions: Sequence[Action], stakes: Mapping[str, int]
) -> NDArray[np.int64]:
    """The nets by bet, decision and cell, one after the other. The meter stands at its seed when a round begins."""
    rows = np.zeros((len(bets), len(decisions), CELLS), np.int64)
    for row, bet in enumerate(bets):
        for column, decision in enumerate(decisions):
            wagers = (*bet.wagers, *decision.wagers)
            table = PayTable(rules, {wager: stakes[wager] for wager in wagers})
            for cell in range(CELLS):
                outcome = outcome_of(cell)
                if outcome is None or not outcome.first:
                    continue
                rows[row, column, cell] = sum(table.net(wager, cell) or 0 for wager in wagers)
                if "progressive" in wagers and JACKPOT in table.lines(outcome):
                    rows[row, column, cell] += meter_prize(rules, stakes["progressive"])
    return rows


def faces(rules: Rulebook) -> NDArray[np.int8]:
    """Rank and suit of each card of the kernel as an observation has them, in a row."""
    ranks = [RANKS.index(rank) + 1 for rank in rules.cards.ranks]
    return np.array([number for rank in ranks for suit in range(len(SUITS)) for number in (rank, suit + 1)], np.int8)
