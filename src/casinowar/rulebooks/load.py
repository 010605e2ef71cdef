"""Loading a rulebook: read its file, take the operator's options, resolve every leaf, refuse what is not allowed."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from casinowar.cards import DECK
from casinowar.rulebooks.catalogue import load_clauses
from casinowar.rulebooks.model import Cell, Leaf, Odds, Pass, Rulebook

BOOKS = ("nz", "wa", "ctg", "ca", "ma")

SITUATIONS = {
    "initial": ("on_win", "on_loss", "on_war_win", "on_war_tie", "on_war_loss"),
    "war": ("on_win", "on_tie", "on_loss"),
    "tie": ("on_win", "on_loss"),
    "war_tie": ("on_win", "on_loss"),
    "a_bomb": ("on_win", "on_loss"),
    "perfect_pairs": ("on_perfect", "on_coloured", "on_mixed", "on_loss"),
    "progressive": (
        "on_suited_four_of_a_kind",
        "on_suited_double_tie",
        "on_four_of_a_kind",
        "on_double_tie",
        "on_suited_tie",
        "on_tie",
        "on_loss",
    ),
}
_META = ("id", "title", "version")
_LEAF_FIELDS = {"value", "default", "allowed", "by", "clauses", "ambiguity"}


class RulebookError(ValueError):
    """A rulebook, or an option set on it, says something that cannot be played."""


@cache
def read_book(name: str) -> dict[str, Any]:
    """The parsed file of a book, as it stands."""
    if name not in BOOKS:
        raise RulebookError(f"unknown rulebook {name!r}: choose one of {', '.join(BOOKS)}")
    source = resources.files("casinowar.rulebooks") / "data" / f"{name}.toml"
    return tomllib.loads(source.read_text("utf-8"))


def load_rulebook(name: str, options: Mapping[str, object] | None = None) -> Rulebook:
    """The rulebook with the operator's options set; what is not set has its default.

    >>> load_rulebook("nz", {"shoe.decks": 8}).shoe.decks
    8
    """
    return _Resolution(read_book(name), dict(options or {})).rulebook()


def raw_leaves(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every leaf of a book's file by its dotted key."""
    found: dict[str, dict[str, Any]] = {}

    def walk(table: Mapping[str, Any], prefix: str) -> None:
        for key, entry in table.items():
            if not isinstance(entry, dict):
                raise RulebookError(f"{prefix}{key} has no clause: write {{ value = ..., clauses = [...] }}")
            if "clauses" in entry:
                found[prefix + key] = entry
            else:
                walk(entry, f"{prefix}{key}.")

    walk({key: entry for key, entry in data.items() if key not in _META}, "")
    return found


