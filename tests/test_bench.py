"""The scripts under bench: statements counted, questions drawn from the history, verdicts on a load and on memory."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from bench import house_load, memory, questions, statements
from tests.cli.test_bench_parts import RIGHT, STRETCH

BANK = '''"""A module."""

import os


def paid(amount: int) -> int:
    """What is paid."""
    if amount:
        return (
            amount
            + 1
        )
    pass
'''


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def commit(root: Path, subject: str, **files: str) -> None:
    for name, text in files.items():
        file = root / name.replace("__", "/")
        file = file.with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-m", subject)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository in which a module was written, moved, and changed again."""
    git(tmp_path, "init", "-q")
    commit(tmp_path, "odds: pay one unit more than was wagered", src__casinowar__bank=BANK)
    (tmp_path / "src/casinowar/odds").mkdir()
    git(tmp_path, "mv", "src/casinowar/bank.py", "src/casinowar/odds/purse.py")
    commit(tmp_path, "layout: move the bank to the odds, where it belongs")
    commit(tmp_path, "docs: say what the bank of a player pays", src__casinowar__odds__other="x = 1\n" * 5)
    return tmp_path


def test_statements_are_counted_without_docstrings() -> None:
    assert statements.statements(BANK) == 4  # import, def, if, return
    assert statements.statements('"""Only words."""\n"""And more."""\n') == 0
    assert statements.statements("a = 1; b = 2\n") == 2


