"""WA rules 5.4, 5.6 to 5.8, 6.5, 6.6 and 6.11: hands put right or void, machines, partners, offenders, disputes."""

from typing import Any

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

OPENING = "Ac 2c "
ANA, BEN = bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000)
FORGOTTEN = act("report_forgotten_burn", by="dealer:dee")
MACHINE = {"shoe.shuffler": "continuous"}


def rebuild(*moves: tuple[str, str], by: str = "supervisor:sam") -> Act:
    """Signed by two, as it must be once the dealer's card is out."""
    return act("reconstruct", moves=[{"from": origin, "to": to} for origin, to in moves], by=by, second="operator:ola")


def void(box: int, **fields: Any) -> Act:
    return act("void_hand", box=box, **{"reason": "cannot be rebuilt", "by": "operator:olga", **fields})


def unchanged(played: Played) -> bool:
    """Whether nobody has won or lost anything, and nothing lies on the layout."""
    return all(played.gain(player) == 0 for player in ("ana", "ben", "cat", "dan")) and played.data["open"] == []


@pytest.mark.clause("WA-5.4-i")
def test_a_war_dealt_without_its_burn_is_put_back_into_its_order() -> None:
    """Three boxes have the three cards that should have been burned; each is due the card it would have had."""
    bets = [bet(who, box, "initial", 1000) for who, box in (("ana", 1), ("ben", 2), ("cat", 3))]
    wars = [war("ana", 1), war("ben", 2), war("cat", 3)]
    moves = rebuild(("box 1", "discard"), ("box 2", "discard"), ("box 3", "discard"))
    shoe = OPENING + "9h 9s 9c 9d 3c 4c 5c Kh Jc Th Qs"
    wrong = play("wa", shoe, *bets, deal(), *wars, FORGOTTEN, deal(3), moves, deal())
    right = play("wa", shoe, *bets, deal(), *wars, deal())
    assert wrong.refusals == []
    assert wrong.dealt() == right.dealt().replace("burn 3c, burn 4c, burn 5c", "discard 3c, discard 4c, discard 5c")
    assert wrong.settlements() == right.settlements()
    assert (wrong.gain("ana"), wrong.gain("ben"), wrong.gain("cat")) == (1000, -2000, -2000)
    rebuilt = wrong.events("round_reconstructed")
    assert [(event["by"], event["discards"]) for event in rebuilt] == [("supervisor:sam", ["3c", "4c", "5c"])]


@pytest.mark.clause("WA-5.4-i")
@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ([("box 1", "box 2")], "not_reconstructed"),
        ([], "not_reconstructed"),
        ([("box 1", "box 4")], "no_hand_due"),
        ([("box 4", "box 1")], "no_hand"),
        ([("dealer", "box 1")], "no_hand"),
    ],
)
def test_cards_that_do_not_come_right_that_way_stay_where_they_lie(moves: list[tuple[str, str]], reason: str) -> None:
    played = play("wa", OPENING + "Kh 5d 9s", ANA, BEN, deal(4), rebuild(*moves), deal())
    assert played.refusals == [(3, reason)]
    assert set(played.refusal_clauses[0]) >= {"WA-5.4-i"}
    assert played.dealt() == "burn Ac, burn 2c, box 1 Kh, box 2 5d, dealer 9s"


@pytest.mark.clause("WA-5.4-i")
def test_hands_are_put_right_only_while_they_are_dealt_and_not_by_players() -> None:
    move = rebuild(("box 1", "discard"))
    played = play("wa", OPENING + "9h 9d", move, ANA, move, deal(3), rebuild(("box 1", "discard"), by="player:ana"))
    assert played.refusals == [(0, "no_round"), (2, "no_round"), (4, "not_entitled")]
    tied = play("wa", OPENING + "9h 9d", ANA, deal(), move, surrender("ana", 1), move)
    assert tied.refusals == [(2, "result_known"), (4, "no_round")]
    assert tied.gain("ana") == -500


