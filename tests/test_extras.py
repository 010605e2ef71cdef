"""Without the extras: every command and every module works, or says in one line what to install."""

import json
import re
from pathlib import Path

import pytest

from casinowar.cli import SUMMARIES
from tests.support.bare_install import EXTRAS, PROJECT, modules_of, requirements_of, run_bare

pytestmark = pytest.mark.slow

ALONE = ("play", "report", "sim", "dask", "postgres", "envs", "client", "server")
"""The extras that are tried one by one; `all` is these together, and `gpu` needs a device."""

WALK = """
import importlib, json, pkgutil, sys
import casinowar
told = {}
for found in pkgutil.walk_packages(casinowar.__path__, "casinowar.", onerror=lambda name: None):
    if found.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(found.name)
        told[found.name] = ""
    except BaseException as error:
        told[found.name] = f"{type(error).__name__}: {error}"
print(json.dumps(told))
"""
LINE = re.compile(
    r"ExtraMissing: casinowar\.[\w.]+ needs [\w, ]+: "
    r"pip install (?:'\.\[(\w+)\]' in the project's folder|hypothesis|pytest)"
)
"""What is missing is an extra of ours, or a tool for tests, which the testing kit names."""
FIRST = Path(__file__).parent / "transcripts" / "first.toml"
CALLS = {
    "admin accounts": "server",
    "admin add ana --password-stdin": "server",
    "admin grant ana dealer --reason x": "server",
    "admin log": "server",
    "audit nowhere.db": "server",
    "bench --seconds 0.01": "",
    "bench serve --seconds 1": "server",
    "prove nowhere.db --table t1": "server",
    "compare nz wa": "",
    "completion bash": "",
    "deal": "",
    "odds --rulebook nz": "",
    "par --rulebook nz --html sheet.html": "report",
    "par --rulebook nz --xlsx sheet.xlsx": "report",
    "play": "",
    f"replay {FIRST}": "",
    "ruling": "",
    "rules list": "",
    "serve --no-open --port 0": "server",
    "simulate --rounds 1000": "sim",
    "solve payout.tie.on_win --wager tie --edge 5%": "",
    "verify --script": "",
    "verify http://127.0.0.1:9/": None,
}
"""How each is called, and the extra that it needs for it; none of them has the server that the last one asks."""


def walked(folder: Path, *extras: str) -> dict[str, str]:
    done = run_bare(folder, extras, "-c", WALK)
    assert done.returncode == 0, done.stderr
    told: dict[str, str] = json.loads(done.stdout)
    return told


def test_the_extras_are_known() -> None:
    """A new one for users must be tried here too."""
    assert set(EXTRAS) == {*ALONE, "all", "gpu"}
    assert set(requirements_of("all")) == {one for extra in ALONE for one in requirements_of(extra)}
    assert "argon2" in modules_of(requirements_of("server"))
    assert "argon2" not in modules_of(PROJECT["dependencies"])


APART = {"casinowar.sim.gpu"}
"""It imports nothing of this library, not even the line that says what to install: numpy and CuPy are all it needs."""


@pytest.mark.parametrize("extras", [(), *((extra,) for extra in ALONE)], ids=lambda extras: "+".join(extras) or "none")
def test_every_module_is_imported_or_says_what_to_install(extras: tuple[str, ...], tmp_path: Path) -> None:
    told = walked(tmp_path, *extras)
    assert len(told) > 20
    failed = {name: error for name, error in told.items() if error and name not in APART}
    assert [(name, error) for name, error in failed.items() if not LINE.fullmatch(error)] == []
    needed = {found[1] for error in failed.values() if (found := LINE.fullmatch(error)) and found[1]}
    assert needed.isdisjoint(extras)
    assert needed <= set(EXTRAS)


@pytest.mark.parametrize(
    ("extra", "modules"),
    [
        ("server", ("casinowar.web.run", "casinowar.web.app", "casinowar.store", "casinowar.house.house")),
        ("client", ("casinowar.client", "casinowar.client.connection")),
        ("report", ("casinowar.reports.par.html", "casinowar.reports.par.xlsx")),
        ("sim", ("casinowar.sim", "casinowar.sim.kernel.chunks")),
        ("envs", ("casinowar.envs", "casinowar.envs.war_vector", "casinowar.envs.table_v0")),
    ],
)
def test_with_the_extra_they_are_there(extra: str, modules: tuple[str, ...], tmp_path: Path) -> None:
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = run_bare(tmp_path, (extra,), "-c", code, *modules)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_is_tried() -> None:
    assert {call.split()[0] for call in CALLS} == set(SUMMARIES)


@pytest.mark.parametrize("call", CALLS)
def test_a_command_works_or_says_in_one_line_what_to_install(call: str, tmp_path: Path) -> None:
    done = run_bare(tmp_path, (), "-m", "casinowar", *call.split())
    assert "Traceback" not in done.stderr
    extra = CALLS[call]
    assert done.returncode == (0 if extra == "" else 2), done.stderr
    if extra:
        how = rf"pip install '\.\[{extra}\]' in the project's folder\n"
        assert re.fullmatch(rf"casinowar: .+ needs .+: {how}", done.stderr), done.stderr
        assert done.stdout == ""
    else:
        assert "pip install" not in done.stderr
    helped = run_bare(tmp_path, (), "-m", "casinowar", call.split()[0], "--help")
    assert (helped.returncode, helped.stderr) == (0, "")
