"""The shoes that a table publishes over HTTP, one or all of them, and whether each is as the table's list has it."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from casinowar.cli.fetching import FetchError, fetch
from casinowar.fairness import ExportedShoe, load_shoe
from casinowar.fairness.check import Finding

TABLE = re.compile(r"(?P<table>.*/api/tables/[^/?#]+)(?:/shoes)?/?")
"""The address of a table or of its list; one shoe has its number behind it."""


class ListedShoe(msgspec.Struct, frozen=True):
    """One line of the table's public list."""

    number: Annotated[int, msgspec.Meta(ge=1)]
    shoe: str
    commitment: str
    fate: Literal["running", "finished", "voided"]
    reason: str | None = None


def published_shoes(address: str) -> Iterator[tuple[str, ExportedShoe, list[Finding]]]:
    """Each shoe with its address, and what the list says otherwise; the whole series for the address of a table."""
    whole = TABLE.fullmatch(address)
    if whole is None:
        yield address, _shoe(address), []
        return
    shoes = f"{whole['table']}/shoes"
    for place, listed in enumerate(_listed(shoes), start=1):
        at = f"{shoes}/{listed.number}"
        shoe = _shoe(at)
        yield at, shoe, list(_differences(listed, place, shoe))


def _listed(address: str) -> list[ListedShoe]:
    try:
        listed = msgspec.json.decode(fetch(address), type=list[ListedShoe])
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{address}: {_said(error, 'no list of shoes')}") from None
    if not listed:
        raise FetchError(f"{address}: no shoe has been sealed there")
    return listed


def _shoe(address: str) -> ExportedShoe:
    try:
        return load_shoe(fetch(address).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{address}: {_said(error, 'no exported shoe')}") from None


def _said(error: Exception, otherwise: str) -> str:
    return str(error) if isinstance(error, FetchError) else f"{otherwise}: {error}; a table is at /api/tables/NAME"


def _differences(listed: ListedShoe, place: int, shoe: ExportedShoe) -> Iterator[Finding]:
    """A shoe that was running when the list was read may have ended since."""
    if listed.number != place:
        yield Finding("number", f"the table's list has number {listed.number} where {place} was due")
    if place == 1 and shoe.previous is not None:
        yield Finding("previous", "names a shoe before the first of the table's list")
    if listed.shoe != shoe.shoe:
        yield Finding("shoe", "the table's list has another name")
    if listed.commitment != shoe.commitment:
        yield Finding("commitment", "the table's list has another commitment")
    if listed.fate != "running" and (listed.fate, listed.reason) != (shoe.fate, shoe.reason):
        yield Finding("fate", f"the table's list has {listed.fate}" + (f": {listed.reason}" if listed.reason else ""))
