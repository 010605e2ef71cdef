"""Faults that people found by using it, each as the shortest record that shows it."""

from pathlib import Path

import msgspec
import pytest

from casinowar.cards import Card
from casinowar.dealers import Session
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.records import RecordError
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import Played, act, bet, deal, play, surrender, war


def house(folder: Path, text: str) -> str:
    file = folder / "house.toml"
    file.write_text(text)
    return str(file)


def total(played: Played) -> int:
    return sum(played.balances.values())


@pytest.mark.clause("WA-5.7b")
def test_a_wager_of_less_than_one_unit_is_no_wager() -> None:
    """Rounded down it would play for nothing, and yet have a card and a war."""
    limits = {"unit": 500}
    acts = [bet("ana", 1, "initial", 300), bet("ana", 1, "initial", 700), deal()]
    played = play("wa", "Ac 3d Kh 9d", *acts, limits=limits)
    assert played.refusals == [(0, "wager_off_unit")]
    assert played.line("ana", "initial")["amount"] == 500


@pytest.mark.clause("WA-4.14", "WA-5.3")
def test_a_card_exposed_behind_the_cutting_card_and_not_needed_still_brings_the_shuffle() -> None:
    one = [bet("ana", 1, "initial", 1000), deal()]
    acts = [*one, act("report_extra_draw", exposed=True), surrender("ana", 1), *one]
    played = play("wa", "Ac 3d Kh Kd cut 3c 4c 5c Qs", *acts)
    assert played.refusals == [(5, "no_shoe")]


def test_a_wager_is_settled_in_one_pass_only(tmp_path: Path) -> None:
    twice = '[settle]\nfirst = ["settle initial, tie from right", "settle tie from left"]'
    with pytest.raises(RulebookError, match="settles tie 2 times"):
        load_rulebook(house(tmp_path, f'extends = "nz"\n{twice}'))


def test_an_invalidated_round_is_undone_against_the_bank_that_banked_it(tmp_path: Path) -> None:
    book = house(tmp_path, 'extends = "ca"\n[irreg]\ninvalidate = ["fire"]')
    bank = act("accept_bank", player="ben", box=8, stake=5000)
    fire = act("invalidate_round", cause="fire")
    played = play(book, "2c 2h Kh 3c 4c", bank, bet("ana", 1, "initial", 1000), deal(), bank, fire)
    assert played.balances == {"ana": 100_000, "ben": 95_000, "cat": 100_000, "dan": 100_000, "house": 0}
    assert played.data["open"] == [{"player": "ben", "box": 8, "wager": "bank", "amount": 5000}]


def test_an_invalidated_jackpot_goes_back_on_the_meter(tmp_path: Path) -> None:
    book = house(tmp_path, 'extends = "ma"\n[irreg]\ninvalidate = ["fire"]')
    bets = [bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 500)]
    acts = [*bets, deal(), war("ana", 1), deal(), act("invalidate_round", cause="fire")]
    played = play(book, "2c Kh Kh 3c 4c 5c Kh Kh", *acts, options={"wager.progressive": True}, meter=2_000_000)
    assert (played.balances["ana"], played.data["meter"]) == (100_000, 2_000_000)
    assert "items" not in played.line("ana", "progressive")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('extends = "nz"\n[deal]\nto = "initial"', "tie_only"),
        ('extends = "ma"\n[wager]\ntie_only = true', "tie_only"),
        ('extends = "nz"\n[war]\nstake = "0:1"', "war.stake"),
        ('extends = "ma"\n[progressive]\nmeter_share = "2:1"', "meter_share"),
    ],
)
def test_a_house_that_cannot_be_played_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(RulebookError, match=words):
        load_rulebook(house(tmp_path, text))


@pytest.mark.clause("MA-6a-i")
def test_a_coupon_is_worth_at_most_the_wager_beside_it() -> None:
    options = {"wager.match_play": True, "wager.locked": "at_close"}
    amend = act("amend_wager", player="ana", box=1, wager="initial", amount=500)
    acts = [bet("ana", 1, "initial", 1000, coupon=1500), bet("ana", 1, "initial", 1000, coupon=1000), amend, deal()]
    played = play("ma", "2c Kh 9d", *acts, options=options)
    assert played.refusals == [(0, "coupon_above_wager"), (2, "coupon_above_wager")]
    assert played.gain("ana") == 2000


@pytest.mark.parametrize(("book", "options"), [("nz", {"war.method": "B"}), ("ca", {})])
def test_open_stakes_and_balances_are_all_the_money(book: str, options: dict[str, object]) -> None:
    bank = [act("accept_bank", player="dan", box=8, stake=3000)] if book == "ca" else []
    played = play(book, "2c 9h 9d", *bank, bet("ana", 1, "initial", 1000), deal(), war("ana", 1), options=options)
    assert total(played) + sum(stake["amount"] for stake in played.data["open"]) == 400_000


@pytest.mark.parametrize("balance", [10**30 + 1, 10**4000])
def test_more_money_than_there_is_cannot_be_understood(balance: int) -> None:
    with pytest.raises(RecordError, match=r"players\.ana"):
        play("nz", "2c", players={"ana": balance})


