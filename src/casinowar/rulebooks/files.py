"""Where rulebooks come from: whole books on the shelf or at a path, and house rulebooks that extend one of them.

A house rulebook is a TOML file that names the book it `extends` and changes leaves, as plain values or as leaves of
their own. It is found by its path, or by its name in the user's configuration folder.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from casinowar.rulebooks.editions import FIRST, book_id, is_book, read_edition
from casinowar.rulebooks.shelf import HEAD, book_ids, config_folder, is_whole, own_books, read_head
from casinowar.rulebooks.toml_files import RulebookError, read_toml_file
from casinowar.rulebooks.vocabulary import KEYS, is_table, unknown

META = ("id", "title", "version")
NOT_LEAVES = (*META, "extends")
OF_BOOKS = (*HEAD, "changes")
"""What a whole book says of itself besides."""

MOST_BYTES = 250
"""Of a name: where one is longer, the system fails and does not say that there is no such file."""

NOT_IN_IDS = re.compile(r"[/\\?#%@]")
"""Marks that mean something in a path or an address. Rules that a log has stored are not asked."""

LEAF_PARTS = {"value", "default", "allowed", "by"}

RawLeaf = dict[str, Any]


class HouseFile(msgspec.Struct, frozen=True):
    """A house rulebook as it is written: where it lies, its id, its leaves by key, and its other words."""

    path: str
    id: str
    changes: dict[str, RawLeaf]
    meta: dict[str, Any]


def read_book(name: str) -> dict[str, Any]:
    """The data of a book by its id, or of a house rulebook by path or name, with all that it extends merged in."""
    if is_book(name):
        return read_edition(name)
    base, houses = read_chain(name)
    data = read_base(base)
    for house in houses:
        data = merge(data, house)
    return data


def own_names() -> list[str]:
    """The names in the user's configuration folder: house rulebooks, and whole books with a fault in their heads."""
    own = own_books()
    try:
        return sorted({file.stem for file in config_folder().glob("*.toml")} - own.books.keys() | own.faults.keys())
    except OSError:
        return []


def is_path(name: str) -> bool:
    """Whether a rulebook is named by a path rather than by its id or name."""
    return "." in name or "/" in name or os.sep in name


def find_book(name: str, folder: Path) -> str:
    """The name of a book as it stands, or a path as seen from this folder."""
    return str(folder / name) if is_path(name) else name


def read_chain(name: str) -> tuple[str, list[HouseFile]]:
    """The whole book at the bottom, as the lowest names it, and the house rulebooks on it up to the named one."""
    houses: list[HouseFile] = []
    seen: list[Path] = []
    while not is_book(name):
        try:
            path = _find(name)
            if is_whole(read_toml_file(path)):
                break
            seen.append(path.resolve())
            if seen[-1] in seen[:-1]:
                ring = " extends ".join(one.name for one in seen[seen.index(seen[-1]) :])
                raise RulebookError(f"a rulebook cannot extend itself: {ring}")
            houses.append(read_house(path))
        except RulebookError as error:
            raise RulebookError(f"{_extending(houses)}{error}") from None
        name = find_book(houses[-1].meta["extends"], path.parent)
    try:
        read_base(name)
    except RulebookError as error:
        raise RulebookError(f"{_extending(houses)}{error}") from None
    return book_id(name), houses[::-1]


def read_base(name: str) -> dict[str, Any]:
    """The data of the whole book at the bottom of a chain: one on the shelf by its id, or any by its path."""
    if is_book(name):
        return read_edition(name)
    data = read_toml_file(Path(name))
    read_head(Path(name), data)
    return data


def _extending(houses: list[HouseFile]) -> str:
    """Where the next book of the chain is named, for an error about it."""
    return f'{houses[-1].path}: extends = "{houses[-1].meta["extends"]}": ' if houses else ""


def _find(name: str) -> Path:
    if is_path(name):
        return Path(name)
    fault = own_books().faults.get(name)
    if fault is not None:
        raise RulebookError(fault)
    can_be = 0 < len(name.encode(errors="replace")) <= MOST_BYTES
    if can_be and (named := config_folder() / f"{name}.toml").is_file():
        return named
    if can_be and Path(name).is_dir():
        raise RulebookError(f"{name} is a folder: give the path of a rulebook in it, such as {Path(name, 'club.toml')}")
    known = ", ".join([*book_ids(), *(own for own in own_names() if own not in own_books().faults)])
    raise RulebookError(f"unknown rulebook {name!r}: choose one of {known}, or give the path of a house rulebook")


