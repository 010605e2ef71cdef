"""PettingZoo's `table_v0`: its own tests, turns, masks, money, and the bank where players bank."""

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]

from casinowar.envs import table_v0
from casinowar.envs.table_env import BANK, BETTING, TableEnv
from casinowar.rulebooks import BOOKS

USUAL = "Observation space for each agent probably|Observation is not a NumPy array"
"""What its test says of every game whose observation is a dictionary with a mask."""


@pytest.mark.parametrize("book", BOOKS)
def test_pettingzoo_finds_no_fault(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=USUAL)
        api_test(table_v0.env(rulebook=book), num_cycles=100)
        seed_test(lambda: table_v0.env(rulebook=book), num_cycles=30)
    assert "Passed API test" in capsys.readouterr().out


def play(table: TableEnv, seed: int) -> tuple[dict[str, float], list[str]]:
    """An episode of any actions of the masks: what each agent gained, and who acted in which order."""
    chance = np.random.default_rng(seed)
    table.reset(seed=seed)
    gained, order = dict.fromkeys(table.agents, 0.0), []
    for agent in table.agent_iter():
        seen, reward, is_over, is_cut, _ = table.last()
        gained[agent] += reward
        if is_over or is_cut:
            table.step(None)
            continue
        choices = np.flatnonzero(seen["action_mask"])
        order.append(agent)
        table.step(int(chance.choice(choices)))
    return gained, order


@pytest.mark.parametrize("book", BOOKS)
def test_agents_gain_what_their_chips_do(book: str) -> None:
    table = table_v0.raw_env(rulebook=book, players=4, rounds=15)
    gained, order = play(table, 3)
    assert set(order) == set(table.possible_agents)
    chips = table.engine.table.players
    opening = table.engine.opening.players
    assert gained == {agent: (chips[agent] - opening[agent]) / 100 for agent in gained}
    assert any(gained.values())
    # Where a player banks, what one gains is what others lose.
    assert table.engine.table.house == 0 or table.rules.bank.by == "house"
    if table.rules.bank.by == "player":
        assert sum(gained.values()) == 0


def test_the_bank_is_offered_in_turn_and_does_not_bet() -> None:
    table = table_v0.raw_env(rulebook="ca", players=3, rounds=2)
    table.reset(seed=1)
    assert table.observe("player_1")["observation"][:3].tolist() == [BANK, 1, 0]
    assert not table.observe("player_2")["action_mask"].any()
    table.step(table.number("decline"))
    assert table.agent_selection == "player_2"
    table.step(table.number("bank"))
    assert table.observe("player_1")["observation"][:3].tolist() == [BETTING, 1, 2]
    assert table.agent_selection == "player_1"
    mask = table.observe("player_1")["action_mask"]
    assert {table.actions[at].name for at in np.flatnonzero(mask)} == {"nothing", "initial", "initial+tie"}
    table.step(table.number("initial"))
    assert table.agent_selection == "player_3"


def test_where_all_decline_nobody_plays() -> None:
    table = table_v0.raw_env(rulebook="ca", players=2)
    table.reset(seed=1)
    for _ in table.possible_agents:
        table.step(table.number("decline"))
    assert set(table.terminations.values()) == {True}


def test_an_action_that_is_not_open_changes_nothing_here_and_ends_it_in_the_wrapped_form() -> None:
    table = table_v0.raw_env(rulebook="nz", players=2)
    table.reset(seed=1)
    before = table.engine.table
    table.step(table.number("war"))
    assert table.infos["player_1"] == {"refused": "not_open"}
    assert table.engine.table is before
    assert table.agent_selection == "player_1"
    wrapped = table_v0.env(rulebook="nz", players=2)
    wrapped.reset(seed=1)
    wrapped.step(table.number("war"))
    assert set(wrapped.terminations.values()) == {True}
    assert wrapped.rewards["player_1"] == -1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": 0}, "a whole number, from 1 to 7"),
        ({"players": 1, "rulebook": "ca"}, "from 2 to 8"),
        ({"rounds": 0}, "a whole number, from 1 to 100"),
        ({"rounds": 1.5}, "rounds = 1.5: it is a whole number"),
        ({"stakes": {"initial": -5}}, "stakes: initial = -5: it is a whole number"),
        ({"bank_units": 0}, "bank_units = 0: it is a whole number, from 1 to 10,000,000,000"),
        ({"bank_units": 1001, "stakes": {"initial": 10**9}}, r"bank_units = 1001: .*, from 1 to 1,000"),
        ({"render_mode": "human"}, "there are ansi, rgb_array"),
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        table_v0.env(**arguments)


def test_it_is_told_and_drawn() -> None:
    told, drawn = (table_v0.env(rulebook="ca", players=2, render_mode=mode) for mode in ("ansi", "rgb_array"))
    for table in (told, drawn):
        table.reset(seed=1)
        for action in ("bank", "initial"):
            table.step(table.unwrapped.number(action))
    assert "Box 2 player_2" in told.render()
    assert "Primary 100" in told.render()
    assert drawn.render().dtype == np.uint8
