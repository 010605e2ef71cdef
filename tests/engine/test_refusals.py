"""Refusals, row by row in the order in which the engine asks: what is not allowed is listed and changes nothing."""

from typing import Any, NamedTuple

import pytest

from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
EQUAL = "2c 9h 9d 3c 4c 5c Kh Qs"
"""One box, equal first cards, under a book that burns one card from a new shoe."""
EQUAL_WA = "Ac 2c 9h 9d 3c 4c 5c Kh Qs"
"""The same where the burn is turned up: an ace burns one more."""
THREE = (bet("ana", 1, "initial", 1000), bet("ben", 1, "initial", 1000), bet("cat", 1, "initial", 1000))
HUGE = 10**30


class Row(NamedTuple):
    """After the setup, none of which is refused, the act is refused for the reason, resting on the clauses."""

    name: str
    book: str
    act: Act
    reason: str
    clauses: tuple[str, ...] = ()
    setup: tuple[Act, ...] = ()
    shoe: str = EQUAL
    options: dict[str, Any] | None = None
    limits: dict[str, Any] | None = None
    players: dict[str, int] | None = None


WHO_MAY = [
    Row("player for another", "nz", {**ANA, "by": "player:ben"}, "not_entitled"),
    Row("dealer bets for a player", "nz", {**ANA, "by": "dealer:d1"}, "not_entitled"),
    Row(
        "player calls a bet himself", "nz", {**ANA, "called": True, "by": "player:ana"}, "not_entitled", ("NZ-5.12-ii",)
    ),
    Row("war for another", "nz", {**war("ana", 1), "by": "player:ben"}, "not_entitled", setup=(ANA, deal())),
    Row("surrender for another", "nz", {**surrender("ana", 1), "by": "player:ben"}, "not_entitled", (), (ANA, deal())),
    Row("war by staff", "nz", {**war("ana", 1), "by": "supervisor:s1"}, "not_entitled", setup=(ANA, deal())),
    Row(
        "surrender by staff without a reason",
        "nz",
        {**surrender("ana", 1), "by": "supervisor:s1"},
        "not_entitled",
        (),
        (ANA, deal()),
    ),
    Row(
        "withdrawal for another",
        "nz",
        act("withdraw_wager", player="ana", box=1, wager="initial", by="player:ben"),
        "not_entitled",
        setup=(ANA,),
    ),
    Row("deal by a player", "nz", {**deal(), "by": "player:ana"}, "not_entitled", ("NZ-8.4",), setup=(ANA,)),
    Row(
        "deal by a supervisor, where no higher role may",
        "nz",
        {**deal(), "by": "supervisor:s1"},
        "not_entitled",
        ("NZ-8.4",),
        setup=(ANA,),
        options={"authority.higher": False},
    ),
    Row("call by a player", "nz", act("no_more_bets", by="player:ana"), "not_entitled", ("NZ-8.4",), setup=(ANA,)),
    Row(
        "cut for another",
        "nz",
        act("cut", player="ana", position=156, by="player:ben"),
        "not_entitled",
        setup=(act("seat_player", player="ana", box=1),),
    ),
    Row("staff cut by a player", "nz", act("cut", position=156, by="player:ana"), "not_entitled", ("NZ-7.5-ii",)),
    Row(
        "shuffle by the dealer",
        "nz",
        act("supervisor_shuffle", reason="suspect", by="dealer:d1"),
        "not_entitled",
        ("NZ-7.1e",),
    ),
    Row(
        "grant by a player",
        "nz",
        act("grant_multi_box", player="ana", boxes=2, by="player:ana"),
        "not_entitled",
        ("NZ-5.7", "NZ-5.8"),
    ),
    Row("new cards by the dealer", "nz", act("replace_cards", by="dealer:d1"), "not_entitled", ("NZ-7.8",)),
    Row(
        "invalidation by the dealer",
        "wa",
        act("invalidate_round", cause="fire", by="dealer:d1"),
        "not_entitled",
        ("WA-6.9a",),
        setup=(ANA,),
        shoe=EQUAL_WA,
    ),
]

