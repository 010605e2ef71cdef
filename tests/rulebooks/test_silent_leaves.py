"""Leaves of which the book does not speak, and clauses by case: how they are read, refused, frozen and thawed."""

import copy
from typing import Any

import msgspec
import pytest

from casinowar.records.write import book_of
from casinowar.rulebooks import SILENT, RulebookError, citation, clauses_in_case, load_rulebook
from casinowar.rulebooks.frozen import FrozenBook, thaw
from casinowar.rulebooks.load import load_data, read_book
from casinowar.store import resolved, rules_of


def book(name: str, group: str, **leaves: dict[str, Any]) -> dict[str, Any]:
    """A packaged book's data with some leaves of one group replaced."""
    data = copy.deepcopy(read_book(name))
    data[group].update(leaves)
    return data


def test_a_supplied_leaf_has_no_clause_and_says_so() -> None:
    rules = load_data(book("ca", "irreg", face_up={"value": "discard", "supplied": True, "see": ["CA-DP-5"]}))
    leaf = rules.leaves["irreg.face_up"]
    assert (leaf.supplied, leaf.clauses, leaf.see) == (True, (), ("CA-DP-5",))
    assert rules.clauses["irreg.face_up"] == ()
    assert citation(leaf.clauses) == SILENT == "the book is silent; house default"
    assert citation(("NZ-9.1", "NZ-9.2")) == "NZ-9.1, NZ-9.2"


def test_a_leaf_may_be_supplied_under_one_choice_alone() -> None:
    fault = {
        "by": "shoe.shuffler",
        "value": {"manual": "none", "continuous": "void_hands"},
        "clauses": {"continuous": ["WA-5.6"]},
        "supplied": {"manual": True},
        "see": {"manual": ["WA-1.1-AUTO"]},
    }
    data = book("wa", "irreg", shuffler_fault=fault)
    by_hand = load_data(data).leaves["irreg.shuffler_fault"]
    assert (by_hand.supplied, by_hand.clauses, by_hand.see) == (True, (), ("WA-1.1-AUTO",))
    machine = load_data(data, {"shoe.shuffler": "continuous"}).leaves["irreg.shuffler_fault"]
    assert (machine.supplied, machine.clauses, machine.see) == (False, ("WA-5.6",), ())


@pytest.mark.parametrize(
    ("leaf", "says"),
    [
        ({"value": "discard", "supplied": True, "clauses": ["CA-DP-5"]}, "is supplied and names clauses"),
        ({"value": "discard", "supplied": False}, "supplied = off: it is true, or left out"),
        ({"value": "discard", "supplied": "yes"}, "supplied = yes: it is true, or left out"),
        ({"value": "discard", "clauses": []}, "irreg.face_up names no clause"),
        ({"value": "use_it", "supplied": True}, r"irreg.face_up = use_it \(the book is silent; house default\)"),
        ({"value": "discard", "supplied": True, "see": ["CA-99"]}, "rests on 'CA-99', which is not in the catalogue"),
        ({"value": "discard", "clauses": ["CA-DP-5"], "cases": {"lower": ["CA-DP-5"]}}, "the leaf has none"),
    ],
)
def test_neither_or_both_is_a_load_error(leaf: dict[str, Any], says: str) -> None:
    with pytest.raises(RulebookError, match=says):
        load_data(book("ca", "irreg", face_up=leaf))


def test_the_book_may_be_silent_in_one_case() -> None:
    data = copy.deepcopy(read_book("ma"))
    data["payout"]["tie"]["on_loss"] = {"value": "lose", "clauses": ["MA-8a1"], "cases": {"higher": []}}
    rules = load_data(data)
    assert clauses_in_case(rules, "payout.tie.on_loss", "higher") == ()
    assert clauses_in_case(rules, "payout.tie.on_loss", "lower") == ("MA-8a1",)
    assert rules.lost_ties["tie", True].clauses == ()


def test_a_frozen_book_keeps_what_is_supplied_and_its_cases() -> None:
    """In the store and in a record. The lost tie by case is made of `cases`, which a record used to lose."""
    data = book("ma", "irreg", missed_offer={"value": "floor_ruling", "supplied": True, "see": ["MA-8c"]})
    rules = load_data(data)
    in_record = thaw(msgspec.convert(book_of(rules), FrozenBook, str_keys=True))
    for again in (rules_of(resolved(rules)), in_record):
        assert again.leaves == rules.leaves
        assert again.clauses == rules.clauses
        assert again.lost_ties == rules.lost_ties
        assert again.lost_ties["tie", True].clauses == ("MA-8a2",)


def test_a_book_frozen_before_there_were_supplied_leaves_cites_what_it_cited() -> None:
    old = msgspec.to_builtins(book_of(load_rulebook("ca")))
    old["leaves"]["irreg.face_up"] = {"value": "discard", "clauses": ["CA-DP-5"]}
    leaf = thaw(msgspec.convert(old, FrozenBook, str_keys=True)).leaves["irreg.face_up"]
    assert (leaf.clauses, leaf.supplied, leaf.see) == (("CA-DP-5",), False, ())
