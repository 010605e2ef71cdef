"""What the floor is told: whose act is due, who may do what a dealer may not, and what a signature would move."""

import json
from typing import Any

import msgspec
import pytest

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.view.procedure import Step, procedure
from casinowar.house.signatures.countersignatures import signatures_due
from casinowar.house.table.desk import Who
from casinowar.house.table.preview import Preview
from casinowar.protocol import AnyCommand, Done, Part, Refused
from tests.house.test_live_real_cards import Dealer
from tests.support.live_night import STAFF, Night

PROGRESSIVE: dict[str, Any] = {"options": {"wager.progressive": True}, "meter": 100_000}


def head(dealer: Dealer) -> Step:
    return procedure(dealer.live.rules, dealer.live.table)[0]


def tried(there: Night, name: str, part: Part, **command: Any) -> Preview:
    asked: AnyCommand = msgspec.json.decode(json.dumps(command), type=AnyCommand)
    return there.house.preview(Who(name, STAFF[name]), there.ask(part, "as it looks", **command), asked)


def says(shown: Preview) -> list[str]:
    assert shown.refused is None, shown.refused
    return [event["says"] for event in shown.events]


def laid(dealer: Dealer, *cards: str) -> None:
    """The cards that come next, the first one first."""
    for card in cards:
        dealer.cards.remove(Card(card))
    dealer.cards += [Card(card) for card in reversed(cards)]


def in_play(book: str, *cards: str, **changed: Any) -> Dealer:
    """Ann's ten and ben's five, and these cards dealt."""
    dealer = Dealer(book, **changed)
    dealer.load()
    dealer.night.bet("ann", 1000)
    dealer.night.bet("ben", 500)
    while not head(dealer).turns_card or head(dealer).act == "burn":
        dealer.turn() if head(dealer).turns_card else dealer.next()
    laid(dealer, *cards)
    for _ in cards:
        dealer.turn()
    return dealer


@pytest.mark.clause("MA-4b-i")
def test_the_floor_verifies_what_the_dealer_has_inspected() -> None:
    dealer = Dealer("ma")
    assert isinstance(dealer.next(), Done)
    assert (head(dealer).act, head(dealer).role) == ("verify", "supervisor")
    assert dealer.night.refusal("dora", "dealer", do="next").code == "verify_due"
    dealer.night.must("sue", "supervisor", "counted too", do="verify_cards")
    assert head(dealer).role is None


@pytest.mark.clause("WA-4.4-ii")
def test_a_cut_that_nobody_at_the_table_makes_is_the_inspectors_under_its_own_clause() -> None:
    dealer = Dealer("wa")
    while head(dealer).act != "cut":
        dealer.next()
    for _ in range(2):
        assert (head(dealer).role, "WA-4.4-ii" in head(dealer).clauses) == (None, False)
        player = head(dealer).player
        dealer.night.must(str(player), do="decline_cut", player=player)
    assert (head(dealer).role, "WA-4.4-ii" in head(dealer).clauses) == ("supervisor", True)
    assert dealer.night.refusal("dora", "dealer", do="next").code == "cut_due"


@pytest.mark.clause("CA-RP-10a")
@pytest.mark.clause("CA-STD-4")
@pytest.mark.clause("CA-DEF-PD-ii")
def test_the_procedure_names_who_is_offered_the_bank() -> None:
    """Clockwise, from box 1 where nobody has banked yet, past whoever declines, and on after two rounds."""
    dealer = Dealer("ca")
    dealer.night.sit("cat", boxes=[3])
    dealer.load()
    assert head(dealer).act == "burn"
    dealer.turn()
    assert (head(dealer).act, head(dealer).player, head(dealer).waits_for) == ("offer_bank", "ann", "ann")
    assert isinstance(dealer.next(), Done)
    assert [one.player for one in dealer.night.told(e.BankOffered)] == ["ann"]
    dealer.night.must("ann", do="decline_bank", player="ann")
    assert head(dealer).player == "ben"
    for _ in range(2):
        assert head(dealer).player == "ben"
        dealer.night.must("ben", do="accept_bank", player="ben", box=2, stake=50_000)
        assert head(dealer).act == "invite"
        dealer.night.bet("ann", 1000)
        dealer.deal()
        while dealer.live.table.phase == "deciding":
            dealer.night.must("ann", do="surrender", player="ann", box=1)
            dealer.deal()
    assert (head(dealer).act, head(dealer).player) == ("offer_bank", "cat")


