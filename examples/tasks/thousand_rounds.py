"""Play a thousand rounds with a strategy of your own."""

import casinowar


def cautious(seen: casinowar.PlayerView) -> casinowar.Command:
    if seen.choices:  # A tie: go to war with a nine or more, else give up half.
        return seen.war() if seen.hand()[0][0] in "9TJQKA" else seen.surrender()
    return seen.bet(500)


session = casinowar.Session("nz", seed="a thousand", players={"ana": 1_000_000})
won = sum(session.play_round(cautious).net["ana"] for _ in range(1_000))
print(f"ana: {won:+} in {session.table.round.number} rounds")
