"""Players that the house runs, and the bank that goes round a table of players."""

from typing import Any

import pytest

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.view import Viewer
from casinowar.fairness import practice_bytes
from casinowar.house.house import Who
from casinowar.house.table.visibility import live_view
from casinowar.protocol import Done, Refused
from casinowar.store import BotDismissed, BotSeated
from tests.support.live_night import STAFF, Night, table

QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 0, "cut": 0}


def ready(*players: str, book: str = "nz", **changed: Any) -> Night:
    there = Night(table(rulebook=book, **{"timers": QUICK, **changed}), source=practice_bytes("bots"))
    there.sit(*players)
    there.until(lambda: there.live.is_ready)
    return there


def play(there: Night, player: str, rounds: int) -> None:
    for _ in range(rounds):
        there.until_ready()
        there.bet(player, 500)
        there.until_over()


@pytest.mark.parametrize("strategy", ["war", "surrender", "tie"])
def test_a_bot_does_on_a_tie_what_it_has_declared(strategy: str) -> None:
    there = ready("ann", bots=[{"strategy": strategy, "box": 5}])
    play(there, "ann", 150)
    [bot] = there.live.bots
    assert [(one.player, one.box, one.strategy) for one in there.told(BotSeated)] == [(bot, 5, strategy)]
    offered = [one for one in there.told(e.WarOffered) if one.player == bot]
    chosen = [one for one in there.commands(c.GoToWar) + there.commands(c.Surrender) if one.player == bot]
    assert offered
    assert len(offered) == len(chosen)
    assert {type(one) for one in chosen} == {c.Surrender if strategy == "surrender" else c.GoToWar}
    wagers = {one.wager for one in there.told(e.WagerPlaced) if one.player == bot}
    assert wagers == ({"initial", "tie"} if strategy == "tie" else {"initial"})
    assert sum(one.player == bot for one in there.told(e.WagerPlaced)) >= 150
    there.check()


def test_bots_bet_only_with_somebody_and_their_choice_is_seen_to_be_made() -> None:
    there = ready("ann", bots=[{"strategy": "war"}])
    there.wait(3_600_000)
    assert there.told(e.WagerPlaced) == []
    there.bet("ann")
    assert len(there.told(e.WagerPlaced)) == 2


def test_bots_are_the_floors_to_seat_and_dismiss() -> None:
    there = ready("ann")
    assert there.refusal("ann", do="seat_bots", count=1).code == "not_allowed"
    assert there.refusal("dora", "dealer", "to fill up", do="seat_bots", count=1).code == "not_allowed"
    banker = there.refusal("sue", "supervisor", "to fill up", do="seat_bots", count=1, strategy="bank")
    assert banker.code == "not_in_the_book", "the house banks here, and nobody else"
    there.must("sue", "supervisor", "to fill up", do="seat_bots", count=2, strategy="surrender")
    assert there.live.table.seats == {1: "ann", 7: "bot-wren", 6: "bot-ibis"}
    assert there.refusal("sue", "supervisor", "to fill up", do="seat_bots", count=5).code == "seat_taken"
    there.bet("ann")
    there.must("sue", "supervisor", "enough", do="dismiss_bots")
    assert set(there.live.bots) == {"bot-wren", "bot-ibis"}, "they have wagers in play"
    there.until_over()
    there.house.advance()
    assert there.live.bots == {}
    assert there.live.table.seats == {1: "ann"}
    assert len(there.told(BotDismissed)) == 2
    there.check()


def test_a_bot_comes_back_with_what_it_had() -> None:
    there = ready("ann")
    for _ in range(4):
        there.must("sue", "supervisor", "to fill up", do="seat_bots", count=1)
        play(there, "ann", 2)
        there.until_ready()
        there.must("sue", "supervisor", "enough", do="dismiss_bots")
    spent = there.store.balance("issuance") + 100_000
    """A bot that loses every round would need less than two fillings."""
    assert -spent <= 2 * 20 * 500
    assert there.store.balance("chips:t:bot-t-1") == 0
    there.check()


