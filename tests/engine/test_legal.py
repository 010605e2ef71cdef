"""Legal commands: all that are listed are accepted at both bounds, and what is not listed is refused."""

import random
from typing import Any

import pytest

from casinowar.dealers import Session
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.decide.dealing import cards_due
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.limits import refuse_amount
from casinowar.engine.legal import Legal, legal_commands
from casinowar.engine.legal.amounts import ENDLESS, accepted_ranges, least_wager, moved, spot_totals
from casinowar.rulebooks import BOOKS, load_rulebook
from tests.engine.test_machine import LIMITS, OPTIONS
from tests.support.legal_universe import check_listing, check_player, ends, universe
from tests.support.witness import sound

WALKS = 6


def walk(book: str, seed: int, steps: int = 14) -> "list[tuple[Any, Table]]":
    """States that a table of the book comes through when people do at random what they may do."""
    chance = random.Random(f"{book}{seed}")
    options = sound({key: chance.choice(values) for key, values in OPTIONS[book].items()} if seed else {})
    session = Session(load_rulebook(book, options), limit=LIMITS[seed % len(LIMITS)], seed=str(seed))
    for player, chips in (("ana", 100_000), ("ben", 20_000), ("cat", 2_000), ("dan", 0)):
        session.buy_in(player, chips)
    states = [(session.rules, session.table)]
    while len(states) < steps:
        legal = [one for one in session.legal_commands(staff=chance.random() < 0.2) if not is_chance(one)]
        if chance.random() < 0.35 and session.table.incident is None:
            if session.is_cut_due:
                session.cut_in_the_middle()
            table = session.table
            if table.has_wagers and not is_shuffle_due(table) and table.phase != "deciding" and chance.random() < 0.5:
                count = chance.randint(0, cards_due(session.rules, table))
                session.do(c.Deal(cards=session._shoe.coming(count), hold=True))
            else:
                session.deal()
        elif legal:
            one = chance.choice(legal)
            session.do(one.command if one.amounts is None else one.at(chance.choice(one.amounts)))
        states.append((session.rules, session.table))
    return states


def is_chance(legal: Legal) -> bool:
    """Whether the command needs the cards of the shoe, or ends the story."""
    kinds = (c.Deal, c.InitialBurn, c.LoadShoe, c.CorrectCard, c.CloseTable, c.ResumeTable, c.ReportMissedOffer)
    return isinstance(legal.command, (*kinds, *c.CARD_REPORTS, c.Reconstruct, c.Tick, c.BuyIn))


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", range(WALKS))
def test_all_and_only_what_is_listed_is_accepted(book: str, seed: int) -> None:
    accepted = 0
    for number, (rules, table) in enumerate(walk(book, seed)):
        listed = legal_commands(rules, table, staff=True)
        accepted += check_listing(rules, table, listed, universe(rules, table, 100 * seed + number))
        player = ("ana", "ben", "cat", "dan")[number % 4]
        check_player(rules, table, player, universe(rules, table, seed, each=2))
    assert accepted > 100


def test_a_listing_that_lacks_something_or_has_too_much_is_found() -> None:
    session = Session("nz", seed="twin", players={"ana": 5_000})
    rules, table = session.rules, session.table
    listed = legal_commands(rules, table, staff=True)
    for kind in (c.PlaceWager, c.BuyIn, c.Tick):
        less = [one for one in listed if type(one.command) is not kind]
        assert len(less) < len(listed)
        with pytest.raises(AssertionError, match="not listed"):
            check_listing(rules, table, less, universe(rules, table, 1, each=20))
    with pytest.raises(AssertionError, match="and refused"):
        check_listing(rules, table, [Legal(c.EndRound())], iter(()))


@pytest.mark.parametrize(
    "limit", [c.Limit(minimum=3, maximum=40, unit=5), c.Limit(minimum=0, unit=4), c.Limit(), *LIMITS]
)
@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("book", BOOKS)
def test_amounts_are_those_of_the_ladder_of_limits_one_by_one(book: str, even: bool, limit: c.Limit) -> None:
    """Every total from 1 to beyond the chips is asked of the ladder, and stands in the ranges or does not."""
    options = {"wager.progressive": True} if "wager.progressive" in OPTIONS[book] else {}
    rules = load_rulebook(book, {"limits.require_even": even, **options})
    for chips in (0, 2, 61, 5_300):
        table = Table(limit=limit, players={"ana": chips})
        for kind in ("initial", "tie", *(["progressive"] if rules.wager.progressive else [])):
            spot = (1, kind, "ana")
            ranges = spot_totals(rules, table, spot, 0)
            totals = [total for one in ranges for total in one]
            wanted = [one for one in range(1, chips + 3) if refuse_amount(rules, table, spot, one, one) is None]
            assert totals == wanted


