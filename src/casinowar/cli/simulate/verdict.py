"""The verdict on a simulation beside the exact figures: what holds, what differs, and how many rounds it takes."""

from fractions import Fraction
from math import ceil

import msgspec

from casinowar.cli.simulate.exact import Beside
from casinowar.sim import Plan, Result

HOLDS, FAILS, DIFFERS, SAME, TOO_FEW, SILENT = (
    "holds",
    "fails",
    "differs",
    "no_difference",
    "too_few_rounds",
    "no_exact",
)
MOST_Z = 4.0
LEAST_HITS = 10
"""The rarest outcome that matters must have come so often, else a standard error says nothing."""

FINE = 1e-5
"""The difference that a cutting card makes on a tie, about: what a run must be able to see."""

PART_OF_EDGE = 0.01


class Verdict(msgspec.Struct, frozen=True):
    """Of one wager: its status, the difference to the exact figure in standard errors, and the rounds that are needed.

    `question` is what so many rounds would answer.
    """

    status: str
    difference: float | None
    z: float | None
    rounds_needed: int | None
    question: str


def judge(result: Result, beside: Beside) -> dict[str, Verdict]:
    return {wager: _judge(result, wager, beside) for wager in result.plan.wagers}


def is_held_to_exact(plan: Plan) -> bool:
    """Whether the exact figures must hold: a new shoe for every round, and nobody who runs out of money."""
    return plan.fresh and not plan.session


def _judge(result: Result, wager: str, beside: Beside) -> Verdict:
    figures = result.wager(wager)
    exact = beside.exact.get(wager)
    if exact is None or not figures.count:
        return Verdict(SILENT, None, None, None, beside.silent.get(wager, "has not been placed once"))
    difference, error = float(figures.mean - exact.value), figures.standard_error
    z = difference / error if error else None
    if z is None or figures.count * exact.rarest < LEAST_HITS:
        needed = ceil(LEAST_HITS / exact.rarest * Fraction(result.rounds, figures.count))
        return Verdict(
            TOO_FEW, difference, z, needed, f"until the rarest outcome that matters comes {LEAST_HITS} times"
        )
    if is_held_to_exact(result.plan):
        goal = abs(float(exact.value)) * PART_OF_EDGE or FINE
        needed = ceil(result.rounds * (error / goal) ** 2)
        status = HOLDS if abs(z) <= MOST_Z else FAILS
        return Verdict(status, difference, z, needed, "for an error of a hundredth of the edge")
    needed = ceil(result.rounds * (error * MOST_Z / FINE) ** 2)
    status = SAME if abs(z) <= MOST_Z else DIFFERS
    return Verdict(status, difference, z, needed, "to see a difference of 0.00001 at 4 standard errors")
