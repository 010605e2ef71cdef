"""A house at whose table an operator throws shoes away, and what verifiers and audit say of its list."""

from typing import Any

from msgspec.structs import replace

from casinowar.audit import Audit
from casinowar.fairness import (
    ExportedShoe,
    ListedShoe,
    check_series,
    check_shoe,
    dump_shoe,
    practice_bytes,
    verify_shoe,
)
from casinowar.house.house import Who
from casinowar.house.journal import RoleRequest
from casinowar.house.settings import TableSettings
from casinowar.protocol import Done
from casinowar.store import RoleGranted
from tests.support.live_night import FAST, STAFF, Night, table

SIX_DECKS = 312
MARKER = 312 - 78
"""New Zealand's cutting card has 78 cards behind it, where the house sets nothing else."""

OZ = "operator:oz"


def opened(*tables: TableSettings, **settings: Any) -> Night:
    """A house whose staff have their roles in the log, so that it can be audited."""
    night = Night(*(tables or (table("late", timers=FAST),)), source=practice_bytes("chain"), **settings)
    grants = [(name, role) for name, roles in STAFF.items() for role in sorted(roles)]
    night.house.import_roles(
        RoleRequest(number, name, role, True, "admin:test", "for a test")
        for number, (name, role) in enumerate(grants, start=1)
    )
    assert any(isinstance(one.event, RoleGranted) for one in night.store.read("house"))
    return night


def to_shoe(night: Night, cards: int = 0) -> None:
    """Ann sits, and a shoe is sealed, cut and loaded; three cards come out with one round: the burn and two hands."""
    night.sit("ann")
    night.until_ready()
    if cards:
        assert cards == 3
        night.bet("ann")
        night.until(lambda: night.live.table.round.is_over or night.live.table.phase == "deciding")
        if night.live.table.phase == "deciding":
            raise AssertionError("the fixed cards of this test tie; take others")
        assert night.live.shoes()[-1].out == 3


def leave(night: Night) -> None:
    night.must("ann", do="leave")


def close(night: Night) -> None:
    leave(night)
    night.must("oz", "operator", "a quiet night", do="close_table")
    assert night.live.table.is_closed


def open_again(night: Night, **changed: Any) -> None:
    settings = table("late", **{"timers": night.settings.tables[0].timers, **changed})
    answer = night.house.open_table(Who("oz", STAFF["oz"]), f"open-{night.store.head().commands}", settings, "busy")
    assert isinstance(answer, Done), answer
    night.house.advance()


def restart(night: Night, *tables: TableSettings) -> None:
    night.settings = replace(night.settings, tables=tables)
    night.house = night.open()
    night.house.advance()


def published(night: Night, name: str = "late") -> tuple[list[ListedShoe], list[ExportedShoe]]:
    there = night.house.table_or_closed(name)
    assert there is not None
    shoes = [there.shoe(line.number) for line in there.shoes()]
    assert None not in shoes
    return list(there.shoes()), [shoe for shoe in shoes if shoe is not None]


def complaints(shoes: list[ExportedShoe]) -> list[str]:
    """What both verifiers say of a series, in the same words."""
    ours = [
        f"{shoe.shoe}: {found.where}: {found.what}"
        for shoe, beside in zip(shoes, check_series(shoes), strict=True)
        for found in (*check_shoe(shoe), *beside)
    ]
    read = [verify_shoe.read_shoe(dump_shoe(shoe)) for shoe in shoes]
    theirs = [
        f"{shoe['shoe']}: {where}: {what}"
        for at, shoe in enumerate(read)
        for where, what in (*verify_shoe.check_shoe(shoe, {}), *verify_shoe.check_beside(shoe, read[:at]))
    ]
    assert ours == theirs
    return ours


def fates(lines: list[ListedShoe]) -> list[tuple[str, str | None, str | None]]:
    return [(line.fate, line.reason, line.by) for line in lines]


def sound(night: Night, name: str = "late") -> list[ListedShoe]:
    """One chain from number one on, of which both verifiers and the audit say nothing."""
    lines, shoes = published(night, name)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert [line.previous for line in lines] == [None, *(line.commitment for line in lines[:-1])]
    assert complaints(shoes) == []
    assert [str(one) for one in Audit(night.store).findings()] == []
    return lines
