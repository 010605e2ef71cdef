"""`python -m casinowar.reports` in a checkout writes the pages under docs/clauses, and docs/incidents.md, again.

`python -m casinowar.reports account` writes the account of the last full run.
"""

import sys
from pathlib import Path

from casinowar.reports.clauses import clause_pages
from casinowar.reports.full_run import ACCOUNT, RunError, renew_account
from casinowar.reports.marks import marked_tests
from casinowar.reports.rulings.text import incident_page

RUN_FIRST = 3
"""The exit status that says that a full run is wanted first."""


def write_pages(project: Path) -> None:
    folder = project / "docs" / "clauses"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / f"{book}.md": text for book, text in clause_pages(marked_tests(project)).items()}
    for page, text in {**pages, project / "docs" / "incidents.md": incident_page()}.items():
        if not page.exists() or page.read_text("utf-8") != text:
            page.write_text(text, "utf-8")
            print(f"written: {page.relative_to(project)}")


def write_account(project: Path) -> int:
    try:
        run = renew_account(project)
    except RunError as error:
        print(error, file=sys.stderr)
        return RUN_FIRST if error.needs_run else 1
    print(f"written: {ACCOUNT}, the full run on commit {run.commit}: commit it")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["account"]:
        sys.exit(write_account(Path.cwd()))
    write_pages(Path.cwd())
