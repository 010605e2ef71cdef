"""The build hook: wheel and sdist carry the built page, so that installing either needs no Node."""

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Builds the page where it is not built yet. An sdist holds it; for an editable install there is `make page`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            self.app.display_info("the page is built by make page, or by python web/build.py")
            return
        root = Path(self.root)
        is_sdist = (root / "PKG-INFO").exists()
        page = _page_build(root / "web" / "build.py")
        if page.INDEX.exists() if is_sdist else page.is_built():
            return
        self.app.display_info("building the page")
        page.build()


def _page_build(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("page_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
