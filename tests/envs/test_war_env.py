"""`casinowar/War-v0` on the engine: Gymnasium's own checks, seeds, refusals, money, and the exact optimum."""

import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import casinowar.envs
from casinowar.cards import Card
from casinowar.envs.war_env import BETTING, DECIDING, OVER, WarEnv
from casinowar.odds import fresh, study
from casinowar.rulebooks import BOOKS, load_rulebook, load_with

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def made(**arguments: Any) -> WarEnv:
    env = gymnasium.make("casinowar/War-v0", **arguments).unwrapped
    assert isinstance(env, WarEnv)
    return env


def lay(env: WarEnv, monkeypatch: pytest.MonkeyPatch, *cards: str) -> None:
    """Lay these cards on top of the shoe; burned ones are none of them."""
    coming = iter(cards)
    monkeypatch.setattr(env.engine, "_draw", lambda draw: Card(next(coming)) if isinstance(draw, int) else Card("2c"))


@pytest.mark.parametrize("book", BOOKS)
def test_gymnasium_finds_no_fault(book: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(rulebook=book))


def played(env: WarEnv, seed: int | None, rounds: int = 40) -> list[Any]:
    """Rounds with every action that is open, one after the other."""
    told: list[Any] = []
    for number in range(rounds):
        seen, info = env.reset(seed=seed if number == 0 else None)
        is_over = False
        while not is_over:
            told.append(seen.tolist())
            choices = np.flatnonzero(info["action_mask"])
            seen, reward, is_over, _, info = env.step(int(choices[number % len(choices)]))
        told += [seen.tolist(), reward, info["nets"]]
    return told


def test_a_seed_gives_the_same_rounds_again_and_another_seed_gives_others() -> None:
    env = made(rulebook="wa")
    first = played(env, 5)
    assert played(env, 5) == first
    assert played(made(rulebook="wa"), 5) == first
    assert played(env, 6) != first


@pytest.mark.parametrize("action", [-1, 5, 1.5, "war", None, np.array([1, 2])], ids=repr)
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = made()
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="numbers from 0 to 4"):
        env.step(action)


def test_an_action_outside_the_mask_changes_nothing_and_says_why() -> None:
    env = made()
    before, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1, 1, 0, 0]
    seen, reward, is_over, is_cut, info = env.step(env.number("war"))
    assert (seen.tolist(), reward, is_over, is_cut) == (before.tolist(), 0, False, False)
    assert info["refused"] == "no_decision"
    assert info["action_mask"].tolist() == [1, 1, 1, 0, 0]


