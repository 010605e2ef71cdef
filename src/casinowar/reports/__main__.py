"""`python -m casinowar.reports` in a checkout writes the pages of the clauses under docs/clauses again."""

from pathlib import Path

from casinowar.reports.clauses import clause_pages
from casinowar.reports.marks import marked_tests


def main(project: Path) -> None:
    folder = project / "docs" / "clauses"
    folder.mkdir(parents=True, exist_ok=True)
    for book, text in clause_pages(marked_tests(project)).items():
        page = folder / f"{book}.md"
        if not page.exists() or page.read_text("utf-8") != text:
            page.write_text(text, "utf-8")
            print(f"written: {page.relative_to(project)}")


if __name__ == "__main__":
    main(Path.cwd())
