"""California: two batches of cards in turn, the cut, the cutting card, and a shoe that runs short."""

import pytest

from casinowar.cards import DECK
from casinowar.records import RecordError
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.clauses.ca.bank import bank, seat
from tests.support.rounds import Act, Played, act, bet, deal, play

SEATED = [seat("ben", 4), seat("ana", 2), seat("cat", 6)]
BETS = [bet(player, box, "initial", 500) for player, box in (("ana", 2), ("ben", 4), ("cat", 6))]
FULL_ROUND = [*SEATED, bank("dan", 1), *BETS, deal()]
ANA_ALONE = [bank("dan", 1), bet("ana", 2, "initial", 1000), deal()]
SHOE = "2c Kh cut 9d"


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


def cut(player: str | None, position: int = 156, by: str | None = None) -> Act:
    signed = {} if by is None else {"by": by}
    return act("cut", position=position, **({} if player is None else {"player": player}), **signed)


def decline(player: str) -> Act:
    return act("decline_cut", player=player)


def cutters(played: Played) -> list[str | None]:
    return [event["player"] for event in played.events("cut_made")]


def batches(played: Played) -> list[int]:
    return [event["batch"] for event in played.events("shoe_loaded")]


def full_shoe(decks: int, behind: int) -> str:
    """Every card of the decks, with so many of them behind the cutting card: 2c, 3c, 4c come first."""
    cards = [str(card) for card in DECK] * decks
    return " ".join([*cards[: len(cards) - behind], "cut", *cards[len(cards) - behind :]])


def three_shoes() -> Played:
    acts = [*ANA_ALONE, *ANA_ALONE, bank("ana", 2), bet("dan", 1, "initial", 1000), deal()]
    return play("ca", SHOE, *acts, later=("3c Kh cut 9d", "4c Kh cut 9d"))


@clause("CA-DECK-3a", "CA-DECK-3b", "CA-DECK-3d")
def test_the_two_batches_take_turns_shoe_after_shoe() -> None:
    assert batches(three_shoes()) == [1, 2, 1]


@clause("CA-DECK-3b", "CA-DECK-3e")
def test_a_shoe_filled_up_mid_round_is_of_the_batch_in_play() -> None:
    """Cards of other backs come in only with the next shoe."""
    acts = [*ANA_ALONE, *ANA_ALONE]
    played = play("ca", "2c Kh", *acts, later=("9d", "3c Qh 9d"))
    assert batches(played) == [1, 1, 2]


@clause("CA-DECK-3c")
def test_the_next_shoe_is_whole_whatever_the_last_one_held() -> None:
    """Six kings of hearts in either batch: the one was stored in the machine while the other was dealt."""
    kings = " ".join(["Kh"] * 6)
    tied = [bank("dan", 1), bet("ana", 2, "initial", 1000), deal(), act("surrender", player="ana", box=2)]
    played = play("ca", f"Kh Kh cut Kh {' '.join(['Kh'] * 3)}", *tied, *tied, later=(kings,))
    assert played.gain("ana") == -2 * 500
    assert batches(played) == [1, 2]


@clause("CA-DECK-3e", "CA-DECK-3d")
def test_the_rack_is_empty_when_the_other_batch_comes_in() -> None:
    played = play("ca", "2c Ah cut 9d", *ANA_ALONE * 2, later=("3c Kh 8d",))
    assert played.replayed.table.rack == ((-1, (None,)), (2, ("Kh",)), (0, ("8d",)))


@clause("CA-DECK-1")
def test_the_cards_are_shuffled_by_a_machine() -> None:
    assert load_rulebook("ca").shoe.shuffler == "batch_auto"
    with pytest.raises(RulebookError, match=r"ca fixes shoe\.shuffler at batch_auto \(CA-DECK-1\)"):
        load_rulebook("ca", {"shoe.shuffler": "continuous"})


@clause("CA-DECK-2", "CA-DECK-3", "CA-DECK-3a")
def test_six_standard_decks_in_each_batch_unless_the_operator_has_more() -> None:
    kings = " ".join(["Kh"] * 7)
    with pytest.raises(RecordError, match="7 times Kh: 6 decks hold 6"):
        play("ca", kings)
    with pytest.raises(RecordError, match="7 times Kh: 6 decks hold 6"):
        play("ca", "2c", later=(kings,))
    played = play("ca", kings, *ANA_ALONE, options={"shoe.decks": 7})
    assert [event["card"] for event in played.events("card_dealt")] == ["Kh", "Kh"]


