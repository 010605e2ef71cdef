"""What the project needs: every import is declared, once; the floors are tried; the locks name no address."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

from tests.support.bare_install import EXTRAS, PROJECT
from tests.test_tidy import imported_modules

ROOT = Path(__file__).resolve().parents[1]
GROUPS: dict[str, list[str | dict[str, str]]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))[
    "dependency-groups"
]
LOCKS = ("bench.lock", "dev.lock", "lowest.lock", "server.lock")
REQUIREMENT = re.compile(r"([\w-]+)>=([\d.]+)(?:,<[\d.]+)?(?:; .+)?")
"""A floor, a ceiling where it is needed, and the platforms where not all have it."""

LOCKED = re.compile(r"^([\w-]+)==(\S+)", re.MULTILINE)
SUBCLASSED = {"click", "h11", "starlette", "uvicorn", "websockets"}
"""Libraries that we subclass, or of which we use what they do not promise to keep: they have a ceiling."""

OF_THE_DEVICE = {"cupy"}
"""Its package bears the version of CUDA in its name: the extra `gpu` names that of CUDA 12, and no lock has it."""


def named(requirements: list[str | dict[str, str]] | list[str]) -> list[str]:
    return [one for one in requirements if isinstance(one, str) and not one.startswith("casinowar[")]


def declared() -> list[str]:
    """The requirements of those who use the package."""
    return [*PROJECT["dependencies"], *(one for extra in EXTRAS.values() for one in named(extra))]


def split(requirement: str) -> tuple[str, str]:
    found = REQUIREMENT.fullmatch(requirement)
    assert found is not None, f"{requirement}: a floor is due, and where needed a ceiling"
    return found[1], found[2]


@cache
def locked(lock: str) -> dict[str, str]:
    return dict(LOCKED.findall((ROOT / lock).read_text("utf-8")))


def numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def test_each_range_stands_once() -> None:
    names = [split(one)[0] for one in [*declared(), *(one for group in GROUPS.values() for one in named(group))]]
    assert sorted(names) == sorted(set(names))


def test_what_we_subclass_has_a_ceiling() -> None:
    assert {split(one)[0] for one in declared() if "<" in one} == SUBCLASSED


def test_the_floors_are_those_that_are_tried() -> None:
    tried = locked("lowest.lock")
    floors = dict(split(one) for one in [*declared(), *named(GROUPS["build"]), *named(GROUPS["test"])])
    floors = {name: floor for name, floor in floors.items() if name.partition("-")[0] not in OF_THE_DEVICE}
    wrong = {name: (floor, tried[name]) for name, floor in floors.items() if numbers(tried[name]) != numbers(floor)}
    assert wrong == {}, "make lock; where a floor still is not what is tried, raise it"


OF_TESTS = {"hypothesis", "pytest"}
"""What the testing kit needs, which says so in one line; whoever writes tests has them."""


def test_every_library_that_the_package_imports_is_declared() -> None:
    files = sorted((ROOT / "src").rglob("*.py"))
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    modules = {name.partition(".")[0] for node in nodes for name in imported_modules(node)}
    foreign = modules - sys.stdlib_module_names - {"casinowar"} - OF_THE_DEVICE - OF_TESTS
    names = {split(one)[0] for one in declared()}
    owners = metadata.packages_distributions()
    undeclared = {
        module
        for module in foreign
        if not names & {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners.get(module, ())}
    }
    assert undeclared == set()
    assert "starlette" in foreign


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_versions_and_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert len(locked(lock)) > 3
    assert text.count("--hash=sha256:") >= len(locked(lock))
    assert "://" not in text
    assert not locked(lock).keys() & {"fastapi", "pydantic"}
