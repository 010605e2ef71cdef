"""Every command that a client can send, in one place: the engine's own and those of a live table.

>>> from casinowar.client import commands
>>> commands.Sit(box=1), commands.GoToWar(player="ana", box=1).box
(Sit(box=1), 1)
"""

from casinowar.engine.commands import *
from casinowar.protocol.commands import (
    AddEntropy as AddEntropy,
)
from casinowar.protocol.commands import (
    BuyChips as BuyChips,
)
from casinowar.protocol.commands import (
    CallFloor as CallFloor,
)
from casinowar.protocol.commands import (
    CashChips as CashChips,
)
from casinowar.protocol.commands import (
    Clear as Clear,
)
from casinowar.protocol.commands import (
    Countersign as Countersign,
)
from casinowar.protocol.commands import (
    DismissBots as DismissBots,
)
from casinowar.protocol.commands import (
    EndCall as EndCall,
)
from casinowar.protocol.commands import (
    Enter as Enter,
)
from casinowar.protocol.commands import (
    Leave as Leave,
)
from casinowar.protocol.commands import (
    LiveCommand as LiveCommand,
)
from casinowar.protocol.commands import (
    Next as Next,
)
from casinowar.protocol.commands import (
    Pause as Pause,
)
from casinowar.protocol.commands import (
    PromiseEntropy as PromiseEntropy,
)
from casinowar.protocol.commands import (
    Ready as Ready,
)
from casinowar.protocol.commands import (
    RefuseSignature as RefuseSignature,
)
from casinowar.protocol.commands import (
    Resume as Resume,
)
from casinowar.protocol.commands import (
    SeatBots as SeatBots,
)
from casinowar.protocol.commands import (
    Sit as Sit,
)
from casinowar.protocol.commands import (
    StopWaiting as StopWaiting,
)
from casinowar.protocol.commands import (
    TakeCall as TakeCall,
)
from casinowar.protocol.commands import (
    WaitForSeat as WaitForSeat,
)
