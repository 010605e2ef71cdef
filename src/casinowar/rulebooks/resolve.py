"""Resolving a book's leaves: take the operator's options, follow what hangs on what, refuse what is not allowed."""

from collections.abc import Collection, Mapping
from typing import Any

from casinowar.rulebooks.catalogue import CLAUSE_ID, citation, load_clauses
from casinowar.rulebooks.editions import is_packaged
from casinowar.rulebooks.files import META, RawLeaf, raw_leaves
from casinowar.rulebooks.model import Leaf
from casinowar.rulebooks.shelf import head_of
from casinowar.rulebooks.toml_files import RulebookError
from casinowar.rulebooks.vocabulary import CASES, KEYS, fits, kind, unknown

AMOUNT = "off or an amount"
WORDS = {"amount": AMOUNT, "text": "any text", "groups": "lists of players who bet together"}
_LEAF_FIELDS = {"value", "default", "allowed", "by", "clauses", "cases", "supplied", "see", "ambiguity", "scope"}


def resolve(data: Mapping[str, Any], options: Mapping[str, object]) -> dict[str, Leaf]:
    """Every leaf with the value it has under these options."""
    return _Resolution(data, options).all()


def resolve_with_bounds(
    data: Mapping[str, Any], options: Mapping[str, object]
) -> tuple[dict[str, Leaf], tuple[int, int]]:
    """Every leaf, and how many cards may lie behind the cutting card, at least and at most."""
    resolution = _Resolution(data, options)
    return resolution.all(), resolution.marker_bounds()


def forbidden(parent: Mapping[str, Any], house: Mapping[str, Any], keys: Collection[str]) -> set[str]:
    """Which of these leaves of a house rulebook are nothing that an operator could set in the parent.

    Where the parent is silent there is nothing that it would not allow.
    """
    ours, theirs = _Resolution(house, {}), _Resolution(parent, {})
    settable = {key for key, raw in raw_leaves(parent).items() if "allowed" in raw} & set(keys)
    together = _Resolution(parent, {key: ours.leaf(key).value for key in settable})

    def is_allowed(key: str) -> bool:
        """Whether the parent allows the leaf, with the house's other choices or else by itself."""
        if together.would_allow(key, ours) or (key in theirs.raw and theirs.leaf(key).supplied):
            return True
        return key in settable and _Resolution(parent, {key: ours.leaf(key).value}).would_allow(key, ours)

    return {key for key in keys if not is_allowed(key)}