@pytest.mark.clause("WA-5.4-i", "WA-5.4-ii")
@pytest.mark.parametrize("action", ["forward", "dealer_next", "burn"])
def test_a_card_dealt_to_the_wrong_hand_is_no_choice_of_the_dealers(action: str) -> None:
    """Other books move it on or burn it; here the hands are rebuilt."""
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), act("report_misdelivered", box=1, action=action), deal())
    assert played.refusals == [(2, "reconstruct_instead")]
    assert played.refusal_clauses[0] == ["WA-5.4-i"]
    assert played.dealt() == "burn Ac, burn 2c, box 1 Kh, dealer 9d"


@pytest.mark.clause("WA-5.4-i")
def test_a_box_that_was_passed_over_gets_its_card_and_nothing_is_void() -> None:
    played = play("wa", OPENING + "Kh 5d Qd", ANA, BEN, deal(3), act("report_missed_hand", box=2), deal())
    assert played.refusals == []
    assert [event["clauses"] for event in played.events("hand_missed")] == [["WA-5.4-i"]]
    assert played.settlements() == [("ben", 2, "initial", "lose", -1000), ("ana", 1, "initial", "win", 1000)]
    late = play("wa", OPENING + "Kh 5d Qd", ANA, BEN, deal(4), act("report_missed_hand", box=2))
    assert late.refusals == [(3, "no_hand_due")]


@pytest.mark.clause("WA-5.4-ii")
def test_a_void_hand_gives_its_wagers_back_once() -> None:
    side = [bet("ana", 1, kind, 500) for kind in ("tie", "a_bomb", "perfect_pairs")]
    acts = [ANA, *side, bet("cat", 1, "initial", 2000), BEN, deal(4), void(1), void(1), deal()]
    played = play("wa", OPENING + "Ah Kd 9s", *acts)
    assert played.refusals == [(8, "no_hand")]
    assert played.refusal_clauses[0] == ["WA-5.4-ii"]
    assert (played.gain("ana"), played.gain("cat"), played.gain("ben")) == (0, 0, 1000)
    voided = [(event["box"], event["by"], event["reason"]) for event in played.events("hand_voided")]
    assert voided == [(1, "operator:olga", "cannot be rebuilt")]
    assert [event["amount"] for event in played.events("wager_reversed")] == [1000, 500, 500, 500, 2000]


@pytest.mark.clause("WA-5.4-ii")
def test_with_every_hand_void_the_round_is_over_and_another_can_begin() -> None:
    played = play("wa", OPENING + "8h 3h Kh Qs", ANA, BEN, deal(4), void(1), void(2), ANA, deal())
    assert played.refusals == []
    assert played.dealt(1) == "burn Ac, burn 2c, box 1 8h, box 2 3h"
    assert played.dealt(2) == "box 1 Kh, dealer Qs"
    assert [event["number"] for event in played.events("round_voided")] == [1]
    assert (played.gain("ana"), played.gain("ben")) == (1000, 0)


@pytest.mark.clause("WA-5.4-ii")
@pytest.mark.parametrize(
    ("options", "fields", "tie"),
    [
        ({}, {}, 10 * 500),
        ({"irreg.void_scope": "open"}, {}, 10 * 500),
        ({"irreg.void_scope": "all"}, {}, 0),
        ({}, {"decided": True}, 0),
    ],
)
def test_what_was_decided_on_good_first_cards_stands_unless_the_operator_says_otherwise(
    options: dict[str, str], fields: dict[str, bool], tie: int
) -> None:
    acts = [ANA, bet("ana", 1, "tie", 500), deal(), war("ana", 1), bet("ana", 1, "war_perfect_pairs", 500), deal(4)]
    voided = void(1, second="supervisor:sam", **fields)
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Ks", *acts, voided, deal(), options=options)
    assert played.gain("ana") == tie
    assert played.balances["house"] == -tie
    assert {wager: played.line("ana", wager)["outcome"] for wager in ("initial", "war", "war_perfect_pairs")} == {
        "initial": "void",
        "war": "void",
        "war_perfect_pairs": "void",
    }