def test_statements_are_counted_by_folder_and_against_another_tree(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert statements.count(statements.working_tree(tree)) == Counter({"odds": 9})
    assert statements.count(statements.revision(tree, "HEAD~2")) == Counter({"casinowar": 4})
    statements.main(["--root", str(tree), "--against", "HEAD~2"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["before", "now", "change"],
        ["casinowar", "4", "0", "-100.0%"],
        ["odds", "0", "9", "new"],
        ["in", "all", "4", "9", "+125.0%"],
    ]
    statements.main(["--root", str(tree)])
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == ["9", "9"]


def test_a_change_is_followed_to_where_it_lies_now(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The move and the document make no question; the key names the file as it is called today."""
    (found,) = questions.changes(tree)
    assert (found.says, found.files) == ("odds: pay one unit more than was wagered", ("src/casinowar/odds/purse.py",))
    questions.main(["--root", str(tree)])
    asked = capsys.readouterr().out
    questions.main(["--root", str(tree), "--key"])
    assert "purse.py" not in asked
    assert "purse.py" in capsys.readouterr().out


def test_a_change_is_followed_into_the_file_that_took_its_lines(tree: Path) -> None:
    """The function of a module went to another one: both files have lines of the change."""
    head, function = BANK.split("\n\n\n")
    parts = {"src__casinowar__odds__purse": head + "\n", "src__casinowar__odds__payer": function}
    commit(tree, "layout: give what the bank pays a file of its own", **parts)
    (found,) = questions.changes(tree)
    assert set(found.files) == {"src/casinowar/odds/payer.py", "src/casinowar/odds/purse.py"}


def test_a_change_after_the_named_revision_makes_no_question(tree: Path) -> None:
    commit(tree, "odds: take one unit less than was wagered", src__casinowar__odds__taker="y = 2\n" * 5)
    newest, oldest = questions.changes(tree)
    assert questions.changes(tree, "HEAD~1") == [oldest]
    assert newest.files == ("src/casinowar/odds/taker.py",)


def test_the_same_seed_draws_the_same_questions() -> None:
    found = [questions.Change(str(number), f"change {number}", ("a",)) for number in range(100)]
    assert questions.draw(found, 3) == questions.draw(found, 3) != questions.draw(found, 4)
    assert len(set(questions.draw(found, 3))) == questions.QUESTIONS


@pytest.mark.parametrize(
    "subject",
    [
        "docs: what the bank of a player pays out",
        "page: what a reader found, all of it mended",
        "engine: settle the war in decide/settlement.py instead",
        "engine: pay more",
        "engine: pay the tie at once where it is due; page: show the tie that was paid",
    ],
)
def test_no_question_comes_of(subject: str) -> None:
    assert questions.question(subject) is None


def test_a_question_has_the_reason_behind_it() -> None:
    body = "Chips lay under the cards. Nobody saw them.\n\nSigned-off-by: ana"
    assert questions.question("page: keep the chips of a box off its cards", body) == (
        "page: keep the chips of a box off its cards. Chips lay under the cards."
    )


@pytest.mark.parametrize(
    ("stretch", "change", "failure"),
    [
        ({}, {"rounds": {"a": 2, "b": 1}}, "slower than a round in 7 s: b"),
        ({"refused": {"stale": 1}}, {}, "1 commands were refused"),
        ({}, {"cards": 0}, "no card was checked"),
        ({"errors": {"oh": 1}}, {}, "errors: oh"),
    ],
)
def test_a_load_of_people_must_also_keep_the_pace(
    stretch: dict[str, object], change: dict[str, object], failure: str
) -> None:
    """In 20 s a table ends two rounds of 7 s at least, of which the first and the last may lie outside in part."""
    long = msgspec.structs.replace(STRETCH, seconds=20, sent=99)
    right = msgspec.structs.replace(RIGHT, stretch=long, rounds={"a": 2, "b": 2})
    assert house_load.failures(right) == []
    wrong = msgspec.structs.replace(right, stretch=msgspec.structs.replace(long, **stretch), **change)
    assert house_load.failures(wrong) == [failure]


def test_a_search_is_a_line_of_the_table() -> None:
    report = msgspec.structs.replace(RIGHT, best=250.0, limit_ms=100.0, steps=[STRETCH])
    cells = house_load.Found("full tables", "now", report).cells()
    assert cells == ("full tables", "now", "250", "100%", "1", "5", "-", "-", "50%", "-")
    assert len(cells) == len(house_load.HEAD)
    none = house_load.Found("full tables", "now", msgspec.structs.replace(report, best=None)).cells()
    assert (none[2], none[-1]) == ("none", "no pace was found with p99 below 100 ms")


def test_a_line_says_how_much_of_the_load_is_the_game() -> None:
    """At a high pace most commands change money into chips and back, which a table takes at any moment."""
    stretch = msgspec.structs.replace(STRETCH, commands={"buy_chips": 50, "cash_chips": 40, "place_wager": 10})
    report = msgspec.structs.replace(RIGHT, stretch=stretch, best=250.0)
    assert house_load.Found("full tables", "now", report).cells()[3] == "10%"


@pytest.mark.parametrize(
    ("open_too", "watched", "least", "missed"),
    [
        (800, 850, 4, []),
        (799, 850, 4, ["980 more tables open: 80% of the pace of full tables, 80% wanted"]),
        (800, 840, 4, ["100 watchers at one table: 84% of the pace of full tables, 85% wanted"]),
        (800, 850, 4.5, ["full tables: 4.00 times the pace of before, 4.5 wanted"]),
    ],
)
def test_a_pace_below_its_bound_fails(open_too: float, watched: float, least: float, missed: list[str]) -> None:
    alone, more, looked_at = house_load.CASES
    paces = {(alone, "before"): 250.0, (alone, "now"): 1000.0, (more, "now"): open_too, (looked_at, "now"): watched}
    assert house_load.below_bounds(paces, least) == missed


def test_those_who_look_on_may_add_twenty_milliseconds() -> None:
    assert house_load.above_wait([30, 22], [42, 60]) == []
    assert house_load.above_wait([30, 22], [43, 60]) == ["who look on add 21 ms to p99, 20 at most"]


def test_the_other_checkout_is_run_and_not_this_one(tmp_path: Path) -> None:
    package = tmp_path / "src" / "casinowar"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    assert house_load.source_of(tmp_path)["PYTHONPATH"] == str(tmp_path / "src")
    with pytest.raises(SystemExit, match="has no casinowar"):
        house_load.source_of(tmp_path / "elsewhere")


def samples_of(*megabytes: float) -> list[memory.Sample]:
    return [memory.Sample(1_000 * number, round(1e6 * size), 0.0) for number, size in enumerate(megabytes, start=1)]


def test_the_memory_is_flat_where_the_last_third_is_what_the_first_was_behind_the_warm_up() -> None:
    """Nine steps are behind the warm-up: steps 4 to 6 beside 10 to 12, which are 6,000 rounds later on the mean."""
    right = memory.judge(samples_of(10, 40, 60, 70, 71, 72, 90, 90, 90, 71, 72, 73))
    assert (right.growth, right.rounds, right.is_flat) == (1e6, 6_000, True)
    wrong = memory.judge(samples_of(70, 70, 70, 70, 70, 70, 71, 72, 73, 72, 72.5, 73))
    assert (wrong.growth, wrong.is_flat) == (2.5e6, False)


def test_a_program_that_needs_the_tests_is_called_as_a_module() -> None:
    """Called by its path it finds the folder `bench` and not `tests` beside it."""
    root = Path(__file__).parents[1]
    needing = [file.stem for file in (root / "bench").glob("*.py") if "\nfrom tests" in file.read_text("utf-8")]
    assert needing == ["peers_load"]
    telling = (*root.glob("docs/**/*.md"), *root.glob("*.md"), *root.glob("bench/*.*"), root / "Makefile")
    for name in needing:
        assert [file for file in telling if f"bench/{name}.py" in file.read_text("utf-8")] == []
        begun = [sys.executable, "-m", f"bench.{name}", "--help"]
        assert subprocess.run(begun, cwd=root, capture_output=True, check=False).returncode == 0
