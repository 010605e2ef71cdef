"""Strategies for `Session.play_round`: each is a plain function from what a player sees to what the player does.

>>> import casinowar
>>> from casinowar.strategies import flat
>>> print(casinowar.Session("nz", seed="dawn", players={"ana": 10_000}).play_round(flat(700)))
round 1: box 1 Q♦, dealer 3♣; ana +700
"""

from casinowar.dealers.strategies import (
    Answer,
    OnTie,
    Strategy,
    always,
    always_surrender,
    always_war,
    banker,
    counter,
    flat,
    never,
    optimum,
)

__all__ = [
    "Answer",
    "OnTie",
    "Strategy",
    "always",
    "always_surrender",
    "always_war",
    "banker",
    "counter",
    "flat",
    "never",
    "optimum",
]
