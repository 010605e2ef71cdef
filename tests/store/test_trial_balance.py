"""The trial balance behind a commit: what the database keeps of it, who notices when it is wrong, and what it costs."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.store import (
    CashedOut,
    Imbalance,
    Proposal,
    PurseFunded,
    Recorded,
    SqliteStore,
    Store,
    StoreFault,
    StreamStopped,
    audit,
)
from casinowar.store.sqlite import migrate
from casinowar.store.sqlite.connection import execute
from tests.crash.store_writer import OWN, proposal
from tests.store.test_store_contract import write

TOTAL = "SELECT total FROM trial_balance"


def fill(store: SqliteStore, accounts: int) -> None:
    events = tuple(PurseFunded(f"p{number}", OWN, "operator:o1", "guest purse") for number in range(accounts))
    store.commit(
        Proposal(stream="house", expected=0, actor="o1", command="fill", body=b"", answer="", events=events),
    )


def steps(file: Path, accounts: int) -> int:
    """The steps of SQLite's machine, in tens, that one commit takes among so many accounts."""
    met = 0

    def count() -> bool:
        nonlocal met
        met += 1
        return False

    with closing(SqliteStore(file)) as store:
        fill(store, accounts)
        store.commit(proposal(1, 0))
        store._db.set_progress_handler(count, 10)
        store.commit(proposal(2, 5))
        store._db.set_progress_handler(None)
        assert len(store.balances()) == accounts + 3, (
            "issuance, chips and float; what comes and goes within one command opens no account"
        )
    return met


def test_a_commit_costs_the_same_among_many_accounts_as_among_few(tmp_path: Path) -> None:
    few, many = steps(tmp_path / "few.db", 10), steps(tmp_path / "many.db", 3_000)
    assert few > 50
    assert many < 1.1 * few


def come(store: Store, players: int) -> Table:
    """A table at which so many have bought in, the last of whom still has chips."""
    funded = (PurseFunded(f"p{number}", 500, "operator:o1", "guest purse") for number in range(players))
    write(store, "fund", *funded, stream="cage")
    bought = [e.BoughtIn(f"p{number}", 500) for number in range(players)]
    left = [CashedOut(f"p{number}", 500) for number in range(players - 1)]
    chips = {f"p{number}": 500 if number == players - 1 else 0 for number in range(players)}
    table = Table(players=chips, bought_in=500)
    write(store, "come", *bought, *left, table=table)
    return table


def test_a_commit_looks_at_those_alone_whose_chips_have_changed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(SqliteStore(file)) as store:
        table = come(store, 200)
        looked: list[str] = []
        balance = store.known_balance

        def counted(account: str) -> int:
            looked.append(account)
            return balance(account)

        monkeypatch.setattr(store, "known_balance", counted)
        write(store, "1", e.TimePassed(1), table=table)
        assert [account for account in looked if account.startswith("chips:")] == []
        assert audit(store) == []


AMISS: dict[str, tuple[tuple[Recorded, ...], dict[str, int]]] = {
    "chips that the table has lost": ((e.TimePassed(1),), {"p2": 400}),
    "chips that the table has made": ((e.TimePassed(1),), {"p0": 100}),
    "a posting that the table does not follow": ((CashedOut("p2", 100),), {}),
    "a posting to one who had left": ((e.BoughtIn("p0", 100),), {}),
    "chips of another": ((CashedOut("p2", 100),), {"p2": 400, "p1": 100}),
}


@pytest.mark.parametrize("what", AMISS)
def test_a_table_that_counts_otherwise_than_the_ledger_is_stopped_at_any_commit(what: str, store: Store) -> None:
    table = come(store, 3)
    write(store, "1", e.TimePassed(1), table=table)
    events, chips = AMISS[what]
    with pytest.raises(Imbalance, match="by the ledger and"):
        write(store, "2", *events, table=replace(table, players={**table.players, **chips}))
    assert store.stopped("t1") is not None


def test_the_database_keeps_the_total_whoever_moves_a_balance(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        store.commit(proposal(1, 0))
        assert execute(store._db, TOTAL) == [(0,)]
        execute(store._db, "UPDATE balances SET balance = balance + 7 WHERE account = 'chips:t1:ana'")
        execute(store._db, "INSERT INTO balances VALUES ('purse:zoe', 4)")
        assert execute(store._db, TOTAL) == [(11,)]
        with pytest.raises(Imbalance, match="together hold 11"):
            store.commit(proposal(2, 5))
        with pytest.raises(StreamStopped):
            store.commit(proposal(2, 6))


def test_a_total_that_was_tampered_with_is_found(tmp_path: Path) -> None:
    file = tmp_path / "war.db"
    with closing(SqliteStore(file)) as store:
        store.commit(proposal(1, 0))
        execute(store._db, "UPDATE trial_balance SET total = 3")
        assert "the trial balance is kept as 3, and the accounts sum to 0" in audit(store)
        with pytest.raises(apsw.ConstraintError):
            execute(store._db, "DELETE FROM trial_balance")
    with pytest.raises(StoreFault, match="kept as 3"):
        SqliteStore(file)


def test_a_store_from_before_gets_the_total_of_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = apsw.Connection(str(tmp_path / "war.db"))
    before = [one for one in migrate.scripts() if one[0] < 3]
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "scripts", lambda: before)
        migrate.migrate(db, 0)
    execute(db, "INSERT INTO balances VALUES ('purse:ana', 5), ('issuance', -3)")
    migrate.migrate(db, 0)
    assert execute(db, TOTAL) == [(2,)]
    db.close()
