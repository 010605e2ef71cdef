"""Answers of the HTTP API that this client has types for. Fields that it does not know are ignored."""

import msgspec


class Arrived(msgspec.Struct, frozen=True):
    """The player of a login. Only programs get the token, which is as good as a password."""

    player: str
    is_guest: bool
    roles: tuple[str, ...] = ()
    token: str | None = None

    def __repr__(self) -> str:
        return f"<{self.player}>"
