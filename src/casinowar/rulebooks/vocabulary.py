"""The vocabulary of rulebooks: every key that a leaf may have, what its value may be, and how that is told."""

from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

import msgspec

from casinowar.rulebooks.model import Odds, Rulebook
from casinowar.rulebooks.wagers import SITUATIONS

Reason = Literal["vacant", "suspect", "discretion"]
Cause = Literal["fire", "riot", "brawl", "robbery", "commotion", "act_of_god", "fraud"]
Step = Literal["plug", "riffle", "turn", "strip"]
LISTS = {
    "shoe.discretion": tuple[Reason, ...],
    "irreg.invalidate": tuple[Cause, ...],
    "shoe.shuffle_steps": tuple[Step, ...],
}
"""Lists whose words the commands at the table know."""

CASES = {
    "payout.tie.on_loss": ("lower", "higher"),
    "payout.war_tie.on_loss": ("lower", "higher"),
    "bank.model": ("paid_short", "returned", "uncovered"),
    "table.bettors_per_area": ("usual", "fewer"),
    "limits.on_under_min": ("one", "several", "first", "again"),
    "limits.change": ("empty", "agreed", "notice"),
    "wager.tie_only": ("tie", "other"),
    "war.method": ("A", "B"),
    "war.stake": ("placed", "confirmed"),
    "war.burn_before_banker": ("0", "3"),
    "open.player_rights": ("inspect", "shuffle"),
    "open.wash": ("opening", "idle"),
    "shoe.shuffler": ("manual", "batch_auto", "continuous"),
    "shoe.cutter_otherwise": ("replacement", "discretion", "other"),
    "shoe.initial_burn": ("opening", "opening_value"),
    "shoe.midround_burn": ("as_opening", "none"),
    "shoe.discretion": ("vacant", "suspect", "discretion"),
    "shoe.shuffle_steps": ("plug", "riffle", "turn", "strip"),
    "irreg.exposed_extra": ("needed", "not_needed"),
    "irreg.missed_offer": ("rewind", "discard"),
    "irreg.damaged_card": ("one", "all"),
    "irreg.misdealt": ("rebuilt", "left_over", "dealer", "moved", "backwards"),
    "irreg.missing_cut_card": ("shoe", "continuous"),
    "irreg.wrong_wager": ("under_min", "over_max", "off_unit"),
    "irreg.wrong_wager_until": ("under_min", "over_max", "off_unit"),
    "irreg.void_scope": ("hand", "released", "missed", "round"),
    "irreg.contravention": ("void", "exclude"),
    "irreg.invalidate": ("disruption", "fraud"),
}
"""Leaves some of whose clauses speak of one case alone: a player's card that was lower, a bank that was too small.

Where the cases are values of the leaf itself, it rests on the clauses of the value that it has."""

ODDS = ("surrender.forfeit", "war.stake", "progressive.meter_share")

_WORDS: dict[Any, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number, 0 or more",
    tuple: "a list of texts",
    dict: "a table of whole numbers by rank",
}


def _keys() -> dict[str, Any]:
    keys: dict[str, Any] = {}
    for group in msgspec.structs.fields(Rulebook):
        kind = group.type
        if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)) or kind is Odds:
            continue
        for field in msgspec.structs.fields(kind):
            if not (group.name == "payout" and get_origin(field.type) is dict):
                keys[f"{group.name}.{field.name}"] = field.type
    cells = {f"payout.{wager}.{situation}": str for wager, these in SITUATIONS.items() for situation in these}
    return keys | LISTS | cells


KEYS = _keys()
"""Every key with the type of its value."""


_LISTED = {
    key: frozenset((type(word), word) for word in get_args(of)) for key, of in KEYS.items() if get_origin(of) is Literal
}
"""The words of the keys that have a list of them, which is looked at more quickly than any type."""


def is_table(key: str) -> bool:
    """Whether the leaf's value is itself a table."""
    return get_origin(KEYS[key]) is dict


def fits(key: str, value: object) -> bool:
    """Whether the value is one that the vocabulary knows for this key."""
    if isinstance(value, float):
        return False
    if key in _LISTED and isinstance(value, str | int):
        return (type(value), value) in _LISTED[key]
    try:
        msgspec.convert(value, KEYS[key], strict=True)
    except msgspec.ValidationError:
        return False
    return value is not None


def kind(key: str) -> str:
    """What a leaf may be, in words."""
    of = KEYS[key]
    if key in ODDS:
        return "odds such as 1:2"
    if key.startswith("payout.") and key.count(".") == 2:
        return "odds such as 2:1, push or lose"
    if key in LISTS:
        return f"a list of {', '.join(get_args(get_args(of)[0]))}"
    if get_origin(of) is Literal:
        return ", ".join(get_args(of))
    if get_origin(of) in _WORDS:
        return _WORDS[get_origin(of)]
    return next(words for plain, words in _WORDS.items() if plain in (of, *get_args(of)))


def unknown(key: str) -> str:
    """`unknown leaf war.brun: did you mean war.burn?`, or what there is in its place."""
    group = key.rpartition(".")[0]
    while group and not any(name.startswith(f"{group}.") for name in KEYS):
        group = group.rpartition(".")[0]
    if not group:
        return f"unknown leaf {key}: the groups are {', '.join(dict.fromkeys(name.split('.')[0] for name in KEYS))}"
    names = [name.removeprefix(f"{group}.") for name in KEYS if name.startswith(f"{group}.")]
    near = get_close_matches(key.removeprefix(f"{group}."), names, n=1, cutoff=0.7)
    told = f"did you mean {group}.{near[0]}?" if near else f"{group} has {', '.join(names)}"
    return f"unknown leaf {key}: {told}"