@pytest.mark.clause("WA-5.4-ii")
def test_no_hand_is_void_before_cards_are_out_or_after_the_round() -> None:
    played = play("wa", OPENING + "8h 9d", ANA, void(1), deal(), void(1, second="supervisor:sam"))
    assert played.refusals == [(1, "no_hand"), (3, "no_hand")]
    assert played.gain("ana") == -1000


@pytest.mark.clause("WA-5.4-ii", "WA-6.11")
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "second_signature_due"),
        ({"second": "operator:olga"}, "same_person"),
        ({"second": "supervisor:olga"}, "same_person"),
        ({"second": "dealer:dee"}, "not_entitled"),
        ({"second": "player:ben"}, "not_entitled"),
    ],
)
def test_once_a_result_is_known_a_void_takes_two_of_the_floor(fields: dict[str, str], reason: str) -> None:
    played = play("wa", OPENING + "9h Kh 9d", ANA, BEN, deal(), void(1, **fields))
    assert played.refusals == [(3, reason)]
    assert [one["player"] for one in played.data["open"]] == ["ana"]


@pytest.mark.clause("WA-5.6")
def test_a_failed_shuffler_voids_the_hands_that_it_affected_and_no_other() -> None:
    bets = [bet(who, box, "initial", 1000) for who, box in (("ana", 1), ("ben", 2), ("cat", 3))]
    fault = act("report_shuffler_fault", boxes=[1, 3], by="manager:tom")
    played = play("wa", OPENING + "Kh 5d 6c 9s Qh 8d", *bets, deal(5), fault, deal(), ANA, deal(), options=MACHINE)
    assert played.refusals == []
    assert (played.line("ana", "initial")["net"], played.line("cat", "initial")["net"]) == (0, 0)
    assert played.line("ben", "initial")["net"] == -1000
    assert [(event["boxes"], event["by"]) for event in played.events("shuffler_failed")] == [([1, 3], "manager:tom")]
    assert played.dealt(2) == "box 1 Qh, dealer 8d"


@pytest.mark.clause("WA-5.6")
@pytest.mark.parametrize(
    ("boxes", "cards", "reason"),
    [([], 3, "no_hand"), ([2], 3, "no_hand"), ([1, 2], 3, "no_hand"), ([1], 0, "no_round")],
)
def test_the_hands_must_be_named_and_in_the_round(boxes: list[int], cards: int, reason: str) -> None:
    dealt = [deal(cards)] if cards else []
    played = play(
        "wa", OPENING + "Kh 9d", ANA, *dealt, act("report_shuffler_fault", boxes=boxes), deal(), options=MACHINE
    )
    assert [why for _, why in played.refusals] == [reason]
    assert played.refusal_clauses[0] == ["WA-5.6"]
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-5.6", "WA-1.1-AUTO")
def test_without_a_machine_none_can_fail() -> None:
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), act("report_shuffler_fault", boxes=[1]), deal())
    assert played.refusals == [(2, "no_shuffler")]
    assert played.refusal_clauses[0] == []
    assert played.gain("ana") == 1000


LIMITS = {"minimum": 1000, "maximum": 5000, "unit": 500}


def found(amount: int, **fields: Any) -> Act:
    return act("report_wager", **{"player": "ana", "box": 1, "wager": "initial", "amount": amount, **fields})


