"""A whole book that is dropped into the configuration folder: all works with it, and a wrong one harms nobody."""

import json
from pathlib import Path

import pytest

from casinowar import BOOKS, load_clauses, load_rulebook
from casinowar.house.settings_file import default_table_faults, default_tables
from casinowar.records import parse_record, read_toml, replay
from casinowar.rulebooks import RulebookError, book_ids, head_of, is_known, load_file, load_with, sound_books
from casinowar.rulebooks.frozen import freeze, thaw
from casinowar.rulebooks.shelf import config_folder
from casinowar.rulebooks.toml_files import LARGEST
from tests.support.commandline import run
from tests.support.own_books import book_text, drop_book

TIE = "payout.tie.on_win"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "casinowar"


def test_without_a_folder_there_are_the_packaged_books() -> None:
    assert book_ids() == sound_books() == BOOKS == ("nz", "wa", "ctg", "ca", "ma")


def test_a_dropped_book_is_on_the_shelf_at_once() -> None:
    assert not is_known("isle")
    drop_book()
    assert sound_books() == (*BOOKS, "isle")
    assert load_rulebook("ISLE").leaves[TIE].value == "11:1"
    assert is_known("isle@1")
    assert not is_known("isle@2")
    head = head_of("isle")
    assert head is not None
    assert head.short == "The Isle"


def test_it_is_listed_shown_checked_and_compared() -> None:
    drop_book()
    lines = run("rules", "list").out.splitlines()
    assert "isle      141  The Isle of Cards" in lines
    assert run("rules", "show", "isle").out.startswith("The Isle of Cards (isle): ")
    assert run("rules", "check", "isle").out.startswith("isle: isle, 154 leaves")
    differ = run("rules", "diff", "nz", "isle").out
    assert "payout.tie.on_win" in differ
    assert "ISLE-" in differ
    assert "isle" in run("compare").out.splitlines()[0]
    assert "isle: payout.tie.on_win = 11:1" in run("rules", "clause", load_rulebook("isle").leaves[TIE].clauses[0]).out


def test_it_is_priced() -> None:
    drop_book()
    data = json.loads(run("odds", "--rulebook", "isle", "--json").out)
    usual = json.loads(run("odds", "--json").out)
    # One unit more at the same chance of a tie.
    tie, before = (one["wagers"]["tie"]["house_edge"]["decimal"] for one in (data, usual))
    assert before - tie == pytest.approx(23 / 311)
    assert run("solve", "payout.tie.on_win", "--wager", "tie", "--edge", "5%", "--rulebook", "isle").status == 0


def test_its_par_sheet_is_written(tmp_path: Path) -> None:
    drop_book()
    assert run("par", "--rulebook", "isle", "--html", str(tmp_path / "sheet.html")).status == 0
    assert "The Isle of Cards" in (tmp_path / "sheet.html").read_text("utf-8")


@pytest.mark.parametrize("has_clauses", [True, False])
def test_it_is_ruled_on_with_or_without_clauses(has_clauses: bool) -> None:
    drop_book(has_clauses=has_clauses)
    told = run("ruling", "face-up-card", "--rulebook", "isle")
    assert told.status == 0
    assert "ISLE-" in told.out
    assert ("The book brings no text" in told.out) == (not has_clauses)


def test_it_is_played_saved_and_replayed(tmp_path: Path) -> None:
    drop_book()
    saved = tmp_path / "night.toml"
    lines = "\n\n100\nwhy\nquit\n"
    played = run("play", "--rulebook", "isle", "--seed", "dawn", "--save", str(saved), stdin=lines)
    assert played.status == 0, played.err
    assert "ISLE-" in played.out
    assert "(isle)" in run("replay", str(saved)).out
    assert replay(parse_record(read_toml(saved.read_text("utf-8")))).rulebook.id == "isle"


def test_it_is_dealt() -> None:
    drop_book()
    assert run("deal", "--rulebook", "isle", "--players", "ana=500", stdin="quit\n").status == 0


def test_a_house_rulebook_can_extend_it() -> None:
    drop_book()
    (config_folder() / "cove.toml").write_text('extends = "isle"\n[war]\nburn = 0\n', "utf-8")
    cove = load_rulebook("cove")
    assert (cove.extends, cove.war.burn) == ("isle", 0)
    assert "cove has 0; isle has 3" in cove.notes["HOUSE-war.burn"].text


def test_a_whole_book_at_a_path_can_be_played(tmp_path: Path) -> None:
    file = tmp_path / "far.toml"
    file.write_text(book_text("far"), "utf-8")
    assert load_rulebook(str(file)).id == "far"
    assert run("rules", "check", str(file)).out.startswith(f"{file}: far, 154 leaves")


