"""Fairness: shuffles in which every order is equally likely."""

from casinowar.fairness.shuffle import ByteSource, entropy, index_below, practice_bytes, practice_shuffles, shuffled

__all__ = ["ByteSource", "entropy", "index_below", "practice_bytes", "practice_shuffles", "shuffled"]
