"""Where rulebooks come from: the five packaged ones, and house rulebooks that extend one of them.

A house rulebook is a TOML file that names the book it `extends` and changes leaves, as plain values or as leaves of
their own. It is found by its path, or by its name in the user's configuration folder.
"""

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

BOOKS = ("nz", "wa", "ctg", "ca", "ma")
META = ("id", "title", "version")
NOT_LEAVES = (*META, "extends")

RawLeaf = dict[str, Any]


class RulebookError(ValueError):
    """A rulebook, or an option set on it, says something that cannot be played."""


def read_book(name: str) -> dict[str, Any]:
    """The data of a book by its id, or of a house rulebook by path or name, with all that it extends merged in."""
    return _packaged(name) if name in BOOKS else _read_house(name, ())


@cache
def _packaged(name: str) -> dict[str, Any]:
    source = resources.files("casinowar.rulebooks") / "data" / f"{name}.toml"
    return tomllib.loads(source.read_text("utf-8"))


def config_folder() -> Path:
    """Where a user's own rulebooks lie."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "casinowar"


def _find(name: str, beside: Path | None) -> Path:
    if name.endswith(".toml") or "/" in name or os.sep in name:
        return (beside / name) if beside is not None else Path(name)
    named = config_folder() / f"{name}.toml"
    if named.is_file():
        return named
    known = ", ".join(BOOKS)
    raise RulebookError(f"unknown rulebook {name!r}: choose one of {known}, or give the path of a house rulebook")


def _read_house(name: str, seen: tuple[Path, ...], beside: Path | None = None) -> dict[str, Any]:
    path = _find(name, beside)
    where = path.resolve()
    if where in seen:
        ring = " extends ".join(one.name for one in (*seen[seen.index(where) :], where))
        raise RulebookError(f"{path.name}: a rulebook cannot extend itself: {ring}")
    data = read_toml_file(path)
    parent = data.get("extends")
    if not isinstance(parent, str):
        raise RulebookError(f'{path.name}: say which book it extends, as in extends = "nz"')
    if parent in BOOKS:
        base = _packaged(parent)
    else:
        base = _read_house(parent, (*seen, where), where.parent)
    return merge(base, data, path.stem)


def read_toml_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise RulebookError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise RulebookError(f"{path}: not UTF-8 at byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulebookError(f"{path}: broken TOML: {error}") from None


def raw_leaves(data: Mapping[str, Any]) -> dict[str, RawLeaf]:
    """Every leaf of a book's data by its dotted key."""
    found: dict[str, RawLeaf] = {}

    def walk(table: Mapping[str, Any], prefix: str) -> None:
        for key, entry in table.items():
            if not isinstance(entry, dict):
                raise RulebookError(f"{prefix}{key} has no clause: write {{ value = ..., clauses = [...] }}")
            if "clauses" in entry:
                found[prefix + key] = entry
            else:
                walk(entry, f"{prefix}{key}.")

    walk({key: entry for key, entry in data.items() if key not in NOT_LEAVES}, "")
    return found


def merge(base: Mapping[str, Any], house: Mapping[str, Any], stem: str) -> dict[str, Any]:
    """The parent's leaves with those that the house changes; a changed leaf without clauses is its own clause."""
    leaves = raw_leaves(base)
    ident = house.get("id", stem)
    if ident in BOOKS or not isinstance(ident, str):
        raise RulebookError(f"{stem}: id = {ident!r} is taken: give the house rulebook a name of its own")
    changes = {key: entry for key, entry in house.items() if key not in NOT_LEAVES}
    for key, entry in _changes(changes, "", leaves).items():
        leaves[key] = _changed(key, entry, leaves[key], stem)
    merged: dict[str, Any] = {"id": ident, "title": house.get("title", ident), "extends": base["id"]}
    merged["version"] = house.get("version", f"house rulebook on {base['id']}")
    for key, leaf in leaves.items():
        merged[key] = leaf
    return merged


def _changes(table: Mapping[str, Any], prefix: str, leaves: Mapping[str, RawLeaf]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, entry in table.items():
        name = prefix + key
        if name in leaves:
            found[name] = entry
        elif isinstance(entry, dict) and any(known.startswith(f"{name}.") for known in leaves):
            found.update(_changes(entry, f"{name}.", leaves))
        else:
            siblings = sorted(known for known in leaves if known.startswith(prefix)) or sorted(leaves)
            raise RulebookError(f"unknown leaf {name}: known are {', '.join(siblings)}")
    return found


def _changed(key: str, entry: Any, parent: RawLeaf, stem: str) -> RawLeaf:
    own = f"HOUSE-{key}"
    is_leaf = isinstance(entry, dict) and bool({"value", "default", "allowed"} & set(entry))
    if not is_leaf:
        return {"value": entry, "clauses": [own]}
    unknown = set(entry) - {"value", "default", "allowed", "by"}
    if unknown:
        raise RulebookError(f"{stem}: {key} has unknown parts {', '.join(sorted(unknown))}")
    return {**entry, "clauses": [own]}
