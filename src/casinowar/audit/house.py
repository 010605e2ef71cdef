"""The audit of the house's own stream: purses, roles, the list of tables; and whether staff had the roles they used."""

from collections.abc import Iterable

import msgspec

from casinowar.audit.findings import Finding, Findings, place_of
from casinowar.engine.roles import FLOOR, GRANTED
from casinowar.engine.signatures import SIGNED
from casinowar.house.journal import AUDIT, ROLE_REQUEST
from casinowar.house.settings import TableSettings
from casinowar.store import (
    BotSeated,
    BreakTaken,
    CommandTaken,
    FloorCalled,
    FloorCallEnded,
    FloorCallTaken,
    PlayerLimitsSet,
    PurseDrained,
    PurseFunded,
    Recalled,
    RoleGranted,
    RoleRevoked,
    SignatureAsked,
    SignatureClosed,
    StaffActed,
    TableCleared,
    TableListed,
    name_of,
)

ABOUT_THE_HOUSE = (
    PurseFunded,
    PurseDrained,
    TableListed,
    RoleGranted,
    RoleRevoked,
    PlayerLimitsSet,
    BreakTaken,
    StaffActed,
)
THE_SERVERS = ("house", "system")
"""Events that the server writes for somebody else: a table that was opened, a stop that was cleared."""

EVERYBODYS = "player"
"""A role that is everybody's until it is revoked."""


class HouseAudit:
    """One walk over the house's stream, and what it tells about tables and staff."""

    def __init__(self) -> None:
        self.listed: dict[str, TableListed] = {}
        self._requests = 0
        self._roles: dict[tuple[str, str], list[tuple[int, bool]]] = {}

    def findings(self, recalled: Iterable[Recalled]) -> Findings:
        for one in recalled:
            event = one.event
            if not isinstance(event, ABOUT_THE_HOUSE) or (isinstance(event, StaffActed) and event.act != AUDIT):
                yield Finding(place_of(one), f"{name_of(event)} is none of the house's")
            match event:
                case PurseFunded() | PurseDrained():
                    if event.amount <= 0:
                        yield Finding(place_of(one), f"{event.amount} is no amount for a purse")
                case RoleGranted() | RoleRevoked():
                    yield from self._role(one, event)
                case TableListed():
                    yield from self._list(one, event)
            yield from self.staff(one)

    def _role(self, one: Recalled, event: RoleGranted | RoleRevoked) -> Findings:
        """Findings of a role: each comes from a numbered request of the operator, in order."""
        number = one.command.removeprefix(ROLE_REQUEST)
        if one.actor != "house" or number == one.command or not number.isdigit() or int(number) <= self._requests:
            yield Finding(place_of(one), f"{name_of(event)} comes of no request after number {self._requests}")
        else:
            self._requests = int(number)
        if event.role not in (*GRANTED, EVERYBODYS) or not event.reason:
            yield Finding(place_of(one), f"{event.role!r} is no role, or no reason was given")
        self._roles.setdefault((event.account, event.role), []).append((one.position, isinstance(event, RoleGranted)))

    def _list(self, one: Recalled, event: TableListed) -> Findings:
        if event.stream in self.listed:
            yield Finding(place_of(one), f"the stream {event.stream} is in the list already")
        try:
            name = msgspec.convert(event.settings, TableSettings).name
        except msgspec.ValidationError as error:
            yield Finding(place_of(one), f"the settings of {event.table} cannot be read: {error}")
            return
        if name != event.table or event.stream.partition(f"{name}.")[0] not in ("", name):
            yield Finding(place_of(one), f"the table {event.table} has the name {name} and the stream {event.stream}")
        self.listed[event.stream] = event

    def had_role(self, account: str, role: str, position: int) -> bool:
        """Whether the account had the role when the event at this position was written."""
        changes = [is_granted for at, is_granted in self._roles.get((account, role), ()) if at < position]
        return bool(changes) and changes[-1]

    def staff(self, one: Recalled) -> Iterable[Finding]:
        """Findings of an act of staff: its account had the role. Who signed last has given the command."""
        signatures = _signatures(one)
        return self._unentitled(one, signatures) if signatures else ()

    def _unentitled(self, one: Recalled, signatures: tuple[str, ...]) -> Findings:
        for signature in signatures:
            part, _, account = signature.partition(":")
            roles = FLOOR if part == "floor" else (part,)
            if part != EVERYBODYS and not any(self.had_role(account, role, one.position) for role in roles):
                yield Finding(place_of(one), f"{account} did not have the role {part}")
        if signatures[-1].partition(":")[2] != one.actor and one.actor not in THE_SERVERS:
            yield Finding(place_of(one), f"{signatures[-1]} signed what {one.actor} gave")


def _signatures(one: Recalled) -> tuple[str, ...]:
    """Who has signed, as `role:account`; what the house does by itself has no account."""
    event = one.event
    match event:
        case CommandTaken(command=command):
            if command.by is None and type(command) not in SIGNED:
                return ()
            signed = (command.by, getattr(command, "second", None))
        case PurseFunded() | PurseDrained() | TableListed() | StaffActed() | BotSeated() | TableCleared():
            signed = (event.by, None)
        case SignatureAsked() | SignatureClosed() | FloorCalled() | FloorCallTaken() | FloorCallEnded():
            signed = (event.by, None)
        case _:
            return ()
    return tuple(signature for signature in signed if signature and ":" in signature)
