"""Twenty questions to a reader who has the tree of folders and files alone: where would you make this change?

    python bench/questions.py
    python bench/questions.py --seed 7 --before 114a8d7 --key

The changes are drawn by a seed from the repository's own history: commits that say what they changed, that changed few
files, and whose lines still exist. Moves, documents and tests are left out, and with `--before` all that came after a
revision. `--key` prints where each change lies now: its files, followed through renames, and those into which its lines
were moved since. The same seed gives the same questions at the same commit.
"""

import argparse
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = 20
MOST_FILES = 6
LEAST_WORDS, MOST_LETTERS = 6, 190
LEAST_LINES = 4
FILE = re.compile(r"(src/casinowar/(?!web/page/).*\.(py|toml)|web/src/.*\.(css|ts|svelte))")
LEFT_OUT = re.compile(r"(\.test\.ts|lib/wire\.ts|/texts/.*)$")
NO_CHANGE = {
    "account",
    "bench",
    "changelog",
    "ci",
    "docs",
    "layout",
    "make",
    "names",
    "project",
    "readme",
    "tests",
    "version",
}
"""Areas whose commits change nothing that a reader could place in the code."""

VAGUE = re.compile(r"\b(found|mended|review\w*|reader|attacker|everything|tidy|move[sd]?|rename[sd]?|split|modules?)\b")
TRAILER = re.compile(r"[\w-]+: ")
NAMES_A_FILE = re.compile(r"[\w/]+\.(py|ts|svelte|toml|md)\b|\w+/\w+|`")


class Change(NamedTuple):
    """A commit as a question, with the files in which its change lies now."""

    commit: str
    says: str
    files: tuple[str, ...]


class Commit(NamedTuple):
    """A commit as git tells it: each file with its name before and after, and how many lines changed."""

    id: str
    subject: str
    body: str
    files: list[tuple[str, str, int]]


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


def commits(root: Path) -> Iterator[Commit]:
    """Every commit but merges, the newest first."""
    # Renames are looked for in full, however many files a commit moves.
    words = (
        "log",
        "--no-merges",
        "--topo-order",
        "-M40%",
        "-l5000",
        "--numstat",
        "-z",
        "--format=%x01%H%x02%s%x02%b%x02",
    )
    for text in git(root, *words).split("\x01")[1:]:
        id, subject, body, rest = text.split("\x02")
        yield Commit(id, subject, body, list(changed_files(rest)))


def changed_files(text: str) -> Iterator[tuple[str, str, int]]:
    """Before, after and changed lines of each file, from `git log --numstat -z`."""
    parts = iter(text.strip("\0\n").split("\0"))
    for part in parts:
        numbers = re.fullmatch(r"\s*(\d+|-)\t(\d+|-)\t(.*)", part, re.DOTALL)
        if numbers is None:
            continue
        lines = sum(int(number) for number in numbers.groups()[:2] if number != "-")
        before, after = (numbers[3], numbers[3]) if numbers[3] else (next(parts), next(parts))
        yield before, after, lines


def changes(root: Path, before: str | None = None) -> list[Change]:
    """The changes of the history that make a question, the newest first."""
    now = {path: path for path in git(root, "ls-files").splitlines()}
    moved = lines_now(root, [path for path in now if is_place(path)])
    early = None if before is None else {*git(root, "rev-list", before).split()}
    found = []
    for commit in commits(root):
        lines = {after: count for _, after, count in commit.files if count and FILE.fullmatch(after)}
        says = question(commit.subject, commit.body) if early is None or commit.id in early else None
        if says is not None and (files := places(lines, now, moved[commit.id])):
            found.append(Change(commit.id[:7], says, files))
        for old, new, _ in commit.files:
            if old != new and new in now:
                now[old] = now.pop(new)
    return found


def lines_now(root: Path, paths: list[str]) -> dict[str, Counter[str]]:
    """How many lines of each commit every file has now, those too that were moved into it from another file."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path in paths:
        told = git(root, "blame", "-w", "-M", "-C", "--incremental", "HEAD", "--", path)
        for commit, lines in re.findall(r"^([0-9a-f]{40}) \d+ \d+ (\d+)$", told, re.MULTILINE):
            counts[commit][path] += int(lines)
    return counts


def is_place(path: str) -> bool:
    return FILE.fullmatch(path) is not None and LEFT_OUT.search(path) is None


def question(subject: str, body: str = "") -> str | None:
    """What a commit changed, in its own words; none where these say too little, or several things at once."""
    parts = [part for part in subject.split("; ") if area_of(part) not in NO_CHANGE]
    if len(parts) != 1 or area_of(parts[0]) is None or len(parts[0]) > MOST_LETTERS:
        return None
    if len(parts[0].split()) < LEAST_WORDS or VAGUE.search(parts[0]) or NAMES_A_FILE.search(parts[0]):
        return None
    why = " ".join(body.partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")
    is_fit = why and len(why) <= MOST_LETTERS and not NAMES_A_FILE.search(why) and not TRAILER.match(why)
    return f"{parts[0]}. {why}." if is_fit else parts[0]


def area_of(part: str) -> str | None:
    """`page` of `page: offer the bank first`; none where a part names no area."""
    area, colon, _ = part.partition(": ")
    return area if colon and len(area.split()) <= 2 else None


def places(lines: dict[str, int], now: Mapping[str, str], moved: Counter[str]) -> tuple[str, ...]:
    """Where the changed lines lie now; nothing where they are too few, too scattered or gone."""
    counted = {path: count for path, count in lines.items() if not LEFT_OUT.search(path)}
    alive = {now[path]: count for path, count in counted.items() if path in now and is_place(now[path])}
    is_followed = sum(alive.values()) >= LEAST_LINES and 2 * sum(alive.values()) >= sum(lines.values())
    found = Counter(alive if is_followed else {}) + moved
    if len(counted) > MOST_FILES or len(found) > MOST_FILES or found.total() < LEAST_LINES:
        return ()
    return tuple(sorted(found, key=lambda path: (-found[path], path)))


def draw(found: list[Change], seed: int) -> list[Change]:
    return random.Random(seed).sample(found, min(QUESTIONS, len(found)))


def main(args: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Draw questions about where a change goes from the history.")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--key", action="store_true", help="print where each change lies now as well")
    parser.add_argument("--before", metavar="REV", help="draw no change that came after this revision")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository to draw from")
    options = parser.parse_args(args)
    found = changes(options.root, options.before)
    head = git(options.root, "rev-parse", "--short", "HEAD").strip()
    print(f"Seed {options.seed}, {len(found)} changes at {head}. Where would you make each of these changes?")
    for number, change in enumerate(draw(found, options.seed), start=1):
        print(f"{number:>2}. {change.says}")
        if options.key:
            print(f"    {change.commit}: {', '.join(change.files)}")


if __name__ == "__main__":
    main(sys.argv[1:])
