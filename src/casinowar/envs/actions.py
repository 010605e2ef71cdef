"""Actions: what can be chosen at a table, each with its name and the commands that do it.

Which of them there are is asked of the engine, by trying each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from numbers import Integral
from typing import Literal

import msgspec

from casinowar.engine import commands as c
from casinowar.engine.decide.betting import is_offered
from casinowar.envs.engine_table import Commands, EngineTable
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL, WAR_DEAL, WagerName

STAKE = 100
"""What lies on a wager in minor units unless told otherwise; on the progressive it is its own unit."""

Kind = Literal["bet", "surrender", "war", "bank", "decline"]


class Action(msgspec.Struct, frozen=True):
    """Something to choose. A bet puts its wagers down, none being a round sat out; a war has wagers on its cards.

    >>> from casinowar.envs import Action
    >>> Action("bet", ("initial", "tie")).name, Action("war").name
    ('initial+tie', 'war')
    """

    kind: Kind
    wagers: tuple[WagerName, ...] = ()

    @property
    def name(self) -> str:
        """The action in a word, as in `initial+tie` or `surrender`."""
        if self.kind == "bet":
            return "+".join(self.wagers) or "nothing"
        return "+".join((self.kind, *self.wagers))

    def commands(self, player: str, box: int, stakes: Mapping[str, int], bank: int = 0) -> Commands:
        """The commands of this player at this box."""
        placed: list[c.Command] = [
            c.PlaceWager(player=player, box=box, wager=wager, amount=stakes[wager]) for wager in self.wagers
        ]
        match self.kind:
            case "bet":
                return tuple(placed)
            case "war":
                return (c.GoToWar(player=player, box=box), *placed)
            case "surrender":
                return (c.Surrender(player=player, box=box),)
            case "bank":
                return (c.AcceptBank(player=player, box=box, stake=bank),)
            case "decline":
                return (c.DeclineBank(player=player),)


NOTHING = Action("bet")


def check_whole(**counts: object) -> None:
    """Refuse a number of rounds, players or tables that is no whole number, by its name."""
    for what, count in counts.items():
        if not isinstance(count, Integral):
            raise TypeError(f"{what} is a whole number, and not {count!r}")


def stakes_of(rules: Rulebook, stakes: Mapping[str, int] | None = None) -> dict[str, int]:
    """What lies on each wager that the book offers, in minor units."""
    if not isinstance(stakes or {}, Mapping):
        raise TypeError(f"stakes are wagers with their amounts, such as {{'initial': 100}}, and not {stakes!r}")
    offered = [wager for wager in (*FIRST_DEAL, *WAR_DEAL) if is_offered(rules, wager)]
    if wrong := [wager for wager in stakes or {} if wager not in offered]:
        raise ValueError(f"stakes: the book has no wager {wrong[0]!r}: it has {', '.join(offered)}")
    usual: dict[str, int] = {wager: rules.progressive.unit if wager == "progressive" else STAKE for wager in offered}
    return {**usual, **(stakes or {})}


def subsets(wagers: Iterable[WagerName]) -> list[tuple[WagerName, ...]]:
    """Every choice of some of the wagers or none, those with few of them first."""
    named = tuple(wagers)
    return [some for size in range(len(named) + 1) for some in combinations(named, size)]


def bets(engine: EngineTable, player: str, stakes: Mapping[str, int]) -> list[Action]:
    """The bets that the engine takes of this player at the table as it stands; sitting out is not among them."""
    first = [wager for wager in FIRST_DEAL if wager in stakes]
    every = [Action("bet", some) for some in subsets(first) if some]
    box = engine.boxes[player]
    return [action for action in every if engine.refusal(action.commands(player, box, stakes)) is None]


def decisions(stakes: Mapping[str, int]) -> list[Action]:
    """What can be said at a tie: surrender, war, and war with wagers on its cards."""
    second = [wager for wager in WAR_DEAL if wager in stakes]
    return [Action("surrender"), *(Action("war", some) for some in subsets(second))]


def legal(engine: EngineTable, player: str, commands: Iterable[Commands]) -> list[bool]:
    """Which of these the engine would take now."""
    return [engine.refusal(some) is None for some in commands]
