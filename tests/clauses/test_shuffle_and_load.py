"""Every book: why the cards are shuffled, and how the stack comes into the shoe, each told by its own clauses."""

import pytest
from msgspec.structs import replace

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide import step
from casinowar.engine.events import Refusal
from casinowar.engine.state import Table
from casinowar.engine.view.procedure import procedure
from casinowar.rulebooks import Rulebook, load_rulebook
from casinowar.store.stored_rules import digest_of, resolved, rules_of

BY_HAND = ("MA-5i", "MA-5i1", "MA-5i2", "MA-5i3", "MA-5i4")


def prepared(book: str, reason: str, shuffler: str | None = None) -> list[e.Event]:
    """The way of a stack into the shoe as the dealer's procedure has it; each act cites what the procedure told."""
    return walked(load_rulebook(book, {"shoe.shuffler": shuffler} if shuffler else {}), reason)


def walked(rules: Rulebook, reason: str) -> list[e.Event]:
    table = replace(Table(), shuffle=reason)
    events: list[e.Event] = []
    while table.shuffle is not None:
        due = procedure(rules, table)[0]
        assert due.command is not None
        done = step(rules, table, due.command)
        assert not isinstance(done, Refusal), done
        if due.act in ("shuffle", "load"):
            assert due.clauses == done[0][-1].clauses
        events += done[0]
        table = done[1]
    return events


def shuffles(events: list[e.Event]) -> list[tuple[str, ...]]:
    return [event.clauses for event in events if isinstance(event, e.CardsPrepared) and event.step == "shuffle"]


def loads(events: list[e.Event]) -> list[tuple[str, ...]]:
    return [event.clauses for event in events if isinstance(event, e.ShoeLoaded)]


STARTS = {
    "nz": ("NZ-7.1", "NZ-7.1a"),
    "wa": ("WA-4.1-i",),
    "ctg": ("CTG-S1",),
    "ma": ("MA-5a-i", "MA-5a-iii", *BY_HAND),
}


@pytest.mark.parametrize(
    "book", [pytest.param(book, marks=pytest.mark.clause(*clauses)) for book, clauses in STARTS.items()]
)
def test_before_play_starts_the_cards_are_shuffled(book: str) -> None:
    assert shuffles(prepared(book, "start")) == [STARTS[book]]


LATER = {
    "nz": ("NZ-7.1",),
    "wa": ("WA-4.1-ii",),
    "ctg": ("CTG-S1", "CTG-W10"),
    "ma": ("MA-5a-ii", "MA-5a-iii", *BY_HAND),
}


@pytest.mark.parametrize(
    "book", [pytest.param(book, marks=pytest.mark.clause(*clauses)) for book, clauses in LATER.items()]
)
def test_after_a_shoe_they_are_shuffled_again(book: str) -> None:
    assert shuffles(prepared(book, "cut_card")) == [LATER[book]]


SHORT = {"nz": ("NZ-9.5-i", "NZ-9.5-ii"), "wa": ("WA-5.5",), "ca": (), "ma": BY_HAND}
"""Two books are silent about a shoe that runs short, and one of them names the steps of a shuffle by hand."""

BEARS_ON_IT = {"nz": "NZ-9.5-i", "wa": "WA-5.5", "ca": "CA-DECK-3e", "ma": "MA-2d6"}


@pytest.mark.parametrize(
    "book", [pytest.param(book, marks=pytest.mark.clause(clause)) for book, clause in BEARS_ON_IT.items()]
)
def test_in_the_middle_of_a_round_the_discards_are_shuffled_because_the_shoe_ran_short(book: str) -> None:
    table = replace(Table(), phase="dealing", queue=(0,), shuffle=None)
    due = procedure(load_rulebook(book), table)
    assert (due[0].act, due[0].clauses) == ("shuffle", SHORT[book])


LOADS: list[tuple[str, str | None, tuple[str, ...]]] = [
    ("nz", None, ("NZ-7.7a-iii",)),
    ("nz", "batch_auto", ("NZ-7.7a-iii",)),
    ("nz", "continuous", ("NZ-7.7b-i", "NZ-7.7b-ii")),
    ("wa", None, ("WA-2.5", "WA-1.1-SHOE")),
    ("wa", "continuous", ("WA-2.5", "WA-1.1-AUTO")),
    ("ctg", None, ("CTG-S4",)),
    ("ca", None, ("CA-DP-1a", "CA-DP-3")),
    ("ma", None, ("MA-5f-iii",)),
    ("ma", "batch_auto", ("MA-5f-iii",)),
]


@pytest.mark.parametrize(
    ("book", "shuffler", "clauses"), [pytest.param(*row, marks=pytest.mark.clause(*row[2])) for row in LOADS]
)
def test_the_stack_goes_into_the_shoe_with_its_cutting_card_or_into_a_machine_without(
    book: str, shuffler: str | None, clauses: tuple[str, ...]
) -> None:
    events = prepared(book, "start", shuffler)
    assert loads(events) == [clauses]
    loaded = events[-1]
    assert isinstance(loaded, e.ShoeLoaded)
    assert (loaded.cut_card is None) == (shuffler == "continuous")
    markers = [event for event in events if isinstance(event, e.MarkerPlaced)]
    assert len(markers) == (0 if shuffler == "continuous" else 1)


@pytest.mark.clause("CA-DECK-3c", "MA-2d4")
@pytest.mark.parametrize(("book", "clause"), [("ca", "CA-DECK-3c"), ("ma", "MA-2d4")])
def test_the_batch_that_was_shuffled_and_stored_in_the_machine_comes_out(book: str, clause: str) -> None:
    (swapped,) = [
        event
        for event in prepared(book, "cut_card", "batch_auto")
        if isinstance(event, e.CardsPrepared) and event.step == "swap_batch"
    ]
    assert clause in swapped.clauses


@pytest.mark.clause("NZ-7.7b-i")
def test_a_machine_that_deals_takes_no_cutting_card() -> None:
    rules = load_rulebook("nz", {"shoe.shuffler": "continuous"})
    refusal = Refusal("no_marker", ("NZ-7.7b-i", "NZ-7.7b-ii"))
    assert step(rules, Table(), c.PlaceMarker(from_back=78)) == refusal
    assert step(rules, Table(), c.ShowCutCard()) == refusal


@pytest.mark.parametrize(("shuffler", "marked"), [("manual", 1), ("continuous", 0)])
def test_rules_that_were_stored_without_these_leaves_are_played_as_they_were(shuffler: str, marked: int) -> None:
    stored = resolved(load_rulebook("nz@1", {"shoe.shuffler": shuffler}))
    new = ("open.shuffle", "shoe.reshuffle", "shoe.loaded")
    leaves = {key: leaf for key, leaf in stored.leaves.items() if key not in new}
    for leaf in leaves.values():
        del leaf["cases"]
    stored = replace(stored, leaves=leaves)
    events = walked(rules_of(replace(stored, digest=digest_of(stored))), "start")
    assert loads(events) == [("NZ-8.3-i",)]
    assert shuffles(events) == [("NZ-3.4e", "NZ-3.5-i", "NZ-3.5-ii")] * marked
    assert len([event for event in events if isinstance(event, e.MarkerPlaced)]) == marked
