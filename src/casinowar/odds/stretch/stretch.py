"""Many rounds of the same wagers: where the result lies after n of them, and what an hour costs.

Rounds are taken as independent, each from a fresh shoe. Dealt one after another out of one shoe, unseen, every round
has the same expectation, so that expected results are the same; two rounds hang together so little that the variance
hardly moves (6 decks: two tie wagers correlate by 0.00002, so 50 rounds of one shoe vary by 0.1% more than 50 rounds
of fresh ones; an initial wager hangs on the cards that are gone even less).

How a result after n rounds is found, by `method`:

- `exact` and `rounded`: the power of the round's polynomial, as `results.py` says.
- `normal`: the normal law with continuity correction; Berry and Esseen's bound with Shevtsova's constant is the error.
"""

from fractions import Fraction
from math import ceil, floor, sqrt
from statistics import NormalDist

import msgspec

from casinowar.errors import require_whole
from casinowar.odds.figures import Figures
from casinowar.odds.stretch.results import Chance, Results, chance_between, polynomial, results_after
from casinowar.odds.stretch.ruin import Ruin, ruin

BERRY_ESSEEN = Fraction(4748, 10_000)
"""The constant for sums of equal parts (Shevtsova, 2011)."""

QUANTILES = (
    Fraction(1, 100),
    Fraction(1, 20),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(3, 4),
    Fraction(19, 20),
    Fraction(99, 100),
)
NORMAL = NormalDist()


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of rounds. Results are in units; `stake` is a unit in minor units, `pace` is rounds an hour."""

    wager: str
    rounds: int
    stake: int
    method: str
    error: Fraction
    expected: Fraction
    sd: float
    n0: Fraction | None
    ahead: Chance
    even: Chance
    behind: Chance
    quantiles: dict[Fraction, Fraction]
    pace: int | None
    loss_per_hour: Fraction | None
    sd_per_hour: float | None
    ruin: Ruin | None


def stretch(
    figures: Figures, rounds: int, stake: int = 1, bankroll: Fraction | int | None = None, pace: int | None = None
) -> Stretch:
    """The stretch of a wager, or of several together, over `rounds` with flat stakes; the bankroll is in units."""
    require_whole(rounds=rounds, stake=stake, **({} if pace is None else {"pace": pace}))
    for name, value in (("rounds", rounds), ("stake", stake), ("bankroll", bankroll), ("pace", pace)):
        if value is not None and value <= 0:
            raise ValueError(f"{name} must be above nothing: {value}")
    results = results_after(figures, rounds)
    ahead, even, behind = _shares(figures, rounds, results)
    ev, variance = figures.ev, figures.variance
    return Stretch(
        wager=figures.wager,
        rounds=rounds,
        stake=stake,
        method=results.method if results else "normal",
        error=results.missing if results else berry_esseen(figures, rounds),
        expected=rounds * ev,
        sd=sqrt(rounds * variance),
        n0=variance / ev**2 if ev else None,
        ahead=ahead,
        even=even,
        behind=behind,
        quantiles={share: _quantile(figures, rounds, results, share) for share in QUANTILES},
        pace=pace,
        loss_per_hour=None if pace is None else -ev * pace * stake,
        sd_per_hour=None if pace is None else sqrt(pace * variance) * stake,
        ruin=None if bankroll is None else ruin(figures, Fraction(bankroll), rounds, results),
    )


def _shares(figures: Figures, rounds: int, results: Results | None) -> tuple[Chance, Chance, Chance]:
    lowest, step = _lattice(figures, rounds, results)
    below, up_to = ceil(-lowest / step), floor(-lowest / step) + 1
    if results is not None:
        ends = len(results.weights)
        return results.between(up_to, ends), results.between(below, up_to), results.between(0, below)
    error = berry_esseen(figures, rounds)
    behind = normal_below(figures, rounds, lowest + (below - Fraction(1, 2)) * step)
    not_ahead = normal_below(figures, rounds, lowest + (up_to - Fraction(1, 2)) * step)

    def off(chance: float, by: int = 1) -> Chance:
        return chance_between(Fraction(chance) - by * error, Fraction(chance) + by * error, Fraction(chance))

    is_possible = up_to > below
    return (
        off(1 - not_ahead),
        off(not_ahead - behind, 2) if is_possible else Chance(Fraction(0), Fraction(0)),
        off(behind),
    )


def _lattice(figures: Figures, rounds: int, results: Results | None) -> tuple[Fraction, Fraction]:
    if results is not None:
        return results.lowest, results.step
    one = polynomial(figures)
    return rounds * one.lowest, one.step


def normal_below(figures: Figures, rounds: int, result: Fraction) -> float:
    """The normal law's chance of less than this result, which lies half way between two that are possible."""
    return NORMAL.cdf(float(result - rounds * figures.ev) / sqrt(rounds * figures.variance))


def third_moment(figures: Figures) -> Fraction:
    """The third absolute moment: the mean cube of a round's distance from its expectation."""
    ev = figures.ev
    return sum((abs(net - ev) ** 3 * chance for net, chance in figures.distribution.items()), Fraction(0))


def berry_esseen(figures: Figures, rounds: int) -> Fraction:
    """How far the normal law can be off anywhere, rounded up."""
    bound = float(BERRY_ESSEEN * third_moment(figures)) / (figures.sd**3 * sqrt(rounds))
    return min(Fraction(1), Fraction(ceil(bound * 10**12), 10**12))


def _quantile(figures: Figures, rounds: int, results: Results | None, share: Fraction) -> Fraction:
    if results is not None:
        return results.quantile(share)
    lowest, step = _lattice(figures, rounds, results)
    place = float(rounds * figures.ev) + sqrt(rounds * figures.variance) * NORMAL.inv_cdf(float(share))
    return lowest + round((Fraction(place) - lowest) / step) * step
