"""A server that labours at what it only passes on: the twin that the measure of two servers must find."""

import time

from casinowar.cli import main
from casinowar.web.peers.gateway import FOR_TABLE, Client, Gateway

LABOUR_S = 0.003
pass_on = Gateway.pass_on


def pass_on_late(gateway: Gateway, client: Client, frame: FOR_TABLE, *more: object) -> None:
    until = time.process_time() + LABOUR_S
    while time.process_time() < until:
        pass
    pass_on(gateway, client, frame, *more)  # type: ignore[arg-type]


if __name__ == "__main__":
    Gateway.pass_on = pass_on_late  # type: ignore[method-assign,assignment]
    main()
