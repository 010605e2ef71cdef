"""What each wager comes to in each outcome, for one unit wagered, as the rulebook's cells say."""

from fractions import Fraction
from functools import cache
from typing import Literal

from casinowar.odds.outcomes import Outcome
from casinowar.rulebooks import Cell, Rulebook
from casinowar.rulebooks.wagers import OPTIONAL, WAR_DEAL

Choice = Literal["war", "surrender"]
SUITED = ("perfect_pairs", "war_perfect_pairs", "progressive")
"""Wagers that depend on suits."""

JACKPOT = "suited_four_of_a_kind"
LINES = (JACKPOT, "suited_double_tie", "four_of_a_kind", "double_tie", "suited_tie", "tie")


def offered_wagers(rules: Rulebook) -> tuple[str, ...]:
    """The wagers that the book has, war apart, which is part of the initial wager."""
    there = {wager for wager in OPTIONAL if getattr(rules.wager, wager)}
    if not rules.wager.perfect_pairs:
        there.discard("war_perfect_pairs")
    return ("initial", *(wager for wager in OPTIONAL if wager in there))


NOTHING, ONE = Fraction(0), Fraction(1)


@cache
def ratio(numerator: int, denominator: int) -> Fraction:
    """The odds as a fraction, kept, since every outcome needs the same few."""
    return Fraction(numerator, denominator)


def worth(cell: Cell) -> Fraction:
    """What one unit gains: the odds, nothing, or minus itself."""
    if cell.odds is not None:
        return ratio(cell.odds.numerator, cell.odds.denominator)
    return NOTHING if cell.outcome == "push" else ratio(-1, 1)


def net(rules: Rulebook, wager: str, outcome: Outcome, choice: Choice) -> Fraction | None:
    """What one unit on the wager gains; none where there is no war for it to be placed on."""
    match wager:
        case "initial":
            return initial_net(rules, outcome, choice)
        case "progressive":
            return progressive_net(rules, outcome, choice)
    if wager in WAR_DEAL and (outcome.first != "tie" or choice != "war"):
        return None
    return worth(rules.cells[wager, side_situation(wager, outcome)])


def side_situation(wager: str, outcome: Outcome) -> str:
    """The situation of the pay table that a side wager comes to in an outcome; the progressive has lines instead."""
    match wager:
        case "tie":
            return "on_win" if outcome.first == "tie" else "on_loss"
        case "war_tie":
            return "on_win" if outcome.second == "tie" else "on_loss"
        case "a_bomb":
            return "on_win" if outcome.is_ace else "on_loss"
        case "perfect_pairs":
            return f"on_{outcome.pair or 'loss'}"
        case "war_perfect_pairs":
            return f"on_{outcome.second_pair or 'loss'}"
        case _:
            raise ValueError(f"there is no wager {wager!r} that can be valued: `Study.wagers()` tells which there are")


def initial_net(rules: Rulebook, outcome: Outcome, choice: Choice) -> Fraction:
    """The initial wager with all that follows from it: the war wager is counted here."""
    if outcome.first != "tie":
        return worth(rules.cells["initial", f"on_{outcome.first}"])
    if choice == "surrender":
        return ratio(-rules.forfeit.numerator, rules.forfeit.denominator)
    second = outcome.second
    return worth(rules.cells["initial", f"on_war_{second}"]) + war_stake(rules) * worth(
        rules.cells["war", f"on_{second}"]
    )


def war_stake(rules: Rulebook) -> Fraction:
    return ratio(rules.war_stake.numerator, rules.war_stake.denominator)


def amount_at_risk(rules: Rulebook, wager: str, outcome: Outcome, choice: Choice) -> Fraction:
    """What has been put at risk in this outcome, for one unit of the wager."""
    if wager == "initial" and outcome.first == "tie" and choice == "war":
        return 1 + war_stake(rules)
    return ONE


def lines(rules: Rulebook, outcome: Outcome, choice: Choice) -> tuple[str, ...]:
    """The lines of the progressive that are paid: all where they add up, else the best, as a jackpot always is."""
    made = _lines_made(rules, outcome, choice)
    if rules.progressive.lines == "cumulative" or not made:
        return made
    return (max(made, key=lambda line: (line == JACKPOT, worth(rules.cells["progressive", f"on_{line}"]))),)


def _lines_made(rules: Rulebook, outcome: Outcome, choice: Choice) -> tuple[str, ...]:
    if outcome.first != "tie":
        return ()
    is_suited = outcome.pair == "perfect"
    if choice == "surrender":
        if rules.progressive.on_surrender == "lost":
            return ()
        return ("suited_tie", "tie") if is_suited else ("tie",)
    is_double = outcome.second == "tie"
    are_suited = is_double and is_suited and outcome.second_pair == "perfect"
    is_four = is_double and outcome.is_same_rank
    made = {
        JACKPOT: are_suited and is_four and (outcome.is_identical or rules.progressive.suited_four == "suited_ties"),
        "suited_double_tie": outcome.is_one_suit if rules.progressive.suited_double == "one_suit" else are_suited,
        "four_of_a_kind": is_four,
        "double_tie": is_double,
        "suited_tie": is_suited,
        "tie": True,
    }
    return tuple(line for line, is_made in made.items() if is_made)


def progressive_net(rules: Rulebook, outcome: Outcome, choice: Choice) -> Fraction:
    """Odds pays alone, without meter and envy; the stake stays with the house unless the book gives it back."""
    paid = lines(rules, outcome, choice)
    if not paid:
        return worth(rules.cells["progressive", "on_loss"])
    pays = sum((worth(rules.cells["progressive", f"on_{line}"]) for line in paid), Fraction(0))
    return pays if rules.progressive.stake_returned else pays - 1
