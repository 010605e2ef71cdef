"""The retention of what is known of people: what is not needed any more is deleted after so many days, and logs too.

The chained log is never shortened. What is in it of a person is their name and what they did at the tables.
"""

import logging
from collections.abc import Callable

from casinowar.house.house import House
from casinowar.house.settings import Retention
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.event_log import day_files

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
log = logging.getLogger(__name__)


class Sweeper:
    """Looks once an hour for what is too old. Days go by the wall's clock, and the hour by a monotonic one."""

    def __init__(self, house: House, accounts: Accounts, now: Callable[[], int], tick: Callable[[], int]) -> None:
        self._house, self._accounts = house, accounts
        self._now, self._tick = now, tick
        self._swept_at: int | None = None

    @property
    def _days(self) -> Retention:
        return self._house.settings.retention

    def look(self) -> None:
        """Sweep, if that was an hour ago."""
        if self._swept_at is None or self._tick() - self._swept_at >= HOUR_MS:
            self._swept_at = self._tick()
            self.sweep()

    def sweep(self) -> None:
        """Delete ended logins, visits of long ago, addresses of those who hold nothing, and old log files."""
        logins, visits = self._accounts.forget(self._now() - self._days.visits * DAY_MS)
        addresses = self._house.quota.forget_idle()
        files = [file for one in day_files() for file in one.sweep(self._days.logs)]
        if logins or visits or files:
            fields = {"logins": logins, "visits": visits, "addresses": addresses, "files": len(files)}
            log.info("what was too old was deleted", extra=fields)
