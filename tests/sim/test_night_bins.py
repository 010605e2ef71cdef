"""The bankrolls of nights: quantiles beside an exact walk, whatever the bankroll is, and how near a bin comes."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

import pytest

from casinowar.rulebooks import load_rulebook, load_with
from casinowar.sim import NightFigures, Plan, make_plan, run
from casinowar.sim.night_bins import bins_of
from casinowar.sim.tallies import NIGHT_BINS

NZ = load_rulebook("nz")
TIE = Fraction(23, 311)
WON = (1 - TIE) / 2
ROUND = {200: TIE * TIE, 100: WON + TIE * WON, -100: WON, -200: TIE * WON}
"""A round of who goes to war, in about: the second deal is taken to be of a full shoe, which is off by 10^-4."""

SHORT = {100: WON, -100: WON, -50: TIE}
"""The same for whoever cannot pay for a war."""


def walk(bankroll: int, rounds: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """The chances of each bankroll after so many rounds, and of each deepest fall: every way, one by one."""
    states = {(bankroll, bankroll, 0): Fraction(1)}
    for _ in range(rounds):
        following: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
        for (roll, peak, fall), chance in states.items():
            if roll < 100:
                following[roll, peak, fall] += chance
                continue
            for net, part in (ROUND if roll >= 200 else SHORT).items():
                top = max(peak, roll + net)
                following[roll + net, top, max(fall, top - roll - net)] += chance * part
        states = following
    rolls, falls = defaultdict[int, Fraction](Fraction), defaultdict[int, Fraction](Fraction)
    for (roll, _, fall), chance in states.items():
        rolls[roll] += chance
        falls[fall] += chance
    return rolls, falls


def is_quantile(value: int, share: Fraction, chances: dict[int, Fraction], nights: int) -> bool:
    """Whether it can be the quantile of so many nights: a value that there is, with the share within four errors."""
    error = 4 * float(share * (1 - share) / nights) ** 0.5 + 1e-3
    below = sum(chance for one, chance in chances.items() if one < value)
    return value in chances and below - error <= share <= below + chances[value] + error


def nights_of(session: int, bankroll: int) -> NightFigures:
    plan = make_plan(NZ, wagers={"initial": 100}, fresh=True, session=session, bankroll=bankroll)
    nights = run(plan, 9, 20 * 40_000).nights
    assert nights is not None
    return nights


@pytest.mark.parametrize("bankroll", [300, 500, 500_000, 10_000_000])
def test_quantiles_are_those_of_an_exact_walk(bankroll: int) -> None:
    """Of a poor player, who surrenders in the end for a half, and of a rich one, who moves in whole units."""
    nights = nights_of(session=10, bankroll=bankroll)
    rolls, falls = walk(bankroll, 10)
    assert nights.within == 0
    for share, row in nights.quantiles.items():
        assert is_quantile(row[-1], share, rolls, nights.nights), (share, row[-1])
        assert is_quantile(nights.fall_quantiles[share], share, falls, nights.nights), share


def test_quantiles_do_not_hang_on_what_is_never_played_for() -> None:
    """With the same seed, who has a hundred thousand units gains what one gains who has fifty."""
    poorer, richer = (nights_of(session=20, bankroll=bankroll) for bankroll in (5_000, 10_000_000))
    assert poorer.fall_quantiles == richer.fall_quantiles
    for share, row in poorer.quantiles.items():
        assert [one - 5_000 for one in row] == [one - 10_000_000 for one in richer.quantiles[share]]


MA = load_with("ma", {"wager.progressive": True})
PLANS = (
    make_plan(NZ, wagers={"initial": 100}, session=1000, bankroll=50_000),
    make_plan(NZ, wagers={"initial": 7}, session=10_000, bankroll=1_000_000),
    make_plan(NZ, wagers={"tie": 3}, session=5, bankroll=20),
    make_plan(load_rulebook("wa"), session=200, bankroll=20_000),
    make_plan(MA, session=50, bankroll=90_000, meter_runs=True),
    make_plan(MA, session=50, bankroll=90_000, meter=100_000),
)


@pytest.mark.parametrize("plan", PLANS)
def test_a_bin_stands_for_what_is_within_reach_of_its_middle(plan: Plan) -> None:
    """Each bankroll on the steps of money, put in its bin as the kernel does it, is as near as is told, or beyond."""
    bins = bins_of(plan)
    assert bins.width % bins.step == 0
    assert (bins.width == bins.step) == (bins.within == 0)
    most = bins.begin + 1000 * bins.width
    for roll in steps_around(plan.bankroll, bins.step, bins.lowest, min(most, bins.highest or most)):
        told = bins.bankroll(place := min(max(0, roll - bins.begin) // bins.width, NIGHT_BINS - 1))
        is_beyond = (place == 0 and told == bins.least) or (place == NIGHT_BINS - 1 and told == bins.most)
        assert abs(told - roll) <= bins.within or is_beyond
    for fall in range(0, 511 * bins.width, bins.step):
        assert abs(bins.fall(fall // bins.width) - fall) <= bins.within


def steps_around(middle: int, step: int, lowest: int, highest: int) -> Iterable[int]:
    return range(middle - (middle - lowest) // step * step, highest + 1, step)


def test_what_a_night_may_come_to_beyond_the_bins_is_told() -> None:
    """A night of 10,000 rounds may lose twice as many units, but hardly does; the bins are for what it is likely to."""
    figures = bins_of(PLANS[1])
    assert figures.least is not None
    assert figures.most is not None
    assert figures.deepest is not None
    assert figures.bankroll(0) == figures.least < 1_000_000 < figures.most == figures.bankroll(NIGHT_BINS - 1)
    short = bins_of(make_plan(NZ, wagers={"initial": 100}, session=50, bankroll=500_000))
    assert (short.most, short.deepest) == (None, None)


def test_the_middle_of_the_nights_is_never_in_the_outer_bins() -> None:
    """Where bins are narrow, they still hold what one night in a hundred comes to."""
    for chosen in ({"session": 2000, "bankroll": 10**7}, {"session": 100, "bankroll": 10**7, "wagers": None}):
        plan = make_plan(load_rulebook("wa"), **{"wagers": {"initial": 100}, **chosen}, fresh=True)  # type: ignore[arg-type]
        nights = run(plan, 5, plan.session * 1000).nights
        assert nights is not None
        ends = {row[-1] for row in nights.quantiles.values()}
        assert not {nights.least, nights.most} & ends
        assert nights.deepest not in nights.fall_quantiles.values()
