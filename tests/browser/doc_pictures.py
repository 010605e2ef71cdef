"""The pictures in the documentation: what each shows, and whether the sources of that are still as they were."""

import json
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
TAKEN = FOLDER / "taken.json"
"""For each picture a digest of the sources that it was taken of, and one of itself: `make pictures ARGS=--docs`."""

EVERYWHERE = ("web/src/app.css", "web/src/App.svelte", "web/src/parts/Card.svelte", "web/src/parts/Chip.svelte")
TABLE = (*EVERYWHERE, "web/src/pages/Table.svelte", "web/src/parts/table/*.svelte", "tests/browser/picture_house.py")
LOBBY = (*EVERYWHERE, "web/src/pages/Lobby.svelte", "web/src/parts/lobby/*.svelte")
DRAWN = ("src/casinowar/pictures/card_svg.py", "src/casinowar/pictures/theme.py")
PAR = ("src/casinowar/reports/par/html.py", "src/casinowar/reports/par/plots.py", "src/casinowar/reports/par/*.jinja")

PICTURES: dict[str, tuple[str, ...]] = {
    "dealer-1024-dark.png": (*EVERYWHERE, "web/src/pages/Dealer.svelte", "web/src/parts/dealer/*.svelte"),
    "environment-frame.png": ("src/casinowar/envs/appearance.py", "src/casinowar/envs/glyphs.py"),
    "lobby-1024-dark.png": LOBBY,
    "lobby-390-light.png": LOBBY,
    "night-fan.svg": ("src/casinowar/cli/simulate/plot.py",),
    "nights-1024-dark.png": (*EVERYWHERE, "web/src/pages/Nights.svelte", "web/src/parts/nights/*.svelte"),
    "notebook-round.svg": (*DRAWN, "src/casinowar/pictures/round_svg.py", "src/casinowar/dealers/round_scene.py"),
    "notebook-session.svg": (*DRAWN, "src/casinowar/pictures/stretch_svg.py", "src/casinowar/dealers/stretch_scene.py"),
    "odds-1024-dark.png": (*EVERYWHERE, "web/src/pages/Odds.svelte", "web/src/parts/odds/*.svelte"),
    "par-1024-light.png": PAR,
    "pit-1024-dark.png": (*EVERYWHERE, "web/src/pages/Pit.svelte", "web/src/parts/pit/*.svelte"),
    "replay-1024-light.png": (*EVERYWHERE, "web/src/pages/Replay.svelte", "web/src/parts/replay/*.svelte"),
    "table-ca-tie-1024-light.png": TABLE,
    "table-ctg-result-1024-light.png": TABLE,
    "table-ma-tie-1024-dark.png": TABLE,
    "table-nz-tie-390-dark.png": TABLE,
    "table-wa-result-1024-dark.png": TABLE,
    "table-wa-tie-1680-dark.png": TABLE,
    "terminal-1024-dark.png": ("src/casinowar/cli/play/talk.py", "src/casinowar/cli/play/teller.py"),
}
"""Each picture with the files that draw what it shows: not what is computed behind them, which other tests hold."""

DRAWN_ELSEWHERE = {"layers.svg"}
"""By `make docs-layers`, and held by a test of its own."""


def sources_digest(patterns: tuple[str, ...], root: Path = ROOT) -> str:
    """A digest over the names and bytes of all files of these patterns; a pattern without any is an error."""
    told = sha256()
    for pattern in patterns:
        files = sorted(root.glob(pattern))
        if not files:
            raise FileNotFoundError(f"{pattern}: a picture of the documentation shows what is not there")
        for file in files:
            body = file.read_bytes()
            told.update(f"{file.relative_to(root).as_posix()} {len(body)}\n".encode() + body)
    return told.hexdigest()


def note_taken(names: set[str]) -> None:
    """Note of what these pictures were taken, now that they are."""
    noted = taken()
    for name in names:
        picture = sha256((FOLDER / name).read_bytes()).hexdigest()
        noted[name] = {"sources": sources_digest(PICTURES[name]), "picture": picture}
    kept = {name: noted[name] for name in sorted(noted) if name in PICTURES}
    TAKEN.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


def taken() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(TAKEN.read_text("utf-8")) if TAKEN.exists() else {}
    return found


def stale() -> list[str]:
    """The pictures that were never taken, that were put there by hand, or whose sources have changed since."""
    noted, found = taken(), []
    for name, patterns in PICTURES.items():
        file, note = FOLDER / name, noted.get(name, {})
        is_there = file.exists() and sha256(file.read_bytes()).hexdigest() == note.get("picture")
        if not is_there or sources_digest(patterns) != note.get("sources"):
            found.append(name)
    return found
