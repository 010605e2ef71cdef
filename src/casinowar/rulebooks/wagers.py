"""The list of wagers: the name of each, the deal on which it rests, and its place on the layout.

Who needs some of the wagers takes them from here. When a wager wins and what it pays is written apart in the engine and
in the odds, so that each can check the other.
"""

from typing import Literal, get_args

OptionalWager = Literal["tie", "war_tie", "a_bomb", "perfect_pairs", "war_perfect_pairs", "progressive"]
PricedWager = Literal["initial", OptionalWager]
WagerName = Literal["initial", "war", OptionalWager]

WAGERS: tuple[WagerName, ...] = get_args(WagerName)
"""Every wager in the order of the layout."""

ON_WAR: dict[WagerName, WagerName] = {"war_tie": "tie", "war_perfect_pairs": "perfect_pairs"}
"""Wagers on the war cards, which are placed when a war has been declared; each with its twin on the first cards."""

WAR_DEAL = tuple(ON_WAR)
FIRST_DEAL: tuple[WagerName, ...] = tuple(wager for wager in WAGERS if wager not in ("war", *WAR_DEAL))
"""Wagers that are placed before the first cards."""

SIDE: tuple[WagerName, ...] = tuple(wager for wager in FIRST_DEAL if wager != "initial")
"""Wagers of the first deal beside the initial one."""

OPTIONAL: tuple[OptionalWager, ...] = get_args(OptionalWager)
"""Wagers that a book has or has not, as its leaf `wager.NAME` says."""

UNLIMITED: tuple[WagerName, ...] = ("war", "progressive")
"""Wagers that no table limit binds: the one equals the initial wager, the other has a unit of its own."""
