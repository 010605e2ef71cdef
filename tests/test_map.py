"""The map of the project is true: the picture of the layers, the way of a wager, and the list of make targets."""

import ast
import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAP = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
STATION = re.compile(r"^\| (\d+) \| `([\w./]+)` `([\w.]+)` \| .+ \|$", re.MULTILINE)
MOST_STATIONS = 12


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_layers", ROOT / "docs" / "draw_layers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def has_python_name(file: Path, name: str) -> bool:
    """Whether the module defines the function, class or method."""
    inside: list[ast.stmt] = ast.parse(file.read_text("utf-8")).body
    for part in name.split("."):
        there = [node for node in inside if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        found = next((node for node in there if node.name == part), None)
        if found is None:
            return False
        inside = found.body
    return True


def file_at(path: str) -> Path:
    """The file of a station: of the page as it is written, else below the package."""
    return ROOT / path if path.startswith("web/src/") else ROOT / "src" / "casinowar" / path


def has_name(file: Path, name: str) -> bool:
    if file.suffix == ".py":
        return has_python_name(file, name)
    return (
        re.search(rf"^ *(export )?(async )?(function )?{name}\(.*\{{$", file.read_text("utf-8"), re.MULTILINE)
        is not None
    )


def test_the_picture_of_the_layers_is_that_of_the_contracts(drawing: ModuleType) -> None:
    assert drawing.PICTURE.read_text("utf-8") == drawing.draw(), "make docs-layers"
    assert drawing.PICTURE.relative_to(ROOT).as_posix() in MAP.partition("\n## ")[0]


def test_the_picture_changes_with_the_contracts(drawing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    contracts = drawing.contracts()
    contracts["layers"]["layers"].insert(0, "attic | (cellar)")
    monkeypatch.setattr(drawing, "contracts", lambda: contracts)
    drawn = drawing.draw()
    assert ">attic</text>" in drawn
    assert ">cellar</text>" in drawn
    assert drawn != drawing.PICTURE.read_text("utf-8")


def test_the_way_of_a_wager_leads_past_things_that_are_there() -> None:
    stations = STATION.findall(MAP)
    assert [int(number) for number, _, _ in stations] == list(range(1, len(stations) + 1))
    assert 8 <= len(stations) <= MOST_STATIONS
    assert MAP.count("\n| ", MAP.index("## The way of a wager"), MAP.index("## Six concepts")) == len(stations) + 1
    lost = [f"{path} {name}" for _, path, name in stations if not has_name(file_at(path), name)]
    assert lost == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/casinowar/house/table/desk.py", "Desk.acts"),
        ("src/casinowar/house/table/desk.py", "act"),
        ("web/src/lib/live.svelte.ts", "nowhere"),
    ],
)
def test_a_name_that_is_not_there_is_missed(path: str, name: str) -> None:
    assert not has_name(ROOT / path, name)


def test_contributing_lists_every_make_target() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.findall(r"^  make ([\w-]+)", told, re.MULTILINE)
    listed = re.findall(r"^\| `make ([\w-]+)` \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    assert len(targets) > 10
    assert sorted(listed) == sorted(targets)