PLACING = [
    Row("unknown player", "nz", bet("zoe", 1, "initial", 1000), "unknown_player"),
    Row("box 0", "nz", bet("ana", 0, "initial", 1000), "unknown_box", ("NZ-3.1-i",)),
    Row("box 8", "nz", bet("ana", 8, "initial", 1000), "unknown_box", ("NZ-3.1-i",)),
    Row("box 4 of 3", "nz", bet("ana", 4, "initial", 1000), "unknown_box", ("NZ-3.1-i",), options={"table.boxes": 3}),
    Row("enormous box", "nz", bet("ana", HUGE, "initial", 1000), "unknown_box", ("NZ-3.1-i",)),
    Row("called wager", "wa", bet("ana", 1, "initial", 1000, called=True), "called_wager", ("WA-3.1",), shoe=EQUAL_WA),
    Row(
        "war is declared, not placed",
        "nz",
        bet("ana", 1, "war", 1000),
        "war_is_declared",
        ("NZ-1.2-GTWW", "NZ-5.2a"),
        (ANA, deal()),
    ),
    Row("wager of another book", "nz", bet("ana", 1, "a_bomb", 500), "wager_not_offered", ("NZ-5.1",)),
    Row("war tie of another book", "ctg", bet("ana", 1, "war_tie", 500), "wager_not_offered", ("CTG-W3",), (ANA,)),
    Row("progressive of another book", "wa", bet("ana", 1, "progressive", 500), "wager_not_offered", ("WA-1.1-BOX",)),
    Row(
        "wager switched off",
        "wa",
        bet("ana", 1, "tie", 500),
        "wager_not_offered",
        ("WA-1.1-BOX",),
        options={"wager.tie": False},
    ),
    Row("zero", "nz", bet("ana", 1, "initial", 0), "amount_not_positive"),
    Row("negative", "nz", bet("ana", 1, "initial", -500), "amount_not_positive"),
    Row("negative on top", "nz", bet("ana", 1, "initial", -500), "amount_not_positive", setup=(ANA,)),
    Row(
        "pairs on the war without a war",
        "wa",
        bet("ana", 1, "war_perfect_pairs", 500),
        "no_war_wager",
        ("WA-3.14b",),
        (ANA,),
        EQUAL_WA,
    ),
    Row(
        "pairs on the war before the choice",
        "wa",
        bet("ana", 1, "war_perfect_pairs", 500),
        "no_war_wager",
        ("WA-3.14b",),
        (ANA, deal()),
        EQUAL_WA,
    ),
    Row(
        "coupon beside a wager on the war, where the house takes none",
        "wa",
        {**bet("ana", 1, "war_perfect_pairs", 500), "coupon": 600},
        "coupon_not_taken",
        (),
        (ANA, deal(), war("ana", 1)),
        EQUAL_WA,
    ),
    Row(
        "coupon beside a wager on the war, where the house takes them",
        "ma",
        {**bet("ana", 1, "war_tie", 500), "coupon": 500},
        "coupon_not_taken",
        ("MA-6a-i",),
        (ANA, deal(), war("ana", 1)),
        options={"wager.match_play": True},
    ),
    Row(
        "after the call",
        "nz",
        bet("ben", 2, "initial", 1000),
        "betting_closed",
        ("NZ-5.15", "NZ-5.1"),
        (ANA, act("no_more_bets")),
    ),
    Row(
        "after the first card",
        "wa",
        bet("ben", 2, "initial", 1000),
        "betting_closed",
        ("WA-3.2",),
        (ANA, deal(1)),
        EQUAL_WA,
    ),
    Row("while somebody chooses", "ctg", bet("ben", 2, "initial", 1000), "betting_closed", ("CTG-P4",), (ANA, deal())),
    Row("second box", "nz", bet("ana", 2, "initial", 1000), "too_many_boxes", ("NZ-5.7",), (ANA,)),
    Row(
        "one box more than allowed",
        "nz",
        bet("ana", 3, "initial", 1000),
        "too_many_boxes",
        ("NZ-5.8",),
        (ANA, bet("ana", 2, "initial", 1000)),
        options={"table.multi_box": True, "table.max_boxes_per_player": 2},
    ),
    Row("second box in a book of one", "ctg", bet("ana", 2, "initial", 1000), "too_many_boxes", (), (ANA,)),
    Row("somebody else's box", "ctg", bet("ben", 1, "tie", 500), "box_taken", (), (ANA,)),
    Row(
        "box where another sits",
        "ctg",
        bet("ben", 1, "initial", 500),
        "box_taken",
        (),
        (act("seat_player", player="ana", box=1),),
    ),
    Row("fourth bettor", "nz", bet("dan", 1, "initial", 1000), "area_full", ("NZ-5.9-i",), THREE),
    Row(
        "third of two bettors",
        "nz",
        bet("cat", 1, "initial", 1000),
        "area_full",
        ("NZ-5.9-i",),
        THREE[:2],
        options={"table.bettors_per_area": 2},
    ),
    Row("tie kept for the initials", "nz", bet("dan", 1, "tie", 500), "area_reserved", ("NZ-5.11b",), THREE),
    Row(
        "area kept for the seated",
        "wa",
        bet("cat", 1, "initial", 1000),
        "area_reserved",
        ("WA-3.4",),
        (act("seat_player", player="dan", box=1), *THREE[:1], THREE[1]),
        EQUAL_WA,
    ),
    Row(
        "pairs kept for those at war",
        "wa",
        bet("dan", 1, "war_perfect_pairs", 500),
        "area_reserved",
        ("WA-4.11",),
        (*THREE, deal(), war("ana", 1), war("ben", 1), war("cat", 1)),
        EQUAL_WA,
    ),
]

