"""Where each round of a table's log begins and ends."""

import msgspec

from casinowar.history.log_walk import ENDS, VOIDS
from casinowar.store import Recalled


class Span(msgspec.Struct, frozen=True):
    """The versions of a table's log from the end of the round before to this round's own end."""

    number: int
    first: int
    last: int
    is_void: bool


class RoundSpans:
    """The spans of rounds that are over, by their numbers. `last` is the version at which the last of them ends."""

    def __init__(self) -> None:
        self.known: dict[int, Span] = {}
        self.last = 0

    def follow(self, one: Recalled) -> Span | None:
        """Note an event, and give the span where it ends a round.

        A round that is voided or amended after it has ended goes on to that event.
        """
        event = one.event
        if not isinstance(event, ENDS):
            return None
        known = self.known.get(event.number)
        first = known.first if known else self.last + 1
        is_void = isinstance(event, VOIDS) or (known is not None and known.is_void)
        span = self.known[event.number] = Span(event.number, first, one.version, is_void)
        self.last = one.version
        return span
