"""WA rules 4.1 to 4.5, 4.14 and 4.15: shuffle, cut, and the cutting card."""

import pytest

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.records import RecordError
from casinowar.rulebooks import load_rulebook
from tests.clauses.wa.shoes import full_shoe
from tests.support.rounds import Act, Played, act, bet, deal, marked, play, war

OPENING = "Ac 2c "
ROUND = [bet("ana", 1, "initial", 1000), deal()]

SEATED = [act("seat_player", player=player, box=box) for player, box in (("ben", 3), ("ana", 1), ("cat", 6))]
"""Ben comes first, and sits between ana at the dealer's far left and cat at the far right."""

BETS = [bet("ana", 1, "initial", 1000), bet("ben", 3, "initial", 1000), bet("cat", 6, "initial", 1000)]


def cut(player: str) -> Act:
    return act("cut", player=player, position=100)


def cutters(played: Played) -> list[str]:
    """Who cut, in order: players by name, staff by role and name."""
    return [made["player"] or made["by"] for made in played.events("cut_made")]


@pytest.mark.clause("WA-4.1-i", "WA-4.3", "WA-2.5", "WA-1.1-CC", "WA-4.5")
def test_no_card_is_dealt_before_the_cards_are_shuffled_and_cut_and_have_their_cutting_card() -> None:
    rules, table = load_rulebook("wa"), Table()
    load = c.LoadShoe(cards=312, cut_card=312 - 78)
    refusals = []
    for command in (
        c.BuyIn(player="ana", amount=5000),
        c.PlaceWager(player="ana", box=1, wager="initial", amount=1000),
        c.Deal(),
        load,
        c.Shuffle(),
        load,
        c.PlaceMarker(from_back=78),
        c.Cut(player="ana", position=100),
        load,
        c.PlaceMarker(from_back=78),
        load,
    ):
        done = step(rules, table, command)
        if isinstance(done, Refusal):
            refusals.append((done.reason, done.clauses))
        else:
            table = done[1]
    assert refusals == [
        ("shuffle_due", ("WA-4.14",)),
        ("shuffle_due", ("WA-4.1-i",)),
        ("cut_due", ("WA-4.3",)),
        ("cut_due", ()),
        ("marker_due", ("WA-2.5", "WA-1.1-CC")),
    ]
    assert (table.shoe_left, table.cut_in, table.shuffle) == (312, 312 - 78, None)


@pytest.mark.clause("WA-4.1-ii")
def test_all_cards_come_back_for_the_next_shoe() -> None:
    hearts = "Kh " * 5
    first, second = OPENING + "Kh cut 9d " + hearts, "Ac 2c Kh 9d " + hearts
    played = play("wa", first, *ROUND, *ROUND, later=(second,))
    assert played.dealt(2) == "burn Ac, burn 2c, box 1 Kh, dealer 9d"
    with pytest.raises(RecordError, match="7 times Kh"):
        play("wa", first, *ROUND, *ROUND, later=(second + "Kh",))


@pytest.mark.clause("WA-4.1-ii", "WA-4.14")
def test_without_a_shuffle_a_finished_shoe_serves_no_further_round() -> None:
    played = play("wa", OPENING + "Kh cut 9d Qh 8d", *ROUND, *ROUND)
    assert played.refusals == [(3, "no_shoe")]
    assert played.refusal_clauses[0] == ["WA-4.14"]
    assert played.data["open"] == [{"player": "ana", "box": 1, "wager": "initial", "amount": 1000}]


@pytest.mark.clause("WA-4.3")
def test_a_player_cuts_every_shuffle_and_may_name_the_place() -> None:
    played = play("wa", OPENING + "Kh cut 9d", ROUND[0], cut("ana"), deal(), *ROUND, later=("Ac 2c Kh 9d",))
    assert played.refusals == []
    assert cutters(played) == ["ana", "ana"]


@pytest.mark.clause("WA-4.3a")
def test_the_first_player_to_the_table_cuts_at_the_outset() -> None:
    played = play("wa", OPENING + "Kh Qh Jh 9d", *SEATED, *BETS, cut("ana"), cut("cat"), cut("ben"), deal())
    assert played.refusals == [(6, "not_the_cutter"), (7, "not_the_cutter")]
    assert cutters(played) == ["ben"]