AMOUNTS = [
    Row("below the minimum", "nz", bet("ana", 1, "initial", 400), "wager_below_minimum", ()),
    Row(
        "second time below the minimum",
        "ctg",
        bet("ana", 1, "initial", 400),
        "wager_below_minimum",
        ("CTG-G2-iii",),
        (bet("ana", 1, "initial", 400), act("withdraw_wager", player="ana", box=1, wager="initial")),
    ),
    Row(
        "below the minimum of its kind",
        "nz",
        bet("ana", 1, "tie", 500),
        "wager_below_minimum",
        (),
        limits={"minimum": 500, "unit": 500, "tie": {"minimum": 1000}},
    ),
    Row("above the maximum", "nz", bet("ana", 1, "initial", 50_500), "wager_above_maximum", ()),
    Row(
        "above the maximum in two",
        "nz",
        bet("ana", 1, "initial", 49_500),
        "wager_above_maximum",
        (),
        (ANA,),
    ),
    Row("enormous", "nz", bet("ana", 1, "initial", HUGE), "wager_above_maximum", ()),
    Row("off the unit", "nz", bet("ana", 1, "initial", 1100), "wager_off_unit", ()),
    Row("off the unit on top", "nz", bet("ana", 1, "initial", 100), "wager_off_unit", (), (ANA,)),
    Row("off the unit in a book that cuts", "ctg", bet("ana", 1, "initial", 1100), "wager_off_unit", ()),
    Row(
        "odd",
        "nz",
        bet("ana", 1, "initial", 501),
        "wager_odd",
        (),
        limits={},
        options={"limits.require_even": True},
    ),
    Row(
        "area maximum",
        "nz",
        bet("ben", 1, "initial", 1500),
        "area_above_maximum",
        ("NZ-5.10-i",),
        (ANA,),
        options={"limits.area_total_max": 2000},
    ),
    Row(
        "player's maximum on a box",
        "nz",
        bet("ana", 1, "tie", 1500),
        "player_above_maximum",
        ("NZ-5.10-ii",),
        (ANA,),
        options={"limits.player_box_max": 2000},
    ),
    Row("more than the player has", "nz", bet("ana", 1, "initial", 1000), "insufficient_funds", players={"ana": 999}),
    Row("enormous without a maximum", "nz", bet("ana", 1, "initial", HUGE), "insufficient_funds", limits={}),
    Row("enormous where the book would cut it", "ctg", bet("ana", 1, "initial", HUGE), "insufficient_funds"),
]

