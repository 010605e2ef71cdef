"""No module of the package imports itself through others, type-checking imports and those inside functions included."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"


def module_name(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(module: str, path: Path, modules: set[str]) -> set[str]:
    """The modules whose names `module` takes, wherever in the file it imports them.

    `from package import submodule` takes the submodule alone, so that a package may re-export its own submodules; a
    submodule that takes a name out of its package's `__init__` depends on the package.
    """
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            names = (f"{source}.{alias.name}" for alias in node.names)
            imported |= {name if name in modules else source for name in names}
    return imported & modules - {module}


def import_graph() -> dict[str, set[str]]:
    files = {module_name(path): path for path in sorted(SRC.rglob("*.py"))}
    return {module: imported_modules(module, path, set(files)) for module, path in files.items()}


def test_no_import_cycle() -> None:
    graph = import_graph()
    assert len(graph) > 100
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError("import cycle: " + " imports ".join(reversed(error.args[1]))) from None
