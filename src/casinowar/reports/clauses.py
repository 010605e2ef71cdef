"""A page per rulebook: every clause in our own words, what realises it, and the tests that are marked with it."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from casinowar.reports.coverage import standing
from casinowar.reports.full_run import MarkedTests
from casinowar.reports.marks import Marks
from casinowar.rulebooks import BOOKS, KINDS, Clause, Leaf, Rulebook, load_clauses, load_rulebook
from casinowar.rulebooks.files import RawLeaf
from casinowar.rulebooks.load import raw_leaves, read_book
from casinowar.rulebooks.resolve import describe, show

COMMAND = "make docs-clauses"
WIDTH = 120

Tests = Mapping[str, list[str]]

_HEAD = """\
Written by `{command}` from the catalogue of clauses, the rulebook and the marks of the tests. Every clause is told in
our own words, in the order of the source; readings of unclear passages (AMB) are in the
[register of ambiguities](../ambiguities.md). {size}
"""


def clause_pages(marks: Marks) -> dict[str, str]:
    """The text of each book's page, by the id of the book."""
    return {book: _page(load_rulebook(book), marks) for book in BOOKS}


def anchor(clause: str) -> str:
    """What a clause's heading is called in a link on its page."""
    return re.sub(r"[^\w-]", "", clause.lower())


def _page(rulebook: Rulebook, marks: Marks) -> str:
    clauses = [clause for clause in load_clauses().values() if clause.book == rulebook.id]
    tests = {clause.id: _tests_of(clause.id, marks) for clause in clauses}
    # A page is about the tests as they are written, wherever they are run.
    shown = {clause: MarkedTests(tests=len(found), passed=True) for clause, found in tests.items()}
    stands = {clause.id: standing(clause, shown) for clause in clauses}
    outside = [clause for clause in clauses if stands[clause.id] == "physical"]
    without = [clause for clause in clauses if stands[clause.id] == "open"]
    lines = [
        f"# Clauses of `{rulebook.id}`: {rulebook.title}",
        "",
        *wrap(_HEAD.format(command=COMMAND, size=f"The book has {len(clauses)} clauses.")),
        "",
        *_counts(clauses, stands),
        "",
        *wrap(f"Outside software: {_links(outside)}."),
        "",
        *wrap(f"Without a marked test: {_links(without)}."),
    ]
    for clause in clauses:
        lines += ["", f"## {clause.id}", "", *_section(clause, rulebook, tests[clause.id])]
    return "\n".join(lines) + "\n"


def _counts(clauses: list[Clause], stands: Mapping[str, str]) -> Iterator[str]:
    yield "| kind | with tests | outside software | without a test |"
    yield "|---|---|---|---|"
    for kind in KINDS:
        of_kind = [stands[clause.id] for clause in clauses if clause.kind == kind]
        if of_kind:
            yield f"| {kind} | {' | '.join(str(of_kind.count(way)) for way in ('tested', 'physical', 'open'))} |"


def _links(clauses: Iterable[Clause]) -> str:
    return ", ".join(f"[{clause.id}](#{anchor(clause.id)})" for clause in clauses) or "none"


def _section(clause: Clause, rulebook: Rulebook, tests: Tests) -> Iterator[str]:
    yield from wrap(clause.text)
    yield ""
    yield from _item(f"Kind: {clause.kind}. Realised as {', '.join(clause.realised)}: {_with_readings(clause.how)}")
    if clause.outside:
        yield from _item(f"Outside software: {clause.outside}")
    for title, part in (("Leaves", "clauses"), ("Bears on, where the book is silent", "see")):
        resting = list(_leaves_on(clause.id, rulebook, part))
        if resting:
            yield f"- {title}:"
            for leaf in resting:
                yield from _item(leaf, "  ")
    if tests:
        yield "- Tests:"
        for module, names in tests.items():
            yield from _item(f"[{module}](../../{module}): {', '.join(f'`{name}`' for name in names)}", "  ")
    elif not clause.outside:
        yield "- No test is marked with it."


def _tests_of(clause: str, marks: Marks) -> dict[str, list[str]]:
    found = {module: [test for test, ids in tests.items() if clause in ids] for module, tests in marks.items()}
    return {module: names for module, names in found.items() if names}


def _leaves_on(clause: str, rulebook: Rulebook, part: str) -> Iterator[str]:
    """The leaves that rest on the clause, or only see it; those included that do so under another choice of option."""
    for key, raw in raw_leaves(read_book(rulebook.id)).items():
        match raw.get(part, []):
            case dict() as by_choice:
                choices = [choice for choice, ids in by_choice.items() if clause in ids]
                if choices:
                    yield _leaf(key, raw, rulebook.leaves[key], choices)
            case ids if clause in ids:
                yield _leaf(key, raw, rulebook.leaves[key], None)


def _leaf(key: str, raw: RawLeaf, leaf: Leaf, choices: list[str] | None) -> str:
    reading = f", {_with_readings(leaf.ambiguity)}" if leaf.ambiguity else ""
    if "by" not in raw:
        return f"`{key}` = {describe(leaf)}{reading}"
    entries = raw.get("value") or raw["allowed"]
    told = "; ".join(f"{choice}: {_either(entries[choice])}" for choice in choices or entries)
    return f"`{key}`, where `{raw['by']}` is {told}{reading}"


def _either(entry: object) -> str:
    return " or ".join(show(choice) for choice in entry) if isinstance(entry, list) else show(entry)


def _with_readings(text: str) -> str:
    return re.sub(r"AMB-([0-9]+)", r"[AMB-\1](../ambiguities.md#amb-\1)", text)


def _item(text: str, indent: str = "") -> list[str]:
    return wrap(text, f"{indent}- ", f"{indent}  ")


def wrap(text: str, first: str = "", then: str = "") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )
