"""`casinowar/Counter-v0`: what is seen of the cards, what bets are worth with those left, and who learns to count."""

import importlib.util
import os
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

from casinowar.envs.counter_env import CounterEnv
from casinowar.envs.counter_vector import CounterVectorEnv
from casinowar.odds.composition import CARDS
from casinowar.rulebooks import BOOKS, load_with
from casinowar.sim import PlanRefused

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "counter.py"
TABLES = 4096
FULL = os.environ.get("CASINOWAR_COUNTER_ROUNDS")


def made(**arguments: Any) -> CounterEnv:
    env = gymnasium.make("casinowar/Counter-v0", **arguments).unwrapped
    assert isinstance(env, CounterEnv)
    return env


def tables(count: int = TABLES, **arguments: Any) -> CounterVectorEnv:
    several = gymnasium.make_vec(
        "casinowar/Counter-v0", num_envs=count, vectorization_mode="vector_entry_point", **arguments
    )
    assert isinstance(several, CounterVectorEnv)
    return several


@pytest.mark.parametrize("left", [0, 52])
@pytest.mark.parametrize("book", BOOKS)
def test_gymnasium_finds_no_fault(book: str, left: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(rulebook=book, left=left))


@pytest.mark.parametrize("book", BOOKS)
def test_every_card_that_was_turned_up_is_one_fewer(book: str) -> None:
    """To the end of a shoe, with whatever bets: what the box sees is all that is told, burned cards apart."""
    env = made(rulebook=book)
    before, _ = env.reset(seed=8)
    assert before.tolist() == [env.rules.shoe.decks] * 52
    is_over, rounds = False, 0
    while not is_over:
        seen, _, is_over, _, info = env.step(rounds % len(env.actions))
        gone = np.bincount([card for card in info["cards"] if card >= 0], minlength=52)
        assert (before.astype(int) - seen >= gone).all()
        assert (info["cards"][1] == -1) == (rounds % len(env.actions) == 0)
        # Others and dealer always; wars and an opening burn that is turned up besides.
        assert gone.sum() <= int(before.sum()) - int(seen.sum()) <= gone.sum() + 3 + (rounds == 0)
        before, rounds = seen, rounds + 1
    assert rounds > 30
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_a_round_late_in_the_shoe_has_so_many_cards() -> None:
    env = made(rulebook="wa", left=52)
    seen = np.array([env.reset(seed=seed)[0] for seed in range(60)])
    assert (seen.sum(axis=1) == 52).all()
    assert seen.max() <= 6
    assert abs(seen.mean(axis=0) - 1).max() < 5 * np.sqrt(0.7 / 60)
    assert env.step(0)[2]


