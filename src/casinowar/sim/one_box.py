"""The kernel for one box with the initial and the tie wager, which gives the same tallies as the general one."""

from numpy import int64
from numpy.typing import NDArray


def is_one_box(flat: NDArray[int64]) -> bool:
    """Whether a plan is of the kind that this kernel plays."""
    return False


def play_one_box(flat: NDArray[int64], memory: NDArray[int64], rounds: int, out: NDArray[int64]) -> None:
    raise NotImplementedError
