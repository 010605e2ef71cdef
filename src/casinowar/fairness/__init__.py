"""Fairness: shuffles in which every order is equally likely, and sealed shoes that anybody can check."""

from casinowar.fairness.chain import Finding, ListedShoe
from casinowar.fairness.check import Noted, check_series, check_shoe, verify
from casinowar.fairness.derivation import Contribution, Header, promise
from casinowar.fairness.export import ExportedShoe, dump_shoe, export, load_shoe
from casinowar.fairness.sealed import CardProof, Cut, Dealt, Kept, Opening, PutBack, SealedShoe, SealRefused
from casinowar.fairness.series import Listed, ShoeSeries
from casinowar.fairness.shuffle import ByteSource, entropy, index_below, practice_bytes, practice_shuffles, shuffled

__all__ = [
    "ByteSource",
    "CardProof",
    "Contribution",
    "Cut",
    "Dealt",
    "ExportedShoe",
    "Finding",
    "Header",
    "Kept",
    "Listed",
    "ListedShoe",
    "Noted",
    "Opening",
    "PutBack",
    "SealRefused",
    "SealedShoe",
    "ShoeSeries",
    "check_series",
    "check_shoe",
    "dump_shoe",
    "entropy",
    "export",
    "index_below",
    "load_shoe",
    "practice_bytes",
    "practice_shuffles",
    "promise",
    "shuffled",
    "verify",
]
