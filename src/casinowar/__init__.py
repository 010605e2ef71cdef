"""Casino War, exactly as five authorities regulate it.

>>> import casinowar
>>> table = casinowar.Session(casinowar.load_rulebook("nz"), casinowar.practice_shuffles("dawn"))
>>> bought = table.buy_in("ana", 10_000)
>>> placed = table.do(casinowar.PlaceWager(player="ana", box=1, wager="initial", amount=1_000))
>>> cut = table.cut_in_the_middle()
>>> for event in table.deal():
...     print(casinowar.name(event), *event.clauses)
...     # doctest: +ELLIPSIS
marker_placed NZ-7.7a-i
shoe_loaded NZ-7.7a-iii
betting_closed NZ-5.15 NZ-5.1 NZ-8.4
card_burned NZ-8.3-i
card_dealt NZ-8.4a
card_dealt NZ-8.4b
...
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casinowar.cards import Card, parse_card
    from casinowar.dealers import Session
    from casinowar.engine import DEALER, Event, Refusal, Round, Table, decide, evolve, step
    from casinowar.engine.commands import (
        AcceptBank,
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
        WithdrawWager,
    )
    from casinowar.engine.events import name
    from casinowar.errors import CasinoWarError, Refused
    from casinowar.fairness import practice_shuffles, shuffled
    from casinowar.records import RecordError, parse_record, replay, result
    from casinowar.rulebooks import BOOKS, Clause, Rulebook, RulebookError, load_clauses, load_rulebook

# Parts are imported when first asked for: the command line starts quicker for it.
_HOMES = {
    "casinowar.cards": ("Card", "parse_card"),
    "casinowar.engine": ("DEALER", "Event", "Refusal", "Round", "Table", "decide", "evolve", "step"),
    "casinowar.engine.commands": (
        "AcceptBank",
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
        "WithdrawWager",
    ),
    "casinowar.engine.events": ("name",),
    "casinowar.errors": ("CasinoWarError", "Refused"),
    "casinowar.fairness": ("practice_shuffles", "shuffled"),
    "casinowar.records": ("RecordError", "parse_record", "replay", "result"),
    "casinowar.rulebooks": ("BOOKS", "Clause", "Rulebook", "RulebookError", "load_clauses", "load_rulebook"),
    "casinowar.dealers": ("Session",),
}
_HOME = {part: home for home, parts in _HOMES.items() for part in parts}

__all__ = [
    "BOOKS",
    "DEALER",
    "AcceptBank",
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
    "Limit",
    "PlaceWager",
    "RecordError",
    "Refusal",
    "Refused",
    "Round",
    "Rulebook",
    "RulebookError",
    "SeatPlayer",
    "Session",
    "Surrender",
    "Table",
    "WithdrawWager",
    "decide",
    "evolve",
    "load_clauses",
    "load_rulebook",
    "name",
    "parse_card",
    "parse_record",
    "practice_shuffles",
    "replay",
    "result",
    "shuffled",
    "step",
]


def __getattr__(part: str) -> Any:
    if part not in _HOME:
        raise AttributeError(f"module 'casinowar' has no attribute {part!r}")
    return getattr(import_module(_HOME[part]), part)


def __dir__() -> list[str]:
    return sorted(__all__)
