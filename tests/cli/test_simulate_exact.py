"""`casinowar simulate` beside the exact odds: every figure, what has none, the verdict, and how often a wager wins."""

import json
import re
from fractions import Fraction
from typing import Any

import pytest

from casinowar.cli import simulate as command
from casinowar.cli.simulate.exact import Beside, Exact, exact_beside
from casinowar.rulebooks import BOOKS
from casinowar.sim import Plan
from tests.cli.test_cli_simulate import SMALL, data, told
from tests.support.commandline import run

pytest.importorskip("numba")


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_of_a_book_is_on(book: str) -> None:
    """The progressive of `ma` is an option of the operator, and is on too; each figure is the one that odds has."""
    found = data("--rulebook", book, "--fresh", *SMALL)
    odds = json.loads(run("odds", "--rulebook", book, "--json").out)
    assert set(found["wagers"]) == set(odds["wagers"])
    for wager in found["wagers"].keys() - {"progressive"}:
        assert found["wagers"][wager]["exact"] == odds["wagers"][wager]["ev"]
    assert {one["status"] for one in found["verdict"].values()} <= {"holds", "too_few_rounds"}


def test_the_progressive_is_worth_nothing_at_its_break_even_meter() -> None:
    """64,104,750 is the meter at which one unit comes back whole in `ma`, and at 0 the return is without the meter."""
    both = ("--rulebook", "ma", "--fresh", "--wagers", "initial,progressive", *SMALL)
    assert data(*both, "--meter", "64104750")["wagers"]["progressive"]["exact"]["fraction"] == "0"
    odds = json.loads(run("odds", "--rulebook", "ma", "--json").out)["wagers"]["progressive"]
    assert data(*both, "--meter", "0")["wagers"]["progressive"]["exact"] == odds["ev"]


def test_two_units_on_the_progressive_win_the_meter_once() -> None:
    """So each unit has half of it, and two break even at twice 64,104,750; at half of that they are worth what one is
    at a quarter."""
    both = ("--rulebook", "ma", "--fresh", *SMALL)

    def worth(units: int, meter: int, boxes: int = 1) -> dict[str, Any]:
        on = ("--wagers", f"initial,progressive:{units}", "--meter", str(meter), "--boxes", str(boxes))
        exact: dict[str, Any] = data(*both, *on)["wagers"]["progressive"]["exact"]
        return exact

    assert worth(2, 128_209_500)["fraction"] == "0"
    assert worth(2, 64_104_750) == worth(1, 32_052_375)
    assert worth(2, 64_104_750, boxes=3) == worth(1, 32_052_375, boxes=3)


def test_what_is_rounded_is_held_to_no_exact_figure() -> None:
    """A win of 8:7 on 100 pays 114, and a third of 100 is 33: over 10^9 rounds, 114 2/7 would be forty errors away."""
    rounded = "is paid in whole minor units, and exact figures are not rounded"
    for setting, strategy, wagers in (
        ("payout.initial.on_win=8:7", "war", {"initial"}),
        ("payout.war.on_tie=8:7", "war", {"initial"}),
        ("payout.tie.on_win=65:7", "war", {"tie"}),
        ("surrender.forfeit=1:3", "surrender", {"initial"}),
        ("war.stake=1:3", "war", {"initial"}),
        ("payout.initial.on_win=8:5", "war", set()),
        ("payout.war.on_tie=8:7", "surrender", set()),
        ("surrender.forfeit=1:3", "war", set()),
    ):
        verdict = data("--set", setting, "--strategy", strategy, "--fresh", *SMALL)["verdict"]
        silent = {wager: one["question"] for wager, one in verdict.items() if one["status"] == "no_exact"}
        assert silent == dict.fromkeys(wagers, rounded), setting
        assert "fails" not in {one["status"] for one in verdict.values()}


def test_how_often_each_wager_wins_is_told() -> None:
    """As `casinowar odds` has it: a tie comes in 23 of 311 rounds, and its error here is 0.06 percent."""
    text = told("--fresh", *SMALL)
    wins = dict(re.findall(r"^(initial|tie) .* holds +(\d+\.\d{3})%$", text, re.MULTILINE))
    assert float(wins["tie"]) == pytest.approx(100 * 23 / 311, abs=0.25)
    assert float(wins["initial"]) == pytest.approx(50.274, abs=0.45)
    assert [line.split()[-1] for line in text.splitlines() if line.startswith("Wager")] == ["Wins"]


def test_best_play_comes_from_the_exact_odds() -> None:
    """A war at a tie costs 0.32 units on average; where surrender costs a tenth of one, it is best at every rank."""
    cheap = ("--set", "surrender.forfeit=1:10")
    book = ("--rulebook", "nz", *cheap, "--wagers", "initial", "--fresh", *SMALL)
    best, war, surrender = (data(*book, "--strategy", one)["wagers"]["initial"] for one in ("best", "war", "surrender"))
    assert best == surrender
    assert best["histogram"].keys() == {"-1", "-1/10", "1"}
    assert war["exact"]["decimal"] < best["exact"]["decimal"]
    odds = json.loads(run("odds", *cheap, "--strategy", "best", "--json").out)
    assert best["exact"] == odds["wagers"]["initial"]["ev"]


def shifted(plan: Plan, strategy: Any = None) -> Beside:
    """Exact figures that are wrong by a tenth of a unit: about a hundred standard errors."""
    right = exact_beside(plan, strategy)
    wrong = {wager: Exact(one.value + Fraction(1, 10), one.rarest) for wager, one in right.exact.items()}
    return Beside(wrong, right.silent, right.strategy)


def test_a_figure_that_does_not_hold_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "exact_beside", shifted)
    found = data(*SMALL, "--fresh", status=1)
    assert {one["status"] for one in found["verdict"].values()} == {"fails"}
    done = run("simulate", *SMALL, "--fresh")
    assert done.status == 1
    assert "NOT within 4 standard errors: initial, tie." in done.out
    assert run("simulate", *SMALL).status == 0


def test_too_few_rounds_are_not_judged() -> None:
    """A lost war comes in 3.4 percent of the rounds, a won tie in 7.4: ten of them take some hundreds of rounds."""
    found = data("--rounds", "3", "--fresh", "--seed", "1")["verdict"]
    assert {one["status"] for one in found.values()} == {"too_few_rounds"}
    assert found["tie"]["rounds_needed"] == 136  # 10 * 311 / 23, rounded up.


def test_the_rounds_that_a_question_needs() -> None:
    """The variance of a tie wager is 121 p (1 - p) with p = 23/311; its edge 58/311, a hundredth of it the error."""
    needed = data("--rounds", "4e6", "--fresh", "--seed", "1")["verdict"]["tie"]["rounds_needed"]
    p = 23 / 311
    assert needed == pytest.approx(121 * p * (1 - p) / (0.01 * 58 / 311) ** 2, rel=0.01)