@pytest.mark.parametrize(
    ("amount", "plays"),
    [
        pytest.param(400, 400, marks=pytest.mark.clause("WA-5.7a")),
        pytest.param(999, 999, marks=pytest.mark.clause("WA-5.7a")),
        pytest.param(1499, 1000, marks=pytest.mark.clause("WA-5.7b")),
        pytest.param(4700, 4500, marks=pytest.mark.clause("WA-5.7b")),
        pytest.param(5001, 5000, marks=pytest.mark.clause("WA-5.7c")),
        pytest.param(30000, 5000, marks=pytest.mark.clause("WA-5.7c")),
    ],
)
@pytest.mark.parametrize(("card", "sign"), [("K", 1), ("8", -1)])
def test_a_wager_found_wrong_after_the_deal_plays_as_the_limits_have_it(
    amount: int, plays: int, card: str, sign: int
) -> None:
    acts = [ANA, deal(3), found(amount, by="dealer:dee"), deal()]
    played = play("wa", f"{OPENING} {card}h 9d", *acts, limits=LIMITS)
    assert played.refusals == []
    line = played.line("ana", "initial")
    assert (line["amount"], played.gain("ana")) == (plays, sign * plays)
    noted = [(event["noted"], event["amount"], event["by"]) for event in played.events("wager_found")]
    assert noted == [(1000, amount, "dealer:dee")]


@pytest.mark.clause("WA-5.7-adv")
@pytest.mark.parametrize(("amount", "rule"), [(400, "WA-5.7a"), (1700, "WA-5.7b"), (9000, "WA-5.7c")])
def test_whoever_is_found_with_a_wrong_wager_is_told_the_limits(amount: int, rule: str) -> None:
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), found(amount), deal(), limits=LIMITS)
    advised = played.events("limits_advised")
    assert [(event["player"], event["limit"]) for event in advised] == [("ana", LIMITS)]
    assert set(advised[0]["clauses"]) >= {rule, "WA-5.7-adv"}


@pytest.mark.clause("WA-5.7-adv")
def test_nobody_is_told_the_limits_for_a_wager_that_keeps_them() -> None:
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), found(1500), deal(), limits=LIMITS)
    assert played.gain("ana") == 1500
    assert played.events("limits_advised") == []


@pytest.mark.clause("WA-5.7a", "WA-5.7b", "WA-5.7c")
def test_only_a_wager_that_is_still_open_can_be_found_wrong() -> None:
    acts = [ANA, found(700), deal(3), found(0), found(700, player="ben"), found(200_000), deal(), found(700)]
    played = play("wa", OPENING + "8h 9d", *acts, limits=LIMITS)
    reasons = ["no_wager", "amount_not_positive", "no_wager", "insufficient_funds", "no_wager"]
    assert [reason for _, reason in played.refusals] == reasons
    assert played.gain("ana") == -1000


@pytest.mark.clause("WA-5.7a", "WA-5.7b", "WA-5.7c")
@pytest.mark.parametrize(("amount", "plays"), [(700, 700), (1700, 1500), (1999, 1500), (9000, 5000)])
@pytest.mark.parametrize("cards", [0, 1, 4, 5])
def test_a_wager_is_found_wrong_throughout_the_round_and_its_war_is_cut_to_it(
    amount: int, plays: int, cards: int
) -> None:
    """Ana has 2,000 on the box and as much on the war, which is won: 1:1 on the war wager and a standoff."""
    war_deal = [deal(cards)] if cards else []
    acts = [bet("ana", 1, "initial", 2000), deal(), war("ana", 1), *war_deal, found(amount, by="dealer:dee")]
    signed = acts[-1] | {"second": "supervisor:sam"}
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts, signed, deal(), limits=LIMITS)
    assert played.refusals == [(len(acts) - 1, "second_signature_due")]
    fought = min(plays, 2000)
    assert (played.line("ana", "initial")["amount"], played.line("ana", "war")["amount"]) == (plays, fought)
    assert played.gain("ana") == fought
    cut = [(event["placed"], event["amount"]) for event in played.events("wager_limited") if event["wager"] == "war"]
    assert cut == ([(2000, plays)] if plays < 2000 else [])
    assert all(event["clauses"] == ["WA-3.7"] for event in played.events("wager_limited") if event["wager"] == "war")


@pytest.mark.clause("WA-5.7a")
def test_in_the_older_reading_a_wager_is_locked_once_war_is_chosen() -> None:
    older = {"irreg.wrong_wager_until": "war"}
    acts = [ANA, deal(), war("ana", 1), found(700)]
    at_war = play("wa", OPENING + "9h 9d", *acts, limits=LIMITS, options=older)
    assert at_war.refusals == [(3, "wager_locked")]
    assert play("wa", OPENING + "9h 9d", *acts, limits=LIMITS).refusals == []


