"""A night out of a bankroll, against every course of play counted in fractions, and against laws that are known."""

from fractions import Fraction

import pytest

from casinowar.odds.composition import fresh
from casinowar.odds.figures import Figures, study
from casinowar.odds.stretch.night import SHARES, Night, night, steps_of
from casinowar.odds.stretch.slots import WHOLE
from casinowar.odds.stretch.stretch import stretch
from casinowar.rulebooks import load_rulebook

HALF = Fraction(1, 2)
EVEN_MONEY = Figures("initial", {Fraction(-1): HALF, Fraction(1): HALF}, Fraction(1))
"""A coin: no tie, so that no war is ever short of money."""

USUAL = Figures(
    "initial",
    {Fraction(-2): Fraction(1, 10), Fraction(-1): Fraction(2, 5), Fraction(1): HALF},
    Fraction(1),
)
SHORT = Figures(
    "initial",
    {Fraction(-1): Fraction(2, 5), Fraction(-1, 2): Fraction(1, 10), Fraction(1): HALF},
    Fraction(1),
)
"""A game whose war loses two, and which gives up half where it cannot be paid for."""


def count_courses(start: Fraction, rounds: int) -> tuple[dict[Fraction, Fraction], Fraction]:
    """Bankrolls at the end and the chance that the stake is gone, by going through each course of play."""
    ends: dict[Fraction, Fraction] = {}
    gone = Fraction(0)

    def go(purse: Fraction, chance: Fraction, left: int) -> None:
        nonlocal gone
        if left == 0 or purse < 1:
            ends[purse] = ends.get(purse, Fraction(0)) + chance
            gone += chance if purse < 1 else 0
            return
        for net, one in (USUAL if purse >= 2 else SHORT).distribution.items():
            go(purse + net, chance * one, left - 1)

    go(start, Fraction(1), rounds)
    return ends, gone


def found_ends(found: Night) -> dict[Fraction, float]:
    return {Fraction(at, found.steps): chance / WHOLE for at, chance in found.ends.items()}


@pytest.mark.parametrize("start", [1, 2, 3, Fraction(3, 2)])
def test_every_course_of_eight_rounds(start: Fraction) -> None:
    ends, gone = count_courses(Fraction(start), 8)
    found = night(USUAL, SHORT, Fraction(1), int(2 * start), 8)
    assert steps_of(USUAL, SHORT) == 2
    assert found_ends(found) == pytest.approx({purse: float(chance) for purse, chance in ends.items()}, abs=1e-20)
    assert found.gone.low <= gone <= found.gone.high
    assert found.missing < Fraction(1, 10**25)
    ahead = sum(chance for purse, chance in ends.items() if purse > start)
    assert float(found.ahead.middle) == pytest.approx(float(ahead))
    assert float(found.ahead.middle + found.even.middle + found.behind.middle) == pytest.approx(1)


def test_a_coin_is_ruined_as_by_the_law_of_reflection() -> None:
    """From 4 units within 10 throws: P(S <= -4) + P(S < -4) of 2^10 ways; S = -4 needs 7 tails, -6 eight, and so on."""
    found = night(EVEN_MONEY, EVEN_MONEY, Fraction(1), 8, 10)
    ways = (120 + 45 + 10 + 1) + (45 + 10 + 1)
    assert float(found.gone.middle) == pytest.approx(ways / 1024)


def test_quantiles_after_the_first_round() -> None:
    found = night(USUAL, SHORT, Fraction(1), 20, 1)
    assert [found.quantiles[share] for share in SHARES] == [[16], [18], [18], [22], [22]]


def test_a_bankroll_that_lasts_is_the_stretch_of_the_same_rounds() -> None:
    rules = load_rulebook("wa")
    studied = study(rules, fresh(rules.shoe.decks))
    war, surrender = studied.figures("initial", "war"), studied.figures("initial", "surrender")
    found, known = night(war, surrender, Fraction(1), 500, 100), stretch(war, 100)
    assert float(found.ahead.middle) == pytest.approx(float(known.ahead.middle), abs=1e-15)
    assert float(found.even.middle) == pytest.approx(float(known.even.middle), abs=1e-15)
    for share in SHARES:
        assert Fraction(found.quantiles[share][-1] - 500, 2) == known.quantiles[share]


def test_without_a_stake_there_is_no_night() -> None:
    with pytest.raises(ValueError, match="the stake for it"):
        night(USUAL, SHORT, Fraction(1), 1, 5)