CHANGING = [
    Row(
        "nothing there", "nz", act("amend_wager", player="ana", box=1, wager="tie", amount=500), "no_wager", (), (ANA,)
    ),
    Row(
        "amend by an unknown player",
        "nz",
        act("amend_wager", player="zoe", box=1, wager="tie", amount=500),
        "unknown_player",
    ),
    Row(
        "amend on an unknown box",
        "nz",
        act("amend_wager", player="ana", box=9, wager="tie", amount=500),
        "unknown_box",
        ("NZ-3.1-i",),
    ),
    Row(
        "amend after the call",
        "nz",
        act("amend_wager", player="ana", box=1, wager="initial", amount=500),
        "betting_closed",
        ("NZ-5.15b",),
        (ANA, act("no_more_bets")),
    ),
    Row(
        "withdraw after the first card",
        "wa",
        act("withdraw_wager", player="ana", box=1, wager="initial"),
        "betting_closed",
        ("WA-3.2", "WA-6.1"),
        (ANA, deal(1)),
        EQUAL_WA,
    ),
    Row(
        "withdraw the war",
        "nz",
        act("withdraw_wager", player="ana", box=1, wager="war"),
        "betting_closed",
        ("NZ-5.15b",),
        (ANA, deal(), war("ana", 1)),
    ),
    Row(
        "amend to nothing",
        "nz",
        act("amend_wager", player="ana", box=1, wager="initial", amount=0),
        "amount_not_positive",
        (),
        (ANA,),
    ),
    Row(
        "amend beyond the purse",
        "nz",
        act("amend_wager", player="ana", box=1, wager="initial", amount=2000),
        "insufficient_funds",
        (),
        (ANA,),
        players={"ana": 1500},
    ),
    Row("call without a wager", "nz", act("no_more_bets"), "no_wager", ("NZ-8.4a",)),
    Row("call twice", "nz", act("no_more_bets"), "betting_closed", ("NZ-5.15", "NZ-5.1"), (ANA, act("no_more_bets"))),
]

TWO_EQUAL = (ANA, bet("ben", 2, "initial", 1000), deal())

NZ_SHORT = ("NZ-9.5-i", "NZ-9.5-ii")

DEALING = [
    Row("no cards", "nz", deal(0), "amount_not_positive", (), (ANA,)),
    Row("deal while somebody chooses", "nz", deal(), "decision_open", ("NZ-8.5.2c",), (ANA, deal())),
    Row("deal while somebody is asked in the pass", "ctg", deal(), "decision_open", ("CTG-F5",), (ANA, deal())),
    Row("deal without a wager", "nz", deal(), "no_wager", ("NZ-8.4a",)),
    Row(
        "deal after the round without a wager",
        "nz",
        deal(),
        "no_wager",
        ("NZ-8.4a",),
        (ANA, deal(), surrender("ana", 1)),
    ),
    Row("no shoe for the rest of the round", "nz", deal(), "no_shoe", NZ_SHORT, (ANA,), "2c 9h"),
    Row("no shoe for the war", "nz", deal(), "no_shoe", NZ_SHORT, (ANA, deal(), war("ana", 1)), "2c 9h 9d 3c"),
    Row(
        "no shoe after the cutting card",
        "nz",
        deal(),
        "no_shoe",
        ("NZ-7.1c",),
        (ANA, deal(), ANA),
        "2c 9h cut 8d 3c 4c 5c 6c",
    ),
    Row("unseen card to a box", "nz", deal(), "card_unseen", (), (ANA,), "2c xx 9d"),
    Row("unseen card to the dealer", "nz", deal(), "card_unseen", (), (ANA,), "2c 9d xx"),
    Row("unseen card where the burn counts", "wa", deal(), "card_unseen", (), (ANA,), "xx 2c 9h 9d"),
    Row("choice of an unknown player", "nz", war("zoe", 1), "unknown_player", (), (ANA, deal())),
    Row("choice on an unknown box", "nz", war("ana", 8), "unknown_box", ("NZ-3.1-i",), (ANA, deal())),
    Row("choice before the deal", "nz", war("ana", 1), "no_decision", ("NZ-8.5.2c",), (ANA,)),
    Row("choice of somebody else", "nz", war("ben", 1), "no_decision", ("NZ-8.5.2c",), (ANA, deal())),
    Row("choice on another box", "nz", surrender("ana", 2), "no_decision", ("NZ-8.5.2c",), (ANA, deal())),
    Row("second choice", "nz", surrender("ana", 1), "no_decision", ("NZ-8.5.2c",), (ANA, deal(), war("ana", 1))),
    Row(
        "choice after the round",
        "nz",
        surrender("ana", 1),
        "no_decision",
        ("NZ-8.5.2c",),
        (ANA, deal(), surrender("ana", 1)),
    ),
    Row("not asked yet", "ctg", war("ben", 2), "no_decision", ("CTG-F5",), TWO_EQUAL, "2c 9h 9s 9d"),
    Row(
        "war beyond the purse",
        "nz",
        war("ana", 1),
        "insufficient_funds",
        ("NZ-1.2-GTWW", "NZ-5.2a"),
        (ANA, deal()),
        players={"ana": 1999},
    ),
]

