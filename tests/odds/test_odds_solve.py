"""Payouts and deck counts for a target edge: by hand, and held against the book loaded with the answer."""

from fractions import Fraction

import pytest

from casinowar.odds.composition import CompositionError, fresh, parse_composition
from casinowar.odds.figures import Strategy, study
from casinowar.odds.solve import (
    PayoutAnswer,
    Question,
    Unsolvable,
    brackets,
    edge_of,
    solve_count,
    solve_payout,
    with_odds,
)
from casinowar.rulebooks import load_with

TIE = Fraction(23, 311)


def solved(
    key: str, target: Fraction, book: str = "nz", wager: str = "initial", strategy: Strategy = "war", meter: int = 0
) -> PayoutAnswer:
    question = Question(wager=wager, target=target, strategy=strategy, meter=meter)
    rules = load_with(book, {})
    answer = solve_payout(rules, fresh(6), key, question)
    changed = with_odds(rules, key, answer.exact)
    assert edge_of(study(changed, fresh(6)), question) == target
    for one in answer.playable:
        loaded = load_with(book, {key: str(one.odds)})
        assert edge_of(study(loaded, fresh(6)), question) == one.house_edge
    return answer


def test_the_tie_wager() -> None:
    """23 ties in 311 at v:1, and the rest lost: the edge is 1 - (v + 1) x 23/311."""
    answer = solved("payout.tie.on_win", Fraction(1, 20), wager="tie")
    assert answer.exact == (1 - Fraction(1, 20)) / TIE - 1 == Fraction(5449, 460)
    assert answer.now == Fraction(58, 311)
    assert [str(one.odds) for one in answer.playable[:3]] == ["59:5", "47:4", "12:1"]
    assert answer.above is not None
    assert answer.below is not None
    assert (str(answer.above.odds), str(answer.below.odds)) == ("59:5", "12:1")
    assert answer.below.house_edge == 1 - 13 * TIE


def test_odds_that_are_played_already_are_found_again() -> None:
    answer = solved("payout.war.on_tie", Fraction(23138, 993023))
    assert answer.exact == 2
    assert str(answer.playable[0].odds) == "2:1"
    assert answer.above == answer.below == answer.playable[0]


@pytest.mark.parametrize(
    ("key", "book", "wager", "strategy"),
    [
        ("payout.initial.on_win", "wa", "initial", "surrender"),
        ("payout.war.on_win", "ca", "initial", "war"),
        ("payout.initial.on_war_win", "nz", "initial", "war"),
        ("war.stake", "nz", "initial", "war"),
        ("payout.war_tie.on_win", "ma", "war_tie", "surrender"),
        ("payout.perfect_pairs.on_mixed", "wa", "war_perfect_pairs", "war"),
        ("payout.progressive.on_four_of_a_kind", "ma", "progressive", "war"),
    ],
)
def test_the_answer_has_the_edge(key: str, book: str, wager: str, strategy: Strategy) -> None:
    now = edge_of(study(load_with(book, {}), fresh(6)), Question(wager=wager, target=Fraction(0), strategy=strategy))
    answer = solved(key, now - Fraction(1, 1000), book, wager, strategy)
    assert answer.now == now
    assert answer.exact > 0


def test_half_is_what_a_surrender_takes() -> None:
    assert solved("surrender.forfeit", Fraction(1, 100), strategy="surrender").exact == Fraction(1, 100) / TIE


def test_a_meter_counts_towards_the_progressive() -> None:
    """Ten million minor units at 2 in 993023, for 500 wagered."""
    plain = solved("payout.progressive.on_tie", Fraction(1, 5), "ma", "progressive")
    metered = solved("payout.progressive.on_tie", Fraction(1, 5), "ma", "progressive", meter=10_000_000)
    assert plain.now - metered.now == Fraction(2, 993023) * 10_000_000 / 500
    assert metered.exact < plain.exact


def test_the_best_line_changes_as_its_odds_grow() -> None:
    """At -60% a tie would pay more than a suited tie at 15:1, so that every suited tie is paid as a tie."""
    assert solved("payout.progressive.on_tie", Fraction(-3, 5), "ma", "progressive").exact > 15


def test_best_play_changes_as_war_pays_less() -> None:
    """Until war is worth half a unit less it is chosen; from there on the edge stays at that of surrender."""
    assert solved("payout.war.on_win", Fraction(35, 1000), "ca", strategy="best").exact > Fraction(1, 2)
    with pytest.raises(Unsolvable, match=r"at most 3\.6977%"):
        solved("payout.war.on_win", Fraction(37, 1000), "ca", strategy="best")


