"""The audit that staff start from the pit: `casinowar audit` as a process of its own, over the same store."""

import asyncio
import contextlib
import os
import sys
from pathlib import Path
from typing import Any, Literal

import msgspec

SECONDS = 900.0
ROUNDS = 500
"""So many rounds, chosen by chance, are replayed; the command line can replay all."""

MOST_FINDINGS = 50


class AuditState(msgspec.Struct, frozen=True):
    """Whether one runs, and what the last one said and when. `failed` is an audit that came to no end."""

    state: Literal["none", "running", "sound", "unsound", "failed"] = "none"
    at: int | None = None
    findings: tuple[str, ...] = ()
    counts: dict[str, int] = {}


class BackgroundAudit:
    """The audit in the background, one at a time. It runs in a process of its own, and cannot hold up a table."""

    def __init__(self, place: Path | str, key: str) -> None:
        self._place, self._key = place, key
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self.state = AuditState()

    def start(self, now: int) -> AuditState:
        if self._task is None or self._task.done():
            self.state = AuditState("running", now)
            self._task = asyncio.get_running_loop().create_task(self._run(now))
        return self.state

    async def _run(self, now: int) -> None:
        try:
            output = await asyncio.wait_for(self._output(), SECONDS)
            self.state = _audit_state(msgspec.json.decode(output), now)
        except (TimeoutError, OSError, msgspec.MsgspecError, KeyError) as error:
            self.stop()
            self.state = AuditState("failed", now, (f"the audit came to no end: {type(error).__name__}",))

    async def _output(self) -> bytes:
        # A URL may hold a password, and everybody on the machine can read the words of a command.
        is_file = isinstance(self._place, Path)
        environment = None if is_file else {**os.environ, "CASINOWAR_DATABASE": str(self._place)}
        file = (str(self._place), "--jobs", "1") if is_file else ()
        words = ("-m", "casinowar", "audit", *file, "--rounds", str(ROUNDS), "--json")
        key = ("--key", self._key) if self._key else ()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            *key,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        output, _ = await self._process.communicate()
        return output

    def stop(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()


def _audit_state(verdict: dict[str, Any], now: int) -> AuditState:
    findings = [f"{one['where']}: {one['what']}" for one in verdict["findings"]]
    more = len(findings) - MOST_FINDINGS
    told = (*findings[:MOST_FINDINGS], *([f"and {more} more"] if more > 0 else []))
    return AuditState("sound" if not findings else "unsound", now, told, verdict["counts"])
