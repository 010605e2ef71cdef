"""A live table of real cards: nothing is sealed, faces are entered as they are turned, and errors are ruled on."""

import random
from collections import Counter
from typing import Any

import pytest

from casinowar.cards import Card, composition
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.view import Viewer
from casinowar.engine.view.procedure import procedure
from casinowar.house.signatures.countersignatures import signatures_due
from casinowar.house.table.visibility import live_view
from casinowar.protocol import Done, Refused
from casinowar.store import BookResolved, CommandTaken, ShoeCommitted, audit
from tests.support.live_night import Night, table


class Dealer:
    """Dora at the table with a shoe that the server does not know, and sue beside her."""

    def __init__(self, book: str = "nz", seed: int = 1, **changed: Any) -> None:
        self.night = Night(table(rulebook=book, dealer="real", **changed))
        self.chance = random.Random(seed)
        self.cards: list[Card] = []
        self.night.sit("ann", "ben")

    @property
    def live(self) -> Any:
        return self.night.live

    def next(self) -> Done | Refused:
        return self.night.act("dora", "dealer", do="next")

    def load(self) -> None:
        """Every step of the book until the stack is in the shoe."""
        for _ in range(30):
            if not is_shuffle_due(self.live.table):
                break
            self.night.wait(0)
            following = procedure(self.live.rules, self.live.table)[0]
            if following.act == "cut":
                player, middle = following.player, 26 * self.live.rules.shoe.decks
                self.night.must(str(player), do="cut", player=player, position=middle)
                continue
            if following.act == "verify":
                self.night.must("sue", "supervisor", "as the book asks", do="verify_cards")
                continue
            answer = self.next()
            if isinstance(answer, Refused):
                assert answer.code == "second_signature_due", answer
                self.night.must("sue", "supervisor", "inspected too", do="countersign", request=answer.request)
        left = composition(self.live.rules.shoe.decks) - Counter(self.live.piles.out)
        self.cards = self.chance.sample(sorted(left.elements()), left.total())

    def turn(self) -> Card:
        """The next card of the shoe, whose face the dealer tells where it is turned up."""
        card = self.cards.pop()
        if isinstance(self.next(), Refused):
            self.night.must("dora", "dealer", do="enter", card=card)
        return card

    def deal(self) -> None:
        """Until somebody else must act or the round is over."""
        for _ in range(80):
            table_ = self.live.table
            if table_.round.is_over or table_.phase == "deciding":
                return
            if procedure(self.live.rules, table_)[0].turns_card:
                self.turn()
            else:
                assert isinstance(self.next(), Done)
        raise AssertionError(self.night.stuck())

    def round(self) -> None:
        if is_shuffle_due(self.live.table):
            self.load()
        if self.live.rules.betting.opens == "by_invitation":
            assert isinstance(self.next(), Done)
        self.night.bet("ann", 1000)
        self.night.bet("ben", 500)
        self.night.wait(0)
        self.deal()
        while self.live.table.phase == "deciding":
            box, player = self.live.table.round.asked[0]
            if player in self.live.bots:
                self.night.wait(1_000)
            else:
                self.night.must(player, do="go_to_war", player=player, box=box)
            self.deal()


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma"])
def test_a_night_of_real_cards_is_dealt_step_by_step(book: str) -> None:
    dealer = Dealer(book)
    for _ in range(25):
        dealer.round()
    there = dealer.night
    assert there.live.rounds_done == 25
    assert there.told(e.WarDeclared)
    dealt = Counter(one.card for one in there.told(e.CardDealt))
    assert not dealt - composition(there.live.rules.shoe.decks)
    assert audit(there.store) == []
    assert sum(there.store.balances().values()) == 0


def test_a_table_of_real_cards_says_that_nothing_is_sealed() -> None:
    dealer = Dealer()
    dealer.round()
    seal = live_view(dealer.live, Viewer("watcher")).seal
    assert seal.stage == "nothing_sealed"
    assert "sealed" in seal.says
    assert seal.commitment is None
    assert dealer.night.told(ShoeCommitted) == []
    assert dealer.live.shoes() == ()
    assert dealer.night.refusal("ann", do="promise_entropy", promise="ab" * 32).code == "no_entropy_now"


@pytest.mark.clause("NZ-6.1")
def test_two_people_inspect_the_cards() -> None:
    dealer = Dealer()
    asked = dealer.next()
    assert isinstance(asked, Refused)
    assert asked.code == "second_signature_due"
    assert asked.request
    sign = {"do": "countersign", "request": asked.request}
    assert dealer.night.refusal("dora", "dealer", "me again", **sign).code == "not_allowed"
    [due] = signatures_due(dealer.live)
    assert (due.command["do"], due.by) == ("inspect_cards", "dealer:dora")
    dealer.night.must("sue", "supervisor", "inspected too", **sign)
    [inspected] = dealer.night.told(e.CardsPrepared)
    assert (inspected.step, inspected.by, inspected.second) == ("inspect", "dealer:dora", "supervisor:sue")
    assert "NZ-6.1" in inspected.clauses


