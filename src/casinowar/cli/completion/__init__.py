"""`casinowar completion`: the lines that let a shell complete commands, books, clauses, options and files."""

import os
from typing import TYPE_CHECKING

import click

from casinowar.cli import COMPLETION
from casinowar.cli.terminal.output import put

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

SHELLS = ("bash", "zsh", "fish")


@click.command(
    short_help="Print what lets a shell complete commands, books and clauses.",
    epilog="\b\nOne line installs it:\n"
    "  casinowar completion bash >> ~/.bashrc\n"
    "  casinowar completion zsh >> ~/.zshrc\n"
    "  casinowar completion fish > ~/.config/fish/completions/casinowar.fish",
)
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.pass_context
def completion(ctx: click.Context, shell: str | None) -> None:
    """Print the lines that let SHELL complete what you type; without SHELL, for the one that you use.

    It then completes commands, options, books with their editions, clauses, incidents, leaves with their values, wagers
    and files. Open a new shell after you have added the lines.
    """
    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    if name not in SHELLS:
        raise click.UsageError(f"name the shell: {', '.join(SHELLS)}", ctx)
    put(_words_of(name, ctx.find_root().command).source().rstrip("\n"))


def _words_of(shell: str, command: click.Command) -> "ShellComplete":
    from casinowar.cli.completion import shells

    return shells.SHELLS[shell](command, {}, "casinowar", COMPLETION)
