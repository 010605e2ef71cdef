"""PAR sheets: the data hold together and are those of the odds, and page, workbook and JSON tell the same."""

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from math import sqrt
from pathlib import Path
from xml.etree import ElementTree

import pytest

from casinowar.odds.composition import fresh
from casinowar.odds.figures import Figures, Strategy, study
from casinowar.odds.progressive import progressive
from casinowar.reports.par import html, labels, luck, register, xlsx
from casinowar.reports.par.data import Sheet, WagerSheet, as_data, hash_leaves, make_sheet
from casinowar.rulebooks import BOOKS, load_with
from tests.support.commandline import run, spawn

ROOT = Path(__file__).resolve().parents[2]
books = pytest.mark.parametrize("book", BOOKS)


@cache
def sheet_of(book: str) -> Sheet:
    return make_sheet(load_with(book, {}))


@cache
def page_of(book: str) -> str:
    return html.render(sheet_of(book))


def figures_of(book: str, wager: WagerSheet) -> Figures:
    strategy: Strategy = "surrender" if wager.strategy == "surrender" else "war"
    return study(load_with(book, {}), fresh(6)).figures(wager.wager, strategy)


def find(sheet: Sheet, wager: str, strategy: str | None = None) -> WagerSheet:
    (found,) = [one for one in sheet.wagers if (one.wager, one.strategy) == (wager, strategy)]
    return found


# The data


@books
def test_outcomes_are_all_there_and_add_up(book: str) -> None:
    for wager in sheet_of(book).wagers:
        assert sum(one.probability for one in wager.outcomes) == 1
        assert sum(one.contribution for one in wager.outcomes) == wager.ev
        assert all(one.contribution == one.net * one.probability for one in wager.outcomes)
        assert len({one.name for one in wager.outcomes}) == len(wager.outcomes)


@books
def test_figures_are_those_of_the_odds(book: str) -> None:
    for wager in sheet_of(book).wagers:
        figures = figures_of(book, wager)
        by_net: dict[Fraction, Fraction] = {}
        for one in wager.outcomes:
            by_net[one.net] = by_net.get(one.net, Fraction(0)) + one.probability
        assert by_net == figures.distribution
        assert (wager.ev, wager.house_edge, wager.element_of_risk) == (
            figures.ev,
            figures.house_edge,
            figures.element_of_risk,
        )
        assert (wager.variance, wager.sd, wager.hit_frequency) == (figures.variance, figures.sd, figures.hit_frequency)
        assert wager.average_total_wager == figures.average_total_wager
        assert wager.player_return == 1 + figures.ev


def test_the_known_figures() -> None:
    """Six decks: 2.33 % going to war, 2.17 % of all at risk, 3.70 % surrendering, 18.65 % on the tie."""
    sheet = sheet_of("nz")
    war = find(sheet, "initial", "war")
    assert war.house_edge == Fraction(23138, 993023)
    assert f"{float(war.element_of_risk):.2%}" == "2.17%"
    assert f"{war.sd:.4f}" == "1.0576"
    assert find(sheet, "initial", "surrender").house_edge == Fraction(23, 622)
    assert find(sheet, "tie").house_edge == Fraction(58, 311)
    assert sheet.best_play == dict.fromkeys("23456789TJQKA", "war")


def test_outcomes_have_their_names_and_gains() -> None:
    war = find(sheet_of("wa"), "initial", "war")
    assert [(one.name, int(one.net)) for one in war.outcomes] == [
        ("tie, war tied", 2),
        ("first card wins", 1),
        ("tie, war won", 1),
        ("first card loses", -1),
        ("tie, war lost", -2),
    ]
    assert war.outcomes[1].probability == war.outcomes[3].probability == Fraction(144, 311)
    pairs = find(sheet_of("wa"), "perfect_pairs")
    assert [(one.name.partition(":")[0], int(one.net)) for one in pairs.outcomes] == [
        ("perfect pair", 25),
        ("coloured pair", 12),
        ("mixed pair", 5),
        ("no pair", -1),
    ]
    assert pairs.outcomes[0].rounds_between == pytest.approx(62.2)


