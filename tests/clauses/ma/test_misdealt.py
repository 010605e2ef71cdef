"""Massachusetts, section 10(a): cards delivered wrongly, players let out of the hand, voids and rulings."""

from typing import Any

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
THREE = [ANA, bet("ben", 2, "initial", 1000), bet("cat", 3, "initial", 1000)]
PROGRESSIVE = {"wager.progressive": True}
METER = 2_000_000


def wrong(box: int, action: str = "forward") -> Act:
    return act("report_misdelivered", box=box, action=action, by="dealer:dee")


def release(*players: str, **signed: str) -> Act:
    return act("release_players", players=list(players), **signed)


@pytest.mark.clause("MA-10a-i", "MA-10a-ii")
@pytest.mark.parametrize(
    ("action", "dealt"),
    [
        ("forward", "burn 2c, box 1 Kh, box 3 5d, box 2 Qd, dealer 9s"),
        ("dealer_next", "burn 2c, box 1 Kh, dealer 5d, box 2 Qd, box 3 9s"),
        ("burn", "burn 2c, box 1 Kh, discard 5d, box 2 Qd, box 3 9s, dealer 7h"),
    ],
)
def test_a_card_delivered_wrongly_goes_on_to_the_next_hand_to_the_dealer_or_out(action: str, dealt: str) -> None:
    """The five lay on box 2; box 2 gets the next card of the shoe instead."""
    played = play("ma", "2c Kh 5d Qd 9s 7h", *THREE, deal(3), wrong(2, action), deal())
    assert played.refusals == []
    assert played.dealt() == dealt
    (moved,) = played.events("card_moved")
    assert (moved["by"], moved["clauses"]) == ("dealer:dee", ["MA-10a-ii"])


@pytest.mark.clause("MA-10a-i")
@pytest.mark.parametrize("cards", [2, 3, 4])
@pytest.mark.parametrize("action", ["forward", "dealer_next", "burn"])
def test_it_never_goes_backwards(cards: int, action: str) -> None:
    """After each card of the deal: the hands already served keep their own, and only later ones can get this one."""
    shoe = "2c Kh 5d Qd 9s 7h"
    box = cards - 1
    played = play("ma", shoe, *THREE, deal(cards), wrong(box, action))
    (moved,) = played.events("card_moved")
    assert moved["to"] in {"forward": (box + 1, 0), "dealer_next": (0,), "burn": (-1,)}[action]
    assert moved["to"] <= 0 or moved["to"] > box
    hands = played.replayed.table.round.hands
    assert [hands[at] for at in range(1, box)] == [(card,) for card in shoe.split()[1:box]]
    assert box not in hands


@pytest.mark.clause("MA-10a-i")
def test_nothing_is_put_back_where_it_would_have_lain() -> None:
    moves = [{"from": "box 2", "to": "box 1"}]
    played = play("ma", "2c Kh 5d Qd 9s", *THREE, deal(3), act("reconstruct", moves=moves), deal())
    assert played.refusals == [(4, "not_in_the_book")]
    assert played.refusal_clauses == [["MA-10a-i"]]
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 5d, box 3 Qd, dealer 9s"


@pytest.mark.clause("MA-10a-i", "MA-10a-ii")
def test_only_the_card_just_dealt_can_move() -> None:
    """Not an earlier one, not one of an empty box, not one that has moved, and none after the dealer's."""
    acts = [*THREE, deal(1), wrong(1), deal(2), wrong(1), wrong(4), wrong(2, "burn"), wrong(2), deal(3), wrong(3)]
    played = play("ma", "2c Kh 5d Qd 9s 7h", *acts)
    assert played.refusals == [(number, "not_the_last_card") for number in (4, 6, 7, 9, 11)]
    assert played.refusal_clauses == [["MA-10a-i"]] * 5


@pytest.mark.clause("MA-10a-ii")
def test_a_war_card_too_goes_forward() -> None:
    acts = [*THREE[:2], deal(), war("ana", 1), war("ben", 2), deal(4), wrong(1), deal()]
    played = play("ma", "2c Kh Ks Kd 3c 4c 5c Ah 8d 9d", *acts)
    assert played.dealt() == (
        "burn 2c, box 1 Kh, box 2 Ks, dealer Kd, burn 3c, burn 4c, burn 5c, box 2 Ah, box 1 8d, dealer 9d"
    )
    assert (played.gain("ana"), played.gain("ben")) == (-2000, 1000)


