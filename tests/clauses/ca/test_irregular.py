"""California: what the floor rules on, what a void does to the bank, and how the bank is offered and passed on."""

import pytest

from casinowar.engine.view.procedure import procedure
from casinowar.rulebooks import load_rulebook
from tests.clauses.ca.bank import LONG_SHOE, bank, decline, relinquish, seat
from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

ANA, BEN = bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 2000)
TIGHT = {"minimum": 1000, "maximum": 5000, "unit": 500}
FLOOR, SECOND = "supervisor:flo", "operator:oli"
SHOE = "2c 9h 9d 3c 4c 5c Kh Qs 6c 7c"

DEALT = (bank(), ANA, BEN, deal(2))
"""The first card is burned, and box 1 has the second."""

TIED = (bank(), ANA, deal())
"""Ana has tied, the bank's card lies open, and she is being asked."""

CASES: dict[str, tuple[tuple[Act, ...], str]] = {
    "misdelivered": ((*DEALT, act("report_misdelivered", box=1, action="forward")), "CA-DP-5"),
    "missed_hand": ((*DEALT, act("report_missed_hand", box=2)), "CA-DP-5a"),
    "missed_offer": ((*TIED, act("report_missed_offer", player="ana", box=1, cards=3)), "CA-RP-3"),
}


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


def cases() -> list[object]:
    return [pytest.param(name, id=name, marks=clause(cited, "CA-DP-5")) for name, (_, cited) in CASES.items()]


def rule(action: str, **more: object) -> Act:
    return act("rule", action=action, reason="seen by all", **more)


def void_round(**more: object) -> Act:
    return act("void_round", reason="the decks are short", **more)


# What waits for the floor


@pytest.mark.parametrize("incident", cases())
def test_where_the_rules_are_silent_the_floor_rules(incident: str) -> None:
    acts, _ = CASES[incident]
    played = play("ca", SHOE, *acts)
    assert played.refusals == []
    [report] = played.events("incident_reported")
    assert (report["incident"], report["waits_for"], report["clauses"]) == (incident, "floor_ruling", [])
    [step] = procedure(load_rulebook("ca"), played.replayed.table)
    assert (step.act, step.waits_for, step.clauses) == ("rule", "floor", ())


@pytest.mark.parametrize("incident", cases())
def test_no_card_is_dealt_and_nothing_settled_before_the_floor_has_ruled(incident: str) -> None:
    acts, _ = CASES[incident]
    waiting = play("ca", SHOE, *acts, deal(), act("settle"), act("end_round"))
    assert waiting.refusals == [(len(acts) + number, "ruling_due") for number in range(3)]
    assert waiting.refusal_clauses == [[]] * 3
    assert (waiting.events("wager_settled"), waiting.data["rounds"]) == ([], [])
    choice = [war("ana", 1)] if incident == "missed_offer" else []
    ruled = play("ca", SHOE, *acts, rule("stand"), *choice, deal())
    assert ruled.refusals == []
    assert len(ruled.events("card_dealt")) > len(waiting.events("card_dealt"))


@clause("CA-RP-3", "CA-DP-5")
def test_nobody_chooses_before_the_floor_has_ruled_on_the_choice() -> None:
    acts = *CASES["missed_offer"][0], war("ana", 1), surrender("ana", 1)
    played = play("ca", SHOE, *acts, rule("stand"), surrender("ana", 1))
    assert played.refusals == [(4, "ruling_due"), (5, "ruling_due")]
    assert (played.gain("ana"), played.gain("dan")) == (-500, 500)


@clause("CA-DP-5")
@pytest.mark.parametrize(("by", "refused"), [(None, []), (FLOOR, []), ("dealer:dee", [5]), ("player:dan", [5])])
def test_neither_the_dealer_nor_the_bank_rules(by: str | None, refused: list[int]) -> None:
    ruling = rule("stand") if by is None else rule("stand", by=by)
    played = play("ca", SHOE, *CASES["missed_hand"][0], ruling)
    assert played.refusals == [(number, "not_entitled") for number in refused]
    assert [one["by"] for one in played.events("ruling_given")] == ([] if refused else [by or "floor"])


