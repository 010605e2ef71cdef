"""War or surrender: where war is never worse, why, and which cards left make an exception.

After a tie the two second cards may be swapped, so that war is won as often as it is lost, whatever is left in the
shoe. With a chance t of a second tie, each comes to (1 - t) / 2, and all that the composition can change is t. What
war is worth beyond surrender is therefore a straight line in t. A line that is nowhere below zero between t = 0 and
t = 1 proves the point for every composition and every rank at once. Both ends occur near the end of a shoe, so that
nothing less will do.
"""

from fractions import Fraction

import msgspec

from casinowar.cards import RANKS
from casinowar.odds.composition import Composition, by_rank
from casinowar.odds.figures import Study
from casinowar.odds.outcomes import LEAST, Outcome
from casinowar.odds.wagers import initial_net
from casinowar.rulebooks import Rulebook


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
    alike = by_rank((others + 2, *[0] * 12) if others + 2 <= most else (2, *_filled(others, most)))
    return next((cards for cards in (spread, alike) if line.at(second_tie(cards, RANKS[0])) < 0), None)


def _filled(cards: int, most: int) -> list[int]:
    """So many cards over the twelve other ranks, one rank after the other."""
    return [min(most, max(0, cards - most * at)) for at in range(12)]
