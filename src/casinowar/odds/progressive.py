"""The progressive: what its lines return, what the meter adds, and from which meter on the wager is worth its price."""

from fractions import Fraction
from math import comb, perm

import msgspec

from casinowar.cards import RANKS
from casinowar.odds.composition import CompositionError
from casinowar.odds.figures import Strategy, Study
from casinowar.odds.outcomes import Outcome
from casinowar.odds.wagers import JACKPOT, LINES, lines, worth

MOST_OTHERS = 6
"""Other bettors at a table of seven boxes."""


class Progressive(msgspec.Struct, frozen=True):
    """Figures for one unit wagered: each line's chance, and what comes back without the meter and without envy.

    A break-even meter is in minor units, for a wager of one `progressive.unit`, by the number of other bettors.
    """

    lines: dict[str, Fraction]
    return_without_meter: Fraction
    jackpot: Fraction
    return_per_meter_unit: Fraction
    break_even_meter: dict[int, Fraction | None]
    break_even_without_envy: dict[int, Fraction | None]


def progressive(study: Study, strategy: Strategy = "war") -> Progressive:
    """The figures of the progressive: each line's chance and pay, the meter's share, and where it pays.

    >>> from casinowar import odds, rulebooks
    >>> found = odds.progressive(odds.study(rulebooks.load_rulebook("ma"), odds.fresh(6)))
    >>> f"{float(found.lines['tie']):.5f}"
    '0.05360'
    """
    rules = study.rules
    if study.composition.cards is None:
        raise CompositionError("the progressive asks for suits: give the composition by card")
    chances, paid = _returns(study, strategy)
    share, whole = (int(part) for part in rules.progressive.meter_share.split(":"))
    jackpot = chances[JACKPOT]
    taken = _expected_shares(study, strategy) if jackpot else {}
    envy = jackpot * rules.progressive.envy

    def break_even(others: int, envy: Fraction) -> Fraction | None:
        """The meter at which one unit comes back whole on average; none where no jackpot is possible."""
        if not share or not taken.get(others):
            return None
        return ((1 - paid) * rules.progressive.unit - others * envy) * whole / (share * taken[others])

    return Progressive(
        lines=chances,
        return_without_meter=paid,
        jackpot=jackpot,
        return_per_meter_unit=jackpot * share / whole / rules.progressive.unit,
        break_even_meter={k: break_even(k, envy) for k in range(MOST_OTHERS + 1)},
        break_even_without_envy={k: break_even(k, Fraction(0)) for k in range(MOST_OTHERS + 1)},
    )


def _returns(study: Study, strategy: Strategy) -> tuple[dict[str, Fraction], Fraction]:
    """Each line's chance, and what one unit brings back of odds and stake."""
    rules, plan, total = study.rules, study.plan(strategy), study.found.total
    ways = dict.fromkeys(LINES, 0)
    back = 0
    for outcome, weight in study.outcomes(strategy):
        made = lines(rules, outcome, plan(outcome))
        for line in made:
            ways[line] += weight
        is_back = rules.progressive.stake_returned if made else rules.cells["progressive", "on_loss"].outcome == "push"
        back += weight * is_back
    paid = sum((worth(rules.cells["progressive", f"on_{line}"]) * weight for line, weight in ways.items()), Fraction(0))
    return {line: Fraction(weight, total) for line, weight in ways.items()}, (paid + back) / total


def _expected_shares(study: Study, strategy: Strategy) -> dict[int, Fraction]:
    """How much of the meter a bettor takes on average beside so many others, where those who hit it at once share it.

    Somebody else hits it only with the very cards that the dealer has, so a few of one card must come together.
    """
    plan = study.plan(strategy)
    cards = study.composition.cards or ()
    at_war = tuple(
        counts if plan(Outcome("tie", rank=rank)) == "war" else (0, 0, 0, 0)
        for rank, counts in zip(RANKS, (cards[at : at + 4] for at in range(0, 52, 4)), strict=True)
    )
    jackpots = [_all_hit(study, at_war, count) for count in range(1, MOST_OTHERS + 2)]
    if study.rules.progressive.hitters == "full_each":
        return dict.fromkeys(range(MOST_OTHERS + 1), jackpots[0])
    return {
        others: sum(
            ((-1) ** more * comb(others, more) * jackpots[more] / (more + 1) for more in range(others + 1)), Fraction(0)
        )
        for others in range(MOST_OTHERS + 1)
    }


def _all_hit(study: Study, at_war: tuple[tuple[int, ...], ...], bettors: int) -> Fraction:
    """The chance that these bettors all make the jackpot, whatever others do, with cards of ranks that go to war."""
    out = 2 + 2 * bettors
    if study.composition.size < out:
        return Fraction(0)
    ways = sum(perm(count, out) for counts in at_war for count in counts)
    if study.rules.progressive.suited_four == "suited_ties":
        ways += sum(
            perm(counts[one], out // 2) * perm(counts[two], out // 2)
            for counts in at_war
            for one in range(4)
            for two in range(4)
            if one != two
        )
    return Fraction(ways, perm(study.composition.size, out))