@pytest.mark.clause("WA-5.7a", "WA-5.7b", "WA-5.7c")
def test_what_was_settled_and_the_war_wager_itself_are_not_found_wrong() -> None:
    side = bet("ana", 1, "tie", 1000)
    reports = [found(700, wager="war"), found(700, wager="tie")]
    played = play("wa", OPENING + "9h 9d", ANA, side, deal(), war("ana", 1), *reports, limits=LIMITS)
    assert played.refusals == [(4, "wager_locked"), (5, "wager_locked")]


@pytest.mark.clause("WA-4.10", "WA-5.2")
@pytest.mark.parametrize("is_at_war", [False, True])
def test_the_log_tells_who_reported_that_a_player_was_not_asked(is_at_war: bool) -> None:
    missed = act("report_missed_offer", player="ana", box=1, cards=4, by="dealer:dee")
    chosen = [war("ana", 1), deal(4)] if is_at_war else []
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", ANA, deal(), *chosen, missed)
    assert played.refusals == []
    assert [(event["player"], event["by"]) for event in played.events("offer_missed")] == [("ana", "dealer:dee")]


@pytest.mark.clause("WA-1.1-BURN", "WA-4.12a")
@pytest.mark.parametrize("is_at_war", [False, True])
def test_burned_cards_stay_face_down_when_a_choice_comes_late(is_at_war: bool) -> None:
    """Of the four cards that were dealt too early three lie face down, and one is a hand's."""
    missed = act("report_missed_offer", player="ana", box=1, cards=4)
    chosen = [war("ana", 1), deal(4)] if is_at_war else []
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", ANA, deal(), *chosen, missed)
    assert [event["cards"] for event in played.events("offer_missed")] == [[None, None, None, "Kh"]]


@pytest.mark.clause("WA-4.10", "WA-5.2")
def test_cards_dealt_before_a_choice_are_the_next_cards_whatever_is_chosen() -> None:
    shoe = OPENING + "9h 9d 3c 4c 5c Kh Qs"
    missed = act("report_missed_offer", player="ana", box=1, cards=4)
    fought = play("wa", shoe, ANA, deal(), missed, war("ana", 1), deal())
    assert fought.dealt() == "burn Ac, burn 2c, box 1 9h, dealer 9d, burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs"
    given_up = play("wa", shoe, ANA, deal(), missed, surrender("ana", 1), ANA, deal())
    assert (given_up.dealt(1), given_up.dealt(2)) == (
        "burn Ac, burn 2c, box 1 9h, dealer 9d",
        "box 1 3c, dealer 4c",
    )
    wrong = [act("report_missed_offer", player=who, box=box, cards=cards) for who, box, cards in REFUSED_OFFERS]
    refused = play("wa", shoe, ANA, BEN, *wrong[:1], deal(), *wrong)
    assert [reason for _, reason in refused.refusals] == ["no_decision", "no_decision", "unknown_player", "no_decision"]


REFUSED_OFFERS = [("ben", 2, 1), ("zoe", 1, 1), ("ben", 1, 1)]


@pytest.mark.clause("WA-5.8")
def test_two_players_may_each_bet_the_maximum_while_nobody_takes_them_for_partners() -> None:
    bets = [bet("ana", 1, "initial", 5000), bet("ben", 2, "initial", 5000)]
    played = play("wa", OPENING + "Kh Qh 9d", *bets, deal(), limits=LIMITS)
    assert (played.gain("ana"), played.gain("ben")) == (5000, 5000)


FLAG = act("flag_partnership", players=["ana", "ben"], by="supervisor:sam")


