"""What a preview tells of chips adds up: nothing comes from nowhere, and each sentence says what is then moved."""

import json
import random
import re
from collections import Counter
from typing import Any

import msgspec
import pytest

from casinowar.fairness import practice_bytes
from casinowar.house.table.desk import Who
from casinowar.house.table.preview import Preview
from casinowar.protocol import AnyCommand
from casinowar.rulebooks import BOOKS
from tests.support.live_night import STAFF, Night, table

QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 0, "cut": 0, "bank": 1}
OPTIONS: dict[str, dict[str, Any]] = {"ma": {"wager.progressive": True}}
PLAYERS = ("ann", "ben", "cat")
SENTENCE = re.compile(r"^(\w+)'s .* of ([\d,.]+), box \d+, is void: (.*)$")
HAD = re.compile(r"it had (won|lost) ([\d,.]+), which")


def shown(there: Night, **command: Any) -> Preview:
    asked: AnyCommand = msgspec.json.decode(json.dumps(command), type=AnyCommand)
    return there.house.preview(Who("oz", STAFF["oz"]), there.ask("operator", "as it looks", **command), asked)


def minor(told: str) -> int:
    whole, _, rest = told.replace(",", "").partition(".")
    return 100 * int(whole) + int(rest or 0)


def told_of(preview: Preview) -> Counter[str]:
    """What the sentences say that each player gets, or gives where negative."""
    sums: Counter[str] = Counter()
    for event in preview.events:
        if event["name"] == "wager_settled":
            # With one hand void nobody is left to choose, and the others are settled.
            sums[event["player"]] += event["paid"] + event["returned"]
        sentence = SENTENCE.match(event.get("says", ""))
        if sentence is None:
            continue
        player, stake, follows = sentence.groups()
        had = HAD.search(follows)
        if had is not None:
            sums[player] += minor(had[2]) * (-1 if had[1] == "won" else 1)
        elif follows == "it goes back":
            sums[player] += minor(stake)
    return sums


def check(there: Night, **command: Any) -> int:
    preview = shown(there, **command)
    if preview.refused is not None:
        return 0
    moved = dict(preview.moved)
    assert sum(moved.values()) + sum(amount for _, amount in preview.others) == 0, (command, preview)
    if there.live.rules.bank.by != "player":
        told = told_of(preview)
        assert {player: told[player] for player in PLAYERS} == {player: moved.get(player, 0) for player in PLAYERS}
    return 1


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_void_would_move_adds_up(book: str) -> None:
    there = Night(
        table(rulebook=book, options=OPTIONS.get(book, {}), timers=QUICK), source=practice_bytes(f"sums {book}")
    )
    there.sit(*PLAYERS)
    chance = random.Random(f"sums {book}")
    looked, phases = 0, set()
    for _ in range(150):
        for player in PLAYERS:
            there.take_part(player, chance)
        due = there.house.advance()
        there.clock.pass_(500 if due is None else max(due, 1))
        before = looked
        looked += check(there, do="void_round", reason="seen")
        for box in (1, 2, 3):
            looked += check(there, do="void_hand", box=box, reason="seen", decided=bool(box % 2))
        for player in PLAYERS:
            looked += check(there, do="void_player", player=player, reason="seen")
        if looked > before:
            phases.add(there.live.table.phase)
    assert looked > 25
    assert {"betting", "deciding"} <= phases, "before the choice and after the round"
