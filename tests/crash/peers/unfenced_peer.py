"""A server that never asks whether it still has its leases: the twin that the test of paused servers must find."""

from casinowar.cli import main
from casinowar.store.postgres.leases import Leases


def nothing_lost(store: Leases) -> set[str]:
    return set()


if __name__ == "__main__":
    Leases._check_lease = lambda *_: None  # type: ignore[method-assign]
    Leases.renew_leases = nothing_lost  # type: ignore[method-assign,assignment]
    main()
