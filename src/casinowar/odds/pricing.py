"""Ways to price one reading of an unclear passage: a house edge from a study, and what stands beside it."""

from collections.abc import Callable
from fractions import Fraction

from casinowar.odds.bank import bank_figures, box_edges
from casinowar.odds.bank_settlement import TAKEN, Terms
from casinowar.odds.composition import by_card
from casinowar.odds.figures import Strategy, Study, combined, study
from casinowar.odds.progressive import Progressive, progressive
from casinowar.odds.rounding import OddUnit, rounding

Price = Callable[[Study], Fraction]
TENS = slice(4 * 8, 4 * 12)
"""Ten, jack, queen and king among the cards."""

SEATS, UNIT = 3, 100
"""Boxes against a short bank, and what each wagers in minor units."""

OTHERS = 6
"""Other bettors on the progressive, at a full table."""


def edge(wager: str, strategy: Strategy = "war") -> Price:
    return lambda studied: studied.figures(wager, strategy).house_edge


def at_stake(stake: int, odd_unit: OddUnit) -> Price:
    """The initial wager of somebody who surrenders every tie, in whole minor units."""

    def price(studied: Study) -> Fraction:
        row = next(one for one in rounding(studied, stake) if one.strategy == "surrender")
        met = row.edge(odd_unit)
        assert met is not None
        return met

    return price


def with_war_tie(studied: Study) -> Fraction:
    """One unit on the initial wager, and one on the tie of every war."""
    return combined(studied, {"initial": 1, "war_tie": 1}).house_edge


def short_bank(studied: Study) -> Fraction:
    """What a bank with one unit in all takes from three boxes with one unit each, per unit wagered."""
    return bank_figures(studied, SEATS, UNIT, UNIT).edge


def half_bank(studied: Study) -> Fraction:
    """The edge of a bank with half a unit in all, otherwise as `short_bank`."""
    return bank_figures(studied, SEATS, UNIT, UNIT // 2).edge


def short_bank_surrender(terms: Terms = TAKEN) -> Price:
    """What a bank with half a unit in all takes from three boxes with one unit each that surrender every tie."""
    return lambda studied: bank_figures(studied, SEATS, UNIT, UNIT // 2, 0, terms, choice="surrender").edge


def short_bank_under(terms: Terms, tie: int = 0) -> Price:
    """The edge of a short bank that settles under these terms, with `tie` on the tie wager of every box."""
    return lambda studied: bank_figures(studied, SEATS, UNIT, UNIT, tie, terms).edge


def of_box(at: int, terms: Terms = TAKEN, tie: int = 0) -> Price:
    """What one of the boxes gives up to the same bank: who comes first may be paid and who comes last may not."""
    return lambda studied: box_edges(studied, SEATS, UNIT, UNIT, tie, terms)[at]


def with_coupon(studied: Study) -> Fraction:
    """A coupon as large as the wager pays like it when it wins on the first cards, and costs nothing."""
    won = Fraction(0)
    for outcome, weight in studied.found.merged.items():
        if outcome.first == "win":
            won += Fraction(weight, studied.found.total)
    odds = studied.rules.cells["initial", "on_win"].odds
    return edge("initial")(studied) - won * (Fraction(odds.numerator, odds.denominator) if odds else 0)


def tens_pair(studied: Study) -> Fraction:
    """Perfect Pairs with ten, jack, queen and king as one denomination: the shoe folded so that they are."""
    cards = studied.composition.cards
    assert cards is not None
    tens = cards[TENS]
    folded = tuple(sum(tens[suit::4]) for suit in range(4)) + (0,) * 12
    return edge("perfect_pairs")(study(studied.rules, by_card(cards[: TENS.start] + folded + cards[TENS.stop :])))


def at_seed(studied: Study, strategy: Strategy = "war") -> Fraction:
    """The progressive of a lone bettor while the meter stands at its seed."""
    told = progressive(studied, strategy)
    return 1 - told.return_without_meter - told.return_per_meter_unit * studied.rules.progressive.seed


def among_others(units: int) -> Price:
    """The progressive at the seed, for a bettor of so many units beside six of one unit each, envy included.

    The meter is paid whole whatever was wagered. Envy grows with the recipient's wager or with the hitter's.
    """

    def price(studied: Study) -> Fraction:
        told, rules = progressive(studied), studied.rules.progressive
        grows = units if rules.envy_base == "recipient" else 1
        meter = _share(studied, told) * rules.seed
        envy = OTHERS * told.jackpot * rules.envy * grows
        return 1 - told.return_without_meter - (meter + envy) / (rules.unit * units)

    return price


def _share(studied: Study, told: Progressive) -> Fraction:
    """How much of the meter a bettor takes on average: what the break-even meters with and without envy say of it."""
    with_envy, without = told.break_even_meter[OTHERS], told.break_even_without_envy[OTHERS]
    if with_envy is None or without is None:
        return Fraction(0)
    rules = studied.rules.progressive
    if without:
        return (1 - told.return_without_meter) * rules.unit / without
    return OTHERS * told.jackpot * rules.envy / (without - with_envy) if rules.envy else told.jackpot