def test_a_dealer_who_is_also_supervisor_does_not_sign_twice() -> None:
    dealer = Dealer()
    asked = dealer.night.act("una", "dealer", do="next")
    assert isinstance(asked, Refused)
    assert asked.request
    assert (
        dealer.night.refusal("una", "supervisor", "me too", do="countersign", request=asked.request).code
        == "same_person"
    )


def test_no_wager_waits_for_a_seal_and_no_clock_deals() -> None:
    dealer = Dealer()
    dealer.load()
    dealer.night.bet("ann")
    dealer.night.wait(3_600_000)
    assert dealer.live.table.round.hands == {}
    assert dealer.night.refusal("dora", "dealer", do="enter", card="Ks").code == "burn_sealed"
    dealer.night.must("dora", "dealer", do="next")
    assert dealer.live.table.phase == "betting"
    assert dealer.night.refusal("dora", "dealer", do="enter", card="Ks").code == "too_many_cards"


def begun(*cards: str) -> Dealer:
    """A round in which the opening card is burned and these cards have been dealt to ann and so on."""
    dealer = Dealer()
    dealer.load()
    dealer.night.bet("ann", 1000)
    dealer.night.bet("ben", 500)
    dealer.night.must("dora", "dealer", do="next")
    dealer.night.must("dora", "dealer", do="next")
    for card in cards:
        dealer.night.must("dora", "dealer", do="enter", card=card)
    return dealer


def test_a_face_is_due_where_a_card_is_turned_up() -> None:
    dealer = begun()
    assert dealer.night.refusal("dora", "dealer", do="next").code == "card_unseen"
    for face in ("Xx", "10s", "", "ks", "xx"):
        assert dealer.night.refusal("dora", "dealer", do="enter", card=face).code == "malformed_command"
        extra = {"do": "report_extra_draw", "exposed": True, "card": face}
        assert dealer.night.refusal("dora", "dealer", "it fell", **extra).code == "malformed_command"
    assert dealer.night.refusal("sue", "supervisor", "in a hurry", do="enter", card="Ks").code == "not_allowed"


def test_a_face_of_which_all_are_out_cannot_come() -> None:
    dealer = Dealer(options={"shoe.decks": 4}, seed=3)
    for _ in range(200):
        dealer.round()
        out = Counter(dealer.live.piles.out)
        gone = [card for card, count in out.items() if card is not None and count == 4]
        if gone and not is_shuffle_due(dealer.live.table):
            break
    dealer.night.bet("ann")
    while procedure(dealer.live.rules, dealer.live.table)[0].act != "draw":
        assert isinstance(dealer.next(), Done)
    assert dealer.night.refusal("dora", "dealer", do="enter", card=gone[0]).code == "card_exhausted"


def test_the_last_face_can_be_corrected_until_something_else_happens() -> None:
    dealer = begun("Ks", "9d")
    dealer.night.must("dora", "dealer", "misread", do="correct_card", card="9h")
    assert dealer.live.table.round.hands[2] == ("9h",)
    assert dealer.night.refusal("dora", "dealer", "misread", do="correct_card", card="9h").code == "same_card"
    dealer.night.must("dora", "dealer", do="enter", card="2c")
    dealer.deal()
    assert dealer.live.table.round.is_over
    assert dealer.night.refusal("dora", "dealer", "misread", do="correct_card", card="As").code == "no_card_to_correct"
    assert [one.outcome for one in dealer.night.told(e.WagerSettled)] == ["win", "win"]


@pytest.mark.clause("NZ-9.3-i")
def test_a_card_drawn_in_error_is_reported_and_the_book_says_what_comes_of_it() -> None:
    dealer = begun("Ks")
    report = {"do": "report_extra_draw", "exposed": True, "card": "7c"}
    assert dealer.night.refusal("ann", **report).code == "not_entitled"
    assert dealer.night.refusal("dora", "dealer", "", **report).code == "reason_due"
    dealer.night.must("dora", "dealer", "two stuck together", **report)
    assert [one.card for one in dealer.night.told(e.CardDiscarded)] == ["7c"]
    dealer.night.must("dora", "dealer", do="enter", card="9d")
    dealer.night.must("dora", "dealer", do="enter", card="2c")
    dealer.deal()
    assert dealer.live.table.round.is_over


@pytest.mark.clause("CTG-G6")
def test_what_the_book_leaves_to_somebody_waits_for_a_ruling() -> None:
    dealer = Dealer("ctg")
    dealer.load()
    dealer.night.bet("ann", 1000)
    dealer.night.must("dora", "dealer", do="next")
    dealer.night.must("dora", "dealer", do="next")
    dealer.night.must("dora", "dealer", do="enter", card="Ks")
    dealer.night.must("dora", "dealer", "it is bent", do="report_damaged_card", card="Ks")
    assert dealer.live.table.incident is not None
    assert dealer.night.refusal("dora", "dealer", do="next").code == "ruling_due"
    before = dealer.night.purse("ann") + dealer.live.table.players["ann"]
    rule = {"do": "rule", "action": "void_round", "reason": "fair to all"}
    assert dealer.night.refusal("dora", "dealer", "I say so", **rule).code == "not_entitled"
    dealer.night.must("sue", "supervisor", "as pit boss", **rule)
    assert dealer.live.table.round.is_over
    assert dealer.live.table.incident is None
    assert dealer.night.purse("ann") + dealer.live.table.players["ann"] == before + 1000
    [taken] = [one for one in dealer.night.told(CommandTaken) if one.reason == "as pit boss"]
    assert taken.command.by == "supervisor:sue"


