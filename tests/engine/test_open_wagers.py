"""Which wagers a box has a place for, as its viewer is told, against what the book then takes."""

from casinowar.engine.view import Viewer, view
from casinowar.fairness import practice_bytes
from tests.support.live_night import Night, table

BOTH = ("initial", "tie")


def night(book: str) -> Night:
    timers = {"card": 0, "pause": 0, "entropy": 0, "cut": 0}
    there = Night(table(rulebook=book, timers=timers), source=practice_bytes("t"))
    there.sit("ann", "ben")
    there.until_ready()
    return there


def places(there: Night, player: str) -> dict[int, tuple[str, ...]]:
    seen = view(there.live.rules, there.live.table, Viewer("player", player))
    return {box.box: box.open_wagers for box in seen.boxes}


def test_whoever_has_bet_on_a_box_has_no_place_on_another() -> None:
    """NZ-5.7: several boxes are the operator's to grant; NZ-5.9-i: others may bet on the same one."""
    there = night("nz")
    everywhere = dict.fromkeys(range(1, 8), BOTH)
    assert places(there, "ann") == everywhere
    there.bet("ann")
    assert places(there, "ann") == {**dict.fromkeys(range(2, 8), ()), 1: BOTH}
    assert places(there, "ben") == everywhere
    watcher = view(there.live.rules, there.live.table, Viewer("watcher"))
    assert not any(box.open_wagers for box in watcher.boxes)


def test_second_pairs_have_a_place_on_boxes_at_war_alone() -> None:
    """WA-3.14b: Perfect Pairs goes down again on a box where a war wager is made, and on no other."""
    there = night("wa")
    there.until_tie("ann", amount=500)
    there.must("ann", do="go_to_war", player="ann", box=1)
    assert there.live.table.phase == "war_betting"
    expected = {**dict.fromkeys(range(2, 8), ()), 1: ("war_perfect_pairs",)}
    assert places(there, "ann") == places(there, "ben") == expected
    second = {"do": "place_wager", "player": "ben", "wager": "war_perfect_pairs", "amount": 500}
    assert there.refusal("ben", box=2, **second).code == "no_war_wager"
    there.must("ben", box=1, **second)


def test_whoever_says_to_be_ready_does_not_wait_for_the_wars_cards() -> None:
    """MA-8e-iii gives time for a second tie wager; those who are at war may say that they want no more of it."""
    there = night("ma")
    there.until_tie("ann", amount=500)
    there.must("ann", do="go_to_war", player="ann", box=1)
    there.wait(1)
    assert there.live.table.phase == "war_betting"
    there.must("ann", do="ready")
    there.wait(1)
    assert there.live.table.round.is_over
