"""The side of the one who banks: what every box together takes and pays, also where a stake covers only so much.

The boxes play alike: one initial wager each, perhaps a tie wager beside it, and the same choice on every tie, which is
war unless told otherwise. They share the dealer's two cards and are otherwise exchangeable, so a round is an ordered
list of results, one for each box, and its chance hangs only on how often each result is in it.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, perm, sqrt

import msgspec

from casinowar.cards import RANKS
from casinowar.errors import require_whole
from casinowar.odds.bank_settlement import ON_CHOICE, TAKEN, Seat, Terms, full_coverage, settle
from casinowar.odds.boxes import covariance
from casinowar.odds.composition import CompositionError
from casinowar.odds.figures import Study, mean, variance
from casinowar.odds.wagers import Choice

MOST_BOXES = 7


class BankFigures(msgspec.Struct, frozen=True):
    """What the bank gains in a round, in minor units, with `coverage` put in against so much on every box.

    The edge is the expected gain per unit that the boxes wager at the start, whether covered or not.
    """

    boxes: int
    stake: int
    tie: int
    coverage: int
    distribution: dict[int, Fraction]

    @property
    def ev(self) -> Fraction:
        return mean(self.distribution)

    @property
    def variance(self) -> Fraction:
        return variance(self.distribution)

    @property
    def sd(self) -> float:
        return sqrt(self.variance)

    @property
    def edge(self) -> Fraction:
        return self.ev / (self.boxes * (self.stake + self.tie))

    @property
    def return_on_coverage(self) -> Fraction:
        """Expected gain per unit that the bank put in."""
        return self.ev / self.coverage


def bank_figures(
    study: Study,
    boxes: int,
    stake: int,
    coverage: int | None = None,
    tie: int = 0,
    terms: Terms = TAKEN,
    *,
    choice: Choice = "war",
) -> BankFigures:
    """Exact, for one to seven boxes with `stake` on the initial and `tie` on the tie wager of each.

    With `coverage` none, all is covered. Only a player's bank can be short.

    >>> from casinowar import odds, rulebooks
    >>> rules = rulebooks.load_rulebook("ca")
    >>> banked = odds.bank_figures(odds.study(rules, odds.fresh(rules.shoe.decks)), boxes=1, stake=100)
    >>> float(banked.ev)
    2.330056806337819
    """
    require_whole(boxes=boxes, stake=stake, tie=tie, **({} if coverage is None else {"coverage": coverage}))
    rules = study.rules
    if not 1 <= boxes <= MOST_BOXES:
        raise ValueError(f"{boxes} boxes: a bank is valued against 1 to {MOST_BOXES}")
    if stake < 1 or tie < 0:
        raise ValueError("every box has an initial wager of one minor unit or more")
    if tie and not rules.wager.tie:
        raise ValueError("the book has no tie wager")
    if coverage is not None and rules.bank.by == "house":
        raise ValueError("the house covers every wager; only a player's bank can be short")
    if coverage is not None and coverage < 1:
        raise ValueError("the bank puts in one minor unit or more")
    put_in = full_coverage(rules, boxes, stake, tie) if coverage is None else coverage
    is_full = put_in >= full_coverage(rules, boxes, stake, tie)
    found: dict[int, dict[Tally, int]] = {}
    for results, orders in _rounds(boxes, is_full, ON_CHOICE[choice]):
        net = -sum(settle(rules, [Seat(stake, tie, result) for result in results], put_in, terms))
        tallies, tally = found.setdefault(net, {}), _tally(results, choice)
        tallies[tally] = tallies.get(tally, 0) + orders
    chances = result_chances(study, boxes, choice)
    distribution = {
        net: sum((orders * chances[tally] for tally, orders in tallies.items()), Fraction(0))
        for net, tallies in sorted(found.items())
    }
    return BankFigures(boxes, stake, tie, put_in, {net: chance for net, chance in distribution.items() if chance})


def box_edges(
    study: Study,
    boxes: int,
    stake: int,
    coverage: int,
    tie: int = 0,
    terms: Terms = TAKEN,
    *,
    choice: Choice = "war",
) -> list[Fraction]:
    """What each box gives up, from the dealer's left, per unit that it wagers against a bank that may be short."""
    chances = result_chances(study, boxes, choice)
    lost = [Fraction(0)] * boxes
    for results in product(ON_CHOICE[choice], repeat=boxes):
        chance = chances[_tally(results, choice)]
        nets = settle(study.rules, [Seat(stake, tie, result) for result in results], coverage, terms)
        lost = [so_far - chance * net for so_far, net in zip(lost, nets, strict=True)]
    return [one / (stake + tie) for one in lost]


