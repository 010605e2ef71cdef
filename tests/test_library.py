"""The library as its users meet it: what it exports, and the examples of the README and the package."""

import doctest
import inspect
import pydoc
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import casinowar
from casinowar import audit, client, dealers, envs, odds, pictures, sim, testing
from casinowar.engine import commands, decide, events, evolve

README = Path(__file__).parent.parent / "README.md"


def test_every_exported_name_is_there() -> None:
    for part in casinowar.__all__:
        assert getattr(casinowar, part) is not None
    assert dir(casinowar) == sorted(casinowar.__all__)
    for part in odds.__all__:
        assert callable(getattr(odds, part)), part


EXAMPLES = (
    "client.commands",
    "client.typed_events",
    "dealers.played_round",
    "dealers.player_view",
    "dealers.session",
    "dealers.strategies",
    "engine.legal.legal",
    "errors",
    "fairness.check",
    "pictures.plain_table",
    "pictures.rule_page",
    "records",
    "rulebooks",
    "rulebooks.lookup",
    "sim.simulation",
    "strategies",
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_each_part_run(name: str) -> None:
    ran = doctest.testmod(import_module(f"casinowar.{name}"), optionflags=doctest.ELLIPSIS)
    assert (ran.failed, ran.attempted > 0) == (0, True)


PUBLIC = (casinowar.Session, casinowar.PlayerView, casinowar.PlayedRound, casinowar.Legal)
OLD = {"Card", "DEALER", "Event", "Command", "Table", "Round", "Refusal", "BOOKS", "Strategy"}
"""Names that stand for a value or a union, or are explained by the six concepts."""


def test_every_public_name_says_what_it_is() -> None:
    for part in casinowar.__all__:
        value = getattr(casinowar, part)
        assert part in OLD or part == "__version__" or (value.__doc__ or "").strip(), part
    for kind in PUBLIC:
        for name, value in vars(kind).items():
            is_method = callable(value) or isinstance(value, property)
            assert name.startswith("_") or not is_method or value.__doc__, f"{kind.__name__}.{name}"


def test_a_star_brings_what_is_meant_and_the_version_is_that_of_the_package() -> None:
    space: dict[str, Any] = {}
    exec("from casinowar import *", space)
    assert set(casinowar.__all__) <= set(space)
    assert space["Session"] is casinowar.Session
    assert casinowar.__version__ == version("casinowar")


SMALL = (
    casinowar,
    audit,
    casinowar.fairness,
    casinowar.odds,
    casinowar.records,
    casinowar.rulebooks,
    casinowar.strategies,
    pictures,
    sim,
    testing,
    client,
    dealers,
    envs,
)
"""The package and the modules below it of which a newcomer's programs are made."""
WIDE = {"Rulebook", "Round", "Table"}
"""Their fields are many, whatever they are called."""


def callables() -> Iterator[tuple[str, Any]]:
    for module in SMALL:
        for part in module.__all__:
            value = getattr(module, part)
            if inspect.isclass(value) or inspect.isroutine(value):
                yield f"{module.__name__}.{part}", value


def test_help_is_short_enough_to_read() -> None:
    """No signature spells out what an event or a command can be."""
    for name, value in callables():
        told = pydoc.render_doc(value, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
        assert told.count("casinowar.engine.events.") + told.count("casinowar.engine.commands.") < 20, name
        if name.rpartition(".")[2] not in WIDE:
            assert max(map(len, told.splitlines())) < 1_600, name
    told = pydoc.render_doc(casinowar.Session, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    assert max(map(len, told.splitlines())) < 260


def test_what_is_shown_of_a_rulebook_is_short() -> None:
    assert repr(casinowar.load_rulebook("nz")) == "<Rulebook nz, edition 2: New Zealand>"


@pytest.mark.parametrize(("name", "value"), [pytest.param(*one, id=one[0]) for one in callables()])
def test_each_public_name_has_an_example_that_runs(name: str, value: Any) -> None:
    """Whatever is called has it in its own words; what is a value, in those of its module."""
    found = doctest.DocTestFinder(recurse=False).find(value, name)
    assert any(one.examples for one in found), name
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    for one in found:
        runner.run(one)
    assert runner.failures == 0


def test_a_name_without_an_example_would_be_found() -> None:
    """The twin: the list has what it should, and an example that is wrong fails."""
    names = {name for name, _ in callables()}
    assert {"casinowar.decide", "casinowar.odds.Study", "casinowar.client.Client", "casinowar.strategies.flat"} <= names

    def wrong() -> None:
        """
        >>> 1 + 1
        3
        """

    with pytest.raises(AssertionError):
        test_each_public_name_has_an_example_that_runs("wrong", wrong)
    with pytest.raises(AssertionError):
        test_each_public_name_has_an_example_that_runs("none", test_the_examples_run)


def test_nothing_heavy_is_imported_before_it_is_asked_for() -> None:
    lines = "import sys, casinowar; print(sorted(name for name in sys.modules if name.startswith('casinowar.')))"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_examples_run() -> None:
    package = doctest.testmod(casinowar, optionflags=doctest.ELLIPSIS)
    assert (package.failed, package.attempted > 4) == (0, True)
    exact = doctest.testmod(odds)
    assert (exact.failed, exact.attempted > 4) == (0, True)
    loader = doctest.testmod(import_module("casinowar.rulebooks.load"))
    assert (loader.failed, loader.attempted > 1) == (0, True)
    readme = doctest.testfile(str(README), module_relative=False)
    assert (readme.failed, readme.attempted > 4) == (0, True)


@pytest.mark.parametrize("name", [None, 5, b"nz", ["nz"]], ids=repr)
def test_the_name_of_a_rulebook_is_text(name: Any) -> None:
    for ask in (
        casinowar.load_rulebook,
        odds.odds,
        odds.compare,
        lambda book: odds.solve(book, "payout.tie.on_win", Fraction("0.05"), wager="tie"),
    ):
        with pytest.raises(TypeError, match="the name of a rulebook is text"):
            ask(name)


@pytest.mark.parametrize("data", ['{"a":1}', 5, None, b"x", ["a"], []], ids=repr)
def test_the_data_of_a_record_are_a_mapping(data: Any) -> None:
    with pytest.raises(TypeError, match="the data of a record are a mapping"):
        casinowar.parse_record(data)


@pytest.mark.parametrize("rules", [5, None], ids=repr)
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
