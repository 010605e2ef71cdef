"""New Zealand: the table, its labels, the ranking of cards, and what an operator may and may not set."""

from itertools import combinations, pairwise

import pytest

from casinowar.cards import DECK
from casinowar.records import RecordError
from casinowar.rulebooks import SILENT, load_rulebook
from tests.support.rounds import bet, deal, play

RANKING = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


@clause("NZ-3.1-i")
def test_a_table_has_seven_boxes_at_most() -> None:
    played = play(
        "nz",
        "2c Kh Qd",
        bet("ana", 7, "initial", 1000),
        bet("ben", 8, "initial", 1000),
        bet("ben", 0, "tie", 500),
        deal(),
    )
    assert played.refusals == [(1, "unknown_box"), (2, "unknown_box")]
    assert all("NZ-3.1-i" in cited for cited in played.refusal_clauses)
    assert played.dealt() == "burn 2c, box 7 Kh, dealer Qd"


@clause("NZ-3.1-i")
@pytest.mark.parametrize("boxes", [1, 3, 6, 7])
def test_a_table_may_have_fewer_boxes(boxes: int) -> None:
    acts = [bet("ana", boxes, "initial", 1000), bet("ben", boxes + 1, "initial", 1000)]
    played = play("nz", "2c", *acts, options={"table.boxes": boxes})
    assert played.refusals == [(1, "unknown_box")]
    assert (played.gain("ana"), played.gain("ben")) == (-1000, 0)


@clause("NZ-3.3a")
def test_the_main_area_bears_the_name_of_the_game() -> None:
    assert load_rulebook("nz").names.initial == "Casino War"


@clause("NZ-3.3b")
def test_the_tie_area_says_tie() -> None:
    assert load_rulebook("nz").names.tie == "Tie"


@clause("NZ-1.2-GTWW")
def test_the_second_wager_is_called_go_to_war() -> None:
    assert load_rulebook("nz").names.war == "Go to War"


@clause("NZ-4.2")
@pytest.mark.parametrize(("low", "high"), list(pairwise(RANKING)))
def test_each_rank_beats_the_one_below_it(low: str, high: str) -> None:
    higher = play("nz", f"2c {high}h {low}d", bet("ana", 1, "initial", 1000), deal())
    lower = play("nz", f"2c {low}h {high}d", bet("ana", 1, "initial", 1000), deal())
    assert (higher.gain("ana"), lower.gain("ana")) == (1000, -1000)


@clause("NZ-4.2")
def test_the_ace_is_only_high() -> None:
    played = play("nz", "2c Ah 2d", bet("ana", 1, "initial", 1000), deal())
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@clause("NZ-4.1")
@pytest.mark.parametrize(("mine", "theirs"), list(combinations("cdhs", 2)))
def test_cards_of_one_rank_tie_whatever_their_suits(mine: str, theirs: str) -> None:
    for one, other in ((mine, theirs), (theirs, mine)):
        played = play("nz", f"2c K{one} K{other}", bet("ana", 1, "tie", 500), deal())
        assert played.settlements() == [("ana", 1, "tie", "win", 5000)]


@clause("NZ-3.4a")
def test_six_decks_unless_the_operator_says_otherwise() -> None:
    six = play("nz", "Kh Kh Kh Kh Kh Kh 2c", bet("ana", 1, "initial", 1000), deal(3))
    assert six.events("card_dealt")[-1]["card"] == "Kh"
    with pytest.raises(RecordError, match="7 times Kh: 6 decks hold 6"):
        play("nz", "Kh Kh Kh Kh Kh Kh Kh")


@clause("NZ-3.4a")
@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_four_to_eight_decks(decks: int) -> None:
    played = play("nz", "Kh " * decks, bet("ana", 1, "tie", 500), deal(), options={"shoe.decks": decks})
    assert played.gain("ana") == 5000
    with pytest.raises(RecordError, match=f"{decks + 1} times Kh"):
        play("nz", "Kh " * (decks + 1), options={"shoe.decks": decks})


