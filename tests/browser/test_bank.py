"""Where players bank: the bank is taken, covers the wagers, and passes on."""

import re

from playwright.sync_api import expect

from tests.browser.people import NewPerson

TABLE = "passing"


def test_the_bank_is_taken_and_passes_on_to_the_next_player(new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    names = {ann.seated(TABLE, 1): ann, ben.seated(TABLE, 3): ben}
    bankers: list[str] = []
    for _ in range(2):
        name, banker = next((name, one) for name, one in names.items() if name not in bankers)
        other = next(one for one in names.values() if one is not banker)
        decline = other.button("Decline")
        ann.until(lambda: ann.view(TABLE)["view"]["bank"] is None)

        def take(banker=banker, decline=decline) -> bool:  # type: ignore[no-untyped-def]
            take = banker.button("Take the bank")
            if decline.is_visible():
                decline.click()
            if take.is_visible():
                take.click()
            return bool(ann.view(TABLE)["view"]["bank"])

        ann.until(take)
        bank = ann.view(TABLE)["view"]["bank"]
        assert bank["player"] == name
        bankers.append(name)
        for one in (ann, ben):
            one.see_text(re.compile(r"covers [\d,.]+"))
        banker.see_text("You have the bank")
        banker.button(re.compile("^Give up the bank")).click()
        expect(banker.page.get_by_text("You have the bank")).to_have_count(0)
    assert len(set(bankers)) == 2