class _Resolution:
    """The state of one load: the file's leaves, the options, and what has been resolved so far."""

    def __init__(self, data: Mapping[str, Any], options: dict[str, object]) -> None:
        self.book = str(data.get("id", "?"))
        self.meta = {key: str(data.get(key, "")) for key in _META}
        self.raw = raw_leaves(data)
        self.options = options
        self.leaves: dict[str, Leaf] = {}
        for key in options:
            self._check_settable(key)

    def rulebook(self) -> Rulebook:
        for key in self.raw:
            self.leaf(key)
        return _build(self.meta, self.leaves, self.options)

    def leaf(self, key: str) -> Leaf:
        if key not in self.leaves:
            if key not in self.raw:
                raise RulebookError(f"{self.book}: {key} is missing")
            self.leaves[key] = self._resolve(key, self.raw[key])
        return self.leaves[key]

    def _resolve(self, key: str, raw: dict[str, Any]) -> Leaf:
        unknown = set(raw) - _LEAF_FIELDS
        if unknown:
            raise RulebookError(f"{self.book}: {key} has unknown parts {', '.join(sorted(unknown))}")
        chosen = str(self.leaf(raw["by"]).value) if "by" in raw else None
        clauses = self._clauses(key, _pick(raw["clauses"], chosen))
        value = _pick(raw.get("value", raw.get("default")), chosen)
        allowed = _pick(raw.get("allowed"), chosen)
        if value is None and isinstance(allowed, list):
            value = allowed[0]
        if value is None:
            raise RulebookError(
                f"{self.book}: {key} ({', '.join(clauses)}) has no value for {raw.get('by')} = {chosen}"
            )
        value = self._bound(value)
        if key in self.options:
            value = self._set(key, self.options[key], allowed, clauses)
        told = None if allowed is None else self._tell(allowed)
        return Leaf(value=value, clauses=clauses, allowed=told, ambiguity=raw.get("ambiguity"))

    def _clauses(self, key: str, ids: Any) -> tuple[str, ...]:
        known = load_clauses()
        if not ids or not isinstance(ids, list):
            raise RulebookError(f"{self.book}: {key} names no clause")
        for clause in ids:
            if clause not in known:
                raise RulebookError(f"{self.book}: {key} rests on {clause!r}, which is not in the catalogue")
        return tuple(ids)

    def _check_settable(self, key: str) -> None:
        settable = sorted(name for name, raw in self.raw.items() if "allowed" in raw)
        if key not in self.raw:
            raise RulebookError(f"{self.book} has no option {key!r}: it has {', '.join(settable)}")
        if "allowed" not in self.raw[key]:
            cited = _clause_list(self.raw[key]["clauses"])
            fixed = _show(self.raw[key].get("value"))
            raise RulebookError(f"{self.book} fixes {key} at {fixed} ({cited}): it is no option")

    def _set(self, key: str, value: object, allowed: Any, clauses: tuple[str, ...]) -> object:
        if isinstance(value, str) and isinstance(allowed, list) and value in ("on", "off") and True in allowed:
            value = value == "on"
        if value is False and allowed == "amount":
            value = 0
        if not self._permits(value, allowed):
            raise RulebookError(
                f"{self.book} does not allow {key} = {_show(value)} ({', '.join(clauses)}): "
                f"allowed {self._tell(allowed)}"
            )
        return value

    def _permits(self, value: object, allowed: Any) -> bool:
        if isinstance(allowed, list):
            return any(value == choice and type(value) is type(choice) for choice in allowed)
        if type(value) is not int:
            return False
        if allowed == "amount":
            return 0 <= value < 2**63
        low, high = self._bound(allowed["from"]), self._bound(allowed.get("to", 2**31))
        return bool(low <= value <= high)

    def _tell(self, allowed: Any) -> str:
        if isinstance(allowed, list):
            return ", ".join(_show(choice) for choice in allowed)
        if allowed == "amount":
            return "off or an amount"
        if "to" not in allowed:
            return f"{allowed['from']} or more"
        return f"{self._bound(allowed['from'])} to {self._bound(allowed['to'])}"

    def _bound(self, bound: Any) -> Any:
        """A number as it is, or one that hangs on the shoe (`N/2`, `N-52`) or on another leaf (`table.boxes`)."""
        if not isinstance(bound, str):
            return bound
        if bound in self.raw:
            return self.leaf(bound).value
        if bound == "N/2":
            return self._cards() // 2
        if bound == "N-52":
            return self._cards() - 52
        return bound

    def _cards(self) -> int:
        return 52 * int(str(self.leaf("shoe.decks").value))


def _pick(entry: Any, chosen: str | None) -> Any:
    return entry.get(chosen) if chosen is not None and isinstance(entry, dict) else entry


