"""A PAR sheet as a workbook: a sheet for each wager, exact fractions as text, decimals as numbers, no formulas."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from math import ceil

from casinowar.extras import require

require("casinowar.reports.par.xlsx", "report", "xlsxwriter")

import xlsxwriter

from casinowar.reports.par.data import ProgressiveSheet, Sheet, WagerSheet
from casinowar.reports.par.labels import capital
from casinowar.reports.par.luck import LEVELS, Z

FORMATS: dict[str, dict[str, object]] = {
    "text": {},
    "wrap": {"text_wrap": True, "valign": "top"},
    "top": {"valign": "top"},
    "title": {"bold": True, "font_size": 14},
    "head": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"},
    "headn": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom", "align": "right"},
    "exact": {"align": "right"},
    "n8": {"num_format": "0.00000000"},
    "n4": {"num_format": "0.0000"},
    "n2": {"num_format": "#,##0.00"},
    "n14": {"num_format": "0.00000000000000"},
    "p3": {"num_format": "0.000%"},
    "p4": {"num_format": "0.0000%"},
    "p1": {"num_format": "0.0%"},
    "int": {"num_format": "#,##0"},
}

WRAPPED = {name for name, given in FORMATS.items() if given.get("text_wrap")}

Value = str | int | float | Fraction | None


class _Page:
    """A worksheet that is written from the top down."""

    def __init__(self, book: xlsxwriter.Workbook, styles: dict[str, object], name: str, widths: Sequence[int]) -> None:
        self.page = book.add_worksheet(name)
        self.styles = styles
        self.widths = widths
        self.row = 0
        for column, width in enumerate(widths):
            self.page.set_column(column, column, width)
        self.page.set_paper(9)
        self.page.set_landscape()
        self.page.fit_to_pages(1, 0)

    def write(self, values: Sequence[Value], kinds: Sequence[str]) -> None:
        """A row; a fraction is text where its kind is `exact`, and otherwise a number."""
        for column, (value, kind) in enumerate(zip(values, kinds, strict=True)):
            style = self.styles[kind]
            if value is None:
                self.page.write_blank(self.row, column, None, style)
            elif isinstance(value, str):
                self.page.write_string(self.row, column, value, style)
            elif kind == "exact":
                self.page.write_string(self.row, column, str(value), style)
            else:
                self.page.write_number(self.row, column, float(value), style)
        self._make_room(values, kinds)
        self.row += 1

    def _make_room(self, values: Sequence[Value], kinds: Sequence[str]) -> None:
        """Height for text that runs over several lines: not every program finds that by itself."""
        lines = [
            ceil(1.15 * len(value) / width)
            for value, kind, width in zip(values, kinds, self.widths, strict=False)
            if isinstance(value, str) and kind in WRAPPED
        ]
        if any(number > 1 for number in lines):
            self.page.set_row(self.row, 15 * max(lines))

    def title(self, text: str) -> None:
        self.write([text], ["title"])

    def head(self, names: Sequence[str], numbers_from: int = 1) -> None:
        self.row += 1
        self.write(names, ["head" if at < numbers_from else "headn" for at in range(len(names))])


def render(sheet: Sheet) -> bytes:
    """The workbook's bytes; the same sheet always gives the same."""
    into = io.BytesIO()
    book = xlsxwriter.Workbook(into, {"in_memory": True})
    book.set_properties({"title": f"PAR sheet: {sheet.title}", "created": datetime(2000, 1, 1, tzinfo=UTC)})
    styles = {name: book.add_format(given) for name, given in FORMATS.items()}
    _summary(_Page(book, styles, "Summary", [42, 16, 16, 16, 14, 14, 14]), sheet)
    _pays(_Page(book, styles, "Pays", [44, 40, 16, 60]), sheet)
    for wager in sheet.wagers:
        name = f"{wager.wager} {wager.strategy}" if wager.strategy else wager.wager
        _wager(_Page(book, styles, name, [44, 26, 26, 18, 18, 26, 18, 18]), wager)
    if sheet.progressive:
        _progressive(_Page(book, styles, "meter", [48, 30, 20, 30, 20]), sheet.progressive)
    _readings(_Page(book, styles, "Readings", [34, 26, 12, 26, 10, 36, 70, 50, 50]), sheet)
    _assumptions(_Page(book, styles, "Assumptions", [30, 110]), sheet)
    book.close()
    return into.getvalue()


def _summary(page: _Page, sheet: Sheet) -> None:
    page.title(f"PAR sheet: {sheet.title}")
    options = ", ".join(f"{key} = {value}" for key, value in sheet.options.items())
    changes = ", ".join(f"{change.leaf} = {change.value}" for change in sheet.changes)
    for name, value in (
        ("Rulebook", sheet.rulebook),
        ("Version", sheet.version),
        ("Leaves, SHA-256", sheet.sha256),
        ("Set by the operator", options or "nothing"),
        ("Beyond the book", changes or "nothing"),
    ):
        page.write([name, value], ["text", "text"])
    page.write(["Decks", sheet.decks], ["text", "int"])
    page.head(
        [
            "Wager",
            "House edge",
            "Element of risk",
            "Hit frequency",
            "Variance",
            "Standard deviation",
            "Volatility index",
        ]
    )
    for wager in sheet.wagers:
        figures = (wager.house_edge, wager.element_of_risk, wager.hit_frequency)
        spread = (wager.variance, wager.sd, wager.volatility_index[90])
        page.write([wager.title, *figures, *spread], ["text", "p4", "p4", "p4", "n4", "n4", "n4"])


