"""Massachusetts, section 11: the progressive's lines, its meter and the envy pays, under each of their readings."""

from typing import Any

import pytest

from casinowar.records import RecordError
from casinowar.rulebooks import SILENT, RulebookError, load_rulebook
from tests.support.rounds import PLAYERS, Played, bet, deal, play, surrender, war

ON = {"wager.progressive": True}
METER = 2_500_000
IDENTICAL = "Kh Kh Kh Kh"
LINES = {
    "suited_four_of_a_kind": IDENTICAL,
    "suited_double_tie": "Kh Kh 7c 7c",
    "four_of_a_kind": "Kh Kd Kc Ks",
    "double_tie": "Kh Kd 7c 7d",
    "suited_tie": "Kh Kh 7c 8c",
    "tie": "Kh Kd 7c 8c",
}
"""For each line first and second card of the player and the dealer: mine, the dealer's, mine, the dealer's."""


def fought(cards: str, stake: int = 1000, options: dict[str, Any] | None = None, meter: int = METER) -> Played:
    """A war with these first and second cards, and a progressive wager of this stake."""
    mine, dealers, second, dealers_second = cards.split()
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", stake), deal(), war("ana", 1), deal()]
    shoe = f"2c {mine} {dealers} 3c 4c 5c {second} {dealers_second}"
    return play("ma", shoe, *acts, options={**ON, **(options or {})}, meter=meter)


def paid(played: Played, player: str = "ana") -> list[tuple[str, int]]:
    """What the progressive was paid, part by part."""
    items = played.line(player, "progressive").get("items", [])
    return [(item["item"], item["amount"]) for item in items]


@pytest.mark.parametrize(
    ("line", "odds"),
    [
        pytest.param("suited_double_tie", 200, marks=pytest.mark.clause("MA-11-T2")),
        pytest.param("four_of_a_kind", 150, marks=pytest.mark.clause("MA-11-T3")),
        pytest.param("double_tie", 30, marks=pytest.mark.clause("MA-11-T4")),
        pytest.param("suited_tie", 15, marks=pytest.mark.clause("MA-11-T5")),
        pytest.param("tie", 5, marks=pytest.mark.clause("MA-11-T6")),
    ],
)
@pytest.mark.parametrize("stake", [500, 1500])
def test_a_line_pays_its_odds_and_keeps_the_wager(line: str, odds: int, stake: int) -> None:
    played = fought(LINES[line], stake)
    told = played.line("ana", "progressive")
    assert (told["outcome"], told["odds"], told["paid"], told["returned"]) == ("win", f"{odds}:1", odds * stake, 0)
    assert told["net"] == odds * stake - stake
    assert played.data["meter"] == METER + stake // 10


@pytest.mark.clause("MA-11-T1", "MA-11b", "MA-11c")
@pytest.mark.parametrize("stake", [500, 1500])
def test_four_identical_cards_win_the_whole_meter_and_a_thousand_to_one(stake: int) -> None:
    """AMB-42: all of the meter whatever was staked, with this round's ten in a hundred already on it."""
    played = fought(IDENTICAL, stake)
    told = played.line("ana", "progressive")
    meter = METER + stake // 10
    assert (told["outcome"], told["odds"]) == ("win", "1000:1")
    assert (told["paid"], told["returned"]) == (1000 * stake + meter, 0)
    assert played.gain("ana") == 2 * 1000 + 1000 * stake + meter - stake
    assert played.data["meter"] == 1_000_000
    assert [(one["amount"], one["seed"]) for one in played.events("meter_paid")] == [(meter, 1_000_000)]


@pytest.mark.clause("MA-11c", "MA-11-T1")
def test_what_was_paid_is_told_part_by_part() -> None:
    assert paid(fought(IDENTICAL, 500)) == [("odds", 1000 * 500), ("meter", METER + 50)]
    assert paid(fought(LINES["double_tie"], 500)) == [("odds", 30 * 500)]