def test_the_library_keeps_its_money_whole() -> None:
    session = Session(load_rulebook("nz"), tuple)
    for amount in (0.5, float("nan")):
        with pytest.raises(TypeError, match=r"BuyIn\.amount"):
            session.buy_in("ana", amount)  # type: ignore[arg-type]
    for name, chips in (("house", 5), ("", 5), ("ana", -1)):
        assert isinstance(session.buy_in(name, chips), Refusal)
    assert session.table.players == {}
    odd = c.PlaceWager(player="ana", box=1, wager="blackjack", amount=5)  # type: ignore[arg-type]
    session.buy_in("ana", 100)
    with pytest.raises(ValueError, match=r"PlaceWager\.wager is one of .*, and not 'blackjack'"):
        session.do(odd)


@pytest.mark.clause("NZ-7.1b", "NZ-8.3-i")
@pytest.mark.parametrize("split", [None, 1])
def test_the_cutting_card_after_the_opening_burn_is_the_first_of_the_round_in_new_zealand(split: int | None) -> None:
    first = [deal(split), deal()] if split else [deal()]
    played = play("nz", "2c cut Ah 3d", bet("ana", 1, "initial", 1000), *first, later=("3c 9h Kd",))
    assert played.refusals == []
    assert played.dealt() == "burn 2c, burn 3c, box 1 9h, dealer Kd"
    assert played.gain("ana") == -1000


@pytest.mark.clause("WA-4.15", "WA-4.6")
@pytest.mark.parametrize(
    ("shoe", "burned"), [("Ac 2c cut Kh 9d", "Ac, burn 2c"), ("2c 3c 4c cut Kh 9d", "2c, burn 3c, burn 4c")]
)
def test_the_cutting_card_after_the_opening_burn_is_the_first_of_the_round_in_perth(shoe: str, burned: str) -> None:
    played = play("wa", shoe, bet("ana", 1, "initial", 1000), deal(), later=("Ad 2d 5h 9c",))
    assert played.dealt() == f"burn {burned}, burn Ad, burn 2d, box 1 5h, dealer 9c"
    assert [drawn["shuffle"] for drawn in played.events("cut_card_drawn")] == ["now"]


@pytest.mark.parametrize(
    ("book", "option", "value"),
    [
        ("ctg", "shoe.decks", 6),
        ("wa", "war.burn", 3),
        ("ca", "table.boxes", 8),
        ("ma", "wager.war_tie", True),
        ("ctg", "table.multi_box", False),
        ("ctg", "limits.area_total_max", "off"),
        ("nz", "war.burn_before_banker", 0),
        ("nz", "shoe.cut_first_card", "shuffle_now"),
    ],
)
def test_an_option_may_be_named_at_the_value_the_book_fixes(book: str, option: str, value: object) -> None:
    assert load_rulebook(book, {option: value}).leaves[option].value == (0 if value == "off" else value)
    with pytest.raises(RulebookError, match="it is no option"):
        load_rulebook(book, {option: "another"})


@pytest.mark.parametrize("amount", [1, 0])
@pytest.mark.parametrize("direct", ["direct_box_max", "direct_player_max"])
def test_a_maximum_that_the_book_does_not_know_is_refused(direct: str, amount: int) -> None:
    assert play("wa", "2c", act(direct, amount=amount)).refusals == [(0, "not_in_the_book")]


def test_a_wager_found_wrong_once_the_cards_are_seen_takes_two_people() -> None:
    """An ace lies against a two, and the dealer finds ninety times the chips."""
    found = act("report_wager", player="ana", box=1, wager="initial", amount=90_000, by="dealer:d1")
    acts = [bet("ana", 1, "initial", 1000), deal(4), found, {**found, "second": "supervisor:s1"}, deal()]
    played = play("wa", "Ac 3d Ah 2d", *acts, limits={})
    assert played.refusals == [(2, "second_signature_due")]
    assert played.gain("ana") == 90_000


def test_cards_are_put_elsewhere_by_two_people_once_they_tell_the_result() -> None:
    swap = [{"from": "box 1", "to": "dealer"}, {"from": "dealer", "to": "box 1"}]
    alone = act("reconstruct", moves=swap, by="supervisor:s1")
    played = play("nz", "2c 5d Kh", bet("ana", 1, "initial", 1000), deal(3), alone, deal())
    assert played.refusals == [(2, "second_signature_due")]
    assert played.gain("ana") == -1000


def test_a_war_without_its_burn_is_taken_back_card_for_card() -> None:
    """Two cards left the shoe, so two go back: the ninth and the eight of hearts come again after the burn."""
    missed = {"player": "ana", "box": 1}
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), act("report_forgotten_burn"), deal(2)]
    acts += [act("report_missed_offer", cards=5, **missed), act("report_missed_offer", cards=2, **missed)]
    played = play("nz", "2c Kh Kd 9h 8h 7h 6h 5h", *acts, war("ana", 1), deal())
    assert played.refusals == [(5, "wrong_number_of_cards")]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd, burn 9h, burn 8h, burn 7h, box 1 6h, dealer 5h"


