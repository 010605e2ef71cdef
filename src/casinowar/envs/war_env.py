"""`casinowar/War-v0`: rounds at one box, each from a fresh shoe. A bet is chosen, and at a tie war or surrender."""

from collections.abc import Mapping
from operator import index
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from numpy.typing import NDArray

from casinowar.cards import RANKS, SUITS, Card
from casinowar.engine import DEALER
from casinowar.engine import events as e
from casinowar.envs.actions import bets, check_whole, decisions, stakes_of
from casinowar.envs.appearance import FRAMES, frame
from casinowar.envs.engine_table import Commands, EngineTable
from casinowar.envs.optimum import Optimum, optimum
from casinowar.rulebooks import Rulebook, load_rulebook

Observation = NDArray[np.int8]
BETTING, DECIDING, OVER = range(3)
PLAYER = "player"
CODES = {Card(rank + suit): bytes((row, at)) for row, rank in enumerate(RANKS, 1) for at, suit in enumerate(SUITS, 1)}
"""Rank and suit of a card as they stand in an observation; 0 and 0 is a card that is not there."""

NO_CARD = bytes(2)


def rules_of(rulebook: str | Rulebook, options: Mapping[str, object] | None) -> Rulebook:
    """The rulebook by its name or file, with the operator's options; a loaded one as it is."""
    if isinstance(rulebook, Rulebook):
        if options:
            raise ValueError("options are for a rulebook by name: a loaded one has them already")
        return rulebook
    return load_rulebook(rulebook, options)


def one_box(rules: Rulebook, others: int = 0, left: int = 0) -> EngineTable:
    """A table with the player behind so many others, and with two who bank where players bank."""
    last = rules.table.boxes
    companions = {"bank_1": last - 1, "bank_2": last} if rules.bank.by == "player" else {}
    if others + 1 + len(companions) > last:
        raise ValueError(f"others = {others}: the book has {last} boxes, and {1 + len(companions)} are taken")
    seats = {f"other_{box}": box for box in range(1, others + 1)}
    return EngineTable(rules, {**seats, PLAYER: others + 1}, companions, left)


def war_space(choices: int) -> spaces.MultiDiscrete:
    """Stage; the number of the bet from 1 on, or 0; rank and suit of first and second cards, the player's first."""
    return spaces.MultiDiscrete([3, choices + 1, *[14, 5] * 4], dtype=np.int8)  # type: ignore[arg-type]


