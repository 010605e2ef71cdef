"""A session plays rounds by strategies, forks, keeps its record, and draws itself."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import casinowar
from casinowar import Session, odds, strategies
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.records import parse, replay

TWO = {"ana": 1_000_000, "ben": 1_000_000}


def plays(book: str) -> strategies.Strategy:
    return strategies.banker(50_000, strategies.always("tie")) if book == "ca" else strategies.always("tie")


@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_rounds_of_every_book_are_played_and_replayed_from_the_record(book: str) -> None:
    session = Session(book, seed="rounds", players=TWO)
    played = [session.play_round(plays(book)) for _ in range(60)]
    assert [one.number for one in played] == list(range(1, 61))
    for one in played:
        ends = [event for event in one.events if isinstance(event, e.RoundEnded)]
        assert [event.number for event in ends] == [one.number]
        assert sum(one.net.values()) == 0 or book != "ca"
    won = {player: sum(one.net.get(player, 0) for one in played) for player in TWO}
    assert {player: TWO[player] + won[player] for player in TWO} == session.table.players
    assert replay(parse(session.record())).table == session.table


@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_a_clone_has_the_same_cards_and_one_with_a_seed_has_others(book: str) -> None:
    session = Session(book, seed="clone", players=TWO)
    session.play_round(plays(book))
    before = (session.table, session.record())
    same = [[session.clone() for _ in range(2)][at].play_round(plays(book)).hands for at in (0, 1)]
    assert same[0] == same[1]
    other = session.clone(seed="another")
    dealt = [other.play_round(plays(book)).hands for _ in range(5)]
    assert dealt != [session.clone().play_round(plays(book)).hands] * 5
    assert replay(parse(other.record())).table == other.table
    assert (session.table, session.record()) == before
    assert session.play_round(plays(book)).hands == same[0]


def test_what_lies_in_the_shoe_stays_there_in_a_clone_with_a_seed() -> None:
    session = Session("nz", seed="cards", players=TWO)
    for _ in range(7):
        session.play_round()
    fork = session.clone(seed="other")
    assert Counter(fork.stacks[-1].cards) == Counter(session.stacks[-1].cards)
    assert fork.stacks[-1].cards != session.stacks[-1].cards
    out = len(session.stacks[-1].cards) - session.table.shoe_left
    assert fork.stacks[-1].cards[:out] == session.stacks[-1].cards[:out]


def mover(session: Session) -> str | None:
    return session.to_move


def test_who_is_to_move() -> None:
    session = Session("ctg", seed="move", players=TWO)
    assert mover(session) is None
    while mover(session) is None:
        for player, box in (("ana", 1), ("ben", 2)):
            session.must(c.PlaceWager(player=player, box=box, wager="initial", amount=500))
        session.deal()
        while session.is_cut_due:
            session.cut_in_the_middle()
            session.deal()
    asked = session.table.round.asked[0][1]
    assert mover(session) == asked
    assert session.view(asked).choices
    assert session.finish_round(strategies.always_surrender).number == session.table.round.number
    bank = Session("ca", seed="move", players=TWO)
    bank.cut_in_the_middle()
    bank.prepare()
    assert mover(bank) is None
    bank.must(c.SeatPlayer(player="ben", box=3))
    assert mover(bank) == "ben"


@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_step_by_step_nobody_needs_to_know_of_shuffles_and_cuts(book: str) -> None:
    """Through several shoes: each call ends at a choice or with the round, and the record replays."""
    session = Session(book, seed="on", players=TWO)
    with pytest.raises(casinowar.Refused):
        session.go_on()
    if book == "ca":
        session.must(c.SeatPlayer(player="ana", box=1), c.SeatPlayer(player="ben", box=2))
    chosen = 0
    for _ in range(200):
        if book == "ca" and session.table.bank is None:
            session._prepare_cut()
            session.must(session.view(session.bank_offers[0]).take_bank(100_000))
        banker = None if session.table.bank is None else session.table.bank.player
        for player in TWO:
            if player != banker:
                session.must(session.view(player).bet(500))
        session.go_on()
        while not session.table.round.is_over:
            mover = session.to_move
            assert mover is not None
            session.must(session.view(mover).war())
            chosen += 1
            if session.to_move is None and not session.table.round.is_over:
                session.go_on()
    assert (chosen > 2, len(session.stacks) > 2, session.table.round.number) == (True, True, 200)
    assert replay(parse(session.record())).table == session.table


@pytest.mark.parametrize("way", [Session.go_on, Session.finish_round, Session.play_round])
@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_betting_may_close_before_the_cards_are_cut(
    book: str, way: Callable[[Session], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session that deals again and again without a cut would not end, so that its deals are counted."""
    session = Session(book, seed="dawn", players=TWO)
    session.must(c.SeatPlayer(player="ana", box=1), c.SeatPlayer(player="ben", box=2))
    if book == "ca":
        session.must(session.view("ben").take_bank(100_000))
    session.must(c.PlaceWager(player="ana", box=1, wager="initial", amount=500), c.NoMoreBets())
    deal, calls = session.deal, iter(range(5))
    monkeypatch.setattr(session, "deal", lambda: deal() if next(calls, None) is not None else pytest.fail("no end"))
    assert session.is_cut_due
    way(session)
    assert (session.is_cut_due, len(session.stacks)) == (False, 1)
    assert session.table.round.hands[1]
    assert replay(parse(session.record())).table == session.table


