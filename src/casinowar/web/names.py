"""The names of accounts: plain ASCII, so that no two that look alike are different."""

import re
import secrets

from casinowar.web.refusals import NameRefused

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,23}")
RESERVED = frozenset(("house", "server"))
RESERVED_BEGINNINGS = ("guest-", "bot-")


def check_name(name: str) -> None:
    """Refuse what an account with a password cannot be called."""
    if not NAME.fullmatch(name):
        raise NameRefused("a name has 2 to 24 letters a-z, digits, _ or -, and begins with a letter")
    if name.lower() in RESERVED or name.lower().startswith(RESERVED_BEGINNINGS):
        raise NameRefused("this name is reserved: take another")


def guest_name() -> str:
    """Such as `guest-4f2a91`; it may be taken."""
    return f"guest-{secrets.token_hex(3)}"


def is_guest_name(name: str) -> bool:
    return name.lower().startswith("guest-")
