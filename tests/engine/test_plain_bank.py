"""California's bank under `covered`: the engine beside the plain model, round by round, over short stakes.

A round is drawn, the plain model says what must come of it, and the engine replays it from a record. The model is held
to the rules by hand-worked rounds first.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import cycle
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinowar.rulebooks import Rulebook, load_rulebook
from tests.support.plain_bank import TIE_ODDS, AnyCommand, Banked, Bettor, Cards, Line, bank_round
from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("BANK_ROUNDS", "2000"))
MANY = int(os.environ.get("BANK_MANY_ROUNDS", "100000"))
BANKER = "bank"
CHIPS = 10_000
BOXES = 8
RANKS = "789"
"""Ranks of the players' cards: with three of them every other round has ties, and many a war ends in one."""


class Drawn(NamedTuple):
    """A round before it is played: who banks where with what, the wagers in the order of placing, and the cards."""

    stake: int
    bank_box: int
    bettors: tuple[Bettor, ...]
    cards: Cards
    options: dict[str, Any]


Pick = Callable[[int, int], int]
"""A whole number from the first to the second, both included: from Hypothesis or from a seeded source."""


def draw_round(pick: Pick) -> Drawn:
    bank_box = pick(1, BOXES)
    others = [box for box in range(1, BOXES + 1) if box != bank_box]
    bettors = []
    for number in range(pick(1, 10)):
        box = others[pick(0, len(others) - 1)]
        tie = pick(1, 8) if pick(0, 1) else 0
        choice = "surrender" if pick(0, 2) == 0 else "war"
        bettors.append(Bettor(f"p{number}", box, pick(1, 25), tie, choice, pick(1, 8) if pick(0, 1) else 0))
    boxes = sorted({one.box for one in bettors})
    first, second = ({box: RANKS[pick(0, 2)] for box in boxes} for _ in range(2))
    options = {"wager.war_tie": True, "surrender.odd_unit": "house" if pick(0, 3) == 0 else "player"}
    # Most stakes run out; one in nine may be enough for all.
    stake = pick(1, (3000, 250, 250)[pick(0, 2)] if pick(0, 2) == 0 else 60)
    return Drawn(stake, bank_box, tuple(bettors), Cards(first, RANKS[pick(0, 2)], second, RANKS[pick(0, 2)]), options)


def modelled(drawn: Drawn) -> Banked:
    return bank_round(drawn.stake, drawn.bettors, drawn.cards, drawn.options["surrender.odd_unit"])


def replayed(drawn: Drawn, asked: Iterable[AnyCommand], chips: int = CHIPS) -> Played:
    """The same round by the engine, with an answer from whoever the model says is asked."""
    said = {one.player: one for one in drawn.bettors}
    answers: list[Act] = []
    at_war: list[Bettor] = []
    for player, box, _ in asked:
        if said[player].choice == "war":
            at_war.append(said[player])
            answers.append(war(player, box))
        else:
            answers.append(surrender(player, box))
    acts = [act("accept_bank", player=BANKER, box=drawn.bank_box, stake=drawn.stake)]
    acts += [bet(one.player, one.box, "initial", one.initial) for one in drawn.bettors]
    acts += [bet(one.player, one.box, "tie", one.tie) for one in reversed(drawn.bettors) if one.tie]
    acts += [deal(), *answers]
    acts += [bet(one.player, one.box, "war_tie", one.war_tie) for one in reversed(at_war) if one.war_tie]
    acts += [deal()] if at_war else []
    players = {BANKER: chips, **{one.player: chips for one in drawn.bettors}}
    return play(
        "ca",
        shoe(drawn.cards, {one.box for one in at_war}),
        *acts,
        options=OPEN | drawn.options,
        limits={},
        players=players,
    )


OPEN: dict[str, Any] = {"bank.model": "covered", "table.bettors_per_area": 10}


def shoe(cards: Cards, at_war: set[int]) -> str:
    """The opening burn, the first cards, three burned cards and the second cards, in suits that six decks have."""
    order = ["2", *(cards.first[box] for box in sorted(cards.first)), cards.bank]
    if at_war:
        order += ["2", "3", "4", *(cards.second[box] for box in sorted(at_war)), cards.bank_second]
    suits = {rank: cycle("cdhs") for rank in set(order)}
    return " ".join(rank + next(suits[rank]) for rank in order)


