"""House style that no linter knows: purpose lines, banned names and constructs, nothing of one machine."""

import ast
import re
import subprocess
import warnings
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


CALLED_BY_CLICK = {"get_completions", "get_completion_args"}
"""Methods of click's classes that ours put something else in the place of."""


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
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and is_banned(node.name)
        and node.name not in CALLED_BY_CLICK
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
FEWEST_LINES = 25
MIRRORED = {"commands", "events", "decide", "evolve", "postgres"}
"""Folders that have the same modules on purpose: one name finds all four files of a concern of the engine, and both of
the store's, for SQLite and for PostgreSQL."""

SAME_CONCEPT = {
    "bank": "a player who banks: decided, and priced",
    "bots": "players that a program plays: at a table of one program, and at a live one",
    "cards": "the card, and what the engine records of cards",
    "checkpoints": "signed checkpoints of a store: made, and verified by a command",
    "clauses": "the clauses of the books: as pages, and over HTTP",
    "commands": "what can be commanded: to a live table, and in one place for a client",
    "connection": "one end of a connection: to the server, of the server, to the database",
    "data": "figures as plain data, ready for JSON",
    "database": "a PostgreSQL database: with the accounts, and opened for the audit",
    "dealer": "who deals a live table, and the console for it over HTTP",
    "errors": "what can go wrong, as types: at the client, over HTTP",
    "events": "what happened: as the store records it, and in words",
    "house": "the house: its parts, its audit, its operations over HTTP",
    "incidents": "what can go wrong at a table: in the engine, and as rulings",
    "limits": "the most that is allowed: on wagers, and on requests",
    "narrative": "a round in sentences: from a record, and from the log",
    "progressive": "the progressive wager: decided, and priced",
    "refusals": "what is refused: in words, and as errors of accounts",
    "replay": "a record played again: the work, the command, the operation",
    "rulings": "what is done about an incident: decided, and reported",
    "seats": "the seats of a table: what the engine decides about them, and who has them at a live table",
    "shoe": "the shoe: its commands and rules, and the one that deals itself",
    "solve": "a leaf that meets a target: the search, and the command",
    "strategies": "how players play: for sessions, and by its public name",
    "table": "the table: in the engine, live in the house, followed by a client",
    "tables": "all tables of a house: open, audited, over HTTP",
    "text": "the data beside it in lines of text",
    "wagers": "the wagers: as events, and priced",
}
"""Names of modules that occur in several layers, with the one concept that they stand for."""

MAIN_CLASS_ELSEWHERE = {
    "client/table.py": "Live is the client's public name for the table that it follows",
}
"""Modules whose main class has another name, with the reason."""

ASK = {"ask", "asks", "asked", "asking", "askable", "asker"}
RIDDLES = {"told", "found", "made", "seen", "one"}
PREPOSITIONS = {"of", "by", "in", "at", "from", "for", "to", "with", "under"}
READING = {"reading", "readings"}
SESSION = {"session", "sessions"}
ABOUT_AMBIGUITIES = ("odds/readings.py", "cli/odds/", "reports/", "rulebooks/")
"""Where a reading is one way to understand an unclear clause."""

ON_THE_WIRE = {
    "SessionOf": "a component of the OpenAPI document",
    "SignatureAsked": "an event in every log",
    "TableAsk": "a component of the OpenAPI document",
}
"""Old names that clients have seen, and that therefore stay."""

THE_SESSION = "dealers/"
"""The one session of this software is `casinowar.Session`, with its record."""


def modules() -> list[Path]:
    return [file for file in python_files(SRC) if not file.stem.startswith("__")]


def place(file: Path) -> str:
    return file.relative_to(SRC).as_posix()


def modules_that_are_no_nouns() -> list[str]:
    return [
        f"{file.relative_to(ROOT)}: a module is a thing or an agent: no word on -ing or -ed"
        for file in python_files(SRC)
        if file.stem.split("_")[-1].endswith(("ing", "ed")) and file.stem not in TRADE_NOUNS
    ]


def main_class(tree: ast.Module) -> ast.ClassDef | None:
    """The only public class with behaviour, if it fills half of the module; structs, errors and protocols are none."""
    lines = max((node.end_lineno or 0 for node in tree.body), default=0)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    acting = [node for node in classes if len(public_methods(node)) > 1 and not is_plain(node)]
    if len(acting) != 1 or 2 * ((acting[0].end_lineno or 0) - acting[0].lineno) < lines:
        return None
    return acting[0]