@clause("CA-DP-5")
@pytest.mark.parametrize("action", ["void_hand", "void_round"])
def test_a_void_after_the_banks_card_takes_two_people(action: str) -> None:
    alone, twice = rule(action, by=FLOOR), rule(action, by=FLOOR, second="operator:flo")
    together = rule(action, by=FLOOR, second=SECOND)
    played = play("ca", SHOE, *CASES["missed_offer"][0], alone, twice, deal(), together)
    assert [reason for _, reason in played.refusals] == ["second_signature_due", "same_person", "ruling_due"]
    assert played.refusal_clauses[0] == []
    assert [(one["by"], one["second"]) for one in played.events("ruling_given")] == [(FLOOR, SECOND)]
    assert played.settlements() == [("ana", 1, "initial", "void", 0)]
    assert (played.gain("ana"), played.gain("dan")) == (0, 0)


# Cards


@clause("CA-DP-5")
@pytest.mark.parametrize("action", ["burn", "forward", "dealer_next"])
def test_nobody_may_do_anything_else_with_an_exposed_card(action: str) -> None:
    acts = bank(), ANA, deal(2), act("report_extra_draw", exposed=True, action=action)
    played = play("ca", "2c Kh Ad 9s", *acts, act("report_extra_draw", exposed=True), deal())
    assert played.refusals == [(3, "not_in_the_book")]
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, dealer 9s"


@clause("CA-DP-1a", "CA-DEF-BURN")
def test_a_burned_card_is_shown_to_nobody() -> None:
    played = play("ca", "2c Kh 9d", bank(), ANA, deal(2), act("view_initial_burn", player="ana"), deal())
    assert played.refusals == [(3, "burn_sealed")]
    assert "CA-DP-1a" in played.refusal_clauses[0]
    assert (played.events("burn_viewed"), played.gain("ana")) == ([], 1000)
    assert load_rulebook("ca").burn.visibility == "sealed"


@clause("CA-DP-1a", "CA-RP-6a")
def test_a_forgotten_burn_is_left_out_and_nobody_has_to_rule() -> None:
    forgotten = act("report_forgotten_burn", by="dealer:dee")
    acts = bank(), ANA, forgotten, forgotten, deal(), war("ana", 1), forgotten, deal()
    played = play("ca", "9h 9d Kh Qs 3c", *acts)
    assert played.refusals == [(3, "no_burn_due")]
    assert played.dealt() == "box 1 9h, dealer 9d, box 1 Kh, dealer Qs"
    assert all(one["clauses"] == [] for one in played.events("burn_forgotten"))


@clause("CA-DECK-3d", "CA-DP-3")
@pytest.mark.parametrize("report", ["report_missing_cut_card", "report_missed_shuffle"])
def test_the_round_is_played_out_and_the_other_batch_follows(report: str) -> None:
    acts = bank(), ANA, deal(2), act(report), deal(), bank(), ANA, deal()
    played = play("ca", "2c Kh 9d 3c 3d 3h", *acts, later=("6c 5h Td",))
    assert played.refusals == []
    assert [loaded["batch"] for loaded in played.events("shoe_loaded")] == [1, 2]
    assert (played.dealt(1), played.dealt(2)) == ("burn 2c, box 1 Kh, dealer 9d", "burn 6c, box 1 5h, dealer Td")


@clause("CA-DECK-3e")
def test_a_shoe_that_runs_dry_is_filled_from_its_own_batch() -> None:
    acts = bank(), ANA, deal(), bank(), ANA, deal()
    played = play("ca", "2c Kh 9d 8h", *acts, later=("9d Kh 2c",))
    assert [loaded["batch"] for loaded in played.events("shoe_loaded")] == [1, 1]
    assert played.dealt(2) == "box 1 8h, dealer 9d"


@clause("CA-DECK-1", "CA-DECK-3c")
def test_a_fault_of_the_machine_does_not_touch_the_batch_in_play() -> None:
    acts = bank(), ANA, deal(2), act("report_shuffler_fault"), deal(), bank(), ANA, deal()
    played = play("ca", "2c Kh 9d 8h Td", *acts)
    assert played.refusals == []
    assert len(played.events("shuffler_failed")) == len(played.events("shoe_loaded")) == 1
    assert played.events("shuffle_ordered") == []
    assert (played.dealt(2), played.gain("dan")) == ("box 1 8h, dealer Td", -1000 + 1000)