@pytest.mark.clause("CA-NUM-1")
def test_nobody_is_offered_a_bank_against_nobody() -> None:
    dealer = Dealer("ca")
    dealer.load()
    dealer.turn()
    assert head(dealer).act == "offer_bank"
    dealer.night.must("ben", do="leave")
    assert head(dealer).act == "invite"


@pytest.mark.clause("MA-11-F1")
def test_of_a_progressive_that_is_paid_the_dealer_takes_the_stake() -> None:
    """Suits differ: the tie is paid 5 to 1 on a unit of 5, and the stake stays with the house."""
    dealer = Dealer("ma", seed=2, **PROGRESSIVE)
    dealer.load()
    dealer.night.bet("ann", 1000)
    dealer.night.bet("ann", 500, "progressive")
    while not head(dealer).turns_card or head(dealer).act == "burn":
        dealer.turn() if head(dealer).turns_card else dealer.next()
    laid(dealer, "9h", "9s")
    dealer.deal()
    dealer.night.must("ann", do="go_to_war", player="ann", box=1)
    while (paid := head(dealer)).wager != "progressive":
        dealer.turn() if paid.turns_card else dealer.next()
    assert (paid.act, paid.amount, paid.returned, paid.kept) == ("pay", 2_500, 0, 500)


@pytest.mark.clause("WA-5.4-ii")
def test_who_may_not_is_told_who_may() -> None:
    dealer = in_play("wa", "Kd", "2c", "9h")
    void = {"do": "void_round", "reason": "seen"}
    shown = tried(dealer.night, "sue", "supervisor", do="exclude_player", player="ann")
    assert shown.refused is not None
    assert (shown.refused.code, shown.may) == ("not_entitled", ("operator",))
    assert shown.refused.says == "whoever acts is not entitled to: this takes the Casino Operator"
    shown = tried(dealer.night, "sue", "supervisor", do="void_hand", box=1, reason="seen")
    assert (shown.refused, shown.needs_second, shown.clauses) == (None, True, ("WA-5.4-ii",))
    assert shown.may == ("operator",)
    assert tried(dealer.night, "oz", "operator", **void).refused is None


def test_a_void_is_shown_with_what_becomes_of_each_wager() -> None:
    """Ann's king beats the nine and is paid 10, ben's two loses 5: a void takes the one and gives the other."""
    dealer = in_play("nz", "Kd", "2c", "9h")
    void = {"do": "void_round", "reason": "seen"}
    open_ = says(tried(dealer.night, "sue", "supervisor", **void))
    assert open_[0] == "ann's Casino War of 10, box 1, is void: it goes back"
    while head(dealer).act != "end_round":
        dealer.next()
    shown = says(tried(dealer.night, "sue", "supervisor", **void))
    assert shown[0] == "ann's Casino War of 10, box 1, is void: it had won 10, which is taken back"
    assert shown[1] == "ben's Casino War of 5, box 2, is void: it had lost 5, which goes back"
    moved = tried(dealer.night, "sue", "supervisor", **void).moved
    assert moved == (("ann", -1000), ("ben", 500), (None, 500)), "ten won and five lost, the other way round"
    told = "All hands are void, by Game Supervisor sue and a second person: seen"
    assert shown[-1] == f"{told} (the book is silent; house default)"


@pytest.mark.clause("NZ-5.7")
def test_the_second_signer_sees_what_moves_before_signing() -> None:
    dealer = in_play("nz", "Kd", "2c", "9h")
    asked = dealer.night.act("sue", "supervisor", "a card was seen", do="void_round", reason="seen")
    assert isinstance(asked, Refused)
    [due] = signatures_due(dealer.live)
    assert due.at == dealer.night.clock.wall
    before = dealer.night.everything()
    shown = tried(dealer.night, "oz", "operator", do="countersign", request=asked.request)
    assert says(shown)[:2] == [
        "ann's Casino War of 10, box 1, is void: it goes back",
        "ben's Casino War of 5, box 2, is void: it goes back",
    ]
    assert "(the book is silent; house default)" in says(shown)[-1]
    assert shown.moved == (("ann", 1000), ("ben", 500)), "both stakes lie on the layout"
    assert dealer.night.everything() == before
    assert signatures_due(dealer.live) == (due,)
    own = tried(dealer.night, "sue", "supervisor", do="countersign", request=asked.request)
    assert own.refused is not None
    assert own.refused.code == "same_person"


