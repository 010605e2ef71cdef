"""`casinowar rules`: the books, their leaves, their clauses, and a rulebook file under check."""

import json
from pathlib import Path

import pytest

from casinowar.rulebooks import BOOKS, load_clauses, load_rulebook
from tests.support.commandline import run

DATA = Path(__file__).parents[2] / "src" / "casinowar" / "rulebooks" / "data"
NZ = (DATA / "nz" / "book.toml").read_text(encoding="utf-8")


def house(tmp_path: Path, old: str = "", new: str = "") -> str:
    """A rulebook file that is `nz` with one passage changed."""
    assert old in NZ
    file = tmp_path / "house.toml"
    file.write_text(NZ.replace(old, new, 1) if old else NZ, encoding="utf-8")
    return str(file)


def test_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    done = run("rules", "list")
    rows = {line.split()[0]: line for line in done.out.splitlines()[1:] if not line.startswith(" ")}
    assert list(rows) == list(BOOKS)
    for book, row in rows.items():
        count = sum(clause.book == book for clause in load_clauses().values())
        assert row.split()[1] == str(count)
    assert "Crown Perth, Western Australia" in rows["wa"]
    assert "RAG/554" in done.out


@pytest.mark.parametrize("book", BOOKS)
def test_show_as_json_holds_every_leaf(book: str) -> None:
    data = json.loads(run("rules", "show", book, "--json").out)
    rulebook = load_rulebook(book)
    assert data["id"] == book
    assert data["title"] == rulebook.title
    assert data["leaves"].keys() == rulebook.leaves.keys()
    assert all(bool(leaf["clauses"]) != leaf["supplied"] for leaf in data["leaves"].values())


def test_show_leaf_as_json() -> None:
    leaf = json.loads(run("rules", "show", "nz", "--json").out)["leaves"]["shoe.decks"]
    told = {"value": 6, "clauses": ["NZ-3.4a"], "allowed": "4, 5, 6, 7, 8", "ambiguity": None, "scope": "table"}
    assert leaf == {**told, "cases": {}, "supplied": False, "see": []}


def test_show_says_where_the_book_is_silent() -> None:
    told = " ".join(run("rules", "show", "nz").out.split())
    assert "on_over_max reject [the book is silent; house default] (see NZ-5.10-i) AMB-33" in told
    leaf = json.loads(run("rules", "show", "nz", "--json").out)["leaves"]["limits.on_over_max"]
    assert (leaf["clauses"], leaf["supplied"], leaf["see"], leaf["ambiguity"]) == ([], True, ["NZ-5.10-i"], "AMB-33")
    differ = " ".join(run("rules", "diff", "nz", "wa").out.split())
    assert (
        "reject [the book is silent; house clamp_advise [WA-5.7c, WA-5.7-adv] default] (see NZ-5.10-i) AMB-33" in differ
    )


def test_show_for_reading() -> None:
    lines = run("rules", "show", "nz").out.splitlines()
    assert max(map(len, lines)) <= 80
    start = lines.index("[shoe]")
    assert lines[start + 1].split(maxsplit=1) == ["decks", "6 (allowed: 4, 5, 6, 7, 8) [NZ-3.4a]"]
    assert any(line.split(maxsplit=1) == ["forfeit", "1:2 [NZ-1.2-SUR, NZ-5.2b]"] for line in lines)


@pytest.mark.parametrize("book", BOOKS)
def test_show_for_reading_leaves_nothing_out(book: str) -> None:
    shown = run("rules", "show", book).out
    for key, leaf in load_rulebook(book).leaves.items():
        assert f"[{key.rpartition('.')[0]}]\n" in shown
        assert all(clause in shown for clause in leaf.clauses)


def test_clause() -> None:
    done = run("rules", "clause", "NZ-5.13c")
    assert done.status == 0
    assert done.out.startswith("NZ-5.13c (nz, payout)\n")
    assert load_clauses()["NZ-5.13c"].text in " ".join(done.out.split())
    assert "nz: payout.war.on_tie = 2:1" in done.out


