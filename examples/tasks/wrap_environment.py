"""Wrap an environment: bet on every round, and leave to a learner what to do at a tie."""

import gymnasium
from casinowar.envs import WarEnv


class OnlyTies(gymnasium.Wrapper):
    def reset(self, *, seed=None, options=None):
        seen, info = self.env.reset(seed=seed)
        while (done := self.env.step(self.env.number("initial")))[2]:
            self.env.reset()
        return done[0], done[4]


ties = OnlyTies(WarEnv("nz"))
for name in ("war", "surrender"):
    gains = [ties.step(ties.env.number(name))[1] for number in range(500) if ties.reset(seed=number)]
    print(f"{name}: {sum(gains) / 500:+.2f} a tie; best: {ties.env.optimum().decisions['7']}")
