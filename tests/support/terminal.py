"""A pseudo-terminal with a command of `casinowar` in it, typed at and read as by a person."""

import os
import pty
import select
import sys
import time


class Terminal:
    """A real `casinowar play`, or another command, at a pseudo-terminal."""

    def __init__(self, *args: str, code: str = "", command: str = "play", **env: str) -> None:
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
        environment |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8", **env}
        program = ["-c", code] if code else ["-m", "casinowar"]
        line = [sys.executable, *program, command, *args]
        self.seen, self.met = "", 0
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, line, environment)

    def interrupt(self, words: str) -> None:
        """Ctrl-C until the words come: one that falls between prompt and read waits for another key."""
        for _ in range(5):
            self.type("\x03")
            try:
                return self.expect(words, seconds=4)
            except TimeoutError:
                continue
        raise AssertionError(f"{words!r} did not come; seen: {self.seen}")

    def expect(self, words: str, seconds: int = 20) -> None:
        """Read until the words have come after those expected last."""
        deadline = time.monotonic() + seconds
        while (found := self.seen.find(words, self.met)) < 0:
            ready, _, _ = select.select([self.master], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"{words!r} did not come; seen: {self.seen}")
            try:
                self.seen += os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError(f"{words!r} did not come before the end; seen: {self.seen}") from None
        self.met = found + len(words)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait(self) -> int:
        _, status = os.waitpid(self.pid, 0)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)
