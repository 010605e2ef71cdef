"""What servers of one house say to each other: messages as msgpack, each behind its length."""

from collections.abc import Iterator
from typing import Protocol

import msgspec

MOST_BYTES, MOST_HELLO_BYTES = 64 * 1024 * 1024, 1024
FORM = 1
"""The form of these messages. Servers of different forms do not speak with each other."""

PASSED_ON = "casinowar.passed_on"
"""What the scope of a request has that another server has let in."""

MOVED = 421
"""The status with which a request comes back for a table that is not decided here."""

TABLES = b"x-casinowar-tables"
"""The header in which a server names the tables for which it has answered."""

HEAD = 4
"""The bytes of a length."""


class PeerMessage(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What all messages have in common."""


class Hello(PeerMessage, frozen=True):
    """The first message: the word for the secret of the server that is called, and the number of the one that calls.

    The one that is called answers the challenge, and is told nothing more before.
    """

    secret: str
    number: int
    challenge: str = ""
    form: int = FORM

    def __repr__(self) -> str:
        return f"<hello from {self.number}>"


class Welcome(PeerMessage, frozen=True):
    """The answer to a hello: the proof that whoever is called is the server that was meant, for this challenge."""

    proof: str

    def __repr__(self) -> str:
        return "<welcome>"


class Enter(PeerMessage, frozen=True):
    """A client of the calling server comes in with its login; `client` is the caller's own number for it."""

    client: int
    name: str
    login_key: str
    address: str


class Say(PeerMessage, frozen=True):
    """A frame of a client, as it came."""

    client: int
    text: bytes


class Leave(PeerMessage, frozen=True):
    client: int


class Tell(PeerMessage, frozen=True):
    """Frames for a client, which go on as they are."""

    client: int
    frames: list[bytes]


class SendBack(PeerMessage, frozen=True):
    """A frame of a client for a table that the called server does not decide, or decides no more."""

    client: int
    text: bytes


class EndClient(PeerMessage, frozen=True):
    """The called server has nothing more to say to a client, for the reason of this code."""

    client: int
    code: str


class Call(PeerMessage, frozen=True):
    """A request to the HTTP API, which the calling server has let in from this address."""

    number: int
    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    address: str
    server: tuple[str, int] | None


class Return(PeerMessage, frozen=True):
    """The answer to a request. One that each server gives for its own tables names them in the header `TABLES`."""

    number: int
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    @property
    def tables(self) -> list[str]:
        named = dict(self.headers).get(TABLES)
        return [] if named is None else msgspec.json.decode(named, type=list[str])


Message = Hello | Welcome | Enter | Say | Leave | Tell | SendBack | EndClient | Call | Return


class Line(Protocol):
    """The way to another server. What is sent after its end is lost, and its end is told."""

    def send(self, message: Message) -> None: ...


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)


def dump_message(message: Message) -> bytes:
    body = _encoder.encode(message)
    return len(body).to_bytes(HEAD, "big") + body


class MessageParser:
    """Parses what comes over a line; ValueError where it is none of our messages, or one of more than `most` bytes."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are whole by now. `most` may change between two of them."""
        buffer, at = self._buffer, 0
        buffer += data
        try:
            while len(buffer) - at >= HEAD:
                end = at + HEAD + int.from_bytes(buffer[at : at + HEAD], "big")
                if end - at > self.most:
                    raise ValueError("a message is too long")
                if len(buffer) < end:
                    break
                message = _decoder.decode(buffer[at + HEAD : end])
                at = end
                yield message
        finally:
            del buffer[:at]