@pytest.mark.clause("MA-11a")
@pytest.mark.parametrize(("first", "net"), [("Kh", 1000), ("2h", -1000)])
def test_without_a_tie_the_wager_is_lost(first: str, net: int) -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500), deal()]
    played = play("ma", f"2c {first} 9h", *acts, options=ON)
    told = played.line("ana", "progressive")
    assert (told["outcome"], told["odds"], told["paid"], told["returned"]) == ("lose", None, 0, 0)
    assert played.gain("ana") == net - 500


@pytest.mark.clause("MA-11a")
def test_the_book_has_a_wager_without_a_line_lost() -> None:
    assert load_rulebook("ma", ON).cells["progressive", "on_loss"].outcome == "lose"


@pytest.mark.clause("MA-11-T5", "MA-11-T6")
@pytest.mark.parametrize(("seconds", "initial"), [("Ah 8c", 0), ("2h 8c", -1000)])
def test_a_lost_or_won_war_changes_nothing_for_a_first_deal_tied(seconds: str, initial: int) -> None:
    played = fought(f"Kh Kh {seconds}", 500)
    assert played.line("ana", "initial")["net"] == initial
    assert played.line("ana", "progressive")["paid"] == 15 * 500


@pytest.mark.clause("MA-11-T6", "MA-11-T5")
@pytest.mark.parametrize(
    ("options", "is_evaluated"),
    [({}, True), ({"progressive.on_surrender": "first_cards"}, True), ({"progressive.on_surrender": "lost"}, False)],
)
@pytest.mark.parametrize(("dealers", "odds"), [("9d", 5), ("9h", 15)])
def test_a_surrendered_hand_is_evaluated_on_its_first_cards(
    options: dict[str, Any], is_evaluated: bool, dealers: str, odds: int
) -> None:
    """AMB-41: or, by the other reading, lost."""
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500), deal(), surrender("ana", 1)]
    played = play("ma", f"2c 9h {dealers}", *acts, options={**ON, **options}, meter=METER)
    assert played.line("ana", "progressive")["paid"] == (odds * 500 if is_evaluated else 0)
    assert played.gain("ana") == -500 - 500 + (odds * 500 if is_evaluated else 0)
    assert played.data["meter"] == METER + 50


@pytest.mark.clause("MA-11-T6")
def test_a_surrendered_hand_has_no_part_in_the_war_of_others() -> None:
    """Ana surrenders nines; Ben's war ties again, and the dealer's second card is not hers."""
    wagers = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2))]
    wagers += [bet(player, box, "progressive", 500) for player, box in (("ana", 1), ("ben", 2))]
    acts = [*wagers, deal(), surrender("ana", 1), war("ben", 2), deal()]
    played = play("ma", "2c 9c 9s 9d 3c 4c 5c 9h 9h", *acts, options=ON)
    assert played.line("ana", "progressive")["paid"] == 5 * 500
    assert played.line("ben", "progressive")["paid"] == 150 * 500


@pytest.mark.clause("MA-11-F1")
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("is_returned", [False, True])
def test_the_wager_stays_with_the_house_unless_read_otherwise(line: str, is_returned: bool) -> None:
    """AMB-4: as the footnote has it, or as odds are read elsewhere."""
    told = fought(LINES[line], 500, {"progressive.stake_returned": is_returned}).line("ana", "progressive")
    assert told["returned"] == (500 if is_returned else 0)
    assert told["net"] == told["paid"] - (0 if is_returned else 500)
    assert fought(LINES[line], 500).line("ana", "progressive")["returned"] == 0
    assert told["clauses"].count("MA-11-F1") == 1


@pytest.mark.clause("MA-11-F1")
def test_a_wager_without_a_line_is_lost_under_either_reading() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500), deal()]
    played = play("ma", "2c Kh 9h", *acts, options={**ON, "progressive.stake_returned": True})
    assert played.line("ana", "progressive")["net"] == -500
    assert "MA-11-F1" not in played.line("ana", "progressive")["clauses"]