def test_wagers_that_the_operator_may_offer_are_told_apart() -> None:
    assert [(one.wager, one.is_offered) for one in sheet_of("ma").wagers] == [
        ("initial", True),
        ("initial", True),
        ("tie", True),
        ("war_tie", True),
        ("progressive", False),
    ]
    assert find(make_sheet(load_with("ma", {"wager.progressive": True})), "progressive").is_offered


def test_the_progressive_has_its_meter() -> None:
    told = sheet_of("ma").progressive
    assert told is not None
    studied = study(load_with("ma", {}), fresh(6))
    assert told.war == progressive(studied, "war")
    assert told.surrender == progressive(studied, "surrender")
    assert told.return_at_seed == told.war.return_without_meter + 1_000_000 * told.war.return_per_meter_unit
    assert sum(told.war.lines.values()) == Fraction(23, 311)
    assert set(told.surrender.break_even_meter.values()) == {None}
    assert all(sheet_of(book).progressive is None for book in ("nz", "wa", "ctg", "ca"))


def test_the_pays_of_a_jackpot_are_told_whole() -> None:
    """All of the meter, and 1,000.00 of envy for each 5.00 that the others have wagered."""
    pays = {pay.situation: pay.pays for pay in sheet_of("ma").pays if pay.wager == "progressive"}
    assert pays["suited four of a kind, also"] == "all of the meter"
    assert pays["another's jackpot (envy)"] == "100,000 for each 500"
    returned = make_sheet(load_with("ma", {"wager.progressive": True, "progressive.stake_returned": True}))
    assert "5:1" in {pay.pays for pay in returned.pays if pay.wager == "progressive"}


@books
def test_pays_have_their_clauses(book: str) -> None:
    rules = load_with(book, {})
    told = {(pay.wager, pay.pays, pay.clauses) for pay in sheet_of(book).pays}
    assert all(pay.clauses for pay in sheet_of(book).pays)
    for (wager, _), cell in rules.cells.items():
        if wager != "war_perfect_pairs":
            kept = ", stake kept" if wager == "progressive" else ""
            assert (wager, f"{cell.odds}{kept}" if cell.odds else cell.outcome, cell.clauses) in told
    assert any(pay.clauses == rules.leaves["surrender.forfeit"].clauses for pay in sheet_of(book).pays)


@books
def test_every_reading_is_told_with_the_register(book: str) -> None:
    rules = load_with(book, {})
    told = {one.leaf: one for one in sheet_of(book).readings}
    assert set(told) == {key for key, leaf in rules.leaves.items() if leaf.ambiguity}
    for key, one in told.items():
        assert one.ambiguity == rules.leaves[key].ambiguity
        assert one.clauses == rules.leaves[key].clauses
        assert one.register == register.load_register()[one.ambiguity]


def test_the_packed_register_is_the_register() -> None:
    """`python -m casinowar.reports.par` packs it again."""
    page = (ROOT / "docs" / "ambiguities.md").read_text("utf-8")
    entries = register.parse_register(page)
    assert list(entries) == [f"AMB-{number}" for number in range(1, 81)]
    assert register.load_register() == entries
    packed = ROOT / "src" / "casinowar" / "reports" / "par" / register.PACKED
    assert packed.read_text("utf-8") == register.dump_register(entries)
    assert entries["AMB-1"].taken.startswith("(a), literal")


def test_what_is_set_and_changed_is_told() -> None:
    sheet = make_sheet(load_with("ctg", {"payout.war_odds": "standard", "payout.tie.on_win": "11:1"}))
    assert sheet.options == {"payout.war_odds": "standard", "payout.tie.on_win": "11:1"}
    assert [(one.leaf, one.value) for one in sheet.changes] == [("payout.tie.on_win", "11:1")]
    (odds,) = [one for one in sheet.readings if one.leaf == "payout.war_odds"]
    assert (odds.value, odds.is_set) == ("standard", True)
    assert not sheet_of("ctg").changes
    assert find(sheet, "tie").house_edge == 1 - Fraction(12 * 23, 311)


def test_the_hash_is_over_every_leaf() -> None:
    rules = load_with("nz", {})
    values = {key: leaf.value for key, leaf in rules.leaves.items()}
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    assert sheet_of("nz").sha256 == hashlib.sha256(text.encode()).hexdigest()
    hashes = {sheet_of(book).sha256 for book in BOOKS}
    assert len(hashes) == len(BOOKS)
    for key, leaf in rules.leaves.items():
        changed = {**rules.leaves, key: type(leaf)("another", leaf.clauses)}
        assert hash_leaves(changed) != sheet_of("nz").sha256


