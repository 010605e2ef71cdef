"""What the HTTP API answers, as far as this client gives it names; fields that it does not know are passed by."""

import msgspec


class Arrived(msgspec.Struct, frozen=True):
    """Who the session is of. The token is told to programs alone, and is as good as a password."""

    player: str
    is_guest: bool
    roles: tuple[str, ...] = ()
    token: str | None = None

    def __repr__(self) -> str:
        return f"<{self.player}>"
