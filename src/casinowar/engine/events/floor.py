"""Events of the floor: time, limits, notices, seats without a wager, and the end of the day."""

import msgspec

from casinowar.engine.commands import Limit
from casinowar.engine.events.values import Clauses


class TimePassed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="time_passed"):
    seconds: int
    clauses: Clauses = ()


class LimitsAnnounced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="limits_announced"):
    limit: Limit
    by: str
    clauses: Clauses = ()


class LimitsChanged(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="limits_changed"):
    limit: Limit
    basis: str
    by: str
    clauses: Clauses = ()


class ClosingAnnounced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="closing_announced"):
    """The table closes in so many minutes; where none are told, in as many as the book wants."""

    by: str
    clauses: Clauses = ()
    minutes: int | None = None


class TableClosed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="table_closed"):
    by: str
    clauses: Clauses = ()


class RoundSatOut(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_sat_out"):
    """A seated player without a wager, for so many rounds in a row."""

    player: str
    rounds: int
    clauses: Clauses = ()


class AbstentionNoted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="abstention_noted"):
    """A seated player has bet on nothing for so many rounds that the book lets the operator ask for the seat."""

    player: str
    rounds: int
    clauses: Clauses = ()


class DecksAnnounced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="decks_announced"):
    decks: int
    perfect_pairs: str | None
    by: str
    clauses: Clauses = ()


class DecksChanged(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="decks_changed"):
    """The notice has stood long enough, and the new stack has the new number of decks."""

    decks: int
    clauses: Clauses = ()


class BoxMaxDirected(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="box_max_directed"):
    amount: int
    by: str
    clauses: Clauses = ()


class PlayerMaxDirected(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="player_max_directed"):
    amount: int
    by: str
    clauses: Clauses = ()


class BettorsPerAreaSet(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bettors_per_area_set"):
    bettors: int
    by: str
    clauses: Clauses = ()
