"""The kernel of the simulation: what numba compiles. Nothing here is imported before a plan is run."""

from casinowar.extras import require

require("casinowar.sim.kernel", "sim", "numba", "numpy")
