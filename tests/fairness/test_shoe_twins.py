"""Houses that hide a shoe are found by both verifiers and the audit, and databases of an older program fail nothing."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from casinowar.audit import Audit
from casinowar.fairness import (
    dump_shoe,
    verify_shoe,
)
from casinowar.house.shoes.keeper import export_from_log
from casinowar.house.shoes.shoe_list import NONE_YET, ShoeList
from casinowar.house.table.table_snapshots import chain_of
from casinowar.house.tables import OpenTables
from casinowar.store import Recalled, Recorded, ShoeCommitted, ShoeOpened, SqliteStore
from tests.golden.kept import unpack
from tests.support.audited_nights import retold
from tests.support.live_night import Night
from tests.support.thrown_shoes import (
    MARKER,
    OZ,
    close,
    complaints,
    fates,
    open_again,
    opened,
    published,
    to_shoe,
)

# Twins: the same house with one defence off must be found out.


def thrown_away() -> Night:
    night = opened()
    to_shoe(night, cards=3)
    close(night)
    open_again(night)
    to_shoe(night)
    return night


def test_twin_a_closed_shoe_that_is_called_finished_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ShoeList, "is_at_end", property(lambda listed: True))
    night = thrown_away()
    lines, shoes = published(night)
    assert lines[0].fate == "finished"
    says = f"late/1: fate: called finished after 3 of 312 cards, before its cutting card at {MARKER}"
    assert complaints(shoes) == [says]
    monkeypatch.undo()
    found = [str(one) for one in Audit(night.store).findings()]
    assert [one.partition(", ")[2] for one in found] == [
        "shoe late/1: is called finished, and was not at its cutting card"
    ]


def test_twin_a_list_that_starts_anew_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenTables, "_earlier", lambda tables, name: NONE_YET)
    night = thrown_away()
    lines, shoes = published(night)
    assert [line.shoe for line in lines] == ["late.2/1"], "the first shoe has vanished from the list"
    _, before = published(night, "late.1")
    assert complaints([*before, *shoes]) == [
        "late.2/1: previous: is not the commitment of the shoe named before this one",
        "late.2/1: number: 1 where 2 was due",
    ]
    assert {str(one).rpartition(": ")[2] for one in Audit(night.store).findings()} == {
        "is the shoe 2 of late.2",
        "does not name the commitment before it",
    }


def test_a_shoe_left_out_or_never_opened_is_found_by_both_verifiers() -> None:
    night = opened()
    for _ in range(3):
        to_shoe(night)
        close(night)
        open_again(night)
    _, shoes = published(night)
    assert complaints(shoes) == []
    assert complaints([shoes[0], shoes[2]]) == [
        "late.3/3: previous: is not the commitment of the shoe named before this one",
        "late.3/3: number: 3 where 2 was due",
    ]
    lazy = replace(shoes[1], fate="running", reason=None, seed=None, by=UNSET)
    assert complaints([shoes[0], lazy, shoes[2]]) == ["late.3/3: previous: the shoe before this one was never opened"]
    older = replace(shoes[2], number=UNSET)
    assert complaints([*shoes[:2], older]) == [
        "late.3/3: number: is missing, and the shoe before this one has its number"
    ]
    unnamed = replace(shoes[1], by=UNSET)
    assert complaints([shoes[0], unnamed, shoes[2]]) == ["late.2/2: by: nobody is named who had it voided"]


# Databases of an older program.


def written_before(one: Recalled) -> list[Recorded]:
    """As an older program wrote it: no number, no name, and a closed table's shoe called finished."""
    event = one.event
    if isinstance(event, ShoeCommitted):
        return [replace(event, number=0)]
    if isinstance(event, ShoeOpened):
        is_closed = event.reason is not None and event.reason.startswith("the table closed")
        return [replace(event, by="", **({"fate": "finished", "reason": None} if is_closed else {}))]
    return [event]


def older_night(monkeypatch: pytest.MonkeyPatch) -> Night:
    """Two openings of a table as an older program wrote them, which this one goes on with."""
    with monkeypatch.context() as patch:
        patch.setattr(OpenTables, "_earlier", lambda tables, name: NONE_YET)
        night = thrown_away()
    store = retold(night.store, written_before)
    older = Night.__new__(Night)
    older.__dict__.update(night.__dict__)
    older.store = store
    older.house = older.open()
    older.come("ann")
    return older


