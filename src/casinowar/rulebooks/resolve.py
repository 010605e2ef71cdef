"""Resolving a book's leaves: take the operator's options, follow what hangs on what, refuse what is not allowed."""

from collections.abc import Mapping
from typing import Any

from casinowar.rulebooks.catalogue import load_clauses
from casinowar.rulebooks.files import META, RawLeaf, RulebookError, raw_leaves
from casinowar.rulebooks.model import Leaf

_LEAF_FIELDS = {"value", "default", "allowed", "by", "clauses", "ambiguity"}


def resolve(data: Mapping[str, Any], options: Mapping[str, object]) -> dict[str, Leaf]:
    """Every leaf with the value it has under these options."""
    return _Resolution(data, options).all()


def marker_bounds(data: Mapping[str, Any], options: Mapping[str, object]) -> tuple[int, int]:
    """How many cards may lie behind the cutting card, at least and at most."""
    return _Resolution(data, options).marker_bounds()


class _Resolution:
    """One load: the file's leaves, the options, and what has been resolved so far."""

    def __init__(self, data: Mapping[str, Any], options: Mapping[str, object]) -> None:
        self.book = str(data.get("id", "?"))
        for field in META:
            if not isinstance(data.get(field), str):
                raise RulebookError(f"{self.book}: {field} is missing or is not text")
        self.raw = raw_leaves(data)
        self.options = options
        self.leaves: dict[str, Leaf] = {}
        self.under_way: list[str] = []
        for key in options:
            self._check_settable(key)

    def all(self) -> dict[str, Leaf]:
        return {key: self.leaf(key) for key in self.raw}

    def marker_bounds(self) -> tuple[int, int]:
        raw = self.raw.get("shoe.marker_from_back", {})
        allowed = raw.get("allowed")
        if not isinstance(allowed, dict):
            lies = int(str(self.leaf("shoe.marker_from_back").value))
            return lies, lies
        return int(self._bound(allowed["from"])), int(self._bound(allowed["to"]))

    def leaf(self, key: str) -> Leaf:
        if key not in self.leaves:
            if key not in self.raw:
                raise RulebookError(f"{self.book}: {key} is missing")
            if key in self.under_way:
                raise RulebookError(f"{self.book}: {key} hangs on itself: {' -> '.join([*self.under_way, key])}")
            self.under_way.append(key)
            self.leaves[key] = self._resolve(key, self.raw[key])
            self.under_way.pop()
        return self.leaves[key]

    def _resolve(self, key: str, raw: RawLeaf) -> Leaf:
        self._check_shape(key, raw)
        chosen = str(self.leaf(raw["by"]).value) if "by" in raw else None
        clauses = self._clauses(key, _pick(raw["clauses"], chosen))
        cited = ", ".join(clauses)
        value = _pick(raw.get("value", raw.get("default")), chosen)
        allowed = _pick(raw.get("allowed"), chosen)
        if value is None and isinstance(allowed, list):
            value = allowed[0]
        if value is None:
            hangs = f" for {raw['by']} = {chosen}" if chosen is not None else ""
            raise RulebookError(f"{self.book}: {key} ({cited}) has no value{hangs}")
        value = self._bound(value)
        if key in self.options:
            value = _plain(self.options[key], allowed)
        if allowed is not None and not self._permits(value, allowed):
            tells = self._tell(allowed)
            raise RulebookError(f"{self.book} does not allow {key} = {show(value)} ({cited}): allowed {tells}")
        told = None if allowed is None else self._tell(allowed)
        return Leaf(value=value, clauses=clauses, allowed=told, ambiguity=raw.get("ambiguity"))

    def _check_shape(self, key: str, raw: RawLeaf) -> None:
        unknown = set(raw) - _LEAF_FIELDS
        if unknown:
            raise RulebookError(f"{self.book}: {key} has unknown parts {', '.join(sorted(unknown))}")
        allowed = raw.get("allowed")
        is_range = isinstance(allowed, dict) and ("from" in allowed or "by" in raw)
        if not (allowed is None or allowed == "amount" or isinstance(allowed, list) or is_range):
            raise RulebookError(f"{self.book}: {key}: allowed is a list, a range with from and to, or 'amount'")

    def _clauses(self, key: str, ids: Any) -> tuple[str, ...]:
        known = load_clauses()
        if not ids or not isinstance(ids, list):
            raise RulebookError(f"{self.book}: {key} names no clause")
        for clause in ids:
            if clause not in known and clause != f"HOUSE-{key}":
                raise RulebookError(f"{self.book}: {key} rests on {clause!r}, which is not in the catalogue")
        return tuple(ids)

    def _check_settable(self, key: str) -> None:
        settable = sorted(name for name, raw in self.raw.items() if "allowed" in raw)
        if key not in self.raw:
            raise RulebookError(f"{self.book} has no option {key!r}: it has {', '.join(settable)}")
        if "allowed" not in self.raw[key]:
            cited = _clause_list(self.raw[key]["clauses"])
            fixed = show(self.raw[key].get("value"))
            raise RulebookError(f"{self.book} fixes {key} at {fixed} ({cited}): it is no option")

    def _permits(self, value: object, allowed: Any) -> bool:
        if isinstance(allowed, list):
            return any(value == choice and type(value) is type(choice) for choice in allowed)
        if type(value) is not int:
            return False
        if allowed == "amount":
            return 0 <= value < 2**63
        return bool(self._bound(allowed["from"]) <= value <= self._bound(allowed.get("to", 2**31)))

    def _tell(self, allowed: Any) -> str:
        if isinstance(allowed, list):
            return ", ".join(show(choice) for choice in allowed)
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
        decks = self.leaf("shoe.decks").value
        if type(decks) is not int:
            raise RulebookError(f"{self.book}: shoe.decks is a whole number, not {show(decks)}")
        return 52 * decks


def _pick(entry: Any, chosen: str | None) -> Any:
    return entry.get(chosen) if chosen is not None and isinstance(entry, dict) else entry


def _plain(value: object, allowed: Any) -> object:
    """An option as people write it: `on` and `off` for booleans, off for no amount."""
    if isinstance(allowed, list) and True in allowed and value in ("on", "off"):
        return value == "on"
    if allowed == "amount" and (value is False or value == "off"):
        return 0
    return value


def show(value: object) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _clause_list(clauses: Any) -> str:
    flat = clauses if isinstance(clauses, list) else [one for entry in clauses.values() for one in entry]
    return ", ".join(flat)
