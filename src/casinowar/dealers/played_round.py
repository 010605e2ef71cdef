"""A round as it was played at a session: the cards, what was wagered and won, and every event."""

from typing import TYPE_CHECKING, Any

import msgspec

from casinowar.cards import Card
from casinowar.dealers.round_scene import round_scene
from casinowar.dealers.table_scene import table_scene
from casinowar.engine import Table
from casinowar.engine.events import DEALER
from casinowar.pictures import plain_round, round_svg, table_svg
from casinowar.pictures.felt_scene import amount, faces
from casinowar.rulebooks import Rulebook

if TYPE_CHECKING:
    from casinowar.engine import Event
else:
    # The union would be spelled out in the signature that `help` shows.
    from casinowar.engine.events.values import EventStruct as Event


class PlayedRound(msgspec.Struct, frozen=True):
    """A round that is over. `hands` are the cards of each box, the dealer's under 0; `wagers` and `net` are by player.

    A bank is no wager; what it won or lost is in `net` like everybody's. Where nobody bet there are no hands.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round()
    >>> print(played)
    round 1: box 1 Q♦, dealer 3♣; ana +1
    """

    number: int
    hands: dict[int, tuple[Card, ...]]
    wagers: dict[str, int]
    net: dict[str, int]
    events: tuple[Event, ...]
    rules: Rulebook
    table: Table

    def __repr__(self) -> str:
        return f"<PlayedRound {self}>"

    def _repr_svg_(self) -> str:
        """For notebooks: the cards on the felt, and beside it what each wager won, with its clause."""
        if not self.hands:
            return table_svg(table_scene(self.rules, self.table))
        return round_svg(round_scene(self.rules, self.table))

    def _repr_pretty_(self, printer: Any, is_cycle: bool) -> None:
        """The same in plain lines, for terminals."""
        printer.text(plain_round(round_scene(self.rules, self.table)) if self.hands and not is_cycle else str(self))

    def __str__(self) -> str:
        if not self.hands:
            return f"round {self.number}: nobody bet"
        boxes = [f"box {box} {faces(cards)}" for box, cards in sorted(self.hands.items()) if box != DEALER]
        told = ", ".join([*boxes, f"dealer {faces(self.hands.get(DEALER, ()))}"])
        came = ", ".join(f"{who} {amount(won, signed=True)}" for who, won in self.net.items())
        return f"round {self.number}: {told}; {came}"


def played_round(rules: Rulebook, before: Table, after: Table, events: list[Event]) -> PlayedRound:
    """The round between two states of a table."""
    is_played = after.round.is_over and (after.round.number > before.round.number or before.has_wagers)
    wagers: dict[str, int] = {}
    for (_, _, player), laid in after.round.wagers.items() if is_played else ():
        wagers[player] = wagers.get(player, 0) + laid.amount
    net = {
        player: chips - before.players.get(player, 0)
        for player, chips in after.players.items()
        if player in wagers or chips != before.players.get(player, 0)
    }
    hands = after.round.hands if is_played else {}
    return PlayedRound(after.round.number, hands, wagers, net, tuple(events), rules, after)
