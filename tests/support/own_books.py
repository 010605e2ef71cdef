"""A sixth book for the configuration folder: New Zealand's under another id, with its own look, limits and one leaf."""

from pathlib import Path

import casinowar
from casinowar.rulebooks.shelf import config_folder

NZ = Path(casinowar.__file__).parent / "rulebooks" / "data" / "nz"
CLOTH, LIGHT = "#502060", "#e0c0f0"


def book_text(id: str = "isle", **changed: str) -> str:
    """The text of the sixth book; a tie pays 11:1 in it."""
    text = (NZ / "book.toml").read_text("utf-8")
    swaps = {
        'id = "nz"': f'id = "{id}"',
        'title = "New Zealand"\n': 'title = "The Isle of Cards"\nshort = "The Isle"\n',
        "edition = 2": "edition = 1",
        "#163642": CLOTH,
        "#acc8d3": LIGHT,
        '{ title = "New Zealand" }': '{ title = "Isle night", limit = { minimum = 100, maximum = 900, unit = 100 } }',
        '"NZ-': f'"{id.upper()}-',
        'on_win = { value = "10:1"': 'on_win = { value = "11:1"',
        **changed,
    }
    for old, new in swaps.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def drop_book(id: str = "isle", *, has_clauses: bool = True, **changed: str) -> Path:
    """Put the sixth book into the configuration folder: as a folder with its clauses, or as one file without any."""
    folder = config_folder()
    file = folder / id / "book.toml" if has_clauses else folder / f"{id}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(book_text(id, **changed), "utf-8")
    if has_clauses:
        clauses = (NZ / "clauses.toml").read_text("utf-8").replace('["NZ-', f'["{id.upper()}-')
        (file.parent / "clauses.toml").write_text(clauses, "utf-8")
    return file
