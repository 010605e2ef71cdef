"""The odds of a bank under `covered`, against every deal of a small shoe, settled by the plain model of the bank."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest

from casinowar.cards import RANKS
from casinowar.odds.bank import bank_figures, box_edges, full_moments
from casinowar.odds.bank_settlement import RESULTS, Seat, Terms, full_coverage, settle
from casinowar.odds.composition import by_rank, fresh
from casinowar.odds.figures import Study, study
from casinowar.odds.wagers import Choice
from casinowar.odds.war_or_surrender import Tied, best_choices, choice_values
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.variants import load_with
from tests.support.plain_bank import Bettor, Cards, bank_round

SMALL = by_rank((4, 3, 2, *(0,) * 10))
"""Nine cards of three ranks: enough for two boxes at war and three burned cards."""

CHOICES: tuple[Choice, ...] = ("war", "surrender")


@cache
def book(model: str = "covered") -> Rulebook:
    return load_with("ca", {"bank.model": model})


@cache
def six_decks(model: str = "covered") -> Study:
    return study(book(model), fresh(6))


def test_california_reads_so() -> None:
    assert load_with("ca", {}).bank.model == "covered"
    assert load_with("nz", {}).bank.model == "payoff_cap"


# The page.


@pytest.mark.clause("CA-BS-5a", "CA-BS-5b", "CA-RP-9b")
def test_a_loser_loses_no_more_than_could_then_be_paid() -> None:
    """60 are paid and 40 are left; 40 of the 50 are lost; the last 40 are paid of 80. The bank is at -60."""
    seats = [Seat(60, 0, "win"), Seat(50, 0, "loss"), Seat(80, 0, "win")]
    assert settle(book(), seats, 100) == [60, -40, 40]
    assert settle(book(), [Seat(1000, 0, "loss")] * 7, 1) == [-1] * 7
    assert settle(book("payoff_cap"), [Seat(1000, 0, "loss")] * 7, 1) == [-1000] * 7


@pytest.mark.clause("CA-BS-5b", "CA-PO-2")
def test_a_tie_wager_at_ten_to_one_loses_a_tenth_of_what_is_left() -> None:
    assert settle(book(), [Seat(1, 7, "loss")], 59) == [-1 - 5]
    assert settle(book(), [Seat(1, 7, "loss")], 9) == [-1]
    assert settle(book(), [Seat(5, 7, "surrender")], 59) == [59]  # nothing is left, so nothing is asked


@pytest.mark.clause("CA-RP-3a-i", "CA-RP-3b-ii")
def test_war_and_surrender_are_on_the_covered_part() -> None:
    for result, net in {"surrender": -15, "war_win": 30, "war_tie": 30, "war_loss": -60}.items():
        assert settle(book(), [Seat(100, 0, result)], 30) == [net]
    assert settle(book("payoff_cap"), [Seat(100, 0, "surrender")], 30) == [-50]
    assert settle(book(), [Seat(100, 0, "surrender")], 30, Terms(forfeit="whole")) == [-50]


def test_an_odd_unit_of_the_covered_part() -> None:
    assert settle(book(), [Seat(100, 0, "surrender")], 31) == [-15]
    house = load_with("ca", {"surrender.odd_unit": "house"})
    assert settle(house, [Seat(100, 0, "surrender")], 31) == [-16]


# Every deal of a small shoe, by the plain model.


def outcome(seat: Seat) -> tuple[str, str]:
    """First and second card against an eight and a nine that bring the seat's result about."""
    first = {"loss": "4", "win": "T"}.get(seat.result, "8")
    return first, {"war_loss": "4", "war_tie": "9", "war_win": "T"}.get(seat.result, "2")


@pytest.mark.clause("CA-BS-5a", "CA-BS-5b", "CA-RP-1", "CA-RP-3a-i", "CA-RP-3b-ii", "CA-RP-7", "CA-RP-9b")
def test_every_list_of_results_of_three_seats_as_the_plain_model_settles_it() -> None:
    stakes, ties = (3, 1, 2), (0, 1, 2)
    for coverage in (*range(1, 16), 19, 20, 21, 29, 30, 31, 40, 60):
        for results in product((*RESULTS, "surrender"), repeat=3):
            seats = [Seat(*one) for one in zip(stakes, ties, results, strict=True)]
            dealt = [outcome(seat) for seat in seats]
            bettors = [
                Bettor(str(box), box, seat.initial, seat.tie, "surrender" if seat.result == "surrender" else "war")
                for box, seat in enumerate(seats, 1)
            ]
            first, second = ({box: one[at] for box, one in enumerate(dealt, 1)} for at in (0, 1))
            lines = bank_round(coverage, bettors, Cards(first, "8", second, "9")).lines
            nets = [sum(line.net for line in lines if line.box == box) for box in (1, 2, 3)]
            assert settle(book(), seats, coverage) == nets, (coverage, results)


