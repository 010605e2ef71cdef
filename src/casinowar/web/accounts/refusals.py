"""What the accounts refuse, each with a stable code and one line that may be shown to anybody."""

from casinowar.errors import CasinoWarError


class AccountRefused(CasinoWarError, ValueError):
    """A change of an account that is refused: nothing has changed. The message holds no secret."""

    code = "account_refused"


class NameRefused(AccountRefused):
    """Not a name that an account can have."""

    code = "name_refused"


class NameTaken(AccountRefused):
    """Somebody has the name, perhaps with other capitals."""

    code = "name_taken"


class NameUnknown(AccountRefused):
    """No account has the name."""

    code = "name_unknown"


class PasswordRefused(AccountRefused):
    """It cannot be a password; the message says why, and never what it was."""

    code = "password_refused"


class AccountLocked(AccountRefused):
    """The operator has locked the account. Only whoever has shown the password is told."""

    code = "account_locked"


class RequestRefused(AccountRefused):
    """No such role, nobody who could have it, or no reason that can be read."""

    code = "request_refused"


class MustWait(AccountRefused):
    """Too many failures. `seconds` are left, rounded up."""

    code = "must_wait"

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many failures: wait {seconds} s")
        self.seconds = seconds
