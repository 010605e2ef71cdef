"""The testing kit: what it generates can happen, its contract holds stores to their word, what is missing is told."""

import asyncio
import doctest
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from casinowar.cards import DECK, Card
from casinowar.client import Client
from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.engine.evolve import evolve_all
from casinowar.engine.view.procedure import procedure
from casinowar.records import parse_record, replay, result
from casinowar.rulebooks import Rulebook
from casinowar.store import Answer, MemoryStore, Proposal, SqliteStore, Store
from casinowar.store.contract import StoreError
from casinowar.testing import generators
from casinowar.testing.scripted_server import live_view, scripted
from casinowar.testing.store_contract import StoreContract

FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@FEW
@given(generators.cards(), generators.shoes(decks=2))
def test_cards_and_shoes_are_of_whole_decks(card: Card, shoe: tuple[Card, ...]) -> None:
    assert card in DECK
    assert Counter(shoe) == Counter(DECK * 2)


@FEW
@given(generators.rounds())
def test_a_round_leads_from_one_table_to_the_other_and_keeps_the_money(played: generators.RoundPlayed) -> None:
    assert evolve_all(played.before, played.events) == played.after
    assert played.after.round.is_over
    money = sum(played.after.players.values()) + played.after.house + played.after.escrow
    assert money == played.after.bought_in


@FEW
@given(generators.tables())
def test_a_table_can_go_on(drawn: tuple[Rulebook, Table]) -> None:
    assert procedure(*drawn)


@FEW
@given(generators.records(most_rounds=2))
def test_a_record_is_replayed_and_every_wager_in_it_is_settled(record: dict[str, Any]) -> None:
    """Nothing is refused or left open, each wager of each act has its settlement, and no chip is lost."""
    told = result(replay(parse_record(record)))
    assert (told["refusals"], told["open"]) == ([], [])
    done = Counter(act["do"] for act in record["acts"])
    settled = [line for played in told["rounds"] for line in played["settlements"]]
    assert len(settled) == done["place_wager"] + done["go_to_war"] >= len(told["rounds"]) >= 1
    chips = Counter(record["players"])
    for act in record["acts"]:
        if act["do"] == "buy_in":
            chips[act["player"]] += act["amount"]
    for played in told["rounds"]:
        chips.update(played["net"])
    assert told["balances"] == chips
    assert all(line["outcome"] for line in settled)


def test_rounds_of_every_kind_come() -> None:
    """Wars, side wagers and every book are found among two thousand rounds; one in thirty has a war."""
    met: set[str] = set()

    @settings(max_examples=2_000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(generators.rounds())
    def look(played: generators.RoundPlayed) -> None:
        met.add(played.rules.id)
        met.update(type(event).__name__ for event in played.events)
        met.update(event.wager for event in played.events if isinstance(event, e.WagerSettled))

    look()
    assert met >= {"nz", "wa", "ctg", "ca", "ma", "WarDeclared", "WagerSettled", "initial", "tie", "war"}


class TestMemory(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()


class TestSqlite(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        made = SqliteStore(tmp_path / "war.db")
        yield made
        made.close()


class Forgetful(MemoryStore):
    """A store that does every command again: the contract must find it."""

    def commit(self, proposal: Proposal) -> Answer:
        self.count = getattr(self, "count", 0) + 1
        return super().commit(
            Proposal(
                **{name: getattr(proposal, name) for name in proposal.__struct_fields__}
                | {"command": f"{proposal.command}-{self.count}", "expected": self.version(proposal.stream)}
            )
        )


@pytest.mark.parametrize(
    "name",
    [
        "test_a_repeated_command_has_its_first_answer_and_no_second_effect",
        "test_an_id_serves_one_command_of_one_person",
        "test_a_stale_version_is_refused_and_changes_nothing",
        "test_a_refused_command_keeps_its_answer_and_writes_no_event",
    ],
)
def test_the_contract_finds_a_store_that_forgets(name: str) -> None:
    with pytest.raises((AssertionError, StoreError, pytest.fail.Exception)):
        getattr(StoreContract(), name)(Forgetful())


def test_a_scripted_server_says_what_it_is_told() -> None:
    async def guest() -> tuple[str, list[str]]:
        async def silent(*_: object) -> None:
            return None

        async with scripted(silent) as server, Client.connect(server.url) as client:
            me = await client.guest()
            return me.player, server.heads

    player, heads = asyncio.run(guest())
    assert player == "guest-1"
    assert heads[0].startswith("POST /api/guest ")
    assert live_view().table == "nz"


@pytest.mark.parametrize(("part", "tool"), [("generators", "hypothesis"), ("store_contract", "pytest")])
def test_what_is_missing_is_told_in_one_line(part: str, tool: str) -> None:
    code = f"""
import importlib.util, sys
import casinowar.extras
casinowar.extras.find_spec = lambda module: None if module == {tool!r} else importlib.util.find_spec(module)
try:
    import casinowar.testing.{part}
except casinowar.extras.ExtraMissing as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == f"casinowar.testing.{part} needs {tool}: pip install {tool}\n"


def test_the_document_says_what_comes() -> None:
    page = doctest.testfile(str(Path(__file__).parents[2] / "docs" / "testing.md"), module_relative=False)
    assert (page.failed, page.attempted > 8) == (0, True)