def test_the_owner_of_a_private_table_and_nobody_else_has_its_bots() -> None:
    there = ready("ann")
    assert isinstance(there.house.open_private("ann", "p", "nz", ("war", "tie")), Done)
    [name] = [name for name, live in there.house.tables.items() if live.settings.owner == "ann"]
    assert sorted(bot.strategy for bot in there.at(name).bots.values()) == ["tie", "war"]
    there.come("ann", "eve", table=name)
    assert there.refusal("eve", table=name, do="seat_bots", count=1).code == "not_allowed"
    there.must("ann", table=name, do="seat_bots", count=1)
    there.must("ann", table=name, do="dismiss_bots")
    assert there.at(name).bots == {}
    again = there.house.open_private("ann", "p", "nz", ("war", "tie"))
    assert isinstance(again, Done)
    assert sum(live.settings.owner == "ann" for live in there.house.tables.values()) == 1


def test_a_player_opens_private_tables_only_and_so_many() -> None:
    there = Night(private_tables=2)
    public = there.house.open_table(Who("ann"), "a", table("new"), "for everybody")
    assert isinstance(public, Refused)
    assert public.code == "not_allowed"
    human = there.house.open_table(Who("ann"), "b", table("new", owner="ann", dealer="human"), "mine")
    assert isinstance(human, Refused)
    assert human.code == "not_allowed"
    others = there.house.open_table(Who("sue", STAFF["sue"]), "c", table("new", owner="ann"), "for ann")
    assert isinstance(others, Refused)
    assert others.code == "not_allowed"


def test_a_private_table_that_everybody_has_left_gives_way_where_all_are_taken() -> None:
    there = Night(private_tables=2)

    def opened(player: str, id: str) -> str:
        before = set(there.house.tables)
        answer = there.house.open_private(player, id, "nz", ("war",))
        if isinstance(answer, Refused):
            return answer.code
        [name] = set(there.house.tables) - before
        there.house.present(player, name, True)
        return name

    first, second = opened("ann", "a"), opened("ben", "b")
    assert opened("cat", "c") == "too_many_tables"
    there.house.present("ann", first, False)
    third = opened("cat", "d")
    assert there.house.tables[third].settings.owner == "cat"
    assert there.at(first).table.is_closed
    assert not there.at(second).table.is_closed
    there.check()


def test_who_looks_at_a_private_table_keeps_it_from_closing() -> None:
    there = Night()
    there.come("ann")
    assert isinstance(there.house.open_private("ann", "p", "nz", ("war",)), Done)
    [there.table] = [name for name, live in there.house.tables.items() if live.settings.owner == "ann"]
    for _ in range(3):
        there.wait(9 * 60_000)
        there.house.present("ann", there.table, True)
        there.wait(9 * 60_000)
        there.house.present("ann", there.table, False)
    assert there.told(e.TableClosed) == []
    there.wait(10 * 60_000)
    assert len(there.told(e.TableClosed)) == 1


@pytest.mark.parametrize("book", ["nz", "ca"])
def test_a_private_table_that_everybody_has_left_closes(book: str) -> None:
    there = Night()
    there.come("ann")
    strategy = "bank" if book == "ca" else "war"
    assert isinstance(there.house.open_private("ann", "p", book, (strategy, strategy)), Done)
    [name] = [name for name, live in there.house.tables.items() if live.settings.owner == "ann"]
    there.table = name
    there.sit("ann")
    there.until_ready()
    there.must("ann", do="leave")
    there.house.present("ann", name, False)
    there.wait(10 * 60_000 - 1)
    assert there.told(e.TableClosed) == []
    there.wait(1)
    assert len(there.told(e.TableClosed)) == 1
    assert there.live.keeper.shoe is None
    assert not [one for one, held in there.store.balances().items() if held and one.startswith(("chips", "bank"))]
    there.check()


# The bank.


@pytest.mark.clause("CA-STD-4", "CA-RP-10a", "CA-RP-10b", "CA-NUM-1")
def test_the_bank_goes_round_the_table_after_two_rounds() -> None:
    there = ready("ann", book="ca", bots=[{"strategy": "bank"}] * 3)
    for _ in range(12):
        there.until_ready()
        bank = there.live.table.bank
        assert bank is not None
        assert bank.player != "ann", "ann lets it pass"
        there.bet("ann", 500)
        there.until_over()
    turns = [one.player for one in there.told(e.BankAccepted)]
    assert len(turns) == 12
    assert all(turns[n : n + 3].count(turns[n]) < 3 for n in range(10)), "never three in a row"
    assert set(turns) == {"bot-wren", "bot-ibis", "bot-tern"}
    boxes = [one.box for one in there.told(e.BankAccepted)][::2]
    assert boxes[:4] == [6, 7, 8, 6], "to the left of whoever had it"
    there.check()


