"""The account of the last full run of the tests, which is part of the package, and what a run here has written."""

import subprocess
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from casinowar.errors import CasinoWarError

FORMAT = "casinowar-clauses/1"
RESULTS = ".clauses.json"
"""What a full run writes into the project's folder, and no commit holds."""

PACKAGE = "src/casinowar"
DATA = f"{PACKAGE}/rulebooks/data"
NAME = "full_run.json"
ACCOUNT = f"{PACKAGE}/reports/{NAME}"
PARTS = {"tests": ("tests",), "rulebooks": (DATA,), "software": (PACKAGE, "web/src")}
"""What has a digest of its own, and in which folders it lies."""

DECIDING = ("tests", "rulebooks")
"""What makes the account stale when it changes. A change of the software is told, and leaves the account as it is."""

APART = (DATA, ACCOUNT, f"{PACKAGE}/web/page")
"""No part of the software: what has its own digest, what holds the digests, and what is built."""


class RunError(CasinoWarError, ValueError):
    """Results of a test run that cannot be used. `needs_run` where a full run would help."""

    def __init__(self, reason: str, needs_run: bool = False) -> None:
        super().__init__(reason)
        self.needs_run = needs_run


class MarkedTests(msgspec.Struct, frozen=True, omit_defaults=True):
    """The tests of one clause: how many ran, whether all of those passed, how many could not run, and their files."""

    tests: int
    passed: bool
    not_run: int = 0
    modules: tuple[str, ...] = ()


class Run(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a test run has shown. `not_run` has the marked tests that could not run, by reason.

    `commit` is empty where the folder differed from what was checked out when the run began.
    """

    format: str
    commit: str = ""
    is_whole: bool = False
    digests: dict[str, str] = {}
    failed: tuple[str, ...] = ()
    not_run: dict[str, tuple[str, ...]] = {}
    clauses: dict[str, MarkedTests] = {}


def parse_run(content: bytes) -> Run:
    try:
        run = msgspec.json.decode(content, type=Run)
    except msgspec.DecodeError as error:
        raise RunError(f"no results of a test run: {error}") from None
    if run.format != FORMAT:
        raise RunError(f"format {run.format!r} is unknown: this reads {FORMAT!r}")
    return run


def dump_run(run: Run) -> bytes:
    """The run as JSON with a line for each clause, so that a difference can be read."""
    head = msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(run, clauses={})), indent=1)
    clauses = (f"  {_encode(clause)}: {_encode(tests)}" for clause, tests in sorted(run.clauses.items()))
    return head.removesuffix(b"\n}") + (',\n "clauses": {\n' + ",\n".join(clauses) + "\n }\n}\n").encode()


def _encode(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def load_account() -> Run:
    return _read(Path(__file__).with_name(NAME))


def read_results(project: Path) -> Run:
    """What the last full run in this checkout has shown."""
    return _read(project / RESULTS)


def _read(file: Path) -> Run:
    """Read a run. A file that is missing or damaged, as by a merge, gives an empty run."""
    try:
        return parse_run(file.read_bytes())
    except (OSError, RunError):
        return Run(FORMAT)


def digests(project: Path) -> dict[str, str]:
    """A digest of the content of each part of a checkout."""
    return {part: _digest(project, folders) for part, folders in PARTS.items()}


def _digest(project: Path, folders: tuple[str, ...]) -> str:
    lines = [f"{sha256((project / name).read_bytes()).hexdigest()} {name}\n" for name in _names(project, folders)]
    return sha256("".join(lines).encode()).hexdigest()


def _names(project: Path, folders: tuple[str, ...]) -> Iterator[str]:
    """The files of some folders as paths from the project's folder, sorted, without what the interpreter writes."""
    for folder in folders:
        found = (file for file in (project / folder).rglob("*") if "__pycache__" not in file.parts and file.is_file())
        for name in sorted(file.relative_to(project).as_posix() for file in found):
            if folder in APART or not name.startswith(APART):
                yield name


def changed_since(run: Run, project: Path) -> tuple[str, ...]:
    """The parts of a checkout that are not as they were in the run."""
    return changed_from(run, digests(project))


def changed_from(run: Run, now: Mapping[str, str]) -> tuple[str, ...]:
    """The parts of a checkout with these digests that are not as they were in the run."""
    return tuple(part for part, digest in now.items() if run.digests.get(part) != digest)


def commit_of(project: Path) -> str:
    """The commit that is checked out; empty where git knows none, or more than the account differs from it."""
    changed = [line for line in _git(project, "status", "--porcelain").splitlines() if not line.endswith(ACCOUNT)]
    return "" if changed else _git(project, "rev-parse", "HEAD").strip()


def _git(project: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=project, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def renew_account(project: Path) -> Run:
    """Write the results of the full run of this tree into the package."""
    commit = commit_of(project)
    if not commit:
        raise RunError("the account names the commit that it was run on: commit what you have changed first")
    run = read_results(project)
    if not run.is_whole or changed_since(run, project):
        raise RunError("there has been no full run of this tree: make test", needs_run=True)
    if run.failed:
        raise RunError(f"the full run did not pass: {', '.join(run.failed)}")
    if run.not_run:
        raise RunError(f"tests of clauses could not run: {'; '.join(run.not_run)}")
    account = msgspec.structs.replace(run, commit=run.commit or commit)
    (project / ACCOUNT).write_bytes(dump_run(account))
    return account
