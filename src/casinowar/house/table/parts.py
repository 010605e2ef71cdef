"""The view of a live table in parts: what has changed since a viewer was told last, made and encoded once for all.

Everybody at a table sees nearly the same. What is the same is followed once for each kind of viewer; a player's own
part is followed beside it, and is small.
"""

from collections.abc import Sequence
from operator import attrgetter, is_
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from casinowar.engine import Table
from casinowar.engine.view import STAFF_VIEWS, BoxView, OwnView, Posted, View, Viewer
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import (
    WATCHER,
    Change,
    by_seal,
    frame_of,
    live_view,
    own_parts,
    own_view_of,
    seal_alone,
)
from casinowar.protocol import LiveView

NO_OWN_PARTS = b"{}}"
"""How a frame ends without own parts, which are its last."""

FRESH_MS = 100
"""So old a look at a table may be: whoever is told later of the same change is told how much time is left then."""

encode = msgspec.json.Encoder().encode
Place = tuple[str, str | int]
"""The part of a view that a value is: of the table, of the engine's view, a box by its number, a round by its own."""

TABLE, VIEW, BOX, ROUND = "table", "view", "box", "round"
TABLE_FIELDS = tuple((TABLE, name) for name in LiveView.__struct_fields__ if name not in ("view", "rounds"))
VIEW_FIELDS = tuple((VIEW, name) for name in View.__struct_fields__ if name != "boxes")
OWN_OF_BOX = "open_wagers"
VOID: Place = (TABLE, "void")
"""The one part that changes both for everybody and for each player: its time that is left, and what it would take."""

BOX_FIELDS = tuple(name for name in BoxView.__struct_fields__ if name != OWN_OF_BOX)


class Followed:
    """Parts of a view that are followed. `stamp` counts the looks at which something had changed."""

    def __init__(self) -> None:
        self.stamp = 0
        self._values: dict[Place, Any] = {}
        self._changed: dict[Place, int] = {}

    def look(self, values: dict[Place, Any]) -> None:
        """Note which parts have changed since the last look."""
        was, stamp = self._values, self.stamp + 1
        changed = [place for place, value in values.items() if place not in was or was[place] != value]
        for gone in was.keys() - values.keys():
            del self._changed[gone]
        self._values = values
        if changed:
            self.stamp = stamp
            self._changed.update(dict.fromkeys(changed, stamp))

    def __getitem__(self, place: Place) -> Any:
        return self._values[place]

    def has_changed(self, place: Place, stamp: int) -> bool:
        return self._changed[place] > stamp

    def since(self, stamp: int) -> dict[str, Any]:
        """The parts that have changed behind a stamp, as they go over the wire."""
        parts: dict[str, Any] = {}
        inner: dict[str, Any] = {}
        for place, at in self._changed.items():
            if at <= stamp:
                continue
            kind, name = place
            value = self._values[place]
            if kind == TABLE:
                parts[str(name)] = value
            elif kind == VIEW:
                inner[str(name)] = value
            elif kind == BOX:
                inner.setdefault("boxes", []).append(value)
            else:
                parts.setdefault("rounds", []).append(value)
        return {**parts, "view": inner} if inner else parts


class Told(msgspec.Struct, frozen=True):
    """How far a viewer has been told: the stamps of what is everybody's and of the viewer's own part."""

    shared: int
    own: int = 0


CHIPS = frozenset({"players", "house", "escrow", "bought_in"})
"""What there is in chips at a table. Of it a player's view has the own balance, and everybody's has nothing."""

_layout_of = attrgetter(*(name for name in Table.__struct_fields__ if name not in CHIPS))


def _are_only_chips_moved(before: Table, now: Table) -> bool:
    """Whether nothing but chips in hands and floats can be another; a false no costs only time."""
    return before is now or all(map(is_, _layout_of(before), _layout_of(now)))


class Seen(NamedTuple):
    """The engine's view at the last look, what it was made of, and its parts."""

    table: Table
    posted: Posted | None
    view: View
    values: dict[Place, Any]


class Mine(NamedTuple):
    """A player's own part at the last look, and what it was made of."""

    table: Table
    shoe: tuple[object, ...]
    view: OwnView
    parts: dict[str, Any]