class _Resolution:
    """One load: the file's leaves, the options, and what has been resolved so far."""

    def __init__(self, data: Mapping[str, Any], options: Mapping[str, object]) -> None:
        self.book = str(data.get("id", "?"))
        for field in META:
            if not isinstance(data.get(field), str):
                raise RulebookError(f"{self.book}: {field} is missing or is not text")
        self.is_packaged = is_packaged(data)
        self.known_clauses = {} if self.is_packaged else load_clauses()
        self.own_prefixes = _own_prefixes(data)
        self.raw = raw_leaves(data)
        for key in self.raw:
            if key not in KEYS:
                raise RulebookError(f"{self.book}: {unknown(key)}")
        self.options = options
        self.leaves: dict[str, Leaf] = {}
        self.under_way: list[str] = []
        for key in options:
            self._check_settable(key)

    def all(self) -> dict[str, Leaf]:
        return {key: self.leaf(key) for key in self.raw}

    def marker_bounds(self) -> tuple[int, int]:
        lies = int(str(self.leaf("shoe.marker_from_back").value))
        allowed = self.allowed("shoe.marker_from_back")
        if not isinstance(allowed, dict):
            return lies, lies
        return int(self.bound(allowed["from"])), int(self.bound(allowed.get("to", self._cards())))

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
        chosen = self._chosen(raw)
        clauses = self._sources(key, raw, chosen)
        cited = citation(clauses)
        value = _pick(raw.get("value", raw.get("default")), chosen)
        allowed = _pick(raw.get("allowed"), chosen)
        self._check_allowed(key, cited, allowed)
        if value is None and isinstance(allowed, list):
            value = allowed[0]
        if value is None:
            hangs = f" for {raw['by']} = {chosen}" if chosen is not None else ""
            raise RulebookError(f"{self.book}: {key} ({cited}) has no value{hangs}")
        value = self.bound(value)
        if key in self.options and allowed is not None:
            value = _plain(self.options[key], allowed)
        else:
            self._check_values(key, cited, [value, *_entries(raw)])
        if allowed is not None and not self._permits(value, allowed):
            tells = self._tell(allowed) + (f" with {raw['by']} = {chosen}" if chosen is not None else "")
            raise RulebookError(f"{self.book} does not allow {key} = {_short(value)} ({cited}): allowed {tells}")
        told = None if allowed is None else self._tell(allowed)
        scope = raw.get("scope", "table")
        if scope not in ("table", "casino"):
            raise RulebookError(f"{self.book}: {key} ({cited}): scope = {_short(scope)}: allowed table, casino")
        cases = self._cases(key, clauses, _pick(raw.get("cases", {}), chosen) or {})
        if str(value) in cases:
            clauses, cases = cases[str(value)], {}
        see = _pick(raw.get("see", []), chosen) or []
        return Leaf(
            value,
            clauses,
            allowed=told,
            ambiguity=raw.get("ambiguity"),
            scope=scope,
            cases=cases,
            supplied=not clauses,
            see=self._clauses(key, see) if see else (),
        )

    def would_allow(self, key: str, house: "_Resolution") -> bool:
        """Whether an operator of this book could have the leaf as the house rulebook has it."""
        if key not in self.raw:
            return False
        try:
            leaf = self.leaf(key)
        except RulebookError:
            self.under_way = []
            return False
        wanted, mine = house.allowed(key), self.allowed(key)
        if leaf.value != house.leaf(key).value:
            return False
        if wanted is None or wanted == mine:
            return True
        if mine is None or isinstance(wanted, str):
            return False
        if isinstance(wanted, list):
            return all(self._permits(choice, mine) for choice in wanted)
        ends = [house.bound(wanted["from"]), house.bound(wanted.get("to", 2**31))]
        if isinstance(mine, list):
            return all(end in mine for end in ends) and set(range(ends[0], ends[-1])) <= set(mine)
        return all(self._permits(end, mine) for end in ends)

    def allowed(self, key: str) -> Any:
        """What an operator may set the leaf to, as the file says it; `None` where it is fixed."""
        raw = self.raw[key]
        return _pick(raw.get("allowed"), self._chosen(raw))

    def _chosen(self, raw: RawLeaf) -> str | None:
        if "by" not in raw:
            return None
        value = self.leaf(raw["by"]).value
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _check_shape(self, key: str, raw: RawLeaf) -> None:
        if unknown_parts := raw.keys() - _LEAF_FIELDS:
            raise RulebookError(f"{self.book}: {key} has unknown parts {', '.join(sorted(unknown_parts))}")
        by = raw.get("by", "")
        if not isinstance(by, str):
            raise RulebookError(f"{self.book}: {key}: by = {_short(by)}: name the leaf that it hangs on")
        if by and by not in self.raw:
            raise RulebookError(f"{self.book}: {key} hangs on {by}, which is missing")

    def _check_values(self, key: str, cited: str, values: list[Any]) -> None:
        for value in values:
            if not fits(key, value):
                raise RulebookError(f"{self.book}: {key} = {_short(value)} ({cited}): allowed {kind(key)}")

    def _check_allowed(self, key: str, cited: str, allowed: Any) -> None:
        """A list of choices that the vocabulary knows, a range of whole numbers, or `amount`."""
        match allowed:
            case None:
                return
            case "amount" if fits(key, 0):
                return
            case "text" if fits(key, ""):
                return
            case "groups" if fits(key, [["a player", "another"]]):
                return
            case [_, *_] if all(fits(key, choice) for choice in allowed):
                return
            case {"from": low, **rest} if rest.keys() <= {"to"} and fits(key, 0):
                ends = [self.bound(low), *(self.bound(end) for end in rest.values())]
                if all(type(end) is int for end in ends):
                    return
        ways = f"a list of {kind(key)}" + (", a range with from and to, or 'amount'" if fits(key, 0) else "")
        raise RulebookError(f"{self.book}: {key} ({cited}): allowed = {_short(allowed)}: write {ways}")

    def _sources(self, key: str, raw: RawLeaf, chosen: str | None) -> tuple[str, ...]:
        """The clauses of the leaf, and none where it is supplied; it must say one of the two."""
        ids, supplied = _pick(raw.get("clauses"), chosen), _pick(raw.get("supplied"), chosen)
        if supplied is not None and supplied is not True:
            raise RulebookError(f"{self.book}: {key}: supplied = {_short(supplied)}: it is true, or left out")
        if supplied and ids is not None:
            raise RulebookError(f"{self.book}: {key} is supplied and names clauses: one that bears on it is in see")
        return () if supplied else self._clauses(key, ids)

    def _clauses(self, key: str, ids: Any) -> tuple[str, ...]:
        if not ids or not isinstance(ids, list):
            raise RulebookError(f"{self.book}: {key} names no clause")
        for clause in () if self.is_packaged else ids:
            if clause not in self.known_clauses and clause != f"HOUSE-{key}" and not self._is_elsewhere(clause):
                raise RulebookError(f"{self.book}: {key} rests on {clause!r}, which is not in the catalogue")
        return tuple(ids)

    def _is_elsewhere(self, clause: object) -> bool:
        return isinstance(clause, str) and bool(CLAUSE_ID.fullmatch(clause)) and clause.startswith(self.own_prefixes)

    def _cases(self, key: str, clauses: tuple[str, ...], cases: Any) -> dict[str, tuple[str, ...]]:
        """Cases of the leaf with those of its clauses that speak of them, or none where the book is silent."""
        if not cases:
            return {}
        if not isinstance(cases, dict) or not cases.keys() <= set(CASES.get(key, ())):
            told = ", ".join(CASES.get(key, ())) or "none"
            raise RulebookError(f"{self.book}: {key}: cases = {_short(cases)}: the leaf has {told}")
        of_case = {case: () if ids == [] else self._clauses(key, ids) for case, ids in cases.items()}
        if not set(clauses) >= {one for ids in of_case.values() for one in ids}:
            raise RulebookError(f"{self.book}: {key}: a case rests on a clause that the leaf does not name")
        return of_case

    def _check_settable(self, key: str) -> None:
        if key not in self.raw:
            settable = sorted(name for name, raw in self.raw.items() if "allowed" in raw)
            raise RulebookError(f"{self.book} has no option {key!r}: it has {', '.join(settable)}")
        if "allowed" not in self.raw[key] and not self._is_as_fixed(key):
            cited = citation(_every_clause(self.raw[key].get("clauses", [])))
            fixed = show(self.raw[key].get("value"))
            raise RulebookError(f"{self.book} fixes {key} at {fixed} ({cited}): it is no option")

    def _is_as_fixed(self, key: str) -> bool:
        """A fixed leaf may be named among the options at the value it has."""
        raw = self.raw[key]
        chosen = str(self.leaf(raw["by"]).value) if "by" in raw else None
        fixed = _pick(raw.get("value"), chosen)
        return bool(_plain(self.options[key], [True] if isinstance(fixed, bool) else "amount") == fixed)

    def _permits(self, value: object, allowed: Any) -> bool:
        if isinstance(allowed, list):
            return any(value == choice and type(value) is type(choice) for choice in allowed)
        if allowed == "text":
            return isinstance(value, str)
        if allowed == "groups":
            return isinstance(value, list) and all(_is_group(group) for group in value)
        if type(value) is not int:
            return False
        if allowed == "amount":
            return 0 <= value < 2**63
        return bool(self.bound(allowed["from"]) <= value <= self.bound(allowed.get("to", 2**31)))

    def _tell(self, allowed: Any) -> str:
        if isinstance(allowed, list):
            return ", ".join(show(choice) for choice in allowed)
        if isinstance(allowed, str):
            return WORDS[allowed]
        if "to" not in allowed:
            return f"{allowed['from']} or more"
        return f"{self.bound(allowed['from'])} to {self.bound(allowed['to'])}"

    def bound(self, bound: Any) -> Any:
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