def test_assumptions_are_those_of_the_wagers() -> None:
    said = {book: " ".join(sheet_of(book).assumptions) for book in BOOKS}
    assert all("fresh shoe of 6 decks, 312 cards" in text for text in said.values())
    assert [book for book in BOOKS if "progressive" in said[book]] == ["ma"]
    assert [book for book in BOOKS if "player who banks" in said[book]] == ["ca"]
    assert {book for book in BOOKS if "war cards" in said[book]} == {"wa", "ca", "ma"}


# Luck


def test_z_is_that_of_the_tables() -> None:
    assert {level: round(z, 3) for level, z in luck.Z.items()} == {90: 1.645, 95: 1.960, 99: 2.576}


@books
def test_bands_lie_around_the_edge_and_narrow(book: str) -> None:
    for wager in sheet_of(book).wagers:
        assert [band.rounds for band in wager.hold_bands] == [1000, 10_000, 100_000, 1_000_000, 10_000_000]
        for band in wager.hold_bands:
            for level in luck.LEVELS:
                low, high = band.hold[level]
                assert (low + high) / 2 == pytest.approx(float(wager.house_edge))
                assert (high - low) / 2 == pytest.approx(wager.volatility_index[level] / sqrt(band.rounds))
        errors = [band.error for band in wager.hold_bands if band.error is not None]
        assert errors == sorted(errors, reverse=True)
        assert errors[-1] < 0.02


def test_a_band_holds_what_it_promises() -> None:
    """A fair coin, where every chance is known: 1000 tosses stay within 26 heads of 500 with a chance near 90 %."""
    coin = Figures("coin", {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}, Fraction(1))
    band = luck.bands(coin)[0]
    low, high = band.hold[90]
    ways, inside = 1, 0
    for heads in range(1001):
        inside += ways if low <= Fraction(1000 - 2 * heads, 1000) <= high else 0
        ways = ways * (1000 - heads) // (heads + 1)
    assert band.error is not None
    assert band.error == pytest.approx(2 * 0.4748 / sqrt(1000))
    assert abs(Fraction(inside, 2**1000) - Fraction(9, 10)) <= band.error


def test_a_fault_is_seen_nine_times_of_ten() -> None:
    coin = Figures("coin", {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}, Fraction(1))
    found = {one.fault: one.rounds for one in luck.detections(coin)}
    assert found[Fraction(1, 100)][95] == 105_075  # (1.95996 + 1.28155) squared over 0.01 squared
    assert found[Fraction(1, 100)][90] < found[Fraction(1, 100)][95] < found[Fraction(1, 100)][99]
    assert found[Fraction(1, 50)][95] == pytest.approx(found[Fraction(1, 100)][95] / 4, abs=1)


def test_a_wager_with_rare_prizes_makes_no_promise_for_few_rounds() -> None:
    assert find(sheet_of("ma"), "progressive").hold_bands[0].error is None


# JSON


def test_json_has_rationals_as_objects() -> None:
    data = json.loads(json.dumps(as_data(sheet_of("ma"))))
    war = data["wagers"][0]
    assert data["format"] == "casinowar-par/1"
    assert war["ev"] == {"fraction": "-23138/993023", "decimal": pytest.approx(-0.0233005681)}
    assert war["outcomes"][1]["probability"]["fraction"] == "144/311"
    assert data["progressive"]["war"]["break_even_meter"]["0"]["fraction"] == "64104750"
    assert data["sha256"] == sheet_of("ma").sha256
    assert data["readings"][0]["register"]["taken"]


# The page

VOID = {"meta", "col", "br", "rect", "line", "polyline"}


