"""A newcomer's tasks: each is one short script, and each runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TASKS = sorted((Path(__file__).resolve().parents[2] / "examples" / "tasks").glob("*.py"))
MOST_LINES = 15
NEEDS_A_SERVER = "live_bot"
"""`tests/client/test_bots.py` runs it."""


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.stem)
def test_a_task_takes_at_most_fifteen_lines(task: Path) -> None:
    lines = task.read_text("utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.startswith('"""')]
    assert len(code) <= MOST_LINES
    assert lines[0].startswith('"""')


@pytest.mark.parametrize("task", [one for one in TASKS if one.stem != NEEDS_A_SERVER], ids=lambda task: task.stem)
def test_a_task_runs(task: Path, tmp_path: Path) -> None:
    words = [sys.executable, str(task)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env={**os.environ}, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_wrapping_an_environment_shows_what_a_tie_is_worth(tmp_path: Path) -> None:
    task = next(one for one in TASKS if one.stem == "wrap_environment")
    done = subprocess.run([sys.executable, str(task)], capture_output=True, text=True, cwd=tmp_path, check=True)
    war, surrender = done.stdout.splitlines()
    assert surrender == "surrender: -0.50 a tie; best: war"
    assert war.startswith("war: -0.")


def test_there_are_the_tasks_that_are_promised() -> None:
    wanted = "thousand_rounds look_ahead changed_rule own_rulebook replay sealed_shoe live_bot wrap_environment"
    assert set(wanted.split()) <= {task.stem for task in TASKS}
    assert len(TASKS) >= 12
