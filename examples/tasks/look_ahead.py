"""Fork a session at each tie, and look ahead over fifty orders of the cards that nobody has seen."""

import casinowar

session = casinowar.Session("ctg", seed="fork", players={"ana": 1_000_000})


def look_ahead(seen: casinowar.PlayerView) -> casinowar.Command:
    def worth(choice: casinowar.Command) -> int:
        forks = [session.clone(seed=str(number)) for number in range(50)]
        return sum(bool(fork.must(choice)) and fork.finish_round().table.players["ana"] for fork in forks)

    return max((seen.war(), seen.surrender()), key=worth) if seen.choices else seen.bet(500)


print([str(session.play_round(look_ahead)) for _ in range(20)][-1])
