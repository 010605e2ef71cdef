"""The extras of the package: an error of one line says what to install where a part needs more."""

from importlib.util import find_spec

from casinowar.errors import CasinoWarError


class ExtraMissing(CasinoWarError, ModuleNotFoundError):
    """A part of the package that needs an extra which is not installed."""


def require(part: str, extra: str, *modules: str) -> None:
    """Raise `ExtraMissing` where one of the modules that the part of the package needs is not there."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        message = f"{part} needs {', '.join(missing)}: pip install 'casinowar[{extra}]'"
        raise ExtraMissing(message, name=missing[0])