@pytest.mark.clause("WA-5.8")
@pytest.mark.parametrize(
    ("flags", "options"), [([FLAG], {}), ([], {"limits.linked_players": [["ana", "ben"], ["cat", "dan"]]})]
)
@pytest.mark.parametrize("scope", ["area", "layout"])
def test_partners_together_bet_no_more_than_the_maximum_of_each_kind(
    flags: list[Act], options: dict[str, object], scope: str
) -> None:
    """On one area; in the older reading also on different ones."""
    box = 1 if scope == "area" else 2
    options = {**options, "limits.partnership": scope}
    limits = {**LIMITS, "tie": {"minimum": 100, "maximum": 500, "unit": 100}}
    together = [
        bet("ana", 1, "initial", 4000),
        bet("ana", 1, "tie", 300),
        bet("ben", box, "tie", 200),
        bet("ben", box, "initial", 1000),
    ]
    beyond = [
        bet("ben", box, "initial", 500),
        bet("ben", box, "tie", 100),
        bet("ana", 1, "initial", 500),
        act("amend_wager", player="ana", box=1, wager="initial", amount=4500),
    ]
    played = play("wa", OPENING, *flags, *together, *beyond, limits=limits, options=options)
    assert [reason for _, reason in played.refusals] == ["partnership_above_maximum"] * len(beyond)
    assert all(clauses == ["WA-5.8"] for clauses in played.refusal_clauses)
    staked = {(one["player"], one["wager"]): one["amount"] for one in played.data["open"]}
    assert staked == {("ana", "initial"): 4000, ("ana", "tie"): 300, ("ben", "tie"): 200, ("ben", "initial"): 1000}


@pytest.mark.clause("WA-5.8", "WA-5.7c")
def test_a_partner_who_bets_alone_is_held_to_the_maximum_like_anybody() -> None:
    played = play("wa", OPENING + "Kh 9d", FLAG, bet("ana", 1, "initial", 9000), deal(), limits=LIMITS)
    assert played.refusals == []
    assert played.gain("ana") == 5000


@pytest.mark.clause("WA-5.8")
def test_a_partnership_is_two_players_whom_the_floor_has_named() -> None:
    flags = [
        act("flag_partnership", players=["ana"]),
        act("flag_partnership", players=["ana", "ana"]),
        act("flag_partnership", players=["ana", "zoe"]),
        act("flag_partnership", players=["ana", "ben"], by="player:cat"),
    ]
    played = play("wa", OPENING, *flags, FLAG)
    reasons = ["no_partnership", "no_partnership", "unknown_player", "not_entitled"]
    assert [reason for _, reason in played.refusals] == reasons
    flagged = [(event["players"], event["by"], event["clauses"]) for event in played.events("partnership_flagged")]
    assert flagged == [(["ana", "ben"], "supervisor:sam", ["WA-5.8"])]


@pytest.mark.clause("WA-5.8")
@pytest.mark.parametrize("groups", ["ana", ["ana", "ben"], [["ana"]], [[]], [["ana", 3]]])
def test_known_partners_are_lists_of_two_or_more_names(groups: object) -> None:
    assert load_rulebook("wa").limits.linked_players == ()
    with pytest.raises(RulebookError, match=r"wa does not allow limits\.linked_players"):
        load_rulebook("wa", {"limits.linked_players": groups})


@pytest.mark.clause("WA-6.5f-g")
def test_a_device_that_analyses_the_game_is_reported_with_who_said_so() -> None:
    reports = [
        act("report_contravention", player="ana", reason="counts cards by telephone", by=by)
        for by in ("player:ben", "dealer:dee", "supervisor:sam", "operator:olga")
    ]
    silent = act("report_contravention", player="ana", reason="", by="dealer:dee")
    nobody = act("report_contravention", player="zoe", reason="counts cards by telephone", by="dealer:dee")
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), *reports, silent, nobody, deal())
    assert played.refusals == [(2, "not_entitled"), (6, "reason_due"), (7, "unknown_player")]
    told = [(event["player"], event["reason"], event["by"]) for event in played.events("contravention_reported")]
    assert told == [
        ("ana", "counts cards by telephone", by) for by in ("dealer:dee", "supervisor:sam", "operator:olga")
    ]
    assert played.gain("ana") == 1000, "a report alone takes nothing from anybody"


