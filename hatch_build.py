"""The build hooks: the built page goes along, the index gets a text of its own, and the citation must be true."""

import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)\n*")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?://)[^)]*\)")
BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


class PageHook(BuildHookInterface[Any]):
    """Builds the page where it is not built yet, so that installing wheel or sdist needs no Node.

    An sdist holds the page; for an editable install there is `make page`.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version == "editable":
            self.app.display_info("the page is built by make page, or by python web/build.py")
            return
        check_citation(root)
        is_sdist = (root / "PKG-INFO").exists()
        page = _page_build(root / "web" / "build.py")
        if page.INDEX.exists() if is_sdist else page.is_built():
            return
        self.app.display_info("building the page")
        page.build()


class LongDescription(MetadataHookInterface):
    """Gives the package README.md as an index shows it: there are no pictures there, and no files to link to."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": long_description(text)}


def long_description(readme: str) -> str:
    """The text without pictures, and with the words alone of each link into the project; blocks of code stay."""
    return "".join(part if part.startswith("```") else _plain(part) for part in BLOCK.split(readme))


def _plain(text: str) -> str:
    return LINK.sub(r"\1", PICTURE.sub("", text))


def citation(project: dict[str, Any]) -> str:
    """CITATION.cff as `pyproject.toml` has it: the software's title, author, version, licence and keywords."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this software, please cite it as below.",
        "type: software",
        f"title: {project['name']}",
        f'abstract: "{project["description"]}"',
        "authors:",
        *(f"  - name: {author['name']}" for author in project["authors"]),
        f"version: {project['version']}",
        f"license: {project['license']}",
        "keywords:",
        *(f"  - {word}" for word in project["keywords"]),
    ]
    return "\n".join(lines) + "\n"


def check_citation(root: Path) -> None:
    """Refuse to build with a citation of another version or author."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    file = root / "CITATION.cff"
    if not file.exists() or file.read_text("utf-8") != citation(project):
        raise ValueError("CITATION.cff is not what pyproject.toml says: python hatch_build.py writes it")


def _page_build(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("page_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    told = citation(tomllib.loads((here / "pyproject.toml").read_text("utf-8"))["project"])
    (here / "CITATION.cff").write_text(told, encoding="utf-8")
