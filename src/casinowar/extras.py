"""The extras of the package: whoever asks for what was not installed is told in one line what to install."""

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
