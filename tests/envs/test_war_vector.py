"""`casinowar/War-v0` on the kernel: each cell against the engine, means against the odds, seeds, a learnt policy."""

import os
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode

from casinowar.cards import DECK, SUITS, Card
from casinowar.envs.pay_rows import pay_rows, plan_of
from casinowar.envs.war_env import DECIDING, OVER, WarEnv
from casinowar.envs.war_vector import WarVectorEnv
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook, load_with
from casinowar.sim.kernel.hand_cells import first_cell, war_part

TABLES = 8192
LONG = int(os.environ.get("CASINOWAR_LEARN_ROUNDS", 0))
ALL_WAGERS = {"ma": {"wager.progressive": True}}


def tables(count: int = TABLES, **arguments: Any) -> WarVectorEnv:
    made = gymnasium.make_vec("casinowar/War-v0", num_envs=count, vectorization_mode="vector_entry_point", **arguments)
    assert isinstance(made, WarVectorEnv)
    return made


def rules_with_all(book: str) -> Rulebook:
    return load_rulebook(book, ALL_WAGERS.get(book))


def hands(rules: Rulebook) -> Iterator[list[Card]]:
    """Four cards each: any, tied, tied twice, all of one rank, all of one card."""
    chance = Random(4)
    for number in range(400):
        first, second = chance.choice(DECK), chance.choice(DECK)
        rank = [card for card in DECK if card[0] == first[0]]
        others = [card for card in DECK if card[0] == second[0]]
        yield [
            [first, second, chance.choice(DECK), chance.choice(DECK)],
            [first, chance.choice(rank), second, chance.choice(DECK)],
            [first, chance.choice(rank), second, chance.choice(others)],
            [first, chance.choice(rank), chance.choice(rank), chance.choice(rank)],
            [first, first, second if number % 2 else first, second if number % 2 else first],
        ][number % 5]


def next_of(cards: Iterator[Card], draw: object) -> Card:
    """The next of these cards to a hand; a deuce is burned."""
    return next(cards) if isinstance(draw, int) else Card("2c")


@pytest.mark.parametrize("book", BOOKS)
def test_every_cell_pays_what_the_engine_pays(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_with_all(book)
    one = WarEnv(rules)
    rows = pay_rows(rules, one.bets, one.decisions, one.stakes)
    flat = plan_of(rules, one.stakes).flat
    chance, met = Random(1), set()
    for cards in hands(rules):
        number = chance.randrange(len(one.bets))
        monkeypatch.setattr(one.engine, "_draw", partial(next_of, iter(cards)))
        one.reset(seed=1)
        _, _, is_over, _, info = one.step(number)
        card, dealer, second, dealers = (4 * rules.cards.ranks.index(face[0]) + SUITS.index(face[1]) for face in cards)
        cell, decision = first_cell(flat, card, dealer), 0
        if not is_over:
            decision = chance.randrange(len(one.decisions))
            *_, info = one.step(len(one.bets) + decision)
            cell += war_part(flat, second, dealers, card, dealer) if decision else 0
        met.add((number, decision, cell))
        assert rows[number, decision, cell] == info["net"], (one.bets[number], one.decisions[decision], cards)
    assert len(met) >= 5 * len(one.bets)


@pytest.mark.parametrize("book", BOOKS)
def test_the_mean_is_that_of_the_exact_odds(book: str) -> None:
    made = tables(rulebook=rules_with_all(book))
    exact = made.optimum().bets
    seen, _ = made.reset(seed=7)
    war = made.number("war")
    bets = np.arange(TABLES) % len(made.one.bets)
    sums, squares, counts = np.zeros((3, len(made.one.bets)))
    total = np.zeros(TABLES)
    for _ in range(120):
        seen, rewards, over, _, _ = made.step(np.where(seen[:, 0] == DECIDING, war, bets))
        total += rewards
        done = np.flatnonzero(over)
        np.add.at(sums, bets[done], total[done])
        np.add.at(squares, bets[done], total[done] ** 2)
        np.add.at(counts, bets[done], 1)
        total[done] = 0
    for number, bet in enumerate(made.one.bets):
        mean = sums[number] / counts[number]
        error = np.sqrt(squares[number] / counts[number] - mean**2) / np.sqrt(counts[number])
        if "progressive" not in bet.wagers:  # Its jackpots are too rare for so few rounds.
            assert abs(mean - float(exact[bet.name])) < 4.5 * error, bet.name


def test_the_cards_of_a_war_are_others_than_those_before_them() -> None:
    made = tables(rulebook=load_with("nz", {"shoe.decks": 1}, any_decks=True))
    seen, _ = made.reset(seed=3)
    rounds = []
    for _ in range(60):
        seen, _, over, _, info = made.step(np.where(seen[:, 0] == DECIDING, made.number("war"), 0))
        rounds.append(info["final_obs"][over])
    last = np.concatenate(rounds)
    wars = last[last[:, 6] > 0]
    assert len(wars) > 5000
    cards = wars[:, 2::2].astype(int) * 4 + wars[:, 3::2]
    assert set(np.unique(last[:, 2])) == set(range(1, 14))
    ties_again = (wars[:, 6] == wars[:, 8]).mean()
    decks = made.rules.shoe.decks
    # After two cards of one rank: twelve ranks are whole, and one has two cards fewer.
    whole, rest = 4 * decks, 52 * decks - 2
    exact = (12 * whole * (whole - 1) + (whole - 2) * (whole - 3)) / (rest * (rest - 1))
    assert abs(ties_again - exact) < 4.5 * np.sqrt(exact / len(wars))
    # No card can lie there more often than the decks have it.
    most = max(np.unique(row, return_counts=True)[1].max() for row in cards)
    assert most <= decks


def run(made: WarVectorEnv, seed: int) -> list[Any]:
    seen, info = made.reset(seed=seed)
    told: list[Any] = [seen]
    for _ in range(6):
        seen, rewards, over, _, info = made.step(info["action_mask"].argmax(axis=1))
        told += [seen, rewards, over, info["net"], info["final_obs"]]
    return told


def test_a_seed_gives_the_same_cards_with_any_number_of_workers() -> None:
    one, two = run(tables(workers=1), 9), run(tables(workers=2), 9)
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one, two, strict=True))
    assert not all(np.array_equal(mine, theirs) for mine, theirs in zip(one, run(tables(), 10), strict=True))


