"""House style that no linter knows: purpose lines, banned names and constructs, nothing of one machine."""

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src" / "casinowar"
CORE = [SRC / "cards.py", SRC / "rulebooks", SRC / "engine"]

BANNED_WORDS = {"helper", "helpers", "util", "utils", "common", "misc", "manager", "managers"}
BANNED_PREFIXES = ("get_", "handle_", "process_")
IMPURE_MODULES = {"random", "secrets", "time", "datetime"}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")
BOOK_IDS = {"nz", "wa", "ctg", "ca", "ma"}
ASKS_FOR_BOOK = re.compile(r"""(?<!for )\b(rulebook|book|jurisdiction)(\.id|_id|\.name)?\s*(==|!=|\bin\b)\s*[\[({"']""")

# Written in pieces, so that this file does not hold what it forbids.
MACHINE_PATH = re.compile(r"(?<![\w.~/:-])/(?:" + "|".join(["work", "root", "farm", r"home/\w+"]) + r")/")
REGISTRY = re.compile(
    "|".join(
        re.escape(".".join(parts))
        for parts in [
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("npmjs", "org"),
            ("npmjs", "com"),
            ("yarnpkg", "com"),
            ("anaconda", "org"),
        ]
    )
    + r"|--(?:extra-)?index-"
    + r"url[ =]\S+:"
)


def python_files(*places: Path) -> list[Path]:
    files = [file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))]
    return sorted(files)


def at(file: Path, line: int) -> str:
    return f"{file.relative_to(ROOT)}:{line}"


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def lines_of(file: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a text file; none for a binary one."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    yield from enumerate(text.splitlines(), start=1)


def project_files() -> list[Path]:
    """Every file that git tracks or would track; outside a checkout, every file of the source folders."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
        files = [ROOT / name for name in listing.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        folders = [ROOT / name for name in ("src", "tests", "bench", "docs")]
        files = [file for folder in folders for file in folder.rglob("*") if "__pycache__" not in file.parts]
        files += [file for file in ROOT.iterdir() if file.suffix in {".md", ".toml", ".lock"}]
    return [file for file in files if file.is_file()]


def matches(pattern: re.Pattern[str], files: list[Path], message: str) -> list[str]:
    return [
        f"{at(file, number)}: {message}: {line.strip()[:80]}"
        for file in files
        for number, line in lines_of(file)
        if pattern.search(line)
    ]


def modules_without_purpose() -> list[str]:
    return [
        f"{at(file, 1)}: begin the module with a docstring line that says its purpose"
        for file in python_files(SRC)
        if not (ast.get_docstring(tree_of(file)) or "").strip()
    ]


def banned_file_names() -> list[str]:
    return [
        f"{file.relative_to(ROOT)}: name the file or folder after its concept"
        for file in python_files(SRC)
        if any(BANNED_WORDS & set(part.lower().split("_")) for part in file.relative_to(SRC).with_suffix("").parts)
    ]


def words_of(name: str) -> set[str]:
    """The lower-case words of a snake_case or CamelCase name."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)}


def is_banned(name: str) -> bool:
    dunder = name.startswith("__") and name.endswith("__")
    return not dunder and (name.lstrip("_").startswith(BANNED_PREFIXES) or bool(words_of(name) & BANNED_WORDS))


def banned_function_names() -> list[str]:
    return [
        f"{at(file, node.lineno)}: {node.name}: a name says what it gives or does"
        for file in python_files(SRC)
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and is_banned(node.name)
    ]


def unfinished_work() -> list[str]:
    files = [file for file in SRC.rglob("*") if file.is_file() and file.suffix in {".py", ".toml"}]
    return matches(UNFINISHED, sorted(files), "finish it, or open an issue")


def imported_modules(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case _:
            return []


def impure_imports_in_core() -> list[str]:
    return [
        f"{at(file, getattr(node, 'lineno', 1))}: the core imports {name}: chance and time are commands"
        for file in python_files(*CORE)
        for node in ast.walk(tree_of(file))
        for name in imported_modules(node)
        if name.partition(".")[0] in IMPURE_MODULES
    ]


def compared_strings(node: ast.AST) -> set[str]:
    """The string constants that a comparison or a match case holds something against."""
    match node:
        case ast.Compare():
            parts = [node.left, *node.comparators]
        case ast.MatchValue(value=value):
            parts = [value]
        case _:
            return set()
    leaves = [leaf for part in parts for leaf in ([part, *getattr(part, "elts", [])])]
    return {leaf.value for leaf in leaves if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str)}


def questions_for_the_book() -> list[str]:
    message = "ask a leaf of the rulebook, not which rulebook it is"
    named = [
        f"{at(file, getattr(node, 'lineno', 1))}: {message}"
        for file in python_files(SRC)
        for node in ast.walk(tree_of(file))
        if compared_strings(node) & BOOK_IDS
    ]
    return named + matches(ASKS_FOR_BOOK, python_files(SRC), message)


def floats_in_engine() -> list[str]:
    return [
        f"{at(file, node.lineno)}: {node.value}: money is an int in minor units, a ratio is two ints"
        for file in python_files(SRC / "engine")
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Constant) and isinstance(node.value, float)
    ]


