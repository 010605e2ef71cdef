"""Draw `docs/pictures/layers.svg`, the layers of the package, from the import contracts in pyproject.toml."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "layers.svg"
WIDTH, MARGIN, LEFT, ROW, BOX, GAP, HEAD, FOOT = 720, 16, 44, 20, 17, 8, 26, 24

STYLE = """\
  text { font: 12px system-ui, sans-serif; fill: #1d2430 }
  .note { font-size: 11px; fill: #4b5563 }
  .ground { fill: #ffffff }
  .box { fill: #eef2f7; stroke: #8a97a8 }
  .core { fill: #d9f0e1; stroke: #3f8f5f }
  .free { fill: none; stroke: #8a97a8; stroke-dasharray: 4 3 }
  .arrow { fill: none; stroke: #4b5563; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6eaf0 }
    .note { fill: #aab4c2 }
    .ground { fill: #12161d }
    .box { fill: #232b37; stroke: #6b788a }
    .core { fill: #173d28; stroke: #5fb884 }
    .free { stroke: #6b788a }
    .arrow { stroke: #aab4c2 }
  }"""


def contracts() -> dict[str, Any]:
    """The import contracts of pyproject.toml by their ids."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return {contract["id"]: contract for contract in project["tool"]["importlinter"]["contracts"]}


def draw() -> str:
    """The picture as SVG: a row for each layer, the highest first, and a box for each package in it."""
    found = contracts()
    core = {module.removeprefix("casinowar.") for module in found["pure-core"]["source_modules"]}
    layers = [[name.strip() for name in layer.split("|")] for layer in found["layers"]["layers"]]
    bottom = HEAD + ROW * len(layers)
    height = bottom + FOOT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        "<title>The layers of casinowar: imports point down</title>",
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text class="note" x="{LEFT}" y="17">A package imports only what stands below it; packages in one row import '
        "nothing of each other.</text>",
        f'<path class="arrow" d="M26 {HEAD} V{bottom - 4} m-5 -7 l5 7 l5 -7"/>',
    ]
    for number, packages in enumerate(layers):
        lines += _row(packages, HEAD + ROW * number, core)
    lines += [
        f'<rect class="core" x="{LEFT}" y="{bottom + 5}" width="18" height="12" rx="3"/>',
        f'<text class="note" x="{LEFT + 26}" y="{bottom + 15}">the core: no clock, no chance, no operating system'
        "</text>",
        f'<rect class="free" x="{LEFT + 360}" y="{bottom + 5}" width="18" height="12" rx="3"/>',
        f'<text class="note" x="{LEFT + 386}" y="{bottom + 15}">a place kept free</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _row(packages: list[str], top: int, core: set[str]) -> list[str]:
    """The boxes of one layer. A name in parentheses is of a package that may be absent, as in the contract."""
    width = (WIDTH - LEFT - MARGIN - GAP * (len(packages) - 1)) // len(packages)
    lines = []
    for number, package in enumerate(packages):
        name, left = package.strip("()"), LEFT + number * (width + GAP)
        kind = "free" if name != package else "core" if name in core else "box"
        lines += [
            f'<rect class="{kind}" x="{left}" y="{top}" width="{width}" height="{BOX}" rx="4"/>',
            f'<text x="{left + width // 2}" y="{top + 13}" text-anchor="middle">{name}</text>',
        ]
    return lines


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
    print(PICTURE.relative_to(ROOT))