SEATED = (act("seat_player", player="ana", box=2), act("seat_player", player="ben", box=1))

SHOE = [
    Row(
        "no cut in this house",
        "nz",
        act("cut", position=156),
        "no_cut",
        ("NZ-7.3-i",),
        options={"shoe.cut_offered": False},
    ),
    Row("no cut due", "nz", act("cut", player="ana", position=156), "no_cut", ("NZ-7.4b",), (ANA, deal())),
    Row(
        "cut twice",
        "nz",
        act("cut", player="ana", position=156),
        "no_cut",
        ("NZ-7.4b",),
        (*SEATED, act("cut", player="ana", position=156)),
    ),
    Row("cut by an unknown player", "nz", act("cut", player="zoe", position=156), "unknown_player", (), SEATED),
    Row("cut by who came second", "nz", act("cut", player="ben", position=156), "not_the_cutter", ("NZ-7.4a",), SEATED),
    Row("cut by staff before anybody declined", "nz", act("cut", position=156), "not_the_cutter", ("NZ-7.4a",), SEATED),
    Row("cut by a bystander", "nz", act("cut", player="cat", position=156), "not_the_cutter", ("NZ-7.4a",), SEATED),
    Row(
        "decline for whom it is not offered",
        "nz",
        act("decline_cut", player="ben"),
        "not_the_cutter",
        ("NZ-7.4a",),
        SEATED,
    ),
    Row(
        "cut after having declined",
        "nz",
        act("cut", player="ana", position=156),
        "not_the_cutter",
        ("NZ-7.5-i",),
        (*SEATED, act("decline_cut", player="ana")),
    ),
    Row(
        "51 cards from the front", "nz", act("cut", player="ana", position=51), "cut_out_of_bounds", ("NZ-7.6",), SEATED
    ),
    Row(
        "51 cards from the back",
        "nz",
        act("cut", player="ana", position=6 * 52 - 51),
        "cut_out_of_bounds",
        ("NZ-7.6",),
        SEATED,
    ),
    Row("cut below nothing", "wa", act("cut", player="ana", position=-1), "cut_out_of_bounds", ("WA-4.5",), SEATED),
    Row("shuffle at will", "nz", act("supervisor_shuffle", reason="discretion"), "not_in_the_book", ("NZ-7.1c",)),
    Row(
        "shuffle without the right", "wa", act("supervisor_shuffle", reason="suspect"), "not_in_the_book", ("WA-4.14",)
    ),
    Row(
        "shuffle with the cards out",
        "nz",
        act("supervisor_shuffle", reason="suspect"),
        "round_in_progress",
        ("NZ-7.1e",),
        (ANA, deal()),
    ),
    Row(
        "shuffle for a vacant table that was not",
        "nz",
        act("supervisor_shuffle", reason="vacant"),
        "table_not_vacant",
        ("NZ-7.1d",),
        (ANA, deal(), surrender("ana", 1)),
    ),
    Row("new cards with the cards out", "nz", act("replace_cards"), "round_in_progress", ("NZ-7.8",), (ANA, deal())),
    Row(
        "extra draw from an empty shoe",
        "nz",
        act("report_extra_draw", exposed=True),
        "no_cards",
        ("NZ-9.3-i",),
        (ANA, deal()),
        shoe="2c Kh 9d",
    ),
    Row(
        "invalidation in a book without it", "nz", act("invalidate_round", cause="fire"), "not_in_the_book", (), (ANA,)
    ),
    Row(
        "invalidation of nothing",
        "wa",
        act("invalidate_round", cause="fire"),
        "no_round",
        ("WA-6.9a",),
    ),
    Row(
        "invalidation twice",
        "wa",
        act("invalidate_round", cause="fire"),
        "no_round",
        ("WA-6.9a",),
        (ANA, deal(1), act("invalidate_round", cause="fire")),
        EQUAL_WA,
    ),
]