@pytest.mark.clause("WA-2.3b")
def test_decks_of_real_cards_change_after_their_notice() -> None:
    dealer = Dealer("wa", options={"wager.perfect_pairs": False})
    dealer.round()
    dealer.night.must("mia", "manager", "new decks", do="announce_decks", decks=8)
    dealer.night.wait(31 * 60_000)
    dealer.night.must("oz", "operator", "new decks", do="replace_cards")
    dealer.load()
    assert dealer.live.rules.shoe.decks == 8
    assert dealer.live.table.shoe_left == 8 * 52
    assert len(dealer.night.told(BookResolved)) == 2
    dealer.round()


def test_real_cards_are_known_again_after_a_restart() -> None:
    dealer = begun("Ks", "9d")
    before = (dealer.live.table, dealer.live.turn, dealer.live.piles.out, dealer.live.is_card_last)
    dealer.night.house = dealer.night.open()
    assert (dealer.live.table, dealer.live.turn, dealer.live.piles.out, dealer.live.is_card_last) == before
    dealer.night.come("ann", "ben")
    dealer.night.must("dora", "dealer", "misread", do="correct_card", card="9h")
    dealer.night.must("dora", "dealer", do="enter", card="2c")
    dealer.deal()
    assert dealer.live.table.round.is_over
    assert audit(dealer.night.store) == []


def to_the_cut(dealer: Dealer) -> None:
    """Every step of the book before the cut."""
    while (following := procedure(dealer.live.rules, dealer.live.table)[0]).act != "cut":
        if following.act == "verify":
            dealer.night.must("sue", "supervisor", "as the book asks", do="verify_cards")
        elif isinstance(answer := dealer.next(), Refused):
            dealer.night.must("sue", "supervisor", "inspected too", do="countersign", request=answer.request)


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma"])
def test_house_players_bet_and_choose_at_a_table_of_real_cards_and_pass_its_cut_on(book: str) -> None:
    dealer = Dealer(book, bots=[{"strategy": "war", "box": 7}, {"strategy": "surrender", "box": 6}])
    for _ in range(20):
        dealer.round()
    there = dealer.night
    assert there.live.rounds_done == 20
    bots = set(there.live.bots)
    assert len({one.player for one in there.told(e.WagerPlaced)} & bots) == 2
    assert {one.player for one in there.told(e.CutMade)} <= {"ann", "ben"}
    assert audit(there.store) == []


@pytest.mark.parametrize("book", ["nz", "ma"])
def test_the_dealer_notes_who_cuts_real_cards_and_who_waves_it_on(book: str) -> None:
    """NZ-7.5-i, MA-5d-i: a cut that is declined passes to the next; what hands do the dealer can note."""
    dealer = Dealer(book)
    to_the_cut(dealer)
    assert dealer.next().code == "cut_due"  # type: ignore[union-attr]
    first = procedure(dealer.live.rules, dealer.live.table)[0].player
    other = "ben" if first == "ann" else "ann"
    wrong = dealer.night.refusal("dora", "dealer", "waved on", do="decline_cut", player=other)
    assert wrong.code == "not_the_cutter"
    dealer.night.must("dora", "dealer", "waved on", do="decline_cut", player=first)
    dealer.night.must("dora", "dealer", "cut by hand", do="cut", player=other, position=100)
    [made] = dealer.night.told(e.CutMade)
    assert (made.player, made.position) == (other, 100)


def test_where_nobody_cuts_the_table_inspector_does() -> None:
    """WA-4.4-ii: the inspector, not the dealer."""
    dealer = Dealer("wa")
    to_the_cut(dealer)
    for player in ("ann", "ben"):
        dealer.night.must(player, do="decline_cut", player=player)
    [following, *_] = procedure(dealer.live.rules, dealer.live.table)
    assert (following.act, following.role) == ("cut", "supervisor")
    assert dealer.next().code == "cut_due"  # type: ignore[union-attr]
    assert dealer.night.refusal("dora", "dealer", "nobody wants", do="cut", position=100).code == "not_the_cutter"
    dealer.night.must("sue", "supervisor", "nobody wants", do="cut", position=100)
    assert procedure(dealer.live.rules, dealer.live.table)[0].act != "cut"


def test_nobody_cuts_a_sealed_shoe_for_a_player() -> None:
    """There the place of the cut is the player's part in the order of the cards."""
    there = Night(table(dealer="human", timers={"cut": 60, "entropy": 0}))
    there.sit("ann")
    there.until(lambda: there.stage() == "cutting")
    assert there.refusal("dora", "dealer", "to be quick", do="cut", player="ann", position=100).code == "not_by_hand"
    there.must("dora", "dealer", "waved on", do="decline_cut", player="ann")
