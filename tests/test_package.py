"""What is installed: the same bytes from every build, and a package that runs with each extra alone."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from importlib import metadata
from pathlib import Path

import pytest

from tests.support.bare_install import PROJECT, requirements_of
from tests.test_build import ROOT, hatch, pytestmark  # noqa: F401
from tests.test_extras import ALONE, FIRST


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hatch(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


def unpacked(sdist: Path, folder: Path, mode: int, moment: int) -> Path:
    """The sdist in a folder of its own, where its files have these modes and times."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder)
    (inside,) = folder.iterdir()
    for file in inside.rglob("*"):
        if file.is_file():
            file.chmod(mode | (file.stat().st_mode & 0o100))
            os.utime(file, (moment, moment))
    return inside


@pytest.fixture(scope="module")
def builds(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    """Wheel and sdist, built in two folders whose files have other modes and times, under other clocks' zones."""
    made = []
    for name, mode, moment, zone in (("one", 0o644, 1_600_000_000, "UTC"), ("two/deeper", 0o600, 10**9, "Asia/Tokyo")):
        folder = tmp_path_factory.mktemp("build") / name
        folder.mkdir(parents=True)
        project = unpacked(sdist, folder / "source", mode, moment)
        environment = {"PATH": os.environ["PATH"], "TZ": zone}
        made.append(tuple(hatch(project, kind, folder / kind, **environment) for kind in ("wheel", "sdist")))
    return [(wheel, again) for wheel, again in made]


def test_two_builds_have_one_digest(sdist: Path, builds: list[tuple[Path, Path]]) -> None:
    (wheel, again), (other_wheel, other) = builds
    assert digest(wheel) == digest(other_wheel)
    assert digest(again) == digest(other) == digest(sdist), "a build of the sdist is the sdist again"
    assert digest(hatch(ROOT, "wheel", wheel.parent.parent / "of-the-tree")) == digest(wheel)


def test_the_index_gets_a_text_without_pictures_and_links_into_the_project(builds: list[tuple[Path, Path]]) -> None:
    with zipfile.ZipFile(builds[0][0]) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        told = Parser().parsestr(archive.read(name).decode())
    text = str(told.get_payload())
    assert told["Description-Content-Type"] == "text/markdown"
    assert told["Author"] == "the casinowar developers"
    assert (told["Author-email"], told["Home-page"], told.get_all("Project-URL")) == (None, None, None)
    assert text.startswith("# casinowar\n")
    assert "![" not in text
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(text) > 0.8 * len(readme)
    for block in re.findall(r"^```.*?^```$", readme, re.MULTILINE | re.DOTALL):
        assert block in text


def test_the_citation_is_that_of_the_project() -> None:
    """The fields that the Citation File Format demands, and ours: version, author and licence of pyproject.toml."""
    lines = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    fields = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    assert {"cff-version", "message", "title"} <= fields.keys()
    assert "authors:" in lines
    assert (fields["cff-version"], fields["type"], fields["title"]) == ("1.2.0", "software", PROJECT["name"])
    assert (fields["version"], fields["license"]) == (PROJECT["version"], PROJECT["license"])
    assert f"  - name: {PROJECT['authors'][0]['name']}" in lines


def test_a_build_with_another_citation_is_refused(sdist: Path, tmp_path: Path) -> None:
    project = unpacked(sdist, tmp_path / "source", 0o644, 10**9)
    file = project / "CITATION.cff"
    file.write_text(file.read_text("utf-8").replace(f"version: {PROJECT['version']}", "version: 9"), encoding="utf-8")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "built")]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300)
    assert done.returncode != 0
    assert "CITATION.cff is not what pyproject.toml says" in done.stderr


LIGHT = {
    "play": ["play", "--seed", "x", "--rulebook", "nz"],
    "report": ["par", "--rulebook", "nz", "--html", "sheet.html"],
    "sim": ["simulate", "--rounds", "1000", "--seed", "1"],
    "server": ["admin", "log"],
}
"""What is called with an extra installed; the others have no command of their own."""


def installed(folder: Path, package: Path, extras: tuple[str, ...], *more: str) -> Path:
    """A new environment with the package in it, and of what is installed here only what the extras name."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    python = folder / "bin" / "python"
    (site,) = (folder / "lib").glob("python3*/site-packages")
    for name in closure(
        [*PROJECT["dependencies"], *(one for extra in extras for one in requirements_of(extra)), *more]
    ):
        for top in {file.parts[0] for file in metadata.files(name) or () if file.parts[0] not in ("..", "__pycache__")}:
            here = Path(str(metadata.distribution(name).locate_file(top)))
            if here.exists() and not (site / top).exists():
                (site / top).symlink_to(here)
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps"]
    done = subprocess.run(
        [*command, "--no-build-isolation", str(package)], capture_output=True, text=True, timeout=300,
        env={**os.environ, "PIP_CONFIG_FILE": os.devnull, "PYTHONNOUSERSITE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "bin" / "casinowar"


def closure(requirements: list[str]) -> set[str]:
    """The distributions that these name, with what they need themselves, as far as they are installed here."""
    waiting, done = list(requirements), set[str]()
    while waiting:
        found = re.match(r"[\w.-]+", waiting.pop())
        assert found is not None
        name = re.sub(r"[-_.]+", "-", found[0]).lower()
        if name in done:
            continue
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        done.add(name)
        waiting += [one for one in needs if "extra ==" not in one]
    return done


@pytest.mark.long
@pytest.mark.parametrize("extras", [(), *((extra,) for extra in ALONE)], ids=lambda extras: "+".join(extras) or "none")
def test_the_wheel_runs_in_a_new_environment(
    extras: tuple[str, ...], builds: list[tuple[Path, Path]], tmp_path: Path
) -> None:
    program = installed(tmp_path / "env", builds[0][0], extras)
    check_program(program, tmp_path)
    for extra in extras:
        if extra in LIGHT:
            done = call(program, tmp_path, *LIGHT[extra])
            assert "pip install" not in done.stderr
            assert done.returncode == (2 if extra == "server" else 0), done.stderr


def test_the_sdist_runs_in_a_new_environment_without_the_network(sdist: Path, tmp_path: Path) -> None:
    program = installed(tmp_path / "env", sdist, (), "hatchling")
    check_program(program, tmp_path)
    (page,) = (tmp_path / "env" / "lib").glob("python3*/site-packages/casinowar/web/page/index.html")
    assert page.stat().st_size > 100


def call(program: Path, folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    where = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    environment = {**where, "PATH": os.environ["PATH"]}
    return subprocess.run(
        [str(program), *args], input="", capture_output=True, text=True, cwd=folder, env=environment, timeout=300
    )


def check_program(program: Path, folder: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert call(program, folder, "--version").stdout == f"casinowar {version}\n"
    shutil.copy(FIRST, folder / "first.toml")
    for args in (["odds"], ["rules", "list"], ["replay", "first.toml"], ["ruling", "damaged-card"]):
        done = call(program, folder, *args)
        assert (done.returncode, done.stderr) == (0, ""), args
        assert done.stdout
