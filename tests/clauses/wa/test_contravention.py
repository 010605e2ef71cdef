"""WA rule 6.6(a): an offender's wagers of the round are void, those that were paid or taken too (AMB-51, AMB-67)."""

from typing import Any

import pytest

from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

OPENING = "Ac 2c "
SIDES = [bet("ana", 1, kind, 500) for kind in ("tie", "a_bomb", "perfect_pairs")]
ANA, BEN = bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000)
FORFEIT = {"irreg.contravention": "forfeit"}


def out(player: str = "ana", **fields: Any) -> Act:
    signed = {"by": "operator:olga", "second": "supervisor:sam"}
    return act("void_player", player=player, **{"reason": "marked cards", **signed, **fields})


def outcomes(played: Played, player: str) -> dict[str, tuple[str, int]]:
    return {line[2]: (line[3], line[4]) for line in played.settlements() if line[0] == player}


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize("card", ["Kh", "8h"])
def test_after_payment_winnings_are_taken_back_and_lost_stakes_go_back(card: str) -> None:
    played = play("wa", f"{OPENING} {card} Kd 9d", ANA, *SIDES, BEN, deal(), out())
    assert played.refusals == []
    assert played.gain("ana") == 0
    assert played.gain("ben") == 1000, "nobody else is touched"
    assert played.balances["house"] == -1000
    assert set(outcomes(played, "ana").values()) == {("void", 0)}
    assert {clause for line in played.data["rounds"][0]["settlements"][-4:] for clause in line["clauses"]} >= {
        "WA-6.6a"
    }


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize(
    ("card", "lost"),
    [
        # The winner of 1,000 gives up the winnings and the stake; the sides were lost anyway.
        ("Kh", 1000 + 3 * 500),
        # Ace: the A Bomb had won as well.
        ("Ah", 1000 + 3 * 500),
        ("8h", 1000 + 3 * 500),
    ],
)
def test_where_they_are_forfeit_winnings_are_taken_back_and_stakes_kept(card: str, lost: int) -> None:
    played = play("wa", f"{OPENING} {card} Kd 9d", ANA, *SIDES, BEN, deal(), out(), options=FORFEIT)
    is_nothing_to_take = card == "8h"
    assert played.refusals == ([(6, "no_wager")] if is_nothing_to_take else [])
    assert played.gain("ana") == -lost
    assert played.balances["house"] == lost - 1000
    assert set(outcomes(played, "ana").values()) == {("lose", -1000), ("lose", -500)}


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize(
    ("options", "gain"), [({}, 0), (FORFEIT, -2000), ({"irreg.contravention_scope": "open"}, 1000)]
)
def test_a_won_war_is_void_as_well(options: dict[str, str], gain: int) -> None:
    """1,000 on each: the war wager is paid 1:1 and the first is a standoff."""
    acts = [ANA, deal(), war("ana", 1), deal(), out()]
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts, options=options)
    assert played.gain("ana") == gain
    assert played.refusals == ([(4, "no_wager")] if gain == 1000 else [])


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize(("options", "gain"), [({}, 0), (FORFEIT, -1000)])
def test_so_is_a_surrender(options: dict[str, str], gain: int) -> None:
    played = play("wa", OPENING + "9h 9d", ANA, deal(), surrender("ana", 1), out(), options=options)
    assert (played.refusals, played.gain("ana")) == ([], gain)


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize(
    ("options", "gain"), [({}, 0), (FORFEIT, -1000 - 500), ({"irreg.contravention_scope": "open"}, 5000)]
)
def test_in_the_middle_of_the_round_what_was_settled_goes_with_what_is_open(options: dict[str, str], gain: int) -> None:
    """The tie was paid 10 to 1 before the war; the war deal is on."""
    acts = [ANA, bet("ana", 1, "tie", 500), bet("ben", 1, "initial", 1000), deal(), war("ana", 1), war("ben", 1)]
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts, deal(2), out(), deal(), options=options)
    assert played.refusals == []
    assert played.gain("ana") == gain - (1000 if options == FORFEIT else 0)
    assert played.gain("ben") == 1000


@pytest.mark.clause("WA-6.6a")
def test_it_ends_with_the_first_wager_of_the_next_round() -> None:
    acts = [ANA, BEN, deal(), bet("ben", 2, "initial", 1000), out(), act("withdraw_wager", player="ben", box=2)]
    acts[-1]["wager"] = "initial"
    played = play("wa", OPENING + "Kh Kd 9d", *acts, out())
    assert played.refusals == [(4, "no_wager"), (6, "no_wager")]
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-6.6a")
def test_it_is_done_once_and_takes_two_after_a_result() -> None:
    alone = act("void_player", player="ana", reason="marked cards", by="operator:olga")
    acts = [out(), ANA, out(), deal(), alone, out("ben"), out(), out()]
    played = play("wa", OPENING + "Kh 9d", *acts)
    reasons = ["no_wager", "no_wager", "second_signature_due", "no_wager", "no_wager"]
    assert [reason for _, reason in played.refusals] == reasons
    assert [event["number"] for event in played.events("round_amended")] == [1]
    assert len(played.data["rounds"]) == 1


@pytest.mark.clause("WA-6.6a")
def test_chips_that_are_gone_cannot_be_taken() -> None:
    """Ana has doubled 100,000 and carried 150,000 away; 100,000 of winnings are to be taken back."""
    stake = bet("ana", 1, "initial", 100_000)
    limits = {"minimum": 500, "maximum": 100_000, "unit": 500}
    cashed = act("cash_out", player="ana", amount=150_000)
    played = play("wa", OPENING + "Kh 9d", stake, deal(), cashed, out(), limits=limits)
    assert played.refusals == [(3, "chips_gone")]
    assert played.balances["ana"] == 50_000
    lost = play("wa", OPENING + "8h 9d", stake, deal(), out(), limits=limits)
    assert (lost.refusals, lost.gain("ana")) == ([], 0), "who has nothing left gets a lost stake back"


@pytest.mark.clause("WA-6.6a")
def test_the_next_round_is_dealt_as_if_nothing_had_been() -> None:
    played = play("wa", OPENING + "Kh 9d Qh 8d", ANA, deal(), out(), BEN, deal())
    assert played.dealt(2) == "box 2 Qh, dealer 8d"
    assert (played.gain("ana"), played.gain("ben")) == (0, 1000)


@pytest.mark.clause("NZ-9.4-iii", "WA-5.4-ii")
@pytest.mark.parametrize("book", ["nz", "wa"])
def test_an_error_of_the_dealers_still_leaves_paid_wagers_paid(book: str) -> None:
    shoe = {"nz": "2c ", "wa": OPENING}[book]
    void = act("void_hand", box=1, reason="cannot be rebuilt", by="operator:olga", second="supervisor:sam")
    acts = [ANA, bet("ana", 1, "tie", 500), deal(), war("ana", 1), void]
    played = play(book, shoe + "9h 9d", *acts)
    assert played.refusals == []
    assert played.gain("ana") == 10 * 500
