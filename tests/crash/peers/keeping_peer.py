"""A server that keeps its leases when it leaves: the twin that the test of handing over must find."""

from casinowar.cli import main
from casinowar.house.shared_tables import SharedTables
from casinowar.store.postgres.leases import Leases

leave = SharedTables.leave


def leave_with_leases(tables: SharedTables) -> None:
    Leases.release_lease = lambda *_: None  # type: ignore[method-assign]
    leave(tables)


if __name__ == "__main__":
    SharedTables.leave = leave_with_leases  # type: ignore[assignment, method-assign]
    main()
