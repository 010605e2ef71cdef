"""War or surrender: where war is never worse, why, and which cards left make an exception.

After a tie the two second cards may be swapped, so that war is won as often as it is lost, whatever is left in the
shoe. With a chance t of a second tie, each comes to (1 - t) / 2, and all that the composition can change is t. What
war is worth beyond surrender is therefore a straight line in t. A line that is nowhere below zero between t = 0 and
t = 1 proves the point for every composition and every rank at once. Both ends occur near the end of a shoe, so that
nothing less will do.

Against a bank that may be short the choice is about the covered part, and what it is worth hangs on the other tied
boxes. All first cards lie open, so what is left in the shoe is known, and with it every chance of the second cards. The
boxes are asked clockwise, and each hears what those before it have said.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import perm

import msgspec

from casinowar.cards import RANKS
from casinowar.odds.bank import one_deal_ways
from casinowar.odds.bank_settlement import Seat, settle
from casinowar.odds.composition import Composition, CompositionError, by_rank
from casinowar.odds.figures import Study
from casinowar.odds.outcomes import LEAST, Outcome
from casinowar.odds.wagers import Choice, initial_net
from casinowar.rulebooks import Rulebook

CHOICES: tuple[Choice, ...] = ("war", "surrender")
SECOND = ("war_loss", "war_win", "war_tie")


class Margin(msgspec.Struct, frozen=True):
    """What war is worth beyond surrender, per unit of the initial wager: `without_tie` + t * `per_tie`."""

    without_tie: Fraction
    per_tie: Fraction

    def at(self, tie: Fraction) -> Fraction:
        return self.without_tie + tie * self.per_tie

    @property
    def is_never_worse(self) -> bool:
        """War is at least as good as surrender in every composition."""
        return self.at(Fraction(0)) >= 0 and self.at(Fraction(1)) >= 0

    @property
    def turns_at(self) -> Fraction | None:
        """The chance of a second tie at which both are worth the same; none where one of them is always better."""
        if not self.per_tie:
            return None
        tie = -self.without_tie / self.per_tie
        return tie if 0 <= tie <= 1 else None


def margin(rules: Rulebook) -> Margin:
    win, tie, loss = (initial_net(rules, Outcome("tie", second=second), "war") for second in ("win", "tie", "loss"))
    surrender = initial_net(rules, Outcome("tie"), "surrender")
    even = (win + loss) / 2
    return Margin(even - surrender, tie - even)


def second_tie(composition: Composition, rank: str) -> Fraction:
    """The chance of a second tie, once two cards of this rank have tied."""
    left = [count - 2 * (rank == tied) for tied, count in zip(RANKS, composition.ranks, strict=True)]
    size = sum(left)
    return Fraction(sum(count * (count - 1) for count in left), size * (size - 1))


def margins(study: Study) -> dict[str, Fraction]:
    """What war is worth beyond surrender in this composition, by the rank that has tied."""
    line = margin(study.rules)
    held = zip(RANKS, study.composition.ranks, strict=True)
    return {rank: line.at(second_tie(study.composition, rank)) for rank, count in held if count >= 2}


def exception(rules: Rulebook) -> Composition | None:
    """The fewest cards with which surrender is better after two deuces have tied, or none where the proof holds.

    The line is lowest at an end: where the others are spread over the ranks, so that hardly any two are alike, or
    where all are, as far as the decks have so many.
    """
    line = margin(rules)
    others = LEAST - 2 + rules.war.burn + rules.war.burn_before_banker
    spread = by_rank(tuple(others // 13 + (at < others % 13) + 2 * (at == 0) for at in range(13)))
    most = 4 * rules.shoe.decks
    alike = by_rank((others + 2, *[0] * 12) if others + 2 <= most else (2, *_fill_ranks(others, most)))
    return next((cards for cards in (spread, alike) if line.at(second_tie(cards, RANKS[0])) < 0), None)


def _fill_ranks(cards: int, most: int) -> list[int]:
    """Spread so many cards over the twelve other ranks, one rank after the other."""
    return [min(most, max(0, cards - most * at)) for at in range(12)]


# Against a bank that may be short.


class Tied(msgspec.Struct, frozen=True):
    """A tied box: its initial wager in minor units, and what its player chooses."""

    initial: int
    choice: Choice


def choice_values(rules: Rulebook, rest: Composition, tied: Sequence[Tied], left: int) -> list[Fraction]:
    """What each tied box gains on average, in minor units, from the dealer's left.

    `left` is what the bank can still pay after the first pass, `rest` are the cards that have not been dealt.
    """
    values = [Fraction(0)] * len(tied)
    for results, chance in _seconds(rules, rest, tied):
        seats = [Seat(box.initial, 0, result) for box, result in zip(tied, results, strict=True)]
        nets = settle(rules, seats, left)
        values = [value + chance * net for value, net in zip(values, nets, strict=True)]
    return values


def best_choices(rules: Rulebook, rest: Composition, initials: Sequence[int], left: int) -> tuple[Choice, ...]:
    """The best choice of each tied box, knowing that later ones choose what is best for them; war where both are equal.

    A box for which nothing is left is not asked, and both choices are worth the same to it.
    """
    return tuple(box.choice for box in _best(rules, rest, (), tuple(initials), left))


def _best(
    rules: Rulebook, rest: Composition, said: tuple[Tied, ...], waiting: tuple[int, ...], left: int
) -> tuple[Tied, ...]:
    if not waiting:
        return said
    ends = [_best(rules, rest, (*said, Tied(waiting[0], choice)), waiting[1:], left) for choice in CHOICES]
    return max(ends, key=lambda end: choice_values(rules, rest, end, left)[len(said)])


def _seconds(rules: Rulebook, rest: Composition, tied: Sequence[Tied]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every list of results of these boxes, with its chance."""
    counts = [rest.ranks[RANKS.index(rank)] for rank in rules.cards.ranks]
    wars = sum(box.choice == "war" for box in tied)
    if wars and rest.size <= wars:
        raise CompositionError(f"{rest.size} cards are too few: {wars} boxes at war take {wars + 1}")
    for seconds in product(SECOND, repeat=wars):
        ways = one_deal_ways(counts, *(seconds.count(result) for result in SECOND)) if wars else 1
        upcoming = iter(seconds)
        results = tuple(next(upcoming) if box.choice == "war" else "surrender" for box in tied)
        yield results, Fraction(ways, perm(rest.size, wars + 1) if wars else 1)
