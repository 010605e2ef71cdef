"""How a bank settles: what each box gains, seat by seat, from a stake that may cover only so much."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from casinowar.odds.rounding import forfeit
from casinowar.odds.wagers import Choice, war_stake
from casinowar.rulebooks import Cell, Rulebook

RESULTS = ("loss", "win", "war_loss", "war_tie", "war_win")
"""The results of a box whose player always goes to war."""

ON_CHOICE: dict[Choice, tuple[str, ...]] = {"war": RESULTS, "surrender": ("loss", "win", "surrender")}
"""How a box can fare, by what its player always chooses after a tie."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How a bank that may run out goes about it; the readings taken, unless told otherwise (AMB-12, AMB-13).

    `order` is that of the first pass: seat by seat, every loser ahead of every winner, tie wagers ahead of initial
    wagers, or seat by seat from the left of a bank that sits between the first box and the second. The match of a war
    is set aside when war is chosen, or set aside with what a tie adds, or found when it is paid. `when_empty` is what
    becomes of a tied player for whom nothing is left: the wager goes back, war is played unmatched, or half is lost.
    `forfeit` is what a surrender is about where the model cuts the wager first: the covered part, or all of it.
    """

    order: Literal["seats", "losers", "ties", "bank"] = "seats"
    match: Literal["chosen", "with_bonus", "paid"] = "chosen"
    when_empty: Literal["back", "war", "surrender"] = "back"
    forfeit: Literal["covered", "whole"] = "covered"


TAKEN = Terms()


class Seat(msgspec.Struct, frozen=True):
    """A box with its wagers in minor units, and what the cards make of it."""

    initial: int
    tie: int
    result: str

    @property
    def is_tied(self) -> bool:
        return self.result not in ("loss", "win")


class BankCover:
    """The cover of a bank: what it can still pay, as the book's model counts it (CA-BS-5, CA-RP-9b, AMB-11).

    A payoff cap is used up by what is paid. Under a revolving bank what is taken can be paid out again. Under an action
    cap what is taken uses it up as well. A covered wager is under a payoff cap too, but it is lost only as far as it
    could have been paid.
    """

    def __init__(self, rules: Rulebook, coverage: int) -> None:
        self.model = rules.bank.model
        self.takes_on = rules.bank.after_exhaustion == "collect_losers" and self.model != "covered"
        self.left = coverage

    def settle(self, wager: "Wager") -> int:
        """What a wager of the first deal gains. Once nothing is left, wagers go back (CA-BS-5b, AMB-12)."""
        if due := _due(wager.cell, wager.amount):
            return self.pay(due)
        if not self.left and not self.takes_on:
            return 0
        lost = _loss(wager.cell, wager.amount)
        return -self.take(min(lost, _payable(wager.top, self.left)) if self.model == "covered" else lost)

    def pay(self, due: int) -> int:
        paid = min(due, self.left)
        self.left -= paid
        return paid

    def take(self, amount: int) -> int:
        match self.model:
            case "action_cap":
                amount = min(amount, self.left)
                self.left -= amount
            case "revolving":
                self.left += amount
            case "payoff_cap" | "covered":
                pass
        return amount

    def end_war(self, rules: Rulebook, seat: Seat, reserved: int) -> int:
        """What a matched war gains: its match pays first, then what is left; a war lost sets its match free."""
        (initial, match, _), (war, staked, _) = _war_wagers(rules, seat)
        self.left += reserved - match
        net = self.pay(_due(initial, match)) - self._keep(_loss(initial, match))
        if due := _due(war, staked):
            return net + min(due, match) + self.pay(max(0, due - match))
        if self.model != "action_cap":
            self.left += match
        return net - self._keep(_loss(war, staked))

    def _keep(self, lost: int) -> int:
        """A matched wager is taken whole; the match has been used up for it."""
        if self.model == "revolving":
            self.left += lost
        return lost


class Wager(NamedTuple):
    """What the cards make of a wager, how much it is, and the cell that pays it where it wins."""

    cell: Cell
    amount: int
    top: Cell


def settle(rules: Rulebook, seats: Sequence[Seat], coverage: int, terms: Terms = TAKEN) -> list[int]:
    """What each box gains, clockwise (CA-RP-1 to CA-RP-9, AMB-11 to AMB-13).

    First every initial wager that is not tied and every tie wager, in their order. Then the bank matches the wars from
    what remains; a war is about the matched part and the rest goes back. Then the second cards, seat by seat.
    """
    cover = BankCover(rules, coverage)
    nets = [0] * len(seats)
    for at, wager in _first_pass(rules, seats, terms):
        nets[at] += cover.settle(wager)
    matched: dict[int, tuple[Seat, int]] = {}
    for at in _clockwise(seats, terms):
        seat = seats[at]
        if not seat.is_tied:
            continue
        if cover.left and seat.result != "surrender":
            matched[at] = _match(rules, cover, seat, terms)
        elif cover.left or terms.when_empty == "surrender":
            nets[at] -= cover.take(forfeit(rules, _surrendered_part(cover, seat, terms), rules.surrender.odd_unit))
        elif terms.when_empty == "war":
            matched[at] = seat, 0
    for at, (seat, reserved) in matched.items():
        nets[at] += cover.end_war(rules, seat, reserved) if reserved else _settle_unmatched(rules, cover, seat, terms)
    return nets


def _clockwise(seats: Sequence[Seat], terms: Terms) -> list[int]:
    """Seats in the order in which they are settled."""
    places = list(range(len(seats)))
    return [*places[1:], *places[:1]] if terms.order == "bank" else places


def _first_pass(rules: Rulebook, seats: Sequence[Seat], terms: Terms) -> list[tuple[int, Wager]]:
    """What is settled on the first cards, in order: the seat, and what its wager comes to."""
    acts = [(at, wager) for at in _clockwise(seats, terms) for wager in _wagers(rules, seats[at])]
    match terms.order:
        case "losers":
            return sorted(acts, key=lambda act: _due(act[1].cell, act[1].amount) > 0)
        case "ties":
            return sorted(acts, key=lambda act: act[1].top is not rules.cells["tie", "on_win"])
        case "seats" | "bank":
            return acts


def _surrendered_part(cover: BankCover, seat: Seat, terms: Terms) -> int:
    """The part of a tied wager that a surrender is about (AMB-13)."""
    is_cut = cover.model == "covered" and cover.left and terms.forfeit == "covered"
    return min(seat.initial, cover.left) if is_cut else seat.initial


def _match(rules: Rulebook, cover: BankCover, seat: Seat, terms: Terms) -> tuple[Seat, int]:
    """The part of a war that is at stake, and what has been set aside for it."""
    match terms.match:
        case "paid":
            return seat, 0
        case "chosen":
            matched = cover.pay(seat.initial)
            return Seat(matched, 0, seat.result), matched
        case "with_bonus":
            most = max(_most_due(rules), Fraction(1))
            matched = min(seat.initial, int(cover.left / most))
            return Seat(matched, 0, seat.result), cover.pay(int(matched * most))


def _most_due(rules: Rulebook) -> Fraction:
    """The most that a war can win, per unit of the initial wager."""
    fine = 10**6
    seats = (Seat(fine, 0, result) for result in ("war_win", "war_tie"))
    return max(Fraction(sum(_due(*wager[:2]) for wager in _war_wagers(rules, seat)), fine) for seat in seats)


def _settle_unmatched(rules: Rulebook, cover: BankCover, seat: Seat, terms: Terms) -> int:
    """A war for which nothing was set aside: winners have what is left, losers lose as the terms have it."""
    if terms.when_empty == "war" and not cover.left:
        return -sum(cover.take(_loss(*wager[:2])) for wager in _war_wagers(rules, seat))
    return sum(cover.settle(wager) for wager in _war_wagers(rules, seat))


def full_coverage(rules: Rulebook, boxes: int, stake: int, tie: int = 0) -> int:
    """The coverage above which more makes no difference: all that one box can use up, for every box."""
    most = 0
    for result in RESULTS:
        seat = Seat(stake, tie, result)
        wagers = (*_wagers(rules, seat), *_war_wagers(rules, seat))
        most = max(most, sum(_due(cell, amount) or _loss(cell, amount) for cell, amount, _ in wagers))
    return boxes * most


def _wagers(rules: Rulebook, seat: Seat) -> list[Wager]:
    """What is settled on the first cards, the initial wager before the tie wager."""
    cells = rules.cells
    found = []
    if not seat.is_tied:
        found.append(Wager(cells["initial", f"on_{seat.result}"], seat.initial, cells["initial", "on_win"]))
    if seat.tie:
        result = "on_win" if seat.is_tied else "on_loss"
        found.append(Wager(cells["tie", result], seat.tie, cells["tie", "on_win"]))
    return found


def _war_wagers(rules: Rulebook, seat: Seat) -> list[Wager]:
    """What is settled on the second cards: the initial wager and the war wager."""
    if not seat.result.startswith("war_"):
        return []
    result, stake, cells = seat.result.removeprefix("war_"), war_stake(rules), rules.cells
    staked = seat.initial * stake.numerator // stake.denominator
    return [
        Wager(cells["initial", f"on_war_{result}"], seat.initial, cells["initial", "on_win"]),
        Wager(cells["war", f"on_{result}"], staked, cells["war", "on_win"]),
    ]


def _payable(top: Cell, left: int) -> int:
    """The largest wager that this amount could pay."""
    return left if top.odds is None else left * top.odds.denominator // top.odds.numerator


def _due(cell: Cell, amount: int) -> int:
    return 0 if cell.odds is None else amount * cell.odds.numerator // cell.odds.denominator


def _loss(cell: Cell, amount: int) -> int:
    return amount if cell.odds is None and cell.outcome != "push" else 0
