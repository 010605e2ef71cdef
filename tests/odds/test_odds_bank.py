"""The side of the one who banks: against formulas, against the engine deal by deal, and against the worked example."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Literal

import pytest

from casinowar.cards import RANKS, Card
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.odds.bank import BankFigures, bank_figures, box_edges, full_moments, result_chances
from casinowar.odds.bank_settlement import RESULTS, Seat, Terms, full_coverage, settle
from casinowar.odds.composition import CompositionError, by_rank, fresh
from casinowar.odds.figures import Study, study
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.variants import load_with

pytestmark = pytest.mark.slow

MODELS = ("payoff_cap", "revolving", "action_cap")
SETTINGS = [("covered", "return_all")]
SETTINGS += [(model, after) for model in MODELS for after in ("return_all", "collect_losers")]
CHIPS = 1000

SMALL = by_rank((4, 3, 2, *(0,) * 10))
"""Nine cards of three ranks: enough for two boxes at war and three burned cards."""


@cache
def book(model: str = "payoff_cap", after: str = "return_all") -> Rulebook:
    return load_with("ca", {"bank.model": model, "bank.after_exhaustion": after})


@cache
def six_decks(model: str = "payoff_cap", after: str = "return_all") -> Study:
    return study(book(model, after), fresh(6))


# The engine, which shares no code with the odds.


def do(rules: Rulebook, table: Table, command: c.Command) -> Table:
    answer = step(rules, table, command)
    assert not isinstance(answer, Refusal), (answer, command)
    return answer[1]


@cache
def bets_down(coverage: int, boxes: int, stake: int, tie: int) -> Table:
    rules = book()
    table = Table()
    commands: list[c.Command] = [c.OpenTable(), c.BuyIn(player="bank", amount=coverage)]
    commands += [c.BuyIn(player=name, amount=CHIPS) for name in "abc"[:boxes]]
    commands += [c.ResumeTable(shoe_left=312), c.AcceptBank(player="bank", box=8, stake=coverage)]
    for box, name in enumerate("abc"[:boxes], 1):
        commands.append(c.PlaceWager(player=name, box=box, wager="initial", amount=stake))
        if tie:
            commands.append(c.PlaceWager(player=name, box=box, wager="tie", amount=tie))
    for command in commands:
        table = do(rules, table, command)
    return table


def engine_net(rules: Rulebook, table: Table, coverage: int, ranks: tuple[int, ...], boxes: int) -> int:
    """What the bank gains when these ranks come, players always going to war; later cards may not be wanted."""
    cards = [Card(RANKS[rank] + "h") for rank in ranks]
    table = do(rules, table, c.Deal(cards=tuple(cards[: boxes + 1])))
    later = cards[boxes + 1 :]
    while table.phase == "deciding":
        box, name = table.round.asked[0]
        table = do(rules, table, c.GoToWar(player=name, box=box))
    if not table.round.is_over:
        wars = len(table.round.at_war)
        table = do(rules, table, c.Deal(cards=(None, None, None, *later[: wars + 1])))
    assert table.round.is_over
    return table.players["bank"] - coverage


def deals(boxes: int) -> Counter[tuple[int, ...]]:
    """Every ordered deal of physical cards out of the small shoe, told by its ranks."""
    cards = [rank for rank, count in enumerate(SMALL.ranks) for _ in range(count)]
    return Counter(permutations(cards, 2 * (boxes + 1)))


def by_engine(rules: Rulebook, coverage: int, boxes: int, stake: int, tie: int) -> dict[int, Fraction]:
    found: Counter[int] = Counter()
    played: dict[tuple[int, ...], int] = {}
    table = bets_down(coverage, boxes, stake, tie)
    every = deals(boxes)
    for ranks, ways in every.items():
        wars = ranks[:boxes].count(ranks[boxes])
        key = ranks[: boxes + 1 + (wars + 1 if wars else 0)]
        if key not in played:
            played[key] = engine_net(rules, table, coverage, ranks, boxes)
        found[played[key]] += ways
    total = every.total()
    return {net: Fraction(found[net], total) for net in sorted(found)}


@pytest.mark.clause("CA-BS-5a", "CA-BS-5b", "CA-RP-9a", "CA-RP-9b")
@pytest.mark.parametrize(("model", "after"), SETTINGS)
def test_one_box_as_the_engine_plays_every_deal(model: str, after: str) -> None:
    rules = book(model, after)
    small = study(rules, SMALL)
    for coverage, tie in product((1, 2, 3, 5, 6, 9, 14, 25, 40), (0, 1, 2)):
        figures = bank_figures(small, 1, 3, coverage, tie)
        assert figures.distribution == by_engine(rules, coverage, 1, 3, tie), (coverage, tie)


@pytest.mark.clause("CA-BS-5a", "CA-BS-5b", "CA-RP-1", "CA-RP-3b-ii", "CA-RP-7")
@pytest.mark.parametrize(("model", "after"), SETTINGS)
def test_two_boxes_as_the_engine_plays_every_deal(model: str, after: str) -> None:
    rules = book(model, after)
    small = study(rules, SMALL)
    for coverage, tie in ((1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (5, 1), (13, 1), (25, 1)):
        figures = bank_figures(small, 2, 2, coverage, tie)
        assert figures.distribution == by_engine(rules, coverage, 2, 2, tie), (coverage, tie)


def test_seats_of_different_stakes_as_the_engine_settles_them() -> None:
    """Every list of results of three seats, with first cards 8 and second cards that bring them about."""
    first = {"loss": "4", "win": "T", "war_loss": "8", "war_tie": "8", "war_win": "8"}
    second = {"war_loss": "4", "war_tie": "9", "war_win": "T"}
    stakes, ties = (3, 1, 2), (0, 1, 0)
    for (model, after), coverage in product(SETTINGS, (1, 2, 4, 7, 12)):
        rules = book(model, after)
        start = Table()
        opening: list[c.Command] = [c.OpenTable(), c.BuyIn(player="bank", amount=coverage)]
        opening += [c.BuyIn(player=name, amount=CHIPS) for name in "abc"]
        opening += [c.ResumeTable(shoe_left=312), c.AcceptBank(player="bank", box=8, stake=coverage)]
        for box, name in enumerate("abc"):
            opening.append(c.PlaceWager(player=name, box=box + 1, wager="initial", amount=stakes[box]))
            if ties[box]:
                opening.append(c.PlaceWager(player=name, box=box + 1, wager="tie", amount=ties[box]))
        for command in opening:
            start = do(rules, start, command)
        for results in product(RESULTS, repeat=3):
            table = do(rules, start, c.Deal(cards=(*(Card(first[one] + "h") for one in results), Card("8d"))))
            while table.phase == "deciding":
                box, name = table.round.asked[0]
                table = do(rules, table, c.GoToWar(player=name, box=box))
            if not table.round.is_over:
                dealt = [Card(second[results[box - 1]] + "h") for box in sorted(table.round.at_war)]
                table = do(rules, table, c.Deal(cards=(None, None, None, *dealt, Card("9d"))))
            seats = [Seat(*one) for one in zip(stakes, ties, results, strict=True)]
            expected = [table.players[name] - CHIPS for name in "abc"]
            assert settle(rules, seats, coverage) == expected, (model, after, coverage, results)


# The text.


@pytest.mark.clause("CA-BS-5a", "CA-RP-2a", "CA-RP-2b", "CA-RP-9b")
@pytest.mark.parametrize(
    ("model", "nets"),
    [
        ("covered", [60, -40, 40]),  # 40 are left, which could pay 40 of the second, and are paid to the third
        ("payoff_cap", [60, -50, 40]),  # 100 - 60 = 40 are left for the third, and the loser refills nothing
        ("revolving", [60, -50, 80]),  # 100 - 60 + 50 = 90 are left for the third
        ("action_cap", [60, -40, 0]),  # the loser uses up the last 40
    ],
)
def test_four_ways_to_count_a_stake_of_100(model: str, nets: list[int]) -> None:
    seats = [Seat(60, 0, "win"), Seat(50, 0, "loss"), Seat(80, 0, "win")]
    assert settle(book(model), seats, 100) == nets


@pytest.mark.clause("CA-BS-5b")
@pytest.mark.parametrize(
    ("model", "after", "last"),
    [("payoff_cap", "return_all", 0), ("payoff_cap", "collect_losers", -30), ("action_cap", "collect_losers", 0)],
)
def test_what_becomes_of_a_loser_after_the_bank_is_empty(model: str, after: str, last: int) -> None:
    assert settle(book(model, after), [Seat(60, 0, "win"), Seat(30, 0, "loss")], 50) == [50, last]


@pytest.mark.clause("CA-RP-3b-ii", "CA-RP-7c", "CA-STD-2c")
def test_wars_are_matched_clockwise_and_a_tie_is_paid_from_what_is_then_left() -> None:
    """150 match the first war whole and half of the second; nothing is left for the bonus, nor to match the third."""
    seats = [Seat(100, 0, "war_tie"), Seat(100, 0, "war_loss"), Seat(100, 0, "war_win")]
    assert settle(book(), seats, 150) == [100, -100, 0]
    assert settle(book(), [seats[1], seats[0]], 150) == [-200, 100]  # 50 matched pay 50, and 50 of the freed 100
    assert settle(book(), seats, 400) == [200, -200, 100]


# Full coverage.


@pytest.mark.parametrize("boxes", range(1, 8))
@pytest.mark.parametrize("tie", [0, 3])
def test_full_coverage_has_the_moments_of_boxes_that_share_a_dealer(boxes: int, tie: int) -> None:
    figures = bank_figures(six_decks(), boxes, 2, tie=tie)
    assert (figures.ev, figures.variance) == full_moments(six_decks(), boxes, 2, tie)
    assert sum(figures.distribution.values()) == 1
    assert figures.coverage == boxes * (2 * 2 + 10 * tie)


def test_the_bank_has_what_a_player_gives_up() -> None:
    one = bank_figures(six_decks(), 1, 1)
    assert one.edge == Fraction(23138, 993023)
    assert one.distribution == {
        -net: chance for net, chance in sorted(six_decks().figures("initial").distribution.items(), reverse=True)
    }
    assert bank_figures(six_decks(), 7, 1).edge == one.edge


def test_results_of_three_boxes_by_going_through_every_rank() -> None:
    """Four first cards and as many second cards as there are wars, of three ranks, each in all its ways."""
    composition = by_rank((5, 4, 4, *(0,) * 10))
    chances = result_chances(study(book(), composition), 3)
    found: Counter[tuple[str, ...]] = Counter()
    names = {-1: "loss", 0: "tie", 1: "win"}
    for ranks in product(range(3), repeat=8):
        ways, left = 1, list(composition.ranks[:3])
        for rank in ranks:
            ways *= left[rank]
            left[rank] -= 1
        if ways <= 0:
            continue
        results = []
        for seat in range(3):
            if ranks[seat] == ranks[3]:
                results.append("war_" + names[(ranks[4 + seat] > ranks[7]) - (ranks[4 + seat] < ranks[7])])
            else:
                results.append("win" if ranks[seat] > ranks[3] else "loss")
        found[tuple(results)] += ways
    total = found.total()
    for seen in product(RESULTS, repeat=3):
        assert chances[tuple(seen.count(result) for result in RESULTS)] == Fraction(found[seen], total), seen


# Short coverage.


def edges(figures: list[BankFigures]) -> list[float]:
    return [round(100 * float(one.edge), 3) for one in figures]


def test_a_stake_of_one_unit_never_pays_the_bonus() -> None:
    """Against one box it matches a war and has nothing left for a tie: the published 2.88% without the bonus."""
    without = study(load_with("ca", {"payout.war.on_tie": "1:1"}), fresh(6)).figures("initial")
    assert bank_figures(six_decks(), 1, 100, 100).edge == without.house_edge
    assert round(100 * float(without.house_edge), 2) == 2.88


def test_a_payoff_cap_favours_a_small_bank() -> None:
    """Losers are taken whole as long as anything is left, while winners have only what is left."""
    short = [bank_figures(six_decks(), 1, 100, coverage) for coverage in (1, 50, 100, 200)]
    assert edges(short) == sorted(edges(short), reverse=True)
    # One unit against 100: a loss brings 100; a war is about one unit and its tie has no bonus.
    parted, tied = six_decks().figures("initial").distribution[Fraction(-1)], bank_figures(six_decks(), 1, 1, 1)
    first = tied.ev  # per unit at full match, with a win of one unit for one
    assert short[0].ev == first + 99 * parted
    assert short[-1].edge == Fraction(23138, 993023)


def test_an_action_cap_is_even_on_first_cards() -> None:
    """What a win can cost a loss can bring, so that only wars are worth something, scaled to what is matched."""
    whole = bank_figures(six_decks("action_cap"), 1, 100, 100)
    assert bank_figures(six_decks("action_cap"), 1, 100, 25).ev * 4 == whole.ev


def test_more_than_enough_changes_nothing_and_less_does() -> None:
    """All three tie and tie again, which takes 10 to 1 on each tie wager and 2 to 1 on each war."""
    for model, after in SETTINGS:
        enough = full_coverage(book(model, after), 3, 10, 5)
        assert enough == 3 * (2 * 10 + 10 * 5)
        coverages = (enough - 1, enough, 10 * enough)
        found = six_decks(model, after)
        less, least, more = (bank_figures(found, 3, 10, coverage, 5) for coverage in coverages)
        assert less.distribution != least.distribution == more.distribution


def test_a_bank_never_loses_more_than_it_put_in() -> None:
    for model, after in SETTINGS:
        for figures in [bank_figures(six_decks(model, after), 2, 3, coverage, 1) for coverage in range(1, 8)]:
            assert min(figures.distribution) >= -figures.coverage
            assert sum(figures.distribution.values()) == 1


def test_bad_questions() -> None:
    with pytest.raises(ValueError, match="1 to 7"):
        bank_figures(six_decks(), 8, 1)
    with pytest.raises(ValueError, match="minor unit"):
        bank_figures(six_decks(), 1, 0)
    with pytest.raises(ValueError, match="minor unit"):
        bank_figures(six_decks(), 1, 1, 0)
    with pytest.raises(ValueError, match="house covers"):
        bank_figures(study(load_with("nz", {}), fresh(6)), 1, 1, 5)
    with pytest.raises(CompositionError, match="too few"):
        bank_figures(study(book(), SMALL), 3, 1)


# Other readings of a bank that runs out.


@pytest.mark.parametrize(
    ("order", "nets"),
    [
        ("seats", [60, 0, 0]),  # the first winner has it all, and whoever comes after has the wager back
        ("losers", [60, -50, 0]),  # the loser is taken while the 60 are still there
        ("bank", [0, -50, 60]),  # the first box comes last
        ("ties", [60, 0, 0]),
    ],
)
def test_the_order_of_a_short_bank(order: Literal["seats", "losers", "ties", "bank"], nets: list[int]) -> None:
    seats = [Seat(60, 0, "win"), Seat(50, 0, "loss"), Seat(80, 0, "win")]
    assert settle(book(), seats, 60, Terms(order=order)) == nets


def test_tie_wagers_ahead_of_initial_wagers() -> None:
    """50 pay the first seat's win or the second seat's tie at 10 to 1 on 5, and then nothing matches the war."""
    seats = [Seat(60, 0, "win"), Seat(20, 5, "war_win")]
    assert settle(book(), seats, 50) == [50, 0]
    assert settle(book(), seats, 50, Terms(order="ties")) == [0, 50]


@pytest.mark.parametrize(
    ("match", "nets"),
    [
        ("chosen", [100, -100]),  # 100 and 50 are matched; nothing is left for the bonus
        ("with_bonus", [150, 0]),  # 75 are matched with 75 more for a tie; nothing is left for the second
        ("paid", [150, 0]),  # 200 are due and 150 are there; after that wagers go back
    ],
)
def test_what_is_set_aside_for_a_war(match: Literal["chosen", "with_bonus", "paid"], nets: list[int]) -> None:
    seats = [Seat(100, 0, "war_tie"), Seat(100, 0, "war_loss")]
    assert settle(book(), seats, 150, Terms(match=match)) == nets
    assert settle(book(), seats, 1000, Terms(match=match)) == [200, -200]


def test_a_bonus_that_was_not_needed_is_free_again() -> None:
    """200 cover the first war alone. Of 300 there are 100 for half of the second, whose tie then pays 2 to 1 on 50."""
    seats = [Seat(100, 0, "war_win"), Seat(100, 0, "war_tie")]
    assert settle(book(), seats, 200, Terms(match="with_bonus")) == [100, 0]
    assert settle(book(), seats, 300, Terms(match="with_bonus")) == [100, 2 * 50]
    assert settle(book(), seats, 200, Terms(match="paid")) == [100, 100]


@pytest.mark.parametrize(("when_empty", "net"), [("back", 0), ("war", -200), ("surrender", -50)])
def test_a_tied_player_for_whom_nothing_is_left(when_empty: Literal["back", "war", "surrender"], net: int) -> None:
    seats = [Seat(50, 0, "win"), Seat(100, 0, "war_loss")]
    assert settle(book(), seats, 50, Terms(when_empty=when_empty)) == [50, net]


def test_boxes_together_give_up_what_the_bank_takes() -> None:
    for terms in (Terms(), Terms(order="losers"), Terms(order="bank"), Terms(match="paid")):
        alone = box_edges(six_decks(), 3, 10, 10, 5, terms)
        assert sum(alone) / 3 == bank_figures(six_decks(), 3, 10, 10, 5, terms).edge
    first, *_, last = box_edges(six_decks(), 3, 10, 10)
    moved = box_edges(six_decks(), 3, 10, 10, terms=Terms(order="bank"))
    assert moved == [last, first, moved[2]]
    assert first != last
