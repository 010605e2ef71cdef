"""How a sealed shoe is made at a live table: players' entropy, the cut, and what is refused on the way."""

from typing import Any

import pytest

from casinowar.engine import events as e
from casinowar.engine.view import Viewer
from casinowar.fairness import Noted, check_shoe, promise
from casinowar.fairness import derivation as d
from casinowar.fairness.check import header
from casinowar.house.table.visibility import live_view, seen_event
from casinowar.protocol import Done
from casinowar.store import EntropyAdded, EntropyPromised, ShoeCommitted, ShoeCut, ShoeOpened, ShoeSealed
from tests.support.live_night import Night, table

SECRET = bytes(range(32))
OTHER = bytes(range(100, 148))


def promised(there: Night, player: str, secret: bytes) -> dict[str, Any]:
    shoe, box = there.live.keeper.shoe, there.live.box_of(player)
    assert shoe is not None
    assert box is not None
    return {"do": "promise_entropy", "promise": promise(shoe.commitment, box, secret).hex()}


def at_promises(*players: str, book: str = "nz") -> Night:
    """A table at which a shoe has just been committed to and these players sit."""
    there = Night(table(rulebook=book, timers={"cut": 10, "entropy": 3}))
    there.come(*players)
    for box, player in enumerate(players, start=1):
        assert isinstance(there.act(player, do="sit", box=box), Done)
    there.house.advance()
    assert there.stage() == "promising"
    return there


def test_entropy_is_promised_then_shown_then_sealed() -> None:
    there = at_promises("ann", "ben")
    there.must("ann", **promised(there, "ann", SECRET))
    assert there.stage() == "promising"
    there.must("ben", **promised(there, "ben", OTHER))
    assert there.stage() == "showing", "nobody is left who could promise"
    there.must("ben", do="add_entropy", entropy=OTHER.hex())
    assert there.told(ShoeSealed) == []
    there.must("ann", do="add_entropy", entropy=SECRET.hex())
    kinds = (ShoeCommitted, EntropyPromised, EntropyAdded, ShoeSealed)
    order = [type(one.event) for one in there.log() if isinstance(one.event, kinds)]
    assert order == [ShoeCommitted, EntropyPromised, EntropyPromised, EntropyAdded, EntropyAdded, ShoeSealed]
    assert there.clock.ticks == 0, "every window closed early"
    [sealed], [committed] = there.told(ShoeSealed), there.told(ShoeCommitted)
    there.until_ready()
    there.must("sue", "supervisor", "look at it", do="supervisor_shuffle", reason="suspect")
    shoe = there.live.shoe(1)
    assert shoe is not None
    assert check_shoe(shoe, Noted(commitment=committed.commitment, seal=sealed.seal, entropy=SECRET.hex())) == []
    assert check_shoe(shoe, Noted(entropy="00" * 32)) != []


def test_the_promise_window_closes_after_its_time_and_only_those_who_promised_show() -> None:
    there = at_promises("ann", "ben")
    there.must("ann", **promised(there, "ann", SECRET))
    there.wait(2_999)
    assert there.stage() == "promising"
    there.wait(1)
    assert there.stage() == "showing"
    late = {"do": "promise_entropy", "promise": "ab" * 32}
    assert there.refusal("ben", **late).code == "no_entropy_now"
    assert there.refusal("ben", do="add_entropy", entropy=OTHER.hex()).code == "entropy_refused"


def test_entropy_that_was_not_promised_is_refused_and_entropy_withheld_is_told() -> None:
    there = at_promises("ann", "ben")
    assert there.refusal("ann", do="add_entropy", entropy=SECRET.hex()).code == "no_entropy_now"
    there.must("ann", **promised(there, "ann", SECRET))
    assert there.refusal("ann", **promised(there, "ann", OTHER)).code == "entropy_refused"
    there.must("ben", **promised(there, "ben", OTHER))
    assert there.refusal("ann", do="add_entropy", entropy=OTHER.hex()).code == "entropy_refused"
    there.must("ben", do="add_entropy", entropy=OTHER.hex())
    there.wait(3_000)
    assert there.stage() == "cutting"
    shoe = there.live.shoe(1)
    assert shoe is not None
    assert [(one.player, one.bytes) for one in shoe.entropy] == [("ann", None), ("ben", OTHER.hex())]


def test_who_does_not_sit_cannot_promise() -> None:
    there = at_promises("ann")
    there.come("eve")
    assert there.refusal("eve", do="promise_entropy", promise="ab" * 32).code == "not_seated"


def test_a_table_where_nobody_looks_on_seals_at_once() -> None:
    there = Night()
    there.house.welcome("ann")
    there.must("ann", do="sit", box=1)
    assert there.live.is_ready
    assert [cut.player for cut in there.told(ShoeCut)] == [None]


@pytest.mark.parametrize("size", [15, 65])
def test_entropy_has_16_to_64_bytes(size: int) -> None:
    there = at_promises("ann")
    there.must("ann", **promised(there, "ann", SECRET))
    assert there.refusal("ann", do="add_entropy", entropy="ab" * size).code == "malformed_command"


