"""The front page: the lobby as plain text with links, without a script."""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casinowar.table.house import LobbyLine

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Casino War</title></head>
<body>
<h1>Casino War</h1>
<p>A house of live tables, with play money. It is played over its interface:
<a href="/api/docs">documentation</a>, <a href="/api/openapi.json">OpenAPI</a>.</p>
<h2>Tables</h2>
<ul>
{tables}
</ul>
<p><a href="/api/rulebooks">Rulebooks</a>, <a href="/api/checkpoints/latest">last checkpoint</a>,
<a href="/healthz">health</a></p>
</body>
</html>
"""


def front_page(lobby: Iterable["LobbyLine"]) -> str:
    """A private table is not shown to everybody."""
    return PAGE.format(tables="\n".join(_line(line) for line in lobby if line.owner is None))


def _line(line: "LobbyLine") -> str:
    title = escape(line.title or line.name)
    shoes = escape(f"/api/tables/{line.name}/shoes", quote=True)
    return f'<li>{title} ({escape(line.rulebook)}): <a href="{shoes}">shoes</a></li>'
