"""Scenario records: one file for each incident and book, with what must come of it written beside the acts.

`expect` names the clauses that the scenario rests on, and those that only bear on it where the book is silent (`see`);
every card that left the shoe and where it lay at last, the settlements in the dealer's order, what each player gained,
sentences that the telling must hold, and what was refused.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from casinowar.records import parse_record, replay, result
from casinowar.records.narrative import tell

RECORDS = Path(__file__).resolve().parents[1] / "records"
FILES = sorted(RECORDS.glob("*/*.toml"))
PARTS = {"clauses", "see", "dealt", "settled", "net", "told", "refused", "open", "meter"}


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return data, data.pop("expect")


def _marked(path: Path) -> Any:
    expect = _read(path)[1]
    marks = [pytest.mark.clause(clause) for clause in (*expect["clauses"], *expect.get("see", ()))]
    return pytest.param(path, id=f"{path.parent.name}-{path.stem}", marks=marks)


@pytest.mark.parametrize("path", [_marked(path) for path in FILES])
def test_the_record_comes_out_as_it_says(path: Path) -> None:
    data, expect = _read(path)
    assert set(expect) <= PARTS, f"{path.name}: unknown parts of expect"
    assert {"clauses", "dealt", "settled", "net", "told"} <= set(expect), f"{path.name}: expect is not complete"
    assert data["rulebook"] == path.parent.name
    record = parse_record(data)
    replayed = replay(record)
    came = result(replayed)
    assert [f"{one['act']} {one['reason']}" for one in came["refusals"]] == expect.get("refused", [])
    dealt = [", ".join(f"{one['to']} {one['card']}" for one in round_["dealt"]) for round_ in came["rounds"]]
    assert dealt == expect["dealt"]
    lines = [line for round_ in came["rounds"] for line in round_["settlements"]]
    assert [_settled(line) for line in lines] == expect["settled"]
    opening = {**data["players"], "house": 0}
    assert {who: came["balances"][who] - opening[who] for who in expect["net"]} == expect["net"]
    assert sum(came["balances"].values()) + sum(one["amount"] for one in came["open"]) == sum(opening.values())
    if "meter" in expect:
        assert came["meter"] == expect["meter"]
    story = " ".join(tell(record, replayed).split())
    for sentence in expect["told"]:
        assert sentence in story
    assert _cited(came) >= set(expect["clauses"]), "each clause is cited by an event or a refusal"


def _settled(line: dict[str, Any]) -> str:
    return f"{line['player']} box {line['box']} {line['wager']} {line['outcome']} {line['net']:+}"


def _cited(came: dict[str, Any]) -> set[str]:
    return {clause for one in (*came["events"], *came["refusals"]) for clause in one["clauses"]}


def test_every_scenario_tells_its_story() -> None:
    """A dealer reads the comment at the top before the acts."""
    assert FILES
    for path in FILES:
        assert path.read_text(encoding="utf-8").startswith("# "), path


ACTS = {
    "face-up-card": "report_face_up_card",
    "extra-draw": "report_extra_draw",
    "misdelivered-card": "report_misdelivered",
    "misdeal": "reconstruct",
    "missed-hand": "report_missed_hand",
    "missed-offer": "report_missed_offer",
    "forgotten-burn": "report_forgotten_burn",
    "missing-cut-card": "report_missing_cut_card",
    "missed-shuffle": "report_missed_shuffle",
    "exposed-before-shoe": "report_exposed_before_shoe",
    "damaged-card": "report_damaged_card",
    "shuffler-fault": "report_shuffler_fault",
    "wager-found-wrong": "report_wager",
    "contravention": "report_contravention",
    "void-player": "void_player",
    "partnership": "flag_partnership",
    "exclusion": "exclude_player",
    "released-players": "release_players",
    "invalidated-round": "invalidate_round",
    "void-hand": "void_hand",
    "void-round": "void_round",
    "ruling": "rule",
}
"""The act by which each incident comes to the table."""


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ca", "ma"])
def test_every_incident_has_its_scenario_in_every_book(book: str) -> None:
    """Where a book does not provide for it, the scenario shows that it is refused."""
    records = [_read(path)[0] for path in FILES if path.parent.name == book]
    done = {act["do"] for record in records for act in record["acts"]}
    assert [incident for incident, act in ACTS.items() if act not in done] == []
    assert (RECORDS / book / "too-few-cards.toml").is_file()
    exposed = {act["exposed"] for record in records for act in record["acts"] if act["do"] == "report_extra_draw"}
    assert exposed == {False, True}
    faces_up = [sum(act["do"] == "report_face_up_card" for act in record["acts"]) for record in records]
    assert max(faces_up) > 1
