"""Commands of every kind with fields drawn at random, and the check of a listing against them."""

import random
from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec.structs import replace

from casinowar.cards import DECK
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.legal import Legal, legal_commands
from casinowar.rulebooks import Rulebook

KINDS: tuple[type[c.Command], ...] = get_args(c.Command)
OFTEN = (c.PlaceWager, c.AmendWager, c.WithdrawWager, c.GoToWar, c.Surrender, c.AcceptBank, c.ReportWager, c.SeatPlayer)
STRANGER = "zoe"


def universe(rules: Rulebook, table: Table, seed: int, each: int = 6) -> Iterator[c.Command]:
    """Commands of every kind, those of players more often."""
    chance = random.Random(seed)
    amounts = interesting_amounts(rules, table)
    for kind in KINDS:
        for _ in range(each * (6 if kind in OFTEN else 1)):
            yield drawn(kind, chance, rules, table, amounts)


def interesting_amounts(rules: Rulebook, table: Table) -> list[int]:
    """Amounts about the limits, about what players have, and about what lies there."""
    limits = (table.limit, *table.limits.values())
    marks = [0, rules.progressive.unit, rules.limits.area_total_max, rules.limits.player_box_max]
    marks += [mark for limit in limits for mark in (limit.minimum, limit.unit, limit.minimum + limit.unit)]
    marks += [limit.maximum for limit in limits if limit.maximum is not None]
    marks += [*table.players.values(), *(laid.amount for laid in table.round.wagers.values())]
    marks += [chips + laid.amount for (_, _, who), laid in table.round.wagers.items() for chips in [table.players[who]]]
    return sorted({near for mark in marks for near in (mark - 1, mark, mark + 1, 2 * mark)} | {10**9, 3_500})


@cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any, Any], ...]:
    every = msgspec.structs.fields(kind)
    return tuple((one.name, one.type, one.default) for one in every if one.name not in c.SIGNATURES)


def drawn(kind: type[c.Command], chance: random.Random, rules: Rulebook, table: Table, amounts: list[int]) -> c.Command:
    said: dict[str, Any] = {}
    for name, declared, default in fields_of(kind):
        if default is not msgspec.NODEFAULT and chance.random() < 0.5:
            continue
        said[name] = _value(name, declared, chance, rules, table, amounts)
    return kind(**said)


def _value(name: str, declared: Any, chance: random.Random, rules: Rulebook, table: Table, amounts: list[int]) -> Any:
    people = (*table.players, STRANGER)
    if name == "player":
        return chance.choice(people)
    if name in ("players", "consents"):
        return tuple(chance.sample(people, min(len(people), chance.randint(0, 3))))
    if name in ("box", "origin", "to"):
        return chance.randint(0, rules.table.boxes + 1)
    if name in ("boxes", "bettors", "batch", "decks", "wagers", "rounds") and declared is not tuple:
        return (1,) if get_origin(declared) is tuple else chance.randint(0, 9)
    if name in ("position", "from_back", "cut_card", "shoe_left", "cut_in"):
        return chance.choice((0, 1, 25, 26, 52, 77, 78, 100, 156, 26 * rules.shoe.decks, 52 * rules.shoe.decks + 1))
    if name == "cards" and declared is int:
        return chance.choice((0, 1, 3, 5, 52 * rules.shoe.decks, 52 * rules.shoe.decks + 1))
    if name == "steps":
        return tuple(chance.sample(("plug", "turn", "riffle", "riffle", "strip"), chance.randint(0, 5)))
    if name == "moves":
        return (c.Move(origin=chance.randint(0, 3), to=chance.randint(-1, 3)),)
    if name in ("limit", "limits", "seats", "reminded"):
        return c.Limit() if name == "limit" else () if name == "reminded" else {}
    if name in ("cards", "faces"):
        return tuple(chance.choice((*DECK, None)) if name == "faces" else chance.choice(DECK) for _ in range(2))
    if name == "card":
        return chance.choice(DECK)
    words = _words(declared)
    if words:
        return chance.choice(words)
    if declared is bool:
        return chance.random() < 0.5
    if declared is str:
        return chance.choice(("", "because"))
    return None if name in ("bank_turn", "perfect_pairs", "shuffle") else chance.choice(amounts)


def _words(declared: Any) -> tuple[Any, ...]:
    origin = get_origin(declared)
    if origin is Literal:
        return get_args(declared)
    if origin in (Union, UnionType):
        return tuple(word for part in get_args(declared) for word in _words(part))
    return ()


def is_accepted(rules: Rulebook, table: Table, command: c.Command) -> bool:
    return not isinstance(step(rules, table, command), Refusal)


def ends(legal: Legal) -> Iterator[c.Command]:
    """The command at both bounds of its amount."""
    if legal.amounts is None:
        yield legal.command
    else:
        yield legal.at(legal.amounts[0])
        yield legal.at(legal.amounts[-1])


def is_as_listed(legal: Legal, command: c.Command) -> bool:
    """Whether the command is one of the listing, its free fields as they stand there."""
    return legal.includes(command) and all(
        getattr(command, name) == getattr(legal.command, name) for name in legal.free
    )


def check_listing(rules: Rulebook, table: Table, listed: list[Legal], commands: Iterator[c.Command]) -> int:
    """Hold a listing to the engine, and give how many of the commands were accepted."""
    for legal in listed:
        for command in ends(legal):
            answer = step(rules, table, command)
            assert not isinstance(answer, Refusal), f"listed, and refused: {command} {answer}"
    accepted = 0
    for command in commands:
        is_taken = is_accepted(rules, table, command)
        accepted += is_taken
        if is_taken:
            assert any(legal.includes(command) for legal in listed), f"accepted, and not listed: {command}"
        else:
            assert not any(is_as_listed(legal, command) for legal in listed), f"refused, and listed: {command}"
    return accepted


def check_player(rules: Rulebook, table: Table, player: str, commands: Iterator[c.Command]) -> None:
    """Hold a player's list to what the engine takes from that player's own hand."""
    listed = legal_commands(rules, table, player)
    by = f"player:{player}"
    for legal in listed:
        for command in ends(legal):
            assert is_accepted(rules, table, replace(command, by=by)), f"{command} is not {player}'s to do"
    for command in commands:
        if is_accepted(rules, table, replace(command, by=by)):
            assert any(legal.includes(command) for legal in listed), f"accepted of {player}, and not listed: {command}"
