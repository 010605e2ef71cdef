"""Errors of the client: a refusal with its code, or the end of the connection."""

from casinowar import errors
from casinowar import protocol as f


class Refused(errors.Refused):
    """The server did nothing. `code`, the reason, is stable, `says` is for people, `clauses` are the rules behind it.

    `request` is what another member of staff can countersign; `status` is that of HTTP, where the call went there.

    >>> import casinowar
    >>> from casinowar.client import Refused
    >>> str(Refused("stale", "The table has gone on.")), issubclass(Refused, casinowar.Refused)
    ('stale: The table has gone on.', True)
    """

    def __init__(
        self, code: str, says: str, clauses: tuple[str, ...] = (), request: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(code, says, clauses)
        self.code = code
        self.request = request
        self.status = status


class Ended(errors.CasinoWarError):
    """There is no connection and none will be tried: the server said goodbye for good, nobody answers, or the client
    closed.

    A goodbye of a server that ends, or cannot go on, is not for good: another one may have its tables. With the code
    `too_fast` the connection goes on, and only this command, sent again after a break, was not taken.
    Whether a command that was under way has been done is not known: send it again with its id.

    >>> from casinowar.client import Ended
    >>> str(Ended("closed", "the client was closed"))
    'closed: the client was closed'
    """

    def __init__(self, code: str, says: str) -> None:
        super().__init__(f"{code}: {says}")
        self.code = code
        self.says = says


def refused(frame: f.Refused | f.Failed) -> Refused:
    if isinstance(frame, f.Failed):
        return Refused(frame.code, frame.says)
    return Refused(frame.code, frame.says, frame.clauses, frame.request)
