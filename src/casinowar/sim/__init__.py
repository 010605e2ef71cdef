"""Simulation: the third witness beside engine and exact odds, and the tool for what exact mathematics cannot answer.

It stands on the rulebooks alone. A `Plan` is a rulebook with the choices of a table, compiled into one flat array of
numbers; a compiled kernel plays it in chunks of a fixed size, each with its own stream of the seed, and counts how
often each outcome comes. All figures are worked out of those counts in whole numbers and fractions.

    from casinowar.rulebooks import load_rulebook
    from casinowar.sim import make_plan, run

    plan = make_plan(load_rulebook("wa"), boxes=3, wagers=("initial", "tie"), fresh=True)
    result = run(plan, seed=7, rounds=10**8, workers=2)
    tie = result.wager("tie")
    print(float(tie.mean), tie.standard_error, tie.histogram)
    result.save("result.json")

- `make_plan(rules, ...)` gives a `Plan`, or raises `PlanRefused`, which names the leaf or the choice that the kernel
  cannot honour. The number of decks, options and changed leaves are of the rulebook: `rulebooks.load_with`.
- `run(plan, seed, rounds, ...)` gives a `Result`. The same plan, seed and rounds give the same counts with any number
  of workers, in threads, processes or on a cluster.
- `run_chunk(flat, seed, chunk, rounds)` plays one chunk, and is all that a worker elsewhere needs: it can be pickled,
  takes arrays and numbers, and gives an array of counts. Who runs it elsewhere, as on a GPU, must give the same counts.
  `run_chunks` does so for many chunks, which a device plays side by side: it gives a list, as sums may be larger.
- `Result.merge` adds up results of the same plan over other chunks; `Result.load` and `save` keep them in a file.

Nothing of the extra `sim` (numpy, numba) is imported before a plan is run.
"""

from casinowar.sim.planner import load_plan, make_plan, offered_wagers
from casinowar.sim.result import BankFigures, MergeRefused, NightFigures, Result, ShoeFigures, WagerFigures
from casinowar.sim.simulation import Progress, Until, run, run_chunk, run_chunks, simulate
from casinowar.sim.table_plan import CHUNK_ROUNDS, DEFAULT_STAKE, Plan, PlanRefused

__all__ = [
    "CHUNK_ROUNDS",
    "DEFAULT_STAKE",
    "BankFigures",
    "MergeRefused",
    "NightFigures",
    "Plan",
    "PlanRefused",
    "Progress",
    "Result",
    "ShoeFigures",
    "Until",
    "WagerFigures",
    "load_plan",
    "make_plan",
    "offered_wagers",
    "run",
    "run_chunk",
    "run_chunks",
    "simulate",
]