def _own_prefixes(data: Mapping[str, Any]) -> tuple[str, ...]:
    """How the clauses of a book begin that is not on the shelf here: a record or a log may come from elsewhere."""
    ids = [str(data[key]).partition("@")[0] for key in ("id", "extends") if data.get(key)]
    return tuple(f"{id.upper()}-" for id in ids if head_of(id.lower()) is None)


def _pick(entry: Any, chosen: str | None) -> Any:
    return entry.get(chosen) if chosen is not None and isinstance(entry, dict) else entry


def _entries(raw: RawLeaf) -> list[Any]:
    """What the leaf would be under every choice of the leaf that it hangs on."""
    given = raw.get("value", raw.get("default"))
    return list(given.values()) if "by" in raw and isinstance(given, dict) else []


def _is_group(group: object) -> bool:
    return isinstance(group, list) and len(group) > 1 and all(isinstance(player, str) for player in group)


def _plain(value: object, allowed: Any) -> object:
    """An option as people write it: `on` and `off` for booleans, off for no amount."""
    if isinstance(allowed, list) and True in allowed and value in ("on", "off"):
        return value == "on"
    if allowed == "amount" and (value is False or value == "off"):
        return 0
    return value


def show(value: object) -> str:
    """A value as people write it."""
    match value:
        case bool():
            return "on" if value else "off"
        case list() | tuple():
            return "; ".join(show(one) for one in value) or "none"
        case dict():
            return ", ".join(f"{key} {show(one)}" for key, one in value.items()) or "none"
        case _:
            return str(value)


def describe(leaf: Leaf) -> str:
    """The value and what an operator may set it to."""
    allowed = f" (allowed: {leaf.allowed})" if leaf.allowed else ""
    return ("off" if leaf.allowed == AMOUNT and leaf.value == 0 else show(leaf.value)) + allowed


def _short(value: object) -> str:
    """A value for an error's one line."""
    try:
        text = show(value)
    except RecursionError:
        text = "a nest of lists"
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= 60 else f"{text[:57]}..."


def _every_clause(clauses: Any) -> list[str]:
    return clauses if isinstance(clauses, list) else [one for entry in clauses.values() for one in entry]