@clause("CA-DECK-3", "CA-DECK-3a")
@pytest.mark.parametrize("decks", [6, 8, 12])
def test_twelve_decks_in_all_or_more(decks: int) -> None:
    shoe = full_shoe(decks, 78)
    played = play("ca", shoe, *ANA_ALONE, options={"shoe.decks": decks})
    assert [event["cards"] for event in played.events("shoe_loaded")] == [52 * decks]
    with pytest.raises(RecordError, match=r"shoe\.decks"):
        play("ca", "2c", options={"shoe.decks": 5})


@clause("CA-DP-1a")
def test_the_first_card_of_every_shoe_is_burned_unseen() -> None:
    played = three_shoes()
    assert [played.dealt(number).split(", ")[0] for number in (1, 2, 3)] == ["burn 2c", "burn 3c", "burn 4c"]
    assert [event["card"] for event in played.events("card_burned")] == [None] * 3


# The cut, which this book presupposes; the procedure is that of AMB-18.


@clause("CA-DP-1a", "CA-DP-4")
def test_at_the_start_the_first_player_to_the_table_cuts() -> None:
    played = play("ca", "2c", *SEATED, cut("ana"), cut("cat"), cut(None), cut("ben"), cut("ben"))
    reasons = [(3, "not_the_cutter"), (4, "not_the_cutter"), (5, "not_the_cutter"), (7, "no_cut")]
    assert played.refusals == reasons
    assert cutters(played) == ["ben"]


@clause("CA-DP-1a")
@pytest.mark.parametrize("decks", [6, 8])
def test_the_cut_is_a_deck_or_more_from_either_end(decks: int) -> None:
    last = 52 * decks - 52
    for inside in (52, last):
        played = play("ca", "2c", *SEATED, cut("ben", inside), options={"shoe.decks": decks})
        assert [event["position"] for event in played.events("cut_made")] == [inside]
    attempts = [cut("ben", position) for position in (51, last + 1)]
    refused = play("ca", "2c", *SEATED, *attempts, options={"shoe.decks": decks})
    assert refused.refusals == [(3, "cut_out_of_bounds"), (4, "cut_out_of_bounds")]


@clause("CA-DP-1a", "CA-DP-3")
def test_the_player_on_whose_box_the_cutting_card_showed_cuts_next() -> None:
    played = play("ca", "2c cut 3h 4h 5h Kd", *FULL_ROUND, cut("ben"), cut("cat"), cut("ana"), later=("2c",))
    assert [reason for _, reason in played.refusals] == ["not_the_cutter"] * 2
    assert cutters(played) == ["ben", "ana"]


@clause("CA-DP-1a")
def test_the_player_farthest_right_cuts_where_the_cutting_card_showed_for_the_bank() -> None:
    played = play("ca", "2c 3h 4h 5h cut Kd", *FULL_ROUND, cut("dan"), cut("ben"), cut("cat"), later=("2c",))
    assert [reason for _, reason in played.refusals] == ["not_the_cutter"] * 2
    assert cutters(played) == ["ben", "cat"]


@clause("CA-DP-1a")
def test_the_player_farthest_right_cuts_where_no_other_case_fits() -> None:
    attempts = [cut("dan"), cut("ben"), cut("cat")]
    played = play("ca", "2c 3h 4h 5h Kd", *FULL_ROUND, act("replace_cards", by="operator:o1"), *attempts)
    assert [reason for _, reason in played.refusals] == ["not_the_cutter"] * 2
    assert cutters(played) == ["ben", "cat"]


