"""Casino-To-Go: what the guide leaves to the Pit Boss, who rules and what follows, and the invitation to bet."""

import pytest

from casinowar.engine import commands as c
from casinowar.engine.view.procedure import procedure
from casinowar.rulebooks import load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

ANA, BEN = bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 2000)
TIGHT = {"minimum": 1000, "maximum": 5000, "unit": 500}
PIT_BOSS, SECOND = "supervisor:pam", "operator:oli"

DEALT = (ANA, BEN, deal(2))
"""The first card is burned, and box 1 has the second."""

TIED = (ANA, deal())
"""Ana has tied, the dealer's card lies open, and she is being asked."""

MISSED = act("report_missed_hand", box=2)

CASES: dict[str, tuple[Act, ...]] = {
    "face_up_cards": (ANA, deal(2), act("report_face_up_card"), act("report_face_up_card")),
    "misdelivered": (*DEALT, act("report_misdelivered", box=1, action="forward")),
    "missed_hand": (*DEALT, MISSED),
    "missed_offer": (*TIED, act("report_missed_offer", player="ana", box=1, cards=3)),
    "forgotten_burn": (ANA, act("report_forgotten_burn")),
    "missing_cut_card": (*DEALT, act("report_missing_cut_card")),
    "missed_shuffle": (*DEALT, act("report_missed_shuffle")),
    "exposed_before_shoe": (ANA, act("report_exposed_before_shoe")),
    "damaged_card": (*DEALT, act("report_damaged_card")),
}
SHOE = "2c 9h 9d 3c 4c 5c Kh Qs 6c 7c"


def rule(action: str, **more: object) -> Act:
    return act("rule", action=action, reason="seen by all", **more)


def in_the_shoe(played: Played) -> int:
    return played.replayed.table.shoe_left


@pytest.mark.clause("CTG-G6")
@pytest.mark.parametrize("incident", CASES)
def test_what_the_guide_does_not_name_waits_for_the_pit_boss(incident: str) -> None:
    reported = play("ctg", SHOE, *CASES[incident])
    assert reported.refusals == []
    [report] = reported.events("incident_reported")
    assert (report["incident"], report["waits_for"]) == (incident, "pit_boss")
    assert report["clauses"] == ["CTG-G6"]
    [step] = procedure(load_rulebook("ctg"), reported.replayed.table)
    assert (step.act, step.waits_for, step.clauses) == ("rule", "pit_boss", ("CTG-G6",))


@pytest.mark.clause("CTG-G6")
@pytest.mark.parametrize("incident", CASES)
def test_no_card_is_dealt_and_nothing_settled_before_the_ruling(incident: str) -> None:
    acts = CASES[incident]
    going_on = deal(), act("settle"), act("end_round")
    waiting = play("ctg", SHOE, *acts, *going_on)
    assert waiting.refusals == [(len(acts) + number, "ruling_due") for number in range(3)]
    assert waiting.refusal_clauses == [["CTG-G6"]] * 3
    assert in_the_shoe(waiting) == in_the_shoe(play("ctg", SHOE, *acts))
    assert (waiting.events("wager_settled"), waiting.data["rounds"]) == ([], [])
    choice = [war("ana", 1)] if incident == "missed_offer" else []
    ruled = play("ctg", SHOE, *acts, rule("stand"), *choice, deal())
    assert ruled.refusals == []
    assert len(ruled.events("card_dealt")) > len(waiting.events("card_dealt"))


@pytest.mark.clause("CTG-G6")
def test_nobody_chooses_before_the_ruling_on_a_choice_that_was_not_offered() -> None:
    acts = *CASES["missed_offer"], war("ana", 1), surrender("ana", 1)
    waiting = play("ctg", SHOE, *acts)
    assert waiting.refusals == [(3, "ruling_due"), (4, "ruling_due")]
    assert waiting.gain("ana") == -1000
    ruled = play("ctg", SHOE, *acts, rule("stand"), surrender("ana", 1))
    assert ruled.settlements() == [("ana", 1, "initial", "surrender", -500)]


