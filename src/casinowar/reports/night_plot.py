"""The plot of a night: what rounds at a flat stake out of a bankroll come to, exactly, for the page to draw."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, sqrt

import msgspec

from casinowar.odds.composition import CompositionError, fresh
from casinowar.odds.figures import Strategy, study
from casinowar.odds.stretch.night import Night, night, steps_of
from casinowar.odds.stretch.slots import WHOLE
from casinowar.reports.explorer import SettingRefused, load_changed

MOST_STEPS = 511
"""Bankrolls that the simulation tells apart in one night, one step each."""

REACH = 5
"""So many standard deviations above the start are kept for nights that win."""

NEVER = Fraction(1, 10**9)
"""A bankroll so large that its end has no greater chance may be played as a smaller one: no night comes there."""

TAIL = 1e-6
BEYOND = Fraction(1, 10**5)
"""So many nights may win more than the simulation can tell apart, which counts them with the highest that it knows."""

TOO_FAR = "Rounds: the results of so many rounds lie too far apart here: play fewer, or set smaller payouts."


class NightEnd(msgspec.Struct, frozen=True):
    """A gain at the end of a night, and its chance."""

    gain: int
    chance: float


class NightPlot(msgspec.Struct, frozen=True):
    """A night, exactly. Amounts are gains in minor units; `error` is how far any chance can be off.

    `bands` has for each share (5, 25, 50, 75 and 95 of 100) the gain after each round, beginning with nothing before
    the first. `ends` are gains at the end with their chances, ascending. `steps` of a wager, and `start` steps of
    bankroll, are what the nights are played in.
    """

    rounds: int
    wager: int
    bankroll: int
    steps: int
    start: int
    bands: dict[str, list[int]]
    ends: list[NightEnd]
    ahead: float
    even: float
    behind: float
    gone: float
    error: float


def plot_night(
    book: str, settings: Mapping[str, object], strategy: Strategy, rounds: int, bankroll: int, wager: int
) -> NightPlot:
    """The night of the initial wager; `SettingRefused` where it cannot be played."""
    if bankroll < wager:
        raise SettingRefused("Bankroll: bring at least one wager, or wager less.")
    rules = load_changed(book, settings)
    if rules.bank.by == "player":
        raise SettingRefused("Players bank in this book: nights are played where the house banks.")
    try:
        studied = study(rules, fresh(rules.shoe.decks))
        usual, short = studied.figures("initial", strategy), studied.figures("initial", "surrender")
    except (CompositionError, ValueError) as error:
        raise SettingRefused(str(error)) from None
    steps = steps_of(usual, short)
    most = MOST_STEPS - ceil(REACH * steps * sqrt(rounds * usual.variance))
    start = bankroll * steps // wager
    stake = Fraction(rules.war_stake.numerator, rules.war_stake.denominator)
    if min(start, most) < steps:
        raise SettingRefused(TOO_FAR)
    found = night(usual, short, stake, min(start, most), rounds)
    if start > most and found.gone.high > NEVER:
        raise SettingRefused(f"Bankroll: bring at most {most // steps} wagers for so many rounds, or play fewer.")
    if sum(chance for at, chance in found.ends.items() if at > MOST_STEPS) > BEYOND * WHOLE:
        raise SettingRefused(TOO_FAR)
    return _plot(found, wager, bankroll)


def _plot(found: Night, wager: int, bankroll: int) -> NightPlot:
    def gain(at: int) -> int:
        return round(Fraction((at - found.start) * wager, found.steps))

    ends = [NightEnd(gain(at), chance / WHOLE) for at, chance in found.ends.items() if chance / WHOLE > TAIL]
    return NightPlot(
        rounds=found.rounds,
        wager=wager,
        bankroll=bankroll,
        steps=found.steps,
        start=found.start,
        bands={
            f"{float(100 * share):g}": [0, *(gain(at) for at in course)] for share, course in found.quantiles.items()
        },
        ends=ends,
        ahead=float(found.ahead.middle),
        even=float(found.even.middle),
        behind=float(found.behind.middle),
        gone=float(found.gone.middle),
        error=float(found.missing),
    )