@pytest.mark.parametrize(
    ("key", "target", "message"),
    [
        ("payout.war.on_tie", "1/2", r"no odds of payout\.war\.on_tie give 50\.0000%: .* at most 3\.4242%"),
        ("payout.tie.on_win", "1/20", r"payout\.tie\.on_win does not change this edge: it stays at 2\.3301%"),
        ("surrender.forfeit", "1/50", r"surrender\.forfeit does not change this edge"),
        ("payout.a_bomb.on_win", "1/50", r"nz has no payout\.a_bomb\.on_win"),
    ],
)
def test_what_cannot_be_solved_says_why(key: str, target: str, message: str) -> None:
    with pytest.raises(Unsolvable, match=message):
        solved(key, Fraction(target))


def test_more_than_the_whole_wager_cannot_be_taken() -> None:
    with pytest.raises(Unsolvable, match=r"from 0:1 to 1:1 the edge is 0\.0000% to 7\.3955%"):
        solved("surrender.forfeit", Fraction(1, 5), strategy="surrender")
    with pytest.raises(Unsolvable, match="always lose"):
        solved("payout.progressive.on_loss", Fraction(1, 5), "ma", "progressive")


def test_wagers_and_suits_are_checked() -> None:
    with pytest.raises(Unsolvable, match="nz has no wager 'a_bomb': it has initial, tie"):
        solved("payout.tie.on_win", Fraction(0), wager="a_bomb")
    question = Question(wager="perfect_pairs", target=Fraction(0))
    with pytest.raises(CompositionError, match="asks for suits"):
        solve_payout(load_with("wa", {}), parse_composition("2:23", 6), "payout.perfect_pairs.on_mixed", question)


def test_decks() -> None:
    """The edge of the tie wager with d decks is 1 - 11 x (4d - 1)/(52d - 1)."""
    answer = solve_count("nz", {}, "shoe.decks", Question(wager="tie", target=Fraction(187, 1000)))
    assert answer.edges == {d: 1 - Fraction(11 * (4 * d - 1), 52 * d - 1) for d in (4, 5, 6, 7, 8)}
    assert (answer.exact, answer.nearest) == ((), 6)
    assert brackets(answer, Fraction(187, 1000)) == ([6, 7, 8], [4, 5])
    assert solve_count("nz", {}, "shoe.decks", Question(wager="tie", target=Fraction(58, 311))).exact == (6,)


def test_decks_beyond_the_book() -> None:
    with pytest.raises(Unsolvable, match=r"only shoe\.decks = 6 can be played"):
        solve_count("ctg", {}, "shoe.decks", Question(target=Fraction(1, 100)))
    answer = solve_count("ctg", {}, "shoe.decks", Question(wager="tie", target=Fraction(6, 17)), any_decks=True)
    assert (answer.exact, answer.nearest) == ((1,), 1)
    assert list(answer.edges) == list(range(1, 17))


def test_pairs_keep_their_pay_table_while_decks_are_searched_beyond_the_book() -> None:
    """25:1, 12:1 and 5:1 with d decks: 26(d - 1) + 13d + 12d come back of 52d - 1."""
    question = Question(wager="perfect_pairs", target=Fraction(1, 10))
    answer = solve_count("wa", {}, "shoe.decks", question, any_decks=True)
    assert answer.edges == {d: 1 - Fraction(26 * (d - 1) + 25 * d, 52 * d - 1) for d in range(1, 17)}


def test_a_number_that_changes_nothing_says_so() -> None:
    with pytest.raises(Unsolvable, match=r"war\.burn does not change this edge: it stays at 2\.3301%"):
        solve_count("nz", {}, "war.burn", Question(target=Fraction(1, 50)), counts=range(5))


def test_another_whole_number() -> None:
    """With a meter of 10,000,000 the return hangs on the unit: 2/993023 x meter / unit."""
    question = Question(wager="progressive", target=Fraction(1, 5), meter=10_000_000)
    answer = solve_count("ma", {}, "progressive.unit", question, counts=(250, 500))
    assert answer.edges[500] - answer.edges[250] == Fraction(2, 993023) * 10_000_000 * (
        Fraction(1, 250) - Fraction(1, 500)
    )
