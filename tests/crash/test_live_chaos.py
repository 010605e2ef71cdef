"""Everybody asks a live table for everything at any time: nothing breaks, and play goes on afterwards."""

import os
import random
import types
import typing
from typing import Any

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.cards import DECK
from casinowar.engine import commands as c
from casinowar.fairness import practice_bytes
from casinowar.protocol import Done, Refused
from tests.support.live_night import STAFF, Night, check_order, table

STEPS = int(os.environ.get("LIVE_CHAOS", "900"))
SEED = os.environ.get("LIVE_SEED", "")
"""Another chaos."""

PEOPLE = ("ann", "ben", "cat", "sue", "sam", "oz", "una", "dora")
PLAYERS = PEOPLE[:3]
ENDS = (c.CloseTable, c.ExcludePlayer, f.Clear, f.Leave, c.VacateSeat)
"""What would end the game too soon."""

KINDS = [kind for kind in typing.get_args(f.AnyCommand) if kind not in ENDS]
LIKELY = (c.PlaceWager, c.GoToWar, c.Surrender, c.VoidHand, c.VoidRound, f.Resume, f.Countersign, f.Next)
QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 1, "cut": 2, "absent": 86_400}
CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nz", {}),
    ("nz", {"options": {"shoe.shuffler": "continuous"}}),
    ("nz", {"dealer": "human"}),
    ("wa", {}),
    ("ctg", {}),
    ("ca", {}),
    ("ma", {"options": {"wager.progressive": True}}),
    ("ma", {"dealer": "real"}),
)


def value(kind: Any, name: str, chance: random.Random) -> Any:
    """Something of the field's type, more often than not something that fits."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        kind = chance.choice(typing.get_args(kind))
    if typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    if typing.get_origin(kind) is typing.Literal:
        return chance.choice(typing.get_args(kind))
    if typing.get_origin(kind) is tuple:
        return [value(typing.get_args(kind)[0], name.rstrip("s"), chance) for _ in range(chance.randint(0, 3))]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {one.encode_name: value(one.type, one.name, chance) for one in msgspec.structs.fields(kind)}
    if name in ("player", "players", "consent"):
        return chance.choice(PLAYERS)
    if name in ("card", "face"):
        return chance.choice(DECK)
    if kind is bool:
        return chance.random() < 0.5
    if kind is int:
        return number(name, chance)
    texts = {"request": f"s{chance.randint(1, 9)}", "promise": "ab" * 32, "entropy": "cd" * 16}
    return texts.get(name, "whatever") if kind is not type(None) else None


def number(name: str, chance: random.Random) -> int:
    if name in ("box", "boxe", "origin", "to", "count", "boxes"):
        return chance.randint(0, 8)
    if name in ("amount", "stake", "minimum", "maximum"):
        return chance.choice((-1, 0, 1, 500, 500, 1000, 1000, 5000, 10**6))
    return chance.choice((-1, 0, 1, 2, 4, 6, 8, 60, 100, 200, 312))


def anything(chance: random.Random) -> dict[str, Any]:
    kind = chance.choice(LIKELY) if chance.random() < 0.4 else chance.choice(KINDS)
    fields = [one for one in msgspec.structs.fields(kind) if one.name not in ("by", "second")]
    given = {
        one.encode_name: value(one.type, one.name, chance) for one in fields if one.required or chance.random() < 0.5
    }
    return {"do": kind.__struct_config__.tag, **given}


@pytest.mark.parametrize(("book", "changed"), CASES, ids=[f"{book}-{n}" for n, (book, _) in enumerate(CASES)])
def test_whatever_is_asked_nothing_breaks_and_play_goes_on(book: str, changed: dict[str, Any]) -> None:
    chance = random.Random(f"{book} {changed} {SEED}")
    settings = table(
        rulebook=book, timers=QUICK, **{"bots": [{"strategy": "bank" if book == "ca" else "war"}] * 2, **changed}
    )
    there = Night(settings, source=practice_bytes("chaos"), guest_purse=10**9)
    there.sit(*PLAYERS)
    codes: set[str] = set()
    for _ in range(STEPS):
        if chance.random() < 0.7:
            there.take_part(chance.choice(PLAYERS), chance)
        else:
            codes |= ask_for_anything(there, chance)
        if chance.random() < 0.5:
            due = there.house.advance()
            there.clock.pass_(min(due, chance.choice((0, 1000, 60_000))) if due else 500)
    assert len(codes) >= 15
    assert sum(there.store.balances().values()) == 0
    calm(there)
    if there.live.settings.dealer == "automatic":
        done = there.live.rounds_done
        for player in PLAYERS:
            there.act(player, do="sit", box=there.live.box_of(player) or free_box(there))
        there.play(3, PLAYERS, chance)
        assert there.live.rounds_done >= done + 3
    if there.live.is_sealed:
        check_order(there.log())
    there.check()


def ask_for_anything(there: Night, chance: random.Random) -> set[str]:
    """The code of a refusal, which has changed nothing; none where it was taken.

    What waits for a second signature is refused and noted in the log: the table and all money are as before.
    """
    name = chance.choice(PEOPLE)
    command = anything(chance)
    if name in PLAYERS and chance.random() < 0.7:
        command |= {key: mine for key, mine in (("player", name), ("box", there.live.box_of(name))) if key in command}
    part = chance.choice(sorted(STAFF[name])) if name in STAFF else "player"
    before = there.everything()
    answer = there.act(name, part, "chaos", **command)  # type: ignore[arg-type]
    if isinstance(answer, Done):
        return set()
    after = there.everything()
    if answer.request is None:
        assert after == before
    tables = [{name: one[2] for name, one in state[0].items()} for state in (before, after)]
    assert tables[0] == tables[1]
    assert after[1] == before[1]
    return {answer.code}


def free_box(there: Night) -> int:
    return next(box for box in range(1, 9) if box not in there.live.table.seats)


def calm(there: Night) -> None:
    """Staff end what chaos has left: a pause, an open question, a round that somebody must end."""
    there.act("sue", "supervisor", "calm again", do="resume")
    limit = {"minimum": 500, "maximum": 50_000, "unit": 500}
    for _ in range(5):
        if there.live.table.incident is None:
            break
        rule = {"do": "rule", "action": "void_round", "reason": "calm again"}
        asked = there.act("oz", "operator", "calm again", **rule)
        if isinstance(asked, Refused) and asked.request:
            there.act("sue", "supervisor", "calm again", do="countersign", request=asked.request)
        there.house.advance()
    if there.live.settings.dealer == "automatic":
        there.until(lambda: not there.live.table.has_wagers, 10**9)
    agreed = {"basis": "agreed", "consents": sorted(set(there.live.table.seats.values()))}
    there.act("sue", "supervisor", "calm again", do="change_limits", **limit, **agreed)
    for most in ("direct_box_max", "direct_player_max"):
        there.act("sue", "supervisor", "calm again", do=most, amount=0)
    assert isinstance(there.act("ann", do="ready"), Done)