@pytest.mark.clause("MA-10a-ii")
def test_what_the_dealer_may_not_decide_is_passed_on_to_the_floor() -> None:
    """A card drawn in error and seen: what is done with it is the floor's word, told by the dealer, signed by one."""
    dealer = in_play("ma", "Kd")
    extra = {"do": "report_extra_draw", "exposed": True, "card": "7c", "action": "burn"}
    shown = tried(dealer.night, "dora", "dealer", **extra)
    assert shown.may == ("supervisor", "manager", "operator")
    asked = dealer.night.act("dora", "dealer", "it stuck to the last one", **extra)
    assert isinstance(asked, Refused)
    assert asked.code == "not_entitled"
    [due] = signatures_due(dealer.live)
    assert (due.request, due.by, due.is_passed_on) == (asked.request, "dealer:dora", True)
    sign = {"do": "countersign", "request": asked.request}
    assert says(tried(dealer.night, "sue", "supervisor", **sign))[-1].startswith("Out of play: 7♣")
    assert dealer.night.refusal("dora", "dealer", "I sign", **sign).code == "not_allowed"
    dealer.night.must("sue", "supervisor", "burn it", **sign)
    [burned] = dealer.night.told(e.CardDiscarded)
    assert (burned.card, burned.by) == ("7c", "supervisor:sue")
    assert signatures_due(dealer.live) == ()


def test_what_is_not_a_dealers_to_report_is_not_passed_on() -> None:
    dealer = in_play("ma", "Kd")
    refused = dealer.night.refusal("dora", "dealer", "I want to", do="void_round", reason="seen")
    assert (refused.code, refused.request) == ("not_entitled", None)
    assert signatures_due(dealer.live) == ()


def test_what_nobody_could_do_is_refused_at_once_and_waits_nowhere() -> None:
    dealer = in_play("nz", "Kd")
    found = {"do": "report_wager", "player": "ann", "box": 1, "wager": "initial", "amount": 10**9}
    told = dealer.night.refusal("dora", "dealer", "counted again", **found)
    assert (told.code, told.request) == ("insufficient_funds", None)
    assert signatures_due(dealer.live) == ()


def test_a_card_that_was_seen_is_not_told_as_one_that_nobody_saw() -> None:
    dealer = in_play("nz", "Kd")
    shown = says(tried(dealer.night, "dora", "dealer", do="report_face_up_card"))
    assert shown[0] == "Out of play: a card, its face not noted"


def test_what_was_passed_on_may_take_two_of_the_floor() -> None:
    """The cards are known: whoever takes the dealer's word up signs first, and another person after."""
    dealer = in_play("nz", "Kd", "2c", "9h")
    found = {"do": "report_wager", "player": "ann", "box": 1, "wager": "initial", "amount": 500}
    assert tried(dealer.night, "dora", "dealer", **found).may == ("supervisor", "manager", "operator")
    told = dealer.night.act("dora", "dealer", "counted again", **found)
    assert isinstance(told, Refused)
    assert told.code == "not_entitled"
    taken = dealer.night.act("sue", "supervisor", "so it is", do="countersign", request=told.request)
    assert isinstance(taken, Refused)
    assert taken.code == "second_signature_due"
    [due] = signatures_due(dealer.live)
    assert (due.request, due.by, due.is_passed_on) == (taken.request, "supervisor:sue", False)
    dealer.night.must("sam", "supervisor", "I counted too", do="countersign", request=taken.request)
    [wager] = dealer.night.told(e.WagerFound)
    assert (wager.amount, wager.by) == (500, "supervisor:sue")
    assert signatures_due(dealer.live) == ()
