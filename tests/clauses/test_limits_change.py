"""Books that say nothing of changing limits: by an empty table or with everybody's agreement, between rounds."""

import pytest

from tests.support.rounds import act, bet, deal, play

NEW = {"minimum": 2000, "maximum": 20000, "unit": 1000}
BOOKS = [
    pytest.param("nz", marks=pytest.mark.clause("NZ-5.10-i")),
    pytest.param("ctg", marks=pytest.mark.clause("CTG-G1")),
    pytest.param("ca", marks=pytest.mark.clause("CA-BS-1")),
    pytest.param("ma", marks=pytest.mark.clause("MA-6a-i")),
]


def change(basis: str, **fields: object) -> dict[str, object]:
    return act("change_limits", **NEW, basis=basis, **fields)


@pytest.mark.parametrize("book", BOOKS)
def test_limits_change_by_an_empty_table_or_agreement_and_not_by_notice(book: str) -> None:
    notice = [act("announce_limits", **NEW), act("tick", seconds=36000), change("notice")]
    seated = act("seat_player", player="ana", box=1)
    agreed = change("agreed", consents=["ana"])
    played = play(book, "2c Kh 9d", change("empty"), *notice, seated, change("empty"), change("agreed"), agreed)
    assert played.refusals == [(3, "not_in_the_book"), (5, "players_present"), (6, "consent_missing")]
    assert [event["basis"] for event in played.events("limits_changed")] == ["empty", "agreed"]
    bank = [act("accept_bank", player="dan", box=8, stake=50000)] if book == "ca" else []
    late = play(
        book, "2c Kh 9d", *bank, bet("ana", 1, "initial", 1000), change("agreed", consents=["ana", "dan"]), deal()
    )
    assert late.refusals == [(len(bank) + 1, "round_in_progress")]
