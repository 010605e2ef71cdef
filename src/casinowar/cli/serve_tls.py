"""The options of `casinowar serve` about TLS: the certificate and its key."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from casinowar.cli.terminal.output import say

if TYPE_CHECKING:
    from casinowar.web.http.certificate import Certificate


def tls_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of TLS to a command."""
    file = click.Path(dir_okay=False, path_type=Path)
    for option in (
        click.option("--key", metavar="FILE", type=file, help="The private key of the certificate, in PEM form."),
        click.option(
            "--cert", metavar="FILE", type=file, help="Speak TLS with this certificate and its chain, in PEM."
        ),
    ):
        command = option(command)
    return command


def load_certificate(cert: Path | None, key: Path | None, ctx: click.Context) -> "Certificate | None":
    """The certificate of the options, if they name one; what is wrong with it is one line."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise click.UsageError("--cert and --key go together: name both files", ctx)
    from casinowar.web.http.certificate import Certificate

    try:
        certificate = Certificate(cert, key)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    if certificate.has_ended():
        say(f"casinowar serve: warning: {cert}: the certificate ended on {certificate.end:%Y-%m-%d}")
    return certificate
