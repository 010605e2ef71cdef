"""Be the bank where a book lets players bank, and see what it comes to."""

import casinowar
from casinowar.strategies import banker, flat

session = casinowar.Session("ca", seed="bank", players=dict.fromkeys(("ana", "ben", "cat"), 1_000_000))
strategies = {"ana": banker(50_000, flat(500)), "ben": banker(20_000, flat(500)), "cat": flat(1_000)}
for _ in range(100):
    session.play_round(strategies)
print(session)
