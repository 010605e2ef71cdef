"""The plan of a simulation: a rulebook with the choices of a table, compiled into numbers for the kernel."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.rulebooks import Rulebook

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

Choice = Literal["war", "surrender"]
Strategy = Choice | Mapping[str, Choice]
"""What a tied player does: the same always, or by the rank of the tie. Best play is such a table, given by the caller."""

DryShoe = Literal["shuffle_discards", "void"]
DEFAULT_STAKE = 100
"""What lies on a wager in minor units unless told otherwise; on the progressive it is its own unit."""


class PlanRefused(CasinoWarError, ValueError):
    """A plan that cannot be played as asked: the message names the leaf or the choice."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be simulated: what the rulebook says and what the people at it do.

    `boxes` is how many boxes play, one player at each; where a player banks, one of them banks in each round.
    `wagers` has every wager that is placed with its stake in minor units, `counted` those of them that are placed only
    when the cards that nobody has seen make a unit of it worth more than so much. `strategy` has one answer to a tie
    for each box. `meter` is where the progressive's meter stands, which moves only with `meter_runs`. `fresh` is a new
    shoe for every round. With a `session` of so many rounds, every table is a night on box 1 with `bankroll`.
    `bank_stake` is what a player banks with, none being enough for every wager.
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
    covariance: bool

    @property
    def flat(self) -> "NDArray[int64]":
        """All that the kernel needs, as `parameters.py` lays it out. A copy can be sent anywhere."""
        raise NotImplementedError

    @property
    def book_hash(self) -> str:
        """SHA-256 of every leaf of the rulebook, in hexadecimal digits."""
        raise NotImplementedError

    @property
    def hash(self) -> str:
        """SHA-256 of the flat parameters and the rulebook: results are of the same plan only where it is equal."""
        raise NotImplementedError

    @property
    def chunk_rounds(self) -> int:
        """How many rounds a whole chunk of this plan has: `CHUNK_ROUNDS`, or as many nights as fit into it."""
        raise NotImplementedError


def offered_wagers(rules: Rulebook) -> tuple[str, ...]:
    """The wagers that the book has, `war` apart, which is part of `initial`."""
    raise NotImplementedError


def make_plan(
    rules: Rulebook,
    *,
    boxes: int = 1,
    wagers: Mapping[str, int] | Iterable[str] | None = None,
    counted: Mapping[str, Fraction] | None = None,
    strategy: Strategy | Sequence[Strategy] = "war",
    dry_shoe: DryShoe = "shuffle_discards",
    fresh: bool = False,
    meter: int | None = None,
    meter_runs: bool = False,
    session: int = 0,
    bankroll: int = 0,
    bank_stake: int | None = None,
    covariance: bool = False,
) -> Plan:
    """Compile a rulebook and the choices of a table; `PlanRefused` names what the kernel cannot honour.

    Without `wagers`, every wager of the book is placed. A side wager that is never wanted is left out of `wagers`, one
    that is always wanted stands there, and one in `counted` stands in both. `dry_shoe` is the ruling where a book
    leaves it to somebody what becomes of a round for which the shoe has too few cards.
    """
    raise NotImplementedError