class Structure(HTMLParser):
    """Whether tags close in order, and what the page asks for from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.tags: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "srcset", "xlink:href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} at {self.getpos()}")


@books
def test_the_page_is_one_whole_file(book: str) -> None:
    page = page_of(book)
    found = Structure()
    found.feed(page)
    assert not found.faults
    assert not found.open
    assert not found.addresses
    assert len(found.ids) == len(set(found.ids))
    assert found.tags["h1"] == found.tags["title"] == 1
    assert found.tags.get("script", 0) == found.tags.get("link", 0) == 0
    assert not re.search(r"https?:|@import|url\((?!#)", page)
    assert page.startswith("<!DOCTYPE html>")
    assert found.tags["svg"] == 1 + 3 * len(sheet_of(book).wagers)


@books
def test_plots_are_sound_and_stay_inside(book: str) -> None:
    assert_plots(page_of(book))


def assert_plots(page: str) -> None:
    for text in re.findall(r"<svg viewBox.*?</svg>", page, flags=re.DOTALL):
        plot = ElementTree.fromstring(text)
        assert plot.get("aria-label")
        _, _, width, height = map(float, str(plot.get("viewBox")).split())
        for one in plot.iter("rect"):
            x, wide = float(str(one.get("x"))), float(str(one.get("width")))
            assert 0 <= x <= x + wide <= width
        for one in plot.iter("text"):
            assert_inside(one, width, height)
        for one in plot.iter("polyline"):
            points = [tuple(map(float, point.split(","))) for point in str(one.get("points")).split()]
            assert all(0 <= x <= width and 0 <= y <= height for x, y in points)


def assert_inside(one: ElementTree.Element, width: float, height: float) -> None:
    """A character of the plots' letters is 6.7 units wide on average."""
    if one.get("x") is None:
        return
    x, y, wide = float(str(one.get("x"))), float(str(one.get("y"))), 6.7 * len("".join(one.itertext()))
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[str(one.get("text-anchor"))]
    assert left >= 0, "".join(one.itertext())
    assert left + wide <= width, "".join(one.itertext())
    assert 0 < y <= height


@books
def test_the_page_tells_every_figure(book: str) -> None:
    page, sheet = page_of(book), sheet_of(book)
    assert sheet.sha256 in page
    for wager in sheet.wagers:
        for one in wager.outcomes:
            assert labels.fraction(one.probability) in page
            assert f"{float(one.probability):.8f}" in page
        assert labels.fraction(wager.variance) in page
        assert labels.percent(wager.house_edge, 4) in page
    for pay in sheet.pays:
        assert all(f">{clause}" in page for clause in pay.clauses)
    for reading in sheet.readings:
        assert reading.ambiguity in page


def test_what_a_book_says_cannot_break_the_page() -> None:
    rules = load_with("nz", {"names.tie": "<b>Tie</b> & 'more'"})
    page = html.render(make_sheet(rules))
    assert "<b>Tie</b> &amp;" not in page
    assert "&lt;b&gt;Tie&lt;/b&gt; &amp; &#39;more&#39;" in page
    found = Structure()
    found.feed(page)
    assert not found.faults


@pytest.mark.parametrize(
    ("book", "settings"),
    [
        ("nz", {"payout.tie.on_win": "lose"}),
        ("nz", {"payout.tie.on_win": "push", "payout.tie.on_loss": "push"}),
        ("nz", {"payout.war.on_win": "lose"}),
        ("ma", {"shoe.decks": 1, "progressive.lines": "cumulative"}),
        ("ma", {"progressive.lines": "cumulative"}),
        ("wa", {"shoe.decks": 1}),
        ("nz", {"payout.tie.on_win": "9999:1"}),
    ],
)
def test_odd_books_have_their_sheets(book: str, settings: dict[str, object]) -> None:
    """Wagers without chance, lines that cannot come, best play that surrenders, odds beyond reason."""
    sheet = make_sheet(load_with(book, settings, any_decks=True))
    found = Structure()
    page = html.render(sheet)
    found.feed(page)
    assert not found.faults
    assert_plots(page)
    assert read_workbook(xlsx.render(sheet))["Summary"]
    assert all(sum(one.probability for one in wager.outcomes) == 1 for wager in sheet.wagers)
    json.dumps(as_data(sheet), allow_nan=False)


def test_best_play_may_be_to_surrender() -> None:
    sheet = make_sheet(load_with("nz", {"payout.war.on_win": "lose"}))
    assert set(sheet.best_play.values()) == {"surrender"}
    assert "surrender, whatever the rank" in html.render(sheet)