def full_moments(study: Study, boxes: int, stake: int, tie: int = 0) -> tuple[Fraction, Fraction]:
    """Expectation and variance of a bank that covers everything, from one box and from what two boxes share."""
    initial = study.figures("initial")
    ev = -boxes * stake * initial.ev
    alone = stake**2 * initial.variance
    shared = stake**2 * covariance(study, "initial", "initial")
    if tie:
        beside = study.figures("tie")
        ev -= boxes * tie * beside.ev
        together = sum(
            (chance * one * two for (one, two), chance in study.joint(("initial", "tie")).items() if one and two),
            Fraction(0),
        )
        alone += tie**2 * beside.variance + 2 * stake * tie * (together - initial.ev * beside.ev)
        shared += tie**2 * covariance(study, "tie", "tie") + 2 * stake * tie * covariance(study, "initial", "tie")
    return ev, boxes * alone + boxes * (boxes - 1) * shared


# How the cards fall.

Tally = tuple[int, ...]
"""How many boxes have each of the results that the choice leaves open."""


def _rounds(boxes: int, is_full: bool, possible: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], int]]:
    """Lists of results, with in how many orders each is meant; the order matters only where the bank may be short."""
    if not is_full:
        yield from ((results, 1) for results in product(possible, repeat=boxes))
        return
    for results in combinations_with_replacement(possible, boxes):
        orders, placed = 1, 0
        for result in possible:
            count = results.count(result)
            placed += count
            orders *= comb(placed, count)
        yield results, orders


def _tally(results: Sequence[str], choice: Choice) -> Tally:
    return tuple(results.count(result) for result in ON_CHOICE[choice])


def result_chances(study: Study, boxes: int, choice: Choice = "war") -> dict[Tally, Fraction]:
    """The chance of one ordered list of results with each tally; every order of the same tally is as likely."""
    composition, rules = study.composition, study.rules
    burns = rules.war.burn + rules.war.burn_before_banker
    least = 2 * (boxes + 1) + burns
    size = composition.size
    if size < least:
        raise CompositionError(f"{size} cards are too few: {boxes} boxes at war take {least}")
    counts = [composition.ranks[RANKS.index(rank)] for rank in rules.cards.ranks]
    chances: dict[Tally, Fraction] = {}
    for tally in product(range(boxes + 1), repeat=len(ON_CHOICE[choice])):
        if sum(tally) != boxes:
            continue
        wars = sum(tally[2:]) if choice == "war" else 0
        cards = boxes + 1 + (wars + 1 if wars else 0)
        ways = _war_ways(counts, tally) if wars else one_deal_ways(counts, *tally[:3])
        chances[tally] = Fraction(ways, perm(size, cards))
    return chances


def one_deal_ways(counts: Sequence[int], losses: int, wins: int, ties: int) -> int:
    """One card to each box and to the dealer: losers below the dealer's card, winners above it, ties as high."""
    below, ways, size = 0, 0, sum(counts)
    for count in counts:
        ways += perm(count, ties + 1) * perm(below, losses) * perm(size - below - count, wins)
        below += count
    return ways


def _war_ways(counts: list[int], tally: Tally) -> int:
    """The dealer's two cards of one rank, the second above the first, or below it, which is the same upside down."""
    losses, wins, war_losses, war_ties, war_wins = tally
    tied = war_losses + war_ties + war_wins
    ways, below, size = 0, 0, sum(counts)
    for count in counts:
        above = size - below - count
        ways += perm(count, tied + war_ties + 2) * perm(below, losses + war_losses) * perm(above, wins + war_wins)
        below += count
    upside_down = (wins, losses, war_wins, war_ties, war_losses)
    return ways + _rising_ways(counts, tally) + _rising_ways(counts[::-1], upside_down)


def _rising_ways(counts: list[int], tally: Tally) -> int:
    """The dealer's second card is above the first; whoever wins first or loses later may share ranks with others."""
    losses, wins, war_losses, war_ties, war_wins = tally
    tied = war_losses + war_ties + war_wins
    winners, losers = list(_thirds(wins)), list(_thirds(war_losses))
    ways = 0
    for first, first_count in enumerate(counts):
        below = sum(counts[:first])
        for second in range(first + 1, len(counts)):
            between, above = sum(counts[first + 1 : second]), sum(counts[second + 1 :])
            for at_between, at_second, at_above, as_winners in winners:
                upper = as_winners * perm(counts[second], war_ties + 1 + at_second) * perm(above, war_wins + at_above)
                if not upper:
                    continue
                for at_below, at_first, in_between, as_losers in losers:
                    ways += (
                        upper
                        * as_losers
                        * perm(below, losses + at_below)
                        * perm(first_count, tied + 1 + at_first)
                        * perm(between, at_between + in_between)
                    )
    return ways


def _thirds(count: int) -> Iterable[tuple[int, int, int, int]]:
    """Every way to part so many boxes over three places, and how many orders each has."""
    for one in range(count + 1):
        for two in range(count - one + 1):
            yield one, two, count - one - two, comb(count, one) * comb(count - one, two)
