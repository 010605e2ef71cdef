"""A server without its defence against bursts: the twin that the harness of `tests.crash.burst` must find.

Each change goes to everybody at once in a frame of its own, whoever is 64 frames behind is ended, the reader takes all
that lies there in one turn, nobody's pace is looked at, and `ready` is anybody's to say as often as they like.
"""

from casinowar import protocol as f
from casinowar.cli import main
from casinowar.house.table.desk import Desk, Who
from casinowar.house.table.visibility import Change, frames_of
from casinowar.web.http.throttle import Throttle
from casinowar.web.server import Server
from casinowar.web.socket.outlet import Outlet, encode

MOST = 64


def put(outlet: Outlet, frame: bytes) -> None:
    if outlet.ended is None and len(outlet._queue) >= MOST:
        outlet.end("slow_reader")
    elif outlet.ended is None:
        outlet._add(frame)


def note(outlet: Outlet, table: str, change: Change) -> None:
    for frame in frames_of([change], outlet.watched[table]):
        put(outlet, encode(frame))


async def room(outlet: Outlet) -> None:
    """It is always there, and nobody else has a turn."""


def ready(desk: Desk, who: Who, ask: f.CommandFrame) -> f.Answer:
    desk.live.ready.add(who.name)
    desk.live.tell([])
    return f.Done(ask.id, desk.live.name, desk.live.version)


if __name__ == "__main__":
    Outlet.put, Outlet.note = put, note  # type: ignore[method-assign,assignment]
    Outlet.room = room  # type: ignore[method-assign,assignment]
    Desk._ready = ready  # type: ignore[method-assign,assignment]
    Server.allows_message = lambda *_: True  # type: ignore[method-assign]
    Throttle.allows = lambda *_: True  # type: ignore[method-assign]
    main()