def test_clause_in_any_case() -> None:
    assert run("rules", "clause", "nz-5.13C").out == run("rules", "clause", "NZ-5.13c").out


def test_clause_that_counts_only_under_another_option() -> None:
    told = " ".join(run("rules", "clause", "WA-3.16-4").out.split())
    assert "wa: perfect_pairs.table, where shoe.decks is 4" in told
    assert "wa: payout.perfect_pairs.on_mixed, where perfect_pairs.table is P4a" in told


def test_clause_left_to_people() -> None:
    told = " ".join(run("rules", "clause", "NZ-1.1").out.split())
    assert f"Left to people: {load_clauses()['NZ-1.1'].outside}" in told
    assert "No leaf rests on it." in told


def test_unknown_clause_names_near_ones() -> None:
    assert "did you mean NZ-5.13a, NZ-5.13b, NZ-5.13c, NZ-5.13d" in run("rules", "clause", "NZ-5.13").error
    assert "NZ-5.13c" in run("rules", "clause", "NZ-5.13-c").error
    assert run("rules", "clause", "?").error == "casinowar: no clause '?': ids look like NZ-5.13c"


def test_diff() -> None:
    lines = run("rules", "diff", "nz", "ctg").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["nz", "ctg"]
    at = lines.index("payout.war.on_win")
    assert lines[at + 1].split() == ["1:1", "[NZ-5.4a,", "NZ-5.13b]", "2:1", "[CTG-W6,", "CTG-O4]"]
    # Both books pay the first wager evenly, so that leaf is no difference.
    assert "payout.initial.on_win" not in lines


def test_diff_as_json() -> None:
    data = json.loads(run("rules", "diff", "nz", "wa", "--json").out)
    assert data["books"] == ["nz", "wa"]
    nz, wa = data["leaves"]["wager.a_bomb"]
    assert (nz["value"], wa["value"], wa["allowed"]) == (False, True, "on, off")
    assert data["leaves"]["payout.a_bomb.on_win"][0] is None
    # The value is 6 in both; what the operator may choose is not.
    assert data["leaves"]["shoe.decks"][0]["value"] == data["leaves"]["shoe.decks"][1]["value"] == 6


def test_diff_of_a_book_with_itself() -> None:
    done = run("rules", "diff", "nz", "nz")
    assert (done.status, done.out, done.err) == (0, "", "nz and nz do not differ\n")
    assert json.loads(run("rules", "diff", "nz", "nz", "--json").out)["leaves"] == {}


def test_diff_with_a_rulebook_file(tmp_path: Path) -> None:
    file = house(tmp_path, 'on_tie = { value = "2:1"', 'on_tie = { value = "1:1"')
    leaves = json.loads(run("rules", "diff", "nz", file, "--json").out)["leaves"]
    assert [(key, [leaf["value"] for leaf in pair]) for key, pair in leaves.items()] == [
        ("payout.war.on_tie", ["2:1", "1:1"])
    ]


@pytest.mark.parametrize("args", [("show", "xx"), ("diff", "nz", "xx"), ("diff", "xx", "nz")])
def test_unknown_book(args: tuple[str, ...]) -> None:
    error = run("rules", *args).error
    known = "choose one of nz, wa, ctg, ca, ma, or give the path of a house rulebook"
    assert error == f"casinowar: unknown rulebook 'xx': {known}"


def test_check_passes_a_good_file(tmp_path: Path) -> None:
    file = house(tmp_path)
    done = run("rules", "check", file)
    assert (done.status, done.err) == (0, "")
    leaves = load_rulebook("nz").leaves
    silent = sum(not leaf.clauses for leaf in leaves.values())
    told = f"{len(leaves)} leaves, {silent} of them house defaults because the book is silent"
    assert done.out == f"{file}: nz, {told}\n"


def test_check_of_a_file_that_only_extends_says_that_it_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('extends = "nz"\n', encoding="utf-8")
    assert run("rules", "check", str(file)).out == f"{file}: club extends nz and changes nothing\n"


