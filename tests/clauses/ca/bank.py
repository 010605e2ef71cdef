"""The bank's words for writing California rounds: dan banks from box 8 unless said otherwise."""

from tests.support.rounds import Act, Played, act, bet, deal, play, war

LONG_SHOE = "2c Kh 9d Kd 9s Kc 9c Ks 9h Qh 8d Qd 8s Qc 8c Qs 8h"
"""A burn, then one pair of cards after another in which the only box wins."""


def bank(player: str = "dan", box: int = 8, stake: int = 50_000) -> Act:
    return act("accept_bank", player=player, box=box, stake=stake)


def seat(player: str, box: int) -> Act:
    return act("seat_player", player=player, box=box)


def decline(player: str) -> Act:
    return act("decline_bank", player=player)


def relinquish(player: str) -> Act:
    return act("relinquish_bank", player=player)


def war_of_ana(second: str, stake: int = 50_000, **options: object) -> Played:
    """Ana's war over 1,000; `second` is her war card, then the bank's."""
    acts = [bank(stake=stake), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    return play("ca", f"2c Kh Kd 3c 4c 5c {second}", *acts, options=options)
