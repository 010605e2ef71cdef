"""No stale picture: each in the documentation is one that `make pictures` takes, of sources that stand as they did."""

import json
import re
from pathlib import Path

import pytest

from tests.browser import doc_pictures
from tests.support.doc_blocks import DOCS, ROOT

SHOWN = re.compile(r"!\[[^\]]+\]\(([^)\s]+\.(?:png|svg))\)")


def shown() -> set[Path]:
    """The pictures that any page shows."""
    pages = [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]
    return {(page.parent / link).resolve() for page in pages for link in SHOWN.findall(page.read_text("utf-8"))}


def kept() -> set[Path]:
    return {file for file in doc_pictures.FOLDER.iterdir() if file.suffix in (".png", ".svg")}


def test_each_picture_is_shown_and_is_one_that_is_taken() -> None:
    assert sorted(file.name for file in kept() - shown()) == []
    assert {file.name for file in kept()} == {*doc_pictures.PICTURES, *doc_pictures.DRAWN_ELSEWHERE}
    assert shown() <= kept()


def test_no_picture_is_stale() -> None:
    stale = doc_pictures.stale()
    if stale:
        pytest.fail(f"{', '.join(stale)}: take them again with `make pictures ARGS=--docs`, and look", pytrace=False)


def test_a_picture_gets_stale_with_what_it_shows(tmp_path: Path) -> None:
    """With a changed, a new and a renamed file, and not with a file of something else."""
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "A.svelte").write_text("one", "utf-8")
    digests = [doc_pictures.sources_digest(("parts/*.svelte",), tmp_path)]
    for act in (
        lambda: (folder / "A.svelte").write_text("two", "utf-8"),
        lambda: (folder / "B.svelte").write_text("two", "utf-8"),
        lambda: (folder / "B.svelte").rename(folder / "C.svelte"),
    ):
        act()
        digests.append(doc_pictures.sources_digest(("parts/*.svelte",), tmp_path))
    assert len(set(digests)) == len(digests)
    (folder / "other.ts").write_text("three", "utf-8")
    assert doc_pictures.sources_digest(("parts/*.svelte",), tmp_path) == digests[-1]
    with pytest.raises(FileNotFoundError):
        doc_pictures.sources_digest(("nowhere/*.svelte",), tmp_path)


def test_a_picture_that_was_put_there_by_hand_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "night-fan.svg"
    (tmp_path / name).write_text("<svg/>", "utf-8")
    monkeypatch.setattr(doc_pictures, "FOLDER", tmp_path)
    monkeypatch.setattr(doc_pictures, "TAKEN", tmp_path / "taken.json")
    assert name in doc_pictures.stale()
    doc_pictures.note_taken({name})
    assert name not in doc_pictures.stale()
    assert list(json.loads((tmp_path / "taken.json").read_text("utf-8"))) == [name]
    (tmp_path / name).write_text("<svg></svg>", "utf-8")
    assert name in doc_pictures.stale()
