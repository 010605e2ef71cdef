"""The house's own stream: purses, roles, the list of tables, and what players have set for themselves."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from casinowar.engine import Refusal
from casinowar.house.player_limits import PlayerLimits
from casinowar.protocol import Done, Refused
from casinowar.store import (
    CommandReused,
    Imbalance,
    Overdrawn,
    Proposal,
    PurseDrained,
    PurseFunded,
    Recalled,
    Recorded,
    RoleGranted,
    RoleRevoked,
    StaffActed,
    Store,
    StoreFailed,
    StreamStopped,
    TableListed,
    VersionConflict,
)
from casinowar.store.envelope import canonical
from casinowar.words.refusals import refused

STREAM = "house"
T = TypeVar("T")
MOST_TURNS = 20
"""So often another server may have written first, before this one gives up."""

ROLE_REQUEST = "role-request-"
PAGE = 200
"""So many openings of tables are a page."""

AUDIT = "audit"
"""What staff do to the house itself, and no table."""


def is_reason(text: str) -> bool:
    """Whether a text says why staff do something, in a line that can be read."""
    return len(text.strip()) >= 3 and text.isprintable()


class RoleRequest(msgspec.Struct, frozen=True):
    """The operator's request on the command line to grant or revoke a role; `number` counts all requests."""

    number: int
    account: str
    role: str
    is_granted: bool
    by: str
    reason: str


class KeptJournal(msgspec.Struct, frozen=True):
    """What the journal knows, but the openings in its full pages, as it is kept in a snapshot."""

    openings: tuple[TableListed, ...]
    roles: dict[str, frozenset[str]]
    last_request: int
    pages: int


