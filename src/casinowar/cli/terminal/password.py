"""The prompt for a new password: at the terminal without echo, or from standard input; never from the arguments."""

import sys
import warnings
from getpass import GetPassWarning, getpass

import click

MOST_BYTES = 4_096


def read_password(*, from_stdin: bool) -> str:
    return _read_stdin() if from_stdin else _read_terminal()


def _read_stdin() -> str:
    """The first line of standard input, or all of it where it has no end of line."""
    line = sys.stdin.buffer.readline(MOST_BYTES)
    try:
        return line.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise click.ClickException("the password on standard input is not UTF-8") from None


def _read_terminal() -> str:
    """The password typed at the terminal, twice, since what is typed cannot be seen."""
    if not sys.stdin.isatty():
        raise click.ClickException("there is no terminal to ask for the password: use --password-stdin")
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            typed = getpass("Password: ")
            again = getpass("Again: ")
        except GetPassWarning:
            raise click.ClickException("this terminal would show the password: use --password-stdin") from None
    if typed != again:
        raise click.ClickException("the two passwords differ: nothing was changed")
    return typed