@pytest.mark.clause("MA-11-T1", "MA-11-T2")
def test_four_of_a_rank_whose_ties_are_suited_but_differ() -> None:
    """AMB-41: no Suited 4 of a Kind, so the better of 200 and 150; or, by the other reading, the jackpot."""
    cards = "Kh Kh Ks Ks"
    assert paid(fought(cards, 500)) == [("odds", 200 * 500)]
    identical = fought(cards, 500, {"progressive.suited_four": "identical"})
    assert paid(identical) == [("odds", 200 * 500)]
    suited = fought(cards, 500, {"progressive.suited_four": "suited_ties"})
    assert paid(suited) == [("odds", 1000 * 500), ("meter", METER + 50)]
    assert paid(fought("Kh Kd Ks Ks", 500, {"progressive.suited_four": "suited_ties"})) == [("odds", 150 * 500)]


@pytest.mark.clause("MA-11-T2")
@pytest.mark.parametrize(
    ("cards", "each_tie", "one_suit"),
    [("Kh Kh 7c 7c", 200, 30), ("Kh Kh 7h 7h", 200, 200), ("Kh Kh 7c 7d", 30, 30), ("Kh Kd 7c 7c", 30, 30)],
)
def test_a_suited_double_tie_has_each_tie_suited_or_all_four_cards(cards: str, each_tie: int, one_suit: int) -> None:
    """AMB-41."""
    assert paid(fought(cards, 500)) == [("odds", each_tie * 500)]
    assert paid(fought(cards, 500, {"progressive.suited_double": "suited_ties"})) == [("odds", each_tie * 500)]
    assert paid(fought(cards, 500, {"progressive.suited_double": "one_suit"})) == [("odds", one_suit * 500)]


@pytest.mark.clause("MA-11c")
@pytest.mark.parametrize(
    ("line", "all_lines"),
    [
        ("suited_four_of_a_kind", [1000, 200, 150, 30, 15, 5]),
        ("suited_double_tie", [200, 30, 15, 5]),
        ("four_of_a_kind", [150, 30, 5]),
        ("double_tie", [30, 5]),
        ("suited_tie", [15, 5]),
        ("tie", [5]),
    ],
)
def test_the_highest_line_is_paid_or_every_line_that_is_made(line: str, all_lines: list[int]) -> None:
    """AMB-41: a hand on one line is also on every line that asks less of it."""
    meter = [("meter", METER + 50)] if line == "suited_four_of_a_kind" else []
    highest = [("odds", all_lines[0] * 500), *meter]
    assert paid(fought(LINES[line], 500)) == highest
    assert paid(fought(LINES[line], 500, {"progressive.lines": "highest"})) == highest
    cumulative = fought(LINES[line], 500, {"progressive.lines": "cumulative"})
    assert paid(cumulative) == [*(("odds", odds * 500) for odds in all_lines), *meter]
    assert cumulative.line("ana", "progressive")["net"] == sum(all_lines) * 500 - 500 + sum(one for _, one in meter)


@pytest.mark.clause("MA-11-T4")
def test_an_ace_may_tie_as_any_card_and_no_line_asks_for_a_won_war() -> None:
    assert paid(fought("Ah Ad 2c 2d", 500)) == [("odds", 30 * 500)]


def with_envy(*stakes: int | None, options: dict[str, Any] | None = None) -> Played:
    """Ana hits the jackpot with 500; ben, cat and dan lose the hand with these progressive stakes, or none."""
    others = list(zip(("ben", "cat", "dan"), (2, 3, 4), stakes, strict=False))
    bets = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500)]
    for player, box, stake in others:
        bets.append(bet(player, box, "initial", 1000))
        bets += [bet(player, box, "progressive", stake)] if stake else []
    low = " ".join(["2h"] * len(others))
    acts = [*bets, deal(), war("ana", 1), deal()]
    return play("ma", f"2c Kh {low} Kh 3c 4c 5c Kh Kh", *acts, options={**ON, **(options or {})}, meter=METER)


