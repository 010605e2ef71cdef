"""The reference of the command line: what each command says of itself with `--help`."""

from collections.abc import Iterator

import click

from casinowar.cli import casinowar
from docs.markdown import join

WIDTH = 100


def page() -> str:
    """Every command, and the commands below it."""
    return join(*(part for name, context in commands() for part in (f"## {name}", _help(context))))


def commands() -> Iterator[tuple[str, click.Context]]:
    """The contexts of all commands by their whole names, the ones below a command after it."""
    yield from _below(casinowar, "casinowar", None)


def _below(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, click.Context]]:
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, parent=parent, info_name=name.rpartition(" ")[2], **settings)
    yield name, context
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            below = command.get_command(context, part)
            if below is not None and not below.hidden:
                yield from _below(below, f"{name} {part}", context)


def _help(context: click.Context) -> str:
    return f"```text\n{context.get_help().rstrip()}\n```"