def test_bots_bet_against_a_person_who_banks_after_a_while_in_which_the_bank_can_go() -> None:
    there = ready("ann", book="ca", bots=[{"strategy": "war"}] * 3)
    there.must("ann", do="accept_bank", player="ann", box=1, stake=50_000)
    there.wait(3_999)
    assert there.told(e.WagerPlaced) == []
    there.must("ann", do="relinquish_bank", player="ann")
    there.wait(60_000)
    assert there.told(e.WagerPlaced) == [], "nobody banks"
    there.must("ann", do="accept_bank", player="ann", box=1, stake=50_000)
    there.wait(4_000)
    assert sorted(one.box for one in there.told(e.WagerPlaced)) == [6, 7, 8]
    there.until_over()
    assert there.told(e.BankReturned), "a whole round was played"
    there.check()


def test_nobody_banks_alone() -> None:
    there = ready("ann", book="ca")
    there.wait(600_000)
    assert there.told(e.BankDeclined) == []
    assert there.live.table.bank is None
    there.sit("ben", boxes=[2])
    there.wait(15_000)
    assert [one.player for one in there.told(e.BankDeclined)] == ["ann"]


def test_who_does_not_answer_lets_the_bank_pass_and_may_ask_for_it_later() -> None:
    there = ready("ann", "ben", book="ca")
    there.wait(14_999)
    assert there.told(e.BankDeclined) == []
    there.wait(1)
    assert [one.player for one in there.told(e.BankDeclined)] == ["ann"]
    there.must("ben", do="decline_bank", player="ben")
    there.wait(600_000)
    assert there.live.table.bank is None
    assert there.refusal("ann", do="place_wager", player="ann", box=1, wager="initial", amount=500).code == "no_bank"
    there.must("ben", do="accept_bank", player="ben", box=2, stake=10_000)
    there.bet("ann", 500)
    there.until_over()
    there.check()


@pytest.mark.clause("CA-BS-5a")
def test_a_small_bank_pays_as_far_as_it_reaches_and_no_further() -> None:
    there = ready("ann", "ben", "cat", book="ca")
    for _ in range(40):
        there.until(lambda: there.live.is_ready and there.live.table.phase == "betting")
        banker = there.live.table.bank
        if banker is None:
            for name, box in (("ben", 2), ("cat", 3), ("ann", 1)):
                answer = there.act(name, do="accept_bank", player=name, box=box, stake=1_000)
                if isinstance(answer, Done):
                    break
        bank = there.live.table.bank
        assert bank is not None
        for name in {"ann", "ben", "cat"} - {bank.player}:
            there.bet(name, 1_000)
        there.until_over()
        paid = sum(one.paid for one in there.told(e.WagerSettled)[-2:])
        assert paid <= 1_000
    assert any(one.net == -1_000 for one in there.told(e.BankReturned))
    there.check()


def bank(there: Night, stake: int, player: str = "ann") -> dict[str, Any]:
    return {"do": "accept_bank", "player": player, "box": there.live.box_of(player), "stake": stake}


def test_a_bank_has_a_least_stake_which_is_the_tables_minimum_unless_it_is_set() -> None:
    for changed, least in (({}, 500), ({"bank_minimum": 12_050}, 12_050)):
        there = ready("ann", "ben", book="ca", **changed)
        told = there.refusal("ann", **bank(there, least - 1))
        words = {500: "5", 12_050: "120.50"}[least]
        assert told.code == "bank_below_minimum"
        assert told.says == f"the bank's stake is below the least at this table: {words}"
        assert live_view(there.live, Viewer("player", "ann")).bank_least == least
        there.must("ann", **bank(there, least))
        there.check()
    assert live_view(ready("ann").live, Viewer("player", "ann")).bank_least is None