def test_an_older_database_is_told_honestly_and_fails_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    night = older_night(monkeypatch)
    audited = Audit(night.store)
    assert [str(one) for one in audited.findings()] == []
    assert audited.remarks == [
        "a chain of shoes began anew at 1 openings, before shoes were numbered through all",
        "1 shoes are called finished before their cutting card, as an older program did when a table closed",
    ]
    lines, shoes = published(night)
    assert [(line.number, line.shoe, line.fate, line.is_numbered) for line in lines] == [
        (1, "late/1", "finished", False),
        (2, "late.2/1", "running", False),
    ]
    assert complaints(shoes) == []
    read = [verify_shoe.read_shoe(dump_shoe(shoe)) for shoe in shoes]
    assert list(verify_shoe.remarks(read[0], [])) == [
        f"called finished after 3 of 312 cards, before its cutting card at {MARKER}: an older program called it so"
        " when a table closed"
    ]
    assert "a chain began anew here" in " ".join(verify_shoe.remarks(read[1], read[:1]))


def test_a_database_of_the_first_version_has_one_list_for_a_name_and_says_where_it_began_anew(tmp_path: Path) -> None:
    golden = unpack("v0.1.0", "nz", tmp_path)
    with closing(SqliteStore(golden.database, for_reading=True)) as store:
        chain = chain_of(store, ["late", "late.2"])
        shoes = [
            export_from_log((one.event for one in store.read(stream, after)), store.seed, line)
            for (stream, after), line in zip(chain.begins, chain.lines, strict=True)
        ]
    firsts = [at for at, line in enumerate(chain.lines) if line.previous is None]
    assert [chain.lines[at].shoe for at in firsts] == ["late/1", "late.2/1"]
    assert [line.number for line in chain.lines] == list(range(1, len(chain.lines) + 1))
    assert complaints(shoes) == []
    read = [verify_shoe.read_shoe(dump_shoe(shoe)) for shoe in shoes]
    anew = [at for at in range(len(read)) if "began anew" in " ".join(verify_shoe.remarks(read[at], read[:at]))]
    assert anew == firsts[1:]


def test_an_older_table_goes_on_in_the_new_way_and_cannot_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    night = older_night(monkeypatch)
    close(night)
    open_again(night)
    to_shoe(night)
    lines, shoes = published(night)
    assert [(line.number, line.shoe, line.is_numbered) for line in lines] == [
        (1, "late/1", False),
        (2, "late.2/1", False),
        (3, "late.3/3", True),
    ]
    assert fates(lines)[1] == ("voided", "the table closed", OZ), "an older shoe that this program ends is voided"
    assert lines[2].previous == lines[1].commitment
    assert complaints(shoes) == []
    assert [str(one) for one in Audit(night.store).findings()] == []

    def passed_off(one: Recalled) -> list[Recorded]:
        is_new = isinstance(one.event, ShoeCommitted) and one.stream == "late.4"
        return written_before(one) if is_new else [one.event]

    close(night)
    with monkeypatch.context() as patch:
        patch.setattr(OpenTables, "_earlier", lambda tables, name: NONE_YET)
        open_again(night)
        to_shoe(night)
    found = [str(one) for one in Audit(retold(night.store, passed_off)).findings()]
    assert [one.partition(", ")[2] for one in found] == [
        "shoe late.4/1: has no number, and shoes were numbered before it was committed to"
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda one: replace(one, by="supervisor:sam"), "is voided by supervisor:sam (the table closed)"),
        (lambda one: replace(one, by="house"), "is voided by house (the table closed)"),
        (lambda one: replace(one, by=""), "is voided by nobody (the table closed)"),
        (lambda one: replace(one, reason="spilled coffee"), "is voided by operator:oz (spilled coffee)"),
    ],
)
def test_the_audit_holds_who_voided_a_shoe_against_the_log(change: Callable[[ShoeOpened], Recorded], says: str) -> None:
    night = thrown_away()
    forged = retold(night.store, lambda one: [change(one.event) if isinstance(one.event, ShoeOpened) else one.event])
    [found] = [str(one) for one in Audit(forged).findings()]
    assert f"shoe late/1: {says}, and the log has {OZ} (the table closed)" in found
    assert [str(one) for one in Audit(retold(night.store, lambda one: [one.event])).findings()] == []


def test_what_a_shoe_without_the_new_fields_was_is_still_what_it_is() -> None:
    """An exported shoe from before has neither number nor cutting card, and is read and written as it was."""
    vectors = json.loads((Path(__file__).parents[1] / "vectors" / "sealed_shoe.json").read_text("utf-8"))
    for vector in vectors["shoes"]:
        if "number" not in vector["export"]:
            text = json.dumps(vector["export"])
            assert not {"number", "marker", "by"} & set(verify_shoe.read_shoe(text))
