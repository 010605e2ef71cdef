"""A server that hands nothing over when it ends: the twin that the test of rolling upgrades must find."""

from casinowar.cli import main
from casinowar.web.peers.peers import Peers

if __name__ == "__main__":
    Peers.can_leave = False  # type: ignore[method-assign,assignment]
    main()