@pytest.mark.clause("CTG-G6")
def test_a_pack_that_was_seen_does_not_go_into_the_shoe_before_the_ruling() -> None:
    played = play("ctg", SHOE, *CASES["exposed_before_shoe"], act("load_shoe"))
    assert played.refusals == [(2, "ruling_due")]
    assert in_the_shoe(played) == 0


@pytest.mark.clause("CTG-G6")
def test_a_second_report_does_not_take_the_first_off_the_pit_boss_hands() -> None:
    """Box 1 was reported first, so a ruling that names no box is on box 1."""
    reports = act("report_missed_hand", box=1), act("report_missed_hand", box=2)
    played = play("ctg", SHOE, ANA, BEN, deal(1), *reports, rule("void_hand"))
    assert [ruling["box"] for ruling in played.events("ruling_given")] == [1]
    assert [void["box"] for void in played.events("hand_voided")] == [1]


# The ruling


@pytest.mark.clause("CTG-G6")
@pytest.mark.parametrize(("by", "refused"), [(None, []), (PIT_BOSS, []), ("dealer:dee", [4]), ("player:ana", [4])])
def test_only_the_floor_rules_and_an_unsigned_ruling_is_the_pit_boss_own(by: str | None, refused: list[int]) -> None:
    ruling = rule("stand") if by is None else rule("stand", by=by)
    played = play("ctg", SHOE, *DEALT, MISSED, ruling)
    assert played.refusals == [(number, "not_entitled") for number in refused]
    assert [one["by"] for one in played.events("ruling_given")] == ([] if refused else [by or "pit_boss"])


@pytest.mark.clause("CTG-G6")
def test_a_ruling_has_a_reason_and_is_kept_with_it() -> None:
    unsaid = act("rule", action="stand", reason="", by=PIT_BOSS)
    played = play("ctg", SHOE, *DEALT, MISSED, unsaid, deal(), rule("stand", by=PIT_BOSS))
    assert played.refusals == [(4, "reason_due"), (5, "ruling_due")]
    [ruling] = played.events("ruling_given")
    assert (ruling["action"], ruling["reason"], ruling["by"]) == ("stand", "seen by all", PIT_BOSS)
    assert (ruling["incident"], ruling["box"], ruling["clauses"]) == ("missed_hand", 2, ["CTG-G6"])


@pytest.mark.clause("CTG-G6")
def test_the_ruling_is_final() -> None:
    """Once it is given there is nothing left to put right, and the deal goes on."""
    played = play("ctg", "2c Kh 5d Qd", *DEALT, MISSED, rule("reconstruct"), rule("reconstruct"), deal())
    assert played.refusals == [(5, "no_incident")]
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 5d, dealer Qd"