@pytest.mark.clause("MA-11-E1", "MA-11-E2", "MA-11-T1")
def test_all_other_progressive_bettors_win_the_envy_pay() -> None:
    """$1,000 for $5. Dan has no progressive wager and so no envy."""
    played = with_envy(500, 500, None)
    assert paid(played, "ben") == paid(played, "cat") == [("envy", 100_000)]
    assert played.gain("ben") == played.gain("cat") == -1000 - 500 + 100_000
    assert played.gain("dan") == -1000
    assert played.line("ben", "progressive")["outcome"] == "win"
    assert played.line("ben", "progressive")["returned"] == 0


@pytest.mark.clause("MA-11-E3", "MA-11-E4")
def test_who_hits_the_hand_is_paid_for_it_and_gets_no_envy() -> None:
    played = with_envy(500, 500)
    assert paid(played, "ana") == [("odds", 1000 * 500), ("meter", METER + 3 * 50)]
    assert played.gain("ana") == 2000 - 500 + 1000 * 500 + METER + 150


@pytest.mark.clause("MA-11-F2", "MA-11-E2")
@pytest.mark.parametrize("stake", [500, 1000, 5000])
def test_envy_grows_with_the_wager_of_who_receives_it(stake: int) -> None:
    """AMB-42: $1,000 for each $5 of one's own, or by the other reading of the hitter's, who has $5 here."""
    units = stake // 500
    assert paid(with_envy(stake), "ben") == [("envy", units * 100_000)]
    assert paid(with_envy(stake, options={"progressive.envy_base": "recipient"}), "ben") == [("envy", units * 100_000)]
    assert paid(with_envy(stake, options={"progressive.envy_base": "hitter"}), "ben") == [("envy", 100_000)]


@pytest.mark.clause("MA-11-F2")
def test_envy_may_be_read_to_grow_with_the_wager_of_who_hits() -> None:
    bets = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2))]
    bets += [bet("ana", 1, "progressive", 1500), bet("ben", 2, "progressive", 500), deal(), war("ana", 1), deal()]
    played = play("ma", "2c Kh 2h Kh 3c 4c 5c Kh Kh", *bets, options={**ON, "progressive.envy_base": "hitter"})
    assert paid(played, "ben") == [("envy", 3 * 100_000)]


@pytest.mark.clause("MA-11-E2", "MA-11-T2")
@pytest.mark.parametrize("line", [line for line in LINES if line != "suited_four_of_a_kind"])
def test_no_other_line_brings_envy(line: str) -> None:
    mine, dealers, *seconds = LINES[line].split()
    bets = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2))]
    bets += [bet(player, box, "progressive", 500) for player, box in (("ana", 1), ("ben", 2))]
    acts = [*bets, deal(), war("ana", 1), deal()]
    played = play("ma", f"2c {mine} 2h {dealers} 3c 4c 5c {' '.join(seconds)}", *acts, options=ON)
    assert paid(played, "ben") == []
    assert played.gain("ben") == -1000 - 500


@pytest.mark.clause("MA-11-E2")
def test_envy_comes_on_top_of_a_line_of_ones_own() -> None:
    """Ben ties while Ana hits: 5 to 1 on 1,000 and envy for two units, in one line."""
    bets = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2))]
    bets += [bet("ana", 1, "progressive", 500), bet("ben", 2, "progressive", 1000)]
    acts = [*bets, deal(), war("ana", 1), war("ben", 2), deal()]
    played = play("ma", "2c Kh Kd Kh 3c 4c 5c Kh 2s Kh", *acts, options=ON)
    assert paid(played, "ben") == [("odds", 5 * 1000), ("envy", 2 * 100_000)]
    assert played.line("ben", "progressive")["net"] == 5000 + 200_000 - 1000