@clause("CA-DECK-1")
def test_hands_that_the_machine_spoilt_are_void_and_two_people_say_so_once_the_banks_card_lies() -> None:
    fault = act("report_shuffler_fault", boxes=[1], by=FLOOR)
    played = play("ca", SHOE, *TIED, fault, {**fault, "second": SECOND})
    assert played.refusals == [(3, "second_signature_due")]
    assert (played.gain("ana"), played.gain("dan")) == (0, 0)
    assert [one["counted"] for one in played.events("bank_returned")] == [False]


@clause("CA-BS-1")
@pytest.mark.parametrize("by", ["dealer:dee", "player:ana"])
def test_a_wager_found_wrong_is_not_the_dealers_to_decide(by: str) -> None:
    found = act("report_wager", player="ana", box=1, wager="initial", amount=500)
    played = play("ca", "2c Kh 9d", bank(), ANA, deal(2), {**found, "by": by}, found, deal(), limits=TIGHT)
    assert played.refusals == [(3, "not_entitled")]
    assert [one["by"] for one in played.events("wager_found")] == ["supervisor"]
    assert (played.gain("ana"), played.gain("dan")) == (500, -500)


# What a void does to the bank


@clause("CA-DP-5")
@pytest.mark.parametrize(
    ("scope", "decided", "tie"),
    [(None, False, 10 * 500), ("open", False, 10 * 500), ("open", True, 0), ("all", False, 0)],
)
def test_a_tie_wager_that_the_bank_has_paid_stands_unless_the_void_goes_further(
    scope: str | None, decided: bool, tie: int
) -> None:
    void = act("void_hand", box=1, decided=decided, by=FLOOR, second=SECOND)
    acts = bank(), ANA, bet("ana", 1, "tie", 500), deal(), war("ana", 1), void
    played = play("ca", SHOE, *acts, options={"irreg.void_scope": scope} if scope else {})
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("dan")) == (tie, -tie)
    outcomes = {wager: outcome for _, _, wager, outcome, _ in played.settlements()}
    assert outcomes == {"initial": "void", "war": "void", "tie": "win" if tie else "void"}


@clause("CA-STD-2c", "CA-DP-5")
def test_the_match_of_a_void_war_is_the_banks_again() -> None:
    """A stake of 1,000 matches one war of 1,000 and no other; with that one void it matches the next."""
    bets = bank(stake=1000), ANA, bet("ben", 2, "initial", 1000)
    void = act("void_hand", box=1, by=FLOOR, second=SECOND)
    shoe = "2c Kh Ks Kd 3c 4c 5c Qh 8d"
    matched = play("ca", shoe, *bets, deal(), war("ana", 1))
    assert [one["amount"] for one in matched.data["open"] if one["wager"] == "match"] == [1000]
    assert [(one["player"], one["outcome"]) for one in matched.events("wager_settled")] == [("ben", "returned")]
    freed = play("ca", shoe, *bets, deal(), void, war("ben", 2), deal())
    assert freed.settlements()[0] == ("ana", 1, "initial", "void", 0)
    assert (freed.gain("ana"), freed.gain("ben"), freed.gain("dan")) == (0, 1000, -1000)


@clause("CA-RP-9b", "CA-DP-5")
@pytest.mark.parametrize(("model", "plays"), [("covered", 500), ("payoff_cap", 1000)])
def test_what_the_bank_had_paid_on_a_void_hand_it_can_pay_to_others(model: str, plays: int) -> None:
    """Ana is paid 500 of the 1,000; taken back, they cover all of Ben's war. Where what was not covered went back
    before he was asked, it stays with him, and the bank has the 500 for the extra unit of a tied war."""
    bets = bank(stake=1000), bet("ana", 1, "initial", 500), bet("ben", 2, "initial", 1000)
    void = act("void_hand", box=1, decided=True, by=FLOOR, second=SECOND)
    acts = [*bets, deal(), void, war("ben", 2), deal()]
    played = play("ca", "2c Kh 9s 9d 3c 4c 5c 8s 8h", *acts, options={"bank.model": model})
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben"), played.gain("dan")) == (0, 1000, -1000)
    assert played.line("ben", "initial")["amount"] == plays


