"""The extras of the package: an error of one line says what to install where a part needs more."""

from importlib.util import find_spec

from casinowar.errors import CasinoWarError


class ExtraMissing(CasinoWarError, ModuleNotFoundError):
    """A part of the package that needs an extra which is not installed."""


def is_installed(module: str) -> bool:
    """Whether a module can be imported; it is not imported for that."""
    return find_spec(module) is not None


def install(extra: str) -> str:
    """How to get an extra. It comes from the project's folder, and not from an index."""
    return f"pip install '.[{extra}]' in the project's folder"


def require(part: str, extra: str, *modules: str) -> None:
    """Raise `ExtraMissing` where one of the modules that the part of the package needs is not there."""
    missing = [module for module in modules if not is_installed(module)]
    if missing:
        message = f"{part} needs {', '.join(missing)}: {install(extra)}"
        raise ExtraMissing(message, name=missing[0])


def require_tool(part: str, tool: str) -> None:
    """Raise `ExtraMissing` with one line where a tool for tests is not there, which no extra brings."""
    if not is_installed(tool):
        raise ExtraMissing(f"casinowar.testing.{part} needs {tool}: pip install {tool}", name=tool)