def test_no_table_has_the_cards_of_another_or_of_its_last_round() -> None:
    made = tables(rulebook="nz")
    made.reset(seed=2)
    first, second = (made.step(np.full(TABLES, made.number("tie")))[4]["final_obs"][:, 2:6] for _ in range(2))
    # Of two deals, both cards agree in rank and suit once in 2704 or so.
    assert (first == second).all(axis=1).mean() < 0.002
    assert (first[:-1] == first[1:]).all(axis=1).mean() < 0.002


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros(TABLES), np.full(TABLES, 5), np.full(TABLES, -1), 0], ids=str
)
def test_what_are_no_actions_is_refused(actions: Any) -> None:
    made = tables()
    made.reset(seed=1)
    with pytest.raises(InvalidAction):
        made.step(actions)


def test_an_action_outside_the_mask_changes_nothing() -> None:
    made = tables()
    with pytest.raises(ResetNeeded):
        made.step(np.zeros(TABLES, int))
    before, _ = made.reset(seed=1)
    seen, rewards, over, _, info = made.step(np.full(TABLES, made.number("war")))
    assert info["refused"].all()
    assert np.array_equal(seen, before)
    assert not over.any()
    assert not rewards.any()
    assert np.array_equal(run(made, 4)[1], run(tables(), 4)[1])


def test_the_next_episode_begins_in_the_same_step() -> None:
    made = tables(rounds=2)
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    made.reset(seed=1)
    tie = np.full(TABLES, made.number("tie"))
    seen, _, over, cut, info = made.step(tie)
    assert info["_net"].all()
    assert not over.any()
    seen, _, over, cut, info = made.step(tie)
    assert over.all()
    assert not cut.any()
    assert not seen.any()
    assert (info["final_obs"][:, 0] == OVER).all()
    assert seen.shape == made.observation_space.shape
    assert info["final_obs"][0] in made.single_observation_space


@pytest.mark.parametrize("book", BOOKS)
def test_a_learnt_policy_reaches_the_optimum(book: str) -> None:
    """Any open action at first; then the best by what was seen. It gains the optimum, within four standard errors."""
    made = tables(rulebook=book)
    bets, choices = len(made.one.bets), len(made.actions)
    chance = np.random.default_rng(1)
    sums, counts = np.zeros((bets, choices)), np.ones((bets, choices))
    seen, info = made.reset(seed=11)
    bet = np.zeros(TABLES, int)
    for _ in range(LONG // TABLES or 200):
        actions = (info["action_mask"] * chance.random((TABLES, choices))).argmax(axis=1)
        bet = np.where(seen[:, 0] == DECIDING, bet, actions)
        seen, rewards, over, _, info = made.step(actions)
        np.add.at(sums, (bet[over], actions[over]), rewards[over])
        np.add.at(counts, (bet[over], actions[over]), 1)
    means = sums / counts
    decision = bets + means[:, bets:].argmax(axis=1)
    asked = counts[:, bets:].sum(axis=1) - (choices - bets)
    own = counts[np.arange(bets), np.arange(bets)] - 1
    straight = means[np.arange(bets), np.arange(bets)]
    values = (own * straight + asked * means[np.arange(bets), decision]) / (own + asked)
    chosen = int(values.argmax())
    best = made.optimum()
    assert made.actions[chosen].name == best.bet
    assert made.actions[decision[chosen]].name in set(best.decisions.values())
    rounds = np.zeros(TABLES)
    gains = []
    for _ in range(LONG // TABLES or 100):
        seen, rewards, over, _, _ = made.step(np.where(seen[:, 0] == DECIDING, decision[chosen], chosen))
        rounds += rewards
        gains.append(rounds[over])
        rounds[over] = 0
    gained = np.concatenate(gains[2:])
    error = gained.std() / np.sqrt(len(gained))
    assert abs(best.regret(float(gained.mean()))) < 4 * error
