"""Wheel and sdist carry the built page with its notices, and a wheel out of the sdist is made without Node."""

import json
import re
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


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made of the sdist, where there is no Node."""
    out = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(out / "unpacked")
    (folder,) = (out / "unpacked").iterdir()
    return hatch(folder, "wheel", out / "built", PATH=str(out / "nowhere"))


def test_a_wheel_is_made_of_the_sdist_without_node(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        document = archive.read(f"{PAGE}index.html").decode()
    scripts = [name for name in names if name.startswith(f"{PAGE}assets/") and name.endswith(".js")]
    assert scripts
    assert any(name.removeprefix(PAGE) in document for name in scripts)
    assert "casinowar/reports/leaf_words.toml" in names
    assert not any(name.startswith(("web/", "tests/")) for name in names)


def imported_libraries() -> set[str]:
    """What the page's own code imports of others, and what compiled Svelte does."""
    sources = [file for file in (ROOT / "web" / "src").rglob("*") if file.suffix in {".ts", ".svelte"}]
    code = "".join(file.read_text("utf-8") for file in sources if ".test." not in file.name)
    paths = re.findall(r"""^import (?!type)[^;]*?from ['"]((?:@[\w-]+/)?[\w-]+)[/'"]""", code, re.MULTILINE)
    return {*paths, "svelte"}


def test_the_wheel_has_the_licence_of_every_library_inside_the_page(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        notices = archive.read(f"{PAGE}NOTICES.txt").decode()
    heads = re.findall(r"^-{80}\n(\S+) (\S+) \((.+)\)$", notices, re.MULTILINE)
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    assert {"@noble/hashes", "svelte"} <= imported_libraries() <= {name for name, _, _ in heads}
    for name, version, licence in heads:
        assert packages[f"node_modules/{name}"]["version"] == version
        text = notices.partition(f"\n{name} {version} ({licence})\n")[2].partition("-" * 80)[0]
        assert "Permission is hereby granted" in text
        assert "Copyright" in text
