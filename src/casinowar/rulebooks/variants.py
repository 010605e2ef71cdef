"""What if: a book with any of its leaves changed, for study. Options stay options where the book allows the value."""

from collections.abc import Mapping
from typing import Any

import msgspec

from casinowar.rulebooks.editions import without_edition
from casinowar.rulebooks.files import META, RawLeaf, edition_in, raw_leaves, read_book
from casinowar.rulebooks.load import load_data, refuse_faulty
from casinowar.rulebooks.model import Rulebook
from casinowar.rulebooks.resolve import resolve
from casinowar.rulebooks.toml_files import RulebookError
from casinowar.rulebooks.vocabulary import KEYS, is_table, unknown

DECKS = "shoe.decks"
PAIRS = "perfect_pairs.table"


def load_with(name: str, settings: Mapping[str, object], *, any_decks: bool = False) -> Rulebook:
    """The book under these settings: operator options as the book allows them, and leaves changed beyond it.

    A changed leaf is cited as `HOUSE-key`. Only the number of decks is held to the book, unless `any_decks`.

    >>> from casinowar import rulebooks
    >>> rulebooks.load_with("nz", {"payout.tie.on_win": "11:1"}).cells["tie", "on_win"].odds.numerator
    11
    """
    if not isinstance(settings, Mapping):
        raise TypeError(
            f"settings are leaves with their values, such as {{'payout.tie.on_win': '11:1'}}, and not {settings!r}"
        )
    data, origin = read_book(name), without_edition(name)
    refuse_faulty(origin)
    options: dict[str, object] = {}
    changed: dict[str, RawLeaf] = {}
    for key, value in settings.items():
        if key not in KEYS:
            raise RulebookError(f"{data['id']}: {unknown(key)}")
        if _is_option(data, key, value, options) or (key == DECKS and not any_decks):
            options[key] = value
        else:
            changed[key] = {"value": _fitting(key, value), "clauses": [f"HOUSE-{key}"]}
    if DECKS in changed:
        _free_pairs(data, changed)
        _make_room(changed)
    if not changed:
        return msgspec.structs.replace(load_data(data, options), origin=origin)
    leaves = raw_leaves(data) | changed
    meta: dict[str, Any] = {field: data[field] for field in META} | {"extends": data.get("extends") or data["id"]}
    meta["edition"] = edition_in(data)
    book = load_data(meta | {key: leaves[key] for key in KEYS if key in leaves}, options)
    return msgspec.structs.replace(book, origin=origin, options={**settings})


def _is_option(data: Mapping[str, Any], key: str, value: object, chosen: Mapping[str, object]) -> bool:
    """Whether the operator may set the leaf so, beside the options before it."""
    if "allowed" not in raw_leaves(data).get(key, {}):
        return False
    try:
        resolve(data, {**chosen, key: value})
    except RulebookError:
        return False
    return True


def _fitting(key: str, value: object) -> object:
    """Lists are written with semicolons between their parts."""
    is_list = str(KEYS[key]).startswith("tuple") and not is_table(key)
    return [part.strip() for part in value.split(";") if part.strip()] if is_list and isinstance(value, str) else value


def _make_room(changed: dict[str, RawLeaf]) -> None:
    """A cut and a cutting card that fit into the stack, which no figure hangs on."""
    decks = changed[DECKS]["value"]
    quarter = 13 * decks if isinstance(decks, int) else 0
    for key in ("shoe.marker_from_back", "shoe.cut_depth"):
        changed.setdefault(key, {"value": min(52, quarter), "clauses": [f"HOUSE-{key}"]})


def _free_pairs(data: Mapping[str, Any], changed: dict[str, RawLeaf]) -> None:
    """Free the pay tables of pairs: with a number of decks that the book does not have, any of them may be studied."""
    raw = raw_leaves(data).get(PAIRS)
    if raw is None or PAIRS in changed or not isinstance(raw.get("allowed"), dict):
        return
    tables = [table for choices in raw["allowed"].values() for table in choices]
    if str(changed[DECKS]["value"]) not in raw["allowed"]:
        changed[PAIRS] = {"default": tables[0], "allowed": tables, "clauses": [f"HOUSE-{PAIRS}"]}