@clause("CA-RP-9c", "CA-RP-9d", "CA-DP-5")
@pytest.mark.parametrize("stop", ["first card", "offer", "war", "end"])
def test_a_void_round_leaves_everybody_with_what_they_had(stop: str) -> None:
    going = {"first card": [deal(2)], "offer": [deal()], "war": [deal(), war("ana", 1), deal(4)]}
    ended = [deal(), war("ana", 1), deal()]
    acts = [bank(stake=9000), ANA, bet("ana", 1, "tie", 500), BEN, *going.get(stop, ended)]
    played = play("ca", "2c Kh 5h Kd 3c 4c 5c 9h 8d", *acts, void_round(by=FLOOR, second=SECOND))
    assert played.refusals == []
    assert set(played.balances.values()) == {100_000, 0}
    assert played.balances["house"] == 0
    assert {outcome for *_, outcome, _ in played.settlements()} == {"void"}


def banked_by_ana(*after: Act) -> list[Act]:
    return [bank("ana", 2, 5000), bet("ben", 5, "initial", 1000), *after]


SEATED = [seat("ana", 2), seat("ben", 5), seat("cat", 7)]
ROUND = banked_by_ana(deal())


@clause("CA-STD-4", "CA-RP-10b", "CA-RP-10a")
@pytest.mark.parametrize("cards", [1, None], ids=["while it is dealt", "after its end"])
def test_a_void_round_does_not_count_for_the_banks_turn(cards: int | None) -> None:
    void = banked_by_ana(deal(cards), void_round(by=FLOOR, second=SECOND))
    played = play("ca", LONG_SHOE, *SEATED, *void, *ROUND, *ROUND, bank("ana", 2, 5000), bank("ben", 5, 5000))
    assert played.refusals == [(3 + 4 + 3 + 3, "bank_must_pass")]
    assert [event["player"] for event in played.events("bank_accepted")] == ["ana", "ana", "ana", "ben"]


@clause("CA-STD-4", "CA-RP-10b")
@pytest.mark.parametrize("cards", [1, None], ids=["while it is dealt", "after its end"])
def test_the_bank_does_not_rotate_for_a_second_round_that_was_void(cards: int | None) -> None:
    void = banked_by_ana(deal(cards), void_round(by=FLOOR, second=SECOND))
    played = play("ca", LONG_SHOE, *SEATED, *ROUND, *void, act("rotate_bank"))
    assert played.refusals == [(3 + 3 + 4, "bank_may_stay")]
    assert played.events("bank_rotated") == []


# The bank is offered


def offer(player: str, **more: object) -> Act:
    return act("offer_bank", player=player, **more)


def offered(played: Played) -> list[str]:
    return [event["player"] for event in played.events("bank_offered")]


def play_seated(*acts: Act, options: dict[str, bool] | None = None) -> Played:
    return play("ca", LONG_SHOE, *SEATED, *acts, options=options)


@clause("CA-DEF-PD-ii")
def test_the_bank_is_offered_to_every_seated_player_while_nobody_has_banked() -> None:
    played = play_seated(offer("ben"), decline("ben"), offer("cat"), decline("cat"), offer("ana"), offer("dan"))
    assert played.refusals == [(3 + 5, "bank_not_offered")]
    assert offered(played) == ["ben", "cat", "ana"]


@clause("CA-RP-10a", "CA-RP-10c", "CA-DEF-PD-ii")
def test_the_bank_is_offered_clockwise_and_past_those_who_decline() -> None:
    acts = [*ROUND, *ROUND, offer("ana"), offer("cat"), offer("ben"), decline("ben"), offer("ben"), offer("cat")]
    played = play_seated(*acts, bank("cat", 7, 5000))
    assert played.refusals == [(9, "bank_not_offered"), (10, "bank_not_offered"), (13, "bank_not_offered")]
    assert all(set(cited) == {"CA-RP-10a", "CA-RP-10c"} for cited in played.refusal_clauses)
    assert offered(played) == ["ben", "cat"]
    assert [event["player"] for event in played.events("bank_accepted")][-1] == "cat"


@clause("CA-STD-4", "CA-DEF-PD-ii")
def test_after_one_round_the_bank_is_offered_to_its_holder_first() -> None:
    played = play_seated(*ROUND, offer("ben"), offer("ana"), relinquish("ana"), offer("ana"), offer("ben"))
    assert played.refusals == [(6, "bank_not_offered"), (9, "bank_not_offered")]
    assert offered(played) == ["ana", "ben"]