@pytest.mark.clause("MA-10a-iii")
@pytest.mark.parametrize(("players", "dealt"), [(["ana"], "box 3 Qd, dealer 9s"), (["ana", "cat"], "dealer Qd")])
def test_the_house_may_let_players_out_of_the_hand_after_such_an_error(players: list[str], dealt: str) -> None:
    """Their wagers go back, and what they fed the meter too; the others play on."""
    wagers = [*THREE, *(bet(player, box, "progressive", 500) for player, box in (("ana", 1), ("ben", 2), ("cat", 3)))]
    acts = [*wagers, deal(2), wrong(1), release(*players, by="operator:oz"), deal()]
    played = play("ma", "2c Kh Qd 9s", *acts, options=PROGRESSIVE, meter=METER)
    assert played.refusals == []
    assert played.dealt() == f"burn 2c, box 2 Kh, {dealt}"
    assert [played.gain(player) for player in players] == [0] * len(players)
    assert played.gain("ben") == 1000 - 500
    assert played.data["meter"] == METER + 50 * (3 - len(players))
    told = [(one["player"], one["by"], one["clauses"]) for one in played.events("player_voided")]
    assert told == [(player, "operator:oz", ["MA-10a-iii"]) for player in players]


@pytest.mark.clause("MA-10a-iii")
def test_with_everybody_let_out_the_round_is_void() -> None:
    played = play("ma", "2c Kh Qd 9s", *THREE[:2], deal(2), wrong(1), release("ana", "ben"), ANA, deal())
    assert played.settlements(1) == [("ana", 1, "initial", "void", 0), ("ben", 2, "initial", "void", 0)]
    assert played.dealt(2) == "box 1 Qd, dealer 9s"


@pytest.mark.clause("MA-10a-iii")
def test_without_such_an_error_nobody_is_let_out() -> None:
    """Not before one, not after one of another kind, and not for one of an earlier round."""
    other = act("report_face_up_card")
    acts = [*THREE[:2], release("ana"), deal(2), release("ana"), other, release("ana"), deal(1), wrong(2, "burn")]
    played = play("ma", "2c Kh 3d Qd 9s 8h 7h 6h", *acts, deal(), ANA, deal(1), release("ana"))
    assert played.refusals == [(number, "no_dealer_error") for number in (2, 4, 6, 12)]
    assert played.refusal_clauses == [["MA-10a-iii"]] * 4


@pytest.mark.clause("MA-10a-iii")
def test_letting_out_is_the_licensees_and_takes_two_when_the_dealers_card_is_known() -> None:
    before = [*THREE[:2], deal(2), wrong(1, "dealer_next"), deal(1)]
    attempts = [
        release("ana", by="player:ana"),
        release("ana", by="dealer:dee"),
        release("ana", by="supervisor:sue"),
        release("ana", by="operator:oz"),
        release("ana", by="supervisor:oz", second="operator:oz"),
        release("dan", by="supervisor:sue", second="operator:oz"),
        release("ana", by="supervisor:sue", second="operator:oz"),
    ]
    played = play("ma", "2c Kh Qd 9s", *before, *attempts)
    reasons = [*["not_entitled"] * 3, "second_signature_due", "same_person", "no_wager"]
    assert [reason for _, reason in played.refusals] == reasons
    (told,) = played.events("player_voided")
    assert (told["by"], told["second"]) == ("supervisor:sue", "operator:oz")


WAR = [
    ANA,
    bet("ana", 1, "tie", 500),
    bet("ana", 1, "progressive", 500),
    THREE[1],
    deal(),
    war("ana", 1),
    war("ben", 2),
    bet("ana", 1, "war_tie", 500),
    deal(4),
]
AT_WAR = "2c Kh Ks Kd 3c 4c 5c Ah 8d 9d"


def voided(options: dict[str, Any], **more: Any) -> Played:
    """Ana's hand is void in the middle of the war; Ben's war card is the eight, the dealer's the nine."""
    void = act("void_hand", box=1, reason="wrong card", by="supervisor:sue", second="operator:oz", **more)
    played = play("ma", AT_WAR, *WAR, void, deal(), options={**PROGRESSIVE, **options}, meter=METER)
    assert played.refusals == []
    assert played.gain("ben") == -2000
    assert played.data["meter"] == METER
    return played


@pytest.mark.clause("MA-10a-iii", "MA-10d")
@pytest.mark.parametrize("options", [{}, {"irreg.void_scope": "open"}])
def test_a_hand_void_in_the_war_gives_back_what_is_open_and_keeps_what_was_decided(options: dict[str, Any]) -> None:
    """AMB-67: the tie on the first cards was won and paid, 10 to 1, and stands."""
    played = voided(options)
    anas = {wager: (outcome, net) for who, _, wager, outcome, net in played.settlements() if who == "ana"}
    assert anas == {
        "initial": ("void", 0),
        "war": ("void", 0),
        "war_tie": ("void", 0),
        "progressive": ("void", 0),
        "tie": ("win", 5000),
    }
    assert played.gain("ana") == 5000


@pytest.mark.clause("MA-10a-iii", "MA-10d")
@pytest.mark.parametrize(("options", "more"), [({"irreg.void_scope": "all"}, {}), ({}, {"decided": True})])
def test_or_gives_back_everything_where_the_house_or_the_supervisor_has_it_so(
    options: dict[str, Any], more: dict[str, Any]
) -> None:
    played = voided(options, **more)
    assert {outcome for who, _, _, outcome, _ in played.settlements() if who == "ana"} == {"void"}
    assert played.gain("ana") == 0


