"""Log files by day: put aside at midnight, deleted after so many days, and no table stops when a disk takes no line."""

import logging
import os
from pathlib import Path

import pytest

from casinowar.web.day_file import DayFile

DAY = 86_400
NOON = 1_777_636_800.0
"""The first of May 2026, 12:00 UTC."""


class Clock:
    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> float:
        return self.at


def write(handler: DayFile, words: str) -> None:
    handler.handle(logging.LogRecord("x", logging.INFO, "", 0, words, (), None))


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_each_day_has_a_file_of_its_own_that_its_owner_alone_reads(tmp_path: Path) -> None:
    clock = Clock()
    handler = DayFile(tmp_path / "server.log", clock)
    write(handler, "first")
    clock.at += DAY
    write(handler, "second")
    write(handler, "third")
    handler.close()
    assert names(tmp_path) == ["server.2026-05-01.log", "server.log"]
    assert (tmp_path / "server.2026-05-01.log").read_text() == "first\n"
    assert (tmp_path / "server.log").read_text() == "second\nthird\n"
    assert (tmp_path / "server.log").stat().st_mode & 0o777 == 0o600


def test_a_file_of_an_earlier_day_is_put_aside_at_the_start_and_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "server.2026-05-01.log").write_text("there already\n")
    (tmp_path / "server.log").write_text("of yesterday\n")
    os.utime(tmp_path / "server.log", (NOON, NOON))
    clock = Clock()
    clock.at += DAY
    handler = DayFile(tmp_path / "server.log", clock)
    write(handler, "today")
    handler.close()
    assert (tmp_path / "server.2026-05-01.log").read_text() == "there already\n"
    assert (tmp_path / "server.2026-05-01.2.log").read_text() == "of yesterday\n"
    assert (tmp_path / "server.log").read_text() == "today\n"


def test_a_restart_on_the_same_day_goes_on_in_the_same_file(tmp_path: Path) -> None:
    for words in ("one", "two"):
        handler = DayFile(tmp_path / "server.log")
        write(handler, words)
        handler.close()
    assert (tmp_path / "server.log").read_text() == "one\ntwo\n"


def test_files_of_days_that_are_past_are_deleted_and_no_others(tmp_path: Path) -> None:
    clock = Clock()
    handler = DayFile(tmp_path / "server.log", clock)
    (tmp_path / "server.notes.log").write_text("")
    (tmp_path / "other.2020-01-01.log").write_text("")
    for _ in range(40):
        write(handler, "a line")
        clock.at += DAY
    gone = handler.sweep(30)
    handler.close()
    # Written on the 1st of May to the 9th of June; it is the 10th, and 30 days before that is the 11th of May.
    assert len(gone) == 10
    left = names(tmp_path)
    assert "server.2026-05-10.log" not in left
    assert {"server.2026-05-11.log", "server.2026-06-09.log", "server.log"} <= set(left)
    assert {"server.notes.log", "other.2020-01-01.log"} <= set(left)


def test_a_name_that_only_looks_like_a_day_keeps_nothing_from_being_deleted(tmp_path: Path) -> None:
    (tmp_path / "server.2026-99-99.log").write_text("not ours")
    (tmp_path / "server.2020-01-01.log").mkdir()
    (tmp_path / "server.2020-01-02.log").write_text("ours")
    handler = DayFile(tmp_path / "server.log")
    assert handler.sweep(30) == [tmp_path / "server.2020-01-02.log"]
    handler.close()
    assert names(tmp_path) == ["server.2020-01-01.log", "server.2026-99-99.log", "server.log"]


def test_a_server_that_says_nothing_for_a_month_has_its_last_lines_deleted_too(tmp_path: Path) -> None:
    clock = Clock()
    handler = DayFile(tmp_path / "server.log", clock)
    write(handler, "the only line")
    clock.at += 32 * DAY
    handler.sweep(30)
    handler.close()
    assert names(tmp_path) == ["server.log"]
    assert (tmp_path / "server.log").read_text() == ""


def test_a_file_that_was_moved_away_is_opened_again_when_asked(tmp_path: Path) -> None:
    handler = DayFile(tmp_path / "server.log")
    write(handler, "before")
    (tmp_path / "server.log").rename(tmp_path / "moved.log")
    handler.reopen()
    write(handler, "after")
    handler.close()
    assert (tmp_path / "moved.log").read_text() == "before\n"
    assert (tmp_path / "server.log").read_text() == "after\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_loses_the_line_and_says_so_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = DayFile(tmp_path / "server.log")
    assert handler._file is not None
    os.close(handler._file)
    handler._file = os.open("/dev/full", os.O_WRONLY)
    for _ in range(50):
        write(handler, "lost")
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "No space left on device" in told
    handler.reopen()
    write(handler, "written again")
    handler.close()
    assert (tmp_path / "server.log").read_text() == "\nwritten again\n"
