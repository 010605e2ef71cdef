"""The links that this server has opened to others, and the requests that wait for an answer on them."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable

from casinowar.store.servers import Sight
from casinowar.web.peers.link import AGAIN_S, Link, split_address
from casinowar.web.peers.messages import (
    MOST_BYTES,
    MOST_HELLO_BYTES,
    Call,
    EndClient,
    Hello,
    Message,
    Return,
    SendBack,
    Tell,
    Welcome,
)
from casinowar.web.peers.peer_key import PeerKey

log = logging.getLogger(__name__)
OPEN_S = 2.0
KNOWN_S = 60.0
"""A server that is paused, or waits for its database, may answer a hello so late."""


class Links:
    """One link to each other server that is needed. `sight` says where they are, `me` is this server's number.

    Where somebody else has entered a server in the database, or moved one, none is opened, and nothing is said to
    whoever does not prove that it is the server: with its requests go the tokens of clients.
    """

    def __init__(
        self,
        me: int,
        key: PeerKey,
        sight: Callable[[], Sight],
        hear: Callable[[int, Tell | SendBack | EndClient], None],
        lose: Callable[[int], None],
    ) -> None:
        self._me, self._key, self._sight, self._hear, self._lose = me, key, sight, hear, lose
        self._links: dict[int, Link] = {}
        self._proofs: dict[Link, str] = {}
        self._not_before: dict[int, float] = {}
        self._calls: dict[int, tuple[int, asyncio.Future[Return | None]]] = {}
        self._last = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def reach(self, number: int) -> Link | None:
        """The link to a server. One that is being opened takes messages already."""
        link = self._links.get(number)
        if link is not None:
            return link
        line = self._sight().line(number)
        if line is None or self._not_before.get(number, 0) > time.monotonic():
            return None
        if not self._key.is_sealed(line):
            log.error("a server was entered by somebody else", extra={"address": line.address})
            return None
        challenge = secrets.token_hex(16)
        hello = Hello(self._key.word(line.secret), self._me, challenge)
        link = self._links[number] = Link(self._take, self._lost, hello)
        link.peer, link.parser.most = number, MOST_HELLO_BYTES
        self._proofs[link] = self._key.proof(line.secret, challenge)
        task = asyncio.get_running_loop().create_task(self._open(link, line.address))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return link

    async def _open(self, link: Link, address: str) -> None:
        loop = asyncio.get_running_loop()
        try:
            host, port = split_address(address)
            async with asyncio.timeout(OPEN_S):
                await loop.create_connection(lambda: link, host, port)
            loop.call_later(KNOWN_S, self._give_up, link)
        except (OSError, TimeoutError, ValueError) as error:
            log.warning("another server is not reached", extra={"address": address, "error": str(error)})
            link.cut()

    def _give_up(self, link: Link) -> None:
        if not link.is_known:
            link.cut()

    def _welcome(self, link: Link, message: Message) -> None:
        """Go on with a server that proves that it is the one that was called, and with nobody else."""
        proof = self._proofs.pop(link, "")
        told = message.proof if isinstance(message, Welcome) else ""
        if secrets.compare_digest(told.encode("utf-8", "replace"), proof.encode()):
            link.parser.most = MOST_BYTES
            link.know()
        else:
            log.error("somebody else answers in the place of a server", extra={"server": link.peer})
            link.cut()

    def _take(self, link: Link, message: Message) -> None:
        if not link.is_known:
            self._welcome(link, message)
            return
        match message:
            case Tell() | SendBack() | EndClient():
                self._hear(link.peer, message)
            case Return():
                _, waiting = self._calls.pop(message.number, (0, None))
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)

    def _lost(self, link: Link) -> None:
        self._proofs.pop(link, None)
        if self._links.get(link.peer) is link:
            del self._links[link.peer]
            now = time.monotonic()
            self._not_before = {peer: until for peer, until in self._not_before.items() if until > now}
            self._not_before[link.peer] = now + AGAIN_S
        for number, (peer, waiting) in list(self._calls.items()):
            if peer == link.peer:
                del self._calls[number]
                if not waiting.done():
                    waiting.set_result(None)
        self._lose(link.peer)

    async def call(self, peer: int, call: Call) -> Return | None:
        """The answer of another server to a request; none where it is gone before it has answered."""
        link = self.reach(peer)
        if link is None:
            return None
        self._last += 1
        number = self._last
        answer: asyncio.Future[Return | None] = asyncio.get_running_loop().create_future()
        self._calls[number] = (peer, answer)
        link.send(Call(number, call.method, call.path, call.query, call.headers, call.body, call.address, call.server))
        try:
            return await answer
        finally:
            self._calls.pop(number, None)

    def close(self) -> None:
        for link in list(self._links.values()):
            link.cut()
