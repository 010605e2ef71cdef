"""A round told step by step, each event as a sentence with its clauses; and in one line, with what came of it."""

from collections.abc import Iterable
from typing import Any

import msgspec

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.engine.state import Round
from casinowar.engine.view import View, Viewer, view
from casinowar.history.log_walk import ENDS, VOIDS, Moment
from casinowar.protocol import RoundLine
from casinowar.rulebooks import Rulebook
from casinowar.store import OWN, Recalled
from casinowar.words.live_events import say_event
from casinowar.words.phrases import wager_name

WATCHER = Viewer("watcher")
NOT_TOLD = (*OWN, e.BoughtIn, e.BurnViewed)
"""What is the server's own, or not for a watcher to see."""


class ToldStep(msgspec.Struct, frozen=True):
    """What happened, by which clauses, and the table after it as everybody could see it."""

    says: str
    clauses: tuple[str, ...]
    event: dict[str, Any]
    view: View


class Settlement(msgspec.Struct, frozen=True):
    """What one wager came to: `label` is its name on the layout, `pays` the odds in words."""

    box: int
    player: str
    wager: str
    label: str
    amount: int
    outcome: str
    pays: str | None
    paid: int
    returned: int
    net: int
    clauses: tuple[str, ...]


class Total(msgspec.Struct, frozen=True):
    """What a player's wagers on one box came to together; of a player who banked, the bank."""

    box: int
    player: str
    net: int


def told_steps(story: Iterable[Moment], digits: int) -> list[ToldStep]:
    return [
        ToldStep(
            says, getattr(event, "clauses", ()), msgspec.to_builtins(event, str_keys=True), view(rules, table, WATCHER)
        )
        for rules, event, table in story
        if not isinstance(event, NOT_TOLD) and (says := say_event(rules, event, digits))
    ]


def settlements(rules: Rulebook, round_: Round) -> list[Settlement]:
    return [
        Settlement(
            box,
            player,
            wager,
            wager_name(rules, wager),
            laid.amount,
            str(laid.outcome or "open"),
            laid.odds.replace(":", " to ") if laid.odds else None,
            laid.paid,
            laid.returned,
            laid.paid + laid.returned - laid.amount,
            laid.clauses,
        )
        for (box, wager, player), laid in round_.wagers.items()
    ]


def totals(lines: Iterable[Settlement], story: Iterable[Moment]) -> list[Total]:
    """The net results by box and player in the order of the wagers, and then the bank's."""
    found: dict[tuple[int, str], int] = {}
    for line in lines:
        found[line.box, line.player] = found.get((line.box, line.player), 0) + line.net
    banked = {event.player: event.net for _, event, _ in story if isinstance(event, e.BankReturned)}
    nets = found | {(0, player): net for player, net in banked.items()}
    return [Total(box, player, net) for (box, player), net in nets.items()]


class RoundLines:
    """The lines of a table's rounds. It notes what the bank got back, which happens before the round is over."""

    def __init__(self, bank: tuple[str, int] | None = None) -> None:
        self.bank = bank

    def after(self, one: Recalled, table: Table) -> RoundLine | None:
        """The round's line where this event has ended it; `table` is as it stands after the event."""
        if isinstance(one.event, e.BankReturned):
            self.bank = (one.event.player, one.event.net)
        if not isinstance(one.event, ENDS):
            return None
        bank, self.bank = self.bank, None
        return round_line(table.round, one.version, isinstance(one.event, VOIDS), one.at, bank)


def round_line(
    round_: Round, version: int, is_void: bool, at: int | None = None, bank: tuple[str, int] | None = None
) -> RoundLine:
    """The line of a round, with every hand that was dealt, also those that went to the rack before its end."""
    hands = tuple(sorted(round_.hands.items()))
    wagers = tuple(
        (box, wager, player, laid.amount, str(laid.outcome), laid.paid, laid.returned)
        for (box, wager, player), laid in round_.wagers.items()
    )
    odds = tuple(laid.odds for laid in round_.wagers.values())
    clauses = tuple(laid.clauses for laid in round_.wagers.values())
    placed = tuple(laid.placed for laid in round_.wagers.values())
    is_cut = placed != tuple(laid.amount for laid in round_.wagers.values())
    return RoundLine(round_.number, version, hands, wagers, is_void, odds, clauses, at, bank, placed if is_cut else ())
