"""A packaged book that is loaded again comes from what was kept, and no caller gets the book of another one."""

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from casinowar.rulebooks.load import MOST_KEPT, forget_kept, raw_leaves, read_book


def test_a_book_that_is_loaded_again_is_the_same() -> None:
    forget_kept()
    first = load_rulebook("nz", {"shoe.decks": 8})
    assert load_rulebook("NZ", {"shoe.decks": 8}) == first
    assert load_rulebook("nz").shoe.decks != 8
    assert load_rulebook("ca@1") != load_rulebook("ca")


def test_values_that_python_holds_equal_are_told_apart() -> None:
    assert load_rulebook("nz", {"war.burn": 0}).war.burn == 0
    with pytest.raises(RulebookError, match=r"war\.burn"):
        load_rulebook("nz", {"war.burn": False})


def test_what_is_refused_is_refused_again() -> None:
    for _ in range(2):
        with pytest.raises(RulebookError, match=r"shoe\.decks"):
            load_rulebook("nz", {"shoe.decks": 9})


def test_no_more_books_are_kept_than_there_is_room_for() -> None:
    for minimum in range(1, MOST_KEPT + 10):
        assert load_rulebook("nz", {"limits.area_total_max": minimum}).limits.area_total_max == minimum


def test_a_changed_leaf_is_read_once_what_was_kept_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    before = load_rulebook("nz").war.burn
    with monkeypatch.context() as patch:
        patch.setitem(raw_leaves(read_book("nz"))["war.burn"], "default", 0)
        assert load_rulebook("nz").war.burn == before
        forget_kept()
        assert load_rulebook("nz").war.burn == 0
    forget_kept()
    assert load_rulebook("nz").war.burn == before
