"""Every Python example and every command with its output in the documentation runs, or says why it cannot.

Lines for a shell without an output are held to the commands and options that there are.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from casinowar.cli import casinowar
from tests.support.doc_blocks import ROOT, Block, blocks_of, commands_in, lines_to_type, pages
from tests.support.doc_runner import Reader, check

MOST_NOT_RUN = 20
KNOWN = {"", "console", "json", "mermaid", "python", "sh", "text", "toml"}
PAGES = [page for page in pages() if blocks_of(page)]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def not_run() -> list[Block]:
    return [block for page in PAGES for block in blocks_of(page) if "not run" in block.remarks]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    reader = Reader(tmp_path / "folder", monkeypatch)
    yield reader
    reader.close()


@pytest.mark.slow
@each_page
def test_the_page_can_be_followed_from_its_first_line(page: Path, reader: Reader) -> None:
    for block in blocks_of(page):
        reader.follow(block)


@each_page
def test_blocks_are_what_they_say(page: Path) -> None:
    """Python compiles, TOML and JSON can be read, and each command is one that the program knows, with its options."""
    for block in blocks_of(page):
        assert block.language in KNOWN, block.where
        is_script = block.language == "python" and ">>>" not in block.text
        if is_script and "not run" not in block.remarks:
            compile(block.text, block.where, "exec")
        if block.language == "toml":
            tomllib.loads(block.text)
        if block.language == "json" and "not run" not in block.remarks:
            read_json(block.text)
        for line in [*lines_to_type(block.text), *(one.line for one in commands_in(block.text))]:
            if line.startswith("casinowar "):
                check_usage(block, line)


def read_json(text: str) -> None:
    """One document, or one on each line."""
    try:
        json.loads(text)
    except json.JSONDecodeError:
        for line in text.splitlines():
            json.loads(line)


def check_usage(block: Block, line: str) -> None:
    """Whether the program knows the command and its options; words in capitals stand for something else."""
    command: click.Command = casinowar
    parent = None
    words = line.removesuffix(" &").partition(" > ")[0].replace("[", "").replace("]", "").split()[1:]
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        context = click.Context(command, parent=parent)
        below = command.get_command(context, words.pop(0))
        assert below is not None, f"{block.where}: no such command: {line}"
        command, parent = below, context
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"--help", "-h", "--version"}
    unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
    assert unknown == [], f"{block.where}: {line}"


def test_few_blocks_are_not_run_and_each_says_why() -> None:
    assert len(not_run()) <= MOST_NOT_RUN
    assert [block.where for block in not_run() if len(block.remarks["not run"]) < 15] == []


@pytest.mark.parametrize("text", ["casinowar odds --bok nz\n", "casinowar oods\n", "casinowar rules shew nz\n"])
def test_a_command_that_there_is_not_is_found(text: str) -> None:
    block = Block(ROOT / "README.md", 1, "sh", text, {})
    with pytest.raises(AssertionError):
        check_usage(block, lines_to_type(text)[0])


@pytest.mark.parametrize(("shown", "is_so"), [("a\n...\nd\n", True), ("a\nb\n", False), ("a\n...\nc\n", False)])
def test_what_is_shown_is_held_to_what_came(shown: str, is_so: bool) -> None:
    block = Block(ROOT / "README.md", 1, "console", "", {})
    if is_so:
        check(block, "", shown, "a\nb\nc\nd\n")
    else:
        with pytest.raises(pytest.fail.Exception):
            check(block, "", shown, "a\nb\nc\nd\n")


def test_what_fails_on_a_page_fails_here(reader: Reader) -> None:
    """The twins: a wrong figure, a wrong transcript, a status that was not foreseen."""
    page = ROOT / "README.md"
    for language, text in (
        ("python", ">>> 6 * 7\n41\n"),
        ("console", "$ casinowar odds --rulebook nz\nnz, New Zealand: 7 decks\n...\n"),
        ("console", "$ casinowar rules show nowhere\n"),
    ):
        with pytest.raises((AssertionError, pytest.fail.Exception)):
            reader.follow(Block(page, 1, language, text, {}))
