"""The cache of the compiled kernel: kept where a folder can be written, and done without where none can."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from casinowar.sim.kernel import compilation

NOWHERE = "/dev/null/nowhere"
"""A folder that nobody can make, whoever asks."""

FIRST_RESULT = """
import time
from casinowar.rulebooks import load_rulebook
from casinowar.sim import make_plan, run
result = run(make_plan(load_rulebook("nz"), boxes=2), 1, 100000)
result = run(make_plan(load_rulebook("nz")), 1, 100000)
print(result.rounds, time.process_time())
"""


def set_folders(monkeypatch: pytest.MonkeyPatch, home: str, temporary: str) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    monkeypatch.setattr("tempfile.tempdir", temporary)


def test_the_users_cache_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_folders(monkeypatch, str(tmp_path), NOWHERE)
    folder = compilation.cache_folder()
    assert folder is not None
    assert folder.parent == tmp_path / ".cache" / "casinowar" / "numba"


def test_a_home_that_cannot_be_written_falls_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_folders(monkeypatch, NOWHERE, str(tmp_path))
    folder = compilation.cache_folder()
    assert folder is not None
    assert folder.parents[1] == tmp_path


def test_with_no_folder_at_all_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    set_folders(monkeypatch, NOWHERE, NOWHERE)
    assert compilation.cache_folder() is None


def test_a_folder_that_others_can_write_is_not_trusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_folders(monkeypatch, NOWHERE, str(tmp_path))
    folder = compilation.cache_folder()
    assert folder is not None
    folder.chmod(0o777)
    assert compilation.cache_folder() is None


def test_a_warm_cache_beside_a_read_only_home_needs_no_compiler(tmp_path: Path) -> None:
    """Start to first results in processor time: compiling alone takes five times as long."""
    warm = compilation.cache_folder()
    assert warm is not None
    kept = tmp_path / f"casinowar-numba-{os.getuid()}"
    kept.mkdir(mode=0o700)
    shutil.copytree(warm, kept / warm.name)
    env = {key: value for key, value in os.environ.items() if key not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    env |= {"HOME": NOWHERE, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_RESULT], env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    rounds, seconds = done.stdout.split()
    assert int(rounds) == 100_000
    assert float(seconds) < 2.5


def test_whatever_is_compiled_in_is_in_the_digest() -> None:
    """A module whose numbers the kernel takes and that the digest leaves out would leave old code in the cache."""
    kernel = Path(compilation.__file__).parent
    taken = set()
    for source in kernel.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "casinowar.sim":
                taken |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("casinowar.sim."):
                taken.add(str(node.module).split(".")[2])
    assert taken - {"kernel"} == set(compilation.NUMBERS)
