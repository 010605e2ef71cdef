"""A dishonest operator throws shoes away: whatever the way, the list of the table's name has each as voided, by whom.

Every scenario is held against both verifiers and the audit; the twins are in test_shoe_twins.py.
"""

from pathlib import Path

import pytest

from casinowar.audit import Audit
from casinowar.house.shoes.shoe_list import ShoeList
from casinowar.protocol import Done
from tests.support.live_night import FAST, HOUR, table
from tests.support.thrown_shoes import (
    MARKER,
    OZ,
    SIX_DECKS,
    close,
    fates,
    leave,
    open_again,
    opened,
    published,
    restart,
    sound,
    to_shoe,
)

# What an operator can do with the house's own program.


@pytest.mark.clause("NZ-8.3-i")
@pytest.mark.parametrize(("due", "burned"), [("when_loaded", 1), ("at_deal", 0)])
def test_two_shoes_thrown_away_by_closing_are_two_voided_in_one_list(due: str, burned: int) -> None:
    """The first was loaded and never bet on; whether its opening card was burned by then is the book's."""
    options = {"burn.due": due}
    night = opened(table("late", timers=FAST, options=options))
    to_shoe(night)
    close(night)
    open_again(night, options=options)
    to_shoe(night, cards=3)
    close(night)
    open_again(night, options=options)
    to_shoe(night)
    lines = sound(night)
    voided = ("voided", "the table closed", OZ)
    assert fates(lines) == [voided, voided, ("running", None, None)]
    assert [(line.shoe, line.out, line.cards, line.marker) for line in lines] == [
        ("late/1", burned, SIX_DECKS, MARKER),
        ("late.2/2", 3, SIX_DECKS, MARKER),
        ("late.3/3", burned, SIX_DECKS, MARKER),
    ]
    assert [line.number for line in published(night, "late.2")[0]] == [1, 2], "an opening tells what was before it"
    night.check()


def test_a_restart_with_one_changed_limit_goes_on_in_the_same_chain() -> None:
    night = opened()
    to_shoe(night, cards=3)
    leave(night)
    changed = table("late", timers=FAST, limit={"minimum": 700, "maximum": 50_000, "unit": 100})
    restart(night, changed)
    to_shoe(night)
    assert night.live.stream == "late.2"
    closed = ("voided", "the table closed: the settings have changed", "house")
    assert fates(sound(night)) == [closed, ("running", None, None)]
    restart(night, changed)
    assert fates(sound(night)) == [closed, ("running", None, None)], "the same after a plain restart"


def test_a_table_that_is_gone_from_the_settings_and_comes_back_has_its_list_from_before() -> None:
    night = opened()
    to_shoe(night)
    leave(night)
    restart(night, table("other"))
    assert "late" not in night.house.tables
    closed = ("voided", "the table closed: the settings have changed", "house")
    assert fates(sound(night)) == [closed], "the list is there while the table is not"
    restart(night, table("other"), table("late", timers=FAST))
    night.table = "late"
    to_shoe(night)
    assert fates(sound(night)) == [closed, ("running", None, None)]


def test_under_another_name_a_table_has_another_list_and_the_old_one_stays() -> None:
    night = opened()
    to_shoe(night)
    leave(night)
    restart(night, table("later", timers=FAST))
    night.table = "later"
    to_shoe(night)
    assert [fate for fate, _, _ in fates(sound(night, "late"))] == ["voided"]
    assert [(line.number, line.previous) for line in sound(night, "later")] == [(1, None)]


def test_a_server_that_is_killed_in_the_middle_of_a_shoe_goes_on_with_it() -> None:
    night = opened()
    to_shoe(night, cards=3)
    restart(night, *night.settings.tables)
    assert [(line.fate, line.out) for line in sound(night)] == [("running", 3)]


def test_a_kill_between_closing_and_opening_the_shoe_does_not_lose_it() -> None:
    night = opened()
    to_shoe(night)
    leave(night)
    assert isinstance(night.act("oz", "operator", "a quiet night", do="close_table"), Done)
    assert night.live.keeper.shoe is not None, "nothing has been done after the command"
    restart(night, *night.settings.tables)
    to_shoe(night)
    assert fates(sound(night)) == [("voided", "the table closed", OZ), ("running", None, None)]


def test_whoever_has_the_cards_shuffled_is_named() -> None:
    night = opened()
    to_shoe(night, cards=3)
    night.must("sue", "supervisor", "a card looks marked", do="supervisor_shuffle", reason="suspect")
    night.until_ready()
    night.must("una", "operator", "they are old", do="replace_cards")
    night.until_ready()
    assert fates(sound(night)) == [
        ("voided", "shuffled for: suspect", "supervisor:sue"),
        ("voided", "shuffled for: replacement", "operator:una"),
        ("running", None, None),
    ]


@pytest.mark.parametrize("stage", ["promising", "showing", "cutting"])
@pytest.mark.parametrize("way", ["close", "shuffle"])
def test_a_shoe_in_the_making_is_voided_with_a_name(stage: str, way: str) -> None:
    night = opened(table("late", timers={"cut": 10, "entropy": 3}))
    night.come("ann")
    night.must("ann", do="sit", box=1)
    if stage == "showing":
        night.must("ann", do="promise_entropy", promise="ab" * 32)
    night.until(lambda: night.stage() == stage)
    if way == "close":
        close(night)
        assert fates(sound(night)) == [("voided", "the table closed", OZ)]
        return
    night.must("sue", "supervisor", "a card was seen", do="supervisor_shuffle", reason="suspect")
    lines = sound(night)
    assert lines[0].fate == ("voided" if stage == "cutting" else "running"), "before the cut no card lies anywhere"
    if stage == "cutting":
        assert fates(lines)[0] == ("voided", "shuffled for: suspect", "supervisor:sue")


