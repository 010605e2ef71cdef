"""The record of a session, for `replay` to run again.

Of an automatic dealer it holds every face of every shoe, sealed burns too, so it is for a session that is over. Of a
table of real cards it holds the faces that were turned, and no other.
"""

from typing import Any

from casinowar.dealers.real_table import RealTable
from casinowar.dealers.session import Session
from casinowar.records import write
from casinowar.records.parse import Stack
from casinowar.rulebooks.editions import without_edition


def record_of(session: Session | RealTable, rulebook: str | None = None) -> dict[str, Any]:
    """The session's script. Replayed, it ends with the same balances; a deal that still waits for a cut is left out.

    `rulebook` is how the record names a house rulebook, by its path or name; the five books go by their ids, and the
    edition stands beside it.
    """
    return write.record_of(
        session.book,
        [Stack(stack.cards, stack.cut_card) for stack in session.stacks],
        session.acts[:-1] if isinstance(session, Session) and session.is_deal_unfinished else session.acts,
        name=without_edition(rulebook or ""),
        meter=session.meter,
        limits=write.limit_of(session.limit),
        players=session.opening_chips if isinstance(session, Session) else session.chips,
    )
