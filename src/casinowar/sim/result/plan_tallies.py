"""The tallies of a plan, all chunks together: what the figures are worked out of."""

import msgspec

from casinowar.sim.table_plan import Plan
from casinowar.sim.tallies import sections


class PlanTallies(msgspec.Struct, frozen=True):
    """A plan, and what was counted of it."""

    plan: Plan
    tallies: list[int]

    def section(self, name: str) -> list[int]:
        """One section of the tallies, as `tallies.py` names it; empty where nothing was played."""
        begin, size = sections(self.plan.numbers)[name]
        return self.tallies[begin : begin + size]