def two_hitters(options: dict[str, Any] | None = None, meter: int = METER + 1) -> Played:
    """Ana and ben hit, cat does not: wagers of 500, 1,000 and 1,500 add 50 + 100 + 150 to the meter."""
    stakes = (("ana", 1, 500), ("ben", 2, 1000), ("cat", 3, 1500))
    bets = [bet(player, box, "initial", 1000) for player, box, _ in stakes]
    bets += [bet(player, box, "progressive", stake) for player, box, stake in stakes]
    acts = [*bets, deal(), war("ana", 1), war("ben", 2), deal()]
    shoe = "2c Kh Kh 2h Kh 3c 4c 5c Kh Kh Kh"
    return play("ma", shoe, *acts, options={**ON, **(options or {})}, meter=meter)


@pytest.mark.clause("MA-11b", "MA-11-E2", "MA-11-E3", "MA-11-E4")
def test_two_who_hit_share_the_meter_and_envy_each_other() -> None:
    """AMB-43: the odd unit goes to the first, from the dealer's right; the third player envies both."""
    meter = METER + 1 + 300
    for played in (two_hitters(), two_hitters({"progressive.hitters": "split"})):
        assert paid(played, "ben") == [("odds", 1000 * 1000), ("meter", meter // 2 + 1), ("envy", 2 * 100_000)]
        assert paid(played, "ana") == [("odds", 1000 * 500), ("meter", meter // 2), ("envy", 100_000)]
        assert paid(played, "cat") == [("envy", 3 * 100_000)] * 2
        assert played.data["meter"] == 1_000_000
        assert [one["amount"] for one in played.events("meter_paid")] == [meter]


@pytest.mark.clause("MA-11b")
def test_or_each_of_them_is_paid_the_whole_meter() -> None:
    meter = METER + 1 + 300
    played = two_hitters({"progressive.hitters": "full_each"})
    assert paid(played, "ben")[1] == paid(played, "ana")[1] == ("meter", meter)
    assert played.data["meter"] == 1_000_000


@pytest.mark.clause("MA-11b")
def test_the_meter_starts_at_its_seed_and_grows_with_every_wager() -> None:
    """AMB-43: ten in a hundred of each wager, rounded down, when the betting closes."""
    bets = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 1500)]
    acts = [*bets, deal(), *bets]
    played = play("ma", "2c Kh 9h", *acts, options=ON)
    assert played.data["meter"] == 1_000_000 + 150
    assert [(one["player"], one["box"], one["amount"]) for one in played.events("meter_fed")] == [("ana", 1, 150)]
    assert play("ma", "2c", options={**ON, "progressive.seed": 700}).data["meter"] == 700
    assert play("ma", "2c", options=ON).data["meter"] == 1_000_000
    assert play("ma", "2c", options=ON, meter=METER).data["meter"] == METER


@pytest.mark.clause("MA-11b")
@pytest.mark.parametrize(("basis_points", "fed"), [(0, 0), (1, 0), (33, 1), (1000, 50), (10_000, 500)])
def test_the_operator_sets_what_part_of_a_wager_feeds_the_meter(basis_points: int, fed: int) -> None:
    """Of 500: a hundredth of one in a hundred is nothing, 33 of them are 1.65, rounded down."""
    options = {**ON, "progressive.increment_bp": basis_points}
    bets = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500), deal()]
    assert play("ma", "2c Kh 9h", *bets, options=options).data["meter"] == 1_000_000 + fed