def test_no_wager_is_taken_before_the_shoe_is_sealed_cut_and_loaded() -> None:
    there = at_promises("ann")
    wager = {"do": "place_wager", "player": "ann", "box": 1, "wager": "initial", "amount": 1000}
    assert there.refusal("ann", **wager).code == "shoe_not_ready"
    there.must("ann", **promised(there, "ann", SECRET))
    assert there.refusal("ann", **wager).code == "shoe_not_ready"
    there.must("ann", do="add_entropy", entropy=SECRET.hex())
    assert there.stage() == "cutting"
    assert there.refusal("ann", **wager).code == "shoe_not_ready"
    there.must("ann", do="cut", player="ann", position=100)
    there.must("ann", **wager)


@pytest.mark.parametrize("stage", ["promising", "showing", "dealing"])
def test_nobody_cuts_a_shoe_that_is_not_sealed_or_already_cut(stage: str) -> None:
    there = at_promises("ann")
    if stage != "promising":
        there.must("ann", **promised(there, "ann", SECRET))
    if stage == "dealing":
        there.until_ready()
    assert there.stage() == stage
    assert there.refusal("ann", do="cut", player="ann", position=100).code == "no_cut"
    assert there.refusal("ann", do="decline_cut", player="ann").code == "no_cut"


FIRST_ARRIVAL = {"nz": "NZ-7.4a", "wa": "WA-4.3a", "ctg": "CTG-S2", "ca": "CA-DP-1a", "ma": "MA-5c1"}
PASSED_ON = {"nz": ("NZ-7.5-i",), "wa": ("WA-4.4-i",), "ctg": (), "ca": (), "ma": ("MA-5d-i",)}
"""In ctg and ca the book does not say who is next, and the house's default rests on no clause."""

NEXT_TO_CUT = {"nz": "cat", "wa": "cat", "ctg": "cat", "ca": "cat", "ma": "ben"}
"""Ann has box 4 and came first, ben box 2, cat box 6: clockwise goes to higher boxes, in ma the other way."""


def seated_for_cut(book: str) -> Night:
    there = Night(table(rulebook=book, timers={"cut": 10, "entropy": 0}))
    there.come("ann", "ben", "cat")
    for player, box in (("ann", 4), ("ben", 2), ("cat", 6)):
        assert isinstance(there.act(player, do="sit", box=box), Done)
    there.until(lambda: there.stage() == "cutting")
    return there


@pytest.mark.clause("NZ-7.4a", "WA-4.3a", "CTG-S2", "MA-5c1", "NZ-7.5-i", "WA-4.4-i", "MA-5d-i")
@pytest.mark.parametrize("book", FIRST_ARRIVAL)
def test_the_cut_is_offered_to_whom_the_book_designates_and_passes_on(book: str) -> None:
    there = seated_for_cut(book)
    assert [(one.player, FIRST_ARRIVAL[book] in one.clauses) for one in there.told(e.CutOffered)] == [("ann", True)]
    following = NEXT_TO_CUT[book]
    if book != "ctg":
        assert there.refusal(following, do="cut", player=following, position=100).code == "not_the_cutter"
    there.must("ann", do="decline_cut", player="ann")
    assert there.cutter == following
    assert [one.clauses for one in there.told(e.CutDeclined)] == [PASSED_ON[book]]
    assert there.live.rules.leaves["shoe.cut_pass_direction"].supplied is not bool(PASSED_ON[book])
    assert there.told(e.CutOffered)[-1].player == following
    there.must(following, do="cut", player=following, position=100)
    assert [(cut.player, cut.position) for cut in there.told(ShoeCut)] == [(following, 100)]
    assert there.live.is_shoe_ready


@pytest.mark.clause("CTG-S2")
@pytest.mark.parametrize("position", [1, 6 * 52 - 1])
def test_any_seated_player_may_cut_where_the_book_names_nobody(position: int) -> None:
    """Ann is asked first and has not declined; her offer still stands in the log."""
    there = seated_for_cut("ctg")
    assert there.cutter == "ann"
    views = {who: live_view(there.live, Viewer("player", who)).view for who in ("ann", "ben", "dan")}
    assert {who: seen.can_cut for who, seen in views.items()} == {"ann": True, "ben": True, "dan": False}
    assert views["ben"].cut_bounds == (1, 6 * 52 - 1)
    assert there.refusal("ben", do="cut", player="ben", position=6 * 52).code == "cut_out_of_bounds"
    there.must("ben", do="cut", player="ben", position=position)
    assert [(cut.player, cut.position) for cut in there.told(ShoeCut)] == [("ben", position)]
    there.until_ready()
    there.check()