@clause("CA-DP-1a")
def test_a_declined_cut_goes_clockwise_and_at_last_to_the_dealer() -> None:
    declines = [decline("ana"), decline("ben"), decline("ana"), decline("cat"), decline("ana")]
    by_staff = [cut(None, by="supervisor:s1"), cut(None, by="dealer:d1")]
    higher = play("ca", "2c", *SEATED, *declines, by_staff[0])
    assert higher.refusals == [(3, "not_the_cutter"), (5, "not_the_cutter")]
    played = play("ca", "2c", *SEATED, *declines, *by_staff, options={"authority.higher": False})
    assert [event["player"] for event in played.events("cut_declined")] == ["ben", "cat", "ana"]
    assert played.refusals == [(3, "not_the_cutter"), (5, "not_the_cutter"), (8, "not_the_cutter")]
    assert cutters(played) == [None]


# The cutting card.


@clause("CA-DP-3")
@pytest.mark.parametrize("shoe", ["2c Kh cut 9d 6h 7d", "2c Kh 9d cut 6h 7d"])
def test_the_round_with_the_cutting_card_is_played_out_and_the_cards_are_shuffled(shoe: str) -> None:
    """Even where it comes out ahead of the first card of a round (AMB-21)."""
    rounds = 1 if shoe.startswith("2c Kh cut") else 2
    others = [bank("ana", 2), bet("dan", 1, "initial", 1000), deal()]
    played = play("ca", shoe, *ANA_ALONE * 2, *others, later=("Tc Ah Jd", "2c 2h 2d"))
    assert played.dealt(1) == "burn 2c, box 2 Kh, dealer 9d"
    assert played.dealt(rounds + 1).startswith("burn Tc, ")
    if rounds == 2:
        assert played.dealt(2) == "box 2 6h, dealer 7d"
    assert [event["shuffle"] for event in played.events("cut_card_drawn")] == ["after_round"]


@clause("CA-DP-3")
def test_the_operator_may_shuffle_at_once_when_the_cutting_card_comes_first() -> None:
    options = {"shoe.cut_first_card": "shuffle_now"}
    played = play("ca", "2c Kh 9d cut 6h 7d", *ANA_ALONE * 2, later=("Tc Ah Jd",), options=options)
    assert played.dealt(2) == "burn Tc, box 2 Ah, dealer Jd"
    assert played.gain("ana") == 2 * 1000


@clause("CA-DP-3")
def test_one_cutting_card_and_none_at_the_back() -> None:
    played = play("ca", SHOE, *ANA_ALONE)
    assert [(event["cut_card"], event["end_card"]) for event in played.events("shoe_loaded")] == [(2, False)]


@clause("CA-DP-3")
def test_the_cutting_card_lies_a_deck_or_more_from_either_end_and_78_from_the_back_unless_set() -> None:
    first, last = ANA_ALONE[:-1], ANA_ALONE[-1]
    markers = [act("place_marker", from_back=at) for at in (51, 261, 52)]
    played = play("ca", full_shoe(6, 52), *first, cut("dan"), *markers, last, options={"shoe.marker_from_back": 52})
    assert played.refusals == [(3, "marker_out_of_bounds"), (4, "marker_out_of_bounds")]
    deep = play("ca", full_shoe(6, 260), *first, cut("dan"), act("place_marker", from_back=260), last)
    assert deep.refusals == []
    assert load_rulebook("ca").shoe.marker_from_back == 78
    assert load_rulebook("ca").marker_bounds == (52, 312 - 52)


# Too few cards: this book is silent, and the discards of the batch in play are shuffled (AMB-38).


@clause("CA-DECK-3e", "CA-DP-1a")
def test_a_shoe_that_runs_dry_is_filled_with_the_discards_and_not_burned_again() -> None:
    played = play("ca", "2c Kh", *ANA_ALONE, later=("9d 6h",))
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 2 Kh, dealer 9d"


@clause("CA-DECK-3e", "CA-DP-3")
@pytest.mark.parametrize(("options", "second"), [({}, ""), ({"shoe.short_discharges": True}, "box 2 6h, dealer 5d")])
def test_a_shuffle_mid_round_does_not_stand_for_the_one_that_was_due(options: dict[str, object], second: str) -> None:
    """The other batch is brought in at the end of the round all the same, unless the operator reads it otherwise."""
    played = play("ca", "2c cut Kh", *ANA_ALONE * 2, later=("9d 6h 5d", "Tc Qh Jd"), options=options)
    assert played.dealt(2) == (second or "burn Tc, box 2 Qh, dealer Jd")
    assert batches(played) == ([1, 1] if second else [1, 1, 2])
