"""A group of commands that says which command was meant where there is none of the name."""

from typing import Any

import click

MOST_NAMED = 3


class CommandGroup(click.Group):
    """A group whose error for an unknown command names those that are spelled much like it."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx), n=MOST_NAMED)
            meant = f": did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"No such command {name!r}{meant}")
        return super().resolve_command(ctx, args)
