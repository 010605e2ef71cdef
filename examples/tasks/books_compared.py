"""Compare the books: the edge of each, and the same seed played under all of them."""

import casinowar
from casinowar.strategies import banker, optimum

for book, edge in casinowar.odds.compare(*casinowar.BOOKS).items():
    session = casinowar.Session(book, seed="compare", players={"ana": 10_000_000, "ben": 10_000_000})
    strategies = {"ana": banker(1_000_000), "ben": banker(1_000_000, optimum)}
    won = sum(session.play_round(strategies).net.get("ben", 0) for _ in range(200))
    print(f"{book:4} edge {float(edge):7.3%}, ben {won:+} in 200 rounds")
