"""What each wager nets at each index of outcomes, in minor units, as the rulebook's cells say.

It is written here anew, from the rulebook alone, so that engine and odds can check it.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import msgspec

from casinowar.rulebooks import Cell, Rulebook
from casinowar.sim import outcome_cells as cells
from casinowar.sim.outcome_cells import WAGER_ORDER

PAIRS = ("on_mixed", "on_coloured", "on_perfect")
JACKPOT = "on_suited_four_of_a_kind"


class Outcome(msgspec.Struct, frozen=True):
    """A cell in words: `first` and `second` are loss, tie or win, pairs by their place in `PAIRS`.

    `second` is empty where there was no war, and the round is void where `first` is empty too.
    """

    first: str
    is_ace: bool = False
    pair: int = 0
    second: str = ""
    second_pair: int = 0
    is_four: bool = False
    is_one_suit: bool = False


@cache
def outcome_of(cell: int) -> Outcome | None:
    """What a number of a cell stands for; none where no outcome has it."""
    if cell == cells.VOID:
        return Outcome("")
    if cell <= cells.WIN + cells.ACES:
        is_ace = cell > cells.WIN
        return Outcome("loss" if cell - cells.ACES * is_ace == cells.LOSS else "win", is_ace)
    if cell < cells.TIE:
        return None
    block, part = divmod(cell - cells.TIE, cells.BLOCK)
    tie = Outcome("tie", bool(block & 1), block >> 1)
    if part < cells.WAR_TIE:
        second = {cells.NO_WAR: "", cells.WAR_LOSS: "loss", cells.WAR_WIN: "win"}.get(part)
        return None if second is None else msgspec.structs.replace(tie, second=second)
    part -= cells.WAR_TIE
    return msgspec.structs.replace(
        tie, second="tie", second_pair=part >> 2, is_four=bool(part & 2), is_one_suit=bool(part & 1)
    )


class PayTable(msgspec.Struct, frozen=True):
    """A rulebook and the stakes, in minor units; wagers in `counted` lie there only where their bit says so."""

    rules: Rulebook
    wagers: dict[str, int]
    counted: tuple[str, ...] = ()

    def net(self, wager: str, index: int) -> int | None:
        """What the wager gains at an index, without the meter; none where it was not settled there."""
        rest, cell = divmod(index, cells.CELLS)
        others, bits = divmod(rest, 1 << len(self.counted))
        outcome = outcome_of(cell)
        if outcome is None or not outcome.first or wager not in self.wagers:
            return None
        if wager in self.counted and not bits >> self.counted.index(wager) & 1:
            return None
        if wager in ("war_tie", "war_perfect_pairs") and not outcome.second:
            return None
        stake = self.wagers[wager]
        if wager == "initial":
            return self._initial(outcome, stake)
        if wager == "progressive":
            return self._progressive(outcome, stake, others)
        return _gain(self.rules.cells[wager, _situation(wager, outcome)], stake)

    @property
    def war_stake(self) -> int:
        """What the war wager adds to the initial one."""
        share = self.rules.war_stake
        return self.wagers.get("initial", 0) * share.numerator // share.denominator

    def _initial(self, outcome: Outcome, stake: int) -> int:
        rules = self.rules
        if outcome.first != "tie":
            return _gain(rules.cells["initial", f"on_{outcome.first}"], stake)
        if not outcome.second:
            lost, rest = divmod(stake * rules.forfeit.numerator, rules.forfeit.denominator)
            return -lost - (1 if rest and rules.surrender.odd_unit == "house" else 0)
        initial = _gain(rules.cells["initial", f"on_war_{outcome.second}"], stake)
        return initial + _gain(rules.cells["war", f"on_{outcome.second}"], self.war_stake)

    def _progressive(self, outcome: Outcome, stake: int, others: int) -> int:
        rules = self.rules
        lines = self.lines(outcome)
        envy = others * (stake // rules.progressive.unit) * rules.progressive.envy
        paid = sum(_pays(rules.cells["progressive", line], stake) for line in lines)
        is_back = rules.progressive.stake_returned if lines else _is_push(rules.cells["progressive", "on_loss"])
        return paid + envy - (0 if is_back else stake)

    def lines(self, outcome: Outcome) -> list[str]:
        """The lines of the progressive that are paid; of those that a hand makes the best, unless they add up."""
        made = list(self._lines_made(outcome))
        if self.rules.progressive.lines == "cumulative" or not made:
            return made
        cells_ = self.rules.cells
        return [max(made, key=lambda line: (line == JACKPOT, _ratio(cells_["progressive", line])))]

    def _lines_made(self, outcome: Outcome) -> Iterator[str]:
        reading = self.rules.progressive
        is_surrendered = not outcome.second and "initial" in self.wagers
        if outcome.first != "tie" or (is_surrendered and reading.on_surrender == "lost"):
            return
        is_suited, is_double = outcome.pair == cells.PERFECT, outcome.second == "tie"
        are_suited = is_suited and is_double and outcome.second_pair == cells.PERFECT
        if outcome.is_four and are_suited and (reading.suited_four == "suited_ties" or outcome.is_one_suit):
            yield JACKPOT
        if is_double and (outcome.is_one_suit if reading.suited_double == "one_suit" else are_suited):
            yield "on_suited_double_tie"
        if outcome.is_four:
            yield "on_four_of_a_kind"
        if is_double:
            yield "on_double_tie"
        if is_suited:
            yield "on_suited_tie"
        yield "on_tie"


def _situation(wager: str, outcome: Outcome) -> str:
    """The situation of a side wager."""
    match wager:
        case "tie":
            return "on_win" if outcome.first == "tie" else "on_loss"
        case "war_tie":
            return "on_win" if outcome.second == "tie" else "on_loss"
        case "a_bomb":
            return "on_win" if outcome.is_ace else "on_loss"
        case "perfect_pairs":
            return PAIRS[outcome.pair] if outcome.first == "tie" else "on_loss"
        case "war_perfect_pairs":
            return PAIRS[outcome.second_pair] if outcome.second == "tie" else "on_loss"
        case _:
            raise ValueError(f"{wager} is no side wager: {', '.join(WAGER_ORDER)}")


def _ratio(cell: Cell) -> Fraction:
    return Fraction(0) if cell.odds is None else Fraction(cell.odds.numerator, cell.odds.denominator)


def _pays(cell: Cell, stake: int) -> int:
    return 0 if cell.odds is None else stake * cell.odds.numerator // cell.odds.denominator


def _is_push(cell: Cell) -> bool:
    return cell.outcome == "push"


def _gain(cell: Cell, stake: int) -> int:
    if cell.odds is not None:
        return _pays(cell, stake)
    return 0 if _is_push(cell) else -stake
