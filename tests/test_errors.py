"""The tree of errors: its docstring names every class there is, and each keeps the base that it had in Python."""

import pkgutil
import re
from importlib import import_module

import pytest

import casinowar
from casinowar import CasinoWarError, PlaceWager, Refusal, Refused, Session, errors, load_rulebook, practice_shuffles
from casinowar.engine.commands import Limit
from casinowar.errors import __doc__ as tree

APART = {"casinowar.fairness.verify_shoe.Malformed", "casinowar.sim.gpu.DeviceMissing"}
"""Their modules import nothing of this library: whoever checks a shoe need not trust it, and a machine with a GPU need
not have it."""

LINE = re.compile(r"^(?P<indent>(?: {4})*)(?P<name>[A-Za-z.]+)(?: \((?P<base>\w+)\))?$", re.MULTILINE)


def of_the_library() -> set[type[BaseException]]:
    found: set[type[BaseException]] = set()
    for module in pkgutil.walk_packages(casinowar.__path__, "casinowar."):
        if f"{module.name}.".startswith("casinowar.cli.") or module.name.endswith("__main__"):
            continue
        for one in vars(import_module(module.name)).values():
            if isinstance(one, type) and issubclass(one, BaseException) and one.__module__ == module.name:
                found.add(one)
    return {one for one in found if f"{one.__module__}.{one.__name__}" not in APART}


def written(error: type[BaseException]) -> tuple[str, str, str | None]:
    """The name, the parent and the base in Python of a class, as the docstring has them."""
    ours = next(base for base in error.__bases__ if issubclass(base, CasinoWarError))
    base = next((base.__name__ for base in error.__bases__ if base is not ours), None)
    name = "client.Refused" if error.__name__ == ours.__name__ else error.__name__
    return name, ours.__name__, base


def in_the_docstring() -> set[tuple[str, str, str | None]]:
    above: list[str] = []
    found = set()
    for line in LINE.finditer(str(tree)):
        depth = len(line["indent"]) // 4
        above[depth:] = [line["name"]]
        if depth:
            found.add((line["name"], above[depth - 1], line["base"]))
    return found


def test_every_error_of_the_library_has_the_one_base() -> None:
    assert [one for one in of_the_library() if not issubclass(one, CasinoWarError)] == []


def test_the_docstring_is_the_tree() -> None:
    assert in_the_docstring() == {written(one) for one in of_the_library() if one is not CasinoWarError}


def test_errors_are_still_what_they_were_in_python() -> None:
    with pytest.raises(ValueError, match="unknown rulebook 'nowhere'") as raised:
        load_rulebook("nowhere")
    assert isinstance(raised.value, CasinoWarError)


def table_of_ana() -> Session:
    table = Session(load_rulebook("nz"), practice_shuffles("dawn"), Limit(minimum=100, maximum=500))
    table.buy_in("ana", 1_000)
    return table


def wager(amount: int) -> PlaceWager:
    return PlaceWager(player="ana", box=1, wager="initial", amount=amount)


def test_must_gives_what_do_gives() -> None:
    assert table_of_ana().must(wager(100)) == table_of_ana().do(wager(100))


def test_must_raises_what_do_refuses_and_changes_nothing() -> None:
    table = table_of_ana()
    refusal, before = table.do(wager(50)), table.table
    assert isinstance(refusal, Refusal)
    with pytest.raises(Refused) as raised:
        table.must(wager(50))
    assert (raised.value.reason, raised.value.clauses) == (refusal.reason, refusal.clauses)
    assert raised.value.says == "the wager is below the minimum (initial on box 1 takes 100 to 500)"
    assert str(raised.value) == f"wager_below_minimum: {raised.value.says}"
    assert table.table is before


def test_the_clients_refusal_is_one_of_these() -> None:
    from casinowar.client.errors import Refused as OfTheClient

    refused = OfTheClient("seat_taken", "somebody sits there", ("NZ-5.9-i",), status=409)
    assert isinstance(refused, errors.Refused)
    assert (refused.reason, refused.code, refused.says) == ("seat_taken", "seat_taken", "somebody sits there")
