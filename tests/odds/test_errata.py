"""The errata page: every figure of it is computed again by the command that it gives, and every verdict is checked."""

import json
import re
import shlex
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from casinowar.odds.composition import fresh
from casinowar.odds.figures import study
from casinowar.rulebooks import load_with
from tests.support.commandline import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errata.md"
VERDICTS = {"right", "cut", "misprint", "misreading", "wrong"}


@cache
def printed(command: str) -> dict[str, Any]:
    """What `casinowar odds ... --json` prints."""
    program, *args = shlex.split(command)
    assert program == "casinowar"
    ran = run(*args)
    assert ran.status == 0, ran.err
    data: dict[str, Any] = json.loads(ran.out)
    return data


def figure(command: str, place: str) -> Fraction:
    """The rational at a place of the JSON, `1 / ...` of it, `... × -2` or `... + 1`."""
    read = re.fullmatch(r"(?P<over>1 / )?(?P<path>\S+?)(?: × (?P<times>-?\d+))?(?: \+ (?P<plus>\d+))?", place)
    assert read, place
    value = at(printed(command), read["path"])
    value = 1 / value if read["over"] else value
    return value * int(read["times"] or 1) + int(read["plus"] or 0)


def at(data: Any, path: str) -> Fraction:
    """`wagers.initial.distribution[-2].probability`: brackets choose by the net."""
    for part in path.split("."):
        name, _, net = part.partition("[")
        data = data[name]
        if net:
            (data,) = [line for line in data if line["net"] == net.removesuffix("]")]
    return Fraction(data["fraction"])


@cache
def entries() -> list[tuple[str, dict[str, str]]]:
    text = PAGE.read_text("utf-8")
    found = []
    for title, body in re.findall(r"^## \d+\. ([^\n]+)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL):
        items = (" ".join(item.split()) for item in re.split(r"^- ", body, flags=re.MULTILINE)[1:])
        found.append((title, dict(item.partition(": ")[::2] for item in items)))
    return found


class Published:
    """A figure as it was printed, with as many digits."""

    def __init__(self, text: str) -> None:
        read = re.fullmatch(r"(−?[\d.]+)( %)?", text)
        assert read, text
        self.value = Decimal(read[1].replace("−", "-"))
        self.is_percent = bool(read[2])

    def is_rounded_from(self, exact: Fraction) -> bool:
        return self.round(exact) == self.value

    def round(self, exact: Fraction) -> Decimal:
        scaled = exact * 100 if self.is_percent else exact
        digits = Decimal(1).scaleb(int(self.value.as_tuple().exponent))
        return (Decimal(scaled.numerator) / Decimal(scaled.denominator)).quantize(digits, ROUND_HALF_UP)


def published(entry: dict[str, str]) -> Published:
    return Published(entry["Published"].partition(" in ")[0])


def commands(text: str) -> tuple[str, str]:
    read = re.fullmatch(r"`([^`]+)`, `([^`]+)`", text)
    assert read, text
    return read[1], read[2]


IDS = [f"{number}" for number in range(1, len(entries()) + 1)]
each = pytest.mark.parametrize("entry", [entry for _, entry in entries()], ids=IDS)


def test_the_page_has_enough_figures_of_every_kind() -> None:
    assert len(entries()) >= 10
    assert {entry["Verdict"] for _, entry in entries()} == VERDICTS
    sources = {re.findall(r"\]\((https?://[^)]+)\)", entry["Published"])[0] for _, entry in entries()}
    assert len(sources) >= 10


@each
def test_ours_is_what_the_command_gives(entry: dict[str, str]) -> None:
    exact = figure(*commands(entry["Reproduce"]))
    fraction, _, decimal = entry["Ours"].replace("−", "-").partition(", ")
    assert Fraction(fraction) == exact
    assert str(Fraction(fraction)) == fraction
    assert Published(decimal.replace("-", "−")).is_rounded_from(exact)


@each
def test_the_verdict_holds(entry: dict[str, str]) -> None:
    exact = figure(*commands(entry["Reproduce"]))
    assert published(entry).is_rounded_from(exact) == (entry["Verdict"] == "right")
    assert entry["Verdict"] == "right" or entry["Why"]


@each
def test_a_figure_of_something_else_is_that(entry: dict[str, str]) -> None:
    if "Figure of" in entry:
        assert entry["Verdict"] == "misreading"
        assert published(entry).is_rounded_from(figure(*commands(entry["Figure of"])))


def test_what_was_cut_is_off_in_the_last_digit_alone() -> None:
    cut = [entry for _, entry in entries() if entry["Verdict"] == "cut"]
    for entry in cut:
        figures = published(entry)
        last = Decimal(1).scaleb(int(figures.value.as_tuple().exponent))
        assert abs(figures.round(figure(*commands(entry["Reproduce"]))) - figures.value) == last


def test_what_the_reasons_say_in_figures_is_so() -> None:
    """The figures inside the sentences."""

    def edge(decks: int, **settings: object) -> str:
        rules = load_with("nz", {"shoe.decks": decks, **settings}, any_decks=True)
        return f"{float(study(rules, fresh(decks)).figures('initial').house_edge):.2%}"

    assert [edge(6), edge(6, **{"payout.war.on_tie": "1:1"}), edge(1)] == ["2.33%", "2.88%", "2.06%"]
    surrender = study(load_with("nz", {}), fresh(6)).figures("initial", "surrender")
    assert f"{float(1 + surrender.ev):.2%}" == "96.30%"
    assert f"{2 / 38:.2%}" == "5.26%"
    # Fifty and five units, 13 rounds with one tie: half of fifty is lost; of the fives twelve are lost and one pays.
    assert f"{(25 + 5 * 12 - 50) / (13 * 55):.1%}" == "4.9%"
    changed = {"payout.perfect_pairs.on_coloured": "10:1", "payout.perfect_pairs.on_mixed": "5:1"}
    eight = load_with("wa", {"shoe.decks": 8, "payout.perfect_pairs.on_perfect": "30:1", **changed})
    assert f"{float(study(eight, fresh(8)).figures('perfect_pairs').house_edge):.2%}" == "3.37%"


def test_the_table_of_decks_is_right() -> None:
    table = PAGE.read_text("utf-8").partition("## The table of one to eight decks")[2]
    rows = re.findall(r"^\| (\d) \|(.+)\|$", table, flags=re.MULTILINE)
    assert [int(decks) for decks, _ in rows] == list(range(1, 9))
    for text, cells in rows:
        decks = int(text)
        bonus = study(load_with("nz", {"shoe.decks": decks}, any_decks=True), fresh(decks))
        plain = study(load_with("nz", {"shoe.decks": decks, "payout.war.on_tie": "1:1"}, any_decks=True), fresh(decks))
        ours = [bonus.figures("initial"), plain.figures("initial"), bonus.figures("initial", "surrender")]
        ours.append(bonus.figures("tie"))
        figures = [Published(cell.strip()) for cell in cells.split("|")]
        assert len(figures) == 4
        for printed_figure, exact in zip(figures, ours, strict=True):
            assert printed_figure.is_rounded_from(exact.house_edge), (decks, printed_figure.value)


@pytest.mark.parametrize(("text", "exact", "is_so"), [("2.33 %", "233/10000", True), ("−0.5", "-1/2", True)])
def test_a_published_figure_is_read(text: str, exact: str, is_so: bool) -> None:
    assert Published(text).is_rounded_from(Fraction(exact)) is is_so
    assert not Published(text).is_rounded_from(Fraction(exact) + 1)
