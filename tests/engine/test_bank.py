"""The player's bank, exhaustively with small numbers, against a second account of its rules written out here.

`first_pass`, `choices` and `wars` say from the rules what the dealer does with a bank of so much; the engine must do
the same with every order of winners, losers, ties and stakes. One to three seats are played out whole. With four seats,
or with tie wagers, what follows in two rounds is the same when as much is left and the same wagers wait: it is played
out once.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from casinowar.cards import Card
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.rulebooks import Rulebook, load_rulebook

pytestmark = pytest.mark.slow

STAKES = (1, 2, 3)
BANKS = range(1, 9)
SETTINGS = [
    ("covered", "return_all"),
    *(
        (model, after)
        for model in ("payoff_cap", "revolving", "action_cap")
        for after in ("return_all", "collect_losers")
    ),
]
ODDS = {"initial": 1, "tie": 10}
FIRST = {"win": Card("Th"), "lose": Card("4h"), "tie": Card("8h")}
BANKS_CARD = Card("8d")
CHIPS = 100
FULL_SHOE = 312


class Line(NamedTuple):
    """What became of one wager: how much was in play, the outcome, winnings on top, and stake given back."""

    seat: str
    wager: str
    amount: int
    outcome: str
    paid: int
    returned: int


class Seat(NamedTuple):
    name: str
    stake: int
    tie: int
    card: str


class Held(NamedTuple):
    """A tied seat and its primary wager, waiting for war or surrender."""

    name: str
    stake: int


# The second account.


class Purse:
    """What the bank can still pay out, as each model counts it."""

    def __init__(self, model: str, after: str, left: int) -> None:
        self.model, self.after, self.left = model, after, left

    def settle(self, seat: str, wager: str, amount: int, due: int) -> Line:
        """A wager of the first deal that has won `due`, or lost where that is nothing."""
        if self.model == "covered":
            return self.settle_covered(seat, wager, amount, due)
        if self.left == 0 and (due or self.after == "return_all" or self.model == "action_cap"):
            return Line(seat, wager, amount, "returned", 0, amount)
        if due:
            paid = min(due, self.left)
            self.left -= paid
            return Line(seat, wager, amount, "win", paid, amount)
        return Line(seat, wager, amount, "lose", 0, amount - self.take(amount))

    def settle_covered(self, seat: str, wager: str, amount: int, due: int) -> Line:
        """In play is what is left at the odds: a loser loses that much, a winner is paid what is left."""
        paid = min(due, self.left)
        in_play = (
            amount if due and paid == due else -(-paid // ODDS[wager]) if due else min(amount, self.left // ODDS[wager])
        )
        if not in_play:
            return Line(seat, wager, amount, "returned", 0, amount)
        self.left -= paid
        return Line(seat, wager, in_play, "win" if due else "lose", paid, in_play if due else 0)

    def in_choice(self, stake: int) -> int:
        """What of a tied primary is in play when its player is asked."""
        return min(stake, self.left) if self.model == "covered" else stake

    def take(self, amount: int) -> int:
        if self.model == "action_cap":
            amount = min(amount, self.left)
            self.left -= amount
        if self.model == "revolving":
            self.left += amount
        return amount


def first_pass(purse: Purse, seats: tuple[Seat, ...]) -> list[Line]:
    """Clockwise, at each seat the primary and then the tie wager; a tied primary waits."""
    lines = []
    for seat in seats:
        if seat.card != "tie":
            lines.append(purse.settle(seat.name, "initial", seat.stake, seat.stake if seat.card == "win" else 0))
        if seat.tie:
            lines.append(purse.settle(seat.name, "tie", seat.tie, 10 * seat.tie if seat.card == "tie" else 0))
    return lines


def choices(purse: Purse, held: tuple[Held, ...], says: tuple[str, ...]) -> tuple[list[Line], list[Held]]:
    """Clockwise: surrender, or war over what the bank can match; with nothing left the primary goes back unasked."""
    lines, at_war = [], []
    for (name, stake), said in zip(held, says, strict=True):
        if purse.left == 0:
            lines.append(Line(name, "initial", stake, "returned", 0, stake))
        elif said == "surrender":
            stake = purse.in_choice(stake)
            lines.append(Line(name, "initial", stake, "surrender", 0, stake - purse.take(stake // 2)))
        else:
            match = min(stake, purse.left)
            purse.left -= match
            at_war.append(Held(name, match))
    return lines, at_war


def wars(purse: Purse, at_war: list[Held], cards: tuple[str, ...]) -> list[Line]:
    """Clockwise: the match pays its own war; a tie has as much again, if it is there; a loss frees the match."""
    lines = []
    for (name, match), card in zip(at_war, cards, strict=True):
        if card == "lose":
            lines += [Line(name, wager, match, "lose", 0, 0) for wager in ("initial", "war")]
            purse.left += {"covered": match, "payoff_cap": match, "revolving": 3 * match, "action_cap": 0}[purse.model]
            continue
        extra = min(match, purse.left) if card == "tie" else 0
        purse.left -= extra
        lines.append(Line(name, "initial", match, "push", 0, match))
        lines.append(Line(name, "war", match, "win", match + extra, match))
    return lines


# The engine.


@cache
def rulebook(model: str, after: str) -> Rulebook:
    return load_rulebook("ca", {"bank.model": model, "bank.after_exhaustion": after})


def do(rules: Rulebook, table: Table, command: c.Command) -> tuple[list[e.Event], Table]:
    answer = step(rules, table, command)
    assert not isinstance(answer, Refusal), (answer, command)
    return answer


@cache
def table_with(bank: int, stakes: tuple[int, ...], ties: tuple[int, ...]) -> Table:
    """Betting is over, and the bank has put in all it has."""
    rules = rulebook("payoff_cap", "return_all")
    commands: list[c.Command] = [c.OpenTable(), c.BuyIn(player="bank", amount=bank)]
    commands += [c.BuyIn(player=name, amount=CHIPS) for name in "abcd"[: len(stakes)]]
    commands += [c.ResumeTable(shoe_left=FULL_SHOE), c.AcceptBank(player="bank", box=8, stake=bank)]
    for box, (name, stake, tie) in enumerate(zip("abcd", stakes, ties, strict=False), 1):
        commands.append(c.PlaceWager(player=name, box=box, wager="initial", amount=stake))
        if tie:
            commands.append(c.PlaceWager(player=name, box=box, wager="tie", amount=tie))
    table = Table()
    for command in commands:
        _, table = do(rules, table, command)
    return table


def told(events: list[e.Event]) -> list[Line]:
    return [
        Line(one.player, one.wager, one.amount, one.outcome, one.paid, one.returned)
        for one in events
        if isinstance(one, e.WagerSettled)
    ]


class Bank:
    """One setting of the bank. It plays every round it is given, as far as nobody has played the like before."""

    def __init__(self, model: str, after: str, is_sharing: bool) -> None:
        self.model, self.after = model, after
        self.rules = rulebook(model, after)
        self.shared: set[tuple[str, int, tuple[int, ...]]] | None = set() if is_sharing else None
        self.deals = 0
        self.rounds = 0

    def play(self, bank: int, stakes: tuple[int, ...], ties: tuple[int, ...]) -> None:
        for cards in product(FIRST, repeat=len(stakes)):
            seats = tuple(map(Seat, "abcd", stakes, ties, cards))
            purse = Purse(self.model, self.after, bank)
            expected = first_pass(purse, seats)
            faces = (*(FIRST[card] for card in cards), BANKS_CARD)
            events, table = do(self.rules, table_with(bank, stakes, ties), c.Deal(cards=faces))
            self.deals += 1
            held = tuple(Held(seat.name, seat.stake) for seat in seats if seat.card == "tie")
            if purse.left == 0:
                expected += [Line(name, "initial", stake, "returned", 0, stake) for name, stake in held]
                held = ()
            assert told(events) == expected, (self.model, self.after, bank, seats)
            self.go_on(table, purse.left, held, expected)

    def go_on(self, table: Table, left: int, held: tuple[Held, ...], lines: list[Line]) -> None:
        if not held:
            self.check_end(table, lines)
            return
        assert table.bank is not None
        assert table.bank.left == left
        if self.was_played(table, left, held):
            return
        for says in product(("war", "surrender"), repeat=len(held)):
            purse = Purse(self.model, self.after, left)
            expected, at_war = choices(purse, held, says)
            self.go_to_war(*self.ask(table, says), (purse.left, at_war, lines, expected))

    def was_played(self, table: Table, left: int, waiting: tuple[Held, ...]) -> bool:
        """Whether a round went on from just here before, save for who sits where; never, where nothing is shared."""
        if self.shared is None:
            return False
        here = (table.phase, left, tuple(stake for _, stake in waiting))
        is_known = here in self.shared
        self.shared.add(here)
        return is_known

    def ask(self, table: Table, says: tuple[str, ...]) -> tuple[list[Line], Table]:
        """The answers of those who are asked; where nobody is any more, the rest of the answers are not wanted."""
        lines = []
        for said in says:
            if table.phase != "deciding":
                break
            box, name = table.round.asked[0]
            command = c.GoToWar(player=name, box=box) if said == "war" else c.Surrender(player=name, box=box)
            events, table = do(self.rules, table, command)
            lines += told(events)
        assert table.phase != "deciding"
        return lines, table

    def go_to_war(
        self, came: list[Line], table: Table, account: tuple[int, list[Held], list[Line], list[Line]]
    ) -> None:
        left, at_war, lines, expected = account
        assert came == expected, (self.model, self.after, lines)
        if not at_war:
            self.check_end(table, lines + came)
            return
        if self.was_played(table, left, tuple(at_war)):
            return
        for cards in product(FIRST, repeat=len(at_war)):
            purse = Purse(self.model, self.after, left)
            faces = (None, None, None, *(FIRST[card] for card in cards), BANKS_CARD)
            events, after = do(self.rules, table, c.Deal(cards=faces))
            assert told(events) == wars(purse, at_war, cards), (self.model, self.after, lines, came, cards)
            self.check_end(after, lines + came + told(events))

    def check_end(self, table: Table, lines: list[Line]) -> None:
        """Nobody is paid from nothing, the house has no part in it, and the bank stays above nothing."""
        self.rounds += 1
        assert table.round.is_over
        assert table.bank is None
        assert (table.house, table.escrow) == (0, 0)
        assert sum(table.players.values()) == table.bought_in
        stake = table.bought_in - CHIPS * (len(table.players) - 1)
        nets = {name: 0 for name in table.players if name != "bank"}
        for line in lines:
            nets[line.seat] += line.paid + line.returned - line.amount
        assert {name: table.players[name] - CHIPS for name in nets} == nets
        paid = sum(line.paid for line in lines)
        taken = sum(line.amount - line.returned for line in lines)
        assert table.players["bank"] == stake + taken - paid >= 0
        assert paid <= stake + (taken if self.model == "revolving" else 0)
        if self.model == "covered":
            check_losses(stake, lines)
        if self.model == "action_cap":
            at_war = {line.seat for line in lines if line.wager == "war"}
            used = sum(
                line.paid + line.amount - line.returned
                for line in lines
                if not (line.wager in ("initial", "war") and line.seat in at_war and line.outcome == "lose")
            )
            assert used <= stake


def check_losses(stake: int, lines: list[Line]) -> None:
    """No wager loses more than could have been paid on it, at its odds, with what was not yet paid to others."""
    paid = 0
    for line in lines:
        lost = line.amount - line.returned
        odds = ODDS.get(line.wager, 1)
        assert lost >= 0
        assert line.paid <= 2 * odds * line.amount if line.wager == "war" else line.paid <= odds * line.amount
        if line.outcome != "returned":
            assert lost * odds <= stake - paid
        paid += line.paid
    assert paid <= stake


def play_all(bank: Bank, seats: int, stakes: tuple[int, ...] = STAKES, ties: tuple[int, ...] = (0,)) -> int:
    """Every order of cards, stakes and tie wagers against every bank: so many first deals."""
    before = bank.deals
    for stake in BANKS:
        for laid in product(stakes, repeat=seats):
            for beside in product(ties, repeat=seats):
                bank.play(stake, laid, beside)
    return bank.deals - before


@pytest.mark.parametrize(
    ("model", "after"),
    [one if one[0] in ("covered", "payoff_cap") else pytest.param(*one, marks=pytest.mark.long) for one in SETTINGS],
)
def test_up_to_three_seats_in_every_order(model: str, after: str) -> None:
    """Played out whole: 6,552 first deals and some 40,000 rounds in each setting."""
    bank = Bank(model, after, is_sharing=False)
    deals = [play_all(bank, seats) for seats in (1, 2, 3)]
    assert deals == [8 * 9, 8 * 9**2, 8 * 9**3]
    assert bank.rounds > 30_000


@pytest.mark.parametrize(("model", "after"), SETTINGS)
def test_tie_wagers_in_every_order(model: str, after: str) -> None:
    bank = Bank(model, after, is_sharing=True)
    assert [play_all(bank, seats, ties=(0, 1, 2)) for seats in (1, 2)] == [8 * 27, 8 * 27**2]
    assert play_all(bank, 3, stakes=(1, 3), ties=(0, 1)) == 8 * 12**3


@pytest.mark.long
@pytest.mark.parametrize(("model", "after"), SETTINGS[:-1])
def test_four_seats_in_every_order(model: str, after: str) -> None:
    """52,488 first deals in each setting. Under an action cap it makes no difference what follows exhaustion, which
    the smaller numbers show."""
    bank = Bank(model, after, is_sharing=True)
    assert play_all(bank, 4) == 8 * 9**4


WAGERS = [
    ((20, 13, 30), (2, 1, 3)),
    ((7, 25, 16), (0, 0, 0)),
    ((31, 31, 31), (3, 0, 1)),
    ((40, 1, 9), (1, 4, 2)),
]


@pytest.mark.parametrize(("stakes", "ties"), WAGERS)
def test_three_boxes_against_every_stake_from_1_to_60(stakes: tuple[int, ...], ties: tuple[int, ...]) -> None:
    """Won, lost, surrendered, and wars won, tied and lost in all three boxes: 27 first deals against each stake."""
    bank = Bank("covered", "return_all", is_sharing=False)
    for stake in range(1, 61):
        bank.play(stake, stakes, ties)
    assert bank.deals == 60 * 27
    assert bank.rounds > 60 * 27


@pytest.mark.long
def test_three_boxes_with_many_wagers_against_every_stake_from_1_to_60() -> None:
    bank = Bank("covered", "return_all", is_sharing=True)
    for stakes, ties in product(product((3, 20, 45), repeat=3), product((0, 2), repeat=3)):
        for stake in range(1, 61):
            bank.play(stake, stakes, ties)
    assert bank.deals == 216 * 60 * 27