def told(line: dict[str, Any]) -> Line:
    return Line(
        line["player"],
        line["box"],
        line["wager"],
        line["outcome"],
        line.get("placed", line["amount"]),
        line["amount"],
        line["paid"],
        line["returned"],
    )


def agree(drawn: Drawn) -> Banked:
    """The engine's round is the model's: every line in the dealer's order, and everybody's net."""
    expected = modelled(drawn)
    played = replayed(drawn, expected.asked)
    assert played.refusals == [], drawn
    (told_round,) = played.data["rounds"]
    assert [told(line) for line in told_round["settlements"]] == expected.lines, drawn
    nets = Counter({BANKER: expected.net, "house": 0, **{one.player: 0 for one in drawn.bettors}})
    for line in expected.lines:
        nets[line.player] += line.net
    assert told_round["net"] == nets, drawn
    assert {player: CHIPS + net for player, net in nets.items() if player != "house"} | {"house": 0} == played.balances
    hold(drawn, expected)
    return expected


def hold(drawn: Drawn, banked: Banked) -> None:
    """What the rules promise of every round, asked of the model, which the engine has just agreed with."""
    paid = sum(line.paid for line in banked.lines)
    assert paid <= drawn.stake
    assert paid + banked.left == drawn.stake
    assert banked.net >= -drawn.stake
    for line in banked.lines:
        odds = TIE_ODDS if line.wager in ("tie", "war_tie") else 1
        assert -line.net * odds <= drawn.stake
        assert line.amount <= line.placed


@pytest.fixture(scope="module", autouse=True)
def loaded_once() -> Iterator[None]:
    """A book with its options is read once: else reading it would be most of the work of a round."""
    loaded: dict[str, Rulebook] = {}

    def load(book: str, options: dict[str, Any], *edition: Any) -> Rulebook:
        key = f"{book} {sorted(options.items())} {edition}"
        return loaded[key] if key in loaded else loaded.setdefault(key, load_rulebook(book, options, *edition))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("casinowar.records.parse"), "load_rulebook", load)
        yield


# The model, by rounds worked by hand from the rules.


def lines(banked: Banked) -> list[tuple[str, str, str, int, int, int]]:
    return [(one.player, one.wager, one.outcome, one.placed, one.amount, one.net) for one in banked.lines]


@pytest.mark.clause("CA-BS-5a", "CA-BS-5b", "CA-RP-2a", "CA-RP-9b")
def test_a_stake_of_100_pays_60_takes_40_and_pays_40() -> None:
    bettors = [Bettor("a", 1, 60), Bettor("b", 2, 50), Bettor("c", 3, 80)]
    drawn = Drawn(100, 8, tuple(bettors), Cards({1: "T", 2: "5", 3: "K"}, "9"), PLAIN)
    assert lines(agree(drawn)) == [
        ("a", "initial", "win", 60, 60, 60),
        ("b", "initial", "lose", 50, 40, -40),
        ("c", "initial", "win", 80, 40, 40),
    ]
    assert modelled(drawn).net == -60


PLAIN: dict[str, Any] = {"wager.war_tie": True, "surrender.odd_unit": "player"}


@pytest.mark.clause("CA-RP-9a", "CA-BS-5b")
def test_a_bank_of_one_takes_one_from_each_of_seven_losers() -> None:
    bettors = tuple(Bettor(f"p{box}", box, 1000) for box in range(1, 8))
    drawn = Drawn(1, 8, bettors, Cards(dict.fromkeys(range(1, 8), "5"), "9"), PLAIN)
    assert agree(drawn).net == 7


@pytest.mark.clause("CA-BS-5b", "CA-RP-1")
def test_a_tie_wager_loses_a_tenth_of_what_is_left_and_nothing_of_less_than_ten() -> None:
    first, bank = {1: "K", 2: "5"}, "9"
    drawn = Drawn(60, 8, (Bettor("a", 1, 25, 7), Bettor("b", 2, 4, 2)), Cards(first, bank), PLAIN)
    assert lines(agree(drawn)) == [
        ("a", "initial", "win", 25, 25, 25),  # 35 are left
        ("a", "tie", "lose", 7, 3, -3),
        ("b", "initial", "lose", 4, 4, -4),
        ("b", "tie", "lose", 2, 2, -2),
    ]
    short = agree(drawn._replace(stake=34))
    assert lines(short)[1] == ("a", "tie", "returned", 7, 7, 0)  # 9 are left, which is no unit at 10 to 1
    assert lines(short)[2:] == [("b", "initial", "lose", 4, 4, -4), ("b", "tie", "returned", 2, 2, 0)]
    assert {outcome for _, _, outcome, *_ in lines(agree(drawn._replace(stake=25)))[1:]} == {"returned"}


