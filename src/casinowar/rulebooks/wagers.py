"""The list of wagers: the name of each, its place on the layout, the deal on which it rests, and its situations.

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

SITUATIONS: dict[str, tuple[str, ...]] = {
    "initial": ("on_win", "on_loss", "on_war_win", "on_war_tie", "on_war_loss"),
    "war": ("on_win", "on_tie", "on_loss"),
    "tie": ("on_win", "on_loss"),
    "war_tie": ("on_win", "on_loss"),
    "a_bomb": ("on_win", "on_loss"),
    "perfect_pairs": ("on_perfect", "on_coloured", "on_mixed", "on_loss"),
    "progressive": (
        "on_suited_four_of_a_kind",
        "on_suited_double_tie",
        "on_four_of_a_kind",
        "on_double_tie",
        "on_suited_tie",
        "on_tie",
        "on_loss",
    ),
}
"""The situations that a wager may be settled in: a book has a leaf `payout.WAGER.SITUATION` for each.

`war_perfect_pairs` pays as `perfect_pairs` does and has none of its own."""