def out(player: str = "ana", **fields: Any) -> Act:
    return act("void_player", player=player, **{"reason": "a hidden camera", "by": "operator:olga", **fields})


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize(
    ("options", "gain"),
    [({}, 0), ({"irreg.contravention": "refund"}, 0), ({"irreg.contravention": "forfeit"}, -1000 - 500)],
)
def test_an_offenders_wagers_go_back_or_are_forfeited_and_others_play_on(options: dict[str, str], gain: int) -> None:
    acts = [ANA, bet("ana", 1, "a_bomb", 500), bet("cat", 1, "initial", 2000), BEN, deal(4), out(), out(), deal()]
    played = play("wa", OPENING + "Ah 5d 9d", *acts, options=options)
    assert played.refusals == [(6, "no_wager")], "a void that is done twice changes nothing"
    assert (played.gain("ana"), played.gain("cat"), played.gain("ben")) == (gain, 2000, -1000)
    assert played.balances["house"] == -gain - 2000 + 1000
    ruled = [(event["player"], event["reason"], event["by"]) for event in played.events("player_voided")]
    assert ruled == [("ana", "a hidden camera", "operator:olga")]
    assert played.events("hand_voided") == [], "somebody else has a wager on the hand"


@pytest.mark.clause("WA-6.6a")
def test_the_hand_of_an_offender_alone_goes_to_the_rack_and_gets_no_further_card() -> None:
    signed = out(second="supervisor:sam")
    played = play(
        "wa", OPENING + "9h 9s 9d 3c 4c 5c Kh Qs", ANA, BEN, deal(), war("ana", 1), war("ben", 2), signed, deal()
    )
    assert played.refusals == []
    assert played.dealt().endswith("dealer 9d, burn 3c, burn 4c, burn 5c, box 2 Kh, dealer Qs")
    assert (played.gain("ana"), played.gain("ben")) == (0, 1000)
    assert [(event["box"], event["second"]) for event in played.events("hand_voided")] == [(1, "supervisor:sam")]


@pytest.mark.clause("WA-6.6a")
def test_a_contravention_found_when_a_result_is_known_takes_two_and_in_the_older_reading_an_open_wager() -> None:
    older = {"irreg.contravention_scope": "open"}
    acts = [ANA, BEN, deal(), out(), out("ben", second="supervisor:sam")]
    played = play("wa", OPENING + "9h Kh 9d", *acts, options=older)
    assert played.refusals == [(3, "second_signature_due"), (4, "no_wager")]
    assert (played.gain("ana"), played.gain("ben")) == (-1000, 1000)
    unknown = play("wa", OPENING, out("zoe"), out())
    assert [reason for _, reason in unknown.refusals] == ["unknown_player", "no_wager"]


def banned(player: str = "ana", **fields: Any) -> Act:
    return act("exclude_player", player=player, **{"reason": "marked cards", "by": "operator:olga", **fields})


@pytest.mark.clause("WA-6.6b")
def test_an_excluded_player_bets_and_sits_no_more_and_what_is_in_play_is_played_out() -> None:
    acts = [
        ANA,
        BEN,
        deal(3),
        banned(),
        deal(),
        ANA,
        bet("ana", 2, "tie", 500),
        act("seat_player", player="ana", box=3),
    ]
    played = play("wa", OPENING + "Kh 5d 9d", *acts)
    assert [reason for _, reason in played.refusals] == ["player_excluded"] * 3
    assert all(clauses == ["WA-6.6b"] for clauses in played.refusal_clauses)
    assert played.gain("ana") == 1000
    assert [(event["player"], event["boxes"]) for event in played.events("seat_vacated")] == [("ana", [1])]
    told = [(event["player"], event["reason"], event["by"]) for event in played.events("player_excluded")]
    assert told == [("ana", "marked cards", "operator:olga")]


