"""What no environment can be made of is one line, told where it is made, by single tables and by many."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import gymnasium
import pytest

from casinowar.envs.actions import MOST_STAKE
from casinowar.errors import ArgumentRefused
from casinowar.rulebooks import BOOKS
from casinowar.sim import PlanRefused

Make = Callable[..., Any]

MANY = partial(gymnasium.make_vec, num_envs=2, vectorization_mode="vector_entry_point")
WAYS: dict[str, Make] = {
    "war": partial(gymnasium.make, "casinowar/War-v0"),
    "wars": partial(MANY, "casinowar/War-v0"),
    "counter": partial(gymnasium.make, "casinowar/Counter-v0"),
    "counters": partial(MANY, "casinowar/Counter-v0"),
}
NO_NUMBERS = [0, -1, 1.5, 10**14, "100", True, None]

each_way = pytest.mark.parametrize("make", WAYS.values(), ids=WAYS)


@each_way
@pytest.mark.parametrize("stake", NO_NUMBERS, ids=repr)
def test_a_stake_is_a_whole_number_within_bounds(make: Make, stake: Any) -> None:
    says = f"^stakes: tie = {stake!r}: it is a whole number, from 1 to 1,000,000,000$"
    with pytest.raises(ArgumentRefused, match=says):
        make(stakes={"initial": MOST_STAKE, "tie": stake})


@each_way
@pytest.mark.parametrize("stakes", ["initial", 5, ["initial"]], ids=repr)
def test_stakes_are_of_wagers(make: Make, stakes: Any) -> None:
    with pytest.raises(ArgumentRefused, match="they are wagers with their amounts"):
        make(stakes=stakes)


@each_way
@pytest.mark.parametrize("options", [5, "shoe.decks", [8]], ids=repr)
def test_options_are_leaves_with_their_values(make: Make, options: Any) -> None:
    told = re.escape(repr(options))
    with pytest.raises(TypeError, match=f"^options are leaves with their values, .*, and not {told}"):
        make(options=options)


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize("name", ["war", "counter"])
def test_the_greatest_stakes_are_paid_by_whoever_banks(name: str, rulebook: str) -> None:
    small = WAYS[name](rulebook=rulebook).unwrapped.stakes
    great = dict.fromkeys(small, MOST_STAKE)
    least, most = (WAYS[name](rulebook=rulebook, stakes=stakes) for stakes in (small, great))
    bet = most.unwrapped.number("initial+tie")
    for seed in range(40):
        told = []
        for table in (least, most):
            table.reset(seed=seed)
            _, reward, _, _, info = table.step(bet)
            while "net" not in info:
                _, reward, _, _, info = table.step(table.unwrapped.number("war"))
            told.append(reward)
        assert told[0] == told[1]


@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_kernel_tells_its_own_bounds(rulebook: str) -> None:
    with pytest.raises(PlanRefused, match=r"^stakes of "):
        WAYS["counters"](rulebook=rulebook, stakes={"initial": MOST_STAKE})


@each_way
def test_the_progressive_is_played_in_its_unit(make: Make) -> None:
    with pytest.raises(ArgumentRefused, match=r"progressive = 7: it is a multiple of 500$"):
        make(rulebook="ma", options={"wager.progressive": True}, stakes={"progressive": 7})


@pytest.mark.parametrize("name", ["war", "wars"])
@pytest.mark.parametrize("rounds", NO_NUMBERS, ids=repr)
def test_rounds_are_a_whole_number_within_bounds(name: str, rounds: Any) -> None:
    with pytest.raises(ArgumentRefused, match=f"^rounds = {rounds!r}: it is a whole number, from 1 to 1,000,000,000$"):
        WAYS[name](rounds=rounds)


@pytest.mark.parametrize("name", ["counter", "counters"])
@pytest.mark.parametrize("argument", ["others", "left"])
@pytest.mark.parametrize("number", [-1, 1.5, "52"], ids=repr)
def test_players_and_cards_are_whole_numbers(name: str, argument: str, number: Any) -> None:
    with pytest.raises(ArgumentRefused, match=f"^{argument} = {number!r}: it is a whole number, 0 or more$"):
        WAYS[name](**{argument: number})


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
@pytest.mark.parametrize("name", ["wars", "counters"])
def test_tables_on_the_kernel_are_not_drawn_and_say_what_draws_them(name: str, mode: str) -> None:
    with pytest.raises(ArgumentRefused, match=f"^render_mode = {mode!r}: .* not drawn; vectorization_mode = 'sync'"):
        WAYS[name](render_mode=mode)


def test_single_tables_side_by_side_are_drawn() -> None:
    tables = gymnasium.make_vec("casinowar/War-v0", 2, vectorization_mode="sync", render_mode="ansi")
    tables.reset(seed=1)
    assert [str(text).split()[0] for text in tables.render() or ()] == ["Dealer", "Dealer"]


@pytest.mark.parametrize("name", ["War", "Counter"])
@pytest.mark.parametrize("arguments", [{"num_envs": 0}, {"num_envs": 2.0}, {"workers": 0}, {"workers": 1.5}], ids=str)
def test_tables_and_threads_are_whole_numbers(name: str, arguments: Mapping[str, Any]) -> None:
    (argument, number), *_ = arguments.items()
    with pytest.raises(ArgumentRefused, match=f"^{argument} = {number!r}: it is a whole number, 1 or more$"):
        gymnasium.make_vec(f"casinowar/{name}-v0", vectorization_mode="vector_entry_point", **arguments)
