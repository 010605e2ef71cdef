"""Count cards: the tie wager only where the cards not yet seen favour it, worked out exactly before each round."""

import casinowar
from casinowar.strategies import counter, flat

session = casinowar.Session("wa", seed="count", players={"ana": 1_000_000})
played = [session.play_round(counter("a_bomb", flat(500), amount=500)) for _ in range(100)]
beside = sum(one.wagers["ana"] > 500 for one in played)
print(f"{beside} of {len(played)} rounds with a wager on A Bomb, ana {session.table.players['ana'] - 1_000_000:+}")
