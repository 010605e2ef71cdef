"""What comes of a run: chunks that add up, files of them, and the figures of wagers, shoes, banks and nights."""

from casinowar.sim.result.chunk_runs import MergeRefused
from casinowar.sim.result.night_figures import NightFigures
from casinowar.sim.result.run_result import Result
from casinowar.sim.result.table_figures import BankFigures, ShoeFigures
from casinowar.sim.result.wager_figures import WagerFigures

__all__ = ["BankFigures", "MergeRefused", "NightFigures", "Result", "ShoeFigures", "WagerFigures"]
