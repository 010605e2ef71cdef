"""The screen of line mode: lines that fit the width, questions, and colours where a terminal can show them."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress

from casinowar.cards import Card
from casinowar.cli.terminal.output import put

WIDEST = 80
ROOM = 8
"""Columns left for typing behind a question."""
KEYS = r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.)"
"""The bytes that arrow keys send where nothing edits the line."""
PLAIN = ("enable-bracketed-paste", "enable-meta-key")
"""Settings that would write more to the terminal than is shown."""
SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
STYLES = {
    r"\bYou(?=:)": "bold",
    r"\b(10|[2-9JQKA])[♥♦]": "bold red",
    r"\b(10|[2-9JQKA])[♠♣]": "bold",
    r"\bwins \d+|(?<=\s)\+\d+": "green",
    r"\bloses\b|(?<=\s)-\d+": "red",
    r"\b(NZ|WA|CTG|CA|MA|HOUSE)-[\w.-]*\w": "cyan",
}


class End(Exception):
    """The input is at its end, or nobody reads the output any more."""


class Screen:
    """The terminal as a table uses it: lines that are shown, and questions with their answers."""

    def __init__(self) -> None:
        self._print = _colouring() or put
        _edit_lines()
        self.has_symbols = _can_show("".join(SYMBOLS.values()) + "·")

    def card(self, card: Card) -> str:
        return card[0].replace("T", "10") + (SYMBOLS[card[1]] if self.has_symbols else card[1])

    def cards(self, hand: tuple[Card, ...]) -> str:
        return " ".join(self.card(card) for card in hand)

    def line(self, text: str = "", hang: int = 2) -> None:
        """A line, broken at spaces where it is too long; what follows hangs in by `hang` more than the line itself."""
        text = text if self.has_symbols else text.replace("·", "-")
        for part in self._wrap(text, hang):
            self._print(part)

    def _wrap(self, text: str, hang: int, room: int = 0) -> list[str]:
        margin = len(text) - len(text.lstrip())
        width = max(20, min(WIDEST, shutil.get_terminal_size().columns)) - room
        return textwrap.wrap(text, width, subsequent_indent=" " * (margin + hang), break_on_hyphens=False) or [""]

    def prompt(self, question: str) -> str:
        """The answer to a question. Piped answers are shown, so that the dialogue reads as it would at a terminal."""
        *before, last = self._wrap(question, hang=2, room=ROOM)
        for part in before:
            self._print(part)
        try:
            answer = re.sub(KEYS, "", input(f"{last} "))
        except (EOFError, BrokenPipeError):
            put("")
            raise End from None
        if not sys.stdin.isatty():
            put(answer)
        return " ".join(answer.split())


def _edit_lines() -> None:
    """Let arrow keys move in the line and bring back earlier ones, at a terminal and where Python was built for it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    with suppress(ImportError):
        import readline

        for setting in PLAIN:
            readline.parse_and_bind(f"set {setting} off")


def _can_show(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _colouring() -> Callable[[str], None] | None:
    """A printer with colours, where rich is installed, standard output is a terminal and NO_COLOR is not set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return None
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        return None
    console = Console(highlight=False, soft_wrap=True)

    def show(line: str) -> None:
        text = Text(line)
        for pattern, style in STYLES.items():
            text.highlight_regex(pattern, style)
        console.print(text)

    return show