@clause("CA-RP-9c", "CA-DEF-PD-i")
def test_the_bank_is_not_offered_to_the_house_nor_while_somebody_holds_it() -> None:
    played = play_seated(offer("house"), offer("zoe"), bank("ana", 2, 5000), offer("ben"))
    assert played.refusals == [(3, "house_cannot_bank"), (4, "unknown_player"), (6, "bank_taken")]
    assert offered(played) == []


@clause("CA-DEF-PD-ii")
def test_an_offer_binds_nobody() -> None:
    played = play_seated(offer("ana"), bank("ben", 5, 5000))
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben")) == (0, -5000)


@clause("CA-DEF-PD-ii", "CA-RP-10a")
@pytest.mark.parametrize("by", ["player:ana", "supervisor:flo", "operator:oli"])
def test_the_dealer_offers_and_passes_on_the_bank(by: str) -> None:
    """The dealer alone, where a higher role may not do what a lower one may."""
    alone = {"authority.higher": False} if not by.startswith("player") else {}
    acts = [*ROUND, *ROUND, offer("ben", by=by), act("rotate_bank", by=by)]
    played = play_seated(*acts, offer("ben", by="dealer:dee"), act("rotate_bank", by="dealer:dee"), options=alone)
    assert played.refusals == [(9, "not_entitled"), (10, "not_entitled")]
    assert (offered(played), len(played.events("bank_rotated"))) == (["ben"], 1)


# The bank rotates


def rotated(played: Played) -> list[tuple[str, str]]:
    return [(event["player"], event["to"]) for event in played.events("bank_rotated")]


@clause("CA-STD-4", "CA-RP-10b")
def test_the_bank_rotates_after_two_rounds_and_no_sooner() -> None:
    rotate = act("rotate_bank")
    played = play_seated(rotate, *ROUND, rotate, *ROUND, rotate, bank("ana", 2, 5000), bank("ben", 5, 5000))
    assert played.refusals == [(3, "bank_may_stay"), (7, "bank_may_stay"), (12, "bank_must_pass")]
    assert set(played.refusal_clauses[1]) == {"CA-STD-4", "CA-RP-10b"}
    assert rotated(played) == [("ana", "ben")]


@clause("CA-RP-10a", "CA-RP-10c")
def test_the_bank_rotates_clockwise_past_those_who_decline_and_round_the_table() -> None:
    acts = [*ROUND, *ROUND, decline("ben"), act("rotate_bank")]
    cat = [bank("cat", 7, 5000), bet("ben", 5, "initial", 1000), deal()]
    played = play_seated(*acts, *cat, *cat, act("rotate_bank"), bank("ben", 5, 5000), bank("ana", 2, 5000))
    assert played.refusals == [(18, "bank_not_offered")]
    assert rotated(played) == [("ana", "cat"), ("cat", "ana")]
    assert all(set(one["clauses"]) == {"CA-RP-10a", "CA-RP-10c"} for one in played.events("bank_rotated"))


@clause("CA-RP-10a", "CA-RP-9c")
def test_where_nobody_else_sits_there_is_nobody_to_pass_the_bank_to() -> None:
    leaving = [act("vacate_seat", player="ben"), act("vacate_seat", player="cat")]
    played = play_seated(*ROUND, *ROUND, *leaving, act("rotate_bank"))
    assert played.refusals == [(11, "no_bank")]
    assert rotated(played) == []


@clause("CA-RP-10a")
def test_a_bank_that_is_held_does_not_rotate() -> None:
    played = play_seated(*ROUND, *ROUND, bank("ben", 5, 5000), act("rotate_bank"))
    assert [number for number, _ in played.refusals] == [10]
    assert (rotated(played), played.gain("ben")) == ([], 2000 - 5000)


@clause("CA-RP-9c", "CA-DEF-PD-i")
@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma"])
def test_where_the_house_banks_no_bank_is_offered_or_passed_on(book: str) -> None:
    acts = seat("ana", 2), offer("ana"), act("rotate_bank")
    assert play(book, "2c", *acts).refusals == [(1, "not_in_the_book"), (2, "not_in_the_book")]
    assert offered(play("ca", "2c", *acts)) == ["ana"]