@pytest.mark.clause("WA-4.3b")
@pytest.mark.parametrize(
    ("shoe", "entitled"),
    [("Kh cut Qh Jh 9d", "ben"), ("Kh Qh cut Jh 9d", "cat")],
)
def test_the_cut_belongs_to_the_box_on_which_the_cutting_card_came(shoe: str, entitled: str) -> None:
    others = [cut(player) for player in ("ana", "ben", "cat") if player != entitled]
    acts = [*SEATED, *BETS, deal(), *BETS, *others, cut(entitled), deal()]
    played = play("wa", OPENING + shoe, *acts, later=(OPENING + "Kh Qh Jh 9d",))
    assert played.refusals == [(10, "not_the_cutter"), (11, "not_the_cutter")]
    assert cutters(played) == ["ben", entitled]


@pytest.mark.clause("WA-4.3b", "WA-4.15")
def test_a_cutting_card_that_came_first_belongs_to_the_box_whose_card_was_due() -> None:
    """The second round would begin with it: the first box due is Ana's."""
    acts = [*SEATED, *BETS, deal(), *BETS, deal()]
    played = play("wa", OPENING + "Kh Qh Jh 9d cut 2h", *acts, later=(OPENING + "Kd Qd Jd 9c",))
    assert [(drawn["box"], drawn["shuffle"]) for drawn in played.events("cut_card_drawn")] == [(1, "now")]
    assert cutters(played) == ["ben", "ana"]


@pytest.mark.clause("WA-4.3c-ii")
def test_the_far_right_cuts_where_the_cutting_card_came_on_the_dealers_hand() -> None:
    acts = [*SEATED, *BETS, deal(), *BETS, cut("ana"), cut("ben"), cut("cat"), deal()]
    played = play("wa", OPENING + "Kh Qh Jh cut 9d", *acts, later=(OPENING + "Kh Qh Jh 9d",))
    assert played.refusals == [(10, "not_the_cutter"), (11, "not_the_cutter")]
    assert cutters(played) == ["ben", "cat"]


@pytest.mark.clause("WA-4.3c-ii", "WA-4.12a")
def test_the_cards_burned_for_a_war_belong_to_the_dealers_hand() -> None:
    acts = [*SEATED, *BETS, deal(), war("ben", 3), deal(), *BETS, deal()]
    played = play("wa", OPENING + "Kh 9h Jh 9d 3c cut 4c 5c Kd Qs", *acts, later=(OPENING + "Kh Qh Jh 9d",))
    assert [drawn["box"] for drawn in played.events("cut_card_drawn")] == [0]
    assert cutters(played) == ["ben", "cat"]


@pytest.mark.clause("WA-4.3c-i")
def test_the_far_right_cuts_cards_that_were_replaced() -> None:
    acts = [*SEATED, *BETS, deal(), act("replace_cards"), *BETS, cut("ana"), cut("ben"), cut("cat"), deal()]
    played = play("wa", OPENING + "Kh Qh cut Jh 9d", *acts, later=(OPENING + "Kh Qh Jh 9d",))
    assert played.refusals == [(11, "not_the_cutter"), (12, "not_the_cutter")]
    assert cutters(played) == ["ben", "cat"]


@pytest.mark.clause("WA-4.4-i")
def test_a_refused_cut_goes_round_clockwise() -> None:
    declined = [act("decline_cut", player=player) for player in ("ben", "cat")]
    first = play("wa", OPENING + "Kh Qh Jh 9d", *SEATED, *BETS, declined[0], cut("ana"), cut("cat"), deal())
    assert first.refusals == [(7, "not_the_cutter")]
    assert cutters(first) == ["cat"]
    second = play("wa", OPENING + "Kh Qh Jh 9d", *SEATED, *BETS, *declined, cut("ben"), cut("ana"), deal())
    assert second.refusals == [(8, "not_the_cutter")]
    assert cutters(second) == ["ana"]


