"""`casinowar/War-v0` many times over, on the kernel of the simulation: the environment of `war_env.py` side by side."""

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from casinowar.envs.actions import check_whole
from casinowar.envs.optimum import Optimum
from casinowar.envs.pay_rows import faces, pay_rows, plan_of
from casinowar.envs.war_env import WarEnv
from casinowar.rulebooks import Rulebook
from casinowar.sim.kernel.war_steps import SEEN, step_tables

LEAST_TABLES = 2048
"""Tables below which a thread of its own costs more than it brings."""

Observations = NDArray[np.int8]
Actions = NDArray[np.int64]


class WarVectorEnv(VectorEnv[Any, Any, Any]):
    """Tables side by side, with actions and observations of `WarEnv`.

    A table whose episode is over begins the next one in the same step (`AutoresetMode.SAME_STEP`); what was seen last
    is then in `infos["final_obs"]`, where `infos["_final_obs"]` says so. `infos["net"]` has what was gained in minor
    units where `infos["_net"]` says that a round is over. `workers` is how many threads step the tables.

    >>> import numpy
    >>> from casinowar.envs import WarVectorEnv
    >>> env = WarVectorEnv(4, rulebook="nz")
    >>> seen, info = env.reset(seed=7)
    >>> seen, rewards, over, cut, info = env.step(numpy.full(4, env.number("initial")))
    >>> rewards.tolist()
    [-1.0, 0.0, 1.0, -1.0]
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rulebook: str | Rulebook = "nz",
        options: Mapping[str, object] | None = None,
        stakes: Mapping[str, int] | None = None,
        rounds: int = 1,
        workers: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_whole(num_envs=num_envs)
        if num_envs < 1:
            raise ValueError(f"num_envs = {num_envs}: there is one table or more")
        one = self.one = WarEnv(rulebook, options, stakes, rounds)
        self.num_envs = num_envs
        self.rules, self.stakes, self.actions = one.rules, one.stakes, one.actions
        self.single_action_space = one.action_space
        self.single_observation_space = one.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._flat = plan_of(one.rules, one.stakes).flat
        self._pays = pay_rows(one.rules, one.bets, one.decisions, one.stakes).reshape(-1)
        self._shape = np.array([len(one.bets), len(one.decisions), rounds, one.stakes["initial"]], np.int64)
        self._asked = np.array(["initial" in bet.wagers for bet in one.bets], np.uint8)
        self._faces = faces(one.rules)
        self._masks = one.masks()
        self._key = np.zeros(2, np.int64)
        self._state = np.zeros((num_envs, 4), np.int32)
        self._cards = np.zeros(4 * num_envs, np.uint8)
        self._parts = parts_of(num_envs, workers)
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._is_begun = False

    def number(self, name: str) -> int:
        """The number of an action by its name, as in `initial+tie`, `surrender` or `war`."""
        return self.one.number(name)

    def optimum(self) -> Optimum:
        """What the best play is worth in a round, exactly."""
        return self.one.optimum()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode at every table."""
        super().reset(seed=seed)
        self._key[:] = self.np_random.integers(1 << 32, size=2)
        self._state[:] = 0
        self._is_begun = True
        return np.zeros((self.num_envs, SEEN), np.int8), {"action_mask": self._mask()}

    def step(
        self, actions: Actions
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Act at every table at once; where an episode is over the next one begins in the same step."""
        chosen = numbers_of(actions, self.num_envs, len(self.actions))
        if not self._is_begun:
            raise ResetNeeded("the tables have not begun: call reset first")
        count = self.num_envs
        seen, last = np.zeros((count, SEEN), np.int8), np.zeros((count, SEEN), np.int8)
        nets, rewards = np.empty(count, np.int64), np.empty(count, np.float64)
        flags = np.empty((count, 4), np.uint8)

        def play(begin: int, end: int) -> None:
            step_tables(
                self._flat,
                self._pays,
                self._shape,
                self._asked,
                self._faces,
                self._key,
                chosen,
                begin,
                end,
                self._state.reshape(-1),
                self._cards,
                seen.reshape(-1),
                last.reshape(-1),
                nets,
                rewards,
                flags.reshape(-1),
            )

        share(self._pool, self._parts, play)
        told = flags.view(np.bool_)
        over = told[:, 1].copy()
        infos = {
            "action_mask": self._mask(),
            "net": nets,
            "_net": told[:, 0],
            "final_obs": last,
            "_final_obs": over.copy(),
            "refused": told[:, 2],
        }
        return seen, rewards, over, np.zeros(count, np.bool_), infos

    def _mask(self) -> NDArray[np.int8]:
        """The masks: one row for a bet, and one for the decision that each bet leads to."""
        masks: NDArray[np.int8] = self._masks.take(self._state[:, 0] * self._state[:, 1], axis=0)
        return masks

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()


def numbers_of(actions: Any, count: int, choices: int) -> Actions:
    """The actions as numbers, one for each table, or an error as Gymnasium has it."""
    chosen = np.asarray(actions)
    if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
        raise InvalidAction(f"actions are {count} whole numbers, and not {chosen.dtype} of shape {chosen.shape}")
    if chosen.min() < 0 or chosen.max() >= choices:
        raise InvalidAction(f"an action is a number from 0 to {choices - 1}")
    return chosen.astype(np.int64, copy=False)


def parts_of(count: int, workers: int | None) -> list[tuple[int, int]]:
    """The tables of each thread, as the first and the one behind the last."""
    wanted = workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else workers or 1
    threads = max(1, min(wanted, count // LEAST_TABLES))
    bounds = [count * at // threads for at in range(threads + 1)]
    return list(pairwise(bounds))


def share(pool: ThreadPoolExecutor | None, parts: list[tuple[int, int]], play: Any) -> None:
    """Play every part, each in a thread of its own where there are several."""
    if pool is None:
        play(*parts[0])
        return
    for waiting in [pool.submit(play, *part) for part in parts]:
        waiting.result()
