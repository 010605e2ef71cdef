"""What the dealer's console asks for after a break: every act since the last round ended, and what was due after it."""

from collections.abc import Iterator
from typing import Any

import pytest

from casinowar.engine.view.procedure import procedure
from casinowar.house.settings import HouseSettings, TableSettings, Timers
from tests.support.live_server import Caller, LiveServer, running

QUICK = Timers(betting=0.2, decision=30, war_betting=0.2, cut=0, entropy=0, pause=0, card=0)
TABLE = "hand"


@pytest.fixture
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings = HouseSettings(tables=(TableSettings(name=TABLE, rulebook="nz", dealer="human", timers=QUICK),))
    with running(tmp_path_factory.mktemp("house"), settings) as live:
        yield live


def acts(caller: Caller) -> Any:
    return caller.ask("GET", f"/api/tables/{TABLE}/acts").json


def names(told: Any) -> list[str]:
    return [event["name"] for act in told["acts"] for event in act["events"]]


def begun(live: LiveServer) -> tuple[Caller, Caller]:
    """A dealer, and a player with a wager down."""
    dora, ann = live.staff("dora", "dealer"), Caller(live).guest()
    looking = ann.socket()
    seen = looking.watch(TABLE)["view"]
    assert ann.command(TABLE, {"do": "sit", "box": 2}).status == 200
    while seen.get("seal", {}).get("stage") != "dealing":
        seen = looking.next_of("events")["view"]
    wager = {"do": "place_wager", "player": ann.name, "box": 2, "wager": "tie", "amount": 500}
    assert ann.command(TABLE, wager).status == 200
    return dora, ann


def step(live: LiveServer, dora: Caller) -> str:
    """The next act of the procedure; a tie wager alone never leads to a choice."""
    table = live.server.house.tables[TABLE]
    act = live.call(lambda: procedure(table.rules, table.table)[0].act)
    assert dora.command(TABLE, {"do": "next"}, **{"as": "dealer"}).status == 200
    return act


def test_the_acts_of_a_round_lead_from_its_beginning_to_what_is_due_now(live: LiveServer) -> None:
    dora, _ = begun(live)
    while step(live, dora) != "draw":
        pass
    told = acts(dora)
    assert told["version"] == live.version(TABLE)
    assert names(told).count("card_dealt") == 1
    assert "wager_placed" in names(told)
    assert told["acts"][-1]["held"] == {"2": 1}
    seen = dora.ask("GET", f"/api/tables/{TABLE}?role=dealer").json["view"]["procedure"]
    assert told["acts"][-1]["procedure"] == seen
    heads = [act["procedure"][0]["act"] for act in told["acts"] if act["procedure"]]
    assert heads[-2:] == ["draw", "draw"], "the box's card was due before, the dealer's is now"


def test_after_the_end_of_a_round_another_list_begins(live: LiveServer) -> None:
    dora, ann = begun(live)
    while step(live, dora) != "end_round":
        pass
    assert names(acts(dora)) == []
    assert len(acts(dora)["acts"]) == 1
    wager = {"do": "place_wager", "player": ann.name, "box": 2, "wager": "tie", "amount": 500}
    assert ann.command(TABLE, wager).status == 200
    assert [name for name in names(acts(dora)) if name.startswith("wager")] == ["wager_placed"]
    assert acts(dora)["acts"][0]["held"] == {}


def test_no_face_of_a_burned_card_is_told(live: LiveServer) -> None:
    dora, _ = begun(live)
    while step(live, dora) != "draw":
        pass
    burned = [event for act in acts(dora)["acts"] for event in act["events"] if event["name"] == "card_burned"]
    assert burned
    assert all(event.get("card") is None for event in burned)