@pytest.mark.clause("WA-6.6b")
def test_a_player_is_excluded_once_and_is_at_the_table_to_begin_with() -> None:
    played = play("wa", OPENING, banned("zoe"), ANA, bet("ana", 1, "tie", 500), banned(), banned())
    assert played.refusals == [(0, "unknown_player"), (4, "player_excluded")]
    assert unchanged(played), "what lay there before the first card goes back"


@pytest.mark.clause("WA-6.6a", "WA-6.6b")
def test_a_player_may_be_voided_and_excluded_for_the_same_thing() -> None:
    played = play("wa", OPENING + "8h 9d", ANA, deal(3), out(), banned(), ANA)
    assert played.refusals == [(4, "player_excluded")]
    assert unchanged(played)


def ruling(action: str, **fields: Any) -> Act:
    return act("rule", action=action, **{"reason": "seen on camera", **fields})


@pytest.mark.clause("WA-6.11")
def test_the_operator_has_the_last_word_and_the_log_has_all_that_a_review_needs() -> None:
    played = play("wa", OPENING + "8h 9d", ANA, deal(), ruling("stand"), ruling("stand", by="operator:olga"))
    given = played.events("ruling_given")
    assert [(event["action"], event["by"]) for event in given] == [("stand", "operator"), ("stand", "operator:olga")]
    assert all((event["reason"], event["clauses"]) == ("seen on camera", ["WA-6.11"]) for event in given)
    assert played.gain("ana") == -1000


@pytest.mark.clause("WA-6.11")
@pytest.mark.parametrize(
    ("ruled", "reason"),
    [
        (ruling("stand", reason=""), "reason_due"),
        (ruling("stand", by="player:ana"), "not_entitled"),
        (ruling("stand", by="dealer:dee"), "not_entitled"),
        (ruling("reconstruct"), "no_incident"),
        (ruling("void_hand", box=3), "no_hand"),
        (ruling("void_hand", box=1, by="operator:olga"), "second_signature_due"),
        (ruling("void_round", by="operator:olga", second="supervisor:olga"), "same_person"),
    ],
)
def test_a_ruling_has_its_reason_its_people_and_something_to_rule_on(ruled: Act, reason: str) -> None:
    played = play("wa", OPENING + "9h 9d", ANA, deal(), ruled)
    assert played.refusals == [(2, reason)]
    assert [one["amount"] for one in played.data["open"]] == [1000]


@pytest.mark.clause("WA-6.11")
def test_a_ruling_may_void_a_hand_or_the_round_or_order_a_shuffle() -> None:
    two = {"by": "operator:olga", "second": "supervisor:sam"}
    hand = play("wa", OPENING + "9h 8d 9d", ANA, BEN, deal(), ruling("void_hand", box=1, **two), deal())
    assert (hand.gain("ana"), hand.gain("ben")) == (0, -1000)
    round_ = play("wa", OPENING + "9h 8d 9d", ANA, BEN, deal(), ruling("void_round", **two))
    assert unchanged(round_)
    again = [ANA, deal()]
    shuffled = play("wa", OPENING + "Kh 9d 3c 4c", *again, ruling("reshuffle"), *again, later=("As 2s Jh 7d",))
    assert shuffled.dealt(2) == "burn As, burn 2s, box 1 Jh, dealer 7d"


@pytest.mark.clause("WA-5.3")
@pytest.mark.parametrize(
    "ending",
    [
        act("invalidate_round", cause="fire"),
        act("void_hand", box=1, reason="cannot be rebuilt"),
        act("void_player", player="ana", reason="a device"),
        ruling("void_round"),
    ],
    ids=lambda ending: str(ending["do"]),
)
def test_an_exposed_card_is_burned_at_the_end_of_a_round_that_comes_to_nothing(ending: Act) -> None:
    seen = act("report_extra_draw", exposed=True)
    played = play("wa", OPENING + "9h 9d 3c Kh Qs", ANA, deal(), seen, ending, ANA, deal())
    assert played.refusals == []
    assert played.dealt(2) == "box 1 Kh, dealer Qs"
    assert "discard 3c" in played.dealt(1)
    assert played.gain("ana") == 1000
