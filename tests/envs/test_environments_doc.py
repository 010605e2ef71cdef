"""The examples of the environments' document and of the package run."""

import doctest
from pathlib import Path

import casinowar.envs

ROOT = Path(__file__).resolve().parents[2]


def test_the_document_and_the_package_say_what_comes() -> None:
    page = doctest.testfile(str(ROOT / "docs" / "environments.md"), module_relative=False)
    assert (page.failed, page.attempted > 25) == (0, True)
    package = doctest.testmod(casinowar.envs)
    assert (package.failed, package.attempted > 5) == (0, True)
