"""The clock: it does what is due at the tables, and takes in the operator's role requests."""

import asyncio
import contextlib
import logging

from casinowar.house.house import RoleRequest
from casinowar.house.table.visibility import can_look
from casinowar.web.server import Server

log = logging.getLogger(__name__)
LOOK_S = 0.5
"""How often the accounts are read for roles that were granted or revoked, and for logins that have ended."""

AFTER_FAULT_S = 1.0


class Clock:
    """One task of the event loop. It never ends by an error: a table whose turn fails is tried again."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._woken = asyncio.Event()
        server.on_act = self._woken.set

    async def run(self) -> None:
        looked = -LOOK_S
        while not self._server.is_closing:
            now = asyncio.get_running_loop().time()
            try:
                if now - looked >= LOOK_S:
                    looked = now
                    self.look()
                self._woken.clear()
                due = self._server.house.advance()
                wait = LOOK_S - (now - looked) if due is None else min(due / 1000, LOOK_S - (now - looked))
            except Exception:
                self._server.metrics.faults.inc()
                log.exception("the clock stumbled")
                wait = AFTER_FAULT_S
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), max(wait, 0.001))

    def look(self) -> None:
        """Take in new roles, and tell each socket whose login has ended or whose role was taken."""
        server = self._server
        requests = server.accounts.role_requests(after=server.house.last_request)
        if requests:
            server.house.import_roles(
                RoleRequest(one.number, one.account, one.role, one.is_granted, one.by, one.reason) for one in requests
            )
        if server.hub.outlets:
            server.accounts.sweep({outlet.login_key for outlet in server.hub.outlets})
            for outlet in list(server.hub.outlets):
                roles = server.roles(outlet.name)
                if not all(can_look(roles, viewer.role) for viewer in outlet.watched.values()):
                    outlet.end("not_allowed")