class WarEnv(gymnasium.Env[Any, Any]):
    """Rounds at one box. An action is a bet while the stage is 0, and a decision while it is 1.

    `actions` has them by number, the bets first; the mask in `info` tells which of them the engine would take. One that
    it would not take changes nothing, and `info["refused"]` says why. The reward of a round is what was gained, in
    units of the initial stake; `info["net"]` and `info["nets"]` have it in minor units. An episode has `rounds` rounds.

    >>> from casinowar.envs import WarEnv
    >>> env = WarEnv("nz", render_mode="ansi")
    >>> seen, info = env.reset(seed=7)
    >>> seen, reward, is_over, is_cut, info = env.step(env.number("initial"))
    >>> print(env.render().rstrip())
    Dealer             2♣
    Box 1 player       9♥       Casino War 100, in all +100
    """

    metadata = {"render_modes": FRAMES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        rulebook: str | Rulebook = "nz",
        options: Mapping[str, object] | None = None,
        stakes: Mapping[str, int] | None = None,
        rounds: int = 1,
        render_mode: str | None = None,
    ) -> None:
        check_whole(rounds=rounds)
        if rounds < 1:
            raise ValueError(f"rounds = {rounds}: an episode has one round or more")
        if render_mode not in (None, *FRAMES):
            raise ValueError(f"render_mode = {render_mode}: there are {', '.join(FRAMES)}")
        self.rules = rules_of(rulebook, options)
        self.stakes = stakes_of(self.rules, stakes)
        self.rounds, self.render_mode = rounds, render_mode
        self.engine = one_box(self.rules)
        self.bets = bets(self.engine, PLAYER, self.stakes)
        self.decisions = decisions(self.stakes)
        self.actions = (*self.bets, *self.decisions)
        box = self.engine.boxes[PLAYER]
        self._commands = [action.commands(PLAYER, box, self.stakes) for action in self.actions]
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space = war_space(len(self.bets))
        self._betting = np.array([number < len(self.bets) for number in range(len(self.actions))], np.int8)
        self._deciding: dict[int, NDArray[np.int8]] = {}
        self._stage, self._bet, self._played = OVER, 0, 0

    def number(self, name: str) -> int:
        """The number of an action by its name, as in `initial+tie`, `surrender` or `war`."""
        names = [action.name for action in self.actions]
        if name not in names:
            raise ValueError(f"there is no action {name!r}: there are {', '.join(names)}")
        return names.index(name)

    def optimum(self) -> Optimum:
        """What the best play is worth in a round, exactly."""
        return optimum(self.rules, self.bets, self.decisions, self.stakes)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode, from a whole shoe."""
        super().reset(seed=seed)
        if seed is not None or self._played == 0:
            self.engine.start_over(Random(int(self.np_random.integers(1 << 63))))
        self._played = 0
        return self._begin(), {"action_mask": self._betting.copy()}

    def _begin(self) -> Observation:
        self.engine.begin_fresh()
        self._stage, self._bet = BETTING, 0
        return self._observation()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Bet, or decide at a tie; the reward of a round comes when it is over."""
        number = number_of(action, len(self.actions))
        if self._stage == OVER:
            raise ResetNeeded("the episode is over, or has not begun: call reset first")
        if (refusal := self._act(number)) is not None:
            return self._observation(), 0.0, False, False, {"action_mask": self._mask(), "refused": refusal}
        engine = self.engine
        engine.deal()
        if not engine.table.round.is_over:
            self._stage = DECIDING
            return self._observation(), 0.0, False, False, {"action_mask": self._mask()}
        nets = nets_of(engine, PLAYER)
        net = sum(nets.values())
        self._stage = OVER
        self._played += 1
        seen, is_last = self._observation(), self._played >= self.rounds
        if not is_last:
            seen = self._begin()
        info = {"action_mask": self._mask(), "net": net, "nets": nets}
        return seen, net / self.stakes["initial"], is_last, False, info

    def _act(self, number: int) -> str | None:
        """Do what was chosen, or say why it is refused."""
        commands: Commands = self._commands[number]
        if self._stage == BETTING and number < len(self.bets):
            refused = self.engine.attempt_first(commands)
            self._bet = number + 1
        else:
            refused = self.engine.attempt(commands)
        return None if refused is None else refused.reason

    def _mask(self) -> NDArray[np.int8]:
        if self._stage != DECIDING:
            return self._betting.copy()
        mask = self._deciding.get(self._bet)
        if mask is None:
            told = [self.engine.refusal(commands) is None for commands in self._commands]
            mask = self._deciding[self._bet] = np.array(told, np.int8)
        return mask.copy()

    def masks(self) -> NDArray[np.int8]:
        """Every mask there is: that of bets, and behind it those of the decisions after each bet, by its number."""
        told = [self._betting]
        chance, self.engine.chance = self.engine.chance, Random(0)
        for number, bet in enumerate(self.bets):
            self._begin()
            while "initial" in bet.wagers and self._stage == BETTING:
                self._act(number)
                self.engine.deal()
                if self.engine.table.round.is_over:
                    self._begin()
                else:
                    self._stage = DECIDING
            told.append(self._mask())
        self.engine.chance, self._stage = chance, OVER
        return np.array(told)

    def _observation(self) -> Observation:
        hands = self.engine.table.round.hands
        mine, dealers = hands.get(self.engine.boxes[PLAYER], ()), hands.get(DEALER, ())
        told = bytearray((self._stage, self._bet))
        for at in (0, 1):
            for hand in (mine, dealers):
                told += CODES[hand[at]] if at < len(hand) else NO_CARD
        return np.frombuffer(told, np.int8)

    def render(self) -> Any:
        """The table as text or picture, by the `render_mode`."""
        return frame(self, self.render_mode, self.engine)


def nets_of(engine: EngineTable, player: str) -> dict[str, int]:
    """What each of a player's wagers has gained in the round, in minor units, with the war as part of the initial."""
    nets: dict[str, int] = {}
    for event in engine.events:
        if isinstance(event, e.WagerSettled) and event.player == player:
            wager = "initial" if event.wager == "war" else event.wager
            nets[wager] = nets.get(wager, 0) + event.paid + event.returned - event.amount
    return nets


def number_of(action: Any, count: int) -> int:
    """The number of an action, or an error as Gymnasium has it for what is none of so many."""
    try:
        number = index(action)
    except TypeError:
        number = -1
    if not 0 <= number < count:
        raise InvalidAction(f"{action!r} is no action: they are numbers from 0 to {count - 1}")
    return number
