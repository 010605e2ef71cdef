"""A whole table for several agents, each in turn: who banks where players bank, who bets what, who goes to war."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from casinowar.engine import DEALER
from casinowar.engine.decide.bank import candidates
from casinowar.envs.actions import Action, check_whole, decisions, stakes_of, subsets
from casinowar.envs.appearance import FRAMES, frame
from casinowar.envs.engine_table import EngineTable
from casinowar.envs.war_env import CODES, NO_CARD, number_of, rules_of
from casinowar.extras import require
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL

require("casinowar.envs.table_env", "envs", "pettingzoo")

from pettingzoo import AECEnv  # type: ignore[import-untyped]  # noqa: E402

Seen = dict[str, NDArray[np.int8]]
BANK, BETTING, DECIDING, OVER = range(4)
BANK_UNITS = 1000
"""What an agent banks with, in units of the initial stake, unless told otherwise."""


class TableEnv(AECEnv):  # type: ignore[misc]
    """Agents `player_1`, `player_2` and so on, each at the box of its number, for so many rounds of one shoe.

    Where players bank, the bank is offered to them in the book's order before each round, and one who takes it bets
    nothing; when all decline, nobody can play and the episode ends. Then everybody bets once, by box, and who is tied
    decides when asked. An agent observes stage, its own box, the bank's box or 0, the round, and rank and suit of first
    and second cards of the dealer and of every box; `action_mask` has what the engine would take. The reward of a round
    is what its chips have gained, in units of the initial stake, the bank's too.

    >>> from casinowar.envs import TableEnv
    >>> table = TableEnv("nz", players=2)
    >>> table.reset(seed=1)
    >>> table.agents, table.agent_selection
    (['player_1', 'player_2'], 'player_1')
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "casinowar_table_v0",
        "render_modes": FRAMES,
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rulebook: str | Rulebook = "nz",
        options: Mapping[str, object] | None = None,
        stakes: Mapping[str, int] | None = None,
        players: int = 3,
        rounds: int = 10,
        bank_units: int = BANK_UNITS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_whole(players=players, rounds=rounds, bank_units=bank_units)
        self.rules = rules_of(rulebook, options)
        self.stakes = stakes_of(self.rules, stakes)
        boxes = self.rules.table.boxes
        least = max(2, self.rules.bank.least_seated) if self.rules.bank.by == "player" else 1
        if not least <= players <= boxes:
            raise ValueError(f"players = {players}: the book has from {least} to {boxes}")
        if rounds < 1 or rounds > 100:
            raise ValueError(f"rounds = {rounds}: an episode has 1 to 100")
        if render_mode not in (None, *FRAMES):
            raise ValueError(f"render_mode = {render_mode}: there are {', '.join(FRAMES)}")
        self.rounds, self.render_mode = rounds, render_mode
        self.possible_agents = [f"player_{box}" for box in range(1, players + 1)]
        self.engine = EngineTable(self.rules, {who: box for box, who in enumerate(self.possible_agents, 1)})
        every = [Action("bet", some) for some in subsets(wager for wager in FIRST_DEAL if wager in self.stakes)]
        banks = [Action("bank"), Action("decline")] if self.rules.bank.by == "player" else []
        self.actions: tuple[Action, ...] = (*every, *decisions(self.stakes), *banks)
        self._bank = bank_units * self.stakes["initial"]
        seen = spaces.MultiDiscrete([4, boxes + 1, boxes + 1, 101, *[14, 5] * 2 * (boxes + 1)], dtype=np.int8)
        mask = spaces.Box(0, 1, (len(self.actions),), np.int8)
        self._seen_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}
        self._chance: np.random.Generator | None = None
        self.agents: list[str] = []
        self._stage, self._played = OVER, 0
        self._waiting: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees: the table from its own side, and the mask of its actions."""
        return self._seen_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent can choose, by number; the mask says what is open."""
        return self._action_spaces[agent]

    def number(self, name: str) -> int:
        """The number of an action by its name, as in `nothing`, `initial+tie`, `war`, `bank` or `decline`."""
        names = [action.name for action in self.actions]
        if name not in names:
            raise ValueError(f"there is no action {name!r}: there are {', '.join(names)}")
        return names.index(name)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Open the table anew, with a shoe by this seed."""
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        self.engine.start_over(Random(int(self._chance.integers(1 << 63))))
        self.engine.begin_fresh()
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._played = 0
        self._begin_round()

    def _begin_round(self) -> None:
        self._chips = dict(self.engine.table.players)
        self._declined = 0
        self._offer_bank()

    def _offer_bank(self) -> None:
        """Offer the bank to whoever is next where players bank and nobody does; then everybody bets."""
        table = self.engine.table
        if self.rules.bank.by == "player" and table.bank is None:
            if self._declined == len(self.agents):
                self._end()
                return
            self._stage = BANK
            self.agent_selection = candidates(self.rules, table)[0]
            return
        self._stage = BETTING
        self._waiting = [who for who in self.possible_agents if table.bank is None or table.bank.player != who]
        self.agent_selection = self._waiting[0]

    def step(self, action: int | None) -> None:
        """Do what the agent chose whose turn it is, and go on to the next one who must choose."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = self.actions[number_of(action, len(self.actions))]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        refusal = "not_open" if not self._is_open(agent, chosen) else None
        if refusal is None:
            refused = self.engine.attempt(self._commands(agent, chosen))
            refusal = None if refused is None else refused.reason
        self.infos[agent] = {} if refusal is None else {"refused": refusal}
        if refusal is None:
            self._go_on(chosen)
        self._accumulate_rewards()

    def _commands(self, agent: str, action: Action) -> tuple[Any, ...]:
        return action.commands(agent, self.engine.boxes[agent], self.stakes, self._bank)

    def _is_open(self, agent: str, action: Action) -> bool:
        """Whether it is this agent's turn to choose something of this kind; whether it may is the engine's to say."""
        if agent != self.agent_selection:
            return False
        kinds = {BANK: ("bank", "decline"), BETTING: ("bet",), DECIDING: ("surrender", "war"), OVER: ()}
        return action.kind in kinds[self._stage]

    def _go_on(self, action: Action) -> None:
        """Whoever is next chooses, or the dealer deals."""
        if self._stage == BANK:
            self._declined += action.kind == "decline"
            self._offer_bank()
            return
        if self._stage == BETTING:
            self._waiting.pop(0)
            if self._waiting:
                self.agent_selection = self._waiting[0]
                return
        self._deal()

    def _deal(self) -> None:
        """Deal to the next decision or the end of the round."""
        table = self.engine.table
        if table.phase != "betting" or table.has_wagers:
            self.engine.deal()
            table = self.engine.table
            if table.phase == "deciding":
                self._stage = DECIDING
                self.agent_selection = table.round.asked[0][1]
                return
        self._played += 1
        for agent in self.agents:
            self.rewards[agent] = (table.players[agent] - self._chips[agent]) / self.stakes["initial"]
        if self._played == self.rounds:
            self._end()
            return
        self.engine.begin_next()
        self._begin_round()

    def _end(self) -> None:
        self._stage = OVER
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Seen:
        """What this agent sees now."""
        table = self.engine.table
        told = bytearray((self._stage, self.engine.boxes[agent], table.bank.box if table.bank else 0, self._played))
        for box in (DEALER, *range(1, self.rules.table.boxes + 1)):
            hand = table.round.hands.get(box, ())
            for at in (0, 1):
                told += CODES[hand[at]] if at < len(hand) else NO_CARD
        mask = [
            self._is_open(agent, action) and self.engine.refusal(self._commands(agent, action)) is None
            for action in self.actions
        ]
        return {"observation": np.frombuffer(told, np.int8), "action_mask": np.array(mask, np.int8)}

    def render(self) -> Any:
        """The table as text or picture, by the `render_mode`."""
        return frame(self, self.render_mode, self.engine)

    def close(self) -> None:
        """There is nothing to close."""
