"""The plan of a simulation: a rulebook with the choices of a table, compiled into numbers for the kernel."""

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.extras import require
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.frozen import freeze

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

Choice = Literal["war", "surrender"]
Strategy = Choice | Mapping[str, Choice]
"""What a tied player does: the same always, or by the rank of the tie. Best play is such a table of the caller's."""

DryShoe = Literal["shuffle_discards", "void"]
DEFAULT_STAKE = 100
"""What lies on a wager in minor units unless told otherwise; on the progressive it is its own unit."""

CHUNK_ROUNDS = 1 << 20
"""Rounds of a chunk. They are part of what a seed means."""

TABLE_ROUNDS = 1 << 12
"""Rounds of each table in a chunk. They are part of what a seed means."""

MOST_SEED = 1 << 64
MOST_CHUNKS = 1 << 62
"""Seeds and chunks are counted from 0 up to these."""


def whole_chunk(session: int) -> int:
    """The rounds of a whole chunk: `CHUNK_ROUNDS`, or as many nights of a session as fit into them."""
    return max(1, CHUNK_ROUNDS // session) * session if session else CHUNK_ROUNDS


class PlanRefused(CasinoWarError, ValueError):
    """A plan that cannot be played as asked: the message names the leaf or the choice.

    >>> from casinowar import load_rulebook, sim
    >>> try:
    ...     plan = sim.make_plan(load_rulebook("nz"), boxes=12)
    ... except sim.PlanRefused as refused:
    ...     print(refused)
    12 boxes: the book has 1 to 7 (table.boxes)
    """


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be simulated: what the rulebook says and what the people at it do. `make_plan` makes it.

    `boxes` is how many boxes play, one player at each; where a player banks, one of them banks in each round.
    `wagers` has every wager that is placed with its stake in minor units, `counted` those of them that are placed only
    when the cards that nobody has seen make a unit of it worth more than so much. `strategy` has the answer to a tie by
    its rank, for each box. `meter` is where the progressive's meter stands, which moves only with `meter_runs`.
    `fresh` is a new shoe for every round. With a `session` of so many rounds, every table is a night on box 1 with
    `bankroll`, which ends early when the stakes of a round are no longer there; who cannot pay for a war and the side
    wagers on it surrenders. `bank_stake` is what a player banks with, none being enough for every wager. `numbers` are
    the flat parameters.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("nz"), wagers=("initial",))
    >>> plan.wagers, plan.strategy[0]["7"], plan.chunk_rounds == sim.CHUNK_ROUNDS
    ({'initial': 100}, 'war', True)
    """

    rules: Rulebook
    boxes: int
    wagers: dict[str, int]
    counted: dict[str, Fraction]
    strategy: tuple[dict[str, Choice], ...]
    dry_shoe: DryShoe
    fresh: bool
    meter: int
    meter_runs: bool
    session: int
    bankroll: int
    bank_stake: int | None
    numbers: tuple[int, ...]

    @property
    def flat(self) -> "NDArray[int64]":
        """All that the kernel needs, as `parameters.py` lays it out. A copy can be sent anywhere."""
        require("casinowar.sim", "sim", "numpy")
        import numpy as np

        return np.array(self.numbers, np.int64)

    @property
    def book_hash(self) -> str:
        """SHA-256 of every leaf of the rulebook, in hexadecimal digits."""
        leaves = {key: leaf.value for key, leaf in self.rules.leaves.items()}
        return sha256(msgspec.json.encode([self.rules.id, leaves], order="sorted")).hexdigest()

    @property
    def hash(self) -> str:
        """SHA-256 of the flat parameters and the rulebook: results are of the same plan only where it is equal."""
        return sha256(msgspec.json.encode([self.book_hash, self.numbers])).hexdigest()

    @property
    def chunk_rounds(self) -> int:
        """How many rounds a whole chunk of this plan has: `CHUNK_ROUNDS`, or as many nights as fit into it."""
        return whole_chunk(self.session)

    def to_json(self) -> bytes:
        """The plan as JSON, with the rulebook leaf by leaf; amounts and bars as they are."""
        told: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__ if name != "numbers"}
        told["rules"] = freeze(self.rules)
        told["counted"] = {wager: str(bar) for wager, bar in self.counted.items()}
        return msgspec.json.encode(told)
