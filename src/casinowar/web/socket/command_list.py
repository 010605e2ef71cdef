"""The commands that can be asked for over the web: all but those that the server does by itself."""

from typing import Any, Union, get_args

from casinowar.house.table.command_kinds import THE_SERVERS
from casinowar.protocol.frames import Asked

Askable: Any = Union[tuple(kind for kind in get_args(Asked) if kind not in THE_SERVERS)]  # noqa: UP007
