"""Commands: what people at the table want to be done. Cards and shuffles come in as the dealer's commands.

`by` says who acts, as `role:person`; without it the entitled person is presumed. A command is declared in the module of
its concern, and in the union at the end of that module.
"""

from casinowar.engine.commands.floor import *
from casinowar.engine.commands.incidents import *
from casinowar.engine.commands.play import *
from casinowar.engine.commands.preparation import *
from casinowar.engine.commands.shoe import *
from casinowar.engine.commands.table import *
from casinowar.engine.commands.values import *
from casinowar.rulebooks.wagers import WagerName as WagerName

Command = TableCommand | PlayCommand | ShoeCommand | PreparationCommand | FloorCommand | IncidentCommand
"""Everything that somebody can want to be done at a table."""
