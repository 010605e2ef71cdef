"""The live table: the automatic dealer, the strategies of its bots, and the record of what happened."""

from casinowar.table.bots import BOT_NAMES, Bot
from casinowar.table.export import format_record, record_of
from casinowar.table.session import Session, Shuffle

__all__ = ["BOT_NAMES", "Bot", "Session", "Shuffle", "format_record", "record_of"]
