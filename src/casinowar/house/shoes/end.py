"""Why a sealed shoe ends before its cutting card, and who had it end, as a table's log tells it."""

import msgspec

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.store import CommandTaken, Recalled, ShoeCommitted, ShoeOpened

HOUSE = "house"


class Cause(msgspec.Struct, frozen=True):
    """`by` is a member of staff as `role:account`, or the house, which closes tables and follows the book by itself."""

    reason: str
    by: str


class ShoeEnd:
    """It follows the log for the dealer who opens the shoe, and for the audit.

    Why the house itself closed a table is told; what staff wrote as their reason is for those who read the log.
    """

    def __init__(self) -> None:
        self._by = self._decks_by = HOUSE
        self._why = self._shuffle = ""
        self._taken: CommandTaken | None = None

    def follow(self, one: Recalled) -> None:
        match one.event:
            case CommandTaken() as taken:
                self._taken = taken
            case ShoeCommitted() | ShoeOpened():
                self._by, self._why, self._shuffle = HOUSE, "", ""
            case e.TableClosed():
                self._by = self._signed(one)
                self._why = self._taken.reason if self._taken is not None and self._by == HOUSE else ""
            case e.ShuffleOrdered() as ordered:
                self._by, self._shuffle = self._signed(one), ordered.reason
            case e.CardsReplaced() as replaced if not replaced.cards and not replaced.damaged:
                self._by, self._shuffle = self._signed(one), "replacement"
            case e.DecksAnnounced():
                self._decks_by = self._signed(one)

    def _signed(self, one: Recalled) -> str:
        """Who gave the last command; the house's own acts have no account."""
        by = None if self._taken is None else self._taken.command.by
        return by if by is not None and ":" in by and one.actor != HOUSE else HOUSE

    def cause(self, table: Table, *, is_other_decks: bool) -> Cause:
        """Why the shoe is opened as void as the table stands now."""
        if table.is_closed:
            return Cause(f"the table closed: {self._why}" if self._why else "the table closed", self._by)
        if is_other_decks:
            return Cause("the number of decks changed", self._decks_by)
        if self._shuffle:
            return Cause(f"shuffled for: {self._shuffle}", self._by)
        return Cause("loaded in the middle of a round, after which the book shuffles", HOUSE)
