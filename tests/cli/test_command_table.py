"""Every command does what its row in docs/command-line.md says: its options, its JSON, its exit status, its start."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from casinowar.cli import casinowar
from tests.support.commandline import run, spawn

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "command-line.md").read_text("utf-8")
FIRST = ROOT / "tests" / "transcripts" / "first.toml"
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| `([a-z ]+)` \| (.*?) \| (.*?) \| (\d+) \|$", PAGE, re.MULTILINE)}


def walk(group: click.Command, path: tuple[str, ...] = ()) -> dict[str, click.Command]:
    """Every command that does something, by what is typed for it."""
    found = {} if isinstance(group, click.Group) and group.name != "bench" else {" ".join(path): group}
    if isinstance(group, click.Group):
        with click.Context(group) as ctx:
            for name in group.list_commands(ctx):
                inner = group.get_command(ctx, name)
                assert inner is not None
                found |= walk(inner, (*path, name))
    return found


COMMANDS = walk(casinowar)


def takes(command: click.Command, option: str) -> bool:
    return any(option in param.opts for param in command.params)


def test_the_table_has_every_command_and_no_other() -> None:
    assert sorted(ROWS) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_what_its_row_says(name: str) -> None:
    command = COMMANDS[name]
    options = [option for option in ("--option", "--set") if takes(command, option)]
    assert ROWS[name][0] == (", ".join(f"`{option}`" for option in options) or "-")
    formats = re.findall(r"`(casinowar-[a-z-]+/1)`", ROWS[name][1])
    assert bool(formats) == (takes(command, "--json") or name in ("prove", "replay")), name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    for param in COMMANDS[name].params:
        if isinstance(param, click.Option):
            assert param.help, (name, param.opts)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_narrow_terminal(name: str) -> None:
    done = run(*name.split(), "--help")
    assert (done.status, done.err) == (0, "")


LIGHT = {
    "numpy", "numba", "asyncio", "ssl", "sqlite3", "apsw", "uvicorn", "starlette", "websockets", "cryptography",
    "jinja2", "rich", "distributed", "gymnasium", "casinowar.web", "casinowar.house", "casinowar.sim.kernel",
}  # fmt: skip
"""What no help needs."""

COUNT = """
import sys
import casinowar.cli as cli
try:
    cli.main(sys.argv[1:])
except SystemExit:
    print(len(sys.modules), *sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) for name in COMMANDS])
def test_help_imports_no_more_than_its_row_says(name: str) -> None:
    """Modules are counted and no seconds: the count is the same on a machine that has much else to do."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *name.split(), "--help"], capture_output=True, text=True, timeout=60
    )
    count, *loaded = done.stderr.split()
    most = int(ROWS[name][2])
    assert int(count) <= most, f"{count} modules, and the row says {most}"
    heavy = LIGHT - ({"ssl"} if name == "verify" else set())
    assert heavy.isdisjoint(loaded)


HOSTILE = [
    ["--no-such-option"],
    ["--rulebook", "nowhere"],
    ["--rulebook", "\x00"],
    ["--rulebook", "\ud800"],
    ["--rulebook", "/dev/null"],
    ["--rulebook", "x" * 5_000],
    ["--option", "="],
    ["--option", "shoe.deks=8"],
    ["--set", "no.such=1"],
    ["--set", "payout.war.on_tie=" + "9" * 5_000 + ":1"],
    ["\x1b[31m", "../" * 900, "\n"],
    ["/nowhere/at/all.toml"],
    ["--data", "/dev/null"],
    ["--json", "x", "y", "z"],
    ["9" * 400],
]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("bench", "bench serve", "serve")])
def test_wrong_input_is_one_line_and_status_2(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command takes in spite of it is done; nothing ends in a traceback."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for words in HOSTILE:
        done = run(*name.split(), *words)
        assert "Traceback" not in done.err, (name, words)
        assert done.status in (0, 1, 2), (name, words, done)
        if done.status == 2:
            assert done.err.count("\n") == 1, (name, words, done.err)
            assert done.err.isprintable() or done.err.rstrip("\n").isprintable(), (name, words)


CALLS = {
    "rules list": [],
    "rules show": ["nz"],
    "rules diff": ["nz", "wa"],
    "rules clause": ["NZ-5.13c"],
    "ruling": [],
    "odds": [],
    "compare": ["nz", "wa"],
    "solve": ["payout.tie.on_win", "--wager", "tie", "--edge", "5%"],
    "replay": [str(FIRST)],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_reader_that_has_had_enough_is_no_error(name: str) -> None:
    """The pipe is closed before the first line is written."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "casinowar", *name.split(), *CALLS[name]],
        stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, timeout=60,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


NARROW = 50
UNBROKEN = 12
"""Columns that a word may stand out, where it cannot be broken: an id, an address."""

FOLDED = ("ruling", "odds", "compare", "solve")
"""The others tell lines that a reader may search for, and leave them whole."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDED)
def test_fifty_columns_are_enough_and_no_colour_is_asked_for(name: str) -> None:
    done = spawn(*name.split(), *CALLS[name], env={"COLUMNS": str(NARROW), "NO_COLOR": "1", "FORCE_COLOR": "1"})
    assert done.status == 0
    assert "\x1b" not in done.out + done.err
    assert [line for line in done.out.splitlines() if len(line) > NARROW + UNBROKEN] == []


@pytest.mark.parametrize("name", CALLS)
def test_json_names_its_format(name: str) -> None:
    data = json.loads(run(*name.split(), *CALLS[name], "--json").out)
    assert f"`{data['format']}`" in ROWS[name][1]
