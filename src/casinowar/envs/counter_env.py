"""`casinowar/Counter-v0`: a shoe dealt on, at a table of others. The player sees what was dealt and chooses wagers."""

from collections.abc import Mapping
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from casinowar.engine import DEALER
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.envs.actions import NOTHING, Action, bets, check_whole, stakes_of
from casinowar.envs.appearance import FRAMES, frame
from casinowar.envs.optimum import Optimum, optimum
from casinowar.envs.war_env import PLAYER, nets_of, number_of, one_box, rules_of
from casinowar.odds.composition import CARDS, by_card
from casinowar.rulebooks import Rulebook
from casinowar.sim.flat_plan import opening_burn

Unseen = NDArray[np.uint8]
WAR = (Action("war"),)
NUMBERS = {card: number for number, card in enumerate(CARDS)}


class CounterEnv(gymnasium.Env[Any, Any]):
    """Rounds until the shoe is shuffled; each step is a round, and its action is a bet, number 0 being none.

    `others` bet in front of the player, so that cards are dealt in any case; everybody goes to war at a tie. What is
    observed is how many of each card nobody has seen, in the order of `casinowar.odds.composition.CARDS`.
    `info["cards"]` has the first cards of the others, the player and the dealer as places in that order, -1 for none.
    With `left`, an episode is one round with any so many cards left, of which the player has seen all others.

    >>> from casinowar.envs import CounterEnv
    >>> env = CounterEnv("wa")
    >>> unseen, info = env.reset(seed=1)
    >>> unseen, reward, is_over, is_cut, info = env.step(env.number("initial+tie"))
    >>> int(unseen.sum()), reward, info["net"]
    (308, 0.0, 0)
    """

    metadata = {"render_modes": FRAMES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        rulebook: str | Rulebook = "nz",
        options: Mapping[str, object] | None = None,
        stakes: Mapping[str, int] | None = None,
        others: int = 1,
        left: int = 0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *FRAMES):
            raise ValueError(f"render_mode = {render_mode}: there are {', '.join(FRAMES)}")
        self.rules = rules_of(rulebook, options)
        self.stakes = stakes_of(self.rules, stakes)
        refuse_counter(self.rules, others, left)
        self.others, self.left, self.render_mode = others, left, render_mode
        self.engine = one_box(self.rules, others, left)
        self.actions = (NOTHING, *bets(self.engine, PLAYER, self.stakes))
        self._boxes = self.engine.boxes
        self._commands = [action.commands(PLAYER, self._boxes[PLAYER], self.stakes) for action in self.actions]
        initial = Action("bet", ("initial",))
        self._others = [initial.commands(who, box, self.stakes) for who, box in self._boxes.items() if box <= others]
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space = spaces.Box(0, self.rules.shoe.decks, (len(CARDS),), np.uint8)
        self._unseen = np.zeros(len(CARDS), np.uint8)
        self._is_over = self._is_first = True

    def number(self, name: str) -> int:
        """The number of an action by its name, as in `nothing` or `initial+tie`."""
        names = [action.name for action in self.actions]
        if name not in names:
            raise ValueError(f"there is no action {name!r}: there are {', '.join(names)}")
        return names.index(name)

    def optimum(self) -> Optimum:
        """What each bet is worth with the cards that nobody has seen, for who goes to war at every tie."""
        cards = by_card(tuple(int(count) for count in self._unseen))
        return optimum(self.rules, self.actions, WAR, self.stakes, cards)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Unseen, dict[str, Any]]:
        """Begin a shoe: the cards that nobody has seen, and the mask of open actions."""
        super().reset(seed=seed)
        if seed is not None or self._is_first:
            self.engine.start_over(Random(int(self.np_random.integers(1 << 63))))
        self._is_first = self._is_over = False
        self.engine.begin_fresh()
        self._unseen[:] = self.rules.shoe.decks
        if self.left:
            self._unseen[:] = 0
            for card in self.engine.undrawn():
                self._unseen[NUMBERS[card]] += 1
        return self._unseen.copy(), {"action_mask": np.ones(len(self.actions), np.int8)}

    def step(self, action: int) -> tuple[Unseen, float, bool, bool, dict[str, Any]]:
        """Play a round with this bet; it ends the episode where the cards are shuffled next."""
        number = number_of(action, len(self.actions))
        if self._is_over:
            raise ResetNeeded("the episode is over, or has not begun: call reset first")
        engine = self.engine
        for commands in (*self._others, self._commands[number]):
            engine.do(*commands)
        cards = np.full(self.others + 2, -1, np.int8)
        engine.deal()
        for place, box in enumerate((*range(1, self.others + 2), DEALER)):
            if hand := engine.table.round.hands.get(box):
                cards[place] = NUMBERS[hand[0]]
        while not engine.table.round.is_over:
            box, player = engine.table.round.asked[0]
            engine.do(c.GoToWar(player=player, box=box))
            engine.deal()
        self._follow()
        nets = nets_of(engine, PLAYER)
        net = sum(nets.values())
        self._is_over = bool(self.left) or is_shuffle_due(engine.table)
        info = {"action_mask": np.ones(len(self.actions), np.int8), "net": net, "nets": nets, "cards": cards}
        if not self._is_over:
            engine.begin_next()
        return self._unseen.copy(), net / self.stakes["initial"], self._is_over, False, info

    def _follow(self) -> None:
        """Follow the cards that were turned up, and those that came back into the shoe."""
        hands: list[int] = []
        for event in self.engine.events:
            if isinstance(event, e.ShoeLoaded):
                self._unseen[:] = self.rules.shoe.decks
                for number in hands:
                    self._unseen[number] -= 1
            elif isinstance(event, e.CardDealt):
                hands.append(NUMBERS[event.card])
                self._unseen[hands[-1]] -= 1
            elif isinstance(event, e.CardBurned) and event.card is not None:
                self._unseen[NUMBERS[event.card]] -= 1

    def render(self) -> Any:
        """The table as text or picture, by the `render_mode`."""
        return frame(self, self.render_mode, self.engine)


def refuse_counter(rules: Rulebook, others: int, left: int) -> None:
    """Raise an error where there is nothing to count, or there would be too few cards."""
    check_whole(others=others, left=left)
    if others < 1:
        raise ValueError(f"others = {others}: somebody else must bet, so that cards are dealt in any case")
    if rules.shoe.shuffler == "continuous":
        raise ValueError(
            "shoe.shuffler = continuous: all cards come back after every round, and nothing can be counted"
        )
    war = rules.war
    need = rules.shoe.round_burn + war.burn + war.burn_before_banker + 2 * (others + 2)
    most = 52 * rules.shoe.decks - opening_burn(rules)
    if left and not need <= left <= most:
        raise ValueError(f"left = {left}: a round may take {need} cards, and the shoe has {most} at most")
