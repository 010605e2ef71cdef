"""The gateway: what clients of this server have going at tables that other servers decide.

It knows no socket and no database. Whose a table is it asks of a `Directory`, and other servers are `Line`s.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

import msgspec

from casinowar import protocol as f
from casinowar.web.peers.messages import EndClient, Enter, Leave, Line, Say, SendBack, Tell

ANSWERS = (b'{"type":"done"', b'{"type":"refused"', b'{"type":"error"')
"""How frames begin that answer something."""

NEWS = (b'{"type":"snapshot"', b'{"type":"events"')
"""How frames begin that tell of a table."""

MOST_UNDER_WAY = 256
"""So many commands of one client may wait for an answer from elsewhere."""

TABLE = b'"table":"'
FOR_TABLE = f.Watch | f.Command
_encode = msgspec.json.Encoder().encode
_frames: msgspec.json.Decoder[f.ClientFrame] = msgspec.json.Decoder(f.ClientFrame)


class _Answered(msgspec.Struct):
    id: str | None = None
    table: str | None = None


_answered = msgspec.json.Decoder(_Answered)


def table_of(news: bytes) -> str:
    """The table of a snapshot or of news.

    Its name comes first, and has no signs that JSON writes otherwise. So the frame, which may be long, is not parsed.
    """
    begin = news.index(TABLE) + len(TABLE)
    return news[begin : news.index(b'"', begin)].decode()


class Directory(Protocol):
    """Whose each table is."""

    @property
    def me(self) -> int: ...

    def owner(self, table: str) -> int | None:
        """The server that decides a table; none where nobody does just now."""

    def is_open(self, table: str) -> bool: ...

    def peers(self) -> Iterable[int]:
        """The other servers."""


class Client(Protocol):
    """A client of this server, as the gateway needs to know it."""

    name: str
    login_key: str
    address: str

    def put(self, frame: bytes) -> None: ...

    def end(self, code: str) -> None: ...


class Passage:
    """What one client has going elsewhere: tables that it watches, and commands that are not answered yet.

    `take_here` takes a frame at this server. `number` is how other servers know the client, but for those who know it
    by another of the `numbers`. `asked` says which server was last asked to show a table, and `left` holds the servers
    whose older words of a table may still be on their way, since it has been elsewhere.
    """

    def __init__(self, number: int, client: Client, take_here: Callable[[f.ClientFrame], None]) -> None:
        self.number, self.client, self.take_here = number, client, take_here
        self.watched: dict[str, f.Watch] = {}
        self.under_way: dict[str, f.Command] = {}
        self.entered: set[int] = set()
        self.numbers: dict[int, int] = {}
        self.asked: dict[str, int] = {}
        self.left: set[tuple[int, str]] = set()
        self.is_on_floor = False

    def number_at(self, server: int) -> int:
        return self.numbers.get(server, self.number)

    def note_place(self, table: str, server: int | None) -> None:
        """Note which server decides a table now; none where it is this one."""
        before = self.asked.pop(table, server)
        if before is not None and before != server:
            self.left.add((before, table))

    def forget_line(self, server: int) -> None:
        """Note that the line to a server is gone: nothing is on its way any more."""
        self.entered.discard(server)
        self.asked = {table: asked for table, asked in self.asked.items() if asked != server}
        self.left = {(left, table) for left, table in self.left if left != server}

    def frames(self, table: str) -> list[FOR_TABLE]:
        """What is to be sent to whoever decides a table: its snapshot first, then what is not answered."""
        watch = self.watched.get(table)
        commands = [one for one in self.under_way.values() if one.table == table]
        return [*([] if watch is None else [watch]), *commands]

    def tables(self) -> list[str]:
        return list(dict.fromkeys((*self.watched, *(one.table for one in self.under_way.values()))))

    def has(self, table: str) -> bool:
        return table in self.watched or any(one.table == table for one in self.under_way.values())


class Gateway:
    """All passages of this server. `reach` gives the line to a server, or none where it cannot be had now.

    Of each table it is remembered where its frames have gone. Where that is another server than the one that decides
    it, everything of that table goes there once more: a command acts once, however often it is sent. Where a table
    comes back to a server, that knows the client by another number from then on: what it has said of the table before
    is told apart from what it says now.
    """

    def __init__(self, directory: Directory, reach: Callable[[int], Line | None]) -> None:
        self._directory, self._reach = directory, reach
        self._passages: dict[int, Passage] = {}
        self._of: dict[Client, Passage] = {}
        self._placed: dict[str, int | None] = {}
        self._there: dict[str, dict[int, Passage]] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._of)

    @property
    def waiting(self) -> int:
        """How many commands wait for an answer from elsewhere."""
        return sum(len(one.under_way) for one in self._of.values())

    @property
    def has_unplaced(self) -> bool:
        """Whether something waits for a table that nobody decides just now."""
        return any(self._placed.get(table) is None for table in self._there)

    def is_full(self, client: Client) -> bool:
        """Whether so many commands of a client wait that no more are taken: nobody may decide their tables for long."""
        passage = self._of.get(client)
        return passage is not None and len(passage.under_way) >= MOST_UNDER_WAY

    # What a client says.

    def pass_on(self, client: Client, frame: FOR_TABLE, take_here: Callable[[f.ClientFrame], None]) -> None:
        """Pass on a frame for a table that is not decided here, now or when somebody decides it."""
        passage = self._passage(client, take_here)
        if isinstance(frame, f.Watch):
            passage.watched[frame.table] = frame
        else:
            passage.under_way[frame.id] = frame
        table = frame.table
        self._there.setdefault(table, {})[passage.number] = passage
        owner = self._directory.owner(table)
        if owner is None or self._placed.get(table) != owner:
            self._place(table)
        elif isinstance(frame, f.Watch):
            passage.note_place(table, owner)  # It may have gone there while this client did not watch it.
            self._send_all(passage, owner, table, [frame])
        else:
            self._send(passage, owner, frame)

    def unwatch(self, client: Client, table: str) -> None:
        """Watch a table no more, if it is watched elsewhere."""
        passage = self._of.get(client)
        if passage is None or passage.watched.pop(table, None) is None:
            return
        asked = passage.asked.get(table)  # It may decide the table no more for a moment, and then again.
        if asked is not None:
            self._send(passage, asked, f.Unwatch(table=table))
        self._tidy(passage, table)

    def watch_floor(self, client: Client, take_here: Callable[[f.ClientFrame], None]) -> None:
        """Follow what waits for the floor at the tables of every other server as well."""
        passage = self._passage(client, take_here)
        passage.is_on_floor = True
        for number in self._directory.peers():
            self._send(passage, number, f.WatchFloor())

    def part(self, client: Client) -> None:
        """Forget a client that is gone."""
        passage = self._of.pop(client, None)
        if passage is None:
            return
        for known in (passage.number, *passage.numbers.values()):
            self._passages.pop(known, None)
        for number in passage.entered:
            line = self._reach(number)
            if line is not None:
                line.send(Leave(passage.number_at(number)))
        for table in [table for table, there in self._there.items() if passage.number in there]:
            self._forget(passage, table)

    # What other servers say.

    def hear(self, number: int, message: Tell | SendBack | EndClient) -> None:
        """Hear a message of another server for a client. The client may be gone, or known by another number there."""
        passage = self._passages.get(message.client)
        if passage is None or passage.number_at(number) != message.client:
            return
        match message:
            case Tell():
                for frame in message.frames:
                    if frame.startswith(ANSWERS):
                        self._note_answer(passage, frame)
                    elif frame.startswith(NEWS) and self._is_late(passage, frame, number):
                        continue
                    passage.client.put(frame)
            case SendBack():
                sent = _frames.decode(message.text)
                table = sent.table if isinstance(sent, f.Watch | f.Command) else ""
                if passage.has(table) and self._placed.get(table) == number:
                    self._placed[table] = None
            case EndClient():
                passage.entered.discard(number)
                passage.client.end(message.code)

    def _is_late(self, passage: Passage, frame: bytes, number: int) -> bool:
        """Whether news comes from a server that was not the last to be asked to show its table.

        Who has heard of the table from the next one already would be told of an older state. While nobody is known to
        decide it, all that the last one tells goes on: news that are left out are missing in what comes behind them.
        """
        table = table_of(frame)
        return table not in passage.watched or passage.asked.get(table) != number

    def lose(self, number: int) -> None:
        """Note that the line to a server is gone, with all that was under way on it."""
        for passage in self._of.values():
            passage.forget_line(number)
        for table, placed in self._placed.items():
            if placed == number:
                self._placed[table] = None

    def note_here(self, table: str) -> None:
        """Note that a table is decided here now."""
        for passage in self._of.values():
            passage.note_place(table, None)

    def look(self) -> None:
        """See whose the tables are now, and send on what belongs elsewhere."""
        for table in list(self._there):
            if self._placed.get(table) is None or self._placed[table] != self._directory.owner(table):
                self._place(table)
        peers = set(self._directory.peers())
        for passage in list(self._of.values()):
            if passage.is_on_floor:
                for number in peers - passage.entered:
                    self._send(passage, number, f.WatchFloor())

    # Sending.

    def _place(self, table: str) -> None:
        """Send all that is open at a table to the server that decides it; it waits where nobody does."""
        owner = self._directory.owner(table)
        is_here = owner == self._directory.me or not self._directory.is_open(table)
        self._placed[table] = None if is_here else owner
        if owner is None and not is_here:
            return
        for passage in list(self._there.get(table, {}).values()):
            passage.note_place(table, None if is_here else owner)
            if owner is not None and not is_here:
                if not self._send_all(passage, owner, table, passage.frames(table)):
                    self._placed[table] = None
                    return
                continue
            for frame in passage.frames(table):
                self._settle(passage, frame)
                passage.take_here(frame)

    def _send_all(self, passage: Passage, number: int, table: str, frames: list[FOR_TABLE]) -> bool:
        """Send frames for a table. A server that it comes back to is sent all that the client has there, anew."""
        if (number, table) not in passage.left:
            return all(self._send(passage, number, frame) for frame in frames)
        line, before = self._reach(number), passage.number_at(number)
        if line is None:
            return False
        passage.forget_line(number)
        if before != passage.number:
            del self._passages[before]
        self._last += 1
        passage.numbers[number] = self._last
        self._passages[self._last] = passage
        there = [one for one in passage.tables() if self._placed.get(one) == number]
        is_sent = all(self._send(passage, number, frame) for one in there for frame in passage.frames(one))
        line.send(Leave(before))  # Behind the new entry, so that nobody sees the client go.
        return is_sent

    def _send(self, passage: Passage, number: int, frame: f.ClientFrame) -> bool:
        line, known = self._reach(number), passage.number_at(number)
        if line is None:
            return False
        if number not in passage.entered:
            passage.entered.add(number)
            client = passage.client
            line.send(Enter(known, client.name, client.login_key, client.address))
            if passage.is_on_floor and not isinstance(frame, f.WatchFloor):
                line.send(Say(known, _encode(f.WatchFloor())))
        if isinstance(frame, f.Watch):
            passage.asked[frame.table] = number
        line.send(Say(known, _encode(frame)))
        return True

    def _passage(self, client: Client, take_here: Callable[[f.ClientFrame], None]) -> Passage:
        found = self._of.get(client)
        if found is None:
            self._last += 1
            found = self._of[client] = self._passages[self._last] = Passage(self._last, client, take_here)
        return found

    def _note_answer(self, passage: Passage, frame: bytes) -> None:
        answered = _answered.decode(frame)
        command = None if answered.id is None else passage.under_way.pop(answered.id, None)
        if command is not None:
            self._tidy(passage, command.table)
        elif answered.id is None and answered.table is not None and frame.startswith(ANSWERS[2]):
            passage.watched.pop(answered.table, None)
            self._tidy(passage, answered.table)

    def _settle(self, passage: Passage, frame: FOR_TABLE) -> None:
        """Forget a frame that is taken here."""
        if isinstance(frame, f.Watch):
            passage.watched.pop(frame.table, None)
        else:
            passage.under_way.pop(frame.id, None)
        self._tidy(passage, frame.table)

    def _tidy(self, passage: Passage, table: str) -> None:
        if not passage.has(table):
            self._forget(passage, table)

    def _forget(self, passage: Passage, table: str) -> None:
        there = self._there.get(table, {})
        there.pop(passage.number, None)
        if not there:
            self._there.pop(table, None)
            self._placed.pop(table, None)
