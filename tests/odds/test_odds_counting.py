"""Effects of removal, counting by the depth of the cutting card, and war against surrender."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinowar.odds.composition import CARDS, Composition, CompositionError, by_card, by_rank, fresh
from casinowar.odds.counting import COUNTED, Counting, counting, edge_variance
from casinowar.odds.figures import Strategy, Study, study
from casinowar.odds.removal import TWO, effect, effects, second_effects
from casinowar.odds.war_or_surrender import Margin, exception, margin, margins, second_tie
from casinowar.rulebooks.variants import load_with

pytestmark = pytest.mark.slow

BOOKS: dict[str, dict[str, object]] = {
    "nz": {},
    "wa": {},
    "ctg": {},
    "ca": {"wager.war_tie": True},
    "ma": {"wager.progressive": True, "progressive.suited_double": "one_suit"},
}
"""Each book with all of its wagers."""


def book(name: str, composition: Composition) -> Study:
    return study(load_with(name, BOOKS[name]), composition)


# Effects of removal


@pytest.mark.parametrize(("name", "decks"), [*product(BOOKS, (1, 6)), ("wa", 8), ("ma", 8)])
def test_one_card_changes_nothing(name: str, decks: int) -> None:
    """Exactly zero for every card and every wager that knows no rank by its name.

    An unseen card may be taken out without changing anything, so the effects average to zero over the 52 cards. The
    ranks, and the suits up to colour, can be swapped for each other, so all effects are the same. Hence all are zero.
    """
    found = book(name, fresh(decks))
    for wager in found.wagers():
        if wager == "a_bomb":
            continue
        strategies: tuple[Strategy, ...] = ("war", "surrender", "best") if wager == "initial" else ("war",)
        for strategy in strategies:
            assert effects(found, wager, strategy) == dict.fromkeys(CARDS, 0), wager


def test_an_ace_matters_to_a_bomb() -> None:
    """11 units on an ace: 23 of 311 instead of 24 of 312, or 24 of 311; over all cards the effects cancel."""
    found = effects(book("wa", fresh(6)), "a_bomb")
    for card, change in found.items():
        assert change == 11 * (Fraction(24 - (card[0] == "A"), 311) - Fraction(24, 312))
    assert sum(found.values()) == 0
    assert found["Ah"] < 0 < found["2c"]


def test_one_card_matters_in_a_shoe_that_is_not_fresh() -> None:
    """Once a pair of kings has gone, another king and a deuce differ, though not in the mean over all cards."""
    found = book("nz", fresh(6).without("Kh").without("Kd"))
    for wager in ("initial", "tie"):
        each = effects(found, wager)
        assert each["Ks"] != each["2s"] == each["3h"]
        assert found.composition.cards is not None
        counts = dict(zip(CARDS, found.composition.cards, strict=True))
        assert sum(counts[card] * change for card, change in each.items()) == 0


@pytest.mark.parametrize("decks", [1, 6])
def test_two_cards_on_tie(decks: int) -> None:
    """With n of a rank left of 4n: 11 units on the chance of a tie, in a shoe two cards shorter."""
    size, of_rank = 52 * decks, 4 * decks

    def tie(*counts: int) -> Fraction:
        return Fraction(sum(count * (count - 1) for count in counts), sum(counts) * (sum(counts) - 1))

    fresh_shoe = tie(*[of_rank] * 13)
    assert fresh_shoe == Fraction(of_rank - 1, size - 1)
    same = 11 * (tie(of_rank - 2, *[of_rank] * 12) - fresh_shoe)
    other = 11 * (tie(of_rank - 1, of_rank - 1, *[of_rank] * 11) - fresh_shoe)
    found = second_effects(book("wa", fresh(decks)), "tie")
    shared_rank = {"card", "rank and colour", "rank", "two aces"}
    assert found == {shared: same if shared in shared_rank else other for shared in found}
    assert set(found) == (set(TWO) if decks > 1 else set(TWO) - {"card"})
    assert same > 0 > other
    chance = Fraction(of_rank - 1, size - 1)
    assert chance * same + (1 - chance) * other == 0


def test_two_cards_on_the_initial_wager() -> None:
    """More ties in store bring more wars, which cost; so the initial wager falls where the tie wager rises."""
    found = second_effects(book("nz", fresh(6)), "initial")
    assert found["card"] == found["rank"] < 0 < found["nothing"] == found["suit"]
    assert Fraction(23, 311) * found["rank"] + Fraction(288, 311) * found["nothing"] == 0


def test_two_cards_on_perfect_pairs() -> None:
    """Of the 311 others 5 are the same card, 6 of its colour, 12 mixed and 288 of other ranks: the mean is zero."""
    found = second_effects(book("wa", fresh(6)), "perfect_pairs")
    assert found["suit"] == found["nothing"] == found["ace and other"]
    assert len({found["card"], found["rank and colour"], found["rank"], found["nothing"]}) == 4
    assert 5 * found["card"] + 6 * found["rank and colour"] + 12 * found["rank"] + 288 * found["nothing"] == 0
    a_bomb = second_effects(book("wa", fresh(6)), "a_bomb")
    assert a_bomb["two aces"] == 11 * (Fraction(22, 310) - Fraction(24, 312))


def test_effects_of_two_cards_do_not_hang_on_the_example() -> None:
    found = book("ma", fresh(6))
    told = second_effects(found, "progressive")
    assert effect(found, "progressive", "2c", "2s") == told["rank and colour"]
    assert effect(found, "progressive", "2c", "9d") == told["nothing"]
    assert effect(found, "progressive", "5d", "9d") == told["suit"]


# Counting


def sets_left(found: Study, left: int) -> list[Composition]:
    """Every set of physical cards that can be left, one by one."""
    assert found.composition.cards is not None
    laid = [at for at, count in enumerate(found.composition.cards) for _ in range(count)]
    return [by_card(tuple(Counter(chosen)[at] for at in range(52))) for chosen in combinations(laid, left)]


PAIRS = {"suit": 25, "colour": 12, "other": 5}


def value(wager: str, shoe: Composition) -> Fraction:
    """What the wager is worth with these cards, from pairs of them."""
    assert shoe.cards is not None
    laid = [card for card, count in zip(CARDS, shoe.cards, strict=True) for _ in range(count)]
    if wager == "a_bomb":
        return Fraction(11 * sum(card[0] == "A" for card in laid), len(laid)) - 1
    pairs = list(combinations(laid, 2))
    total = Fraction(0)
    for one, two in pairs:
        if one[0] != two[0]:
            total -= 1
        elif wager == "tie":
            total += 10
        else:
            same_colour = "colour" if (one[1] in "dh") == (two[1] in "dh") else "other"
            total += PAIRS["suit" if one[1] == two[1] else same_colour]
    return total / len(pairs)


def check_counted(found: Study, left: int, told: dict[str, Counting]) -> None:
    shoes = sets_left(found, left)
    for wager, figures in told.items():
        values = [value(wager, shoe) for shoe in shoes]
        mean = sum(values) / len(values)
        assert figures.is_exact
        assert figures.left == left
        assert figures.ev == mean == value(wager, found.composition)
        assert figures.variance == sum((one - mean) ** 2 for one in values) / len(values)
        assert figures.best == max(values)
        assert figures.chance == Fraction(sum(one > 0 for one in values), len(values))
        assert figures.gain == sum(max(one, Fraction(0)) for one in values) / len(values)


small = st.dictionaries(st.sampled_from(CARDS[-16:]), st.integers(1, 3), min_size=2, max_size=10).filter(
    lambda counts: 7 <= sum(counts.values()) <= 11
)


@settings(max_examples=40, deadline=None)
@given(counts=small, data=st.data())
def test_counting_of_small_shoes_set_by_set(counts: dict[str, int], data: st.DataObject) -> None:
    """All sets of cards that can be left, looked at one by one."""
    found = book("wa", by_card(tuple(counts.get(card, 0) for card in CARDS)))
    left = data.draw(st.integers(2, found.composition.size))
    told = counting(found, found.composition.size - left)
    assert set(told) == set(COUNTED)
    check_counted(found, left, told)


@settings(max_examples=40, deadline=None)
@given(counts=small, data=st.data())
def test_bounds_are_above_the_truth(counts: dict[str, int], data: st.DataObject) -> None:
    found = book("wa", by_card(tuple(counts.get(card, 0) for card in CARDS)))
    depth = data.draw(st.integers(0, found.composition.size - 2))
    exact, bounded = counting(found, depth), counting(found, depth, most_work=0)
    for wager in COUNTED:
        assert bounded[wager].chance >= exact[wager].chance
        assert bounded[wager].gain >= exact[wager].gain
        assert bounded[wager].best == exact[wager].best
        assert not bounded[wager].is_exact or exact[wager].chance == 0


def test_bounds_of_one_ace() -> None:
    """One ace among 12 cards, 10 left: worth 11/10 - 1 in 10 cases of 12, else -1; so -1/12 with variance 605/3600."""
    found = book("wa", by_rank((0,) * 11 + (11, 1)))
    exact, bounded = counting(found, 2)["a_bomb"], counting(found, 2, most_work=0)["a_bomb"]
    assert (exact.chance, exact.gain) == (Fraction(10, 12), Fraction(1, 12))
    assert (bounded.ev, bounded.variance, bounded.is_exact) == (Fraction(-1, 12), Fraction(605, 3600), False)
    assert bounded.chance == Fraction(605, 605 + 25) > exact.chance
    root = 2 * bounded.gain + Fraction(1, 12)
    assert 0 < root**2 - Fraction(630, 3600) < Fraction(1, 10**11)
    assert bounded.gain > exact.gain


def test_aces_left_in_six_decks() -> None:
    """The aces among 78 cards left are hypergeometric; from 8 on, 11 x 8 > 78, the wager is worth more than nothing."""
    told = counting(book("wa", fresh(6)), 234)["a_bomb"]
    ways = {aces: comb(24, aces) * comb(288, 78 - aces) for aces in range(25)}
    assert told.chance == Fraction(sum(ways[aces] for aces in range(8, 25)), comb(312, 78))
    worth = sum(ways[aces] * (Fraction(11 * aces, 78) - 1) for aces in range(8, 25)) / comb(312, 78)
    assert told.gain == worth
    assert told.best == Fraction(11 * 24, 78) - 1
    assert told.ev == Fraction(11, 13) - 1


def test_a_fair_wager_is_no_edge() -> None:
    """Two aces among 12 cards: one left of 11 is fair and does not count; both are left 10 times of 12."""
    found = book("wa", by_rank((0,) * 11 + (10, 2)))
    told = counting(found, 1)["a_bomb"]
    assert told.chance == Fraction(10, 12)
    assert told.gain == Fraction(10, 12) * (Fraction(2 * 11, 11) - 1)


def test_tie_in_one_deck_rank_by_rank() -> None:
    """With 8 cards of a deck left: every way to share them out over 13 ranks, up to 4 of each."""
    told = counting(book("nz", fresh(1)), 44)
    assert set(told) == {"tie"}
    ways: Counter[int] = Counter()

    def share(ranks: int, cards: int, pairs: int, so_far: int) -> None:
        if not ranks:
            ways[pairs] += so_far if not cards else 0
            return
        for here in range(min(4, cards) + 1):
            share(ranks - 1, cards - here, pairs + comb(here, 2), so_far * comb(4, here))

    share(13, 8, 0, 1)
    assert sum(ways.values()) == comb(52, 8)
    above = {pairs: count for pairs, count in ways.items() if 11 * pairs > 28}
    assert told["tie"].chance == Fraction(sum(above.values()), comb(52, 8))
    gain = sum(count * (Fraction(11 * pairs, 28) - 1) for pairs, count in above.items()) / comb(52, 8)
    assert told["tie"].gain == gain
    assert told["tie"].best == Fraction(11 * 12, 28) - 1


@pytest.mark.parametrize("depth", [0, 52, 156, 234, 260])
def test_six_decks_by_depth(depth: int) -> None:
    """The mean stays where it was, the spread grows; at the start of a shoe nobody knows anything."""
    found = book("wa", fresh(6))
    told = counting(found, depth)
    for wager, figures in told.items():
        assert figures.ev == found.figures(wager).ev
        assert (figures.variance == 0) == (depth == 0)
        assert (figures.chance == 0) == (figures.best <= 0)
        assert figures.gain <= figures.chance * figures.best or not figures.is_exact
    assert told["tie"].is_exact
    assert told["a_bomb"].is_exact
    assert told["tie"].chance < told["a_bomb"].chance or depth == 0


def test_a_deck_of_six_gone_is_no_use_on_tie() -> None:
    """The most ties are left when whole ranks are there: 10 ranks of 24 and one of 20 among 260 cards."""
    told = counting(book("nz", fresh(6)), 52)["tie"]
    assert told.best == 11 * Fraction(10 * 24 * 23 + 20 * 19, 260 * 259) - 1
    assert told.best < 0
    assert told.chance == told.gain == 0
    assert told.is_exact


def test_variance_agrees_with_the_second_effects() -> None:
    """With two cards gone, the spread is that of the effects of two cards."""
    found = book("wa", fresh(6))
    for wager, kinds in (
        ("tie", {"rank": 23, "nothing": 288}),
        ("perfect_pairs", {"card": 5, "rank and colour": 6, "rank": 12, "nothing": 288}),
    ):
        two = second_effects(found, wager)
        expected = sum(others * two[shared] ** 2 for shared, others in kinds.items()) / Fraction(311)
        assert edge_variance(found, wager, 310) == expected
    with_one_gone = edge_variance(found, "tie", 311)
    assert with_one_gone == 0


@pytest.mark.parametrize("depth", [-1, 311, 400])
def test_depths_that_cannot_be(depth: int) -> None:
    with pytest.raises(CompositionError, match="cannot be gone"):
        counting(book("nz", fresh(6)), depth)


def test_a_wager_that_pays_for_losing_is_not_counted() -> None:
    rules = load_with("nz", {"payout.tie.on_win": "lose", "payout.tie.on_loss": "push"})
    with pytest.raises(ValueError, match="nothing to count"):
        counting(study(rules, fresh(6)), 100)


# War or surrender


@pytest.mark.parametrize("name", BOOKS)
def test_war_is_never_worse_under_the_five_books(name: str) -> None:
    """War wins and loses alike, 1 and -2 or 2 and -2, and gains 2 or 3 on a second tie; surrender costs one half."""
    line = margin(load_with(name, BOOKS[name]))
    expected = Margin(Fraction(1, 2), Fraction(3)) if name == "ctg" else Margin(Fraction(0), Fraction(5, 2))
    assert line == expected
    assert line.is_never_worse
    assert exception(load_with(name, BOOKS[name])) is None


@pytest.mark.parametrize("decks", range(1, 9))
def test_fresh_shoes(decks: int) -> None:
    """5/2 of the chance of a second tie, at every rank alike."""
    size, of_rank = 52 * decks, 4 * decks
    ties = 12 * of_rank * (of_rank - 1) + (of_rank - 2) * (of_rank - 3)
    expected = Fraction(5 * ties, 2 * (size - 2) * (size - 3))
    found = book("nz", fresh(decks))
    assert set(margins(found).values()) == {expected}
    assert {war - surrender for war, surrender in found.choices().values()} == {expected}


WHAT_IF: dict[str, dict[str, object]] = {
    "as it is": {},
    "no bonus": {"payout.war.on_tie": "1:1"},
    "a second tie loses": {"payout.war.on_tie": "lose", "payout.initial.on_war_tie": "lose"},
    "surrender costs a quarter": {"surrender.forfeit": "1:4"},
    "surrender costs three quarters": {"surrender.forfeit": "3:4"},
    "war wins nothing": {"payout.war.on_win": "push"},
    "a second tie loses, war wins more": {
        "payout.war.on_win": "2:1",
        "payout.war.on_tie": "lose",
        "payout.initial.on_war_tie": "lose",
    },
}
NEVER_WORSE = {"as it is", "no bonus", "surrender costs three quarters"}
SMALL = [
    by_rank((*counts, *[0] * 8))
    for counts in product(range(5), range(4), range(3), range(3), range(2))
    if sum(counts) >= 7
]
"""Every composition of up to five ranks with 4, 3, 2, 2 and 1 cards that is enough for a war."""


@pytest.mark.parametrize("change", WHAT_IF)
def test_war_or_surrender_in_every_small_shoe(change: str) -> None:
    """The line against the odds of each composition; one that dips below zero is found out, the others never are."""
    rules = load_with("nz", WHAT_IF[change])
    line = margin(rules)
    worse = 0
    for composition in SMALL:
        found = study(rules, composition)
        gaps = {rank: war - surrender for rank, (war, surrender) in found.choices().items()}
        assert margins(found) == gaps
        assert found.best_play() == {rank: "war" if gap >= 0 else "surrender" for rank, gap in gaps.items()}
        worse += any(gap < 0 for gap in gaps.values())
        for rank, gap in gaps.items():
            assert (gap == 0) == (second_tie(composition, rank) == line.turns_at)
    assert line.is_never_worse == (change in NEVER_WORSE)
    assert (worse == 0) == line.is_never_worse


@pytest.mark.parametrize("change", WHAT_IF)
def test_exceptions_are_exceptions(change: str) -> None:
    rules = load_with("nz", WHAT_IF[change])
    composition = exception(rules)
    assert (composition is None) == (change in NEVER_WORSE)
    if composition is not None:
        assert study(rules, composition).best_play()["2"] == "surrender"


def test_where_the_line_turns() -> None:
    """With a quarter to lose by surrender, war costs a quarter more, and 5/2 of the ties make up for it: t = 1/10."""
    assert margin(load_with("nz", WHAT_IF["surrender costs a quarter"])).turns_at == Fraction(1, 10)
    assert margin(load_with("nz", {})).turns_at == 0
    assert margin(load_with("ctg", {})).turns_at is None