DECKS = 'decks = { default = 6, allowed = [4, 5, 6, 7, 8], clauses = ["NZ-3.4a"] }'

WRONG = {
    "no clause": (DECKS, "decks = 6", ["shoe.decks", "clause"]),
    "empty clauses": (DECKS, "decks = { value = 6, clauses = [] }", ["shoe.decks", "clause"]),
    "unknown clause": (DECKS, 'decks = { value = 6, clauses = ["NZ-99"] }', ["shoe.decks", "NZ-99"]),
    "wrong type": (DECKS, 'decks = { value = "six", clauses = ["NZ-3.4a"] }', ["shoe.decks", "NZ-3.4a"]),
    "default not allowed": (
        DECKS,
        'decks = { default = 9, allowed = [4, 5, 6, 7, 8], clauses = ["NZ-3.4a"] }',
        ["shoe.decks", "NZ-3.4a", "4, 5, 6, 7, 8"],
    ),
    "unknown key": (DECKS, DECKS + '\ncolour = { value = 1, clauses = ["NZ-3.4a"] }', ["shoe.colour"]),
    "unknown part": (DECKS, DECKS.replace("default", "usual"), ["shoe.decks", "usual"]),
    "missing key": (DECKS, "", ["shoe.decks"]),
    "missing group": (
        '[discard]\ntiming = { value = "at_end", clauses = ["NZ-8.10"] }\n'
        'order = { value = "by_hand", clauses = ["NZ-8.10"] }',
        "",
        ["discard"],
    ),
    "word outside the vocabulary": (
        'first = { value = "from_left", clauses = ["NZ-8.4"] }',
        'first = { value = "from_above", clauses = ["NZ-8.4"] }',
        ["deal.first", "NZ-8.4", "from_above", "from_left, from_right"],
    ),
    "odds that are none": (
        'on_tie = { value = "2:1"',
        'on_tie = { value = "two"',
        ["payout.war.on_tie", "NZ-5.4b", "two", "odds such as 2:1, push or lose"],
    ),
    "a share of nothing": ('forfeit = { value = "1:2"', 'forfeit = { value = "1:0"', ["surrender.forfeit", "1:0"]),
    "ranks that are none": ('ranks = { value = "23456789TJQKA"', 'ranks = { value = "234"', ["cards.ranks", "NZ-4.2"]),
    "choice by nothing": (DECKS, 'decks = { by = "shoe.x", value = 6, clauses = ["NZ-3.4a"] }', ["shoe.x"]),
    "choice by itself": (DECKS, 'decks = { by = "shoe.decks", value = 6, clauses = ["NZ-3.4a"] }', ["shoe.decks"]),
    "allowed in no form": (DECKS, 'decks = { default = 6, allowed = 7, clauses = ["NZ-3.4a"] }', ["shoe.decks"]),
    "no id": ('id = "nz"\n', "", ["say which book it extends"]),
    "empty choices": (DECKS, 'decks = { allowed = [], clauses = ["NZ-3.4a"] }', ["shoe.decks", "NZ-3.4a", "none"]),
    "broken": ('id = "nz"', 'id = "nz', ["broken TOML"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_check_refuses(name: str, tmp_path: Path) -> None:
    """One line with the key, the clause and what is allowed."""
    old, new, told = WRONG[name]
    file = house(tmp_path, old, new)
    error = run("rules", "check", file).error
    assert error.startswith(f"casinowar: {file}: ")
    assert [part for part in told if part not in error] == []


def test_check_of_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"\xff")
    assert run("rules", "check", str(latin)).error.endswith("not UTF-8 at byte 0")
    assert run("rules", "check", str(tmp_path)).error.endswith("Is a directory")
    (tmp_path / "examples").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "examples is a folder: give the path of a rulebook in it" in run("rules", "check", "examples").error
    assert run("rules", "check", str(tmp_path / "none")).error.endswith("No such file or directory")
