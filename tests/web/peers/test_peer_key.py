"""The key of the servers of one house: whoever reads their list in the database, or writes to it, is none of them."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from casinowar.store import load_key
from casinowar.store.postgres.connection import Connection
from casinowar.store.servers import ServerLine
from casinowar.web.peers.link import split_address
from casinowar.web.peers.messages import Call, Hello, Message, MessageParser, Return, Welcome, dump_message
from casinowar.web.peers.peer_key import NONCE, PeerKey
from tests.support.live_server import Caller, LiveServer, running

FOREIGN = 77
ENTERED = "INSERT INTO servers VALUES (?, ?, ?, 1, clock_timestamp() + interval '1 hour')"


def key_in(folder: Path) -> PeerKey:
    return PeerKey(load_key(folder / "checkpoints.key").private_bytes_raw())


def is_let_in(address: str, word: str) -> bool:
    with closing(socket.create_connection(split_address(address), timeout=30)) as line:
        call = Call(1, "GET", "/healthz", b"", [], b"", "127.0.0.1", None)
        line.sendall(dump_message(Hello(word, FOREIGN)) + dump_message(call))
        try:
            return bool(line.recv(65_536))
        except ConnectionError:
            return False


def test_what_stands_in_the_database_opens_no_entrance(tmp_path: Path, database: str) -> None:
    """Otherwise whoever may read it would play for anybody, and act as staff."""
    with running(tmp_path, database=database), closing(Connection(database, for_reading=True)) as reader:
        [(address, secret)] = reader.execute("SELECT address, secret FROM servers")
        assert not is_let_in(str(address), str(secret))
        assert not is_let_in(str(address), PeerKey(bytes(32)).word(str(secret)))
        assert is_let_in(str(address), key_in(tmp_path).word(str(secret)))


@contextmanager
def entered(database: str, line: ServerLine) -> Iterator[None]:
    """A server in the list that is there as long as the block, whoever has entered it."""
    with closing(Connection(database)) as writer:
        writer.execute("SELECT pg_advisory_lock(?)", (line.number,))
        writer.execute(ENTERED, (line.number, line.address, line.secret))
        yield
        writer.execute("DELETE FROM servers WHERE number = ?", (line.number,))


def first_said(live: LiveServer, database: str, there: socket.socket, line: ServerLine) -> list[object]:
    """What is said to a server in the list when a player asks for something that all servers are asked for."""
    player = Caller(live).guest()
    with entered(database, line):
        live.call(lambda: live.server.peers.look())  # type: ignore[union-attr]
        assert player.ask("GET", "/api/me").status == 200
    there.settimeout(0.3)
    try:
        with closing(there.accept()[0]) as accepted:
            return list(MessageParser().feed(accepted.recv(65_536)))
    except TimeoutError:
        return []


def test_nothing_is_said_to_a_server_that_somebody_else_has_entered(tmp_path: Path, database: str) -> None:
    """Otherwise whoever may write to the database would be sent the tokens of all who play."""
    with running(tmp_path, database=database) as live, closing(socket.create_server(("127.0.0.1", 0))) as there:
        address, key = f"127.0.0.1:{there.getsockname()[1]}", key_in(tmp_path)
        sealed = key.seal(FOREIGN, address, "n" * NONCE)
        for line in (
            ServerLine(FOREIGN, address, "s" * 64),
            ServerLine(FOREIGN, address, PeerKey(bytes(32)).seal(FOREIGN, address, "n" * NONCE)),
            ServerLine(FOREIGN, address, key.seal(FOREIGN + 1, address, "n" * NONCE)),
            ServerLine(FOREIGN, address, key.seal(FOREIGN, "127.0.0.1:1", "n" * NONCE)),
        ):
            assert first_said(live, database, there, line) == []
        said = first_said(live, database, there, ServerLine(FOREIGN, address, sealed))
        [hello] = said
        assert isinstance(hello, Hello)
        assert (hello.secret, hello.number) == (key.word(sealed), live.server.peers.shared.me)  # type: ignore[union-attr]


def heard(line: socket.socket, parser: MessageParser) -> list[Message]:
    """What comes next over a line; nothing where it ends, or where nothing comes."""
    line.settimeout(2)
    try:
        return list(parser.feed(line.recv(65_536)))
    except (TimeoutError, ConnectionError):
        return []


@pytest.mark.parametrize("answer", ["none", "nothing", "an older proof", "another message", "its proof"])
def test_a_server_is_told_nothing_before_it_has_proved_who_it_is(tmp_path: Path, database: str, answer: str) -> None:
    """Whoever may write to the database puts back the entry of a server that has ended, and listens at its address.

    It was sent the logins of all who asked for a table, and what it answered was believed.
    """
    with running(tmp_path, database=database) as live, closing(socket.create_server(("127.0.0.1", 0))) as there:
        address, key = f"127.0.0.1:{there.getsockname()[1]}", key_in(tmp_path)
        sealed = key.seal(FOREIGN, address, "n" * NONCE)
        player = Caller(live).guest()
        there.settimeout(20)
        with entered(database, ServerLine(FOREIGN, address, sealed)):
            live.call(lambda: live.server.peers.look())  # type: ignore[union-attr]
            asking = threading.Thread(target=player.ask, args=("GET", "/api/me"))
            asking.start()
            with closing(there.accept()[0]) as line:
                parser = MessageParser()
                [hello] = heard(line, parser)
                assert isinstance(hello, Hello)
                proof = key.proof(sealed, hello.challenge)
                answers: dict[str, list[Message]] = {
                    "none": [],
                    "nothing": [Welcome("")],
                    "an older proof": [Welcome(key.proof(sealed, "0" * 32))],
                    "another message": [Return(1, 200, [], b"{}"), Welcome(proof)],
                    "its proof": [Welcome(proof)],
                }
                line.sendall(b"".join(map(dump_message, answers[answer])))
                told = heard(line, parser)
                assert [type(one) for one in told] == ([Call] if answer == "its proof" else [])
            asking.join(30)
            assert not asking.is_alive()