def test_other_decks_end_a_shoe_in_the_making_by_whoever_announced_them() -> None:
    slow = {"timers": {"cut": 10, "entropy": 3_600}, "options": {"wager.perfect_pairs": False}}
    night = opened(table("late", "wa", **slow))
    night.come("ann")
    night.must("ann", do="sit", box=1)
    night.must("mia", "manager", "new decks", do="announce_decks", decks=8)
    assert night.stage() == "promising"
    night.until(lambda: len(night.live.shoes()) == 2, within=HOUR)
    lines = sound(night)
    assert fates(lines) == [("voided", "the number of decks changed", "manager:mia"), ("running", None, None)]
    assert [line.cards for line in lines] == [312, 416]


def test_a_deserted_private_table_is_closed_by_the_house() -> None:
    night = opened()
    night.house.welcome("ann")
    answer = night.house.open_private("ann", "p1", "nz", ("war",))
    assert isinstance(answer, Done)
    night.table = answer.table
    to_shoe(night)
    leave(night)
    night.house.present("ann", answer.table, False)
    night.until(lambda: night.live.table.is_closed)
    night.house.advance()
    assert fates(sound(night, answer.table)) == [("voided", "the table closed: everybody has left", "house")]


def test_a_continuous_shuffler_s_stack_is_finished_by_a_round_and_voided_without_one() -> None:
    night = opened(table("late", timers=FAST, options={"shoe.shuffler": "continuous"}))
    to_shoe(night)
    night.bet("ann")
    night.until(lambda: night.live.table.round.is_over)
    night.until_ready()
    close(night)
    lines = sound(night)
    assert fates(lines) == [("finished", None, None), ("voided", "the table closed", OZ)]
    assert [line.marker for line in lines] == [None, None]


@pytest.mark.parametrize("book", ["nz", "wa"])
@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_continuous_shuffler_s_stack_is_voided_after_an_opening_burn_and_no_round(
    book: str, is_restarted: bool
) -> None:
    """The burn comes before the wagers, so it is no part of a round."""
    night = opened(table("late", book, timers=FAST, options={"shoe.shuffler": "continuous"}))
    to_shoe(night)
    if is_restarted:
        restart(night, *night.settings.tables)
    close(night)
    lines = sound(night)
    assert fates(lines) == [("voided", "the table closed", OZ)]
    assert lines[0].out > 0


def test_twin_a_burned_stack_that_is_called_finished_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ShoeList, "is_at_end", property(lambda listed: True))
    night = opened(table("late", timers=FAST, options={"shoe.shuffler": "continuous"}))
    to_shoe(night)
    close(night)
    assert fates(published(night)[0]) == [("finished", None, None)]
    monkeypatch.undo()
    [found] = [str(one) for one in Audit(night.store).findings()]
    assert found.endswith("shoe late/1: is called finished, and was not at its cutting card")


def test_real_cards_between_two_openings_leave_the_chain_whole() -> None:
    night = opened()
    to_shoe(night)
    close(night)
    open_again(night, dealer="real")
    night.house.advance()
    assert [line.fate for line in sound(night)] == ["voided"], "real cards seal nothing"
    night.must("oz", "operator", "a quiet night", do="close_table")
    open_again(night)
    to_shoe(night)
    assert [(line.number, line.shoe) for line in sound(night)] == [(1, "late/1"), (2, "late.3/2")]


def small_shoe(folder: Path, **leaves: object) -> str:
    """One deck of New Zealand's game."""
    shoe = {"decks": 1, "cut_depth": 5, "marker_from_back": 20, **leaves}
    lines = ['extends = "nz"', 'title = "Few cards"', 'version = "a house rulebook"', "[shoe]"]
    file = folder / "few.toml"
    file.write_text("\n".join([*lines, *(f"{key} = {value}" for key, value in shoe.items())]) + "\n", "utf-8")
    return str(file)


def test_a_shoe_that_is_played_to_its_cutting_card_is_finished(tmp_path: Path) -> None:
    night = opened(table("late", small_shoe(tmp_path), timers=FAST))
    to_shoe(night)
    while len(night.live.shoes()) < 3:
        night.until_ready()
        night.bet("ann", 500)
        night.until(lambda: night.live.table.round.is_over)
        night.house.advance()
    lines = sound(night)
    assert [line.fate for line in lines] == ["finished", "finished", "running"]
    assert all(line.marker == 32 <= line.out for line in lines[:2])


def test_a_shoe_loaded_in_mid_round_after_which_the_book_shuffles_is_no_finished_one(tmp_path: Path) -> None:
    """Nothing lies behind the cutting card, so the shoe runs dry in a round, and the shuffle is still due after it."""
    book = small_shoe(tmp_path, marker_from_back=1, short_discharges="false")
    night = opened(table("late", book, timers=FAST, bots=[{"strategy": "war"}] * 5), guest_purse=10_000_000)
    night.sit("ann")
    for _ in range(60):
        night.until_ready()
        night.bet("ann", 500)
        night.until_over()
        reasons = {line.reason for line in night.live.shoes()}
        if any(reason and "middle of a round" in reason for reason in reasons):
            break
    lines = sound(night)
    assert ("voided", "loaded in the middle of a round, after which the book shuffles", "house") in fates(lines)