@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_chips_bought_by_a_command_are_in_the_record(book: str) -> None:
    """First of all they are an opening balance; later, or signed, they are an act in its place."""
    session = Session(book, seed="chips", players={"ana": 1_000})
    session.must(c.BuyIn(player="ana", amount=500))
    session.must(c.SeatPlayer(player="ana", box=1), c.BuyIn(player="ben", amount=60_000))
    session.must(c.SeatPlayer(player="ben", box=2))
    session.play_round({"ana": strategies.flat(500), "ben": plays(book)})
    session.must(c.BuyIn(player="ana", amount=7, by="supervisor:s1"))
    session.buy_in("ben", 3)
    assert session.chips == {"ana": 1_507, "ben": 60_003}
    record = session.record()
    assert record["players"] == {"ana": 1_500}
    assert [act for act in record["acts"] if act["do"] == "buy_in"] == [
        {"do": "buy_in", "player": "ben", "amount": 60_000},
        {"do": "buy_in", "player": "ana", "amount": 7, "by": "supervisor:s1"},
        {"do": "buy_in", "player": "ben", "amount": 3},
    ]
    replayed = replay(parse(record))
    assert (replayed.table, replayed.refusals) == (session.table, ())


def test_what_a_signed_purchase_opens_a_record_with_is_an_act() -> None:
    session = Session("nz", seed="chips")
    session.must(c.BuyIn(player="ana", amount=500, by="supervisor:s1"))
    session.buy_in("ana", 5)
    assert session.record()["players"] == {}
    assert [act["amount"] for act in session.record()["acts"]] == [500, 5]
    assert replay(parse(session.record())).table == session.table


def test_strategies_do_what_they_are_called() -> None:
    session = Session("wa", seed="names", players={"ana": 1_000_000})
    rounds = [session.play_round(strategies.always_surrender) for _ in range(120)]
    assert not any(isinstance(event, e.WarDeclared) for one in rounds for event in one.events)
    rounds = [session.play_round(strategies.always("perfect_pairs", strategies.flat(700))) for _ in range(120)]
    placed = {(x.wager, x.amount) for one in rounds for x in one.events if isinstance(x, e.WagerPlaced)}
    assert placed == {("initial", 700), ("perfect_pairs", 1)}
    assert any(isinstance(event, e.WarDeclared) for one in rounds for event in one.events)
    bare = session.play_round(strategies.never("perfect_pairs", strategies.always("perfect_pairs")))
    assert bare.wagers == {"ana": 1}
    assert session.play_round(lambda seen: None).hands == {}


def test_a_counter_bets_where_the_cards_left_favour_the_wager() -> None:
    """An ace comes more often the more other cards are gone: A Bomb pays 11 to 1, so one in twelve is what it takes."""
    session = Session("wa", seed="counter", players={"ana": 1_000_000})
    for _ in range(150):
        view = session.view("ana")
        one = session.play_round(strategies.counter("a_bomb"))
        bets = [x for x in one.events if isinstance(x, e.WagerPlaced) and x.wager == "a_bomb"]
        left = dict.fromkeys("23456789TJQKA", 4 * session.rules.shoe.decks)
        for card, count in view.cards_seen.items():
            left[card[0]] -= count
        odds = session.rules.cells["a_bomb", "on_win"].odds
        assert odds is not None
        is_good = left["A"] * (odds.numerator + odds.denominator) > sum(left.values()) * odds.denominator
        is_fresh = any(isinstance(x, e.ShoeLoaded) for x in one.events)
        assert bool(bets) == is_good or is_fresh