@cache
def deals(boxes: int) -> Counter[tuple[int, ...]]:
    """Every ordered deal of physical cards out of the small shoe, told by its ranks: boxes, bank, and again."""
    cards = [rank for rank, count in enumerate(SMALL.ranks) for _ in range(count)]
    return Counter(permutations(cards, 2 * (boxes + 1)))


def by_deals(coverage: int, boxes: int, stake: int, tie: int, choice: Choice) -> list[dict[int, Fraction]]:
    """How often the bank, and then each box, gains how much."""
    found: list[Counter[int]] = [Counter() for _ in range(boxes + 1)]
    bettors = [Bettor(str(box), box, stake, tie, choice) for box in range(boxes)]
    for ranks, ways in deals(boxes).items():
        names = [RANKS[rank] for rank in ranks]
        second = names[boxes + 1 :]
        # Second cards leave the shoe for boxes at war alone; which of the unseen cards they are makes no difference.
        cards = Cards(dict(enumerate(names[:boxes])), names[boxes], dict(enumerate(second[:boxes])), second[boxes])
        told = bank_round(coverage, bettors, cards)
        found[0][told.net] += ways
        for box in range(boxes):
            found[1 + box][sum(line.net for line in told.lines if line.box == box)] += ways
    total = deals(boxes).total()
    return [{net: Fraction(one[net], total) for net in sorted(one)} for one in found]


def mean(distribution: dict[int, Fraction]) -> Fraction:
    return sum((net * chance for net, chance in distribution.items()), Fraction(0))


@pytest.mark.clause("CA-BS-5a", "CA-BS-5b", "CA-RP-9a", "CA-RP-9b")
@pytest.mark.parametrize("choice", CHOICES)
def test_one_box_through_every_deal(choice: Choice) -> None:
    small = study(book(), SMALL)
    for coverage, tie in product((1, 2, 3, 5, 6, 9, 14, 25, 40), (0, 1, 2)):
        bank, box = by_deals(coverage, 1, 3, tie, choice)
        assert bank_figures(small, 1, 3, coverage, tie, choice=choice).distribution == bank, (coverage, tie)
        assert box_edges(small, 1, 3, coverage, tie, choice=choice) == [-mean(box) / (3 + tie)]