SEATS = [
    Row("seat for an unknown player", "nz", act("seat_player", player="zoe", box=1), "unknown_player"),
    Row("seat at an unknown box", "nz", act("seat_player", player="ana", box=8), "unknown_box", ("NZ-3.1-i",)),
    Row("seat of another", "nz", act("seat_player", player="ana", box=1), "seat_taken", (), SEATED),
    Row("no seat to leave", "nz", act("vacate_seat", player="cat"), "not_seated", (), SEATED),
    Row(
        "grant in a book of one box",
        "ctg",
        act("grant_multi_box", player="ana", boxes=2),
        "not_in_the_book",
        (),
    ),
    Row(
        "grant of more boxes than there are",
        "nz",
        act("grant_multi_box", player="ana", boxes=8),
        "too_many_boxes",
        ("NZ-5.8",),
    ),
    Row("nothing granted", "nz", act("revoke_multi_box", player="ana"), "no_grant", ("NZ-5.7",)),
]


def played(row: Row, *acts: Act) -> Played:
    return play(row.book, row.shoe, *acts, options=row.options, limits=row.limits, players=row.players)


CHECKED = {
    "box 8": ("NZ-3.1-i",),
    "pairs on the war before the choice": ("WA-3.14b",),
    "after the call": ("NZ-5.15", "NZ-5.15a"),
    "after the first card": ("WA-3.2",),
    "while somebody chooses": ("CTG-P4",),
    "second box": ("NZ-5.7",),
    "one box more than allowed": ("NZ-5.8",),
    "fourth bettor": ("NZ-5.9-i",),
    "third of two bettors": ("NZ-5.9-ii",),
    "tie kept for the initials": ("NZ-5.11b",),
    "area kept for the seated": ("WA-3.4",),
    "pairs kept for those at war": ("WA-4.11",),
    "second time below the minimum": ("CTG-G2-iii",),
    "area maximum": ("NZ-5.10-i",),
    "player's maximum on a box": ("NZ-5.10-ii",),
    "amend after the call": ("NZ-5.15b",),
    "not asked yet": ("CTG-F5",),
    "no cut in this house": ("NZ-7.3-i",),
    "cut by who came second": ("NZ-7.4a",),
    "cut by a bystander": ("NZ-7.4",),
    "cut after having declined": ("NZ-7.5-i",),
    "51 cards from the front": ("NZ-7.6",),
    "51 cards from the back": ("NZ-7.6",),
    "shuffle for a vacant table that was not": ("NZ-7.1d",),
}
"""The rows that check a clause, rather than only name it in the answer."""


def rows(*tables: list[Row]) -> list[Any]:
    marks = {name: [pytest.mark.clause(*clauses)] for name, clauses in CHECKED.items()}
    return [
        pytest.param(row, id=f"{row.book}: {row.name}", marks=marks.get(row.name, []))
        for table in tables
        for row in table
    ]


@pytest.mark.parametrize("row", rows(WHO_MAY, PLACING, AMOUNTS, CHANGING, DEALING, SHOE, SEATS))
def test_refused_and_nothing_changed(row: Row) -> None:
    before, after = played(row, *row.setup), played(row, *row.setup, row.act)
    assert before.refusals == []
    assert after.refusals == [(len(row.setup), row.reason)]
    told = set(after.refusal_clauses[0])
    assert told == set(row.clauses)
    assert after.balances == before.balances
    assert after.data["events"] == before.data["events"]
    assert after.data["open"] == before.data["open"]
    assert after.replayed.table == before.replayed.table
