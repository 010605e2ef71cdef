"""A table as a client follows it: its view kept up to date, what happens there, and commands to it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol
from uuid import uuid4

import msgspec

from casinowar import protocol as f
from casinowar.client.errors import Ended, Refused
from casinowar.client.proofs import Contribution, ProofNotes
from casinowar.engine.fields import check_fields
from casinowar.engine.view import BoxView, View
from casinowar.fairness import Finding, Noted

MOST_WAITING = 256
"""So many frames wait for a reader of `async for`; from then on the oldest make room and are counted."""


def merge(view: f.LiveView, happened: f.Happened) -> f.LiveView:
    """The view after what happened, put together from its parts and from those that are this viewer's own."""
    seen = _put_in(_put_in(view, happened.view), happened.own)
    return msgspec.structs.replace(seen, version=happened.version)


def _put_in(view: f.LiveView, told: Mapping[str, Any]) -> f.LiveView:
    """The view with these parts in their places; boxes and rounds go by their numbers."""
    if not told:
        return view
    changed = _present(msgspec.convert(told, _LiveParts, str_keys=True), told)
    if "rounds" in changed:
        rounds = {line.number: line for line in (*view.rounds, *changed["rounds"])}
        changed["rounds"] = tuple(rounds.values())[-f.ROUNDS_SHOWN :]
    if "view" in changed:
        inner = _present(changed["view"], told["view"])
        if "boxes" in inner:
            boxes = {box.box: box for box in view.view.boxes}
            for box, part in zip(inner["boxes"], told["view"]["boxes"], strict=True):
                boxes[box.box] = msgspec.structs.replace(boxes[box.box], **_present(box, part))
            inner["boxes"] = tuple(boxes.values())
        changed["view"] = msgspec.structs.replace(view.view, **inner)
    return msgspec.structs.replace(view, **changed)


def _parts_of(kind: type[msgspec.Struct], **others: Any) -> type[msgspec.Struct]:
    """A struct of the parts of a view: any may be left out, and one that this client does not know is passed by."""
    types = {part.name: others.get(part.name, part.type) for part in msgspec.structs.fields(kind)}
    fields = [(name, type_ | msgspec.UnsetType, msgspec.UNSET) for name, type_ in types.items()]
    return msgspec.defstruct(f"{kind.__name__}Parts", fields, kw_only=True)


_ViewParts = _parts_of(View, boxes=list[_parts_of(BoxView)])  # type: ignore[misc]
_LiveParts = _parts_of(f.LiveView, view=_ViewParts)


def _present(parts: msgspec.Struct, told: Mapping[str, Any]) -> dict[str, Any]:
    """The parts that are there, each in its type."""
    return {name: getattr(parts, name) for name in told if name in parts.__struct_fields__}


class Sender(Protocol):
    """The connection over which commands go; each is sent again with its id until it is answered."""

    async def send_command(self, command: f.Command) -> f.Done: ...


