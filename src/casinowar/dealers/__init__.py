"""A table played by one program: the automatic dealer, bots, real cards dealt by hand, and the record of a session."""

from casinowar.dealers.bots import BOT_NAMES, Bot
from casinowar.dealers.real_table import RealTable
from casinowar.dealers.session import Session, record_of
from casinowar.dealers.shoe import Shuffle

__all__ = ["BOT_NAMES", "Bot", "RealTable", "Session", "Shuffle", "record_of"]