@pytest.mark.clause("NZ-8.3-i", "WA-4.6", "CTG-S5", "CTG-P1", "MA-7a-i", "CA-DP-1a")
@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma", "ca"])
def test_the_automatic_dealer_burns_before_it_takes_wagers(book: str) -> None:
    there = Night(table(rulebook=book))
    there.sit("ann", "ben")
    there.until(lambda: there.live.is_shoe_ready)
    loaded = next(at for at, one in enumerate(there.log()) if isinstance(one.event, e.ShoeLoaded))
    if there.live.is_burn_due:
        assert live_view(there.live, Viewer("player", "ann")).view.open_wagers == ()
    there.until(lambda: there.live.is_ready)
    after = [one.event for one in there.log()[loaded:]]
    burned = [event for event in after if isinstance(event, e.CardBurned)]
    assert burned[0].burn == "opening"
    assert len(burned) == 1 + burned[0].more
    assert [event.card is not None for event in burned] == [book == "wa", *(False,) * burned[0].more]
    assert not any(isinstance(event, e.WagerPlaced | e.BettingClosed) for event in after)
    there.check()


@pytest.mark.parametrize("book", FIRST_ARRIVAL)
def test_a_cut_that_nobody_makes_in_time_passes_on_and_last_the_seed_cuts(book: str) -> None:
    there = seated_for_cut(book)
    began = there.clock.ticks
    there.wait(9_999)
    assert there.cutter == "ann"
    there.wait(1)
    assert there.cutter == NEXT_TO_CUT[book]
    there.until(lambda: there.live.is_ready)
    assert there.clock.ticks - began == 30_000, "each of the three had ten seconds"
    assert [one.player for one in there.told(e.CutDeclined)][:2] == ["ann", NEXT_TO_CUT[book]]
    [cut] = there.told(ShoeCut)
    assert cut.player is None
    assert [one.player for one in there.told(e.CutMade)] == [None]
    there.check()


def test_a_cut_outside_the_bounds_and_a_cut_for_another_are_refused() -> None:
    there = seated_for_cut("nz")
    assert there.refusal("ann", do="cut", player="ann", position=51).code == "cut_out_of_bounds"
    assert there.refusal("ann", do="cut", player="ann", position=6 * 52 - 51).code == "cut_out_of_bounds"
    assert there.refusal("ben", do="cut", player="ann", position=100).code == "not_entitled"
    assert there.refusal("sue", "supervisor", "to be quick", do="cut", position=100).code == "not_by_hand"


def test_who_is_away_is_not_waited_for_with_the_cut() -> None:
    there = seated_for_cut("nz")
    there.house.present("ann", there.table, False)
    there.house.advance()
    assert there.cutter == "cat"


def test_a_shoe_in_the_making_is_void_when_the_table_closes() -> None:
    there = at_promises("ann")
    there.must("ann", do="leave")
    there.must("sue", "supervisor", "end of the night", do="close_table")
    [opened] = there.told(ShoeOpened)
    assert (opened.fate, opened.reason) == ("voided", "the table closed")
    there.check()


def test_a_player_may_look_at_the_burned_card_and_nobody_else_sees_it() -> None:
    """NZ-8.3-ii: the face goes to who asks, out of the sealed shoe, and is what the opening shows."""
    there = Night(table(timers={"card": 0, "pause": 0}))
    there.sit("ann", "ben")
    there.until(lambda: there.stage() == "cutting")
    assert there.refusal("ann", do="view_initial_burn", player="ann").code == "no_burn"
    there.until_ready()
    there.must("ann", do="view_initial_burn", player="ann", card="2c")
    there.bet("ann")
    there.until_over()
    [viewed] = there.told(e.BurnViewed)
    there.until_ready()
    there.must("sue", "supervisor", "look at it", do="supervisor_shuffle", reason="suspect")
    there.until(lambda: there.stage() == "cutting")
    assert there.refusal("ann", do="view_initial_burn", player="ann", card="2c").code == "no_burn", "of the new shoe"
    shoe = there.live.shoe(1)
    assert shoe is not None
    assert shoe.seed is not None
    assert shoe.cut is not None
    committed = bytes.fromhex(shoe.commitment)
    key = d.purpose_key(bytes.fromhex(shoe.seed), "order", committed, d.mix(committed, ()))
    assert viewed.card == d.order(header(shoe).stack, key)[shoe.cut.position]
    viewers = (Viewer("player", "ann"), True), (Viewer("player", "ben"), False), (Viewer("supervisor"), False)
    for viewer, is_seen in viewers:
        told = [seen for one in there.log() if (seen := seen_event(one, viewer, there.live)) is not None]
        assert [one["card"] == viewed.card for one in told if one["name"] == "burn_viewed"] == [is_seen]


@pytest.mark.parametrize("undone", [{"do": "replace_cards"}, {"do": "supervisor_shuffle", "reason": "suspect"}])
def test_cards_that_are_shuffled_again_before_the_cut_are_a_new_sealed_shoe(undone: dict[str, Any]) -> None:
    there = seated_for_cut("nz")
    there.must("una", "operator" if undone["do"] == "replace_cards" else "supervisor", "a card was seen", **undone)
    there.until(lambda: there.live.is_ready)
    assert [shoe.fate for shoe in there.live.shoes()] == ["voided", "running"]
    assert (there.live.shoes()[0].reason or "").startswith("shuffled for: ")
    there.check()
