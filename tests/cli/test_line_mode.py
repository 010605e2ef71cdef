"""Line mode at a terminal: arrow keys edit the line and bring back earlier ones, in `play` and in `deal`."""

import re

import pytest

from tests.support.commandline import spawn
from tests.support.terminal import Terminal

UP, LEFT, RIGHT, HOME = "\x1b[A", "\x1b[D", "\x1b[C", "\x1b[H"
NO_READLINE = "import sys; sys.modules['readline'] = None; from casinowar.cli import main; main(sys.argv[1:])"


def test_arrow_keys_at_the_table() -> None:
    """The up arrow brings the bet of the round before; the left one goes back into what was typed."""
    pytest.importorskip("readline")
    terminal = Terminal("--seed", "terminal", "--bots", "0", NO_COLOR="1")
    terminal.expect("no to pass. >")
    terminal.type("\n")
    terminal.expect("quit. >")
    terminal.type(f"30{LEFT}{LEFT}{LEFT}{RIGHT}{RIGHT}0\n")
    terminal.expect("You: Casino War 300")
    terminal.expect("> ")
    terminal.type(f"{UP}\n")
    terminal.expect("You: Casino War 300")
    terminal.expect("> ")
    terminal.type("quit\n")
    terminal.expect("You leave after 2 rounds")
    assert terminal.wait() == 0
    assert "^[" not in terminal.seen
    assert "\x1b[A" not in terminal.seen


def test_arrow_keys_at_the_dealers_console() -> None:
    pytest.importorskip("readline")
    terminal = Terminal(command="deal", NO_COLOR="1")
    terminal.expect("] >")
    terminal.type(f"uy ana 50{HOME}b\n")
    terminal.expect("ana buys")
    terminal.expect("] >")
    terminal.type(f"{UP}\n")
    terminal.expect("ana buys")
    terminal.expect("] >")
    terminal.type("quit\n")
    terminal.expect("ana: 100")
    assert terminal.wait() == 0
    assert "^[" not in terminal.seen


@pytest.mark.parametrize("command", ["play", "deal"])
def test_where_nothing_edits_lines_keys_do_not_land_in_the_answer(command: str) -> None:
    terminal = Terminal(command=command, code=NO_READLINE, NO_COLOR="1")
    terminal.expect(">")
    terminal.type(f"{UP}qu{LEFT}{RIGHT}it\n")
    terminal.expect("You leave after 0 rounds" if command == "play" else "The night ends after 0 rounds")
    assert terminal.wait() == 0


@pytest.mark.parametrize("command", ["play", "deal"])
def test_a_pipe_is_read_as_before(command: str) -> None:
    told = spawn(command, stdin=f"{UP}quit\n".encode(), env={"TERM": "xterm"})
    assert (told.status, told.err) == (0, "")
    assert re.search("You leave after 0 rounds|The night ends after 0 rounds", told.out)
    assert "\x1b" not in told.out
