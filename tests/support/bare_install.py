"""An installation with some of the extras, or none: what `pyproject.toml` names for them is there, and no more."""

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
OWN_EXTRAS = re.compile(r"casinowar\[(.+)\]")

HIDING = '''
import os, sys
from importlib.machinery import PathFinder

class Shown:
    """The usual finder, for what is installed here by the test's word."""
    names = {"casinowar", *sys.stdlib_module_names, *os.environ["SHOWN"].split()}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        is_shown = name.startswith("_sysconfigdata") or name.partition(".")[0] in cls.names
        return PathFinder.find_spec(name, path, target) if is_shown else None

    @staticmethod
    def find_distributions(context):
        return PathFinder.find_distributions(context)

sys.meta_path[:] = [Shown if finder is PathFinder else finder for finder in sys.meta_path]
'''


def _name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


@cache
def _modules() -> dict[str, set[str]]:
    """The modules of each distribution that is installed here."""
    modules: dict[str, set[str]] = {}
    for module, distributions in metadata.packages_distributions().items():
        for distribution in distributions:
            modules.setdefault(_name(distribution), set()).add(module)
    return modules


def requirements_of(extra: str) -> list[str]:
    """What an extra of this project names, with what is in the extras that it includes."""
    included = [found[1].split(",") for one in EXTRAS[extra] if (found := OWN_EXTRAS.fullmatch(one))]
    own = [one for one in EXTRAS[extra] if not OWN_EXTRAS.fullmatch(one)]
    return own + [one for extras in included for part in extras for one in requirements_of(part)]


def modules_of(requirements: list[str]) -> set[str]:
    """What can be imported where these are installed, with what they need themselves."""
    waiting, done = [_name(one) for one in requirements], set[str]()
    while waiting:
        name = waiting.pop()
        if name in done or name not in _modules():
            continue
        done.add(name)
        waiting += [_name(one) for one in metadata.requires(name) or () if "extra ==" not in one]
    return {module for name in done for module in _modules()[name]}


def run_bare(folder: Path, extras: tuple[str, ...], *args: str) -> subprocess.CompletedProcess[str]:
    """Python with these arguments in an installation with these extras alone."""
    (folder / "sitecustomize.py").write_text(HIDING)
    shown = modules_of([*PROJECT["dependencies"], *(one for extra in extras for one in requirements_of(extra))])
    env = {**os.environ, "PYTHONPATH": str(folder), "SHOWN": " ".join(shown), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, env=env, cwd=folder, input="", timeout=120
    )
