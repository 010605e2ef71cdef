"""Citations by case: a leaf with several clauses tells which speaks of which case, and a ruling cites the right one.

Every expectation is written from the sources. A leaf with several clauses is told apart by case here, or stands among
those whose clauses speak together, with the reason.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from casinowar.rulebooks import BOOKS
from casinowar.rulebooks.load import raw_leaves, read_book
from casinowar.rulebooks.vocabulary import CASES
from tests.support.rounds import Act, Played, act, bet, deal, play, war

ANA = bet("ana", 1, "initial", 1000)
BEN = bet("ben", 2, "initial", 1000)
OPERATOR = {"by": "operator:olga", "second": "supervisor:sam"}
FIRE = act("invalidate_round", cause="fire", **OPERATOR)
FRAUD = act("invalidate_round", cause="fraud", **OPERATOR)
LIMITS = {"minimum": 1000, "maximum": 60_000, "unit": 500}

Case = tuple[str, str, str, str, tuple[Act, ...], dict[str, Any], str, list[str]]
"""The book, the leaf, its case, the shoe, the acts, the options, the event or refusal, and what it must cite."""


def found(amount: int) -> tuple[Act, ...]:
    return (ANA, deal(2), act("report_wager", player="ana", box=1, wager="initial", amount=amount))


def found_at_war(amount: int) -> tuple[Act, ...]:
    return (ANA, deal(), war("ana", 1), found(amount)[2])


def changed(basis: str, **more: Any) -> Act:
    return act("change_limits", basis=basis, **LIMITS, **more)


NZ = "2c Kh 9d Qh Jd 3c 4c 5c 6c"
WA = "Ac 2c Kh 9s 9d Qh Jd 3c 4c"
WA_TIED = "Ac 2c Kh Kd 3c 4c 5c 6c 7c"
SEVERAL = {"table.multi_box": True}
TIED = "2c Kh Kd 3c 4c 5c 6c 7c"
PLAYED: list[Case] = [
    ("ma", "war.stake", "placed", TIED, (ANA, deal(), war("ana", 1)), {}, "war_declared", ["MA-1-WW", "MA-8c2"]),
    (
        "ma",
        "war.stake",
        "confirmed",
        TIED,
        (ANA, deal(), war("ana", 1), act("confirm_war_wager", player="ana", box=1)),
        {},
        "war_wager_confirmed",
        ["MA-8e-i"],
    ),
    (
        "nz",
        "table.bettors_per_area",
        "usual",
        NZ,
        tuple(bet(who, 1, "initial", 500) for who in ("ana", "ben", "cat", "dan")),
        {},
        "area_full",
        ["NZ-5.9-i"],
    ),
    (
        "nz",
        "table.bettors_per_area",
        "fewer",
        NZ,
        (act("set_bettors_per_area", bettors=1), ANA, bet("ben", 1, "initial", 500)),
        {},
        "area_full",
        ["NZ-5.9-ii"],
    ),
    ("nz", "limits.on_under_min", "one", NZ, (bet("ana", 1, "initial", 400),), {}, "wager_below_minimum", []),
    (
        "nz",
        "limits.on_under_min",
        "several",
        NZ,
        (ANA, bet("ana", 2, "initial", 400)),
        SEVERAL,
        "wager_below_minimum",
        ["NZ-5.7b"],
    ),
    ("nz", "limits.on_over_max", "displayed", NZ, (bet("ana", 1, "initial", 50_500),), {}, "wager_above_maximum", []),
    (
        "nz",
        "limits.area_total_max",
        "directed",
        NZ,
        (act("direct_box_max", amount=1500), ANA, bet("ben", 1, "initial", 1000)),
        {},
        "area_above_maximum",
        ["NZ-5.10-i"],
    ),
    (
        "nz",
        "limits.player_box_max",
        "directed",
        NZ,
        (act("direct_player_max", amount=900), ANA),
        {},
        "player_above_maximum",
        ["NZ-5.10-ii"],
    ),
    (
        "nz",
        "war.method",
        "B",
        "2c Kh Kd 3c 4c 5c 6c 7c",
        (ANA, deal(), war("ana", 1)),
        {"war.method": "B"},
        "war_declared",
        ["NZ-1.2-GTWW", "NZ-5.2a", "NZ-8.7.1-i", "NZ-8.7.1-ii", "NZ-8.7.1b"],
    ),
    (
        "nz",
        "shoe.discretion",
        "suspect",
        NZ,
        (act("supervisor_shuffle", reason="suspect"),),
        {},
        "shuffle_ordered",
        ["NZ-7.1e"],
    ),
    (
        "nz",
        "shoe.discretion",
        "vacant",
        NZ,
        (act("supervisor_shuffle", reason="vacant"),),
        {},
        "shuffle_ordered",
        ["NZ-7.1d"],
    ),
    ("nz", "shoe.short", "no further shoe", "2c 9h", (ANA, deal()), {}, "no_shoe", ["NZ-9.5-i", "NZ-9.5-ii"]),
    (
        "nz",
        "irreg.misdealt",
        "rebuilt",
        NZ,
        (
            ANA,
            BEN,
            deal(3),
            act("reconstruct", moves=[{"from": "box 1", "to": "box 2"}, {"from": "box 2", "to": "box 1"}]),
        ),
        {},
        "round_reconstructed",
        ["NZ-9.4-i", "NZ-9.4-ii"],
    ),
    (
        "nz",
        "irreg.misdealt",
        "left_over",
        NZ,
        (ANA, deal(2), act("reconstruct", moves=[{"from": "box 1", "to": "discard"}])),
        {},
        "round_reconstructed",
        ["NZ-9.4-i", "NZ-9.3-ii"],
    ),
    (
        "nz",
        "irreg.misdealt",
        "dealer",
        NZ,
        (ANA, BEN, deal(3), act("void_hand", box=1), act("reconstruct", moves=[{"from": "box 2", "to": "dealer"}])),
        {},
        "round_reconstructed",
        ["NZ-9.4b"],
    ),
    (
        "nz",
        "irreg.missing_cut_card",
        "shoe",
        NZ,
        (ANA, deal(2), act("report_missing_cut_card")),
        {},
        "cut_card_missed",
        ["NZ-9.8-i"],
    ),
    (
        "nz",
        "irreg.missing_cut_card",
        "continuous",
        NZ,
        (ANA, act("report_missing_cut_card")),
        {"shoe.shuffler": "continuous"},
        "continuous_shuffler",
        ["NZ-9.8-ii"],
    ),
    (
        "nz",
        "irreg.void_scope",
        "hand",
        NZ,
        (ANA, BEN, deal(2), act("void_hand", box=1)),
        {},
        "hand_voided",
        ["NZ-9.4a", "NZ-9.4-iii", "NZ-9.4-iv"],
    ),
    ("nz", "irreg.void_scope", "round", NZ, (ANA, deal(2), act("void_round")), {}, "round_voided", []),
    (
        "nz",
        "open.player_rights",
        "inspect",
        NZ,
        (act("player_request_inspect", player="ana"),),
        {},
        "no_pre_shuffled_cards",
        ["NZ-7.2a"],
    ),
    (
        "nz",
        "open.player_rights",
        "shuffle",
        NZ,
        (act("player_require_full_shuffle", player="ana"),),
        {},
        "no_pre_shuffled_cards",
        ["NZ-7.2b"],
    ),
    ("wa", "limits.change", "empty", WA, (changed("empty"),), {}, "limits_changed", ["WA-6.4a"]),
    (
        "wa",
        "limits.change",
        "agreed",
        WA,
        (act("seat_player", player="ana", box=1), changed("agreed", consents=["ana"])),
        {},
        "limits_changed",
        ["WA-6.4b"],
    ),
    (
        "wa",
        "limits.change",
        "notice",
        WA,
        (act("announce_limits", **LIMITS), act("tick", seconds=600), changed("notice")),
        {},
        "limits_changed",
        ["WA-6.4c"],
    ),
    (
        "wa",
        "shoe.initial_burn",
        "opening",
        WA,
        (ANA, deal(1)),
        {},
        "card_burned",
        ["WA-4.6", "WA-4.6a", "WA-4.6c", "WA-4.7"],
    ),
    (
        "wa",
        "irreg.misdealt",
        "rebuilt",
        WA,
        (
            ANA,
            BEN,
            deal(4),
            act("reconstruct", moves=[{"from": "box 1", "to": "box 2"}, {"from": "box 2", "to": "box 1"}]),
        ),
        {},
        "round_reconstructed",
        ["WA-5.4-i"],
    ),
    (
        "wa",
        "irreg.void_scope",
        "hand",
        WA,
        (ANA, BEN, deal(3), act("void_hand", box=1)),
        {},
        "hand_voided",
        ["WA-5.4-ii"],
    ),
    ("wa", "irreg.wrong_wager_until", "under_min", WA_TIED, found_at_war(300), {}, "wager_found", ["WA-5.7a"]),
    ("wa", "irreg.wrong_wager_until", "off_unit", WA_TIED, found_at_war(1250), {}, "wager_found", ["WA-5.7b"]),
    ("wa", "irreg.wrong_wager_until", "over_max", WA_TIED, found_at_war(60_000), {}, "wager_found", ["WA-5.7c"]),
    ("wa", "irreg.void_scope", "round", WA, (ANA, deal(3), act("void_round")), {}, "round_voided", []),
    ("wa", "irreg.wrong_wager", "under_min", WA, (ANA, deal(3), found(300)[2]), {}, "wager_found", ["WA-5.7a"]),
    ("wa", "irreg.wrong_wager", "off_unit", WA, (ANA, deal(3), found(1250)[2]), {}, "wager_found", ["WA-5.7b"]),
    ("wa", "irreg.wrong_wager", "over_max", WA, (ANA, deal(3), found(60_000)[2]), {}, "wager_found", ["WA-5.7c"]),
    (
        "wa",
        "irreg.contravention",
        "void",
        WA,
        (ANA, BEN, deal(3), act("void_player", player="ana", reason="a device")),
        {},
        "player_voided",
        ["WA-6.6a"],
    ),
    (
        "wa",
        "irreg.contravention",
        "exclude",
        WA,
        (act("exclude_player", player="ana", reason="a device"),),
        {},
        "player_excluded",
        ["WA-6.6b"],
    ),
    ("wa", "irreg.invalidate", "disruption", WA, (ANA, deal(3), FIRE), {}, "round_invalidated", ["WA-6.9a"]),
    ("wa", "irreg.invalidate", "fraud", WA, (ANA, deal(3), FRAUD), {}, "round_invalidated", ["WA-6.9b"]),
    (
        "ctg",
        "limits.on_under_min",
        "first",
        NZ,
        (bet("ana", 1, "initial", 400),),
        {},
        "limits_advised",
        ["CTG-G2-i", "CTG-G2-ii"],
    ),
    (
        "ctg",
        "limits.on_under_min",
        "again",
        NZ,
        (bet("ana", 1, "initial", 400), deal(), bet("ana", 1, "initial", 400)),
        {},
        "wager_below_minimum",
        ["CTG-G2-iii"],
    ),
    ("ctg", "irreg.wrong_wager", "under_min", NZ, found(300), {}, "wager_found", ["CTG-G2-i"]),
    ("ctg", "irreg.wrong_wager", "over_max", NZ, found(60_000), {}, "wager_found", ["CTG-G3-i"]),
    ("ctg", "irreg.wrong_wager", "off_unit", NZ, found(1250), {}, "wager_found", []),
    ("ma", "wager.tie_only", "tie", NZ, (bet("ana", 1, "tie", 500),), {}, "initial_required", ["MA-1-TW", "MA-1-INIT"]),
    (
        "ma",
        "wager.tie_only",
        "other",
        NZ,
        (bet("ana", 1, "progressive", 500),),
        {"wager.progressive": True},
        "initial_required",
        ["MA-1-INIT"],
    ),
    (
        "ma",
        "payout.tie.on_loss",
        "lower",
        "2c 9h Kd",
        (ANA, bet("ana", 1, "tie", 500), deal()),
        {},
        "wager_settled tie",
        ["MA-8a1"],
    ),
    (
        "ma",
        "payout.tie.on_loss",
        "higher",
        "2c Kh 9d",
        (ANA, bet("ana", 1, "tie", 500), deal()),
        {},
        "wager_settled tie",
        ["MA-8a2"],
    ),
    (
        "ma",
        "payout.war_tie.on_loss",
        "lower",
        "2c Kh Kd 3c 4c 5c 6c 7c",
        (ANA, deal(), war("ana", 1), bet("ana", 1, "war_tie", 500), deal()),
        {},
        "wager_settled war_tie",
        ["MA-8g1"],
    ),
    (
        "ma",
        "payout.war_tie.on_loss",
        "higher",
        "2c Kh Kd 3c 4c 5c 7c 6c",
        (ANA, deal(), war("ana", 1), bet("ana", 1, "war_tie", 500), deal()),
        {},
        "wager_settled war_tie",
        ["MA-8g2"],
    ),
    (
        "ma",
        "irreg.misdealt",
        "moved",
        NZ,
        (ANA, BEN, deal(2), act("report_misdelivered", box=1, action="forward")),
        {},
        "card_moved",
        ["MA-10a-ii"],
    ),
    (
        "ma",
        "irreg.misdealt",
        "backwards",
        NZ,
        (ANA, BEN, deal(3), act("report_misdelivered", box=1, action="forward")),
        {},
        "not_the_last_card",
        ["MA-10a-i"],
    ),
    (
        "ma",
        "irreg.void_scope",
        "hand",
        NZ,
        (ANA, BEN, deal(2), act("void_hand", box=1)),
        {},
        "hand_voided",
        [],
    ),
    (
        "ma",
        "irreg.void_scope",
        "missed",
        NZ,
        (ANA, BEN, deal(1), act("report_missed_hand", box=1)),
        {},
        "hand_voided",
        ["MA-10d"],
    ),
    (
        "ma",
        "irreg.void_scope",
        "released",
        NZ,
        (
            ANA,
            BEN,
            deal(2),
            act("report_misdelivered", box=1, action="burn"),
            act("release_players", players=["ana"], by="operator:olga"),
        ),
        {},
        "player_voided",
        ["MA-10a-iii"],
    ),
    ("ma", "irreg.void_scope", "round", NZ, (ANA, deal(2), act("void_round")), {}, "round_voided", []),
]


def at_war(confirms: bool = False, bank: tuple[Act, ...] = ()) -> tuple[Act, ...]:
    confirmed = (act("confirm_war_wager", player="ana", box=1),) if confirms else ()
    return (*bank, ANA, deal(), war("ana", 1), *confirmed)


BANK = (act("seat_player", player="dan", box=8), act("accept_bank", player="dan", box=8, stake=5000))
CONFIRMED = "war_wager_confirmed"
PLAYED += [
    ("nz", "war.stake", "placed", TIED, at_war(), {}, "war_declared", ["NZ-1.2-GTWW", "NZ-5.2a"]),
    ("nz", "war.stake", "confirmed", TIED, at_war(True), {}, CONFIRMED, []),
    ("wa", "war.stake", "placed", WA_TIED, at_war(), {}, "war_declared", ["WA-3.7"]),
    ("wa", "war.stake", "confirmed", WA_TIED, at_war(True), {}, CONFIRMED, []),
    ("ctg", "war.stake", "placed", TIED, at_war(), {}, "war_declared", ["CTG-F7"]),
    ("ctg", "war.stake", "confirmed", TIED, at_war(True), {}, CONFIRMED, []),
    (
        "ca",
        "war.stake",
        "placed",
        TIED,
        at_war(bank=BANK),
        {},
        "war_declared",
        ["CA-STD-2b", "CA-RP-3b-i", "CA-DEF-WW", "CA-STD-2c", "CA-RP-3b-ii"],
    ),
    ("ca", "war.stake", "confirmed", TIED, at_war(True, BANK), {}, CONFIRMED, ["CA-RP-5a"]),
]

IN_A_ROUND = (ANA, deal(2), act("shuffle"))
BATCH: dict[str, Any] = {"shoe.shuffler": "batch_auto"}
CONTINUOUS: dict[str, Any] = {"shoe.shuffler": "continuous"}
WA_FED = ["WA-2.5", "WA-1.1-AUTO", "WA-1.1-RACK"]
PLAYED += [
    ("nz", "shoe.shuffler", "manual", NZ, IN_A_ROUND, {}, "no_shuffle_due", ["NZ-3.4e"]),
    ("nz", "shoe.shuffler", "batch_auto", NZ, IN_A_ROUND, BATCH, "no_shuffle_due", ["NZ-3.4e", "NZ-3.5-i"]),
    (
        "nz",
        "shoe.shuffler",
        "continuous",
        NZ,
        (ANA, deal()),
        CONTINUOUS,
        "discards_returned",
        ["NZ-3.5-ii", "NZ-7.7b-i"],
    ),
    ("wa", "shoe.shuffler", "manual", WA, IN_A_ROUND, {}, "no_shuffle_due", ["WA-2.5"]),
    ("wa", "shoe.shuffler", "continuous", WA, (ANA, deal()), CONTINUOUS, "discards_returned", WA_FED),
]

CUT = act("cut", player="ana", position=104)
ANEW = (ANA, deal(), act("replace_all_cards", by="operator:olga"), CUT)
PLAYED += [
    ("nz", "shoe.cutter_otherwise", "replacement", NZ, ANEW, {}, "cut_made", ["NZ-7.4d"]),
    (
        "nz",
        "shoe.cutter_otherwise",
        "other",
        NZ,
        (ANA, deal(), act("supervisor_shuffle", reason="suspect"), CUT),
        {},
        "cut_made",
        ["NZ-7.3-i"],
    ),
    ("wa", "shoe.cutter_otherwise", "replacement", WA, ANEW, {}, "cut_made", ["WA-4.3c-i"]),
    (
        "wa",
        "shoe.cutter_otherwise",
        "other",
        WA,
        (ANA, deal(), act("report_missed_shuffle"), CUT),
        {},
        "cut_made",
        ["WA-4.3"],
    ),
    (
        "ma",
        "shoe.cutter_otherwise",
        "discretion",
        NZ,
        (ANA, deal(), act("supervisor_shuffle", reason="discretion", by="operator:olga"), CUT),
        {},
        "cut_made",
        ["MA-5c4"],
    ),
    ("ma", "shoe.cutter_otherwise", "other", NZ, ANEW, {}, "cut_made", ["MA-5b"]),
]

DAMAGED = (ANA, deal(2), act("report_damaged_card"))
MISSED = (ANA, deal(), war("ana", 1), deal(5), act("report_missed_offer", player="ana", box=1, cards=5))
SEEN = act("report_extra_draw", exposed=True)
PLAYED += [
    ("nz", "irreg.damaged_card", "one", NZ, DAMAGED, {}, "damage_found", ["NZ-9.6"]),
    ("nz", "irreg.damaged_card", "all", NZ, ANEW, {}, "cards_replaced", ["NZ-7.8"]),
    ("wa", "irreg.damaged_card", "one", WA, DAMAGED, {}, "damage_found", ["WA-2.7-i"]),
    ("wa", "irreg.damaged_card", "all", WA, ANEW, {}, "cards_replaced", ["WA-2.7-i", "WA-2.7-ii"]),
    ("nz", "irreg.missed_offer", "rewind", TIED, MISSED, {}, "offer_missed", ["NZ-9.9-i", "NZ-9.9-ii"]),
    (
        "nz",
        "irreg.missed_offer",
        "discard",
        TIED,
        MISSED,
        {"irreg.missed_offer": "discard"},
        "card_discarded",
        ["NZ-9.9-i", "NZ-9.3-i"],
    ),
    ("wa", "irreg.exposed_extra", "needed", WA, (ANA, deal(3), SEEN), {}, "card_held", ["WA-5.2"]),
    (
        "wa",
        "irreg.exposed_extra",
        "not_needed",
        WA_TIED,
        (ANA, deal(), SEEN, act("surrender", player="ana", box=1)),
        {},
        "card_discarded",
        ["WA-5.3"],
    ),
]


def cited(played: Played, name: str) -> list[str]:
    """What the last event, settlement or refusal of that name cites."""
    if name.startswith("wager_settled "):
        return list(played.line("ana", name.partition(" ")[2])["clauses"])
    events: list[list[str]] = [one["clauses"] for one in played.events(name)]
    refused = zip(played.refusals, played.refusal_clauses, strict=True)
    return [*events, *(list(clauses) for (_, reason), clauses in refused if reason == name)][-1]


@pytest.mark.parametrize("case", [pytest.param(one, id=f"{one[0]}-{one[1]}-{one[2]}") for one in PLAYED])
def test_the_case_cites_its_own_clause(case: Case) -> None:
    book, _, _, shoe, acts, options, name, clauses = case
    assert cited(play(book, shoe, *acts, options=options), name) == clauses


STEPS = ("plug", "riffle", "riffle", "turn", "strip")


@pytest.mark.parametrize(
    ("step", "clause"), [("plug", "MA-5i1"), ("riffle", "MA-5i2"), ("turn", "MA-5i3"), ("strip", "MA-5i4")]
)
def test_a_shuffle_without_a_step_cites_that_step(step: str, clause: str) -> None:
    steps = [one for one in STEPS if one != step]
    before = {"rounds": 1, "shoe_loaded": True, "cut_card_seen": True}
    played = play("ma", "", ANA, act("shuffle", steps=steps), before=before, later=("2c Kh 9d",))
    assert cited(played, "shuffle_step_missing") == [clause]


@pytest.mark.parametrize(("idle", "clause"), [(False, "MA-4c-i"), (True, "MA-5h1")])
def test_a_wash_cites_the_opening_or_the_idle_table(idle: bool, clause: str) -> None:
    look = [] if idle else [act("inspect_cards"), act("verify_cards")]
    left = [ANA, deal(), act("vacate_seat", player="ana"), act("idle_spread")] if idle else []
    played = play("ma", "2c Kh 9d", *left, *look, act("spread_for_inspection"), act("wash"), later=("3c",))
    washed = [one["clauses"] for one in played.events("cards_prepared") if one["step"] == "wash"]
    assert washed == [[clause]]


def test_the_cards_burned_for_the_value_of_the_first_cite_their_own_clause() -> None:
    burned = play("wa", WA, ANA, deal(2)).events("card_burned")
    assert [one["clauses"] for one in burned if one["burn"] == "opening_value"] == [["WA-4.6", "WA-4.6b", "WA-4.6c"]]


@pytest.mark.parametrize("burn", ["as_opening", "none"])
def test_the_burn_of_a_new_stack_within_a_round_cites_both_clauses(burn: str) -> None:
    """The shoe runs out in the war burn. WA-5.5 brings the discards back, and WA-4.6 tells how the new stack begins."""
    later = "2s 3d 4d 4c 5c Kh Qs" if burn == "as_opening" else "4c 5c Kh Qs"
    acts = (ANA, deal(), war("ana", 1), deal())
    played = play("wa", "Ac 2c 9h 9d 3c", *acts, later=(later,), options={"shoe.midround_burn": burn})
    burned = [one["clauses"] for one in played.events("card_burned") if one["burn"] == "midround"]
    assert burned == ([["WA-5.5", "WA-4.6", "WA-4.7"]] if burn == "as_opening" else [])
    assert [one["clauses"] for one in played.events("shoe_loaded")][1] == ["WA-5.5"]
    assert played.line("ana", "war")["net"] == 1000


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("later", [(), ("Kh Qs",)])
def test_a_ruling_on_a_dry_shoe_is_refused_where_none_is_dry(book: str, later: tuple[str, ...]) -> None:
    """Whether the record has a further shoe makes no difference: nothing is short."""
    ruling = act("rule", action="shuffle_discards", reason="seen", by="operator:olga")
    assert [reason for _, reason in play(book, WA, ruling, later=later).refusals] == ["no_incident"]


REFUSED: list[tuple[str, tuple[Act, ...], str, list[str]]] = [
    (
        "wa",
        (ANA, deal(), act("exclude_player", player="ben", **OPERATOR), bet("ben", 2, "initial", 1000)),
        "player_excluded",
        ["WA-6.6b"],
    ),
    (
        "wa",
        (act("exclude_player", player="ben", **OPERATOR), act("seat_player", player="ben", box=2)),
        "player_excluded",
        ["WA-6.6b"],
    ),
    ("nz", (act("set_bettors_per_area", bettors=4),), "too_many_bettors", ["NZ-5.9-i"]),
    ("nz", (ANA, act("set_bettors_per_area", bettors=1)), "round_in_progress", ["NZ-5.9-ii"]),
]


@pytest.mark.parametrize("refused", [pytest.param(one, id=f"{one[0]}-{one[2]}-{i}") for i, one in enumerate(REFUSED)])
def test_a_refusal_cites_the_clause_of_its_case(refused: tuple[str, tuple[Act, ...], str, list[str]]) -> None:
    book, acts, reason, clauses = refused
    assert cited(play(book, WA if book == "wa" else NZ, *acts), reason) == clauses


ODDS = "the one says when it wins or loses, the other at which odds"
DEFINED = "the one defines the word that the other uses"
SAME = "both say the same in other words"
ONE_ACT = "the parts of one act, which is done whole"
TOGETHER: dict[tuple[str, str], str] = {
    **dict.fromkeys(((book, "authority.settle") for book in BOOKS), "the dealer settles both deals; whose act it is"),
    **dict.fromkeys(
        (("nz", "roles.operator"), ("nz", "roles.supervisor"), ("ma", "roles.operator")), "who is called so"
    ),
    ("nz", "authority.grant_multi_box"): "who permits it, and who sets the number",
    ("wa", "authority.rule_void"): "who has a hand declared void, and who decides a dispute",
    ("wa", "priority.full"): "each right cites its own clause where it is claimed",
    ("wa", "table.present"): "players are present for both; what is refused cites its own leaf",
    ("ctg", "burn.due"): "the burn, and the invitation that comes after it",
    ("nz", "cards.provenance"): "what may be brought to the table, an operator's option that no ruling cites",
    ("nz", "wager.tie"): DEFINED,
    ("nz", "betting.closes"): "before the first card, and once it is called: AMB-25 decides between the two",
    ("nz", "wager.called"): ONE_ACT,
    ("nz", "settle.first"): "one pass after the other; each settlement cites its own cell",
    ("nz", "surrender.forfeit"): DEFINED,
    ("nz", "payout.initial.on_win"): ODDS,
    ("nz", "payout.war.on_win"): ODDS,
    ("nz", "payout.war.on_tie"): ODDS,
    ("nz", "payout.tie.on_win"): ODDS,
    ("nz", "payout.tie.on_loss"): "the one says when it wins, the other that the rest is taken",
    ("nz", "shoe.cut_cards"): "how many there may be, and where the second one lies",
    ("nz", "shoe.loaded"): ONE_ACT,
    ("nz", "shoe.short"): ONE_ACT,
    ("nz", "irreg.missed_hand"): "what is done, and that everybody abides by it",
    ("nz", "open.spread"): ONE_ACT,
    ("nz", "open.shuffle"): "that the cards are shuffled, and when",
    ("nz", "open.pre_load_cut"): "that the operator may cut first, and that with a continuous machine it is then alone",
    ("wa", "limits.on_under_min"): "what is done, and that the player is told",
    ("wa", "limits.on_over_max"): "what is done, and that the player is told",
    ("wa", "limits.on_off_unit"): "what is done, and that the player is told",
    ("wa", "wager.locked"): "until when a wager may be made, and that none is touched before it is paid",
    ("wa", "surrender.forfeit"): DEFINED,
    ("wa", "war.burn_place"): DEFINED,
    ("wa", "payout.initial.on_win"): ODDS,
    ("wa", "payout.initial.on_war_win"): DEFINED,
    ("wa", "payout.initial.on_war_tie"): ODDS,
    ("wa", "payout.war.on_win"): ODDS,
    ("wa", "payout.war.on_tie"): ODDS,
    ("wa", "payout.tie.on_win"): ODDS,
    ("wa", "payout.a_bomb.on_win"): ODDS,
    ("wa", "perfect_pairs.table"): "that the operator chooses, and what there is to choose from",
    ("wa", "payout.perfect_pairs.on_perfect"): ODDS,
    ("wa", "payout.perfect_pairs.on_coloured"): ODDS,
    ("wa", "payout.perfect_pairs.on_mixed"): ODDS,
    ("wa", "shoe.decks"): "how many there may be, and when that is determined",
    ("wa", "shoe.cut_cards"): DEFINED,
    ("wa", "shoe.cut_last"): DEFINED,
    ("wa", "shoe.loaded"): DEFINED,
    ("wa", "shoe.round_burn"): ONE_ACT,
    ("ctg", "names.initial"): SAME,
    ("ctg", "names.war"): SAME,
    ("ctg", "limits.on_over_max"): ONE_ACT,
    ("ctg", "wager.tie"): SAME,
    ("ctg", "settle.first"): "one pass after the other; each settlement cites its own cell",
    ("ctg", "surrender.forfeit"): SAME,
    ("ctg", "payout.war_odds"): "which of two tables of odds; each settlement cites its own cell",
    ("ctg", "payout.initial.on_win"): SAME,
    ("ctg", "payout.war.on_win"): SAME,
    ("ctg", "payout.war.on_tie"): SAME,
    ("ctg", "payout.tie.on_win"): SAME,
    ("ctg", "shoe.cut_mid_round"): ONE_ACT,
    ("ctg", "shoe.reshuffle"): SAME,
    ("ca", "names.tie"): DEFINED,
    ("ca", "wager.war_tie"): "the two disagree: AMB-6",
    ("ca", "wager.tie_only"): SAME,
    ("ca", "betting.closes"): SAME,
    ("ca", "deal.war"): ONE_ACT,
    ("ca", "surrender.forfeit"): ONE_ACT,
    ("ca", "war.burn"): SAME,
    ("ca", "war.method"): SAME,
    ("ca", "payout.initial.on_win"): ODDS,
    ("ca", "payout.initial.on_war_win"): "three units are won, of which one is the primary wager taken in before",
    ("ca", "payout.initial.on_war_tie"): "three units are won, of which one is the primary wager taken in before",
    ("ca", "payout.war.on_win"): ODDS,
    ("ca", "payout.war.on_tie"): ODDS,
    ("ca", "payout.war.on_loss"): SAME,
    ("ca", "payout.tie.on_win"): ODDS,
    ("ca", "payout.war_tie.on_win"): ODDS,
    ("ca", "bank.by"): SAME,
    ("ca", "bank.max_consecutive"): SAME,
    ("ca", "bank.rotation"): ONE_ACT,
    ("ca", "shoe.decks"): "how many there are in all, and that each batch has half of them",
    ("ca", "shoe.batches"): ONE_ACT,
    ("ca", "shoe.loaded"): ONE_ACT,
    ("ca", "discard.timing"): ONE_ACT,
    ("ca", "burn.visibility"): DEFINED,
    ("ma", "wager.war_tie"): DEFINED,
    ("ma", "betting.closes"): SAME,
    ("ma", "deal.war"): ONE_ACT,
    ("ma", "settle.first"): ONE_ACT,
    ("ma", "settle.war"): ONE_ACT,
    ("ma", "surrender.forfeit"): ONE_ACT,
    ("ma", "payout.initial.on_win"): ODDS,
    ("ma", "payout.initial.on_war_win"): ODDS,
    ("ma", "payout.initial.on_war_tie"): ODDS,
    ("ma", "payout.war.on_win"): ODDS,
    ("ma", "payout.war.on_tie"): ODDS,
    ("ma", "payout.tie.on_win"): ODDS,
    ("ma", "payout.war_tie.on_win"): ODDS,
    **{
        ("ma", f"payout.progressive.on_{line}"): "the line of the pay table, and that the stake is not returned"
        for line in ("suited_four_of_a_kind", "suited_double_tie", "four_of_a_kind", "double_tie", "suited_tie", "tie")
    },
    ("ma", "progressive.meter_share"): "the share of the line, and that it comes from the meter",
    ("ma", "progressive.envy"): "the amount, and who wins it",
    ("ma", "shoe.shuffler"): "how cards are dealt without a machine, and what a machine asks for",
    ("ma", "shoe.batches"): ONE_ACT,
    ("ma", "shoe.cut_depth"): SAME,
    ("ma", "shoe.cut_mid_round"): SAME,
    ("ma", "shoe.reshuffle"): ONE_ACT,
    ("ma", "discard.timing"): ONE_ACT,
    ("ma", "open.spread"): "each batch is spread as a single one is",
    ("ma", "open.shuffle"): ONE_ACT,
}
"""Leaves all of whose clauses speak of every case, with the reason."""


def with_several_clauses() -> Iterator[tuple[str, str]]:
    for book in BOOKS:
        for key, raw in raw_leaves(read_book(book)).items():
            clauses = raw.get("clauses", [])
            lists = list(clauses.values()) if isinstance(clauses, dict) else [clauses]
            if max(map(len, lists), default=0) > 1:
                yield book, key


def test_a_leaf_with_several_clauses_tells_them_apart_or_says_why_not() -> None:
    told = {(book, key) for book in BOOKS for key, raw in raw_leaves(read_book(book)).items() if "cases" in raw}
    several = set(with_several_clauses())
    assert several - told - TOGETHER.keys() == set()
    assert TOGETHER.keys() - (several - told) == set(), "told apart, or of one clause alone"


ELSEWHERE = {
    ("ca", "war.burn_before_banker"),
    ("ma", "shoe.shuffle_steps"),
    ("ma", "open.wash"),
    ("wa", "shoe.initial_burn"),
    ("ca", "bank.model"),
    ("ca", "payout.tie.on_loss"),
}
"""Leaves that other tests play: the tests above, `ca/test_bank.py`, `ca/test_deal.py` and `ca/test_settlement.py`, and
for the opening burn of `wa` the tests in `wa/test_burn.py`."""


def test_every_case_is_played() -> None:
    played = {(book, key, case) for book, key, case, *_ in PLAYED} | {("nz", "war.method", "A")}
    played |= {("wa", "shoe.midround_burn", case) for case in ("as_opening", "none")}
    for book in BOOKS:
        for key, raw in raw_leaves(read_book(book)).items():
            if "cases" not in raw or (book, key) in ELSEWHERE:
                continue
            assert raw["cases"].keys() <= set(CASES[key])
            assert {(book, key, case) for case in raw["cases"]} <= played
            assert {one for ids in raw["cases"].values() for one in ids} >= set(raw["clauses"]) - {"WA-6.4"}, (
                book,
                key,
            )
