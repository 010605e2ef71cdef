"""What whole minor units make of a wager: half of an odd stake, and odds that do not divide, priced by stake.

Winnings are rounded down, and so is a war wager that is not equal to the first. What a surrender takes is rounded in
the player's favour or the house's, as `surrender.odd_unit` says; where `limits.require_even` is on, odd stakes on the
initial wager are refused.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal, get_args

import msgspec

from casinowar.odds.data import STRATEGIES, rational, wagers_held
from casinowar.odds.figures import Strategy, Study
from casinowar.odds.outcomes import Outcome
from casinowar.odds.wagers import SUITED, Choice, lines, net, side_situation
from casinowar.rulebooks import Cell, Rulebook

OddUnit = Literal["player", "house"]
ODD_UNITS: tuple[OddUnit, ...] = get_args(OddUnit)


class Rounded(msgspec.Struct, frozen=True):
    """What one stake gains on average, in minor units: in exact parts, and as it is settled for either `odd_unit`.

    `is_refused` says that `limits.require_even` would refuse it. None where the stake cannot be played at all.
    """

    wager: str
    strategy: Strategy | None
    stake: int
    exact: Fraction
    settled: dict[OddUnit, Fraction | None]
    is_refused: bool

    def edge(self, odd_unit: OddUnit) -> Fraction | None:
        """The house edge that this stake really meets."""
        gained = self.settled[odd_unit]
        return None if gained is None else -gained / self.stake


def rounding(study: Study, stake: int) -> list[Rounded]:
    """Every wager of the book at this stake; the initial wager by what the player chooses."""
    if stake < 1:
        raise ValueError(f"a stake of {stake}: it is 1 minor unit or more")
    rows = [_initial(study, stake, strategy) for strategy in STRATEGIES]
    for wager in wagers_held(study.rules):
        if wager == "initial" or (wager in SUITED and not study.found.has_suits):
            continue
        if row := _side(study, wager, stake):
            rows.append(row)
    return rows


def gain(amount: int, cell: Cell) -> int:
    """What a wager of this amount gains in a cell, as it is paid in whole units."""
    if cell.odds is not None:
        return amount * cell.odds.numerator // cell.odds.denominator
    return 0 if cell.outcome == "push" else -amount


def forfeit(rules: Rulebook, stake: int, odd_unit: OddUnit) -> int:
    whole, odd = divmod(stake * rules.forfeit.numerator, rules.forfeit.denominator)
    return whole + (1 if odd and odd_unit == "house" else 0)


def _initial(study: Study, stake: int, strategy: Strategy) -> Rounded:
    settled = {odd_unit: _initial_gain(study, stake, strategy, odd_unit) for odd_unit in ODD_UNITS}
    exact = stake * study.figures("initial", strategy).ev
    return Rounded("initial", strategy, stake, exact, settled, is_refused=stake % 2 == 1)


def _initial_gain(study: Study, stake: int, strategy: Strategy, odd_unit: OddUnit) -> Fraction | None:
    """The gain of the initial wager; none where the war wager would be nothing, which cannot be placed."""
    rules = study.rules
    war = stake * rules.war_stake.numerator // rules.war_stake.denominator
    if not war and strategy == "war":
        return None
    lost = forfeit(rules, stake, odd_unit)
    total = 0
    for weights in _by_rank(study).values():
        fought = sum(weight * _war_gain(rules, stake, war, outcome) for outcome, weight in weights)
        given_up = -lost * sum(weight for _, weight in weights)
        if strategy == "best":
            total += max(fought, given_up) if war else given_up
        else:
            total += fought if strategy == "war" else given_up
    for outcome, weight in study.found.merged.items():
        if outcome.first != "tie":
            total += weight * gain(stake, rules.cells["initial", f"on_{outcome.first}"])
    return Fraction(total, study.found.total)


def _by_rank(study: Study) -> dict[str, list[tuple[Outcome, int]]]:
    """The ties by their rank, which is what a player knows when choosing."""
    found: dict[str, list[tuple[Outcome, int]]] = {}
    for outcome, weight in study.found.weights.items():
        if outcome.rank is not None:
            found.setdefault(outcome.rank, []).append((outcome, weight))
    return found


def _war_gain(rules: Rulebook, stake: int, war: int, outcome: Outcome) -> int:
    second = outcome.second
    return gain(stake, rules.cells["initial", f"on_war_{second}"]) + gain(war, rules.cells["war", f"on_{second}"])


def _side(study: Study, wager: str, stake: int) -> Rounded | None:
    """The row of a side wager; none for one of the war deal where no war is possible."""
    rules = study.rules
    if wager == "progressive" and stake % rules.progressive.unit:
        exact = stake * study.figures(wager, "war").ev
        return Rounded(wager, None, stake, exact, dict.fromkeys(ODD_UNITS), is_refused=False)
    total, weights, exact = 0, 0, Fraction(0)
    for outcome, weight, value in _place(study, wager):
        total += weight * _side_gain(rules, wager, outcome, stake)
        exact += weight * value
        weights += weight
    if not weights:
        return None
    settled: dict[OddUnit, Fraction | None] = dict.fromkeys(ODD_UNITS, Fraction(total, weights))
    return Rounded(wager, None, stake, stake * exact / weights, settled, is_refused=False)


def _place(study: Study, wager: str) -> Iterator[tuple[Outcome, int, Fraction]]:
    choice: Choice = "war"
    for outcome, weight in study.found.merged.items():
        value = net(study.rules, wager, outcome, choice)
        if value is not None:
            yield outcome, weight, value


def _side_gain(rules: Rulebook, wager: str, outcome: Outcome, stake: int) -> int:
    """The gain of a side wager. Odds of several lines are rounded line by line, as they are paid."""
    if wager == "progressive":
        return _progressive_gain(rules, outcome, stake)
    return gain(stake, rules.cells[wager, side_situation(wager, outcome)])


def _progressive_gain(rules: Rulebook, outcome: Outcome, stake: int) -> int:
    paid = lines(rules, outcome, "war")
    if not paid:
        return gain(stake, rules.cells["progressive", "on_loss"])
    pays = sum(gain(stake, rules.cells["progressive", f"on_{line}"]) for line in paid)
    return pays if rules.progressive.stake_returned else pays - stake


def rounding_data(rules: Rulebook, rows: list[Rounded], stake: int) -> dict[str, Any]:
    """The rows as JSON has them; `odd_unit` and `require_even` are as the book is set."""
    return {
        "stake": stake,
        "odd_unit": rules.surrender.odd_unit,
        "require_even": rules.limits.require_even,
        "wagers": [
            {
                "wager": row.wager,
                "strategy": row.strategy,
                "exact": rational(row.exact),
                "settled": {odd_unit: rational(row.settled[odd_unit]) for odd_unit in ODD_UNITS},
                "house_edge": {odd_unit: rational(row.edge(odd_unit)) for odd_unit in ODD_UNITS},
                "refused_if_even_is_required": row.is_refused,
            }
            for row in rows
        ],
    }
