"""What the operator of a WA table may set, what it may not, and what the error then says."""

import pytest

from casinowar.rulebooks import SILENT, RulebookError, load_rulebook

OUTSIDE = [
    ("table.boxes", 0, "WA-2.1", "1 to 7"),
    ("table.boxes", 8, "WA-2.1", "1 to 7"),
    ("table.boxes", True, "WA-2.1", "1 to 7"),
    ("table.bettors_per_area", 0, "WA-3.3", "1 to 3"),
    ("table.bettors_per_area", 4, "WA-3.3", "1 to 3"),
    ("table.multi_box", 2, "WA-6.3", "off, on"),
    ("table.max_boxes_per_player", 0, "WA-6.3", "1 to 7"),
    ("table.max_boxes_per_player", 8, "WA-6.3", "1 to 7"),
    ("limits.unit_from", "maximum", "WA-5.7b", "zero, minimum"),
    ("limits.require_even", 1, "WA-1.1-SUR", "off, on"),
    ("wager.tie", "maybe", "WA-1.1-BOX", "on, off"),
    ("wager.a_bomb", 0, "WA-1.1-BOX", "on, off"),
    ("wager.perfect_pairs", 1, "WA-1.1-BOX", "on, off"),
    ("priority.war_perfect_pairs", "none", "WA-4.11", "war, war_only"),
    ("betting.closes", "never", "WA-3.2", "first_card, call"),
    ("surrender.odd_unit", "dealer", "WA-4.10a", "player, house"),
    ("war.exempt", 1, "WA-3.7", "on, off"),
    ("perfect_pairs.table", "P9", "WA-3.16-op, WA-3.16-6", "P6a, P6b, P6c, P6d with shoe.decks = 6"),
    ("shoe.decks", 5, "WA-2.2, WA-2.3a", "4, 6, 8"),
    ("shoe.decks", "6", "WA-2.2, WA-2.3a", "4, 6, 8"),
    ("shoe.shuffler", "batch_auto", "WA-2.5, WA-1.1-AUTO, WA-1.1-RACK", "manual, continuous"),
    ("shoe.marker_from_back", 51, "WA-4.5", "52 to 260"),
    ("shoe.marker_from_back", 261, "WA-4.5", "52 to 260"),
    ("shoe.round_burn", 2, "WA-4.2-i, WA-4.2-ii", "0, 1"),
    ("shoe.short_discharges", 0, "WA-4.14", "off, on"),
    ("shoe.midround_burn", "twice", "WA-5.5, WA-4.6", "as_opening, none"),
    ("limits.linked_players", "ana", "WA-5.8", "lists of players who bet together"),
    ("irreg.void_scope", "none", "WA-5.4-ii", "open, all"),
    ("irreg.contravention", "none", "WA-6.6a, WA-6.6b", "refund, forfeit"),
    ("irreg.invalidate_scope", "none", "WA-6.10", "all, open"),
]

FIXED = [
    ("limits.on_under_min", "reject", "play_as_placed", "WA-5.7a, WA-5.7-adv"),
    ("limits.on_over_max", "reject", "clamp_advise", "WA-5.7c, WA-5.7-adv"),
    ("limits.on_off_unit", "reject", "floor_to_unit", "WA-5.7b, WA-5.7-adv"),
    ("wager.war_tie", True, "off", "WA-3.10a"),
    ("wager.tie_only", False, "on", "WA-4.8a"),
    ("war.burn", 0, "3", "WA-4.12a"),
    ("war.stake", "2:1", "1:1", "WA-3.7"),
    ("payout.tie.on_win", "11:1", "10:1", "WA-3.10a, WA-3.11"),
    ("payout.a_bomb.on_win", "11:1", "10:1", "WA-3.12a, WA-3.13"),
    ("shoe.cut_depth", 10, "52", "WA-4.5"),
    ("shoe.new_dealer_burn", 1, "0", "WA-4.6"),
    ("shoe.cut_offered", False, "manual on, continuous off", "WA-4.3, WA-1.1-AUTO"),
    ("irreg.misdealt", "forward_only", "reconstruct_else_void", "WA-5.4-i"),
    ("irreg.exposed_extra", "discard", "use_if_needed_else_burn", "WA-5.2, WA-5.3"),
    ("irreg.arbiter", "pit_boss", "operator", "WA-6.11"),
    ("notice.decks", 0, "30", "WA-2.3b"),
    ("burn.visibility", "hidden", "face_up", "WA-4.6a"),
]


