"""`casinowar verify` against a real server whose operator throws shoes away: what it prints, and its exit status."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from casinowar.cli.verify.earlier import sum_up, summary_lines
from casinowar.engine.commands import Limit
from casinowar.fairness import ListedShoe
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.house.shoes.shoe_list import NONE_YET
from casinowar.house.table.table import LiveTable
from casinowar.house.tables import OpenTables
from tests.browser.players import Player
from tests.support.commandline import run
from tests.support.live_server import QUICK, Caller, LiveServer, fresh_id, running

LATE = TableSettings(name="late", rulebook="nz", timers=QUICK)
HOUSE = HouseSettings(tables=(LATE,))
OTHER_LIMIT = HouseSettings(tables=(replace(LATE, limit=Limit(minimum=700, maximum=50_000, unit=100)),))


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")


@contextmanager
def seated(live: LiveServer) -> Iterator[Player]:
    """Somebody has sat down, for whom a shoe was sealed and loaded, and leaves at the end."""
    player = Player(live, "late")
    try:
        yield player
    finally:
        assert player.command("late", {"do": "leave"}).status == 200
        player.looking.close()


def close(operator: Caller) -> None:
    done = operator.command("late", {"do": "close_table"}, **{"as": "operator", "reason": "a quiet night"})
    assert done.status == 200, done.json


def reopen(operator: Caller) -> None:
    settings = {"name": "late", "rulebook": "nz", "timers": {"cut": 0, "entropy": 0}}
    done = operator.ask("POST", "/api/tables", {"id": fresh_id(), "settings": settings, "reason": "a busy night"})
    assert done.status == 200, done.json


def throw_two_away(folder: Path) -> dict[str, Any]:
    """One shoe by closing the table and opening it again, one by a restart with another limit; then the verdict."""
    with running(folder, HOUSE) as live:
        operator = live.staff("oz", "operator")
        with seated(live):
            pass
        close(operator)
        reopen(operator)
        with seated(live):
            pass
    with running(folder, OTHER_LIMIT) as live, seated(live):
        return verified(live)


def verified(live: LiveServer, *options: str) -> dict[str, Any]:
    done = run("verify", f"{live.address}/api/tables/late", "--json", *options)
    assert done.status in (0, 1), done
    return {"status": done.status, **json.loads(done.out)}


def test_two_shoes_thrown_away_are_two_voided_in_one_list(tmp_path: Path) -> None:
    verdict = throw_two_away(tmp_path)
    assert verdict["status"] == 0
    assert verdict["summary"] == {
        "finished": 0,
        "voided": 2,
        "running": 1,
        "voided_by": {"operator:oz": 1, "house": 1},
        "unnumbered": 0,
    }
    assert [(one["shoe"], one["fate"], one["reason"]) for one in verdict["shoes"]] == [
        ("late/1", "voided", "the table closed"),
        ("late.2/2", "voided", "the table closed: the settings have changed"),
        ("late.3/3", "running", None),
    ]
    with running(tmp_path, OTHER_LIMIT) as live:
        done = run("verify", f"{live.address}/api/tables/late")
        assert "  note: 3 shoes: 2 voided (1 by operator:oz, 1 by house), 1 running" in done.out.splitlines()
        exports = []
        for number in (1, 2, 3):
            file = tmp_path / f"{number}.json"
            file.write_bytes(Caller(live).ask("GET", f"/api/tables/late/shoes/{number}").body)
            exports.append(str(file))
    assert run("verify", *exports).status == 0
    assert run("verify", exports[0], exports[2]).status == 1


def test_a_table_is_named_as_the_browser_shows_it(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live, seated(live):
        for behind in ("", "/", "/shoes", "/shoes/1"):
            done = run("verify", f"{live.address}/table/late{behind}")
            assert (done.status, "shoe late/1 agrees" in done.out) == (0, True), (behind, done.err)
        bare = run("verify", f"{live.address}/")
        assert bare.status == 2
        assert bare.err.rstrip().endswith("no exported shoe; name a table, such as http://HOST/table/nz")


def test_twin_a_house_whose_list_starts_anew_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the chain the shoes are gone from the list. Whoever has kept a list sees it, and files show it too."""
    with running(tmp_path, HOUSE) as live, seated(live):
        before = verified(live)
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps(before), "utf-8")
    monkeypatch.setattr(OpenTables, "_earlier", lambda tables, name: NONE_YET)
    with running(tmp_path, OTHER_LIMIT) as live, seated(live):
        alone = verified(live)
        assert [one["shoe"] for one in alone["shoes"]] == ["late.2/1"]
        held = verified(live, "--earlier", str(kept))
    [first] = before["shoes"]
    assert (held["status"], held["missing"]) == (
        1,
        [f"shoe late/1 with the commitment {first['commitment']} was number 1, and is gone"],
    )


def left_out(lines: tuple[ListedShoe, ...]) -> tuple[ListedShoe, ...]:
    return (lines[0], *lines[2:])


def left_out_the_first(lines: tuple[ListedShoe, ...]) -> tuple[ListedShoe, ...]:
    return lines[1:]


@pytest.mark.parametrize("forge", [left_out, left_out_the_first])
def test_a_server_that_leaves_a_shoe_out_of_its_list_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forge: Any
) -> None:
    throw_two_away(tmp_path)
    with running(tmp_path, OTHER_LIMIT) as live:
        kept = tmp_path / "kept.json"
        kept.write_bytes(Caller(live).ask("GET", "/api/tables/late/shoes").body)
        assert verified(live, "--earlier", str(kept))["status"] == 0
        honest = LiveTable.shoes
        monkeypatch.setattr(LiveTable, "shoes", lambda table: forge(honest(table)))
        assert verified(live)["status"] == 1
        assert verified(live, "--earlier", str(kept))["missing"]


def test_an_earlier_list_that_is_none_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    for text in ("{", "7", '{"shoes": 7}', '[{"shoe": "late/1"}]'):
        file.write_text(text, "utf-8")
        done = run("verify", "http://127.0.0.1:1/api/tables/late", "--earlier", str(file))
        assert done.status == 2
        assert done.error.startswith(f"casinowar: {file}: ")


def test_shoes_without_a_number_are_told_with_what_was_not_checked() -> None:
    """In words that can be read alone: whose they are is only the house's word."""
    old = {"fate": "finished", "by": None, "number": None}
    told = summary_lines(sum_up([old, old, {**old, "number": 3}]))
    assert told == [
        "  note: 3 shoes: 3 finished",
        "  note: 2 without a number: written by an older program, as the house says; "
        "whether each reached its cutting card was not checked",
    ]