def _pays(page: _Page, sheet: Sheet) -> None:
    page.title("Wagers and pays")
    page.head(["Wager", "When", "Pays", "Clauses"], 4)
    for pay in sheet.pays:
        page.write([pay.name, pay.situation, pay.pays, ", ".join(pay.clauses)], ["text"] * 4)


def _wager(page: _Page, wager: WagerSheet) -> None:
    page.title(wager.title)
    exact = ("exact", "n8")
    page.head(["Outcome", "Gain", "Probability, exact", "Probability", "1 in", "Contribution, exact", "Contribution"])
    for one in wager.outcomes:
        page.write(
            [
                capital(one.name),
                one.net,
                one.probability,
                one.probability,
                one.rounds_between,
                one.contribution,
                one.contribution,
            ],
            ["text", "exact", *exact, "n2", *exact],
        )
    page.write(["All", None, "1", 1, None, wager.ev, wager.ev], ["text", "text", *exact, "text", *exact])
    page.head(["Figure", "Exact", "Decimal"])
    for name, value in (
        ("Expected value", wager.ev),
        ("Return", wager.player_return),
        ("House edge, per unit of the wager", wager.house_edge),
        ("Average total wager", wager.average_total_wager),
        ("Element of risk, per unit of all that is at risk", wager.element_of_risk),
        ("Hit frequency", wager.hit_frequency),
        ("Variance", wager.variance),
    ):
        page.write([name, value, value], ["text", *exact])
    page.write(["Standard deviation", "root of the variance", wager.sd], ["text", *exact])
    for level in LEVELS:
        page.write(
            [f"Volatility index, {level} %", f"{Z[level]:.3f} × standard deviation", wager.volatility_index[level]],
            ["text", *exact],
        )
    page.head(
        ["Hold of the house, rounds", *(f"{level} % {end}" for level in LEVELS for end in ("from", "to")), "Error"]
    )
    for band in wager.hold_bands:
        holds = [end for level in LEVELS for end in band.hold[level]]
        error = "none known" if band.error is None else band.error
        page.write([band.rounds, *holds, error], ["int", *["p3"] * 6, "exact" if band.error is None else "p3"])
    page.head(["Rounds that tell a fault from luck, hold off by", *(f"{level} % band" for level in LEVELS)])
    for found in wager.fault_rounds:
        page.write([found.fault, *(found.rounds[level] for level in LEVELS)], ["p1", *["int"] * 3])


def _progressive(page: _Page, found: ProgressiveSheet) -> None:
    page.title("The progressive's meter, in minor units")
    for name, amount in (("One wager", found.unit), ("Start of the meter", found.seed), ("Envy", found.envy)):
        page.write([name, amount], ["text", "int"])
    page.head(["Line", "Always war, exact", "Always war", "Always surrender, exact", "Always surrender"])
    for line, chance in found.war.lines.items():
        other = found.surrender.lines[line]
        name = capital(line.replace("_", " "))
        page.write([name, chance, chance, other, other], ["text", "exact", "n8", "exact", "n8"])
    page.head(["Return", "Exact", "Decimal"])
    for name, value, kind in (
        ("Without meter and envy, always war", found.war.return_without_meter, "n8"),
        ("Without meter and envy, always surrender", found.surrender.return_without_meter, "n8"),
        ("Added by each minor unit on the meter", found.war.return_per_meter_unit, "n14"),
        ("With the meter at its start, always war", found.return_at_seed, "n8"),
    ):
        page.write([name, value, value], ["text", "exact", kind])
    page.head(
        ["Break-even meter, other bettors", "With envy, exact", "With envy", "Without envy, exact", "Without envy"]
    )
    for others, meter in found.war.break_even_meter.items():
        bare = found.war.break_even_without_envy[others]
        if meter is None or bare is None:
            page.write([others, *["never"] * 4], ["int", *["exact"] * 4])
        else:
            page.write([others, meter, meter, bare, bare], ["int", "exact", "n2", "exact", "n2"])


def _readings(page: _Page, sheet: Sheet) -> None:
    page.title("Readings taken")
    page.head(["Leaf", "Value", "Set by", "Clauses", "Register", "Question", "Readings", "Taken", "Changes"], 9)
    for one in sheet.readings:
        said = one.register
        page.write(
            [
                one.leaf,
                one.value,
                "operator" if one.is_set else "book",
                ", ".join(one.clauses),
                one.ambiguity,
                said.question,
                said.readings,
                said.taken,
                said.changes,
            ],
            ["top", "wrap", "top", "wrap", "top", "wrap", "wrap", "wrap", "wrap"],
        )


def _assumptions(page: _Page, sheet: Sheet) -> None:
    page.title("Assumptions")
    for text in sheet.assumptions:
        page.write([None, text], ["text", "wrap"])
    page.head(["Figure", "Meaning"], 2)
    for name, text in sheet.meanings.items():
        page.write([name, text], ["top", "wrap"])
