"""The engine: one pure state machine for every rulebook."""

from casinowar.engine.decide import decide, step
from casinowar.engine.events import DEALER, Event, Refusal
from casinowar.engine.evolve import evolve
from casinowar.engine.state import Round, Table, Wager

__all__ = ["DEALER", "Event", "Refusal", "Round", "Table", "Wager", "decide", "evolve", "step"]
