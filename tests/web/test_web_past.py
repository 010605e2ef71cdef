"""What was played at a table can be told after it has closed, opened again, or the house has restarted."""

from pathlib import Path
from typing import Any

from casinowar.house.settings import HouseSettings, TableSettings
from tests.browser.players import Player
from tests.support.live_server import Answer, Caller, LiveServer, fresh_id, running

HOUSE = HouseSettings(tables=(TableSettings(name="nz", rulebook="nz"),))
TOLD = ("rounds", "rounds/1", "rounds/1/record", "rounds/1/under?rulebook=ctg", "shoes", "shoes/1")


def open_table(operator: Caller) -> None:
    settings = {"name": "late", "rulebook": "nz", "timers": {"betting": 60, "pause": 0, "card": 0, "entropy": 0}}
    done = operator.ask("POST", "/api/tables", {"id": fresh_id(), "settings": settings, "reason": "busy night"})
    assert done.status == 200, done.json


def close_table(operator: Caller) -> None:
    done = operator.command("late", {"do": "close_table"}, **{"as": "operator", "reason": "quiet night"})
    assert done.status == 200, done.json


def play(live: LiveServer) -> Player:
    player = Player(live, "late")
    player.bet()
    player.deal()
    if not player.ask("GET", "/api/tables/late/rounds").json:
        player.go_to_war()
    player.looking.close()
    return player


def told(caller: Caller, table: str) -> dict[str, Any]:
    """All that there is to tell, without the name it was asked under."""

    def plain(answer: Answer) -> Any:
        assert answer.status == 200, (answer.status, answer.body)
        data = answer.json
        return {**data, "table": ""} if isinstance(data, dict) else data

    return {path: plain(caller.ask("GET", f"/api/tables/{table}/{path}")) for path in TOLD}


def test_rounds_and_shoes_of_an_earlier_opening_are_told_as_before(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live:
        operator = live.staff("oz", "operator", "supervisor")
        open_table(operator)
        ann = play(live)
        close_table(operator)
        live.call(live.server.house.advance)  # Its shoe is opened.
        before = told(ann, "late")
        [shoe] = before["shoes"]
        assert (shoe["fate"], shoe["reason"], shoe["by"]) == ("voided", "the table closed", "operator:oz")
        assert before["rounds/1"]["steps"]
        open_table(operator)
        assert ann.ask("GET", "/api/tables/late/rounds").json == []
        assert told(ann, "late.1") == before
        [mine] = ann.ask("GET", "/api/me/rounds").json
        assert (mine["table"], mine["round"]["number"]) == ("late.1", 1)
        for nowhere in ("late.0", "late.3", "late.x", "never"):
            assert ann.ask("GET", f"/api/tables/{nowhere}/rounds/1").json["code"] == "no_such_table"
        close_table(operator)
    with running(tmp_path, HOUSE) as live:
        ben = live.staff("ben", "supervisor")
        assert "late" not in {line["name"] for line in ben.ask("GET", "/api/tables").json}
        again = told(ben, "late.1")
        assert again["rounds/1"]["steps"] == before["rounds/1"]["steps"]
        assert {path: again[path] for path in ("rounds", "shoes", "shoes/1")} == {
            path: before[path] for path in ("rounds", "shoes", "shoes/1")
        }
        assert ben.ask("GET", "/api/tables/late/rounds").json == [], "its last opening had none"
        log = ben.ask("GET", "/api/tables/late.1/log?limit=500").json
        assert "round_ended" in {line["event"]["name"] for line in log}