class TableParts:
    """The parts of one table for all who watch it in parts."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._shared: dict[Viewer, Followed] = {}
        self._own: dict[Viewer, Followed] = {}
        self._number, self._looked_at = -1, 0
        self._looked: dict[Viewer, int] = {}
        self._seen: dict[Viewer, Seen] = {}
        self._mine: dict[Viewer, Mine] = {}
        self._frames: dict[tuple[Viewer, int, int], list[bytes]] = {}

    def __len__(self) -> int:
        """The number of players whose own part is followed."""
        return len(self._own)

    def begin(self, viewer: Viewer) -> Told:
        """How far a viewer is told who is shown the table as it is now."""
        return Told(self._look(kind_of(viewer)), self._look_own(viewer))

    def forget(self, viewer: Viewer) -> None:
        """Follow a player's own part no more."""
        self._own.pop(viewer, None)
        self._mine.pop(viewer, None)

    def frames(self, changes: Sequence[Change], viewer: Viewer, told: Told) -> tuple[list[bytes], Told]:
        """The frames of these changes for a viewer who has been told so far, encoded, and how far they tell.

        Viewers who see the same share the bytes; a player's own parts are put behind them.
        """
        now = self._live.now()
        if self._number != changes[-1].number or now - self._looked_at > FRESH_MS:
            self._number, self._looked_at = changes[-1].number, now
            self._looked, self._frames = {}, {}
        kind = kind_of(viewer)
        if kind not in self._looked:
            self._looked[kind] = self._look(kind)
        far = Told(self._looked[kind], self._look_own(viewer))
        is_personal = any(viewer.player in change.players for change in changes)
        key = (viewer if is_personal else kind, changes[0].number, told.shared)
        if key not in self._frames:
            self._frames[key] = self._encode(changes, key[0], kind, told.shared)
        frames = self._frames[key]
        own = self._own_since(viewer, kind, told) if viewer.role == "player" else {}
        if own:
            frames = [*frames[:-1], frames[-1].removesuffix(NO_OWN_PARTS) + encode(own) + b"}"]
        return frames, far

    def _own_since(self, viewer: Viewer, kind: Viewer, told: Told) -> dict[str, Any]:
        """The own parts that have changed; of a void of which everybody is told, the player's own has the last word."""
        followed = self._own[viewer]
        own = followed.since(told.own)
        if self._shared[kind].has_changed(VOID, told.shared):
            own["void"] = followed[VOID]
        return own

    def _look(self, kind: Viewer) -> int:
        """Look at what is everybody's. The engine's view is made again only where the table is another."""
        live, followed = self._live, self._shared.setdefault(kind, Followed())
        seen = self._seen.get(kind)
        if seen is None or not self._is_seen(seen, kind):
            whole = live_view(live, kind)
            seen = self._seen[kind] = Seen(live.table, live.posted, whole.view, _view_values(whole.view))
        else:
            whole = live_view(live, kind, seen.view)
        followed.look(_table_values(whole) | seen.values)
        return followed.stamp

    def _is_seen(self, seen: Seen, kind: Viewer) -> bool:
        """Whether the engine's view is still that of the table. Staff see all chips."""
        table = self._live.table
        is_same = seen.table is table if kind.role in STAFF_VIEWS else _are_only_chips_moved(seen.table, table)
        return is_same and seen.posted is self._live.posted

    def _look_own(self, viewer: Viewer) -> int:
        """Look at a player's own part. Its view is made again only where the table or its shoe is another."""
        if viewer.role != "player":
            return 0
        live, followed = self._live, self._own.setdefault(viewer, Followed())
        shoe = (live.rules, live.keeper.stage, live.keeper.shoe)
        mine, parts = self._mine.get(viewer), own_parts(live, viewer.player)
        balance = live.table.players.get(viewer.player)
        if mine is None or mine.shoe != shoe or not _are_only_chips_moved(mine.table, live.table):
            view = own_view_of(live, viewer)
        elif mine.view.balance == balance:
            view = mine.view
        elif mine.view.balance is None or balance is None:  # Who comes to a table may do other things.
            view = own_view_of(live, viewer)
        else:
            view = replace(mine.view, balance=balance)
        if mine is None or mine.view != view or mine.parts != parts:
            followed.look(_own_values(view, parts, live.rules.table.boxes))
        self._mine[viewer] = Mine(live.table, shoe, view, parts)
        return followed.stamp

    def _encode(self, changes: Sequence[Change], viewer: Viewer, kind: Viewer, stamp: int) -> list[bytes]:
        *before, last = by_seal(changes)
        frames = [frame_of(together, viewer, seal_alone(together[-1])) for together in before]
        parts = {"version": self._live.version, **self._shared[kind].since(stamp)}
        if before:  # They have told another seal.
            parts["seal"] = self._live.seal
        return [encode(frame) for frame in (*frames, frame_of(last, viewer, parts))]


def kind_of(viewer: Viewer) -> Viewer:
    """The kind of viewer: players and watchers see the same but for what is a player's own."""
    return Viewer(viewer.role) if viewer.role in STAFF_VIEWS else WATCHER


def _table_values(whole: LiveView) -> dict[Place, Any]:
    values: dict[Place, Any] = {place: getattr(whole, place[1]) for place in TABLE_FIELDS}
    for line in whole.rounds:
        values[ROUND, line.number] = line
    return values


def _view_values(seen: View) -> dict[Place, Any]:
    values: dict[Place, Any] = {place: getattr(seen, place[1]) for place in VIEW_FIELDS}
    for box in seen.boxes:
        values[BOX, box.box] = {name: getattr(box, name) for name in BOX_FIELDS}
    return values


def _own_values(own: OwnView, parts: dict[str, Any], boxes: int) -> dict[Place, Any]:
    values: dict[Place, Any] = {(TABLE, name): value for name, value in parts.items()}
    for name in own.__struct_fields__[:-1]:
        values[VIEW, name] = getattr(own, name)
    for box in range(1, boxes + 1):
        values[BOX, box] = {"box": box, OWN_OF_BOX: own.places[box - 1] if own.places else ()}
    return values
