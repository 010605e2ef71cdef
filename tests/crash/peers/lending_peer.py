"""A server that lends what a purse lacks: the twin that the races of wagers over two servers must find."""

from casinowar.cli import main
from casinowar.engine import Refusal
from casinowar.engine.commands import Command, PlaceWager
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable

funded = LiveTable.do_funded


def generous(live: LiveTable, draft: Draft, command: Command, reason: str = "") -> Refusal | None:
    if isinstance(command, PlaceWager):
        live.fund(command.player, command.amount)
    return funded(live, draft, command, reason)


if __name__ == "__main__":
    LiveTable.do_funded = generous  # type: ignore[method-assign,assignment]
    main()
