"""Somebody who follows a page: writes its files, types its commands, runs its examples, all in one empty folder."""

import doctest
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.support.commandline import Ran, run
from tests.support.doc_blocks import ROOT, Block, Shown, commands_in

FLAGS = doctest.ELLIPSIS
PORT = "8080"
"""The port that pages name; a test takes a free one."""

TYPED_AT = ("play", "deal")
"""Commands at which lines are typed: what stands behind a prompt."""


class Reader:
    """A reader with a folder, a home of their own, and a port where a server may listen."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.server: subprocess.Popen[str] | None = None
        self.port = _free_port()
        home = folder.parent / f"{folder.name}.home"
        home.mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)
        monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR") or str(ROOT / ".cache" / "numba"))
        for variable, part in (("HOME", ""), ("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share")):
            monkeypatch.setenv(variable, str(home / part))
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(folder)

    def follow(self, block: Block) -> None:
        """Do what a block says, and hold what comes of it to what the block shows."""
        if "not run" in block.remarks:
            return
        text = block.text.replace(PORT, str(self.port))
        if "file" in block.remarks:
            (self.folder / block.remarks["file"]).write_text(text, "utf-8")
        elif block.language == "python" and ">>>" in text:
            self._try_examples(block, text)
        elif block.language == "python":
            with redirect_stdout(StringIO()):
                exec(compile(text, block.where, "exec"), self.names)
        else:
            for shown in commands_in(text):
                self._type(block, shown)

    def close(self) -> None:
        """Stop the server that the page has started."""
        if self.server is not None:
            self.server.send_signal(signal.SIGINT)
            self.server.communicate()
            self.server = None

    def _try_examples(self, block: Block, text: str) -> None:
        test = doctest.DocTestParser().get_doctest(text, self.names, block.where, str(block.page), block.line)
        told = StringIO()
        failed, tried = doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(
            test, out=told.write, clear_globs=False
        )
        self.names.update(test.globs)
        assert (failed, tried > 0) == (0, True), told.getvalue()

    def _type(self, block: Block, shown: Shown) -> None:
        line = shown.line
        if line.endswith(" &"):
            self._start_server(block, shlex.split(line.removesuffix("&")))
        elif line.startswith("kill "):
            self.close()
        else:
            self._call(block, shown)

    def _call(self, block: Block, shown: Shown) -> None:
        line, _, file = shown.line.partition(" > ")
        program, *args = shlex.split(line)
        ran = self._run(block, program, args, shown.output)
        assert ran.status == int(block.remarks.get("status", "0")), f"{block.where}: {line}: {ran.err}{ran.out}"
        if file:
            (self.folder / file).write_text(ran.out, "utf-8")
            ran = Ran(ran.status, "", ran.err)
        check(block, line, shown.output, ran.out + ran.err)

    def _run(self, block: Block, program: str, args: list[str], shown: str) -> Ran:
        if program == "casinowar":
            typed = re.findall(r" >(?: (.*))?$", shown, re.MULTILINE) if args[0] in TYPED_AT else []
            return run(*args, stdin="".join(f"{one}\n" for one in typed))
        assert program == "python", f"{block.where}: a test cannot run {program}"
        done = subprocess.run([sys.executable, *args], capture_output=True, text=True)
        return Ran(done.returncode, done.stdout, done.stderr)

    def _start_server(self, block: Block, line: list[str]) -> None:
        assert line[:2] == ["casinowar", "serve"], f"{block.where}: only a server is left running"
        self.server = subprocess.Popen(
            [sys.executable, "-m", *line], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ
        )
        assert self.server.stdout is not None
        assert self.server.stdout.readline().strip() == f"http://127.0.0.1:{self.port}/", block.where


def check(block: Block, line: str, shown: str, came: str) -> None:
    """Fail where a command printed something else than the page shows; `...` stands for anything."""
    if not shown.strip() or doctest.OutputChecker().check_output(_plain(shown), _plain(came), FLAGS):
        return
    pytest.fail(f"{block.where}: {line} printed\n{came}\nand the page shows\n{shown}", pytrace=False)


def _plain(text: str) -> str:
    """The text without spaces at the ends of lines and without empty lines at its own."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
