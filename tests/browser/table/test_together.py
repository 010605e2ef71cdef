"""Two browsers at one table, and what a browser may not do."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.people import NewPerson, Person
from tests.browser.sizes import each_size, is_seen


def test_two_browsers_at_one_table_see_each_others_wagers_and_the_same_cards(new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    anns = ann.seated("stacked-two", 2)
    bens = ben.seated("stacked-two", 4)
    ben.see_text(anns[:10])
    ann.bet("Casino War", 2)
    expect(ben.spot("Casino War", 2)).to_have_accessible_name(re.compile("5 down"))
    ben.bet("Casino War", 4)
    ben.bet("Tie", 4)
    ann.ready()
    for size in each_size(ann, "waits"):
        assert is_seen(ann.see_text(f"Ready. The dealer waits for {bens}."), size), size
    ben.ready()
    for one, wagers in ((ann, "1 wager"), (ben, "2 wagers")):
        one.see_text(f"this round, {wagers}")
    faces = [sorted(shown_cards(one)) for one in (ann, ben)]
    assert len(faces[0]) == 3
    assert faces[0] == faces[1]


def shown_cards(person: Person) -> list[str]:
    """The faces that lie on the felt, by what a screen reader is told of them."""
    names = person.page.get_by_role("img").evaluate_all("all => all.map((one) => one.getAttribute('aria-label') ?? '')")
    return [name for name in names if re.search(r" of (spades|hearts|diamonds|clubs)$", name)]


FETCHED = """async ([path, body]) => {
  const headers = {'Content-Type': 'application/json'}
  const answer = await fetch(path, {method: 'POST', headers, body: JSON.stringify(body)})
  return [answer.status, await answer.json()]
}"""


def sent(person: Person, table: str, expected: int, command: dict[str, Any], **more: Any) -> tuple[int, Any]:
    """What somebody gets who types a command into the browser's console."""
    body = {"id": f"console-{expected}-{command['do']}-{len(more)}", "expected": expected, "command": command, **more}
    status, answer = person.page.evaluate(FETCHED, [f"/api/tables/{table}/commands", body])
    return status, answer


def test_forged_and_late_commands_from_the_console_are_refused_and_change_nothing(new_person: NewPerson) -> None:
    ann, mallory = new_person(), new_person()
    table = "stacked-ties-forged"
    anns = ann.seated(table, 2)
    mallorys = mallory.seated(table, 4)
    before = ann.view(table)["version"]
    ann.bet("Casino War", 2)
    mallory.bet("Casino War", 4)
    ann.ready()
    mallory.ready()
    ann.see(ann.button(re.compile("^Surrender")))
    version = ann.view(table)["version"]
    money = ann.view(table)["view"]["balance"]

    other = sent(mallory, table, version, {"do": "surrender", "player": anns, "box": 2, "reason": ""})
    assert other[0] in (403, 409)
    dealer = sent(mallory, table, version, {"do": "next"}, **{"as": "dealer", "reason": "because"})
    assert (dealer[0], dealer[1]["code"]) == (403, "not_allowed")
    wager = {"do": "place_wager", "player": mallorys, "box": 4, "wager": "tie", "amount": 500}
    late = sent(mallory, table, version, wager)
    assert late[0] == 409
    stale = sent(mallory, table, before, {"do": "go_to_war", "player": mallorys, "box": 4})
    assert (stale[0], stale[1]["code"]) == (409, "stale")

    assert ann.view(table)["version"] == version
    assert ann.view(table)["view"]["balance"] == money
    expect(ann.button(re.compile("^Surrender"))).to_be_enabled()
    for one in (ann, mallory):
        one.button(re.compile("^Surrender")).click()
        one.see_text(re.compile("surrendered, 2.50 back"))


def test_a_refusal_is_told_in_words_with_its_clause(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-drag", 3)
    ann.page.get_by_role("radio", name="Chip 500").click()
    ann.bet("Casino War", 3)
    ann.press("Casino War", 3)
    told = ann.see(ann.page.get_by_role("alert").filter(has_text="Not taken"))
    expect(told).to_contain_text("500")
    ann.page.get_by_role("region", name="Rulings of this round").get_by_role(
        "button", name=re.compile("^Clause NZ-")
    ).first.click()
    expect(ann.page.get_by_role("dialog")).to_contain_text("NZ-")