def test_the_least_stake_follows_the_tables_limits() -> None:
    there = ready("ann", "ben", book="ca", dealer="human", limit={"minimum": 500, "unit": 500})
    limits = {"minimum": 2_000, "unit": 500, "basis": "agreed", "consents": ["ann", "ben"]}
    there.must("sue", "supervisor", "a busy night", do="change_limits", **limits)
    assert there.refusal("ann", **bank(there, 1_999)).code == "bank_below_minimum"


@pytest.mark.parametrize(("stake", "bets"), [(500, 1), (999, 1), (1_000, 2), (2_500, 5), (50_000, 5)])
def test_bots_bet_no_more_than_a_bank_could_pay(stake: int, bets: int) -> None:
    there = ready("ann", book="ca", bots=[{"strategy": "war"}] * 5)
    there.must("ann", **bank(there, stake))
    there.wait(4_000)
    assert len(there.told(e.WagerPlaced)) == bets
    there.until_over()
    there.check()


def test_a_bot_leaves_out_the_side_wager_that_a_bank_could_not_pay() -> None:
    for stake, wagers in ((4_999, ["initial"]), (5_000, ["initial", "tie"])):
        there = ready("ann", book="ca", bots=[{"strategy": "tie"}])
        there.must("ann", **bank(there, stake))
        there.wait(4_000)
        assert [one.wager for one in there.told(e.WagerPlaced)] == wagers, "a tie pays 10 to 1"


def test_bots_do_not_bet_after_people_whom_the_bank_could_not_pay() -> None:
    there = ready("ann", "ben", book="ca", bots=[{"strategy": "war"}] * 2)
    there.must("ann", **bank(there, 1_000))
    there.bet("ben", 1_000)
    there.until_over()
    assert {one.player for one in there.told(e.WagerPlaced)} == {"ben"}


def test_a_small_bank_takes_no_more_of_the_houses_bots_than_it_risks() -> None:
    """Thirteen rounds with a bank of the least stake took 5,491 of them once."""
    there = ready("ann", "ben", book="ca", bots=[{"strategy": "war"}] * 5)
    for _ in range(13):
        there.until(lambda: there.live.is_ready and there.live.table.phase == "betting")
        banker = next(one for one in ("ann", "ben") if isinstance(there.act(one, **bank(there, 500, one)), Done))
        there.until_over()
        net = there.told(e.BankReturned)[-1].net
        assert abs(net) <= 2 * 500, f"{banker} risks the stake, and takes an initial wager with its war at most"
    there.check()


def test_a_bot_that_banks_stakes_the_least_at_least() -> None:
    there = ready("ann", book="ca", bots=[{"strategy": "bank"}] * 2, bank_minimum=1_000_000)
    there.until_ready()
    assert there.live.table.bank is not None
    assert there.live.table.bank.stake == 1_000_000
    there.bet("ann")
    there.until_over()
    there.check()


def test_a_banker_who_leaves_before_any_wager_takes_the_stake_along() -> None:
    there = ready("ann", "ben", book="ca")
    there.must("ann", do="accept_bank", player="ann", box=1, stake=10_000)
    there.must("ann", do="leave")
    assert there.live.table.bank is None
    assert there.live.box_of("ann") is None
    assert there.purse("ann") == 100_000


def test_a_banker_who_is_away_too_long_does_not_hold_up_the_table() -> None:
    there = ready("ann", "ben", book="ca")
    there.must("ann", do="accept_bank", player="ann", box=1, stake=10_000)
    there.house.present("ann", there.table, False)
    there.wait(180_000)
    assert there.live.table.bank is None
    assert there.purse("ann") == 100_000


def test_a_banker_against_whom_somebody_has_bet_leaves_after_the_round() -> None:
    there = ready("ann", "ben", book="ca")
    there.must("ann", do="accept_bank", player="ann", box=1, stake=10_000)
    there.bet("ben", 500)
    there.must("ann", do="leave")
    assert there.live.table.bank is not None
    there.until_over()
    there.house.advance()
    assert there.live.box_of("ann") is None
    assert there.purse("ann") == 90_000 + there.told(e.BankReturned)[-1].amount
    there.check()