SUPPLIED = ("limits.require_even", "surrender.odd_unit", "shoe.new_dealer_burn", "shoe.marker_from_back")


def told_of(key: str, clauses: str) -> str:
    """The clauses, or that the book is silent; then the row's clause only bears on it."""
    return SILENT if key in SUPPLIED else clauses


def marked(rows: list[tuple[str, object, str, str]], place: int) -> list[object]:
    """The rows as parameters, each marked with the clauses that stand in it."""
    return [pytest.param(*row, marks=pytest.mark.clause(*str(row[place]).split(", "))) for row in rows]


@pytest.mark.parametrize(("key", "value", "clauses", "allowed"), marked(OUTSIDE, 2))
def test_a_value_outside_is_refused_with_key_clause_and_what_is_allowed(
    key: str, value: object, clauses: str, allowed: str
) -> None:
    with pytest.raises(RulebookError) as told:
        load_rulebook("wa", {key: value})
    shown = {True: "on", False: "off"}[value] if isinstance(value, bool) else value
    assert str(told.value) == f"wa does not allow {key} = {shown} ({told_of(key, clauses)}): allowed {allowed}"


@pytest.mark.parametrize(("key", "value", "fixed", "clauses"), marked(FIXED, 3))
def test_what_the_book_fixes_is_no_option(key: str, value: object, fixed: str, clauses: str) -> None:
    with pytest.raises(RulebookError) as told:
        load_rulebook("wa", {key: value})
    assert str(told.value) == f"wa fixes {key} at {fixed} ({told_of(key, clauses)}): it is no option"


@pytest.mark.clause("WA-4.5", "WA-2.2")
@pytest.mark.parametrize(("decks", "most"), [(4, 156), (6, 260), (8, 364)])
def test_the_bounds_of_the_cutting_card_follow_the_decks(decks: int, most: int) -> None:
    assert load_rulebook("wa", {"shoe.decks": decks}).shoe.marker_from_back == 78
    for inside in (52, most):
        options = {"shoe.decks": decks, "shoe.marker_from_back": inside}
        assert load_rulebook("wa", options).shoe.marker_from_back == inside
    with pytest.raises(RulebookError, match=f"allowed 52 to {most}"):
        load_rulebook("wa", {"shoe.decks": decks, "shoe.marker_from_back": most + 1})


@pytest.mark.clause("WA-6.3", "WA-2.1")
def test_the_boxes_of_a_player_are_bounded_by_those_of_the_table() -> None:
    assert load_rulebook("wa").table.max_boxes_per_player == 7
    assert load_rulebook("wa", {"table.boxes": 4}).table.max_boxes_per_player == 4
    with pytest.raises(RulebookError, match="allowed 1 to 4"):
        load_rulebook("wa", {"table.boxes": 4, "table.max_boxes_per_player": 5})


@pytest.mark.clause("WA-1.1-BOX", "WA-6.3")
@pytest.mark.parametrize("key", ["wager.tie", "wager.a_bomb", "wager.perfect_pairs", "table.multi_box"])
@pytest.mark.parametrize(("written", "meant"), [("on", True), ("off", False), (True, True), (False, False)])
def test_switches_may_be_written_as_on_and_off(key: str, written: object, meant: bool) -> None:
    assert load_rulebook("wa", {key: written}).leaves[key].value is meant