def test_what_the_rules_do_not_allow_is_raised_and_changes_nothing() -> None:
    session = Session("nz", seed="refused", players={"ana": 100})
    before = session.table.players
    with pytest.raises(casinowar.Refused, match="insufficient_funds"):
        session.play_round(lambda seen: seen.bet(101))
    assert session.table.players == before
    with pytest.raises(casinowar.Refused, match="no_bank"):
        Session("ca", seed="refused", players=TWO).play_round()
    with pytest.raises(ValueError, match="has chips"):
        session.view("zoe")


@pytest.mark.parametrize("amount", [True, 1.0, Decimal(5), "5", None], ids=repr)
def test_money_is_a_whole_number_at_every_boundary(amount: Any) -> None:
    session = Session("nz", seed="money", players={"ana": 100})
    seen = session.view("ana")
    for act in (
        lambda: Session("nz", players={"ana": amount}),
        lambda: session.buy_in("ana", amount),
        lambda: seen.bet(amount),
        lambda: seen.take_bank(amount),
        lambda: strategies.flat(amount),
        lambda: strategies.banker(amount),
        lambda: casinowar.simulate("nz", 1_000, wagers={"initial": amount}),
        lambda: casinowar.Session("nz", limit=c.Limit(minimum=amount)),
        lambda: odds.stretch_data(odds.study(session.rules, odds.fresh(6)).figures("initial"), 10, amount),
        lambda: odds.bank_figures(odds.study(casinowar.load_rulebook("ca"), odds.fresh(6)), 1, amount),
        lambda: session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=amount)),
    ):
        with pytest.raises(TypeError):
            act()
    with pytest.raises(ValueError, match="no amount"):
        session.legal_commands("ana")[0].at(amount)
    assert session.table.players == {"ana": 100}


@pytest.mark.parametrize("amount", [True, 1.0, Decimal(5), "5"], ids=repr)
def test_a_side_wager_is_a_whole_number_before_it_is_played(amount: Any) -> None:
    for beside in (strategies.always, strategies.counter):
        with pytest.raises(TypeError, match="is an int"):
            beside("tie", amount=amount)


def test_a_whole_number_of_numpy_is_none_until_it_is_made_one() -> None:
    numpy = pytest.importorskip("numpy")
    session = Session("nz", seed="money", players={"ana": 100})
    with pytest.raises(TypeError, match="is int"):
        session.buy_in("ana", numpy.int64(5))
    assert not isinstance(session.buy_in("ana", int(numpy.int64(5))), casinowar.Refusal)


@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_a_session_a_round_and_a_rulebook_draw_themselves(book: str) -> None:
    session = Session(book, seed="drawn", players=TWO)
    for drawn in (session._repr_svg_(), session.play_round(plays(book))._repr_svg_(), session._repr_svg_()):
        root = ET.fromstring(drawn)
        assert root.tag.endswith("svg")
        assert "script" not in drawn
        assert "href" not in drawn
        assert len(drawn.encode()) < 40_000
        assert [one.tag.rpartition("}")[2] for one in root[:2]] == ["title", "desc"]
    page = session.rules._repr_html_()
    assert page.count("<tr>") == len(session.rules.leaves) + 1
    assert session.rules.title in str(session)
    for hand in session.table.round.hands.values():
        for card in hand:
            assert card[1].translate(str.maketrans("cdhs", "♣♦♥♠")) in str(session)


def test_a_name_cannot_break_the_picture() -> None:
    session = Session("nz", seed="drawn", players={"</text><script>x": 1_000})
    session.play_round()
    assert "<script" not in session._repr_svg_()
    ET.fromstring(session._repr_svg_())


def test_a_seed_and_a_shuffle_are_one_too_many() -> None:
    with pytest.raises(TypeError, match="not both"):
        Session("nz", casinowar.practice_shuffles("x"), seed="x")