@pytest.mark.clause("CTG-G6")
def test_the_pit_boss_rules_on_a_dispute_that_nobody_reported() -> None:
    voided = rule("void_hand", box=2)
    played = play("ctg", "2c Kh Qd", *DEALT, voided, voided, rule("void_hand"), deal())
    assert played.refusals == [(4, "no_hand"), (5, "no_hand")]
    assert played.settlements() == [("ben", 2, "initial", "void", 0), ("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("CTG-G6")
def test_a_ruling_that_cannot_be_done_leaves_the_report_waiting() -> None:
    played = play("ctg", SHOE, *CASES["face_up_cards"], rule("void_hand"), deal(), rule("void_hand", box=1))
    assert played.refusals == [(4, "no_hand"), (5, "ruling_due")]
    assert played.gain("ana") == 0


@pytest.mark.clause("CTG-G6")
@pytest.mark.parametrize("action", ["void_hand", "void_round"])
def test_a_void_after_the_dealers_card_takes_two_people(action: str) -> None:
    alone, twice = rule(action, by=PIT_BOSS), rule(action, by=PIT_BOSS, second="operator:pam")
    together = rule(action, by=PIT_BOSS, second=SECOND)
    low = rule(action, by=PIT_BOSS, second="dealer:dee")
    played = play("ctg", SHOE, *CASES["missed_offer"], alone, twice, low, deal(), together)
    reasons = ["second_signature_due", "same_person", "not_entitled", "ruling_due"]
    assert [reason for _, reason in played.refusals] == reasons
    assert played.refusal_clauses[0] == ["CTG-G6"]
    assert [(one["by"], one["second"]) for one in played.events("ruling_given")] == [(PIT_BOSS, SECOND)]
    assert played.settlements() == [("ana", 1, "initial", "void", 0)]


@pytest.mark.clause("CTG-G6")
@pytest.mark.parametrize("action", ["stand", "reconstruct", "reshuffle"])
def test_a_ruling_that_voids_nothing_takes_one_person(action: str) -> None:
    played = play("ctg", SHOE, *CASES["missed_offer"], rule(action, by=PIT_BOSS), surrender("ana", 1))
    assert played.refusals == []
    assert played.gain("ana") == -500


@pytest.mark.clause("CTG-G6")
def test_a_void_before_the_dealers_card_takes_one_person() -> None:
    for void in (act("void_hand", box=1, by=PIT_BOSS), act("void_round", by=PIT_BOSS)):
        played = play("ctg", SHOE, ANA, deal(2), void)
        assert played.refusals == []
        assert played.settlements() == [("ana", 1, "initial", "void", 0)]


# What a void takes back


@pytest.mark.clause("CTG-G6")
@pytest.mark.parametrize(
    ("scope", "decided", "tie"),
    [(None, False, 10 * 500), ("open", False, 10 * 500), ("open", True, 0), ("all", False, 0)],
)
def test_a_tie_bet_that_was_paid_stands_unless_the_void_goes_further(
    scope: str | None, decided: bool, tie: int
) -> None:
    void = act("void_hand", box=1, decided=decided, by=PIT_BOSS, second=SECOND)
    acts = ANA, bet("ana", 1, "tie", 500), deal(), war("ana", 1), void
    played = play("ctg", SHOE, *acts, options={"irreg.void_scope": scope} if scope else {})
    assert played.refusals == []
    assert played.gain("ana") == tie
    outcomes = {wager: outcome for _, _, wager, outcome, _ in played.settlements()}
    assert outcomes == {"initial": "void", "war": "void", "tie": "win" if tie else "void"}


@pytest.mark.clause("CTG-G6")
def test_a_void_round_takes_back_what_was_paid_before_the_war() -> None:
    void = act("void_round", by=PIT_BOSS, second=SECOND)
    acts = ANA, bet("ana", 1, "tie", 500), BEN, deal(), war("ana", 1), void, void
    played = play("ctg", "2c 9h Kh 9d 3c 4c 5c Qs Js", *acts)
    assert played.refusals == [(6, "no_round")]
    assert (played.gain("ana"), played.gain("ben"), played.balances["house"]) == (0, 0, 0)


@pytest.mark.clause("CTG-G6")
def test_a_report_goes_with_the_round_that_is_voided() -> None:
    played = play("ctg", "2c Kh 9d 8s", *DEALT, MISSED, act("void_round", by=PIT_BOSS), ANA, deal())
    assert played.refusals == []
    assert played.settlements(2) == [("ana", 1, "initial", "win", 1000)]


# Cards and wagers


@pytest.mark.clause("CTG-G5")
@pytest.mark.parametrize("action", ["burn", "forward", "dealer_next"])
def test_nobody_may_do_anything_else_with_a_disclosed_card(action: str) -> None:
    acts = ANA, deal(2), act("report_extra_draw", exposed=True, action=action)
    played = play("ctg", "2c Kh Ad 9s", *acts, act("report_extra_draw", exposed=True), deal())
    assert played.refusals == [(2, "not_in_the_book")]
    assert played.refusal_clauses == [["CTG-G5"]]
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, dealer 9s"


@pytest.mark.clause("CTG-S5")
def test_the_first_card_of_a_shoe_is_shown_to_nobody() -> None:
    played = play("ctg", "2c Kh 9d", ANA, deal(2), act("view_initial_burn", player="ana"), deal())
    assert played.refusals == [(2, "burn_sealed")]
    assert played.refusal_clauses == [[]]
    assert (played.events("burn_viewed"), played.gain("ana")) == ([], 1000)
    assert load_rulebook("ctg").burn.visibility == "hidden"


def found(amount: int) -> Act:
    return act("report_wager", player="ana", box=1, wager="initial", amount=amount, by="dealer:dee")


@pytest.mark.clause("CTG-G2-i", "CTG-G2-iii")
def test_a_wager_found_below_the_minimum_is_the_one_that_is_honoured() -> None:
    low = bet("ana", 1, "initial", 500)
    played = play("ctg", "2c Kh 9d Kd 8d", ANA, deal(2), found(500), deal(), low, limits=TIGHT)
    assert played.refusals == [(4, "wager_below_minimum")]
    assert played.gain("ana") == 500


@pytest.mark.clause("CTG-G2-i", "CTG-G3-i")
@pytest.mark.parametrize("amount", [6000, 2000])
def test_a_wager_that_was_not_below_the_minimum_uses_up_no_reminder(amount: int) -> None:
    """A further bet under the limit is rejected, and so far there was none."""
    low = bet("ana", 1, "initial", 500)
    played = play("ctg", "2c Kh 9d Kd 8d", ANA, deal(2), found(amount), deal(), low, deal(), limits=TIGHT)
    assert played.refusals == []
    assert played.gain("ana") == min(amount, 5000) + 500


@pytest.mark.clause("CTG-G6")
def test_the_card_that_was_reported_damaged_is_the_one_replaced() -> None:
    damaged = act("report_damaged_card", card="Kh")
    played = play("ctg", "2c Kh 5d 9d", *DEALT, damaged, rule("reconstruct"), deal())
    assert [one["card"] for one in played.events("damage_found")] == ["Kh"]
    assert [one["cards"] for one in played.events("cards_replaced")] == [["Kh"]]


# The invitation


@pytest.mark.clause("CTG-P1", "CTG-W8")
def test_the_dealer_invites_wagers_on_war_and_tie_before_each_round() -> None:
    invite = act("open_betting", by="dealer:dee")
    both = ANA, bet("ana", 1, "tie", 500), bet("ben", 2, "tie", 500)
    played = play("ctg", "2c Kh 8d 9d Kd 8s", invite, *both, deal(), invite, ANA, deal())
    assert played.refusals == []
    names = [event["name"] for event in played.data["events"]]
    begun = [at for at, name in enumerate(names) if name == "betting_opened"]
    assert len(begun) == 2
    assert begun[0] < names.index("wager_placed") < names.index("round_ended") < begun[1]
    assert [one["clauses"] for one in played.events("betting_opened")] == [["CTG-P1"]] * 2
    assert played.gain("ana") == 1000 - 500 + 1000


@pytest.mark.clause("CTG-P1", "CTG-P4")
def test_nobody_is_invited_while_a_round_is_on() -> None:
    invite = act("open_betting")
    played = play("ctg", SHOE, ANA, deal(2), invite, deal(), invite, war("ana", 1), invite, deal(), invite)
    assert played.refusals == [(number, "round_in_progress") for number in (2, 4, 6)]
    assert len(played.events("betting_opened")) == 1


@pytest.mark.clause("CTG-P1")
@pytest.mark.parametrize("by", ["player:ana", "supervisor:pam", "operator:oli"])
def test_the_invitation_is_the_dealers(by: str) -> None:
    alone = {} if by.startswith("player") else {"authority.higher": False}
    played = play("ctg", SHOE, act("open_betting", by=by), options=alone)
    assert played.refusals == [(0, "not_entitled")]
    assert played.events("betting_opened") == []


@pytest.mark.clause("CTG-P1", "CTG-S5")
def test_the_dealer_has_a_shoe_first_and_then_invites() -> None:
    rules = load_rulebook("ctg")
    fresh = [step.act for step in procedure(rules, play("ctg", SHOE).replayed.table)]
    assert (fresh[0], fresh[-1]) == ("shuffle", "load")
    burn, invite = procedure(rules, play("ctg", SHOE, act("load_shoe")).replayed.table)
    assert (burn.act, burn.burn, burn.command, burn.clauses) == ("burn", "opening", c.InitialBurn(), ("CTG-S5",))
    assert invite.act == "invite"
    before, after = [act("load_shoe"), act("initial_burn")], [ANA, deal(), surrender("ana", 1)]
    for acts in (before, after):
        [step] = procedure(rules, play("ctg", SHOE, *acts).replayed.table)
        assert (step.act, step.waits_for) == ("invite", "players")
        assert (step.command, step.clauses) == (c.OpenBetting(), ("CTG-P1",))