class Live:
    """One table in one role. `view` is never older than what the iteration gives.

    >>> import asyncio
    >>> from casinowar import protocol
    >>> from casinowar.testing.scripted_server import live_view, say, scripted
    >>> async def script(socket, frame):
    ...     if isinstance(frame, protocol.Watch):
    ...         await say(socket, protocol.Snapshot("nz", live_view()))
    ...     elif isinstance(frame, protocol.Command):
    ...         await say(socket, protocol.Done(frame.id, "nz", 8))
    >>> from casinowar.client import Client
    >>> async def look_on():
    ...     async with scripted(script) as server, Client.connect(server.url) as client:
    ...         me = await client.guest()
    ...         live = await client.watch("nz")
    ...         return live.view.title, live.view.view.phase, live.check_cards()
    >>> asyncio.run(look_on())
    ('New Zealand', 'betting', [])
    """

    def __init__(self, sender: Sender, watch: f.Watch, player: str, contribution: Contribution | None) -> None:
        self.watching = watch
        self.player = player
        self.notes = ProofNotes()
        self.missed = 0
        self.snapshots = 0
        self._sender = sender
        self._contribution = contribution if watch.role == "player" else None
        self._view: f.LiveView | None = None
        self._waiting: deque[f.Happened] = deque(maxlen=MOST_WAITING)
        self._news = asyncio.Event()
        self._ended: Ended | Refused | None = None
        self._own: set[asyncio.Task[None]] = set()

    @property
    def table(self) -> str:
        """The name of the table."""
        return self.watching.table

    @property
    def view(self) -> f.LiveView:
        """The whole view of the table as of the last frame."""
        if self._view is None:
            raise RuntimeError("no snapshot yet")
        return self._view

    @property
    def box(self) -> int | None:
        """The box where this player sits; the first box of one who has several."""
        return next((seat.box for seat in self.view.seats if seat.player == self.player), None)

    async def do(
        self,
        command: msgspec.Struct | Mapping[str, Any],
        reason: str = "",
        part: f.Part = "player",
        *,
        id: str | None = None,
        expected: int | None = None,
    ) -> f.Done:
        """Send one command and wait until it is on the server's disk. Raises `Refused`, or `Ended` if no answer comes.

        `expected` is the version on which the caller decided: the present one unless told. Give an `id` to send a
        command of an earlier connection again. A command with a float for an amount is a TypeError, and is not sent.
        """
        if isinstance(command, msgspec.Struct):
            check_fields(command)
        sent = f.Command(
            id=id or str(uuid4()),
            table=self.table,
            expected=self.view.version if expected is None else expected,
            command=msgspec.Raw(msgspec.json.encode(command)),
            part=part,
            reason=reason,
        )
        return await self._sender.send_command(sent)

    async def __aiter__(self) -> AsyncIterator[f.Happened]:
        """The events from now on. After a reconnection comes one without events: only the view tells of the gap."""
        while (happened := await self.next_frame()) is not None:
            yield happened

    async def next_frame(self) -> f.Happened | None:
        """What happened next, once it has; none when the connection has ended."""
        while not self._waiting:
            if self._ended is not None:
                return None
            self._news.clear()
            await self._news.wait()
        return self._waiting.popleft()

    def check_cards(self) -> list[Finding]:
        """The findings about the cards turned so far: each must lead to the root that was noted for its shoe."""
        return list(self.notes.findings)

    def noted(self, shoe: str) -> Noted | None:
        """The notes of this client about a shoe: give it to `check_shoe` with the opened one."""
        return self.notes.noted(shoe)

    async def started(self) -> None:
        """Return when the first snapshot is there."""
        while self._view is None:
            if self._ended is not None:
                raise self._ended
            self._news.clear()
            await self._news.wait()

    def take_snapshot(self, snapshot: f.Snapshot) -> None:
        """Take a whole view, which stands in the place of what was known."""
        is_first = self._view is None
        self._view = snapshot.view
        self.snapshots += 1
        if not is_first:
            self._queue(f.Happened(snapshot.table, snapshot.view.version, [], (), {}))
        self._follow()

    def take(self, happened: f.Happened) -> None:
        """Take a frame of events. One from before the snapshot says nothing new."""
        if self._view is None or happened.version < self._view.version:
            return
        self._view = merge(self._view, happened)
        self.notes.read_events(happened.events)
        self._follow()
        if self._view.seal.stage != "nothing_sealed":
            self.notes.read_proofs(happened.events, happened.proofs)
        self._queue(happened)

    def end(self, why: Ended | Refused) -> None:
        """End the iteration: nothing comes any more, and this is why."""
        self._ended = why
        self._news.set()

    def _queue(self, happened: f.Happened) -> None:
        if len(self._waiting) == MOST_WAITING:
            self.missed += 1
        self._waiting.append(happened)

    def _follow(self) -> None:
        """Note what is published of the shoe, and send this player's part of it."""
        self._news.set()
        seal = self.view.seal
        self.notes.read_view(seal)
        due = self._contribution.due(seal, self.box) if self._contribution else None
        if due is not None and seal.commitment is not None:
            task = asyncio.create_task(self._contribute(due, seal.commitment))
            self._own.add(task)
            task.add_done_callback(self._own.discard)

    async def _contribute(self, due: f.PromiseEntropy | f.AddEntropy, commitment: str) -> None:
        """Send this player's entropy. A table that goes on without it is no error: `noted` then holds none."""
        try:
            await self.do(due)
        except (Refused, Ended):
            return
        if isinstance(due, f.AddEntropy):
            self.notes.keep_entropy(commitment, bytes.fromhex(due.entropy))
