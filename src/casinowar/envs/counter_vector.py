"""`casinowar/Counter-v0` many times over, on the kernel of the simulation: shoes dealt on side by side."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from casinowar.cards import RANKS
from casinowar.envs.actions import check_whole
from casinowar.envs.counter_env import WAR, CounterEnv
from casinowar.envs.pay_rows import pay_rows, plan_of
from casinowar.envs.war_vector import Actions, numbers_of, parts_of, share
from casinowar.rulebooks import Rulebook
from casinowar.sim import PlanRefused
from casinowar.sim import parameters as at
from casinowar.sim.flat_plan import can_run_dry
from casinowar.sim.kernel.counter_steps import MOST_DEALT, STATE, count_steps, open_shoes

Unseen = NDArray[np.uint8]


class CounterVectorEnv(VectorEnv[Any, Any, Any]):
    """Shoes side by side, with actions and observations of `CounterEnv`.

    A table whose shoe is over has a new one in the same step (`AutoresetMode.SAME_STEP`); what was seen last is then in
    `infos["final_obs"]`, where `infos["_final_obs"]` says so. `infos["net"]` has what was gained in minor units.

    >>> import gymnasium, numpy
    >>> import casinowar.envs
    >>> way = "vector_entry_point"
    >>> env = gymnasium.make_vec("casinowar/Counter-v0", 4, vectorization_mode=way, rulebook="wa", left=52)
    >>> unseen, info = env.reset(seed=1)
    >>> unseen, rewards, over, cut, info = env.step(numpy.full(4, env.number("tie")))
    >>> unseen.shape, unseen.sum(axis=1).tolist()
    ((4, 52), [52, 52, 52, 52])
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rulebook: str | Rulebook = "nz",
        options: Mapping[str, object] | None = None,
        stakes: Mapping[str, int] | None = None,
        others: int = 1,
        left: int = 0,
        workers: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_whole(num_envs=num_envs)
        if num_envs < 1:
            raise ValueError(f"num_envs = {num_envs}: there is one table or more")
        one = self.one = CounterEnv(rulebook, options, stakes, others, left)
        self.num_envs, self.left = num_envs, left
        self.rules, self.stakes, self.actions = one.rules, one.stakes, one.actions
        self.single_action_space = one.action_space
        self.single_observation_space = one.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        plan = plan_of(one.rules, one.stakes, others, is_fresh=False)
        self._flat = plan.flat
        if not left and (can_run_dry(plan) or not self._flat[at.CUT_MID]):
            raise PlanRefused("shoe.marker_from_back: this shoe may run dry, which single tables alone play: use make")
        if others + 2 > MOST_DEALT:
            raise ValueError(f"others = {others}: there are at most {MOST_DEALT - 2}")
        self._pays = pay_rows(one.rules, one.actions, WAR, one.stakes).reshape(-1)
        self._asked = np.array(["initial" in bet.wagers for bet in one.actions], np.uint8)
        self._shape = np.array([others, left, one.stakes["initial"]], np.int64)
        self._order = book_order(one.rules)
        self._key = np.zeros(2, np.int64)
        self._state = np.zeros(STATE * num_envs, np.int64)
        self._decks = np.zeros(num_envs * int(self._flat[at.SIZE]), np.uint8)
        self._unseen = np.zeros((num_envs, 52), np.uint8)
        self._parts = parts_of(num_envs, workers)
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._is_begun = False

    def number(self, name: str) -> int:
        """The number of an action by its name, as in `nothing` or `initial+tie`."""
        return self.one.number(name)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Unseen, dict[str, Any]]:
        """Begin a shoe at every table."""
        super().reset(seed=seed)
        self._key[:] = self.np_random.integers(1 << 32, size=2)
        self._state[:] = 0

        def play(begin: int, end: int) -> None:
            unseen = self._unseen.reshape(-1)
            open_shoes(self._flat, self._key, self._state, self._decks, unseen, begin, end, self.left)

        share(self._pool, self._parts, play)
        self._is_begun = True
        return self._unseen.take(self._order, axis=1), {}

    def step(
        self, actions: Actions
    ) -> tuple[Unseen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play a round at every table, each with its own bet; where a shoe is over the next one begins."""
        chosen = numbers_of(actions, self.num_envs, len(self.actions))
        if not self._is_begun:
            raise ResetNeeded("the tables have not begun: call reset first")
        count, hands = self.num_envs, int(self._shape[0]) + 2
        last, dealt = np.zeros((count, 52), np.uint8), np.empty((count, hands), np.int8)
        nets, rewards, over = np.empty(count, np.int64), np.empty(count, np.float64), np.empty(count, np.uint8)

        def play(begin: int, end: int) -> None:
            count_steps(
                self._flat,
                self._pays,
                self._shape,
                self._asked,
                self._key,
                chosen,
                begin,
                end,
                self._state,
                self._decks,
                self._unseen.reshape(-1),
                np.empty(MOST_DEALT, np.int64),
                np.empty(MOST_DEALT, np.int64),
                last.reshape(-1),
                dealt.reshape(-1),
                nets,
                rewards,
                over,
            )

        share(self._pool, self._parts, play)
        is_over = over.view(np.bool_)
        infos = {
            "net": nets,
            "_net": np.ones(count, np.bool_),
            "cards": self._places(dealt),
            "_cards": np.ones(count, np.bool_),
            "final_obs": last.take(self._order, axis=1),
            "_final_obs": is_over.copy(),
        }
        return self._unseen.take(self._order, axis=1), rewards, is_over, np.zeros(count, np.bool_), infos

    def _places(self, dealt: NDArray[np.int8]) -> NDArray[np.int8]:
        """Cards of the kernel as places in the order of an observation; -1 stays."""
        places = np.append(np.argsort(self._order), -1).astype(np.int8)
        told: NDArray[np.int8] = places[dealt]
        return told

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()


def book_order(rules: Rulebook) -> NDArray[np.int64]:
    """Where each card of an observation stands among the cards of the kernel, whose ranks are in the book's order."""
    return np.array([4 * rules.cards.ranks.index(rank) + suit for rank in RANKS for suit in range(4)])