def test_a_negative_edge_is_explained() -> None:
    assert "player&#39;s advantage" in page_of("ctg") or "player's advantage" in page_of("ctg")
    assert "player's advantage" not in page_of("nz")


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (labels.decimal(Fraction(-1, 3), 4), "−0.3333"),
        (labels.decimal(1234.5, 2), "1,234.50"),
        (labels.decimal(-0.00001, 2), "0.00"),
        (labels.gain(Fraction(1, 2), 2), "+0.50"),
        (labels.gain(0, 2), "0.00"),
        (labels.gain(-2, 1), "−2.0"),
        (labels.percent(Fraction(58, 311), 2), "18.65 %"),
        (labels.net(Fraction(-1, 2)), "−1/2"),
        (labels.net(Fraction(10)), "+10"),
        (labels.net(Fraction(0)), "0"),
    ],
)
def test_numbers_are_shown(shown: str, text: str) -> None:
    assert shown == text


# The workbook

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_workbook(content: bytes) -> dict[str, list[list[str | float]]]:
    """The cells of each sheet, row by row, read from the file's own XML."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert packed.testzip() is None
        book = ElementTree.fromstring(packed.read("xl/workbook.xml"))
        texts = ["".join(one.itertext()) for one in ElementTree.fromstring(packed.read("xl/sharedStrings.xml"))]
        found = {}
        for number, sheet in enumerate(book.iter(f"{MAIN}sheet"), start=1):
            root = ElementTree.fromstring(packed.read(f"xl/worksheets/sheet{number}.xml"))
            assert not list(root.iter(f"{MAIN}f")), "a formula"
            found[str(sheet.get("name"))] = [
                [value(cell, texts) for cell in row if cell.find(f"{MAIN}v") is not None]
                for row in root.iter(f"{MAIN}row")
            ]
    return found


def value(cell: ElementTree.Element, texts: list[str]) -> str | float:
    text = str(cell.findtext(f"{MAIN}v"))
    assert cell.get("t") != "e", "an error"
    return texts[int(text)] if cell.get("t") == "s" else float(text)


@books
def test_the_workbook_has_the_same_figures(book: str) -> None:
    sheet = sheet_of(book)
    pages = read_workbook(xlsx.render(sheet))
    names = [f"{one.wager} {one.strategy}" if one.strategy else one.wager for one in sheet.wagers]
    meter = ["meter"] if sheet.progressive else []
    assert list(pages) == ["Summary", "Pays", *names, *meter, "Readings", "Assumptions"]
    for name, wager in zip(names, sheet.wagers, strict=True):
        rows = {str(row[0]): row[1:] for row in pages[name] if row}
        for one in wager.outcomes:
            gain, exact, chance, rounds_between, added, contribution = rows[labels.capital(one.name)]
            assert Fraction(str(gain)) == one.net
            assert (Fraction(str(exact)), Fraction(str(added))) == (one.probability, one.contribution)
            assert chance == pytest.approx(float(one.probability), rel=1e-12)
            assert rounds_between == pytest.approx(one.rounds_between, rel=1e-12)
            assert contribution == pytest.approx(float(one.contribution), rel=1e-12)
        exact, decimal = rows["House edge, per unit of the wager"]
        assert Fraction(str(exact)) == wager.house_edge
        assert decimal == pytest.approx(float(wager.house_edge), rel=1e-12)
    assert [row[0] for row in pages["Readings"][2:] if row] == [one.leaf for one in sheet.readings]
    summary = {str(row[0]): row[1:] for row in pages["Summary"] if row}
    assert summary["Leaves, SHA-256"] == [sheet.sha256]
    assert summary["Decks"] == [6]


def test_the_workbook_is_always_the_same() -> None:
    assert xlsx.render(sheet_of("nz")) == xlsx.render(make_sheet(load_with("nz", {})))


# The command


def test_the_command_writes_all_three(tmp_path: Path) -> None:
    page, book, data = tmp_path / "a.html", tmp_path / "a.xlsx", tmp_path / "a.json"
    ran = run("par", "--rulebook", "ma", "--html", str(page), "--xlsx", str(book), "--json", str(data))
    assert (ran.status, ran.out) == (0, "")
    assert page.read_text("utf-8") == page_of("ma")
    assert book.read_bytes() == xlsx.render(sheet_of("ma"))
    assert json.loads(data.read_text("utf-8")) == json.loads(json.dumps(as_data(sheet_of("ma"))))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a.json", "a.xlsx"]


def test_json_without_a_file_goes_to_standard_output() -> None:
    ran = run("par", "--rulebook", "nz", "--json", "--decks", "8", "--set", "payout.war.on_tie=1:1")
    assert (ran.status, ran.err) == (0, "")
    data = json.loads(ran.out)
    assert data["decks"] == 8
    assert f"{data['wagers'][0]['house_edge']['decimal']:.2%}" == "2.90%"


def test_decks_beyond_the_book_need_to_be_asked_for() -> None:
    assert "--any-decks" in run("par", "--rulebook", "wa", "--decks", "5", "--json").error
    ran = run("par", "--rulebook", "wa", "--decks", "5", "--any-decks", "--json")
    assert json.loads(ran.out)["decks"] == 5


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--rulebook", "nz"], "say what to make: --html FILE, --xlsx FILE or --json"),
        (["--json"], "Missing option '--rulebook'"),
        (["--rulebook", "xx", "--json"], "unknown rulebook 'xx'"),
        (["--rulebook", "nz", "--json", "--set", "payout.war.on_tie=many"], "allowed odds such as 2:1, push or lose"),
        (["--rulebook", "nz", "--json", "--set", "payout.war.on_tied=2:1"], "payout.war.on_tie"),
        (["--rulebook", "nz", "--json", "--set", "2:1"], "write KEY=VALUE"),
        (["--rulebook", "nz", "--json", "--decks", "0"], "0 is not in the range"),
        (["--rulebook", "nz", "--json", "--decks", "6", "--set", "shoe.decks=8"], "differ"),
    ],
)
def test_what_cannot_be_done_is_one_line(args: list[str], says: str) -> None:
    assert says in run("par", *args).error


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "a.html"
    assert run("par", "--rulebook", "nz", "--html", str(nowhere)).error.startswith(f"casinowar: {nowhere}: ")
    assert run("par", "--rulebook", "nz", "--html", str(tmp_path)).error == f"casinowar: {tmp_path}: Is a directory"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("option", "package"), [("--html", "jinja2"), ("--xlsx", "xlsxwriter")])
def test_a_missing_extra_says_what_to_install(
    option: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("html", "xlsx"):
        monkeypatch.delitem(sys.modules, f"casinowar.reports.par.{name}")
        monkeypatch.delattr(f"casinowar.reports.par.{name}")
    monkeypatch.setitem(sys.modules, package, None)
    told = run("par", "--rulebook", "nz", option, str(tmp_path / "sheet")).error
    how = "pip install '.[report]' in the project's folder"
    assert told == f"casinowar: casinowar.reports.par.{option[2:]} needs {package}: {how}"
    assert not list(tmp_path.iterdir())


def test_json_needs_no_extra() -> None:
    """Neither package is loaded for JSON, nor for the list of commands."""
    code = (
        "import sys\nfrom casinowar.cli import main\n"
        "try:\n    main(['par', '--rulebook', 'nz', '--json'])\nexcept SystemExit:\n    pass\n"
        "assert not {'jinja2', 'xlsxwriter'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rulebook"] == "nz"


def test_the_command_is_listed() -> None:
    assert "par " in spawn("--help").out


@pytest.mark.parametrize("option", ["--html", "--xlsx", "--json"])
def test_a_file_without_a_name_is_an_error_of_usage(option: str) -> None:
    assert run("par", "--rulebook", "nz", option, "").error


@pytest.mark.parametrize(
    ("one", "two"), [("--html", "--xlsx"), ("--html", "--json"), ("--xlsx", "--json")], ids=lambda option: option[2:]
)
def test_two_sheets_do_not_go_to_one_file(one: str, two: str, tmp_path: Path) -> None:
    sheet, again = tmp_path / "sheet", tmp_path / "." / "again" / ".." / "sheet"
    (tmp_path / "again").mkdir()
    error = run("par", "--rulebook", "nz", one, str(sheet), two, str(again)).error
    assert f"{one} and {two} name the same file" in error
    assert not sheet.exists()


def test_a_link_to_the_other_sheet_is_the_same_file(tmp_path: Path) -> None:
    sheet, link = tmp_path / "sheet", tmp_path / "link"
    sheet.write_text("kept", "utf-8")
    link.symlink_to(sheet)
    assert "same file" in run("par", "--rulebook", "nz", "--json", str(sheet), "--html", str(link)).error
    assert sheet.read_text("utf-8") == "kept"