@pytest.mark.parametrize(
    ("limits", "limit", "most"),
    [
        ({"limits.player_box_max": 2_500}, c.Limit(minimum=1, unit=1), 2_500),
        ({"limits.player_box_max": 2_500}, c.Limit(minimum=100, maximum=2_000, unit=100), 9_000),
        ({"limits.area_total_max": 2_550}, c.Limit(minimum=100, unit=100), 2_599),
        ({}, c.Limit(minimum=100, unit=100), 9_000),
    ],
)
def test_a_wrong_wager_is_listed_as_far_as_what_may_lie_there_in_all(
    limits: dict[str, Any], limit: c.Limit, most: int
) -> None:
    """Every amount from 1 to the chips is asked of the engine. What is above whole units, or a maximum, goes back."""
    session = Session(load_rulebook("nz", limits), limit=limit, seed="found", players={"ana": 9_000})
    session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=500))
    session.do(c.NoMoreBets())
    rules, table = session.rules, session.table
    listed = [one for one in legal_commands(rules, table, staff=True) if isinstance(one.command, c.ReportWager)]
    reports = [c.ReportWager(player="ana", box=1, wager="initial", amount=amount) for amount in range(1, 9_002)]
    accepted = [one.amount for one in reports if not isinstance(step(rules, table, one), Refusal)]
    assert [amount for one in listed for amount in one.amounts or ()] == accepted
    assert accepted[-1] == most


def test_ranges_are_few() -> None:
    rules = load_rulebook("nz")
    table = Table(limit=c.Limit(minimum=500, maximum=5_000, unit=500), players={"ana": 10**12})
    assert spot_totals(rules, table, (1, "initial", "ana"), 0) == [range(500, 5_001, 500)]
    assert accepted_ranges(lambda amount: amount % 3 == 0, 10, (), (1, 3)) == [range(3, 10, 3)]
    assert moved([range(500, 5_001, 500)], 1_000) == [range(500, 4_001, 500)]


def test_bounds_of_a_listing() -> None:
    bought = Legal(c.BuyIn(player="ana", amount=0), "amount", range(ENDLESS), ("player",))
    assert (bought.least, bought.most) == (0, None)
    assert bought.includes(c.BuyIn(player="zoe", amount=10**30))
    assert not bought.includes(c.BuyIn(player="zoe", amount=-1))
    assert not bought.includes(c.Tick(seconds=1))
    cut = Legal(c.Cut(player="ana", position=52), "position", range(52, 261))
    assert (cut.least, cut.most) == (52, 260)
    for position in (51, 261, 52.5, True):
        with pytest.raises(ValueError, match="no amount"):
            cut.at(position)  # type: ignore[arg-type]
    assert [one.position for one in ends(cut) if isinstance(one, c.Cut)] == [52, 260]


def test_a_closed_table_has_nothing_to_do() -> None:
    rules = load_rulebook("nz")
    done = step(rules, Session("nz", seed="x", players={"ana": 5}).table, c.CloseTable())
    assert not isinstance(done, Refusal)
    assert legal_commands(rules, done[1], staff=True) == []
    assert legal_commands(rules, Table(), "nobody") == []


def test_a_card_that_lies_open_is_the_only_one_that_can_come() -> None:
    session = Session("nz", seed="x", players={"ana": 5_000})
    session.play_round()
    session.must(c.ReportExtraDraw(exposed=False))
    held = session.clone()
    assert check_listing(held.rules, held.table, held.legal_commands(staff=True), universe(held.rules, held.table, 7))
    assert held.rules.ranks


@pytest.mark.parametrize(
    ("book", "limit", "least"),
    [
        ("nz", c.Limit(), 1),
        ("nz", c.Limit(minimum=100, maximum=5_000, unit=100), 100),
        ("nz", c.Limit(minimum=100, maximum=5_000, unit=300), 300),
        ("nz", c.Limit(minimum=100, maximum=200, unit=300), None),
        ("nz", c.Limit(minimum=0, maximum=200, unit=300), None),
        ("wa", c.Limit(minimum=100, maximum=200, unit=300), 100),
        ("ctg", c.Limit(minimum=100, maximum=200, unit=300), 201),
    ],
)
def test_the_least_wager_is_the_first_that_keeps_the_limit(book: str, limit: c.Limit, least: int | None) -> None:
    """WA plays what lies there, and CTG what is within the maximum, so that nobody is refused."""
    assert least_wager(load_rulebook(book), limit) == least


def test_the_least_wager_of_a_kind_goes_by_its_own_rule() -> None:
    even = load_rulebook("nz", {"limits.require_even": True})
    assert least_wager(even, c.Limit(minimum=5, unit=5)) == 10
    assert least_wager(even, c.Limit(minimum=5, unit=5), "tie") == 5