@pytest.mark.clause("CA-BS-5a", "CA-BS-5b", "CA-RP-1", "CA-RP-3b-ii", "CA-RP-7")
@pytest.mark.parametrize("choice", CHOICES)
def test_two_boxes_through_every_deal_in_the_order_of_their_seats(choice: Choice) -> None:
    small = study(book(), SMALL)
    for coverage, tie in ((1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (5, 1), (13, 1), (25, 1)):
        bank, *each = by_deals(coverage, 2, 2, tie, choice)
        assert bank_figures(small, 2, 2, coverage, tie, choice=choice).distribution == bank, (coverage, tie)
        edges = [-mean(box) / (2 + tie) for box in each]
        assert box_edges(small, 2, 2, coverage, tie, choice=choice) == edges
    first, last = box_edges(small, 2, 2, 2, choice=choice)
    assert first != last
    first, last = box_edges(small, 2, 2, full_coverage(book(), 2, 2), choice=choice)
    assert first == last


# War or surrender once the primary is cut.


def test_what_a_choice_is_worth_by_every_second_card() -> None:
    """Two boxes have tied at a deuce; of the nine cards six are left. The plain model settles every deal of three."""
    rest = by_rank((1, 3, 2, *(0,) * 10))
    cards = [rank for rank, count in enumerate(rest.ranks) for _ in range(count)]
    every = Counter(permutations(cards, 3))
    for left, one, two in product((1, 2, 3, 4, 5, 7, 9), (1, 3, 4), (2, 5)):
        for choices in product(CHOICES, repeat=2):
            bettors = [Bettor("a", 1, one, 0, choices[0]), Bettor("b", 2, two, 0, choices[1])]
            nets = [Fraction(0), Fraction(0)]
            for (first, second, bank), ways in every.items():
                seen = Cards({1: "2", 2: "2"}, "2", {1: RANKS[first], 2: RANKS[second]}, RANKS[bank])
                for line in bank_round(left, bettors, seen).lines:
                    nets[line.box - 1] += Fraction(line.net * ways, every.total())
            tied = [Tied(one, choices[0]), Tied(two, choices[1])]
            assert choice_values(book(), rest, tied, left) == nets, (left, one, two, choices)


def test_best_choices_are_those_that_nobody_would_change() -> None:
    rest = by_rank((1, 3, 2, *(0,) * 10))
    for left, stakes in product((1, 2, 3, 4, 5, 6, 9), ((1, 3), (3, 1), (4, 5), (2, 2))):
        found = best_choices(book(), rest, stakes, left)
        for first in CHOICES:
            replies = {
                second: choice_values(book(), rest, [Tied(stakes[0], first), Tied(stakes[1], second)], left)
                for second in CHOICES
            }
            best = max(CHOICES, key=lambda second: replies[second][1])
            if first == found[0]:
                assert replies[found[1]][1] == replies[best][1]
                assert replies[found[1]][0] >= other_first(found[0], stakes, left)


def other_first(chosen: str, stakes: tuple[int, ...], left: int) -> Fraction:
    """What the first would have with the other choice, the second answering as is best for the second."""
    rest = by_rank((1, 3, 2, *(0,) * 10))
    other: Choice = "surrender" if chosen == "war" else "war"
    values = [
        choice_values(book(), rest, [Tied(stakes[0], other), Tied(stakes[1], second)], left) for second in CHOICES
    ]
    return max(values, key=lambda value: value[1])[0]


def test_an_odd_covered_part_may_be_better_surrendered() -> None:
    """One unit covered: its half is nothing. Three: one is lost, and war without a bonus loses more than that."""
    rest = by_rank((22, *(24,) * 12))
    assert best_choices(book(), rest, (100,), 1) == ("surrender",)
    assert best_choices(book(), rest, (100,), 3) == ("surrender",)
    assert best_choices(book(), rest, (3,), 6) == ("war",)  # the bonus is there
    assert best_choices(book(), rest, (100,), 100) == ("war",)
    house = load_with("ca", {"surrender.odd_unit": "house"})
    assert best_choices(house, rest, (100,), 1) == ("war",)


@pytest.mark.parametrize("left", [2, 30, 50, 98, 100, 130, 200])
def test_on_an_even_covered_part_war_is_never_worse(left: int) -> None:
    """War without any bonus is -1/2 + 3t/2 of the covered part, for a chance t of a second tie."""
    rest = by_rank((22, *(24,) * 12))
    size, covered = sum(rest.ranks), min(100, left)
    tie = Fraction(sum(count * (count - 1) for count in rest.ranks), size * (size - 1))
    (war,) = choice_values(book(), rest, [Tied(100, "war")], left)
    (surrender,) = choice_values(book(), rest, [Tied(100, "surrender")], left)
    bonus = min(covered, left - covered)
    assert war == covered * (Fraction(-1, 2) + 3 * tie / 2) + tie * bonus
    assert surrender == -Fraction(covered, 2) < war


# Limits.


@pytest.mark.parametrize("boxes", range(1, 5))
@pytest.mark.parametrize("tie", [0, 3])
def test_a_bank_without_end_has_the_odds_of_a_full_one(boxes: int, tie: int) -> None:
    enough = full_coverage(book(), boxes, 2, tie)
    assert enough == boxes * (2 * 2 + 10 * tie)
    for coverage in (enough, 10**9):
        figures = bank_figures(six_decks(), boxes, 2, coverage, tie)
        assert (figures.ev, figures.variance) == full_moments(six_decks(), boxes, 2, tie)
        other = bank_figures(six_decks("payoff_cap"), boxes, 2, coverage, tie)
        assert figures.distribution == other.distribution
    assert bank_figures(six_decks(), boxes, 2, enough - 1, tie).distribution != figures.distribution


def test_a_full_bank_against_boxes_that_surrender() -> None:
    for boxes in (1, 2, 5):
        figures = bank_figures(six_decks(), boxes, 2, choice="surrender")
        assert figures.edge == six_decks().figures("initial", "surrender").house_edge == Fraction(23, 622)


def test_a_small_bank_has_no_more_than_its_share() -> None:
    """A stake of one minor unit is a stake of one to each box in turn: per unit covered its edge is no better."""
    one = bank_figures(six_decks(), 1, 100, 1)
    assert one.distribution == bank_figures(six_decks(), 1, 1, 1).distribution
    cap = bank_figures(six_decks("payoff_cap"), 1, 100, 1)
    assert cap.ev > 40 > 1 > one.ev > 0
    scaled = [bank_figures(six_decks(), 1, 100, coverage) for coverage in (25, 50, 100)]
    assert scaled[0].ev * 4 == scaled[1].ev * 2 == scaled[2].ev


def test_a_bank_never_loses_more_than_it_put_in_and_no_box_more_than_could_be_paid() -> None:
    for coverage in range(1, 61):
        for results in product((*RESULTS, "surrender"), repeat=3):
            nets = settle(book(), [Seat(4, 1, result) for result in results], coverage)
            assert -sum(nets) >= -coverage
            assert sum(net for net in nets if net > 0) <= coverage
            most = {"loss": min(4, coverage) + min(1, coverage // 10), "win": 0, "surrender": min(4, coverage) // 2}
            for net, result in zip(nets, results, strict=True):
                assert -net <= most.get(result, 2 * min(4, coverage))