@clause("NZ-3.4c", "NZ-3.4a")
@pytest.mark.parametrize("decks", [4, 6])
def test_the_shoe_holds_all_cards_and_no_more(decks: int) -> None:
    options = {"shoe.decks": decks, "shoe.marker_from_back": 52}
    cards = [*DECK] * decks
    cut = ["cut" if index == 52 * (decks - 1) else "" for index in range(52 * decks)]
    full = " ".join(f"{before} {card}" for before, card in zip(cut, cards, strict=True))
    played = play("nz", full, bet("ana", 1, "initial", 1000), deal(), options=options)
    assert played.events("shoe_loaded")[0]["cards"] == 52 * decks
    with pytest.raises(RecordError, match=f"{52 * decks + 1} cards"):
        play("nz", full + " xx", options=options)


OUTSIDE = [
    ("table.boxes", 0, "NZ-3.1-i"),
    ("table.boxes", 8, "NZ-3.1-i"),
    ("table.bettors_per_area", 0, "NZ-5.9-ii"),
    ("table.bettors_per_area", 4, "NZ-5.9-i"),
    ("table.multi_box", 2, "NZ-5.7"),
    ("table.max_boxes_per_player", 0, "NZ-5.8"),
    ("table.max_boxes_per_player", 8, "NZ-5.8"),
    ("limits.require_even", "yes", "NZ-1.2-SUR"),
    ("limits.area_total_max", -1, "NZ-5.10-i"),
    ("limits.area_total_scope", "table", "NZ-5.10-i"),
    ("limits.player_box_max", -1, "NZ-5.10-ii"),
    ("betting.closes", "last_card", "NZ-5.15"),
    ("war.exempt", "half", "NZ-1.2-GTWW"),
    ("shoe.short_discharges", "later", "NZ-9.5-ii"),
    ("surrender.odd_unit", "dealer", "NZ-5.2b"),
    ("war.burn", 1, "NZ-8.8-ii"),
    ("war.burn", 4, "NZ-8.8-ii"),
    ("war.method", "C", "NZ-8.7.1-i"),
    ("shoe.decks", 3, "NZ-3.4a"),
    ("shoe.decks", 9, "NZ-3.4a"),
    ("shoe.cut_cards", 0, "NZ-3.4b"),
    ("shoe.cut_cards", 3, "NZ-3.4b"),
    ("shoe.cut_offered", 1, "NZ-7.3-i"),
    ("shoe.marker_from_back", -1, "NZ-7.7a-i"),
    ("shoe.marker_from_back", 157, "NZ-7.7a-i"),
    ("shoe.initial_burn", "face_up_plus_value", "NZ-8.3-i"),
]


@pytest.mark.parametrize(("option", "value", "rests_on"), [pytest.param(*row, marks=clause(row[2])) for row in OUTSIDE])
def test_an_option_outside_its_values_is_refused_with_its_clause(option: str, value: object, rests_on: str) -> None:
    with pytest.raises(RecordError, match=f"does not allow {option} = ") as refused:
        play("nz", "2c", options={option: value})
    is_supplied = option in ("limits.require_even", "surrender.odd_unit")
    assert (SILENT if is_supplied else rests_on) in str(refused.value)


FIXED = [
    ("settle.first", ["settle tie, initial from left"], "NZ-8.5.1"),
    ("payout.tie.on_win", "11:1", "NZ-5.13d"),
    ("payout.war.on_tie", "1:1", "NZ-5.13c"),
    ("shoe.cut_depth", 26, "NZ-7.6"),
    ("wager.war_tie", True, "NZ-5.6"),
]


@pytest.mark.parametrize(("key", "value", "rests_on"), [pytest.param(*row, marks=clause(row[2])) for row in FIXED])
def test_what_the_book_fixes_is_no_option(key: str, value: object, rests_on: str) -> None:
    with pytest.raises(RecordError, match=f"nz fixes {key}") as refused:
        play("nz", "2c", options={key: value})
    assert rests_on in str(refused.value)
