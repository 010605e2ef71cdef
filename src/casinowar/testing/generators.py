"""Hypothesis strategies for everything at a table: cards, shoes, rulebooks, whole rounds, tables, records.

A round is played by the engine from a practice shoe with the choices that Hypothesis draws, so that whatever is
generated can happen, and shrinks to fewer players, fewer wagers and fewer wars.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from casinowar.cards import DECK, Card
from casinowar.dealers import Session
from casinowar.dealers.session import record_of
from casinowar.engine import Event, Refusal, Table
from casinowar.engine import commands as c
from casinowar.extras import require_tool
from casinowar.fairness import practice_shuffles
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL, WAR_DEAL

require_tool("generators", "hypothesis")

from hypothesis import strategies as st  # noqa: E402

CHIPS, BANK_STAKE, UNIT = 1_000_000, 100_000, 100
MOST_PLAYERS = 4


if TYPE_CHECKING:
    from casinowar.engine.events import Event as AnyEvent
else:
    # The union would be spelled out in the signature that `help` shows.
    from casinowar.engine.events.values import EventStruct as AnyEvent


class RoundPlayed(msgspec.Struct, frozen=True):
    """A round as it went: the book, the table before and after, and every event between them.

    >>> from hypothesis import find
    >>> from casinowar.testing import rounds
    >>> least = find(rounds(books=("nz",)), lambda played: True)
    >>> least.before.round.number, least.after.round.number
    (0, 1)
    """

    rules: Rulebook
    before: Table
    events: list[AnyEvent]
    after: Table


def cards() -> st.SearchStrategy[Card]:
    """Any card of a deck.

    >>> from hypothesis import find
    >>> from casinowar.testing import cards
    >>> find(cards(), lambda card: card[0] == "K")[0]
    'K'
    """
    return st.sampled_from(DECK)


def seeds() -> st.SearchStrategy[str]:
    """Seeds of practice shoes.

    >>> from hypothesis import find
    >>> from casinowar.testing import seeds
    >>> find(seeds(), lambda seed: True)
    '0'
    """
    return st.integers(0, 2**32 - 1).map(str)


@st.composite
def shoes(draw: st.DrawFn, decks: int = 6) -> tuple[Card, ...]:
    """So many decks in any order.

    >>> from hypothesis import find
    >>> from casinowar.testing import shoes
    >>> len(find(shoes(decks=1), lambda shoe: True))
    52
    """
    return practice_shuffles(draw(seeds()))(DECK * decks)


def rulebooks(books: Sequence[str] = BOOKS) -> st.SearchStrategy[Rulebook]:
    """Any of the five books, with its own options.

    >>> from hypothesis import find
    >>> from casinowar.testing import rulebooks
    >>> find(rulebooks(), lambda rules: rules.wager.a_bomb)
    <Rulebook wa, edition 2: Crown Perth, Western Australia>
    """
    return st.sampled_from(list(books)).map(load_rulebook)


@st.composite
def stretches(draw: st.DrawFn, books: Sequence[str] = BOOKS, most_rounds: int = 3) -> Session:
    """A table after a few whole rounds, with everything that was done there.

    >>> from hypothesis import find
    >>> from casinowar.testing import stretches
    >>> find(stretches(books=("nz",)), lambda session: True).table.round.number
    1
    """
    session = _opened(draw, draw(rulebooks(books)))
    for _ in range(draw(st.integers(1, most_rounds))):
        _play_round(draw, session)
    return session


@st.composite
def rounds(draw: st.DrawFn, books: Sequence[str] = BOOKS) -> RoundPlayed:
    """A whole round, from the first wager to its end.

    >>> from hypothesis import find
    >>> from casinowar.testing import rounds
    >>> find(rounds(books=("nz",)), lambda played: True).after.round.is_over
    True
    """
    session = _opened(draw, draw(rulebooks(books)))
    before = session.table
    events = _play_round(draw, session)
    return RoundPlayed(session.book, before, events, session.table)


@st.composite
def tables(draw: st.DrawFn, books: Sequence[str] = BOOKS) -> tuple[Rulebook, Table]:
    """A rulebook and a table at any point of a round, where somebody may be about to decide.

    >>> from hypothesis import find
    >>> from casinowar.testing import tables
    >>> rules, table = find(tables(books=("nz",)), lambda found: found[1].has_wagers)
    >>> rules.id, len(table.round.wagers)
    ('nz', 1)
    """
    session = _opened(draw, draw(rulebooks(books)))
    steps = draw(st.integers(0, 3))
    if steps > 0:
        _bet(draw, session)
    if steps > 1 and session.table.has_wagers:
        _deal(session)
    if steps > 2:
        _decide(draw, session)
    return session.rules, session.table


@st.composite
def records(draw: st.DrawFn, books: Sequence[str] = BOOKS, most_rounds: int = 3) -> dict[str, Any]:
    """The record of a session, as `casinowar replay` takes it.

    >>> from hypothesis import find
    >>> import casinowar
    >>> from casinowar.testing import records
    >>> record = find(records(books=("nz",)), lambda record: True)
    >>> casinowar.replay(casinowar.parse_record(record)).refusals
    ()
    """
    return record_of(draw(stretches(books, most_rounds)))


def _opened(draw: st.DrawFn, rules: Rulebook) -> Session:
    """A table that is open, with players seated at its first boxes."""
    session = Session(rules, practice_shuffles(draw(seeds())))
    least = max(2, rules.bank.least_seated) if rules.bank.by == "player" else 1
    for box in range(1, draw(st.integers(least, MOST_PLAYERS)) + 1):
        session.must(c.BuyIn(player=f"p{box}", amount=CHIPS), c.SeatPlayer(player=f"p{box}", box=box))
    return session


def _play_round(draw: st.DrawFn, session: Session) -> list[Event]:
    events = _bet(draw, session)
    if not session.table.has_wagers:
        bank = session.table.bank
        box, player = next(seat for seat in session.table.seats.items() if bank is None or seat[1] != bank.player)
        events += session.must(c.PlaceWager(player=player, box=box, wager="initial", amount=UNIT))
    events += _deal(session)
    while not session.table.round.is_over:
        events += _decide(draw, session)
    return events


def _bet(draw: st.DrawFn, session: Session) -> list[Event]:
    """Somebody banks where players bank, and everybody else may put down what the engine takes."""
    events: list[Event] = []
    table = session.table
    if session.rules.bank.by == "player" and table.bank is None:
        who = draw(st.sampled_from(session.bank_offers[:1] if table.bank_turn else session.bank_offers))
        box = next(box for box, player in table.seats.items() if player == who)
        events += session.must(c.AcceptBank(player=who, box=box, stake=BANK_STAKE))
    for box, player in table.seats.items():
        for wager in FIRST_DEAL:
            if not draw(st.booleans()):
                continue
            units = 1 if wager == "progressive" else draw(st.integers(1, 5))
            unit = session.rules.progressive.unit if wager == "progressive" else UNIT
            done = session.do(c.PlaceWager(player=player, box=box, wager=wager, amount=units * unit))
            events += [] if isinstance(done, Refusal) else done
    return events


def _deal(session: Session) -> list[Event]:
    """Deal to a decision or to the end of the round, through a cut that is due."""
    events: list[Event] = []
    while not session.table.round.is_over and session.table.phase != "deciding":
        if session.is_cut_due:
            events += session.cut_in_the_middle()
        done = session.deal()
        assert not isinstance(done, Refusal), done
        events += done
    return events


def _decide(draw: st.DrawFn, session: Session) -> list[Event]:
    """Whoever is asked goes to war or surrenders, and may bet on the war; then the dealer goes on."""
    events: list[Event] = []
    while session.table.phase == "deciding" and not session.table.round.is_over:
        box, player = session.table.round.asked[0]
        choice = c.GoToWar if draw(st.booleans()) else c.Surrender
        events += session.must(choice(player=player, box=box))
        for wager in WAR_DEAL:
            if box in session.table.round.at_war and draw(st.booleans()):
                done = session.do(c.PlaceWager(player=player, box=box, wager=wager, amount=UNIT))
                events += [] if isinstance(done, Refusal) else done
    return events + _deal(session)