def test_it_has_a_table_of_its_own() -> None:
    drop_book()
    *usual, last = default_tables()
    assert [one.name for one in usual] == list(BOOKS)
    assert (last.name, last.rulebook, last.title, last.limit.maximum) == ("isle", "isle", "Isle night", 900)


def test_a_wrong_default_table_is_one_line_and_the_others_stand() -> None:
    drop_book("isle", has_clauses=True, **{"maximum = 900": 'maximum = "much"'})
    assert [one.name for one in default_tables()] == list(BOOKS)
    (fault,) = default_table_faults()
    assert fault.startswith("the default table of the book isle: table isle: limit.maximum = 'much'")


WRONG = {
    "unknown leaf": ({"decks =": "dekks ="}, "unknown leaf shoe.dekks"),
    "packaged id": ({'id = "isle"': 'id = "nz"'}, "id = 'nz' is taken by a book of this package"),
    "packaged id in capitals": ({'id = "isle"': 'id = "NZ"'}, "id = 'NZ' is taken by a book of this package"),
    "path": ({'id = "isle"': 'id = "../isle"'}, "id = '../isle': write up to 20 letters"),
    "capitals": ({'id = "isle"': 'id = "Isle"'}, "id = 'Isle': write up to 20 letters"),
    "reserved": ({'id = "isle"': 'id = "house"'}, "id = 'house': write up to 20 letters"),
    "another name": ({'id = "isle"': 'id = "reef"'}, "id = 'reef', and it lies under the name 'isle'"),
    "colour": ({"#502060": "red;} body{"}, "the head of the book"),
    "clause of another book": ({'"ISLE-4.2"': '"NZ-99"'}, "'NZ-99', which is not in the catalogue"),
    "clause of no book": ({'"ISLE-4.2"': '"ILSE-4.2"'}, "'ILSE-4.2', which is not in the catalogue"),
    "too large": ({"[cards]": "# " + "x" * LARGEST + "\n[cards]"}, "isle.toml: larger than a rulebook can be"),
}


@pytest.mark.parametrize(("changed", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_book_is_one_line_and_stops_nobody(changed: dict[str, str], words: str) -> None:
    drop_book("reef")
    file = drop_book(has_clauses=False, **changed)
    assert sound_books() == (*BOOKS, "reef")
    with pytest.raises(RulebookError) as raised:
        load_rulebook("isle")
    assert str(raised.value).startswith(str(file))
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)
    listed = run("rules", "list")
    assert (listed.status, f"cannot be used: {raised.value}" in listed.out) == (0, True)


def test_the_same_book_twice_is_refused() -> None:
    drop_book()
    drop_book(has_clauses=False)
    with pytest.raises(RulebookError, match="is the same book: keep one of them"):
        load_rulebook("isle")
    assert sound_books() == BOOKS


def test_wrong_clauses_are_a_fault_of_the_book() -> None:
    clauses = drop_book().parent / "clauses.toml"
    clauses.write_text('["NZ-1"]\ntext = "x"\n', "utf-8")
    with pytest.raises(RulebookError, match="the id must start with ISLE-") as raised:
        load_rulebook("isle")
    assert str(raised.value).startswith(str(clauses))
    assert load_clauses().keys() == {one for one in load_clauses() if not one.startswith("ISLE-")}


@pytest.mark.parametrize("name", ["zz.toml", "loop.toml", ".#isle.toml", "isle/extra.toml", "isle/editions/3.toml"])
def test_a_link_that_leads_nowhere_hides_no_other_book(folder: Path, name: str) -> None:
    drop_book()
    link = config_folder() / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(link.name if name == "loop.toml" else "nowhere")
    assert "isle" in sound_books()
    assert load_rulebook("isle").id == "isle"


def test_clauses_of_another_book_are_refused_by_every_way_to_it() -> None:
    file = drop_book()
    clauses = file.with_name("clauses.toml")
    clauses.write_text(clauses.read_text("utf-8").replace('["ISLE-', '["NZ-'), "utf-8")
    told = "the id must start with ISLE-"
    with pytest.raises(RulebookError, match=told):
        load_rulebook("isle")
    with pytest.raises(RulebookError, match=told):
        load_with("isle", {})
    with pytest.raises(RulebookError, match=told):
        load_file(str(file))


def test_a_record_that_holds_the_book_replays_where_it_is_not() -> None:
    file = drop_book()
    rules = load_rulebook("isle")
    book = freeze(rules)
    file.unlink()
    assert not is_known("isle")
    assert thaw(book).cells == rules.cells


def test_a_seventh_book_is_left_out_of_a_comparison_and_named() -> None:
    drop_book("isle")
    drop_book("reef")
    told = run("compare", "--json")
    assert told.err == "Left out: reef. Name the books that you want to compare.\n"
    assert '"reef"' not in told.out
    assert '"isle"' in told.out
    assert '"reef"' in run("compare", "nz", "reef", "--json").out
