"""Steps a second of the environments: ours beside Gymnasium's Blackjack, RLCard and OpenSpiel in the same run.

Contenders take turns, several times over, so that whatever else the machine does hits all of them alike. Each plays by
any open action. The games differ: what can be read off is the order of magnitude. The single environments are measured
by the time of one processor, the vectorised one also by the clock, since it has several threads.
"""

import argparse
import gc
import json
import os
import platform
import random
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from casinowar.envs import table_v0
from casinowar.rulebooks import BOOKS

STEPS = 20_000
TABLES = 1 << 16
SEED = 1


class Run(NamedTuple):
    """One turn: how many steps and episodes, seconds of the processor and of the clock."""

    steps: int
    episodes: int
    seconds: float
    clock: float


Play = Callable[[int], Run]


def timed(play: Callable[[int], tuple[int, int]], steps: int) -> Run:
    gc.collect()
    begin, clock = process_time(), perf_counter()
    done, episodes = play(steps)
    return Run(done, episodes, process_time() - begin, perf_counter() - clock)


def single(name: str, **arguments: Any) -> Play:
    """A single environment, made as anybody would, with Gymnasium's usual wrappers."""
    env = gymnasium.make(name, **arguments)
    env.reset(seed=SEED)
    chance = random.Random(SEED)
    choices = int(env.action_space.n)  # type: ignore[attr-defined]

    def play(steps: int) -> tuple[int, int]:
        done = episodes = 0
        while done < steps:
            env.reset()
            is_over = False
            while not is_over:
                _, _, is_over, _, _ = env.step(chance.randrange(choices))
                done += 1
            episodes += 1
        return done, episodes

    return lambda steps: timed(play, steps)


def war(book: str) -> Play:
    """Our single environment: the initial wager, and any decision at a tie."""
    env = gymnasium.make("casinowar/War-v0", rulebook=book)
    env.reset(seed=SEED)
    own: Any = env.unwrapped
    chance, bet = random.Random(SEED), own.number("initial")
    decisions = range(len(own.bets), len(own.actions))

    def play(steps: int) -> tuple[int, int]:
        done = episodes = 0
        while done < steps:
            env.reset()
            action, is_over = bet, False
            while not is_over:
                _, _, is_over, _, _ = env.step(action)
                action = chance.choice(decisions)
                done += 1
            episodes += 1
        return done, episodes

    return lambda steps: timed(play, steps)


def many(tables: int, workers: int | None) -> Play:
    """Tables side by side; the time that choosing takes is part of it."""
    env: Any = gymnasium.make_vec(
        "casinowar/War-v0", num_envs=tables, workers=workers, vectorization_mode="vector_entry_point"
    )
    bet, decision = env.number("initial"), env.number("war")
    seen = env.reset(seed=SEED)[0]

    def play(steps: int) -> tuple[int, int]:
        nonlocal seen
        done = episodes = 0
        while done < steps:
            seen, _, over, _, _ = env.step(np.where(seen[:, 0] == 0, bet, decision))
            done += tables
            episodes += int(np.count_nonzero(over))
        return done, episodes

    return lambda steps: timed(play, steps)


def pettingzoo() -> Play:
    env = table_v0.env(players=3, rounds=10)
    chance = random.Random(SEED)
    env.reset(seed=SEED)

    def play(steps: int) -> tuple[int, int]:
        done = episodes = 0
        while done < steps:
            env.reset()
            for _ in env.agent_iter():
                seen, _, is_over, is_cut, _ = env.last()
                choices = [number for number, is_open in enumerate(seen["action_mask"]) if is_open]
                env.step(None if is_over or is_cut else chance.choice(choices))
                done += 1
            episodes += 1
        return done, episodes

    return lambda steps: timed(play, steps)


def rlcard() -> Play:
    import rlcard as library

    env = library.make("blackjack", config={"seed": SEED})

    def play(steps: int) -> tuple[int, int]:
        done = episodes = 0
        while done < steps:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                done += 1
            episodes += 1
        return done, episodes

    return lambda steps: timed(play, steps)


def open_spiel() -> Play:
    import pyspiel

    game = pyspiel.load_game("blackjack")

    def play(steps: int) -> tuple[int, int]:
        done = episodes = 0
        while done < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(actions, weights)[0])
                else:
                    state.apply_action(random.choice(state.legal_actions()))
                    done += 1
            episodes += 1
        return done, episodes

    return lambda steps: timed(play, steps)


def contenders(books: list[str], workers: int | None) -> dict[str, tuple[Play, int]]:
    """Who plays, and how many of the steps: those in many threads take far more to be measured."""
    field: dict[str, tuple[Play, int]] = {f"War-v0, {book}": (war(book), 1) for book in books}
    field["Blackjack-v1 of Gymnasium"] = single("Blackjack-v1"), 1
    field["table_v0, 3 agents"] = pettingzoo(), 1
    field["War-v0, vectorised"] = many(TABLES, workers), 1000
    if find_spec("rlcard"):
        field["blackjack of RLCard"] = rlcard(), 1
    if find_spec("pyspiel"):
        field["blackjack of OpenSpiel"] = open_spiel(), 1
    return field


def measure(field: dict[str, tuple[Play, int]], steps: int, repeat: int) -> list[dict[str, Any]]:
    runs: dict[str, list[Run]] = {name: [] for name in field}
    for play, _ in field.values():
        play(100)
    for _ in range(repeat):
        for name, (play, share) in field.items():
            runs[name].append(play(steps * share))
    return [
        {
            "name": name,
            "steps_per_processor_second": round(median(run.steps / run.seconds for run in mine)),
            "steps_per_second": round(median(run.steps / run.clock for run in mine)),
            "best": round(max(run.steps / run.clock for run in mine)),
            "steps_per_episode": round(mine[0].steps / mine[0].episodes, 2),
        }
        for name, mine in runs.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure steps a second of the environments, beside those of others.")
    parser.add_argument("--rulebook", action="append", choices=BOOKS, help="books of the single one; nz unless told")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help="steps in a turn of a single environment")
    parser.add_argument("--repeat", type=int, default=5, metavar="K", help="how often everybody takes a turn")
    parser.add_argument("--workers", type=int, metavar="W", help="threads of the vectorised one; one for each core")
    parser.add_argument("--json", action="store_true", help="figures for a program to read")
    options = parser.parse_args()
    rows = measure(contenders(options.rulebook or ["nz"], options.workers), options.steps, options.repeat)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    if options.json:
        print(json.dumps({"python": python, "cores": os.cpu_count(), "repeat": options.repeat, "contenders": rows}))
        return
    print(f"{python}, {os.cpu_count()} cores, {options.repeat} repetitions in turn, {TABLES:,} tables vectorised")
    print(f"{'':28}  steps a second of one processor   by the clock          best  steps an episode")
    for row in rows:
        print(
            f"{row['name']:28} {row['steps_per_processor_second']:33,} {row['steps_per_second']:14,}"
            f" {row['best']:13,} {row['steps_per_episode']:17}"
        )
    missing = [name for name, module in (("RLCard", "rlcard"), ("OpenSpiel", "pyspiel")) if not find_spec(module)]
    if missing:
        print(f"not installed: {' and '.join(missing)}")


if __name__ == "__main__":
    main()
