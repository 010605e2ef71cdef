"""The leaves: each is played, or cannot matter for a reason that is told, or is refused by name; none is ignored."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, get_args, get_origin

import pytest

from casinowar.rulebooks import BOOKS, Rulebook, RulebookError, load_rulebook, load_with
from casinowar.rulebooks.vocabulary import KEYS, fits, is_table
from casinowar.sim import PlanRefused, make_plan, offered_wagers
from casinowar.sim.leaf_account import NO_MATTER, PLAYED, is_played, reason
from tests.sim.engine_tables import samples

OPTIONS: dict[str, dict[str, object]] = {
    "ma": {"wager.progressive": True},
    "ca": {"wager.war_tie": True, "bank.model": "payoff_cap"},
}
NUMBERS = (0, 1, 3, 78)
TEXTS = ("", "1:2", "Other name")
BY_OTHERS = {
    "perfect_pairs.table": "its pay tables change the payouts",
    "payout.war_odds": "its readings change the payouts",
    "wager.tie_only": "it says which wagers may lie alone",
    "deal.to": "it says which wagers may lie alone",
    "decision.timing": "refused under a player's bank, and without meaning where the house banks",
    "bank.least_seated": "it says how few boxes may play",
    "limits.require_even": "odd stakes are refused",
    "limits.area_total_max": "higher stakes are refused",
    "limits.player_box_max": "higher stakes are refused",
    "shoe.reshuffle": "refused where cards are not shuffled",
    "open.shuffle": "refused where cards are not shuffled",
    "table.boxes": "more boxes are refused",
    "payout.progressive.on_loss": "the checks of a book allow nothing but a loss",
    "shoe.loaded": "the checks of a book let it go with the shuffler alone",
}
"""Leaves that are played without a number of their own, with what shows it below."""


def values(key: str) -> tuple[object, ...]:
    """Every value that the vocabulary has for a leaf where it lists them, else some."""
    of: Any = KEYS[key]
    if samples(key):
        return samples(key)
    if get_origin(of) is tuple:
        inner = get_args(get_args(of)[0])
        return ([], list(inner[:1]), list(inner)) if inner and isinstance(inner[0], str) else ([],)
    if is_table(key):
        return ({},)
    return tuple(value for value in (*NUMBERS, *TEXTS, True, False) if fits(key, value))


def fingerprints(rules: Rulebook) -> Iterator[object]:
    """The numbers of plans that between them read every leaf; a refusal counts by its words."""
    choices: list[dict[str, Any]] = [
        {"boxes": 2, "wagers": {wager: 7 for wager in offered_wagers(rules) if wager != "progressive"}},
        {"boxes": 3, "bank_stake": 150, "dry_shoe": "void", "counted": {"tie": Fraction(1, 100)}},
        {"boxes": 2, "fresh": True, "meter_runs": "progressive" in offered_wagers(rules)},
    ]
    for choice in choices:
        try:
            yield make_plan(rules, **choice).numbers
        except PlanRefused as error:
            yield str(error)


def changed(book: str, keys: Iterable[str]) -> Iterator[tuple[str, object, Rulebook]]:
    """The book with one leaf at a time at each of its values, wherever that loads."""
    base = load_with(book, OPTIONS.get(book, {}))
    for key in keys:
        for value in values(key):
            if key in base.leaves and base.leaves[key].value == value:
                continue
            try:
                rules = load_with(book, {**OPTIONS.get(book, {}), key: value}, any_decks=True)
            except RulebookError:
                continue
            if key in rules.leaves:
                yield key, value, rules


def test_every_key_of_the_vocabulary_has_its_place() -> None:
    """A leaf that is new to the vocabulary must be played, or the reason given why it cannot matter."""
    assert [key for key in KEYS if not is_played(key) and reason(key) is None] == []
    assert [key for key in PLAYED if key not in KEYS] == []
    groups = {key.partition(".")[0] for key in KEYS}
    assert [key for key in NO_MATTER if key not in KEYS and key not in groups] == []
    assert [key for key in NO_MATTER if key in PLAYED] == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_leaf_that_cannot_matter_changes_no_number(book: str) -> None:
    base = list(fingerprints(load_with(book, OPTIONS.get(book, {}))))
    tried = 0
    for key, value, rules in changed(book, (key for key in KEYS if not is_played(key))):
        assert list(fingerprints(rules)) == base, f"{key} = {value} changes the numbers, though: {reason(key)}"
        tried += 1
    assert tried > 100


def is_read(key: str) -> bool:
    """Whether some value of the leaf changes a number in some book."""
    for book in BOOKS:
        base = list(fingerprints(load_with(book, OPTIONS.get(book, {}))))
        if any(list(fingerprints(rules)) != base for _, _, rules in changed(book, [key])):
            return True
    return False


@pytest.mark.parametrize("group", sorted({key.partition(".")[0] for key in KEYS if is_played(key)}))
def test_every_leaf_that_is_played_is_read(group: str) -> None:
    keys = [key for key in KEYS if is_played(key) and key.startswith(f"{group}.")]
    assert [key for key in keys if key not in BY_OTHERS and not is_read(key)] == []


def test_every_option_of_every_book_is_played_or_refused_by_name() -> None:
    """Each allowed value of each leaf that an operator may set gives a plan, or a refusal that names a leaf."""
    refused = []
    for book in BOOKS:
        for key, value, rules in changed(book, KEYS):
            if rules.extends is None:
                try:
                    assert make_plan(rules, boxes=2).numbers
                except PlanRefused as error:
                    refused.append(f"{book} {key} = {value}: {error}")
    assert [told for told in refused if "progressive.unit" not in told] == []


@pytest.mark.parametrize(
    ("book", "settings", "choices", "named"),
    [
        ("nz", {"shoe.reshuffle": False}, {}, "shoe.reshuffle"),
        ("nz", {"open.shuffle": False}, {}, "open.shuffle"),
        ("ca", {"decision.timing": "in_pass"}, {"boxes": 3}, "decision.timing"),
        ("nz", {"shoe.marker_from_back": 312}, {}, "shoe.marker_from_back"),
        ("wa", {"shoe.round_burn": 2}, {}, "shoe.round_burn = 2"),
        ("nz", {}, {"counted": {"tie": Fraction(1, 10**17)}}, "counted"),
        ("nz", {}, {"counted": {"tie": Fraction(10**30)}}, "counted"),
        ("nz", {"limits.require_even": True}, {"wagers": {"initial": 7}}, "limits.require_even"),
        ("nz", {"limits.area_total_max": 150}, {}, "limits.area_total_max"),
        ("nz", {"limits.player_box_max": 150}, {}, "limits.player_box_max"),
        ("ca", {}, {"boxes": 3, "wagers": ("tie",)}, "wager.tie_only"),
        ("nz", {}, {"boxes": 8}, "table.boxes"),
        ("ca", {}, {"boxes": 1}, "table.boxes"),
        ("nz", {"table.boxes": 3}, {"boxes": 4}, "table.boxes"),
        ("ca", {"bank.least_seated": 4}, {"boxes": 3}, "4 to 8"),
        ("nz", {}, {"dry_shoe": "void"}, "shoe.short"),
        ("nz", {}, {"bank_stake": 5}, "bank.by"),
        ("ca", {}, {"boxes": 3, "session": 5, "bankroll": 500}, "bank.by"),
        ("nz", {}, {"wagers": ("a_bomb",)}, "a_bomb"),
        ("nz", {}, {"counted": {"initial": 0}}, "initial"),
        ("ma", {}, {"meter": 5}, "meter"),
        ("nz", {"war.stake": "1:200"}, {}, "war.stake"),
    ],
)
def test_what_the_kernel_cannot_honour_is_refused_by_name(
    book: str, settings: dict[str, object], choices: dict[str, Any], named: str
) -> None:
    with pytest.raises(PlanRefused, match=named):
        make_plan(load_with(book, settings), **choices)


def test_a_leaf_that_nobody_knows_is_refused() -> None:
    from msgspec.structs import replace

    rules = load_rulebook("nz")
    strange = replace(rules, leaves={**rules.leaves, "war.drums": rules.leaves["war.burn"]})
    with pytest.raises(PlanRefused, match=r"war\.drums"):
        make_plan(strange)
