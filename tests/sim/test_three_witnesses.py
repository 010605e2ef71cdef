"""Three witnesses: on the same shoes the engine and the shipped kernel pay every wager alike, over books and options."""

import os
from random import Random

import numpy as np
import pytest

from casinowar.rulebooks import load_with
from casinowar.sim import make_plan
from casinowar.sim.chunks import play_given
from casinowar.sim.outcome_cells import VOID, WAGER_ORDER
from casinowar.sim.pay_table import PayTable
from tests.sim.engine_tables import deal_table, random_rules, stakes_for

TABLES = int(os.environ.get("CASINOWAR_SIM_TABLES", "60"))
ROUNDS = 40


def differences(seed: int) -> list[str]:
    """Where the kernel pays otherwise than the engine at one random table."""
    chance = Random(seed)
    rules = random_rules(chance)
    is_banked = rules.bank.by == "player"
    boxes = chance.randrange(2 if is_banked else 1, rules.table.boxes + 1)
    wagers = stakes_for(rules, chance)
    answers = [{rank: chance.choice(("war", "war", "surrender")) for rank in "23456789TJQKA"} for _ in range(boxes)]
    stake = chance.randrange(1, 60 * boxes) if is_banked else None
    meter = chance.randrange(10**6) if "progressive" in wagers else None
    is_void = rules.shoe.short == "pit_boss" and chance.random() < 0.5
    if is_banked and rules.bank.max_consecutive == 0:
        return []
    plan = make_plan(
        rules,
        boxes=boxes,
        wagers=wagers,
        strategy=answers,  # type: ignore[arg-type]
        dry_shoe="void" if is_void else "shuffle_discards",
        meter=meter,
        meter_runs="progressive" in wagers,
        bank_stake=stake,
    )
    played = deal_table(
        rules,
        chance,
        boxes=boxes,
        wagers=wagers,
        strategy=answers,
        rounds=ROUNDS,
        bank_stake=stake or 0,
        meter=meter,
        is_void=is_void,
    )
    _, log = play_given(
        plan.flat, np.array(played.cards, np.int64), np.array(played.starts, np.int64), ROUNDS
    )
    pays = PayTable(rules, plan.wagers)
    found: list[str] = []
    for number, nets in enumerate(played.nets):
        for box, theirs in enumerate(nets):
            index, prize, *banked = map(int, log[number, box])
            ours: dict[str, int] = {}
            for wager in plan.wagers:
                net = pays.net(wager, index) if index >= 0 else None
                if index >= 0 and index == VOID:
                    net = 0 if wager in theirs else None
                if net is not None:
                    ours[wager] = net + (prize if wager == "progressive" else 0)
                    if is_banked and index != VOID:
                        ours[wager] = banked[WAGER_ORDER.index(wager)]
            if ours != theirs:
                options = {key: value for key, value in rules.options.items()}
                found.append(f"seed {seed}, {rules.id} {options}, round {number}, box {box + 1}: {ours}, engine {theirs}")
    return found


@pytest.mark.parametrize("part", range(4))
def test_the_kernel_pays_what_the_engine_pays(part: int) -> None:
    found = [told for seed in range(part, TABLES, 4) for told in differences(seed)]
    assert found[:3] == []
