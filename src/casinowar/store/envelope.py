"""The envelope of a recorded event: where it stands, in which version it was written, its postings, and its bytes.

The bytes are written once and never again: the hash chain is over them, and an old version is
brought up to date only when it is read.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.store.events import Recorded, name_of
from casinowar.store.ledger import Posting

FORMAT = 1
"""The version of the envelope itself."""

VERSIONS: Mapping[str, int] = {"table_opened": 2}
"""Events whose form has changed, with the version that is written now; every other event is in its first."""

Body = dict[str, Any]
Upcast = Callable[[Body], Body]


def _table_opened_2(body: Body) -> Body:
    """Add the number of decks, which version 1 did not have; 0 is the book's own number."""
    return {**body, "decks": 0}


UPCASTS: Mapping[tuple[str, int], Upcast] = {("table_opened", 1): _table_opened_2}
"""How the body of an event of an old version becomes that of the next one."""


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event as it is stored.

    `position` counts the store's events from 1, `version` the stream's; `at` is milliseconds UTC.
    """

    format: int
    position: int
    stream: str
    version: int
    name: str
    event_version: int
    at: int
    actor: str
    command: str
    postings: tuple[Posting, ...]
    event: msgspec.Raw


class UnreadableEvent(CasinoWarError):
    """The event is of a version that this program does not know."""


_encoder = msgspec.json.Encoder(order="deterministic")
_envelopes = msgspec.json.Decoder(Envelope)
_events: msgspec.json.Decoder[Recorded] = msgspec.json.Decoder(Recorded)


def canonical(value: object) -> bytes:
    """The canonical bytes of a value: JSON without spaces, with the keys of every object sorted."""
    return _encoder.encode(msgspec.to_builtins(value, str_keys=True))


def enclose(
    event: Recorded, *, position: int, stream: str, version: int, at: int, actor: str, command: str,
    postings: tuple[Posting, ...],
) -> Envelope:  # fmt: skip
    """The event in an envelope of the present format."""
    name = name_of(event)
    body = msgspec.Raw(canonical(event))
    return Envelope(FORMAT, position, stream, version, name, VERSIONS.get(name, 1), at, actor, command, postings, body)


def seal(envelope: Envelope) -> bytes:
    """The bytes of the envelope: its fields in declared order, around the canonical bytes of its event."""
    return _encoder.encode(envelope)


def open_envelope(entry: bytes) -> Envelope:
    """The envelope that these bytes hold."""
    try:
        envelope = _envelopes.decode(entry)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise UnreadableEvent(f"no envelope: {error}") from None
    if envelope.format != FORMAT:
        raise UnreadableEvent(f"event {envelope.position}: envelope of format {envelope.format}")
    return envelope


def event_in(
    envelope: Envelope, versions: Mapping[str, int] = VERSIONS, upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS
) -> Recorded:
    """The event as this program knows it, brought up from the version in which it was written."""
    name, written, current = envelope.name, envelope.event_version, versions.get(envelope.name, 1)
    where = f"event {envelope.position}: {name} of version {written}"
    if written == current:
        raw: bytes | msgspec.Raw = envelope.event
    else:
        body = msgspec.json.decode(envelope.event)
        for version in range(written, current):
            if (name, version) not in upcasts:
                raise UnreadableEvent(f"{where} cannot be brought up to {current}")
            body = upcasts[name, version](body)
        if written > current:
            raise UnreadableEvent(f"{where} is newer than this program, which knows {current}")
        raw = msgspec.json.encode(body)
    try:
        event = _events.decode(raw)
    except msgspec.ValidationError as error:
        raise UnreadableEvent(f"{where}: {error}") from None
    if name_of(event) != name:
        raise UnreadableEvent(f"{where} holds {name_of(event)}")
    return event
