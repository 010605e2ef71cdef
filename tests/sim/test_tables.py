"""Tables beyond a fresh shoe: shoes and rulings, counted wagers, meters, nights with a bankroll, by arithmetic."""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from casinowar.odds import fresh, study
from casinowar.odds.counting import counting
from casinowar.rulebooks import load_rulebook, load_with
from casinowar.sim import PlanRefused, make_plan, run
from casinowar.sim.kernel.chunks import play_general, play_given

NZ = load_rulebook("nz")


def test_a_shoe_is_dealt_to_its_cutting_card() -> None:
    """Without wars every round takes two cards: one burned and 117 rounds reach the marker behind 234 cards.

    After 116 rounds 233 cards are out, so the next round draws the cutting card and is the last one.
    """
    result = run(make_plan(NZ, strategy="surrender"), 1, 100_000)
    assert (result.shoe.rounds_per_shoe, result.shoe.cards_per_shoe) == (Fraction(117), Fraction(235))
    assert (result.shoe.rounds_variance, result.shoe.dry) == (Fraction(0), 0)


def test_a_cutting_card_that_comes_first_ends_the_shoe_before_the_round() -> None:
    """With no opening burn the cutting card lies before the 118th round: shuffled at once, or played."""
    for value, rounds in (("shuffle_now", 117), ("finish_round", 118)):
        rules = load_with("nz", {"shoe.initial_burn": "none", "shoe.cut_first_card": value})
        assert run(make_plan(rules, strategy="surrender"), 1, 10_000).shoe.rounds_per_shoe == rounds