class Journal:
    """The house's own log. `listed` is the last entry for each table's name; `openings` has all of them in order.

    `version` is how far it has been read, and so many `pages` of openings are written. `on_written` is called when
    something has been written.
    """

    def __init__(self, store: Store, restraint: PlayerLimits) -> None:
        self.store = store
        self.restraint = restraint
        self.listed: dict[str, TableListed] = {}
        self.openings: dict[str, list[TableListed]] = {}
        self.last_request = 0
        self.on_written: Callable[[], None] = lambda: None
        self.version = self.pages = 0
        self._roles: dict[str, set[str]] = {}
        self._in_order: list[TableListed] = []

    def read_on(self) -> Iterator[Recalled]:
        """Follow what has been written since the last time, and give each event."""
        for one in self.store.read(STREAM, self.version):
            self.follow(one)
            yield one

    def catch_up(self) -> list[Recalled]:
        """Follow what other servers have written, and give it."""
        written = list(self.read_on())
        for one in written:
            self.restraint.note(one)
        return written

    def by_turns(self, do: Callable[[], T]) -> T:
        """Decide on what the stream says, and write; decide anew where another server has written meanwhile."""
        for _ in range(MOST_TURNS):
            try:
                return do()
            except VersionConflict:
                self.catch_up()
        return do()

    def follow(self, one: Recalled) -> None:
        """Follow the next event of the house's stream."""
        self.version = one.version
        if one.actor == "house" and one.command.startswith(ROLE_REQUEST):
            self.last_request = int(one.command.removeprefix(ROLE_REQUEST))
        match one.event:
            case TableListed() as event:
                self._list(event)
            case RoleGranted() as event:
                self._roles.setdefault(event.account, set()).add(event.role)
            case RoleRevoked() as event:
                self._roles.setdefault(event.account, set()).discard(event.role)

    def _list(self, event: TableListed) -> None:
        self.listed[event.table] = event
        self.openings.setdefault(event.table, []).append(event)
        self._in_order.append(event)

    def full_page(self, number: int) -> tuple[TableListed, ...] | None:
        """A page of openings, where it is full."""
        page = tuple(self._in_order[(number - 1) * PAGE : number * PAGE])
        return page if len(page) == PAGE else None

    def keep(self, pages: int) -> KeptJournal:
        """What it knows, but the openings in so many pages, for a snapshot."""
        roles = {account: frozenset(roles) for account, roles in self._roles.items() if roles}
        return KeptJournal(tuple(self._in_order[pages * PAGE :]), roles, self.last_request, pages)

    def resume(self, version: int, kept: KeptJournal, paged: Iterable[TableListed]) -> None:
        """Take up what was kept, and the openings of the full pages."""
        self.version, self.pages, self.last_request = version, kept.pages, kept.last_request
        self._roles = {account: set(roles) for account, roles in kept.roles.items()}
        for event in (*paged, *kept.openings):
            self._list(event)

    def opening(self, name: str) -> TableListed | None:
        """The last opening of a table, or one of them by its number: `late.1` is the first of `late`."""
        table, _, number = name.rpartition(".")
        if name in self.openings:
            return self.openings[name][-1]
        there = self.openings.get(table, [])
        return there[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(there) else None

    def streams_before(self, listed: TableListed) -> list[str]:
        """The streams of the openings under its name that came before this one."""
        streams = [one.stream for one in self.openings.get(listed.table, [])]
        return streams[: streams.index(listed.stream)]

    def roles(self, account: str) -> frozenset[str]:
        return frozenset(self._roles.get(account, ()))

    def answer_before(self, actor: str, id: str, body: object) -> Done | Refused | None:
        """The answer that a repeated command got before."""
        try:
            stored = self.store.answer_to(actor, id, canonical(body))
        except CommandReused:
            return refused(id, Refusal("id_reused"))
        return None if stored is None else msgspec.json.decode(stored.answer, type=Done)

    def commit(
        self,
        actor: str,
        id: str,
        body: object,
        events: Iterable[Recorded],
        table: str = STREAM,
        held: Mapping[str, int] | None = None,
    ) -> Done | Refused:
        """Write to the house's own stream; the answer names the table that it is about.

        It rests on what purses `held`: where that is another by now, it is a conflict.

        Where the accounts of the house do not balance, no table can be stopped for it: the store has failed.
        """
        events = tuple(events)
        done = Done(id, table, self.version + len(events))
        try:
            self.store.commit(
                Proposal(
                    stream=STREAM,
                    expected=self.version,
                    actor=actor,
                    command=id,
                    body=canonical(body),
                    answer=msgspec.json.encode(done).decode(),
                    events=events,
                    is_of_a_table=False,
                    held=held or {},
                )
            )
        except Overdrawn:
            return refused(id, Refusal("insufficient_funds"))
        except (Imbalance, StreamStopped) as error:
            raise StoreFailed(f"the accounts of the house do not balance: {error}") from error
        self.catch_up()
        self.on_written()
        return done

    def is_welcome(self, player: str) -> bool:
        """Whether somebody has a purse here: the log knows, so that nobody need be kept in mind."""
        try:
            is_filled = self.store.answer_to("house", f"welcome:{player}", b"") is not None
        except CommandReused:
            is_filled = True
        return is_filled or self.store.balance(f"purse:{player}") != 0

    def welcome(self, player: str, amount: int) -> None:
        """Fill a new player's purse once, with nothing where the house gives nothing."""
        if not self.is_welcome(player):
            event = PurseFunded(player, amount, "house", "welcome")
            self.by_turns(lambda: self.commit("house", f"welcome:{player}", amount, [event]))

    def fund(
        self, actor: str, id: str, player: str, amount: int, by: str, reason: str, held: Mapping[str, int] | None = None
    ) -> Done | Refused:
        """Put play money into a purse, or take it out where the amount is negative."""
        event = PurseFunded(player, amount, by, reason) if amount > 0 else PurseDrained(player, -amount, by, reason)
        return self.commit(actor, id, [player, amount, reason], [event], held=held)

    def fund_bot(self, bot: str, amount: int) -> None:
        event = PurseFunded(bot, amount, "house", "a bot's chips")
        self.by_turns(lambda: self.commit("house", f"chips:{bot}.{self.version + 1}", amount, [event]))

    def note_audit(self, by: str, reason: str) -> None:
        self.by_turns(
            lambda: self.commit("house", f"audit.{self.version + 1}", reason, [StaffActed(AUDIT, by, reason)])
        )

    def import_roles(self, requests: Iterable[RoleRequest]) -> None:
        """Write role requests into the log, each once, however often it is handed in."""
        wanted = tuple(requests)
        self.by_turns(lambda: self._import_roles(wanted))

    def _import_roles(self, requests: Iterable[RoleRequest]) -> None:
        for one in sorted(requests, key=lambda one: one.number):
            if one.number > self.last_request:
                kind = RoleGranted if one.is_granted else RoleRevoked
                event = kind(one.account, one.role, one.by, one.reason)
                self.commit("house", f"{ROLE_REQUEST}{one.number}", msgspec.to_builtins(one), [event])
