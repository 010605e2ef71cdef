"""WA rules 4.2, 4.6 and 4.7: the opening burn, and the card that may be burned each round."""

from typing import Any

import pytest

from casinowar.records import RecordError
from tests.support.rounds import act, bet, deal, play

ROUND = [bet("ana", 1, "initial", 1000), deal()]
VALUES = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10}


@pytest.mark.clause("WA-4.6b", "WA-4.7")
@pytest.mark.parametrize(("rank", "value"), VALUES.items())
def test_as_many_cards_are_burned_as_the_first_card_is_worth(rank: str, value: int) -> None:
    played = play("wa", f"{rank}c {'xx ' * value} Kh 9d", *ROUND)
    burns = ["opening", *["opening_value"] * value]
    assert [burned["burn"] for burned in played.events("card_burned")] == burns
    assert played.dealt() == f"burn {rank}c, {'burn xx, ' * value}box 1 Kh, dealer 9d"
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-4.6", "WA-4.6a", "WA-4.6b", "WA-4.6c")
def test_the_first_card_is_open_and_all_go_to_the_rack() -> None:
    played = play("wa", "3c 4c 5c 6c Kh 9d", *ROUND)
    burned = [(one["card"], one["more"], one["beside_dealer"]) for one in played.events("card_burned")]
    assert burned == [("3c", 3, False), *[(None, 0, False)] * 3]
    nowhere = -1
    assert played.replayed.table.rack[:4] == ((nowhere, ("3c",)), *[(nowhere, (None,))] * 3)


@pytest.mark.clause("WA-4.6a")
def test_a_first_card_that_nobody_saw_cannot_be_the_open_one() -> None:
    played = play("wa", "xx 4c Kh 9d", *ROUND)
    assert played.refusals == [(1, "card_unseen")]
    assert played.data["rounds"] == []


@pytest.mark.clause("WA-4.6")
def test_every_shuffle_is_followed_by_an_opening_burn_and_no_round_in_between() -> None:
    shoe, later = "Ac 2c Kh 9d Qh cut 8d", ("2s 3c 4c Jh 7d",)
    played = play("wa", shoe, *ROUND, *ROUND, *ROUND, later=later)
    assert played.dealt(1) == "burn Ac, burn 2c, box 1 Kh, dealer 9d"
    assert played.dealt(2) == "box 1 Qh, dealer 8d"
    assert played.dealt(3) == "burn 2s, burn 3c, burn 4c, box 1 Jh, dealer 7d"


@pytest.mark.clause("WA-4.6")
def test_a_new_dealer_burns_nothing() -> None:
    played = play("wa", "Ac 2c Kh 9d Qh 8d", *ROUND, act("change_dealer", dealer="dora"), *ROUND)
    assert played.dealt(2) == "box 1 Qh, dealer 8d"


@pytest.mark.clause("WA-4.2-i", "WA-4.2-ii")
@pytest.mark.parametrize("options", [{}, {"shoe.round_burn": 0}])
def test_no_card_is_burned_for_a_round_unless_the_operator_decides_so(options: dict[str, int]) -> None:
    played = play("wa", "Ac 2c Kh 9d Qh 8d", *ROUND, *ROUND, options=options)
    assert [burned["burn"] for burned in played.events("card_burned")] == ["opening", "opening_value"]
    assert played.dealt(2) == "box 1 Qh, dealer 8d"


@pytest.mark.clause("WA-4.2-i", "WA-4.2-ii")
def test_the_operator_may_have_a_card_burned_to_the_rack_for_each_round() -> None:
    played = play("wa", "Ac 2c 3c Kh 9d 3d Qh 8d", *ROUND, *ROUND, options={"shoe.round_burn": 1})
    assert played.dealt(1) == "burn Ac, burn 2c, burn 3c, box 1 Kh, dealer 9d"
    assert played.dealt(2) == "burn 3d, box 1 Qh, dealer 8d"
    each = [burned for burned in played.events("card_burned") if burned["burn"] == "round"]
    assert [(one["card"], one["beside_dealer"]) for one in each] == [(None, False)] * 2
    nowhere = -1
    assert played.replayed.table.rack.count((nowhere, (None,))) == 3


@pytest.mark.clause("WA-4.2-iii")
@pytest.mark.parametrize("burn", [0, 1])
def test_the_decision_stands_over_shuffles_and_new_dealers(burn: int) -> None:
    first, later = " ".join(["Ac 2c", "xx " * burn, "Kh cut 9d"]), " ".join(["As 3c", "xx " * burn, "Qh 8d"])
    between = [act("change_dealer", dealer="dora"), act("replace_cards")]
    played = play("wa", first, *ROUND, *between, *ROUND, later=(later,), options={"shoe.round_burn": burn})
    rounds = [played.dealt(number).split(", ") for number in (1, 2)]
    assert [len(cards) for cards in rounds] == [4 + burn, 4 + burn]


@pytest.mark.clause("WA-4.2-iii")
@pytest.mark.parametrize(
    "change",
    [
        {"do": "deal", "options": {"shoe.round_burn": 1}},
        {"do": "change_dealer", "dealer": "dora", "round_burn": 1},
        {"do": "set_option", "key": "shoe.round_burn", "value": 1},
    ],
)
def test_no_act_varies_the_decision_at_an_open_table(change: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match=r"^acts\[2\]"):
        play("wa", "Ac 2c Kh 9d", *ROUND, change)