def public_methods(node: ast.ClassDef) -> list[str]:
    functions = [one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [name for name in functions if not name.startswith("_")]


def is_plain(node: ast.ClassDef) -> bool:
    return any(
        word in ast.unparse(base) for base in node.bases for word in ("Struct", "Error", "Exception", "Protocol")
    )


def singular(words: set[str]) -> set[str]:
    return {word.removesuffix("s") for word in words}


def bears_the_name_of(file: Path, node: ast.ClassDef) -> bool:
    """`house/table/table.py` has `LiveTable`: every word of the module's name is one of its main class."""
    return singular(words_of(file.stem)) <= singular(words_of(node.name))


def modules_not_named_by_their_class() -> list[str]:
    return [
        f"{at(file, node.lineno)}: name the module after {node.name}, or {node.name} after the module"
        for file in modules()
        if (node := main_class(tree_of(file))) is not None
        and not bears_the_name_of(file, node)
        and place(file) not in MAIN_CLASS_ELSEWHERE
    ]


def layer_of(file: Path) -> str:
    return file.relative_to(SRC).parts[0].removesuffix(".py")


def names_that_occur_twice() -> list[str]:
    """Within a layer a module's name occurs once; in several layers it stands for one concept, which is listed."""
    by_name: dict[str, list[Path]] = {}
    for file in modules():
        by_name.setdefault(file.stem, []).append(file)
    findings = []
    for name, files in by_name.items():
        places = ", ".join(place(file) for file in files)
        plain = Counter(layer_of(file) for file in files if file.parent.name not in MIRRORED)
        if max(plain.values(), default=0) > 1:
            findings.append(f"{name}: twice in one layer: {places}")
        elif len({layer_of(file) for file in files}) > 1 and name not in SAME_CONCEPT:
            findings.append(f"{name}: in several layers, and not in SAME_CONCEPT: {places}")
    return findings


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
    prefixes = Counter((file.parent, file.stem.partition("_")[0]) for file in modules() if "_" in file.stem)
    return [
        f"{folder.relative_to(ROOT)}: {prefix}_: make it a folder"
        for (folder, prefix), count in prefixes.items()
        if count > 2
    ]


def short_modules() -> list[str]:
    """Modules that could join another. They are reported, and not refused."""
    sizes = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in modules()}
    return [f"{file.relative_to(ROOT)}: {size} lines" for file, size in sizes.items() if size < FEWEST_LINES]


def has_two_meanings(where: str, name: str, is_function: bool) -> bool:
    """Whether a name has a word that stands for something else in this software, or for nothing in particular."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)]
    if name in ON_THE_WIRE:
        return False
    if ASK & set(words):
        return True
    if READING & set(words) and not where.startswith(ABOUT_AMBIGUITIES):
        return True
    if SESSION & set(words) and not where.startswith(THE_SESSION):
        return True
    return is_function and words[0] in RIDDLES and set(words[1:]) <= PREPOSITIONS


def words_with_two_meanings() -> list[str]:
    findings = [
        f"{place(file)}: {file.stem}: another word for the module"
        for file in modules()
        if has_two_meanings(place(file), file.stem, True)
    ]
    for file in python_files(SRC):
        for node in ast.walk(tree_of(file)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            is_function = not isinstance(node, ast.ClassDef)
            if has_two_meanings(place(file), node.name, is_function):
                findings.append(f"{at(file, node.lineno)}: {node.name}: say what it gives or does")
    return findings


RULES = [
    modules_without_purpose,
    modules_that_are_no_nouns,
    modules_not_named_by_their_class,
    names_that_occur_twice,
    crowded_folders,
    names_that_share_a_prefix,
    words_with_two_meanings,
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


def test_short_modules_are_reported() -> None:
    """A report: a short module usually joins another, and may have a reason to stand alone."""
    if short := short_modules():
        warnings.warn("modules below " + f"{FEWEST_LINES} lines:\n" + "\n".join(short), stacklevel=1)


@cache
def names_under(folder: Path) -> list[set[str]]:
    """The words of each module, folder, class and function there."""
    names = [part for file in python_files(folder) for part in file.relative_to(SRC).with_suffix("").parts]
    nodes = [node for file in python_files(folder) for node in ast.walk(tree_of(file))]
    names += [node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    return [singular(words_of(name)) for name in names]


def glossary() -> list[tuple[str, list[str]]]:
    """The words of the software's glossary, each with the folders that it names."""
    rows = re.findall(
        r"^\| ([a-z ]+) \| .+ \| (`.+`) \|$", (ROOT / "docs/glossary.md").read_text("utf-8"), re.MULTILINE
    )
    return [(word, re.findall(r"`([^`]+)`", folders)) for word, folders in rows]


def test_each_word_of_the_glossary_is_a_name_where_it_says() -> None:
    words = glossary()
    assert len(words) > 60
    assert len({word for word, _ in words}) == len(words)
    gone = [
        f"{word}: no module, class or function of {folder} is called so"
        for word, folders in words
        for folder in folders
        if not any(singular(words_of(word.replace(" ", "_"))) <= name for name in names_under(SRC / folder))
    ]
    assert not gone, "\n" + "\n".join(gone)


def test_each_shared_name_is_shared() -> None:
    layers = Counter(name for name, _ in {(file.stem, layer_of(file)) for file in modules()})
    assert [name for name in SAME_CONCEPT if layers[name] < 2] == []


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("web/routes/odds.py", "ask"),
        ("web/routes/odds.py", "_asked"),
        ("web/routes/pit.py", "told"),
        ("web/routes/pit.py", "_seen_by"),
        ("cli/deal/orders.py", "one"),
        ("web/workers/log_reader.py", "Readings"),
        ("web/accounts/logins.py", "open_session"),
    ],
)
def test_a_word_with_two_meanings_is_found(where: str, name: str) -> None:
    assert has_two_meanings(where, name, is_function=True)


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("web/http/door.py", "connection_made"),
        ("web/app.py", "task"),
        ("odds/readings.py", "Readings"),
        ("dealers/session.py", "Session"),
        ("odds/bank.py", "one_deal_ways"),
        ("web/routes/tables.py", "TableAsk"),
    ],
)
def test_a_word_with_one_meaning_is_left_alone(where: str, name: str) -> None:
    assert not has_two_meanings(where, name, is_function=True)


@pytest.mark.parametrize(
    ("file", "name", "bears"),
    [("table", "LiveTable", True), ("shoes", "ShoeAudit", True), ("journal", "HouseLog", False)],
)
def test_a_module_bears_the_name_of_its_class(file: str, name: str, bears: bool) -> None:
    node = ast.parse(f"class {name}: ...").body[0]
    assert isinstance(node, ast.ClassDef)
    assert bears_the_name_of(Path(f"{file}.py"), node) == bears


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