def test_nothing_is_played_before_a_reset_or_after_the_end() -> None:
    env = made()
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    while not env.step(env.number("tie"))[2]:
        pass
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    ("bet", "cards", "decision", "nets"),
    [
        ("initial+tie", "Kh 9c", None, {"initial": 100, "tie": -100}),
        ("initial", "3h 9c", None, {"initial": -100}),
        ("tie", "9h 9c", None, {"tie": 1000}),
        ("initial+tie", "9h 9c", "surrender", {"tie": 1000, "initial": -50}),
        ("initial", "9h 9c Kd 2s", "war", {"initial": 100}),
        ("initial", "9h 9c 2d Ks", "war", {"initial": -200}),
        ("initial", "9h 9c 2d 2s", "war", {"initial": 200}),
    ],
)
def test_a_round_pays_as_new_zealand_has_it(
    bet: str, cards: str, decision: str | None, nets: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """1 to 1, a tie 10 to 1, half back for a surrender; a war won pays the raise, a war tied a bonus as large."""
    env = made(rulebook="nz")
    env.reset(seed=1)
    lay(env, monkeypatch, *cards.split())
    seen, reward, is_over, _, info = env.step(env.number(bet))
    if decision:
        assert (seen[0], is_over, reward) == (DECIDING, False, 0)
        assert [env.actions[at].name for at in np.flatnonzero(info["action_mask"])] == ["surrender", "war"]
        seen, reward, is_over, _, info = env.step(env.number(decision))
    assert (seen[0], is_over) == (OVER, True)
    assert info["nets"] == nets
    assert info["net"] == sum(nets.values())
    assert reward == sum(nets.values()) / 100


def test_the_player_sees_the_cards_that_lie_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rank from 2 (1) to ace (13), suit clubs (1) to spades (4); the player's card first, then the dealer's."""
    env = made()
    seen, _ = env.reset(seed=1)
    assert seen.tolist() == [BETTING, 0, *[0] * 8]
    lay(env, monkeypatch, "Ah", "As", "Tc", "2d")
    seen, *_ = env.step(env.number("initial"))
    assert seen.tolist() == [DECIDING, 1, 13, 3, 13, 4, 0, 0, 0, 0]
    seen, *_ = env.step(env.number("war"))
    assert seen.tolist() == [OVER, 1, 13, 3, 13, 4, 9, 1, 1, 2]


def test_an_episode_has_as_many_rounds_as_were_wanted() -> None:
    env = made(rounds=3)
    for seed in (1, 2):
        env.reset(seed=seed)
        nets = []
        is_over = False
        while not is_over:
            _, _, is_over, _, info = env.step(env.number("tie"))
            nets += [info["net"]] if "net" in info else []
        assert len(nets) == 3


def test_every_round_has_the_whole_shoe() -> None:
    """A hundred rounds take more cards than one deck has."""
    env = made(rulebook=load_with("nz", {"shoe.decks": 1}, any_decks=True))
    for _ in range(100):
        env.reset()
        assert env.step(env.number("tie"))[2]


def test_the_optimum_is_that_of_the_odds() -> None:
    """Each wager of New Zealand costs its house edge; all of them together what they cost one by one."""
    env, rules = made(rulebook="nz"), load_rulebook("nz")
    six_decks = study(rules, fresh(6))
    initial, tie = (six_decks.figures(wager).ev for wager in ("initial", "tie"))
    best = env.optimum()
    assert best.bets == {"initial": initial, "tie": tie, "initial+tie": initial + tie}
    assert (best.bet, best.value, set(best.decisions.values())) == ("initial", initial, {"war"})
    # Of 311 cards, 23 tie: ten to one on those, and one is lost on all others.
    assert tie == Fraction(10 * 23 - 288, 311)
    assert best.regret(float(initial) - 0.5) == pytest.approx(0.5)


@pytest.mark.parametrize("book", BOOKS)
def test_every_bet_is_worth_the_sum_of_its_wagers(book: str) -> None:
    """With everybody at war, which no book makes a mistake of; what lies on the meter is counted apart."""
    env = made(rulebook=book)
    figures = study(env.rules, fresh(env.rules.shoe.decks))
    for bet in env.bets:
        assert env.optimum().bets[bet.name] == sum(figures.figures(wager).ev for wager in bet.wagers)


def test_where_surrender_is_better_the_optimum_surrenders() -> None:
    """Who gives up nothing by a surrender is a fool to go to war, whatever the rank."""
    env = made(rulebook=load_with("nz", {"surrender.forfeit": "0:1"}))
    assert set(env.optimum().decisions.values()) == {"surrender"}


def test_house_rulebooks_and_options_are_played() -> None:
    eight = made(rulebook="nz", options={"shoe.decks": 8})
    assert eight.engine.table.shoe_left == 416
    house = made(rulebook=str(EXAMPLES / "las_vegas.toml"))
    assert house.rules.id != "nz"
    assert house.optimum().value != eight.optimum().value
    with pytest.raises(ValueError, match="options are for a rulebook by name"):
        made(rulebook=load_rulebook("nz"), options={"shoe.decks": 8})
    with pytest.raises(ValueError, match="has no wager 'a_bomb'"):
        made(rulebook="nz", stakes={"a_bomb": 5})


def test_it_is_told_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    told, drawn = made(render_mode="ansi"), made(render_mode="rgb_array")
    for env in (told, drawn):
        env.reset(seed=1)
        lay(env, monkeypatch, "Ah", "9s")
        env.step(env.number("initial+tie"))
    text = told.render()
    assert "Dealer" in text.splitlines()[0]
    assert "9♠" in text.splitlines()[0]
    assert text.splitlines()[1].split() == [
        "Box",
        "1",
        "player",
        "A♥",
        "Casino",
        "War",
        "100,",
        "Tie",
        "100,",
        "in",
        "all",
        "0",
    ]
    picture = drawn.render()
    assert (picture.dtype, picture.shape[2]) == (np.uint8, 3)
    red, white = (190, 24, 40), (250, 248, 240)
    assert (picture == red).all(axis=2).sum() > 100
    assert (picture == white).all(axis=2).sum() > 2 * 50 * 70 - 3000
    with pytest.raises(ValueError, match="there are ansi, rgb_array"):
        WarEnv(render_mode="human")


def test_importing_twice_registers_once() -> None:
    before = gymnasium.registry["casinowar/War-v0"]
    casinowar.envs.register_environments()
    assert gymnasium.registry["casinowar/War-v0"] is before


@pytest.mark.parametrize("rounds", ["x", None, 1.5])
def test_a_number_of_rounds_is_whole(rounds: Any) -> None:
    with pytest.raises(TypeError, match="rounds is a whole number, and not"):
        gymnasium.make("casinowar/War-v0", rounds=rounds)
    assert made(rounds=np.int64(2)).rounds == 2


def test_stakes_are_wagers_with_their_amounts() -> None:
    with pytest.raises(TypeError, match="stakes are wagers with their amounts"):
        gymnasium.make("casinowar/War-v0", stakes=5)