@pytest.mark.clause("CA-RP-3a-i", "CA-RP-3b-i", "CA-RP-3b-ii", "CA-RP-7c")
def test_a_tied_primary_is_cut_before_the_choice() -> None:
    """45 are left: the first is at war over 20, the second surrenders 25 of 30, the third is at war over 25 of 90."""
    bettors = (Bettor("a", 1, 20), Bettor("b", 2, 30, choice="surrender"), Bettor("c", 2, 90))
    cards = Cards({1: "9", 2: "9"}, "9", {1: "5", 2: "8"}, "8")
    banked = agree(Drawn(45, 8, bettors, cards, PLAIN))
    assert banked.asked == [AnyCommand("a", 1, 20), AnyCommand("b", 2, 25), AnyCommand("c", 2, 25)]
    assert sorted(lines(banked)) == [
        ("a", "initial", "lose", 20, 20, -20),
        ("a", "war", "lose", 20, 20, -20),
        ("b", "initial", "surrender", 30, 25, -12),
        ("c", "initial", "push", 90, 25, 0),
        ("c", "war", "win", 25, 25, 25 + 20),  # the match of the lost war is free for the bonus
    ]


@pytest.mark.clause("CA-BS-5b", "CA-RP-3")
def test_with_nothing_left_a_tied_player_is_not_asked() -> None:
    bettors = (Bettor("a", 1, 10), Bettor("b", 2, 30), Bettor("c", 3, 5, choice="surrender"))
    banked = agree(Drawn(10, 8, bettors, Cards({1: "K", 2: "9", 3: "9"}, "9"), PLAIN))
    assert banked.asked == []
    assert lines(banked)[1:] == [("b", "initial", "returned", 30, 30, 0), ("c", "initial", "returned", 5, 5, 0)]


@pytest.mark.clause("CA-RP-3b-i", "CA-STD-2c")
def test_what_went_back_may_pay_for_the_war() -> None:
    """All of Ana's chips are on the primary. 30 of it are covered, so 70 go back, and 30 of those are the war wager."""
    drawn = Drawn(30, 8, (Bettor("a", 1, 100),), Cards({1: "9"}, "9", {1: "5"}, "8"), PLAIN)
    expected = modelled(drawn)
    played = replayed(drawn, expected.asked, chips=100)
    assert played.refusals == []
    assert [told(line) for line in played.data["rounds"][0]["settlements"]] == expected.lines
    assert played.balances == {"a": 100 - 2 * 30, BANKER: 100 + 2 * 30, "house": 0}


# Side by side.


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_engine_banks_as_the_plain_model_does(data: st.DataObject) -> None:
    agree(draw_round(lambda least, most: data.draw(st.integers(least, most))))


def test_random_rounds_beside_the_plain_model() -> None:
    played(ROUNDS, 1)


@pytest.mark.long
def test_many_random_rounds_beside_the_plain_model() -> None:
    """`BANK_MANY_ROUNDS` of them, 100,000 unless told otherwise; `-s` shows what came up in them."""
    played(MANY, 2)


def played(rounds: int, seed: int) -> None:
    """So many rounds, all agreed; and every kind of end has come up in them."""
    chance, seen, start = random.Random(seed), Counter[str](), time.perf_counter()
    for _ in range(rounds):
        seen.update(kinds(agree(draw_round(chance.randint))))
    print(f"{rounds} rounds in {time.perf_counter() - start:.0f} s: {dict(sorted(seen.items()))}")
    assert seen.keys() >= KINDS, KINDS - seen.keys()


KINDS = {
    "win",
    "lose",
    "push",
    "surrender",
    "returned",
    "cut win",
    "cut lose",
    "cut push",
    "cut surrender",
    "bonus short",
}


def kinds(banked: Banked) -> set[str]:
    found = {line.outcome for line in banked.lines}
    found |= {f"cut {line.outcome}" for line in banked.lines if line.amount < line.placed}
    bonuses = (line for line in banked.lines if line.wager == "war" and line.amount < line.paid < 2 * line.amount)
    return found | {"bonus short" for _ in bonuses}
