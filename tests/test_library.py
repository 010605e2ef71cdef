"""The library as its users meet it: what it exports, and the examples of the README and the package."""

import doctest
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import casinowar
from casinowar import odds
from casinowar.engine import commands, decide, events, evolve

README = Path(__file__).parent.parent / "README.md"


def test_every_exported_name_is_there() -> None:
    for part in casinowar.__all__:
        assert getattr(casinowar, part) is not None
    assert dir(casinowar) == sorted(casinowar.__all__)
    for part in odds.__all__:
        assert callable(getattr(odds, part)), part


def test_the_examples_run() -> None:
    package = doctest.testmod(casinowar, optionflags=doctest.ELLIPSIS)
    assert (package.failed, package.attempted > 4) == (0, True)
    exact = doctest.testmod(odds)
    assert (exact.failed, exact.attempted > 4) == (0, True)
    loader = doctest.testmod(import_module("casinowar.rulebooks.load"))
    assert (loader.failed, loader.attempted) == (0, 1)
    readme = doctest.testfile(str(README), module_relative=False)
    assert (readme.failed, readme.attempted > 4) == (0, True)


@pytest.mark.parametrize("name", [None, 5, b"nz", ["nz"]], ids=repr)
def test_the_name_of_a_rulebook_is_text(name: Any) -> None:
    with pytest.raises(TypeError, match="the name of a rulebook is text"):
        casinowar.load_rulebook(name)


@pytest.mark.parametrize("rules", ["nz", None], ids=repr)
def test_a_table_needs_a_rulebook(rules: Any) -> None:
    with pytest.raises(TypeError, match="opened with a Rulebook"):
        casinowar.Session(rules, casinowar.practice_shuffles("types"))


@pytest.mark.parametrize("seed", [None, 5, b"x", [], "\ud800"], ids=ascii)
def test_a_seed_is_text_that_can_be_written(seed: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        casinowar.practice_shuffles(seed)


def test_a_shuffle_can_be_called() -> None:
    with pytest.raises(TypeError, match="cannot be called"):
        casinowar.Session(casinowar.load_rulebook("nz"), [])  # type: ignore[arg-type]


def test_every_event_and_command_has_its_function() -> None:
    evolving = import_module("casinowar.engine.evolve")
    deciding = import_module("casinowar.engine.decide").DECIDERS
    assert {*evolving.CHANGES, *evolving.RUNS} == set(events.Event.__args__)
    assert {*deciding, commands.Deal} == set(commands.Command.__args__)
    assert callable(decide)
    assert callable(evolve)
