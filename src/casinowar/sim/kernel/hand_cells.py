"""The cell of a hand: what its cards and the dealer's come to, as `outcome_cells.py` numbers it."""

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.shoe import Numbers


@compiled
def pair_kind(one: int, two: int) -> int:
    """Which pair two cards of one rank make: mixed, coloured or perfect."""
    suits = (one ^ two) & 3
    return cells.PERFECT if suits == 0 else cells.COLOURED if suits == 3 else cells.MIXED


@compiled
def first_cell(flat: Numbers, card: int, dealer: int) -> int:
    """The cell of a box after the first deal; a tie without war."""
    rank, other = card >> 2, dealer >> 2
    ace = 1 if flat[at.TELLS_ACE] and rank == flat[at.ACE] else 0
    if rank != other:
        return (cells.LOSS if rank < other else cells.WIN) + cells.ACES * ace
    pair = pair_kind(card, dealer) if flat[at.TELLS_PAIR] else 0
    return cells.TIE + cells.BLOCK * (2 * pair + ace)


@compiled
def war_part(flat: Numbers, card: int, dealer: int, first: int, first_dealer: int) -> int:
    """What the second cards add to the cell of a tie."""
    rank, other = card >> 2, dealer >> 2
    if rank != other:
        return cells.WAR_LOSS if rank < other else cells.WAR_WIN
    part = cells.WAR_TIE
    if flat[at.TELLS_SECOND_PAIR]:
        part += 4 * pair_kind(card, dealer)
    if flat[at.TELLS_LINES]:
        suit = card & 3
        is_one_suit = suit == dealer & 3 and suit == first & 3 and suit == first_dealer & 3
        part += (2 if rank == first >> 2 else 0) + (1 if is_one_suit else 0)
    return part


@compiled
def is_jackpot(flat: Numbers, cell: int) -> bool:
    """Whether a cell is the jackpot of the progressive: four of a kind in two perfect pairs, perhaps of one suit."""
    if cell < cells.TIE + 2 * cells.PERFECT * cells.BLOCK:
        return False
    part = (cell - cells.TIE) % cells.BLOCK
    return part == cells.WAR_TIE + 11 or (part == cells.WAR_TIE + 10 and flat[at.SUITED_FOUR] == 1)
