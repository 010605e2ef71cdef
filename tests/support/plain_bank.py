"""A second, plain model of California's bank under `bank.model = covered`, written from the rules alone.

It shares no code with the engine or with the odds and imports nothing of either. It reads like the dealer's work: walk
round the table, come to a wager, look at what is left of the stake W, pay or take, go on.

What is left of W is spent by payoffs alone; what the bank collects does not come back to it. When the dealer comes to a
wager, only as much of it is in play as what is then left could pay at its odds; the rest goes back, won or lost.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

ORDER = "23456789TJQKA"
TIE_ODDS = 10


class Bettor(NamedTuple):
    """One player's wagers on one box, and what the player says when asked."""

    player: str
    box: int
    initial: int
    tie: int = 0
    choice: str = "war"
    war_tie: int = 0


class Cards(NamedTuple):
    """Ranks: one for each box, and the bank's; `second` holds the boxes at war."""

    first: Mapping[int, str]
    bank: str
    second: Mapping[int, str] = {}
    bank_second: str = ""


class Line(NamedTuple):
    """What became of one wager. `amount` of what was `placed` was in play; `returned` is counted within `amount`."""

    player: str
    box: int
    wager: str
    outcome: str
    placed: int
    amount: int
    paid: int
    returned: int

    @property
    def net(self) -> int:
        return self.paid + self.returned - self.amount


class AnyCommand(NamedTuple):
    """A tied player who was asked, and the part of the primary that the choice was about."""

    player: str
    box: int
    covered: int


class Banked(NamedTuple):
    """A round: each wager's line in the dealer's order, who was asked, and what is left of W."""

    lines: list[Line]
    asked: list[AnyCommand]
    left: int

    @property
    def net(self) -> int:
        """What the bank gained: all that the others lost."""
        return -sum(line.net for line in self.lines)


class War(NamedTuple):
    """A bettor at war over `covered`, which the bank has matched."""

    bettor: Bettor
    covered: int


def bank_round(stake: int, bettors: Sequence[Bettor], cards: Cards, odd_unit: str = "player") -> Banked:
    """`bettors` come in any order of boxes; on one box the seated player is named ahead of those behind."""
    clockwise = sorted(bettors, key=lambda one: one.box)
    lines: list[Line] = []
    asked: list[AnyCommand] = []
    wars: list[War] = []
    left = stake

    for one in clockwise:
        face = _compare(cards.first[one.box], cards.bank)
        if face != "tie":
            left = _settle(lines, left, one, "initial", one.initial, 1, face)
        if one.tie:
            left = _settle(lines, left, one, "tie", one.tie, TIE_ODDS, "win" if face == "tie" else "lose")

    for one in clockwise:
        if _compare(cards.first[one.box], cards.bank) != "tie":
            continue
        covered = min(one.initial, left)
        if covered == 0:
            lines.append(Line(one.player, one.box, "initial", "returned", one.initial, one.initial, 0, one.initial))
            continue
        asked.append(AnyCommand(one.player, one.box, covered))
        if one.choice == "surrender":
            lost = covered // 2 if odd_unit == "player" else covered - covered // 2
            lines.append(Line(one.player, one.box, "initial", "surrender", one.initial, covered, 0, covered - lost))
        else:
            left -= covered
            wars.append(War(one, covered))

    for one, match in wars:
        left = _end_war(lines, left, one, match, _compare(cards.second[one.box], cards.bank_second))
    return Banked(lines, asked, left)


def _settle(lines: list[Line], left: int, one: Bettor, wager: str, placed: int, odds: int, face: str) -> int:
    """A wager that the dealer comes to, at `odds` to 1; answers what is left after it."""
    could_pay = left // odds
    if left == 0 or (face == "lose" and could_pay == 0):
        lines.append(Line(one.player, one.box, wager, "returned", placed, placed, 0, placed))
        return left
    if face == "lose":
        lines.append(Line(one.player, one.box, wager, "lose", placed, min(placed, could_pay), 0, 0))
        return left
    paid = min(placed * odds, left)
    # All that is left is paid. Where that is no whole number of units at the odds, the last unit in play is paid short.
    amount = paid // odds + (paid % odds > 0)
    lines.append(Line(one.player, one.box, wager, "win", placed, amount, paid, amount))
    return left - paid


def _end_war(lines: list[Line], left: int, one: Bettor, match: int, face: str) -> int:
    """The match pays a war that is won. A tied war has as much again, if it is there. A lost war frees its match."""
    if face == "lose":
        left += match
        lines.append(Line(one.player, one.box, "initial", "lose", one.initial, match, 0, 0))
        lines.append(Line(one.player, one.box, "war", "lose", match, match, 0, 0))
    else:
        bonus = min(match, left) if face == "tie" else 0
        left -= bonus
        lines.append(Line(one.player, one.box, "initial", "push", one.initial, match, 0, match))
        lines.append(Line(one.player, one.box, "war", "win", match, match, match + bonus, match))
    if one.war_tie:
        left = _settle(lines, left, one, "war_tie", one.war_tie, TIE_ODDS, "win" if face == "tie" else "lose")
    return left


def _compare(card: str, bank: str) -> str:
    mine, other = ORDER.index(card), ORDER.index(bank)
    return "tie" if mine == other else "win" if mine > other else "lose"