@pytest.mark.clause("WA-4.4-ii", "WA-1.1-TI")
def test_the_inspector_cuts_when_no_player_will() -> None:
    declined = [act("decline_cut", player=player) for player in ("ben", "cat", "ana")]
    by_dealer, by_inspector = (act("cut", position=100, by=by) for by in ("dealer:d1", "supervisor:s1"))
    acts = [*SEATED, *BETS, by_inspector, *declined, cut("ben"), by_dealer, by_inspector, deal()]
    played = play("wa", OPENING + "Kh Qh Jh 9d", *acts)
    assert [number for number, _ in played.refusals] == [6, 10, 11]
    assert cutters(played) == ["supervisor:s1"]
    assert played.events("cut_made")[0]["clauses"] == ["WA-4.4-ii", "WA-1.1-TI"]
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-4.5")
@pytest.mark.parametrize("decks", [4, 6, 8])
def test_a_deck_lies_on_either_side_of_the_cut(decks: int) -> None:
    cards = 52 * decks
    for outside in (51, cards - 51):
        acts = [ROUND[0], act("cut", player="ana", position=outside)]
        played = play("wa", OPENING + "Kh 9d", *acts, options={"shoe.decks": decks})
        assert played.refusals == [(1, "cut_out_of_bounds")]
        assert played.refusal_clauses[0] == ["WA-4.5"]
    for inside in (52, cards - 52):
        acts = [ROUND[0], act("cut", player="ana", position=inside)]
        played = play("wa", OPENING + "Kh 9d", *acts, options={"shoe.decks": decks})
        assert [made["position"] for made in played.events("cut_made")] == [inside]


@pytest.mark.clause("WA-4.5")
@pytest.mark.parametrize("decks", [4, 6, 8])
def test_the_cutting_card_lies_a_deck_or_more_from_either_end(decks: int) -> None:
    shoe = full_shoe(decks, OPENING + "Kh 9d", 52)
    markers = [act("place_marker", from_back=from_back) for from_back in (51, 52 * decks - 51, 52)]
    acts = [markers[2], ROUND[0], cut("ana"), *markers, deal()]
    played = play("wa", shoe, *acts, options={"shoe.decks": decks})
    assert played.refusals == [(0, "cut_due"), (3, "marker_out_of_bounds"), (4, "marker_out_of_bounds")]
    assert played.refusal_clauses[1] == [], "the book says it of the cut alone"
    assert [loaded["cut_card"] for loaded in played.events("shoe_loaded")] == [52 * decks - 52]
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-4.5")
@pytest.mark.parametrize(
    ("options", "marker"), [({}, 78), *(({"shoe.marker_from_back": n}, n) for n in (52, 100, 260))]
)
def test_the_cutting_card_lies_where_the_operator_says(options: dict[str, object], marker: int) -> None:
    assert marked("wa", options) == marker


@pytest.mark.clause("WA-4.14")
@pytest.mark.parametrize("shoe", ["9h cut 9d 3c 4c 5c Kh Qs", "9h 9d cut 3c 4c 5c Kh Qs", "9h 9d 3c 4c 5c Kh cut Qs"])
def test_a_round_in_which_the_cutting_card_comes_is_played_to_its_end(shoe: str) -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal(), *ROUND]
    played = play("wa", f"{OPENING} {shoe} 2d 3d", *acts, later=("As 6c Jh 7d",))
    assert [drawn["shuffle"] for drawn in played.events("cut_card_drawn")] == ["after_round"]
    assert played.line("ana", "war")["outcome"] == "win"
    assert played.dealt(2) == "burn As, burn 6c, box 1 Jh, dealer 7d"


@pytest.mark.clause("WA-4.15")
@pytest.mark.parametrize(
    ("burn", "first", "later", "dealt"),
    [
        (0, "Ac 2c Kh 9d", "As 6c Jh 7d", "burn As, burn 6c, box 1 Jh, dealer 7d"),
        (1, "Ac 2c 3c Kh 9d", "As 6c 7c Jh 7d", "burn As, burn 6c, burn 7c, box 1 Jh, dealer 7d"),
    ],
)
def test_a_round_that_would_open_with_the_cutting_card_waits_for_the_shuffle(
    burn: int, first: str, later: str, dealt: str
) -> None:
    options = {"shoe.round_burn": burn}
    played = play("wa", f"{first} cut 2d 3d 4d", *ROUND, *ROUND, later=(later,), options=options)
    assert [drawn["shuffle"] for drawn in played.events("cut_card_drawn")] == ["now"]
    assert played.dealt(2) == dealt
    assert played.gain("ana") == 2000
    unshuffled = play("wa", f"{first} cut 2d 3d 4d", *ROUND, *ROUND, options=options)
    assert unshuffled.refusals == [(3, "no_shoe")]
    assert unshuffled.data["open"] == [{"player": "ana", "box": 1, "wager": "initial", "amount": 1000}]
