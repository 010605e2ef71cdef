"""How Sphinx builds the documentation: `make docs`. Nothing is fetched, and a warning is an error."""

import importlib.metadata
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "Casino War"
author = "the casinowar developers"
copyright = author
release = importlib.metadata.version("casinowar")

extensions = ["myst_parser", "docs.made_pages"]
root_doc = "index"
# A list for readers on a code host; index.md is its twin here.
exclude_patterns = ["README.md"]

myst_heading_anchors = 4
highlight_language = "text"

html_theme = "furo"
html_title = f"Casino War {release}"
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f6b45", "color-brand-content": "#1f6b45"},
    "dark_css_variables": {"color-brand-primary": "#7fcfa4", "color-brand-content": "#7fcfa4"},
}
