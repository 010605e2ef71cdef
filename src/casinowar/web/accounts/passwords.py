"""Passwords: which are taken, and how they are kept and checked, by argon2id with the parameters that OWASP gives."""

import secrets
import threading
import unicodedata

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from casinowar.web.accounts.refusals import PasswordRefused

LEAST, MOST = 8, 128
MEMORY_KIB, PASSES, LANES = 19 * 1024, 2, 1
AT_ONCE = 2
"""Hashing costs a core and 19 MiB: more logins at once wait for their turn."""


def check_form(name: str, password: str) -> None:
    """Refuse a password by its length alone, or if it is the name; there are no rules about kinds of characters."""
    if not is_possible(password):
        raise PasswordRefused(f"a password has {LEAST} to {MOST} characters")
    if password.casefold() == name.casefold():
        raise PasswordRefused("the password must not be the name")


def is_possible(password: str) -> bool:
    """Whether it could be a password. Half a surrogate pair is no text, and its encoding error would spell it out."""
    return LEAST <= len(password) <= MOST and not any("\ud800" <= one <= "\udfff" for one in password)


class Passwords:
    """The hasher of passwords. It is slow on purpose: call it outside any lock. It is safe in several threads."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(
            time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES, type=Type.ID
        )
        self._turn = threading.BoundedSemaphore(AT_ONCE)
        self._decoy: str | None = None

    def hash(self, password: str) -> str:
        with self._turn:
            return self._hasher.hash(_same_on_every_keyboard(password))

    def matches(self, stored: str | None, password: str) -> bool:
        """Whether the password matches. Unknown names and impossible passwords take the same work as any other.

        The decoy hash is made at the first check, whatever its name, so that the time for it tells nothing.
        """
        if self._decoy is None:
            self._decoy = self.hash(secrets.token_urlsafe())
        against = self._decoy if stored is None else stored
        is_right = self._verify(against, password if is_possible(password) else "")
        return is_right and stored is not None

    def _verify(self, stored: str, password: str) -> bool:
        try:
            with self._turn:
                return self._hasher.verify(stored, _same_on_every_keyboard(password))
        except (VerificationError, InvalidHashError):
            return False

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash was made with other parameters than a new one would be."""
        return self._hasher.check_needs_rehash(stored)


def _same_on_every_keyboard(password: str) -> str:
    """The password in one form: one system types an accented letter as one character, another as two."""
    return unicodedata.normalize("NFKC", password)
