"""The entries that the events of a command must have, byte for byte: what the engine decides is written as the store
writes it, and held against what stands there. So nothing that is as it must be has to be read.

An entry of other bytes may still say the same, as one of an older form does: then it is read, and compared by value.
"""

from collections.abc import Sequence

import msgspec

from casinowar.audit.quick_log import UNSURE, Doubt, QuickEvent, read_rows
from casinowar.audit.shoes import DRAWN_KINDS
from casinowar.audit.stream_log import NAMES, WRITTEN, Row
from casinowar.engine import Event
from casinowar.engine.events import WagerPlaced
from casinowar.house.table.followed_table import NOTED
from casinowar.store.envelope import FORMAT, canonical
from casinowar.store.ledger import RULES, Pairs

BODIES_KEPT = 4_000
"""Events whose bytes are kept: the same card goes to the same box again and again."""


class Kind(msgspec.Struct, frozen=True, gc=False):
    """What is to be known of the events of a kind: name and form in an entry, and who takes note of them.

    One that is followed is drawn, noted, or a wager, which asks for a shoe that is ready.
    """

    name: str
    form: bytes
    is_drawn: bool
    is_posted: bool
    is_noted: bool
    is_followed: bool


KINDS = {
    kind: Kind(
        name,
        f',"name":"{name}","event_version":{WRITTEN[kind]},"at":'.encode(),
        kind in DRAWN_KINDS,
        kind in RULES,
        kind in NOTED,
        kind in DRAWN_KINDS or kind in NOTED or kind is WagerPlaced,
    )
    for kind, name in NAMES.items()
}

_sorted = msgspec.json.Encoder(order="sorted")


class QuickEntries:
    """The entries of one stream as they must be."""

    def __init__(self, stream: str) -> None:
        named = msgspec.json.encode(stream).replace(b"%", b"%%")
        self._written = b'{"format":%d,"position":%%d,"stream":%b,"version":%%d%%b%%b%%b,"event":%%b}' % (FORMAT, named)
        self._bodies: dict[Event, bytes] = {}

    def require(self, taken: QuickEvent, rows: Sequence[Row], events: Sequence[Event], moved: list[Pairs]) -> None:
        """Hold the rows behind a command against the engine's events and their postings, one for one."""
        cause = b'%d,"actor":%b,"command":%b,"postings":' % (
            taken.at,
            msgspec.json.encode(taken.actor),
            msgspec.json.encode(taken.command),
        )
        written, bodies, encode = self._written, self._bodies, msgspec.json.encode
        is_same = True
        for (position, _, version, name, entry, _), event, pairs in zip(rows, events, moved, strict=True):
            kind = KINDS[type(event)]
            if name != kind.name:
                raise Doubt(UNSURE)
            try:
                body = bodies.get(event) or self._write(event)
            except TypeError:  # An event that holds a mapping has no hash, and is written each time.
                body = canonical(event)
            if entry != written % (position, version, kind.form, cause, encode(pairs) if pairs else b"[]", body):
                is_same = False
        if not is_same:
            _require_alike(taken, rows, events, moved)

    def _write(self, event: Event) -> bytes:
        """The canonical bytes of an event, which are kept."""
        if len(self._bodies) >= BODIES_KEPT:
            self._bodies.clear()
        body = self._bodies[event] = _sorted.encode(event)
        return body


def _require_alike(taken: QuickEvent, rows: Sequence[Row], events: Sequence[Event], moved: list[Pairs]) -> None:
    """Read the entries, and hold what they say against what they must."""
    ones = read_rows([*rows])
    due = [(taken.at, taken.actor, taken.command, pairs, event) for event, pairs in zip(events, moved, strict=True)]
    if [(one.at, one.actor, one.command, one.postings, one.event) for one in ones] != due:
        raise Doubt(UNSURE)
