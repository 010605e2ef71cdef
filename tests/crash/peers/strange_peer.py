"""A server that knows one rulebook less than the others: it can take up no table of it."""

from casinowar.cli import main
from casinowar.house.tables import OpenTables
from casinowar.store import TableListed

take = OpenTables.take


def take_known(self: OpenTables, listed: TableListed, *, is_new_start: bool) -> None:
    if listed.table in ("wa", "wb"):
        raise ValueError("there is no such rulebook here")
    take(self, listed, is_new_start=is_new_start)


if __name__ == "__main__":
    OpenTables.take = take_known  # type: ignore[method-assign]
    main()
