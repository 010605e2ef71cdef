"""A session that is copied or pickled goes on with the same cards for ever, and neither changes the other."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from casinowar.cards import Card, parse_card
from casinowar.dealers import RealTable, Session, record_of
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.fairness import practice_shuffles
from casinowar.rulebooks import BOOKS, load_rulebook

SHOES = 3
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda session: pickle.loads(pickle.dumps(session)),
}
TABLES: dict[str, tuple[str, dict[str, object]]] = {
    **{book: (book, {}) for book in BOOKS},
    "continuous": ("wa", {"shoe.shuffler": "continuous"}),
}


def opened(book: str, options: dict[str, object]) -> Session:
    session = Session(load_rulebook(book, options), practice_shuffles("copies"))
    for box, player in enumerate(("ana", "ben", "cleo"), start=1):
        session.buy_in(player, 1_000_000)
        session.do(c.SeatPlayer(player=player, box=box))
    return session


def play_round(session: Session) -> list[Card | None]:
    """Everybody bets, nobody gives up; the cards of the round in the order in which they were turned."""
    if session.rules.bank.by == "player" and session.table.bank is None:
        banker = session.bank_offers[0]
        box = next(box for box, player in session.table.seats.items() if player == banker)
        assert not isinstance(session.do(c.AcceptBank(player=banker, box=box, stake=10_000)), Refusal)
    for box, player in list(session.table.seats.items()):
        session.do(c.PlaceWager(player=player, box=box, wager="initial", amount=100))
    seen: list[Card | None] = []
    while not session.table.round.is_over or not seen:
        while session.table.phase == "deciding":
            asked, player = session.table.round.asked[0]
            if isinstance(session.do(c.GoToWar(player=player, box=asked)), Refusal):
                session.do(c.Surrender(player=player, box=asked))
        if session.is_cut_due:
            session.cut_in_the_middle()
        dealt = session.deal()
        assert not isinstance(dealt, Refusal), dealt
        seen += [event.card for event in dealt if hasattr(event, "card")]
    return seen


def play_on(session: Session, rounds: int) -> list[list[Card | None]]:
    return [play_round(session) for _ in range(rounds)]


def rounds_of(session: Session) -> int:
    """So many that three shoes are begun; a continuous shuffler has no end, so as many as another book needs."""
    if session.rules.shoe.shuffler == "continuous":
        return 60
    rounds = 0
    while len(session.stacks) <= SHOES:
        play_round(session)
        rounds += 1
    return rounds


@pytest.mark.parametrize("table", TABLES)
def test_copies_deal_the_same_cards_through_three_shoes(table: str) -> None:
    rounds = rounds_of(opened(*TABLES[table]))
    session = opened(*TABLES[table])
    play_on(session, 2)
    copies = {name: make(session) for name, make in COPIES.items()}
    before = {name: record_of(twin) for name, twin in copies.items()}
    expected = play_on(session, rounds)
    assert all(record_of(twin) == before[name] for name, twin in copies.items()), "a copy moved with its model"
    for name, twin in copies.items():
        assert play_on(twin, rounds) == expected, name
        assert record_of(twin) == record_of(session), name
        assert twin.table == session.table, name


def test_a_copy_of_a_copy_and_a_copy_in_mid_round() -> None:
    session = opened("nz", {})
    session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=100))
    session.cut_in_the_middle()
    twin = pickle.loads(pickle.dumps(copy.deepcopy(copy.copy(session))))
    assert play_on(session, 80) == play_on(twin, 80)
    assert len(session.stacks) > 1


def test_a_shuffle_with_a_state_of_its_own_is_copied_with_it() -> None:
    class Turned:
        turn = 0

        def __call__(self, items: Any) -> tuple[Any, ...]:
            self.turn += 1
            cards = tuple(items)
            return cards[self.turn :] + cards[: self.turn]

    shuffle = Turned()
    session = Session(load_rulebook("nz"), shuffle)
    session.buy_in("ana", 1_000_000)
    session.do(c.SeatPlayer(player="ana", box=1))
    twin = copy.copy(session)
    assert play_on(session, 120) == play_on(twin, 120)
    assert shuffle.turn == len(session.stacks) > 1


@pytest.mark.parametrize("name", COPIES)
def test_a_copied_table_of_real_cards_is_a_table_of_its_own(name: str) -> None:
    real = RealTable(load_rulebook("ctg"))
    real.do(c.BuyIn(player="ana", amount=500))
    real.do(c.SeatPlayer(player="ana", box=1))
    real.go_on()
    twin = COPIES[name](real)
    for table in (real, twin):
        table.do(c.Cut(player="ana", position=156))
        table.go_on()
        table.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=50))
        table.step()
        table.go_on()
        assert table.enter(parse_card("Kh"))
    assert record_of(real) == record_of(twin)
    assert real.log == twin.log
    before = record_of(twin)
    real.enter(parse_card("2d"))
    assert record_of(twin) == before != record_of(real)
