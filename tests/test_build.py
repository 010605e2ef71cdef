"""Wheel and sdist carry the built page, and a wheel out of the sdist is made without Node."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = "casinowar/web/page/"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "src" / PAGE / "index.html").exists(), reason="the page is not built here: make page"
    ),
]


def hatch(folder: Path, target: str, out: Path, **environment: str) -> Path:
    """Build in the folder; the one file that came of it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    done = subprocess.run(command, cwd=folder, env=environment or None, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (made,) = (file for file in out.iterdir() if file.is_file())
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hatch(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


def test_the_sdist_has_the_page_and_its_sources_and_nothing_that_was_fetched(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert f"src/{PAGE}index.html" in names
    assert any(name.startswith(f"src/{PAGE}assets/") for name in names)
    assert {"web/src/App.svelte", "web/package-lock.json", "web/build.py", "hatch_build.py"} <= set(names)
    assert not [name for name in names if "node_modules" in name or name.startswith(".cache")]


def test_a_wheel_is_made_of_the_sdist_without_node(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (folder,) = (tmp_path / "unpacked").iterdir()
    wheel = hatch(folder, "wheel", tmp_path / "wheel", PATH=str(tmp_path / "nowhere"))
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        document = archive.read(f"{PAGE}index.html").decode()
    scripts = [name for name in names if name.startswith(f"{PAGE}assets/") and name.endswith(".js")]
    assert scripts
    assert any(name.removeprefix(PAGE) in document for name in scripts)
    assert "casinowar/reports/leaf_words.toml" in names
    assert not any(name.startswith(("web/", "tests/")) for name in names)