def test_who_sits_out_gains_nothing_and_what_is_no_action_is_refused() -> None:
    env, several = made(), tables()
    env.reset(seed=1)
    assert env.step(0)[1] == 0
    with pytest.raises(InvalidAction):
        env.step(4)
    several.reset(seed=1)
    assert not several.step(np.zeros(TABLES, int))[1].any()
    with pytest.raises(InvalidAction):
        several.step(np.full(TABLES, 4))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"others": 0}, "somebody else must bet"),
        ({"others": 7}, "the book has 7 boxes"),
        ({"left": 5}, "a round may take 9 cards"),
        ({"left": 400}, "the shoe has 311 at most"),
        (
            {"rulebook": load_with("nz", {"shoe.shuffler": "continuous", "shoe.loaded": "unmarked"})},
            "nothing can be counted",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_counted_is_told(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        made(**arguments)


def test_many_shoes_that_may_run_dry_are_left_to_single_tables() -> None:
    deep = load_with("nz", {"shoe.marker_from_back": 0})
    with pytest.raises(PlanRefused, match="single tables alone"):
        tables(1, rulebook=deep)
    env = made(rulebook=deep)
    env.reset(seed=1)
    while not env.step(1)[2]:
        pass


@pytest.mark.parametrize(("book", "left"), [("wa", 52), ("nz", 26), ("ca", 52), ("ctg", 0), ("ma", 0)])
def test_bets_are_worth_what_the_cards_left_say(book: str, left: int) -> None:
    """Ties are as frequent as the pairs among the cards left, table by table; so the exact worth explains the gains."""
    several = tables(rulebook=book, left=left)
    tie = several.number("initial+tie")
    seen, _ = several.reset(seed=5)
    pays = several.rules.cells["tie", "on_win"].odds
    assert pays is not None
    rest: list[float] = []
    slope: list[tuple[float, float]] = []
    for _ in range(60):
        ranks = seen.reshape(TABLES, 13, 4).sum(axis=2, dtype=int)
        size = ranks.sum(axis=1)
        chance = (ranks * (ranks - 1)).sum(axis=1) / (size * (size - 1))
        seen, *_, info = several.step(np.full(TABLES, tie))
        own, dealer = info["cards"][:, 1] // 4, info["cards"][:, 2] // 4
        rest += list((own == dealer) - chance)
        slope += list(zip(chance - 0.074, own == dealer, strict=True))
    assert abs(np.mean(rest)) < 4.5 * np.std(rest) / np.sqrt(len(rest))
    if left == 26:
        chances, tied = np.array(slope).T
        steep, fault = np.polyfit(chances, tied, 1, cov=True)
        assert abs(steep[0] - 1) < 4.5 * np.sqrt(fault[0, 0])


def test_the_worth_of_single_and_many_is_the_same() -> None:
    """The engine's rounds and the kernel's gain the same on average with 52 cards left, as any card is as likely."""
    env, several = made(rulebook="wa", left=52), tables(rulebook="wa", left=52)
    number = env.number("initial")
    env.reset(seed=3)
    alone = []
    for _ in range(1500):
        env.reset()
        alone.append(env.step(number)[1])
    several.reset(seed=3)
    many = np.concatenate([several.step(np.full(TABLES, number))[1] for _ in range(80)])
    assert abs(np.mean(alone) + 0.0233) < 4.5 * np.std(alone) / np.sqrt(len(alone))
    assert abs(many.mean() + 0.0233006) < 4.5 * many.std() / np.sqrt(len(many))


def test_a_seed_gives_the_same_shoes_again() -> None:
    def run(seed: int, workers: int) -> list[Any]:
        several = tables(rulebook="wa", workers=workers)
        told: list[Any] = [several.reset(seed=seed)[0]]
        for number in range(5):
            seen, rewards, *_, info = several.step(np.full(TABLES, number))
            told += [seen, rewards, info["cards"]]
        return told

    first = run(1, 1)
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(first, run(1, 2), strict=True))
    assert not np.array_equal(first[-1], run(2, 1)[-1])
    env = made(rulebook="wa")
    shoes = [[env.reset(seed=seed)[0], *[env.step(1)[4]["cards"] for _ in range(9)]] for seed in (1, 1, 2)]
    assert np.array_equal(np.concatenate(shoes[0]), np.concatenate(shoes[1]))
    assert not np.array_equal(np.concatenate(shoes[0]), np.concatenate(shoes[2]))


def test_the_optimum_is_of_the_cards_left() -> None:
    env = made(rulebook="wa", left=52)
    seen, _ = env.reset(seed=2)
    aces = int(seen[CARDS.index("Ac") :].sum())
    bets = env.optimum().bets
    pays = env.rules.cells["a_bomb", "on_win"].odds
    assert pays is not None
    assert float(bets["a_bomb"]) == pytest.approx((pays.numerator + 1) * aces / 52 - 1)
    assert bets["nothing"] == 0


@pytest.mark.parametrize("book", ["nz", "wa"])
def test_each_of_many_shoes_has_its_own_optimum_and_every_bet_is_open(book: str) -> None:
    several, env = tables(3, rulebook=book, left=52), made(rulebook=book, left=52)
    seen, info = several.reset(seed=2)
    everything = np.ones((3, len(several.actions)), np.int8)
    for _ in range(2):
        assert np.array_equal(info["action_mask"], everything)
        told = [several.optimum(table) for table in range(3)]
        for table, best in enumerate(told):
            env._unseen[:] = seen[table]
            assert best == env.optimum()
        assert told[0].bets != told[1].bets
        info["action_mask"][:] = 0
        seen, *_, info = several.step(np.zeros(3, int))
    for wrong in (-1, 3, 1.0):
        with pytest.raises(ValueError, match=r"table = .*: it is a whole number, from 0 to 2"):
            several.optimum(wrong)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("counter_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_learner_earns_what_counting_brings_and_its_blind_twin_nothing(example: ModuleType) -> None:
    """The short form has too few rounds to learn it well; the full one, 10^7 rounds, must reach 70 percent."""
    rounds = int(float(FULL or 1e6))
    told = example.learn(rounds)
    assert told.worth > (0.7 if FULL else 0.3) * told.perfect
    # A tie pays ten to one or takes the unit: about three units of deviation a bet.
    assert abs(told.units - told.worth) < 4 * 3.3 * np.sqrt(told.bets)
    blind = example.learn(min(rounds, 2 * 10**5), is_blind=True)
    assert (blind.units, blind.bets) == (0, 0)
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 80


def test_many_shoes_tell_every_card_that_was_turned_up() -> None:
    several = tables(256, rulebook="wa")
    before, _ = several.reset(seed=4)
    for _ in range(20):
        seen, _, over, _, info = several.step(np.full(256, several.number("initial")))
        after = np.where(over[:, None], info["final_obs"], seen)
        gone = before.astype(int) - after
        shown = np.array([np.bincount(cards, minlength=52) for cards in info["cards"]])
        assert (gone >= shown).all()
        # Three first cards, and two or three more where somebody is at war.
        assert set(gone.sum(axis=1)) <= {3, 5, 6}
        before = seen
