"""Run the command line in a test: in this process, or as a user's shell would."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from casinowar.cli import main


class Ran(NamedTuple):
    """How a command ended: its exit status and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line that a command which could not be done leaves on standard error."""
        assert self.status == 2
        assert self.out == ""
        assert self.err.count("\n") == 1, self.err
        return self.err.removesuffix("\n")


def run(*args: str, stdin: str | bytes = "") -> Ran:
    """In this process, with click's streams."""
    with CliRunner().isolation(input=stdin) as (out, err, _):
        with pytest.raises(SystemExit) as exit:
            main(args)
        sys.stdout.flush()
        sys.stderr.flush()
        return Ran(int(exit.value.code or 0), out.getvalue().decode(), err.getvalue().decode())


def spawn(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, user: int | None = None) -> Ran:
    """In a process of its own, as `python -m casinowar`; with `user` as another user, which root alone can do."""
    done = subprocess.run(
        [sys.executable, "-m", "casinowar", *args],
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        user=user,
        extra_groups=None if user is None else [],
        timeout=240,  # The longest is to compile the kernel, beside much other work.
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
