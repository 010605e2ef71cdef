"""The options of `casinowar serve` about its own log: form, level, file."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from casinowar.web.event_log import Form

FORMS, LEVELS = ("text", "json"), ("debug", "info", "warning", "error")


def log_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the log to a command."""
    for option in (
        click.option(
            "--log-file", type=click.Path(dir_okay=False, path_type=Path), help="Log to this file, a new one each day."
        ),
        click.option("--log-level", type=click.Choice(LEVELS), default="warning", show_default=True, help="From here."),
        click.option("--log-format", type=click.Choice(FORMS), default="text", show_default=True, help="Of each line."),
    ):
        command = option(command)
    return command


def open_logs(form: "Form", level: str, file: Path | None, access_log: bool) -> None:
    """Log to the file, or to standard error, and requests too if the option says so, without their queries."""
    from casinowar.web.event_log import open_log

    try:
        if file is not None:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        open_log(form, level, file, requests=access_log)
    except OSError as error:
        raise click.ClickException(f"--log-file {file}: {error.strerror or error}") from None
