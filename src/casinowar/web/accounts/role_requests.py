"""Role requests of the operator on the command line: roles granted and revoked, accounts locked; append-only."""

from collections.abc import Callable, Iterable

from casinowar.engine.roles import GRANTED
from casinowar.house.journal import RoleRequest
from casinowar.web.accounts.file import AccountsPlace, number
from casinowar.web.accounts.refusals import RequestRefused

PLAYER = "player"
"""The role that everybody has until it is revoked: that is how an account is locked."""

LEAST_REASON, MOST_REASON = 3, 200


class DatedRequest(RoleRequest, frozen=True):
    """A role counts when the server has taken the request into its log, by its number; a lock counts at once."""

    at: int


def staff_roles(requests: Iterable[RoleRequest]) -> dict[str, frozenset[str]]:
    """The roles of each account after these requests; accounts without one are left out."""
    held: dict[str, frozenset[str]] = {}
    for request in requests:
        if request.role in GRANTED:
            before = held.get(request.account, frozenset())
            held[request.account] = before | {request.role} if request.is_granted else before - {request.role}
    return {account: roles for account, roles in held.items() if roles}


def check_role(role: str) -> None:
    if role not in GRANTED:
        raise RequestRefused(f"there is no such role: {', '.join(GRANTED[:-1])} or {GRANTED[-1]}")


def check_reason(by: str, reason: str) -> None:
    if not (len(reason.strip()) >= LEAST_REASON and len(reason) <= MOST_REASON and reason.isprintable()):
        raise RequestRefused(f"give a reason of {LEAST_REASON} to {MOST_REASON} printable characters")
    if not by or not by.isprintable():
        raise RequestRefused("say who asks")


class RoleRequests:
    """The requests in the file, numbered from 1 without a gap."""

    def __init__(self, file: AccountsPlace, now: Callable[[], int]) -> None:
        self._file = file
        self._now = now

    def add(self, account: str, role: str, is_granted: bool, by: str, reason: str) -> int:
        """Add a request and give its number. It is written even if it changes nothing: only the server knows that."""
        check_reason(by, reason)
        sql = (
            "INSERT INTO role_requests SELECT coalesce(max(number), 0) + 1, CAST(? AS TEXT), CAST(? AS TEXT), "
            "CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT) FROM role_requests RETURNING number"
        )
        return number(self._file.execute(sql, (account, role, int(is_granted), by, reason, self._now()))[0][0])

    def after(self, last: int = 0) -> list[DatedRequest]:
        """The requests behind a number, in order."""
        rows = self._file.execute("SELECT * FROM role_requests WHERE number > ? ORDER BY number", (last,))
        return [
            DatedRequest(number(n), str(account), str(role), bool(granted), str(by), str(reason), number(at))
            for n, account, role, granted, by, reason, at in rows
        ]

    def last(self) -> int:
        return number(self._file.execute("SELECT coalesce(max(number), 0) FROM role_requests")[0][0])

    def is_locked(self, account: str) -> bool:
        sql = "SELECT is_granted FROM role_requests WHERE account = ? AND role = ? ORDER BY number DESC LIMIT 1"
        return self._file.execute(sql, (account, PLAYER)) == [(0,)]