def machine_paths() -> list[str]:
    return matches(MACHINE_PATH, project_files(), "a path of one machine")


def registry_addresses() -> list[str]:
    return matches(REGISTRY, project_files(), "the address of a package registry")


TRADE_NOUNS = {
    "betting",
    "dealing",
    "rounding",
    "pricing",
    "counting",
    "routing",
    "testing",
    "ruling",
    "sealed",
    "combined",
}
"""Words on -ing and -ed that are nouns of the trade, or name the thing itself."""

MOST_MODULES = {SRC: 18, ROOT / "tests": 30}
"""How many modules one folder below each of these may hold."""


def modules_that_are_no_nouns() -> list[str]:
    return [
        f"{file.relative_to(ROOT)}: a module is a thing or an agent: no word on -ing or -ed"
        for file in python_files(SRC)
        if file.stem.split("_")[-1].endswith(("ing", "ed")) and file.stem not in TRADE_NOUNS
    ]


def crowded_folders() -> list[str]:
    found = []
    for top, most in MOST_MODULES.items():
        modules = Counter(file.parent for file in python_files(top) if file.stem != "__init__")
        found += [
            f"{folder.relative_to(ROOT)}: {count} modules, at most {most}: make a folder of some"
            for folder, count in modules.items()
            if count > most
        ]
    return found


def names_that_share_a_prefix() -> list[str]:
    """What begins as two others do is a folder."""
    told = []
    for folder in {file.parent for file in python_files(SRC)}:
        begun = Counter(file.stem.partition("_")[0] for file in folder.glob("*_*.py") if not file.stem.startswith("__"))
        told += [f"{folder.relative_to(ROOT)}: {name}_: make it a folder" for name, count in begun.items() if count > 2]
    return told


RULES = [
    modules_without_purpose,
    modules_that_are_no_nouns,
    crowded_folders,
    names_that_share_a_prefix,
    banned_file_names,
    banned_function_names,
    unfinished_work,
    impure_imports_in_core,
    questions_for_the_book,
    floats_in_engine,
    machine_paths,
    registry_addresses,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_tidy(rule: object) -> None:
    assert callable(rule)
    findings = rule()
    assert not findings, "\n" + "\n".join(findings)


@pytest.mark.parametrize(
    "line",
    [
        'if rulebook == "nz":',
        "if book.id in ('nz', 'wa'):",
        'x = jurisdiction_id != "ca"',
        'book.name in {"ma"}',
    ],
)
def test_a_question_for_the_book_is_found(line: str) -> None:
    assert ASKS_FOR_BOOK.search(line)


@pytest.mark.parametrize("line", ['for book in ("nz", "wa"):', "handbook == 'x'", "book in books", "book = [1]"])
def test_other_lines_are_left_alone(line: str) -> None:
    assert not ASKS_FOR_BOOK.search(line)


@pytest.mark.parametrize("name", ["get_card", "_handle_bet", "process_round", "TableManager", "card_utils"])
def test_banned_name_is_found(name: str) -> None:
    assert is_banned(name)


@pytest.mark.parametrize("name", ["__get__", "forget_card", "target", "dispense", "processed"])
def test_other_names_are_left_alone(name: str) -> None:
    assert not is_banned(name)


def test_machine_paths_and_addresses_are_found() -> None:
    assert MACHINE_PATH.search("see " + "/".join(["", "work", "main"]))
    assert MACHINE_PATH.search('"' + "/".join(["", "home", "someone", "x"]) + '"')
    assert not MACHINE_PATH.search("/".join(["docs", "work", "notes"]))
    assert REGISTRY.search("https://" + ".".join(["pypi", "org"]) + "/simple")