def _show(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _clause_list(clauses: Any) -> str:
    flat = clauses if isinstance(clauses, list) else [one for entry in clauses.values() for one in entry]
    return ", ".join(flat)


def _build(meta: dict[str, str], leaves: dict[str, Leaf], options: dict[str, object]) -> Rulebook:
    nested: dict[str, Any] = {}
    for key, leaf in leaves.items():
        group = nested
        *path, last = key.split(".")
        for part in path:
            group = group.setdefault(part, {})
        group[last] = leaf.value
    derived = {
        "leaves": {},
        "clauses": {},
        "options": {},
        "ranks": {},
        "passes": (),
        "cells": {},
        "forfeit": Odds(1, 1),
        "war_stake": Odds(1, 1),
    }
    try:
        typed = msgspec.convert({**meta, "priority": {}, **nested, **derived}, Rulebook, strict=True)
    except msgspec.ValidationError as error:
        raise _explained(meta["id"], leaves, error) from None
    _check_known(meta["id"], nested)
    cells = _cells(meta["id"], leaves, typed)
    return msgspec.structs.replace(
        typed,
        leaves=leaves,
        clauses={key: leaf.clauses for key, leaf in leaves.items()},
        options=options,
        ranks=_ranks(typed.cards.ranks),
        passes=tuple(_parse_pass(meta["id"], text) for text in typed.settle.first),
        cells=cells,
        forfeit=_parse_odds(typed.surrender.forfeit),
        war_stake=_parse_odds(typed.war.stake),
    )


def _explained(book: str, leaves: dict[str, Leaf], error: msgspec.ValidationError) -> RulebookError:
    reason, _, path = str(error).partition(" - at `$.")
    key = path.rstrip("`").partition("[")[0]
    clauses = f" ({', '.join(leaves[key].clauses)})" if key in leaves else ""
    return RulebookError(f"{book}: {key or 'the book'}{clauses}: {reason[:1].lower()}{reason[1:]}")


def _check_known(book: str, nested: dict[str, Any]) -> None:
    for group, entries in nested.items():
        field = next((f for f in msgspec.structs.fields(Rulebook) if f.name == group), None)
        known = {f.name for f in msgspec.structs.fields(field.type)} if field else set()
        for name in entries:
            if name not in known:
                raise RulebookError(
                    f"{book}: unknown key {group}.{name}: known are {', '.join(sorted(known)) or 'none'}"
                )


def _ranks(order: str) -> dict[Any, int]:
    return {card: order.index(card[0]) for card in DECK}


def _parse_odds(text: str) -> Odds:
    numerator, separator, denominator = text.partition(":")
    if not (separator and numerator.isdecimal() and denominator.isdecimal() and int(denominator)):
        raise RulebookError(f"{text!r} are no odds: write 2:1")
    return Odds(int(numerator), int(denominator))


def _parse_pass(book: str, text: str) -> Pass:
    """`take then pay tie from right`, `settle initial, tie from left`."""
    read = re.fullmatch(r"(settle|take then pay) ([a-z_, ]+) from (left|right)", text)
    if read is None or not set(read[2].split(", ")) <= set(SITUATIONS):
        raise RulebookError(f"{book}: settle.first: {text!r} is no pass: write 'settle initial, tie from right'")
    return Pass(tuple(read[2].split(", ")), read[3] == "right", read[1] != "settle")


def _cells(book: str, leaves: dict[str, Leaf], rulebook: Rulebook) -> dict[tuple[str, str], Cell]:
    cells = {}
    offered = {wager for wager in SITUATIONS if wager in ("initial", "war") or getattr(rulebook.wager, wager)}
    for wager, situations in SITUATIONS.items():
        for situation in situations:
            key = f"payout.{wager}.{situation}"
            if key in leaves:
                cells[wager, situation] = _cell(leaves[key])
            elif wager in offered:
                raise RulebookError(f"{book}: {key} is missing")
    for key in leaves:
        if key.startswith("payout.") and key.count(".") == 2 and tuple(key.split(".")[1:]) not in cells:
            raise RulebookError(f"{book}: unknown key {key}")
    for wager, situation in list(cells):
        if wager == "perfect_pairs":
            cells["war_perfect_pairs", situation] = cells[wager, situation]
    return cells


def _cell(leaf: Leaf) -> Cell:
    if leaf.value == "push":
        return Cell("push", None, leaf.clauses)
    if leaf.value == "lose":
        return Cell("lose", None, leaf.clauses)
    return Cell("win", _parse_odds(str(leaf.value)), leaf.clauses)
