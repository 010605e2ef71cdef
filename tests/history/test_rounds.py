"""The words of `rounds.py` mean what they say."""

from tests.support.rounds import bet, deal, play, war


def test_a_war_won_reads_as_told() -> None:
    played = play("nz", "2c 9h 9d 3c 4c 5c Kh Qs", bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal())
    assert played.dealt() == "burn 2c, box 1 9h, dealer 9d, burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs"
    assert played.settlements() == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", 1000)]
    assert played.gain("ana") == 1000
    assert played.refusals == []