def read_house(path: Path) -> HouseFile:
    """A house rulebook's own words, with nothing merged in."""
    data = read_toml_file(path)
    meta = {key: data[key] for key in NOT_LEAVES if key in data}
    if "extends" not in meta:
        raise RulebookError(f'{path}: say which book it extends, as in extends = "nz"')
    for key, text in meta.items():
        if not (isinstance(text, str) and text.strip() and text.isprintable()):
            raise RulebookError(f"{path}: {key} = {text!r}: write a line of text")
    ident = meta.get("id", path.stem)
    told = f"id = {ident!r}" if "id" in meta else f"the name {ident!r}"
    if is_book(ident):
        raise RulebookError(f"{path}: {told} is taken by a book of this package: give it an id of its own")
    if found := NOT_IN_IDS.search(ident):
        raise RulebookError(f"{path}: {told} is a part of addresses: give it an id without {found[0]}")
    try:
        changes = _changes({key: entry for key, entry in data.items() if key not in NOT_LEAVES})
    except RulebookError as error:
        raise RulebookError(f"{path}: {error}") from None
    return HouseFile(str(path), ident, changes, meta)


def _changes(table: Mapping[str, Any], prefix: str = "") -> dict[str, RawLeaf]:
    found: dict[str, RawLeaf] = {}
    for part, entry in table.items():
        key = prefix + part
        if key in KEYS:
            inner = {key: _changed_leaf(key, entry)}
        elif isinstance(entry, dict) and any(known.startswith(f"{key}.") for known in KEYS):
            inner = _changes(entry, f"{key}.")
        else:
            raise RulebookError(unknown(key))
        for twice in inner.keys() & found.keys():
            raise RulebookError(f"{twice} is given twice")
        found |= inner
    return found


def _changed_leaf(key: str, entry: Any) -> RawLeaf:
    """A leaf as the house writes it: a value, or a table that says what an operator may set. It is its own clause."""
    own = [f"HOUSE-{key}"]
    if not isinstance(entry, dict) or (is_table(key) and not entry.keys() & LEAF_PARTS):
        return {"value": entry, "clauses": own}
    told = f"{key}: a leaf is a value, or a table with value, or with default and allowed, and by where it hangs on one"
    if strange := entry.keys() - LEAF_PARTS:
        raise RulebookError(f"{told}: unknown here is {', '.join(sorted(strange))}")
    if ("value" in entry) == ("allowed" in entry) or ("value" in entry and "default" in entry):
        raise RulebookError(told)
    return {**entry, "clauses": own}


def raw_leaves(data: Mapping[str, Any]) -> dict[str, RawLeaf]:
    """Every leaf of a book's data by its dotted key."""
    found: dict[str, RawLeaf] = {}

    def walk(table: Mapping[str, Any], prefix: str) -> None:
        for key, entry in table.items():
            if not isinstance(entry, dict):
                raise RulebookError(f"{prefix}{key} has no clause: write {{ value = ..., clauses = [...] }}")
            if entry.keys() & {"clauses", "supplied"}:
                found[prefix + key] = entry
            else:
                walk(entry, f"{prefix}{key}.")

    walk({key: entry for key, entry in data.items() if key not in (*NOT_LEAVES, *OF_BOOKS)}, "")
    return found


def edition_in(data: Mapping[str, Any]) -> int:
    """The edition of a book's data, or of the book that it extends; what says nothing of it is of the first."""
    edition = data.get("edition", FIRST)
    if type(edition) is not int or edition < FIRST:
        raise RulebookError(f"{data.get('id')}: edition = {edition!r}: write a whole number, {FIRST} or more")
    return edition


def merge(base: Mapping[str, Any], house: HouseFile) -> dict[str, Any]:
    """The book's leaves with those that the house changes or brings along."""
    title = house.meta.get("title", house.id)
    version = house.meta.get("version", f"house rulebook on {base['id']}")
    meta = {"id": house.id, "title": title, "version": version, "extends": base["id"], "edition": edition_in(base)}
    leaves = raw_leaves(base) | house.changes
    return meta | {key: leaves[key] for key in KEYS if key in leaves}
