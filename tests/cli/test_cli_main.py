"""The command line as a whole: help, version, completion, wrong commands, interrupts, streams, and a quick start."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from casinowar import cli
from tests.support.commandline import run, spawn

FIRST = Path(__file__).parents[1] / "transcripts" / "first.toml"
COMMANDS = (
    *("admin", "audit", "bench", "compare", "completion", "deal", "odds", "par", "play", "prove"),
    *("replay", "ruling", "rules", "serve", "simulate", "solve", "verify"),
)


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_the_commands(flag: str) -> None:
    done = run(flag)
    assert (done.status, done.err) == (0, "")
    listed = [line.split()[0] for line in done.out.partition("Commands:\n")[2].splitlines()]
    assert listed == list(COMMANDS)


@pytest.mark.parametrize("args", [(), ("rules",)])
def test_no_command_is_wrong_usage_answered_with_the_help(args: tuple[str, ...]) -> None:
    done = run(*args)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"Usage: {' '.join(('casinowar', *args))}")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_short_help(command: str) -> None:
    done = run(command, "-h")
    assert done.status == 0
    assert done.out.startswith(f"Usage: casinowar {command}")


def test_version() -> None:
    from importlib.metadata import version

    assert run("--version").out == f"casinowar {version('casinowar')}\n"


def test_unknown_command_is_one_line() -> None:
    assert run("dance").error == "casinowar: No such command 'dance' (see casinowar --help)"
    assert run("rules", "dance").error == "casinowar rules: No such command 'dance' (see casinowar rules --help)"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("simulat", "casinowar: No such command 'simulat': did you mean simulate?"),
        ("rule", "casinowar: No such command 'rule': did you mean rules or ruling?"),
        ("rules shwo", "casinowar rules: No such command 'shwo': did you mean show?"),
        ("admin acounts", "casinowar admin: No such command 'acounts': did you mean accounts?"),
        ("bench serv", "casinowar bench: No such command 'serv': did you mean serve?"),
    ],
)
def test_a_command_that_is_spelled_much_like_another_names_it(typed: str, meant: str) -> None:
    assert run(*typed.split()).error.partition(" (see")[0] == meant


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("casinowar.cli.replay.parse_record", interrupted)
    done = run("replay", "-", stdin="{}")
    assert (done.status, done.out) == (130, "")
    assert "Traceback" not in done.err


def test_help_imports_no_command_and_no_engine() -> None:
    code = "import sys, casinowar.cli as cli\ntry: cli.main(['-h'])\nexcept SystemExit: print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for name in (*(f"casinowar.cli.{command}" for command in COMMANDS), "casinowar.engine", "msgspec", "rich"):
        assert f"'{name}'" not in loaded


@pytest.mark.parametrize("args", [("replay", "-"), ("rules", "list"), ("rules", "show", "nz")])
def test_rich_is_not_needed(args: tuple[str, ...], tmp_path: Path) -> None:
    """With a `rich` that cannot be imported, as where the play extra is not installed."""
    (tmp_path / "rich.py").write_text("raise ImportError('rich')")
    args = tuple(str(FIRST) if arg == "-" else arg for arg in args)
    done = spawn(*args, env={"PYTHONPATH": str(tmp_path)})
    assert (done.status, done.err) == (0, "")


def test_start_is_quick() -> None:
    """The best of a few starts, with room for a slow machine."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        assert spawn("--help").status == 0
        times.append(time.perf_counter() - begin)
    assert min(times) < 1.0


def test_shell_completion() -> None:
    words = {"COMP_WORDS": "casinowar re", "COMP_CWORD": "1"}
    done = spawn(env={"_CASINOWAR_COMPLETE": "bash_complete", **words})
    assert done.out == "plain,replay\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("args", ["rules list", "rules show nz", "replay", "replay --json", "play", "--help"])
def test_a_full_disk_is_one_line(args: str) -> None:
    """Standard output is buffered, as it is unless the environment says otherwise: the interpreter tries it again."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "casinowar", *args.split(), *([str(FIRST)] if "replay" in args else [])]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, env=environment, timeout=60
        )
    assert done.returncode == 2
    assert done.stderr == b"casinowar: cannot write: No space left on device\n"


def test_closed_standard_output_is_no_trouble() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m casinowar rules list >&-"], stderr=subprocess.PIPE, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_keeps_every_folder_of_its_tools_in_the_project(tmp_path: Path) -> None:
    """With an empty home folder. A toolchain that is there already is used where it is."""
    project = Path(__file__).parents[2]

    def exported() -> dict[str, str]:
        command = ["make", "--no-print-directory", "--eval", "environment: ; @env", "environment"]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=True)
        return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)

    at_first = exported()
    folders = ("XDG_CACHE_HOME", "PIP_CACHE_DIR", "UV_CACHE_DIR", "RUSTUP_HOME", "CARGO_HOME")
    assert [name for name in folders if not at_first[name].startswith(f"{project}/.cache")] == []
    (tmp_path / ".rustup").mkdir()
    assert exported()["RUSTUP_HOME"] == str(tmp_path / ".rustup")


def test_no_colour_even_on_request() -> None:
    done = spawn("rules", "show", "nz", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"})
    assert done.status == 0
    assert "\x1b" not in done.out


def test_main_is_the_installed_command() -> None:
    from importlib.metadata import entry_points

    (command,) = entry_points(group="console_scripts", name="casinowar")
    assert command.load() is cli.main


def test_what_is_no_number_is_told_in_words() -> None:
    for args, says in (
        (("simulate", "--seed", "zulu"), "'zulu' is not a whole number"),
        (("odds", "--decks", "1.5"), "'1.5' is not a whole number"),
        (("bench", "--seconds", "x"), "'x' is not a number"),
    ):
        done = run(*args)
        assert done.status == 2
        assert says in done.err
        assert "range" not in done.err


def test_a_name_of_any_length_makes_no_error_of_any_length(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(f'extends = "{"z" * 50_000}"\ntitle = "Mine"\nversion = "1"\n')
    done = run("rules", "check", str(tmp_path / "mine.toml"))
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert len(done.err) < 2_500
    assert "mine.toml" in done.err
