"""What a client and the server of live tables say to each other, as JSON: commands, answers, views."""

from casinowar.protocol.answers import *
from casinowar.protocol.commands import *
from casinowar.protocol.views import *
