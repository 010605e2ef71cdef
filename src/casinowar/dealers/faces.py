"""Faces at a table of real cards: which are out, which are known to come next, and which cannot come at all."""

from collections import Counter
from collections.abc import Iterable

from casinowar.cards import Card
from casinowar.engine import Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.records.piles import Faces
from casinowar.rulebooks import Rulebook, clauses_in_case

DRAWN = e.CardDealt | e.CardBurned | e.CardDiscarded | e.CardPlacedAhead
"""Events with which a card leaves the shoe."""


def refuse_faces(rules: Rulebook, table: Table, out: Faces, coming: Faces, command: c.Command) -> Refusal | None:
    """Why these faces cannot be: the decks hold no more of one, or another card is known to be next.

    `out` are the cards that are not in the stack any more, the one just turned last.
    """
    if isinstance(command, c.CorrectCard):
        return _refuse_excess(rules, out[:-1], coming, (command.card,))
    faces = _faces_of(table, command)
    for face, known in zip(faces, coming, strict=False):
        if face is not None and known is not None and face != known:
            return Refusal("another_card_next", clauses_in_case(rules, "irreg.exposed_extra", "needed"))
    told = tuple(face if known is None else None for face, known in zip(faces, coming, strict=False))
    return _refuse_excess(rules, out, coming, (*told, *faces[len(coming) :]))


def _refuse_excess(rules: Rulebook, out: Faces, coming: Faces, faces: Faces) -> Refusal | None:
    known = Counter(_known((*out, *coming, *faces)))
    if any(known[face] > rules.shoe.decks for face in _known(faces)):
        return Refusal("card_exhausted", rules.clauses["shoe.decks"])
    return None


def _known(faces: Iterable[Card | None]) -> list[Card]:
    return [face for face in faces if face is not None]


def _faces_of(table: Table, command: c.Command) -> Faces:
    """The faces that a command tells of the next cards in the shoe."""
    match command:
        case c.Deal() | c.InitialBurn():
            return command.cards
        case c.ReportExtraDraw() | c.ReportFaceUpCard():
            return (command.card,)
        case c.ReportMissedOffer() if table.phase == "deciding":
            return command.faces
        case _:
            return ()