@pytest.mark.clause("MA-11b")
def test_each_wager_is_rounded_by_itself() -> None:
    """Two times 500 at 33 in ten thousand are 1 and 1, and not 3 of 3.3."""
    stakes = (("ana", 1), ("ben", 2))
    bets = [bet(player, box, wager, 500) for player, box in stakes for wager in ("initial", "progressive")]
    played = play("ma", "2c Kh Kd 9h", *bets, deal(), options={**ON, "progressive.increment_bp": 33})
    assert played.data["meter"] == 1_000_000 + 1 + 1


@pytest.mark.clause("MA-11b")
@pytest.mark.parametrize(("key", "wrong"), [("increment_bp", -1), ("increment_bp", 10_001), ("seed", -1)])
def test_no_meter_grows_backwards_or_by_more_than_the_wager(key: str, wrong: int) -> None:
    with pytest.raises(RulebookError, match=rf"progressive\.{key} = {wrong} \({SILENT}\)"):
        load_rulebook("ma", {f"progressive.{key}": wrong})
    with pytest.raises(RecordError, match="meter"):
        play("ma", "2c", options=ON, meter=-1)


@pytest.mark.clause("MA-11b")
def test_after_a_jackpot_the_meter_starts_from_the_seed_the_operator_set() -> None:
    played = fought(IDENTICAL, 500, {"progressive.seed": 123_456})
    assert played.data["meter"] == 123_456
    assert played.line("ana", "progressive")["paid"] == 1000 * 500 + METER + 50


@pytest.mark.clause("MA-11b")
def test_the_meter_is_fed_once_although_the_betting_is_closed_twice() -> None:
    """Read so that a cut card that comes first means a shuffle, the wagers wait for it and are called again."""
    options = {**ON, "shoe.cut_first_card": "shuffle_now"}
    bets = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500)]
    acts = [*bets, deal(), *bets, {"do": "no_more_bets"}, deal()]
    played = play("ma", "2c Kh 9d cut 4h Qd", *acts, options=options, later=("5c Ah Jd",))
    assert played.refusals == []
    assert played.data["meter"] == 1_000_000 + 50 + 50


@pytest.mark.clause("MA-11b")
def test_a_meter_runs_on_over_rounds_and_shoes() -> None:
    bets = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500), deal()]
    played = play("ma", "2c Kh cut 9h", *bets, *bets, options=ON, later=("2c Kh 9h",), meter=METER)
    assert played.data["meter"] == METER + 2 * 50


@pytest.mark.clause("MA-11-E4")
def test_four_of_a_kind_of_the_dealer_alone_is_nobodys_envy() -> None:
    """The dealer draws the king of hearts twice, and Ana only once: no jackpot, so no envy for Ben."""
    bets = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2))]
    bets += [bet(player, box, "progressive", 500) for player, box in (("ana", 1), ("ben", 2))]
    played = play("ma", "2c Kh 2h Kh 3c 4c 5c 2s Kh", *bets, deal(), war("ana", 1), deal(), options=ON)
    assert paid(played, "ana") == [("odds", 15 * 500)]
    assert paid(played, "ben") == []


@pytest.mark.clause("MA-11b")
@pytest.mark.parametrize("line", LINES)
def test_whatever_is_paid_comes_from_the_float(line: str) -> None:
    """The meter is a count of what the next jackpot pays; chips come from the house and only from it."""
    played = fought(LINES[line], 500)
    assert sum(played.balances.values()) == sum(PLAYERS.values())
    assert played.data["rounds"][0]["net"]["house"] == -played.gain("ana")


@pytest.mark.clause("MA-11-T1", "MA-11-T2", "MA-11-F1", "MA-11-F2", "MA-11b", "MA-11c")
@pytest.mark.parametrize(
    "key", ["suited_four", "suited_double", "lines", "on_surrender", "hitters", "envy_base", "stake_returned"]
)
def test_every_reading_has_its_name(key: str) -> None:
    with pytest.raises(RulebookError, match=rf"ma does not allow progressive\.{key} = otherwise"):
        load_rulebook("ma", {f"progressive.{key}": "otherwise"})
