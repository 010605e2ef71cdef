"""The place of a house on a disk, as options and arguments take it."""

from typing import Any

import click


class HousePath(click.Path):
    """A file or folder of a house. The address of a database is none: a folder of that name would be made."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "://" in str(value):  # It is not told: it may hold a password.
            self.fail("this is an address: a database is named by --database or CASINOWAR_DATABASE", param, ctx)
        return super().convert(value, param, ctx)
