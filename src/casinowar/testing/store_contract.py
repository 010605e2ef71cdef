"""The contract of a store as tests: inherit `StoreContract`, and give it a fixture `store` that is empty.

    from casinowar.testing.store_contract import StoreContract

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path):
            store = MyStore(tmp_path)
            yield store
            store.close()

It is what everybody relies on: order, one effect for each command, versions, balances that nobody can overdraw, and an
audit that finds nothing. Races, crashes and damaged files are what each kind of store has tests of its own for.
"""

from typing import Any

from casinowar.engine import events as e
from casinowar.extras import require_tool
from casinowar.store import (
    Answer,
    CommandReused,
    Overdrawn,
    Proposal,
    PurseFunded,
    Recorded,
    Store,
    VersionConflict,
    audit,
)

require_tool("store_contract", "pytest")

import pytest  # noqa: E402


def propose(store: Store, command: str, *events: Recorded, stream: str = "t1", **more: Any) -> Proposal:
    """A command of ana's with its events, on top of what the stream has; `more` replaces any field."""
    fields: dict[str, Any] = {
        "stream": stream,
        "expected": store.version(stream),
        "actor": "player:ana",
        "command": command,
        "body": command.encode(),
        "answer": f"done {command}",
        "events": events,
    }
    return Proposal(**{**fields, **more})


def write(store: Store, command: str, *events: Recorded, stream: str = "t1", **more: Any) -> Answer:
    """Commit such a command."""
    return store.commit(propose(store, command, *events, stream=stream, **more))


def fund(store: Store, player: str, amount: int) -> Answer:
    """Money for a player's purse, once for each store."""
    return write(store, "fund", PurseFunded(player, amount, "operator:o1", "for a test"), stream="cage")


def everything(store: Store) -> tuple[Any, ...]:
    """All that a store holds, to tell whether something changed."""
    rows = list(store.event_rows()), list(store.command_rows()), list(store.posting_rows())
    return (*rows, store.balances(), store.checkpoints(), store.head())


class StoreContract:
    """Tests that every store passes. Whoever inherits it gives the fixture `store`.

    >>> import pytest
    >>> from casinowar.store import MemoryStore
    >>> from casinowar.testing import StoreContract
    >>> class TestMemory(StoreContract):
    ...     @pytest.fixture
    ...     def store(self):
    ...         return MemoryStore()
    """

    def test_what_is_committed_is_read_back_in_order(self, store: Store) -> None:
        """Order and versions of what was written, by stream."""
        fund(store, "ana", 5000)
        first = write(store, "1", e.BoughtIn("ana", 3000), e.PlayerSeated("ana", 2))
        second = write(store, "2", e.WagerPlaced("ana", 2, "initial", 1000, clauses=("NZ-5.1",)))
        assert (first.version, second.version, second.is_repeated) == (2, 3, False)
        assert [one.event for one in store.read("t1")] == [
            e.BoughtIn("ana", 3000),
            e.PlayerSeated("ana", 2),
            e.WagerPlaced("ana", 2, "initial", 1000, clauses=("NZ-5.1",)),
        ]
        assert [one.version for one in store.read("t1", after=1)] == [2, 3]
        assert (store.version("t1"), store.version("nowhere")) == (3, 0)
        assert list(store.read("nowhere")) == []

    def test_money_is_posted_with_the_events(self, store: Store) -> None:
        """Each account has what the events moved, and all of them sum to nothing."""
        fund(store, "ana", 5000)
        write(store, "1", e.BoughtIn("ana", 3000), e.WagerPlaced("ana", 2, "initial", 1000))
        held = {account: balance for account, balance in store.balances().items() if balance}
        assert held == {"issuance": -5000, "purse:ana": 2000, "chips:t1:ana": 2000, "escrow:t1": 1000}

    def test_a_refused_command_keeps_its_answer_and_writes_no_event(self, store: Store) -> None:
        """The answer is found again, and the stream stays where it was."""
        write(store, "1", answer="refused: betting_closed")
        again = store.answer_to("player:ana", "1", b"1")
        assert again is not None
        assert (again.answer, again.is_repeated, store.version("t1")) == ("refused: betting_closed", True, 0)

    def test_a_repeated_command_has_its_first_answer_and_no_second_effect(self, store: Store) -> None:
        """The same id and body are one command, however often it comes."""
        fund(store, "ana", 5000)
        write(store, "1", e.BoughtIn("ana", 3000))
        before = everything(store)
        again = store.commit(propose(store, "1", e.BoughtIn("ana", 3000), expected=0, answer="something else"))
        assert (again.answer, again.is_repeated) == ("done 1", True)
        assert everything(store) == before

    def test_an_id_serves_one_command_of_one_person(self, store: Store) -> None:
        """Another body under a used id is refused; another person may use the same id."""
        write(store, "1", e.PlayerSeated("ana", 1))
        with pytest.raises(CommandReused):
            write(store, "1", e.PlayerSeated("ana", 2), body=b"other")
        assert not write(store, "1", e.PlayerSeated("ben", 2), actor="player:ben").is_repeated
        assert store.version("t1") == 2

    def test_a_stale_version_is_refused_and_changes_nothing(self, store: Store) -> None:
        """Neither what was expected before nor what is still to come is taken."""
        write(store, "1", e.PlayerSeated("ana", 1))
        before = everything(store)
        for stale in (0, 2):
            with pytest.raises(VersionConflict):
                write(store, "2", e.PlayerSeated("ben", 2), expected=stale)
        assert everything(store) == before

    def test_nobody_can_owe(self, store: Store) -> None:
        """An account of a player never falls below nothing."""
        fund(store, "ana", 500)
        before = everything(store)
        with pytest.raises(Overdrawn):
            write(store, "1", e.BoughtIn("ana", 501))
        assert everything(store) == before

    def test_the_audit_finds_nothing(self, store: Store) -> None:
        """An honest store has no findings."""
        fund(store, "ana", 5000)
        write(store, "1", e.BoughtIn("ana", 3000))
        assert audit(store) == []