def test_face_up_burns_move_the_marker() -> None:
    """In wa one card is burned and as many as its value; seven boxes and the dealer take eight cards a round."""
    result = run(make_plan(load_rulebook("wa"), boxes=7, strategy="surrender"), 3, 400_000)
    values = [*range(1, 11), 10, 10, 10]
    expected = Fraction(sum(-(-(234 - 1 - value) // 8) for value in values), 13)
    assert float(result.shoe.rounds_per_shoe) == pytest.approx(float(expected), rel=0.001)


@pytest.mark.parametrize(("ruling", "rounds"), [("shuffle_discards", 77), ("void", 39)])
def test_a_dry_shoe_is_counted_and_ruled_on(ruling: str, rounds: int) -> None:
    """One burned of 312 cards, and eight a round: 38 rounds leave seven cards, too few for the next.

    With the discards, 305 cards come back beside the seven on the layout: one for this round, then 38 rounds of eight.
    """
    rules = load_with("ctg", {"shoe.marker_from_back": 0})
    plan = make_plan(rules, boxes=7, strategy="surrender", dry_shoe=ruling)  # type: ignore[arg-type]
    result = run(plan, 1, 4096)
    shoe = result.shoe
    assert (shoe.rounds_per_shoe, shoe.rounds_variance) == (Fraction(rounds), Fraction(0))
    assert (shoe.dry, shoe.void) == (4096 // 39 if ruling == "void" else 53, shoe.dry if ruling == "void" else 0)
    assert result.wager("initial").count == 7 * (result.rounds - shoe.void)


def test_a_counted_wager_is_placed_only_when_it_is_worth_it() -> None:
    """Cards in a known order: before each round, pairs among the unseen cards say what a unit of the tie is worth."""
    rules = load_with("nz", {"shoe.decks": 1, "shoe.initial_burn": "none"}, any_decks=True)
    bar = Fraction(-9, 20)
    plan = make_plan(rules, counted={"tie": bar}, strategy="surrender")
    cards = [4 * rank + suit for suit in range(4) for rank in range(13)]
    _, log = play_given(plan.flat, np.array(cards, np.int64), np.array([0], np.int64), 20)
    placed = [int(log[number, 0, 0]) // 104 & 1 for number in range(20)]
    unseen = [4] * 13
    expected = []
    for number in range(20):
        ways = sum(comb(count, 2) for count in unseen)
        expected.append(int(Fraction(11 * ways, comb(52 - 2 * number, 2)) - 1 > bar))
        for card in cards[2 * number : 2 * number + 2]:
            unseen[card >> 2] -= 1
    assert placed == expected
    assert 0 < sum(placed) < 20


def test_what_counting_is_worth_agrees_with_the_exact_count() -> None:
    """A perfect counter of the a_bomb, before a round at a known depth: as often and as gainful as the odds say.

    The first rounds of a shoe of one deck without burns lie at 0, 2, 4 ... cards; all wagers surrender, so depths are
    fixed, and the mean over them is exact.
    """
    settings: dict[str, object] = {
        "shoe.decks": 1,
        "shoe.initial_burn": "none",
        "shoe.marker_from_back": 12,
        "wager.perfect_pairs": False,
        "wager.tie": False,
    }
    rules = load_with("wa", settings, any_decks=True)
    plan = make_plan(rules, wagers=("initial", "a_bomb"), counted={"a_bomb": Fraction(0)}, strategy="surrender")
    result = run(plan, 4, 1 << 20)
    exact = study(rules, fresh(1))
    rounds = 20
    found = [counting(exact, 2 * number)["a_bomb"] for number in range(rounds)]
    assert result.shoe.rounds_per_shoe == rounds
    figures = result.wager("a_bomb")
    share, gain = figures.count / result.rounds, float(figures.mean) * figures.count / result.rounds
    assert share == pytest.approx(float(sum(one.chance for one in found)) / rounds, abs=0.002)
    assert gain == pytest.approx(float(sum(one.gain for one in found)) / rounds, abs=0.01)


def test_a_meter_that_runs_and_one_that_stands_still() -> None:
    """Every jackpot of a meter that stands still pays it; one that runs pays what was fed, from the seed on."""
    rules = load_with("ma", {"wager.progressive": True, "shoe.decks": 6})
    still = run(make_plan(rules, boxes=7, meter=500_000), 2, 1 << 22)
    runs = run(make_plan(rules, boxes=7, meter=500_000, meter_runs=True), 2, 1 << 22)
    hits = still.tallies[8]
    assert hits == runs.tallies[8] > 0
    assert sum(still.section("prize")[: still.plan.numbers[29]]) == 500_000 * hits
    assert sum(runs.section("prize")[: runs.plan.numbers[29]]) > 500_000 * hits
    assert runs.wager("progressive").count == 7 * runs.rounds


def test_a_night_without_chance_of_ruin_comes_to_its_wagers() -> None:
    """With a bankroll for every loss, the mean of nights is the mean of rounds times their number."""
    plan = make_plan(NZ, wagers={"initial": 10}, session=50, bankroll=1000)
    result = run(plan, 5, 50 * 20_000)
    nights = result.nights
    assert nights is not None
    assert (nights.nights, nights.ruined, nights.points[-1], len(nights.points)) == (20_000, 0, 50, 20)
    assert nights.mean == result.wager("initial").mean * 50 * 10
    assert float(nights.variance) == pytest.approx(float(result.wager("initial").variance) * 50 * 100, rel=0.05)
    middle = nights.quantiles[Fraction(1, 2)]
    assert abs(middle[-1] - 1000) <= 40
    assert list(nights.quantiles) == sorted(nights.quantiles)
    assert all(low <= high for low, high in zip(nights.quantiles[Fraction(1, 20)], middle, strict=True))


def test_ruin_of_a_fair_coin_is_that_of_the_gambler() -> None:
    """A tie is given back, and nobody goes to war: a coin. With 2 units of 10 in 4 rounds ruin has chance 1/4 + 1/8.

    Heads or tails are equally likely where a tie (p) is a push: ruin by round 4 from two units is the chance that a
    walk with steps -1, 0, +1 is at -2 at some time, which is counted here over all 81 ways.
    """
    rules = load_with("nz", {"surrender.forfeit": "0:1"})
    plan = make_plan(rules, wagers={"initial": 10}, strategy="surrender", session=4, bankroll=20, fresh=True)
    result = run(plan, 9, 4 * 200_000)
    tie = Fraction(23, 311)
    steps = {-10: (1 - tie) / 2, 0: tie, 10: (1 - tie) / 2}
    at: dict[int, Fraction] = {20: Fraction(1)}
    ruined = Fraction(0)
    for _ in range(4):
        following: dict[int, Fraction] = {}
        for roll, chance in at.items():
            for step, part in steps.items():
                following[roll + step] = following.get(roll + step, Fraction(0)) + chance * part
        ruined += following.pop(0, Fraction(0))
        at = following
    nights = result.nights
    assert nights is not None
    error = float(ruined * (1 - ruined) / nights.nights) ** 0.5
    assert abs(float(nights.ruin - ruined)) <= 4 * error
    assert nights.rounds_to_ruin is not None
    assert 2 <= nights.rounds_to_ruin <= 4


def test_who_cannot_pay_for_a_war_surrenders() -> None:
    """With one unit there is nothing for a war, so every tie costs half."""
    plan = make_plan(NZ, wagers={"initial": 10}, session=1, bankroll=10, fresh=True)
    result = run(plan, 9, 50_000)
    assert set(result.wager("initial").histogram) == {Fraction(-1), Fraction(-1, 2), Fraction(1)}


@pytest.mark.parametrize(
    ("book", "settings", "wagers", "need"),
    [
        ("nz", {}, {"initial": 10}, 10 + 10),
        ("nz", {"war.stake": "2:1"}, {"initial": 10}, 10 + 20),
        # What is laid on the war beside it is needed too.
        ("wa", {}, {"initial": 10, "war_perfect_pairs": 3}, 10 + 10 + 3),
        ("ma", {}, {"initial": 10, "war_tie": 4}, 10 + 10 + 4),
        # The progressive is still open, and has 500 of the bankroll.
        ("ma", {"wager.progressive": True}, {"initial": 600, "progressive": 500}, 600 + 600 + 500),
        # A tie has paid its wager already.
        ("nz", {}, {"initial": 20, "tie": 1}, 20 + 20 - 10),
    ],
)
def test_a_war_takes_its_wager_and_the_side_wagers_on_it(
    book: str, settings: dict[str, object], wagers: dict[str, int], need: int
) -> None:
    """With what is needed every tie is a war, which costs two units where it is lost; with one less, half of one."""
    rules = load_with(book, settings)
    for bankroll, is_war in ((need, True), (need - 1, False)):
        plan = make_plan(rules, wagers=wagers, session=1, bankroll=bankroll, fresh=True)
        nets = run(plan, 9, 20_000).wager("initial").histogram
        assert (Fraction(-1, 2) in nets, min(nets) < -1) == (not is_war, is_war), bankroll


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma"])
def test_machines_and_fresh_shoes_give_what_a_shoe_gives_at_first(book: str) -> None:
    """The first round of every table is of a full stack: the same words, the same cards, fresh or not."""
    rules = load_rulebook(book)
    flats = [make_plan(rules, boxes=2, session=1, bankroll=10**6, fresh=is_fresh).flat for is_fresh in (False, True)]
    if rules.shoe.initial_burn != "face_up_plus_value":
        one, other = (play_general(flat, 8, 0, 5000) for flat in flats)
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("value", "lost"), [("player", 3), ("house", 4)])
def test_the_odd_unit_of_a_surrender(value: str, lost: int) -> None:
    """Half of 7 is 3 or 4, as the book says, before the house's bank and before a player's."""
    for book, boxes in (("nz", 1), ("ca", 3)):
        rules = load_with(book, {"surrender.odd_unit": value})
        result = run(make_plan(rules, boxes=boxes, wagers={"initial": 7}, strategy="surrender"), 1, 20_000)
        assert set(result.wager("initial").histogram) == {Fraction(-1), Fraction(-lost, 7), Fraction(1)}


@pytest.mark.parametrize("wrong", [lambda seen: seen.war(), 5, [5], "wars", None], ids=type)
def test_a_strategy_that_is_none_is_told_with_what_one_is(wrong: Any) -> None:
    with pytest.raises(PlanRefused, match=r"^a strategy is war, surrender, or one of them for each rank: "):
        make_plan(NZ, strategy=wrong)


def test_one_wager_is_named_alone() -> None:
    assert make_plan(NZ, wagers="initial").wagers == make_plan(NZ, wagers=["initial"]).wagers == {"initial": 100}
    with pytest.raises(PlanRefused, match=r"^the book has no wager 'bomb': it has initial, tie$"):
        make_plan(NZ, wagers="bomb")
