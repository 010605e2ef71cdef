"""How many statements `src` has, counted from the syntax tree without docstrings, by folder and in all.

    python bench/statements.py
    python bench/statements.py --against HEAD~20

A statement counts once, however many lines it takes; a docstring, a string that stands alone and `pass` count nothing.
With `--against` the same is counted in another revision, whose tree may be laid out in another way.
"""

import argparse
import ast
import io
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ("src", "casinowar")


def statements(source: str) -> int:
    """The statements of one module."""
    return sum(isinstance(node, ast.stmt) and not is_empty(node) for node in ast.walk(ast.parse(source)))


def is_empty(node: ast.stmt) -> bool:
    """Whether a statement does nothing: `pass`, or a text such as a docstring."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Pass)


def folder_of(path: str) -> str:
    """`odds` for `src/casinowar/odds/bank.py`; a module beside the folders is counted under the package."""
    parts = Path(path).parts[len(PACKAGE) :]
    return parts[0] if len(parts) > 1 else PACKAGE[-1]


def is_module(path: str) -> bool:
    return path.endswith(".py") and Path(path).parts[: len(PACKAGE)] == PACKAGE


def count(modules: Iterable[tuple[str, str]]) -> Counter[str]:
    """The statements of each folder, from paths and sources."""
    counts: Counter[str] = Counter()
    for path, source in modules:
        counts[folder_of(path)] += statements(source)
    return counts


def working_tree(root: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(root.joinpath(*PACKAGE).rglob("*.py")):
        yield file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")


def revision(root: Path, name: str) -> Iterator[tuple[str, str]]:
    """The modules of another revision, out of git's archive of its tree."""
    archive = subprocess.run(["git", "archive", name, PACKAGE[0]], cwd=root, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            file = tar.extractfile(member) if is_module(member.name) else None
            if file is not None:
                yield member.name, file.read().decode("utf-8")


def table(now: Counter[str], before: Counter[str] | None) -> list[str]:
    """Lines with each folder's count, and with the count before and the change where there is one."""
    rows = [*((folder, now[folder], (before or now)[folder]) for folder in sorted({*now, *(before or ())}))]
    rows.append(("in all", now.total(), (before or now).total()))
    if before is None:
        return [f"{folder:<12} {counted:>7,}" for folder, counted, _ in rows]
    lines = [f"{'':<12} {'before':>7} {'now':>7} {'change':>8}"]
    return [*lines, *(f"{folder:<12} {old:>7,} {new:>7,} {change(old, new):>8}" for folder, new, old in rows)]


def change(old: int, new: int) -> str:
    return "new" if not old else f"{100 * (new - old) / old:+.1f}%"


def main(args: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Count the statements of src, by folder and in all.")
    parser.add_argument("--against", metavar="REV", help="another revision to count as well, such as HEAD~20")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository to count in")
    options = parser.parse_args(args)
    before = None if options.against is None else count(revision(options.root, options.against))
    print("\n".join(table(count(working_tree(options.root)), before)))


if __name__ == "__main__":
    main(sys.argv[1:])
