"""The live table: the automatic dealer and its bots, real cards dealt by hand, and the record of what happened."""

from casinowar.table.bots import BOT_NAMES, Bot
from casinowar.table.export import format_record, record_of
from casinowar.table.real import RealTable
from casinowar.table.session import Session
from casinowar.table.stacks import Shuffle

__all__ = ["BOT_NAMES", "Bot", "RealTable", "Session", "Shuffle", "format_record", "record_of"]
