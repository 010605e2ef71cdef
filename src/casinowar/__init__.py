"""Casino War, exactly as five authorities regulate it.

A session is a table with its dealer; a strategy is a function from what a player sees to what the player does:

>>> import casinowar
>>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
>>> print(session.play_round(casinowar.strategies.flat(1_000)))
round 1: box 1 Q♦, dealer 3♣; ana +1,000

Step by step, each event says by which clauses it came about:

>>> placed = session.must(casinowar.PlaceWager(player="ana", box=1, wager="initial", amount=1_000))
>>> for event in session.go_on():
...     print(casinowar.name(event), *event.clauses)
...     # doctest: +ELLIPSIS
betting_closed NZ-5.15 NZ-5.1 NZ-8.4
card_dealt NZ-8.4a
card_dealt NZ-8.4b
...

`casinowar.odds` has exact figures, `casinowar.simulate` plays millions of rounds in a second, `casinowar.records`
reads, writes and tells what was played, `casinowar.fairness` verifies shoes, and `casinowar.rulebooks` has the books
with every clause. What can be refused is a `Refusal` of `do`, or a `Refused` that `must` raises. Money is an `int`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casinowar import fairness, odds, records, rulebooks, strategies
    from casinowar.cards import Card, parse_card
    from casinowar.dealers import PlayedRound, PlayerView, Session, Strategy
    from casinowar.engine import DEALER, Event, Refusal, Round, Table, decide, evolve, step
    from casinowar.engine.commands import (
        AcceptBank,
        AmendWager,
        Command,
        Cut,
        Deal,
        DeclineBank,
        DeclineCut,
        GoToWar,
        Limit,
        PlaceWager,
        SeatPlayer,
        Surrender,
        VacateSeat,
        WithdrawWager,
    )
    from casinowar.engine.events import name
    from casinowar.engine.legal import Legal
    from casinowar.errors import CasinoWarError, Refused
    from casinowar.fairness import practice_shuffles, shuffled
    from casinowar.records import RecordError, parse_record, replay, result
    from casinowar.rulebooks import BOOKS, Clause, Rulebook, RulebookError, load_clauses, load_rulebook
    from casinowar.sim import simulate

    __version__: str

# Parts are imported when first asked for: the command line starts quicker for it.
_HOMES = {
    "casinowar.cards": (
        "Card",
        "parse_card",
    ),
    "casinowar.engine": (
        "DEALER",
        "Event",
        "Refusal",
        "Round",
        "Table",
        "decide",
        "evolve",
        "step",
    ),
    "casinowar.engine.commands": (
        "AcceptBank",
        "AmendWager",
        "Command",
        "Cut",
        "Deal",
        "DeclineBank",
        "DeclineCut",
        "GoToWar",
        "Limit",
        "PlaceWager",
        "SeatPlayer",
        "Surrender",
        "VacateSeat",
        "WithdrawWager",
    ),
    "casinowar.engine.events": ("name",),
    "casinowar.engine.legal": ("Legal",),
    "casinowar.errors": (
        "CasinoWarError",
        "Refused",
    ),
    "casinowar.fairness": (
        "practice_shuffles",
        "shuffled",
    ),
    "casinowar.records": (
        "RecordError",
        "parse_record",
        "replay",
        "result",
    ),
    "casinowar.rulebooks": (
        "BOOKS",
        "Clause",
        "Rulebook",
        "RulebookError",
        "load_clauses",
        "load_rulebook",
    ),
    "casinowar.dealers": (
        "PlayedRound",
        "PlayerView",
        "Session",
        "Strategy",
    ),
    "casinowar.sim": ("simulate",),
}
_HOME = {part: home for home, parts in _HOMES.items() for part in parts}
_MODULES = {
    "fairness": "casinowar.fairness",
    "odds": "casinowar.odds",
    "records": "casinowar.records",
    "rulebooks": "casinowar.rulebooks",
    "strategies": "casinowar.strategies",
}

__all__ = [
    "BOOKS",
    "DEALER",
    "AcceptBank",
    "AmendWager",
    "Card",
    "CasinoWarError",
    "Clause",
    "Command",
    "Cut",
    "Deal",
    "DeclineBank",
    "DeclineCut",
    "Event",
    "GoToWar",
    "Legal",
    "Limit",
    "PlaceWager",
    "PlayedRound",
    "PlayerView",
    "RecordError",
    "Refusal",
    "Refused",
    "Round",
    "Rulebook",
    "RulebookError",
    "SeatPlayer",
    "Session",
    "Strategy",
    "Surrender",
    "Table",
    "VacateSeat",
    "WithdrawWager",
    "__version__",
    "decide",
    "evolve",
    "fairness",
    "load_clauses",
    "load_rulebook",
    "name",
    "odds",
    "parse_card",
    "parse_record",
    "practice_shuffles",
    "records",
    "replay",
    "result",
    "rulebooks",
    "shuffled",
    "simulate",
    "step",
    "strategies",
]


def __getattr__(part: str) -> Any:
    if part in _HOME:
        return getattr(import_module(_HOME[part]), part)
    if part in _MODULES:
        return import_module(_MODULES[part])
    if part == "__version__":
        from importlib.metadata import version

        return version("casinowar")
    raise AttributeError(f"module 'casinowar' has no attribute {part!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