@pytest.mark.clause("MA-10a-iii", "MA-10d")
def test_how_much_a_void_reaches_is_a_choice_of_two() -> None:
    with pytest.raises(RulebookError, match=r"irreg\.void_scope = none \(MA-10a-iii, MA-10d\): allowed open, all"):
        load_rulebook("ma", {"irreg.void_scope": "none"})


@pytest.mark.clause("MA-10a-iii")
def test_a_void_is_the_floors_and_takes_a_second_person_once_the_dealers_card_is_out() -> None:
    def void(**signed: str) -> Act:
        return act("void_hand", box=1, reason="dispute", **signed)

    alone = play("ma", "2c Kh 5d 9s", *THREE[:2], deal(2), void(by="dealer:dee"), void(by="supervisor:sue"), deal())
    assert alone.refusals == [(3, "not_entitled")]
    assert alone.dealt() == "burn 2c, box 1 Kh, box 2 5d, dealer 9s"
    assert alone.gain("ana") == 0
    attempts = [
        void(by="player:ana", second="supervisor:sue"),
        void(by="supervisor:sue"),
        void(by="supervisor:sue", second="supervisor:sue"),
        void(by="supervisor:sue", second="dealer:dee"),
        void(by="supervisor:sue", second="operator:oz"),
        void(by="supervisor:sue", second="operator:oz"),
    ]
    played = play("ma", "2c Kh 5d 9s", *THREE[:2], deal(4), *attempts, deal())
    assert [reason for _, reason in played.refusals] == [
        "not_entitled",
        "second_signature_due",
        "same_person",
        "not_entitled",
        "no_hand",
    ]
    assert played.settlements() == [("ana", 1, "initial", "void", 0), ("ben", 2, "initial", "lose", -1000)]


JACKPOT = [ANA, bet("ana", 1, "progressive", 500), deal(), war("ana", 1), deal()]
FOUR_KINGS = "2c Kh Kh 3c 4c 5c Kh Kh 9h 8d"
VOID = act("void_round", reason="wrong cards", by="supervisor:sue", second="operator:oz")


@pytest.mark.clause("MA-11b", "MA-11-T1")
def test_a_round_void_after_its_jackpot_puts_the_meter_back_and_only_once() -> None:
    """500 at 1,000 to 1, and the meter with 50 of the wager on it; then all of it is undone."""
    paid = play("ma", FOUR_KINGS, *JACKPOT, options=PROGRESSIVE, meter=METER)
    assert paid.line("ana", "progressive")["paid"] == 500 * 1000 + METER + 50
    assert paid.data["meter"] == 1_000_000
    attempts = [{**VOID, "second": "supervisor:sue"}, {key: VOID[key] for key in ("do", "reason", "by")}, VOID, VOID]
    undone = play("ma", FOUR_KINGS, *JACKPOT, *attempts, options=PROGRESSIVE, meter=METER)
    assert undone.refusals == [(5, "same_person"), (6, "second_signature_due"), (8, "no_round")]
    assert (undone.gain("ana"), undone.balances["house"], undone.data["meter"]) == (0, 0, METER)
    assert {line[3] for line in undone.settlements()} == {"void"}


@pytest.mark.clause("MA-10a-iii")
def test_with_the_next_rounds_first_wager_the_round_before_stands() -> None:
    played = play("ma", "2c Kh 9d Qh Jd", ANA, deal(), ANA, VOID, deal())
    assert played.refusals == [(3, "no_round")]
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("MA-10a-iii")
def test_the_last_word_is_the_licensees_and_says_why() -> None:
    ruling = act("rule", action="stand", reason="the deal was right")
    attempts = [{**ruling, "by": "dealer:dee"}, {**ruling, "by": "player:ana"}, {**ruling, "reason": ""}, ruling]
    played = play("ma", "2c Kh 9d", ANA, deal(2), *attempts, deal())
    assert [reason for _, reason in played.refusals] == ["not_entitled", "not_entitled", "reason_due"]
    (given,) = played.events("ruling_given")
    assert (given["by"], given["reason"], given["clauses"]) == ("licensee", "the deal was right", [])
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-10a-iii")
@pytest.mark.parametrize("action", ["void_hand", "void_round"])
def test_a_ruling_that_voids_what_is_known_takes_two(action: str) -> None:
    ruling = act("rule", action=action, reason="the card was bent", box=1, by="supervisor:sue")
    acts = [ANA, deal(), ruling, {**ruling, "second": "operator:oz"}]
    played = play("ma", "2c Kh Kd", *acts)
    assert played.refusals == [(2, "second_signature_due")]
    assert played.refusal_clauses == [[]]
    assert played.settlements() == [("ana", 1, "initial", "void", 0)]
    assert played.gain("ana") == 0
    reshuffle = act("rule", action="reshuffle", reason="bent cards", by="supervisor:sue")
    after = play("ma", "2c Kh Kd 9d", ANA, deal(), surrender("ana", 1), reshuffle, ANA, deal(), later=("3c Qh Jd",))
    assert after.dealt(2) == "burn 3c, box 1 Qh, dealer Jd"