def test_chips_of_a_void_wager_do_not_count_for_a_new_one() -> None:
    """The cutting card comes first, so the betting opens again after the hand was void."""
    bets = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000)]
    acts = [*bets, deal(1), act("void_hand", box=1), deal(1), bet("ana", 1, "initial", 1000), deal()]
    played = play("wa", "Ac 3d cut 4c", *acts, later=("Ac 3d Kh Qh 9d",))
    assert played.line("ana", "initial")["amount"] == 1000
    assert (played.gain("ana"), played.gain("ben"), played.balances["house"]) == (1000, 1000, -2000)


@pytest.mark.parametrize("second", ["supervisor:S1", "supervisor:s1 ", "operator: s1"])
def test_a_name_written_otherwise_is_the_same_person(second: str) -> None:
    void = act("void_round", by="supervisor:s1", second=second)
    played = play("nz", "2c Kh Qd", bet("ana", 1, "initial", 1000), deal(), void)
    assert played.refusals == [(2, "same_person")]


def test_who_is_out_of_the_round_bets_on_no_war_of_others() -> None:
    bets = [bet("ana", 1, "initial", 1000), bet("ben", 1, "initial", 1000)]
    acts = [*bets, deal(), war("ana", 1), war("ben", 1), act("void_player", player="ana", reason="a device")]
    played = play("wa", "Ac 3d Kh Kd 3c 4c 5c 9h 8h", *acts, bet("ana", 1, "war_perfect_pairs", 500), deal())
    assert played.refusals == [(6, "out_of_the_round")]
    assert (played.gain("ana"), played.gain("ben")) == (0, 1000)


def test_a_round_is_not_undone_with_chips_that_have_left_the_table() -> None:
    """Ana has won 1,000 and cashed out: nothing is there to take it back from."""
    rules, table = load_rulebook("nz"), Table()
    start: list[c.Command] = [c.OpenTable(), c.BuyIn(player="ana", amount=1000)]
    start += [c.PlaceWager(player="ana", box=1, wager="initial", amount=1000), c.Cut(player="ana", position=100)]
    start += [c.LoadShoe(cards=3, presumed=True), c.Deal(cards=(None, Card("Kh"), Card("5d")))]
    for command in start:
        done = step(rules, table, command)
        assert not isinstance(done, Refusal), (command, done)
        table = done[1]
    gone = msgspec.structs.replace(table, players={"ana": 0}, bought_in=-1000)
    assert step(rules, gone, c.VoidRound()) == Refusal("chips_gone", rules.clauses["irreg.arbiter"])
    assert not isinstance(step(rules, table, c.VoidRound()), Refusal)


def test_a_round_in_which_a_wager_was_forfeited_has_begun() -> None:
    """The cutting card after the opening burn is then no first card: the round is played, and its lines are whole."""
    bets = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000)]
    acts = [*bets, deal(1), act("void_player", player="ana", reason="a device"), deal()]
    options = {"irreg.contravention": "forfeit"}
    played = play("wa", "Ac 3d cut Kh 9d", *acts, options=options)
    assert played.refusals == []
    assert played.settlements() == [("ana", 1, "initial", "lose", -1000), ("ben", 2, "initial", "win", 1000)]
    assert (played.gain("ana"), played.gain("ben"), played.balances["house"]) == (-1000, 1000, 0)


def test_a_card_of_a_hand_that_was_put_away_is_not_moved_again() -> None:
    """It lies in the rack already, and would be counted there twice."""
    three = [bet(player, box, "initial", 1000) for box, player in enumerate(("ana", "ben", "cat"), start=1)]
    away = act("reconstruct", moves=[{"from": 1, "to": -1}])
    played = play("nz", "4d 2c 3c 4c 5c", *three, deal(2), act("void_hand", box=1), away, deal())
    assert played.refusals == [(5, "no_hand")]


def test_a_bank_that_everybody_declined_is_open_to_everybody() -> None:
    """Or the table would wait for ever for the first of them, who may never want it."""
    seats = [act("seat_player", player=player, box=box) for box, player in enumerate(("ana", "ben", "cat"), start=1)]
    bank = act("accept_bank", player="ana", box=1, stake=5000)
    one = [bet("ben", 2, "initial", 1000), deal()]
    held = [bank, *one, bank, *one]
    declined = [act("decline_bank", player=player) for player in ("ben", "cat")]
    taken = act("accept_bank", player="cat", box=3, stake=5000)
    played = play("ca", "2c 2h Kh 3c Kd 4c 5c", *seats, *held, *declined, taken)
    assert played.refusals == []
    assert played.data["open"] == [{"player": "cat", "box": 3, "wager": "bank", "amount": 5000}]
    early = play("ca", "2c 2h Kh 3c Kd 4c 5c", *seats, *held, declined[1], taken)
    assert [reason for _, reason in early.refusals] == ["bank_not_offered"]
