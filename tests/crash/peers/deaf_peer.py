"""A server that is not woken by the others, as where their word is lost: it looks around by itself, twice a second."""

from casinowar.cli import main
from casinowar.store.postgres.registry import DatabaseRegistry

if __name__ == "__main__":
    DatabaseRegistry.listen = lambda *_: None  # type: ignore[method-assign]
    main()
