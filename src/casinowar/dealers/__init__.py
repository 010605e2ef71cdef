"""A table played by one program: the automatic dealer, strategies, bots, real cards, and the record of a session."""

from casinowar.dealers.bots import BOT_NAMES, Bot
from casinowar.dealers.played_round import PlayedRound
from casinowar.dealers.player_view import PlayerView
from casinowar.dealers.real_table import RealTable
from casinowar.dealers.session import Session, record_of
from casinowar.dealers.shoe import Shuffle
from casinowar.dealers.strategies import Strategy

__all__ = ["BOT_NAMES", "Bot", "PlayedRound", "PlayerView", "RealTable", "Session", "Shuffle", "Strategy", "record_of"]
