"""Completion as somebody types: what each place knows, and the same in the shells that are installed here."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import CompletionItem

from casinowar.cli import COMPLETION, casinowar
from casinowar.cli.completion import SHELLS
from casinowar.cli.completion.shells import BashWords, FishWords, ZshWords
from casinowar.engine.roles import GRANTED
from casinowar.reports.rulings.incidents import BY_SLUG
from casinowar.rulebooks import BOOKS, load_clauses, load_rulebook
from casinowar.rulebooks.vocabulary import KEYS
from tests.support.commandline import run, spawn
from tests.support.terminal import Terminal


def offered(line: str) -> list[CompletionItem]:
    """What is offered for the last word of the line."""
    *args, typed = line.split(" ")
    return ZshWords(casinowar, {}, "casinowar", COMPLETION).get_completions(args, typed)


def words(line: str) -> list[str]:
    return [item.value for item in offered(line)]


def test_books_and_their_editions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "casinowar").mkdir()
    (tmp_path / "casinowar" / "club.toml").write_text('extends = "nz"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert words("odds --rulebook ") == [*BOOKS, "club"]
    assert words("odds --rulebook ca") == ["ca", "ca@1"]
    assert words("odds --rulebook ca@") == ["ca@1"]
    assert words("rules diff ca@1 c") == ["ctg", "ca", "club"]
    assert words("compare nz cl") == ["club"]
    assert [item.type for item in offered("odds --rulebook ./mine")] == ["file"]


def test_clauses_by_book() -> None:
    assert words("rules clause ") == [f"{book.upper()}-" for book in BOOKS]
    assert words("rules clause nz-5.13") == [id for id in load_clauses() if id.startswith("NZ-5.13")]
    assert set(words("rules clause MA-")) == {id for id in load_clauses() if id.startswith("MA-")}


def test_incidents() -> None:
    assert words("ruling --rulebook ma ") == list(BY_SLUG)
    assert words("ruling face_up") == ["face-up-card", "face-up-cards"]


def test_options_are_those_of_the_book() -> None:
    settable = [f"{key}=" for key, leaf in load_rulebook("wa").leaves.items() if leaf.allowed]
    assert words("play --rulebook wa --option ") == settable
    assert words("play --rulebook nz --option shoe.decks=") == [f"shoe.decks={decks}" for decks in (4, 5, 6, 7, 8)]
    assert words("play --rulebook wa --option wager.a_bomb=") == ["wager.a_bomb=on", "wager.a_bomb=off"]
    assert words("rules show wa --option wager.a_bomb=of") == ["wager.a_bomb=off"]
    # The pay tables of pairs hang on the number of decks: WA-3.16.
    with_four = words("play --rulebook wa --option shoe.decks=4 --option perfect_pairs.table=")
    assert with_four
    assert with_four != words("play --rulebook wa --option shoe.decks=8 --option perfect_pairs.table=")


def test_leaves_come_group_by_group() -> None:
    assert words("odds --set ") == list(dict.fromkeys(f"{key.partition('.')[0]}." for key in KEYS))
    assert words("odds --set surrender.") == [f"{key}=" for key in KEYS if key.startswith("surrender.")]
    assert words("odds --set=surrender.forf") == ["--set=surrender.forfeit="]
    assert words("odds --set payout.war.on_tie=")[0] == "payout.war.on_tie=2:1"
    assert {"payout.war.on_tie=push", "payout.war.on_tie=lose"} < set(words("odds --set payout.war.on_tie="))
    assert "irreg.face_up=use" in words("odds --set irreg.face_up=")
    assert words("solve shoe.d") == ["shoe.decks"]


def test_wagers_and_strategies() -> None:
    assert words("odds --rulebook wa --combine initial,t") == ["initial,tie"]
    assert "initial" not in words("odds --combine initial,")
    assert words("solve payout.tie.on_win --wager t") == ["tie"]
    assert words("odds --strategy ") == ["war", "surrender", "best"]
    assert words("simulate --rulebook wa --strategy ") == [
        *("war", "surrender", "best"),
        *("tie=", "a_bomb=", "perfect_pairs=", "war_perfect_pairs="),
    ]
    assert words("simulate --strategy tie=") == ["tie=never", "tie=always", "tie=count:"]
    assert words("simulate --until ti") == ["tie.se="]
    assert words("simulate --ruling ") == ["dry_shoe=shuffle_discards", "dry_shoe=void"]


def test_roles_and_limits_and_shells() -> None:
    assert words("admin grant ana ") == list(GRANTED)
    assert "sockets_per_address=" in words("serve --limit so")
    assert words("completion ") == list(SHELLS) == ["bash", "zsh", "fish"]


def test_commands_are_offered_without_importing_them() -> None:
    code = (
        "import sys, casinowar.cli as cli\ntry: cli.main([])\n"
        "except SystemExit: print(sorted(name for name in sys.modules if name.startswith('casinowar.')))"
    )
    environment = {**os.environ, COMPLETION: "bash_complete", "COMP_LINE": "casinowar ", "COMP_WORDBREAKS": "="}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    *offered, loaded = told.stdout.splitlines()
    assert len(offered) == len(words(""))
    assert "casinowar.cli.odds" not in loaded
    assert "casinowar.rulebooks" not in loaded


def commands(group: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, click.Command]]:
    if not isinstance(group, click.Group):
        return [(" ".join(path), group)]
    with click.Context(group) as ctx:
        inner = [(name, group.get_command(ctx, name)) for name in group.list_commands(ctx)]
    own = [(" ".join(path), group)] if path and any(param.opts != ["--help"] for param in group.params) else []
    return own + [found for name, one in inner if one is not None for found in commands(one, (*path, name))]


FILES = {"FILE", "[FILE]", "FILE|HEX", "FILE|URL...", "[FILE]..."}


def test_a_file_is_offered_wherever_a_file_is_meant() -> None:
    meant = [(name, param) for name, command in commands(casinowar) for param in command.params if is_file(param)]
    assert len(meant) > 15
    for name, param in meant:
        command = dict(commands(casinowar))[name]
        with click.Context(command, info_name=name) as ctx:
            types = {item.type for item in param.shell_complete(ctx, "x")}
        assert types <= {"file", "dir"}, (name, param.name)
        assert types, (name, param.name)


def is_file(param: click.Parameter) -> bool:
    name = str(param.metavar or "") or (param.human_readable_name.upper() if isinstance(param, click.Argument) else "")
    return name in FILES or isinstance(param.type, click.Path)


@pytest.mark.parametrize(
    "line", ["odds --rulebook nowhere --set shoe.decks=", "rules clause HOUSE", "nothing ", "odds -"]
)
def test_what_cannot_be_completed_is_silent(line: str) -> None:
    environment = {COMPLETION: "bash_complete", "COMP_LINE": f"casinowar {line}", "COMP_WORDBREAKS": "=:@"}
    assert spawn(env=environment).err == ""


def test_a_house_rulebooks_own_clauses(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('extends = "nz"\n[war]\nburn = 0\n')
    assert words(f"rules clause --rulebook {tmp_path}/club.toml HOUSE-") == ["HOUSE-war.burn"]


def test_bash_gets_the_part_of_a_word_that_it_takes_for_the_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMP_WORDBREAKS", " =:@")

    def told(line: str) -> str:
        monkeypatch.setenv("COMP_LINE", line)
        return BashWords(casinowar, {}, "casinowar", COMPLETION).complete()

    assert told("casinowar odds --set payout.war.on_tie=p") == "plain,push"
    assert told("casinowar odds --set=payout.war.on_tie=p") == "plain,push"
    assert told("casinowar odds --rulebook ca@") == "plain,@1"
    assert told("casinowar odds --set payout.war.on_tie=2:").splitlines()[0] == "plain,1"
    monkeypatch.setenv("COMP_WORDBREAKS", " ")
    assert told("casinowar odds --rulebook ca@") == "plain,ca@1"


def test_fish_knows_no_word_that_goes_on() -> None:
    item = CompletionItem("shoe.decks=", type="part")
    assert FishWords(casinowar, {}, "casinowar", COMPLETION).format_completion(item).startswith("plain,shoe.decks=")


def test_the_shell_is_named_or_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    assert run("completion").out == run("completion", "zsh").out
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert run("completion").error == (
        "casinowar completion: name the shell: bash, zsh, fish (see casinowar completion --help)"
    )


INSTALLED = {
    "bash": (".bashrc", "bash", "-i"),
    "zsh": (".zshrc", "zsh", "-i"),
    "fish": (".config/fish/completions/casinowar.fish", "fish", "-i"),
}
"""Where the documented line puts the script, and how the shell is started."""

TYPED = {
    "casinowar compl": "casinowar completion ",
    "casinowar odds --rulebook ct": "casinowar odds --rulebook ctg ",
    "casinowar odds --rulebook ctg@": "casinowar odds --rulebook ctg@1 ",
    "casinowar odds --set shoe.deck": "casinowar odds --set shoe.decks=",
    "casinowar odds --set=payout.war.on_tie=pu": "casinowar odds --set=payout.war.on_tie=push ",
    "casinowar rules clause CTG-W6": "casinowar rules clause CTG-W6 ",
    "casinowar ruling dama": "casinowar ruling damaged-card ",
    "casinowar simulate --wagers initial,ti": "casinowar simulate --wagers initial,tie ",
    "casinowar replay rec": "casinowar replay record.toml ",
    "casinowar audit --data dat": "casinowar audit --data data/",
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_in_a_real_shell(shell: str, tmp_path: Path) -> None:
    """Installed by the documented line, at a terminal: each line is typed, Tab pressed, and what it became printed."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    place, *command = INSTALLED[shell]
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "casinowar"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m casinowar "$@"\n')
    program.chmod(0o755)
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text(spawn("completion", shell).out)
    (tmp_path / "record.toml").touch()
    (tmp_path / "data").mkdir()
    start = f"import os; os.chdir({str(tmp_path)!r}); os.execvp({command[0]!r}, {command!r})"
    where = {"HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "PATH": f"{program.parent}:{os.environ['PATH']}"}
    inherited = {name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    inherited["XDG_CONFIG_HOME"] = str(tmp_path / ".config")
    terminal = Terminal(code=start, command="", **where, **inherited, COLUMNS="200")
    for typed, line in TYPED.items():
        terminal.type(f"{typed}\t\x05X\x01echo 'G''OT <\x05>'\n")
        # zsh takes the space or slash away again where the cursor moves off.
        terminal.expect(f"GOT <{line.rstrip(' /') if shell == 'zsh' else line}X>")
    terminal.type("exit\n")
    assert terminal.wait() == 0
