"""What the accounts refuse, each with a stable code and one line that may be shown to anybody."""

from casinowar.errors import CasinoWarError


class AccountRefused(CasinoWarError, ValueError):
    """A change of an account that is refused: nothing has changed. The message holds no secret.

    `seconds` is how long to wait, and 0 where that does not help.
    """

    code: str
    seconds: int = 0

    def __init_subclass__(cls, *, code: str) -> None:
        cls.code = code


class NameRefused(AccountRefused, code="name_refused"):
    """Not a name that an account can have."""


class NameTaken(AccountRefused, code="name_taken"):
    """Somebody has the name, perhaps with other capitals."""


class NameUnknown(AccountRefused, code="name_unknown"):
    """No account has the name."""


class PasswordRefused(AccountRefused, code="password_refused"):
    """It cannot be a password; the message says why, and never what it was."""


class AccountLocked(AccountRefused, code="account_locked"):
    """The operator has locked the account. Only whoever has shown the password is told."""


class RequestRefused(AccountRefused, code="request_refused"):
    """No such role, nobody who could have it, or no reason that can be read."""


class AccountsBusy(AccountRefused, code="busy"):
    """The database of the accounts was lost for a moment. The message says whether anything can have changed."""

    seconds = 1


class MustWait(AccountRefused, code="must_wait"):
    """Too many failures. `seconds` are left, rounded up."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many failures: wait {seconds} s")
        self.seconds = seconds
