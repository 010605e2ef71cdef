"""The command line: `casinowar COMMAND`, one module per command, imported when the command is used.

Exit status: 0 done, 1 a check failed, 2 bad usage or input, 130 interrupted. Data goes to standard output, talk to
standard error, and an error is one line.
"""

import os
import re
import sys
from collections import UserDict
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from casinowar.cli.terminal.command_group import CommandGroup
from casinowar.cli.terminal.output import complete_streams, say, settle_streams
from casinowar.extras import ExtraMissing

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMPLETION = "_CASINOWAR_COMPLETE"
"""The variable by which a shell asks for completions."""

OK, CHECK_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

LONGEST = 2_000
"""An error of more letters is cut: a name that somebody else has put into a file can be of any length."""

ADDRESS = re.compile(r"(postgres\w*:/+)(?!/|USER@)[^\s')]+")
"""The address of a database in the wrong place, which is not repeated: it may hold a password."""

WANTED = re.compile(r"\bis not a valid (integer|float)(?: range)?(?= |$)")
MEANT = {"integer": "is not a whole number", "float": "is not a number"}
"""What click says of a number, and what we say."""

SUMMARIES = {
    "admin": "Keep the accounts of a live house: add, lock, grant roles.",
    "audit": "Verify everything in the database of a live house.",
    "bench": "Measure engine, odds, simulation, or live tables under load.",
    "compare": "Set books side by side: their odds, and the same cards under each.",
    "completion": "Print what lets a shell complete commands, books and clauses.",
    "deal": "Deal real cards by the rules, with a console for the dealer.",
    "odds": "Compute the exact odds of every wager of a book.",
    "par": "Make the PAR sheet of a rulebook.",
    "play": "Play at a table in the terminal.",
    "prove": "Prove to others that checkpoints of a house go on from each other.",
    "replay": "Replay a round record and tell what came of it.",
    "ruling": "Tell the ruling on an incident, with its clause.",
    "rules": "Look into the rulebooks and their clauses.",
    "serve": "Serve live tables over HTTP, with play money.",
    "simulate": "Simulate a table, and set it beside the exact odds.",
    "solve": "Find the payout or deck count that meets a target edge.",
    "verify": "Check exported shoes and proofs, or print the script that does.",
}


class _Commands(UserDict[str, click.Command]):
    """Commands by name. The module of each is imported when it is first used, so that the others cost nothing."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in SUMMARIES:
            raise KeyError(name)
        command: click.Command = getattr(import_module(f"casinowar.cli.{name}"), name)
        return command

    def __contains__(self, name: object) -> bool:
        return name in SUMMARIES


class _CommandLine(CommandGroup):
    """The group of all commands, which lists them without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUMMARIES)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """The commands that begin so, without importing any."""
        from click.shell_completion import CompletionItem

        begun = [name for name in SUMMARIES if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=SUMMARIES[name]) for name in begun), *options]


@click.group(
    cls=_CommandLine,
    commands=_Commands(),
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="casinowar", message="%(prog)s %(version)s")
@click.pass_context
def casinowar(ctx: click.Context) -> None:
    """Casino War, exactly as five authorities regulate it."""
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())
        ctx.exit(BAD_INPUT)


def main(args: Sequence[str] | None = None) -> None:
    """Run a command and exit with its status."""
    complete_streams()
    if COMPLETION in os.environ:
        import_module("casinowar.cli.completion.shells").register_shells()
    status = _status(args)
    settle_streams()
    sys.exit(status)


def _status(args: Sequence[str] | None) -> int:
    try:
        status = casinowar.main(args, prog_name="casinowar", standalone_mode=False)
    except click.ClickException as error:
        say(_one_line(error))
        return BAD_INPUT
    except click.Abort:
        return INTERRUPTED
    except ExtraMissing as error:
        say(f"casinowar: {error}")
        return BAD_INPUT
    except OSError as error:
        say(f"casinowar: {error.filename or 'cannot write'}: {error.strerror or error}")
        return BAD_INPUT
    return status if isinstance(status, int) else OK


def _one_line(error: click.ClickException) -> str:
    """The error in one line: `casinowar replay: what is wrong (see casinowar replay --help)`."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context else "casinowar"
    see = f" (see {where} --help)" if isinstance(error, click.UsageError) and context else ""
    message = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.UsageError):
        message = ADDRESS.sub(r"\1...", message)
    if len(message) > LONGEST:
        message = f"{message[:LONGEST]} ..."
    message = WANTED.sub(lambda found: MEANT[found[1]], message)
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in f"{where}: {message}{see}")
