"""The audit of a live house: silent about an honest one, and what it says of a night that is told otherwise."""

import random
import re
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from casinowar.audit import Audit
from casinowar.audit import openings as auditing_openings
from casinowar.audit import rounds as auditing_rounds
from casinowar.audit import tables as auditing_tables
from casinowar.audit.house import HouseAudit
from casinowar.audit.money import find_money_faults
from casinowar.audit.snapshot import AuditedStore
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.history.round_record import record_of, told_round
from casinowar.rulebooks import BOOKS, load_rulebook
from casinowar.store import (
    BookResolved,
    CashedOut,
    CommandTaken,
    EntropyAdded,
    MemoryStore,
    PurseFunded,
    Recalled,
    Recorded,
    RoleGranted,
    ShoeCommitted,
    ShoeCut,
    ShoeOpened,
    ShoeSealed,
    SqliteStore,
    StaffActed,
    Store,
    TableListed,
    audit,
    make_checkpoint,
    public_key,
    resolved,
)
from casinowar.store.events import SHOE_EVENTS
from casinowar.store.ledger import accounts_of
from casinowar.store.stored_rules import digest_of
from tests.support.audited_nights import Change, deal_by_hand, open_night, play_night, retold
from tests.support.live_night import HOUR, Night, table

pytestmark = pytest.mark.slow

ENDS = (e.RoundEnded, e.RoundVoided, e.RoundInvalidated)


def told(store: Store, **more: Any) -> list[str]:
    return [str(one) for one in Audit(store, **more).findings()]


@cache
def honest() -> Night:
    return play_night(MemoryStore())


def logged(kind: type[Any], stream: str = "t") -> list[Any]:
    return [one.event for one in honest().store.read(stream) if isinstance(one.event, kind)]


# Honest nights


def test_a_night_in_which_everything_happens_is_sound_and_counted() -> None:
    night = honest()
    audited = Audit(night.store)
    assert [str(one) for one in audited.findings()] == []
    log = [one.event for stream in night.store.streams() for one in night.store.read(stream)]
    fates = [event.fate for event in log if isinstance(event, ShoeOpened)]
    assert {"finished", "voided"} == set(fates)
    assert any(isinstance(event, e.WarDeclared) for event in log)
    assert any(isinstance(event, e.RoundVoided) for event in log)
    counts = audited.counts
    assert (counts.events, counts.tables) == (len(log), 3)
    assert counts.shoes == sum(isinstance(event, ShoeCommitted) for event in log)
    ended = {
        (stream, one.event.number)
        for stream in ("t", "c")
        for one in night.store.read(stream)
        if isinstance(one.event, ENDS)
    }
    assert counts.rounds == counts.replayed == len(ended)
    assert 0 < counts.records < counts.rounds, "of the rounds in which somebody ruled or reported"


@pytest.mark.parametrize("book", BOOKS)
def test_a_night_at_a_table_of_each_book_is_sound(book: str) -> None:
    night = open_night(table("x", book, bots=[{"strategy": "bank"}] * 2 if book == "ca" else []))
    night.table = "x"
    night.sit("ann", "ben")
    night.play(8, ("ann", "ben"), random.Random(3))
    assert told(night.store) == []


@pytest.mark.parametrize("dealer", ["human", "real"])
def test_a_table_dealt_by_hand_is_sound(dealer: str) -> None:
    night = open_night(table("x", "wa", dealer=dealer, timeout="wait"))
    deal_by_hand(night, "x", "ann", 4, random.Random(5))
    audited = Audit(night.store)
    assert list(audited.findings()) == []
    assert (audited.counts.rounds, audited.counts.shoes) == (4, 0 if dealer == "real" else 1)
    assert dealer == "human" or audited.counts.records == 4, "no shoe vouches for real cards: their records do"


def test_a_house_that_was_ended_in_the_middle_of_a_round_and_opened_again_is_sound(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "war.db")
    night = open_night(store=store)
    night.sit("ann")
    night.until_tie("ann")
    store._close_all()
    with closing(AuditedStore(tmp_path / "war.db")) as left:
        assert told(left) == []
    with closing(SqliteStore(tmp_path / "war.db")) as again:
        night.store = again
        night.house = night.open()
        night.come("ann")
        night.until(lambda: night.live.table.round.is_over)
        assert told(again) == []


def test_a_table_whose_opening_was_not_finished_is_no_finding_and_an_unlisted_one_that_was_played_at_is() -> None:
    listed = without(lambda one: isinstance(one.event, TableListed) and one.event.table == "late")
    assert told(retold(honest().store, listed)) == []
    listed = without(lambda one: isinstance(one.event, TableListed) and one.event.table == "t")
    assert told(retold(honest().store, listed)) == ["t: was played at and is in no list of tables"]


def test_only_so_many_rounds_are_replayed_as_are_asked_for() -> None:
    audited = Audit(honest().store, rounds=3)
    assert list(audited.findings()) == []
    assert audited.counts.replayed == 3 < audited.counts.rounds


# Beside a server that writes


def beside_a_writer(store: Store, night: Night) -> list[str]:
    """What an audit says that is held up again and again while a round is played."""

    def go_on(done: int, total: int) -> None:
        night.until_ready()
        night.bet("ann")

    return told(store, progress=go_on)


def test_what_is_written_during_the_audit_is_not_seen(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "war.db")) as writer:
        night = open_night(store=writer)
        night.sit("ann")
        with closing(AuditedStore(tmp_path / "war.db")) as store:
            before = writer.head().events
            audited = Audit(store)
            assert beside_a_writer(store, night) == []
            assert list(audited.findings()) == []
            assert audited.counts.events == before < writer.head().events


def test_a_reader_without_a_transaction_sees_differences_that_are_none(tmp_path: Path) -> None:
    """The twin: whoever reads on while the server writes finds fault with an honest house."""
    with closing(SqliteStore(tmp_path / "war.db")) as writer:
        night = open_night(store=writer)
        night.sit("ann")
        with closing(SqliteStore(tmp_path / "war.db", for_reading=True)) as store:
            assert beside_a_writer(store, night) != []


# Nights told otherwise: every chain and posting is in order, and only what the events say gives them away


def without(is_gone: Callable[[Recalled], bool]) -> Change:
    return lambda one: [] if is_gone(one) else [one.event]


def once(kind: type[Any], change: Callable[[Any], Iterable[Recorded]], stream: str = "t", skip: int = 0) -> Change:
    """One event of that kind becomes others; the rest stays."""
    left = [skip + 1]

    def changed(one: Recalled) -> Iterable[Recorded]:
        if isinstance(one.event, kind) and one.stream == stream:
            left[0] -= 1
            if left[0] == 0:
                return change(one.event)
        return [one.event]

    return changed


def taken(kind: type[c.Command], change: Callable[[Any], c.Command], skip: int = 0) -> Change:
    """One command of that kind is told otherwise, and what came of it is not."""
    left = [skip + 1]

    def changed(one: Recalled) -> Iterable[Recorded]:
        if isinstance(one.event, CommandTaken) and isinstance(one.event.command, kind) and one.stream == "t":
            left[0] -= 1
            if left[0] == 0:
                return [replace(one.event, command=change(one.event.command))]
        return [one.event]

    return changed


def other_card(card: Any) -> Any:
    return "2c" if card != "2c" else "3d"


def dearer(book: BookResolved) -> list[Recorded]:
    """The book of the table with another price of a tie, and a digest to go with it."""
    key = "payout.tie.on_win"
    leaf = {**book.leaves[key], "value": "100:1"}
    changed = replace(book, leaves={**book.leaves, key: leaf})
    return [replace(changed, digest=digest_of(changed))]


def unsealed() -> Change:
    """What is told of shoes at the table ends with the first one that was opened."""
    opened: list[int] = []

    def changed(one: Recalled) -> Iterable[Recorded]:
        if one.stream == "t" and isinstance(one.event, SHOE_EVENTS):
            if opened:
                return []
            opened.extend([one.version] * isinstance(one.event, ShoeOpened))
        return [one.event]

    return changed


def other_face() -> Change:
    """One card of the log, told consistently as another: in the command and in the event."""
    seen: list[Any] = []

    def changed(one: Recalled) -> Iterable[Recorded]:
        event = one.event
        match event:
            case CommandTaken(command=c.Deal(cards=(*first, old)) as deal) if one.stream == "t" and old and not seen:
                seen.append(old)
                return [replace(event, command=replace(deal, cards=(*first, other_card(old))))]
            case e.CardDealt() if one.stream == "t" and seen[:1] == [event.card]:
                seen[0] = None
                return [replace(event, card=other_card(event.card))]
        return [event]

    return changed


FORGED: dict[str, tuple[Callable[[], Change], str]] = {
    "a wager pays more": (
        lambda: once(e.WagerSettled, lambda one: [replace(one, paid=one.paid + 500)]),
        r"event \d+ \(t \d+\): deal gives WagerSettled",
    ),
    "an event is gone": (lambda: once(e.BettingClosed, lambda one: []), r"\(t \d+\): deal gives BettingClosed"),
    "the last event of a command is gone": (
        lambda: once(e.RoundEnded, lambda one: [], skip=len(logged(e.RoundEnded)) - 1),
        r"\(t \d+\): deal gives round_ended next, and it is gone",
    ),
    "an event that no command explains": (
        lambda: once(ShoeCut, lambda one: [one, e.BoughtIn("ann", 0)]),
        r"\(t \d+\): no command explains bought_in",
    ),
    "an event behind those of a command": (
        lambda: once(e.PlayerSeated, lambda one: [one, e.TimePassed(60)]),
        r"\(t \d+\): seat_player does not give time_passed",
    ),
    "another seat was asked for": (
        lambda: taken(c.SeatPlayer, lambda one: replace(one, box=7)),
        r"\(t \d+\): seat_player gives PlayerSeated",
    ),
    "a command that is refused": (
        lambda: taken(c.PlaceWager, lambda one: replace(one, amount=1)),
        r"\(t \d+\): place_wager would have been refused: ",
    ),
    "chips carried away that were not there": (
        lambda: once(e.PlayerSeated, lambda one: [one, CashedOut("ann", -500)]),
        r"\(t \d+\): ann could not carry -500 away: amount_not_positive",
    ),
    "no rules at the beginning": (
        lambda: once(BookResolved, lambda one: []),
        r"\(t 1\): a table begins with its rules",
    ),
    "a leaf was changed": (
        lambda: once(BookResolved, lambda one: [replace(one, title="Another")]),
        r"event \d+ \(t 1\): .*BookChanged",
    ),
    "a leaf was changed with its digest": (lambda: once(BookResolved, dearer), r"\(t \d+\): .* gives WagerSettled"),
    "other rules in the middle": (
        lambda: once(e.RoundEnded, lambda one: [one, *logged(BookResolved)]),
        r"\(t \d+\): no notice of 4 decks has stood long enough",
    ),
    "another card came": (other_face, r"\(t \d+\), shoe t/1: (2c|3d) at place \d+, where .. was sealed"),
    "another root": (
        lambda: once(ShoeSealed, lambda one: [replace(one, root="00" * 32)]),
        r"\(t \d+\), shoe t/1: root or seal are not those of seed and entropy",
    ),
    "another seal": (
        lambda: once(ShoeSealed, lambda one: [replace(one, seal="00" * 32)], skip=1),
        r"\(t \d+\), shoe t/2: root or seal are not those of seed and entropy",
    ),
    "entropy that was not promised": (
        lambda: once(EntropyAdded, lambda one: [replace(one, entropy="ab" * 32)]),
        r"\(t \d+\), shoe t/\d: this is not what was promised",
    ),
    "a shoe of other cards": (
        lambda: once(ShoeCommitted, lambda one: [replace(one, counts=(0, *one.counts[1:]))]),
        r"\(t \d+\), shoe t/1: its cards are not those of the table",
    ),
    "a shoe that names another before it": (
        lambda: once(ShoeCommitted, lambda one: [replace(one, previous=None)], skip=1),
        r"\(t \d+\), shoe t/2: does not name the commitment before it",
    ),
    "a shoe that was never opened": (
        lambda: once(ShoeOpened, lambda one: []),
        r"\(t \d+\), shoe t/2: shoe t/1 was not opened before",
    ),
    "a shoe opened with another seed": (
        lambda: once(ShoeOpened, lambda one: [replace(one, seed="11" * 32)]),
        r"\(t \d+\), shoe t/1: was opened with another seed",
    ),
    "a voided shoe called finished": (
        lambda: once(ShoeOpened, lambda one: [replace(one, fate="finished")]),
        r"\(t \d+\), shoe t/1: is called finished, and was voided",
    ),
    "a shoe that was never sealed": (
        lambda: once(ShoeSealed, lambda one: []),
        r"\(t \d+\): a wager was taken before a shoe was sealed|shoe t/1: the shoe is not sealed yet",
    ),
    "a cut that the seed did not choose": (
        lambda: once(ShoeCut, lambda one: [replace(one, position=one.position - 1, player=None)]),
        r"\(t \d+\), shoe t/1: no player cut, and the seed gives \d+",
    ),
    "a shoe under another name": (
        lambda: once(ShoeCommitted, lambda one: [replace(one, shoe="t/7")]),
        r"\(t \d+\), shoe t/7: is the shoe 1 of t",
    ),
    "cards that came from nowhere": (
        lambda: unsealed(),
        r"\(t \d+\), shoe t/1: a card came from no sealed shoe",
    ),
    "a role that was taken back": (
        lambda: once(StaffActed, lambda one: [replace(one, by="dealer:zed")]),
        r"\(t \d+\): zed did not have the role dealer",
    ),
    "a role that was never granted": (
        lambda: without(lambda one: isinstance(one.event, RoleGranted) and one.event.account == "sam"),
        r"\(t \d+\): sam did not have the role supervisor",
    ),
    "somebody else's signature": (
        lambda: once(StaffActed, lambda one: [replace(one, by="supervisor:sue")]),
        r"\(t \d+\): supervisor:sue signed what sam gave",
    ),
    "a role out of nowhere": (
        lambda: once(BookResolved, lambda one: [one, RoleGranted("eve", "operator", "eve", "why not")]),
        r"\(t 2\): role_granted is none of a table's",
    ),
    "the same table listed twice": (
        lambda: once(TableListed, lambda one: [one, one], stream="house"),
        r"\(house \d+\): the stream t is in the list already",
    ),
    "a table listed that was never opened": (
        lambda: once(TableListed, lambda one: [one, replace(one, stream="t.9")], stream="house"),
        r"t.9: is in the list of tables and has no events",
    ),
    "a table that is open twice": (
        lambda: once(
            TableListed, lambda one: [replace(one, table="c", settings={**one.settings, "name": "c"})], "house"
        ),
        r"t: was never closed, and c was opened under its name",
    ),
    "a table that is listed under another's name": (
        lambda: once(TableListed, lambda one: [replace(one, table="u")], "house"),
        r"\(house \d+\): the table u has the name t and the stream t",
    ),
    "a purse filled with nothing": (
        lambda: once(
            PurseFunded, lambda one: [replace(one, amount=0)], "house", skip=len(logged(PurseFunded, "house")) - 1
        ),
        r"\(house \d+\): 0 is no amount for a purse",
    ),
    "chips bought in the house's own log": (
        lambda: once(TableListed, lambda one: [one, e.BoughtIn("ann", 0)], "house"),
        r"\(house \d+\): bought_in is none of the house's",
    ),
    "an act at a table in the house's own log": (
        lambda: once(TableListed, lambda one: [one, StaffActed("pause", "house", "no reason")], "house"),
        r"\(house \d+\): staff_acted is none of the house's",
    ),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_night_told_otherwise_is_found_at_its_place(forgery: str) -> None:
    change, expected = FORGED[forgery]
    store = retold(honest().store, change())
    assert audit(store) == [], "the chains and the postings know nothing of it"
    findings = told(store)
    assert any(re.search(expected, one) for one in findings), findings


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        ("when_loaded", r"event \d+ \(x \d+\), shoe \?: a card came from no sealed shoe"),
        ("at_deal", r"event \d+ \(x \d+\): a wager was taken before a shoe was sealed"),
    ],
)
def test_a_night_without_a_shoe_is_found_at_what_comes_first(due: str, expected: str) -> None:
    """The opening burn, or the wagers where the burn comes after them."""
    night = open_night(table("x", options={"burn.due": due}))
    night.sit("ann")
    night.play(2, ("ann",), random.Random(3))
    assert told(night.store) == []
    forged = retold(night.store, without(lambda one: isinstance(one.event, SHOE_EVENTS)))
    assert audit(forged) == []
    assert re.fullmatch(expected, told(forged)[0]), told(forged)


def test_the_same_night_told_again_is_sound() -> None:
    """The twin of the forgeries: telling it again is not what is found."""
    assert told(retold(honest().store, lambda one: [one.event])) == []


def test_a_wrong_payment_is_told_once_and_not_at_every_event_after_it() -> None:
    change, _ = FORGED["a wager pays more"]
    assert len(told(retold(honest().store, change()))) < 25


def test_roles_come_of_requests_in_their_order() -> None:
    roles = [one for one in honest().store.read("house") if isinstance(one.event, RoleGranted)]
    assert list(HouseAudit().findings(roles)) == []
    assert len(list(HouseAudit().findings(reversed(roles)))) == len(roles) - 1
    [finding, *_] = HouseAudit().findings([replace(roles[0], actor="eve")])
    assert finding.what == "role_granted comes of no request after number 0"


def test_another_number_of_decks_comes_with_its_notice_and_no_other_does() -> None:
    night = open_night(table("x", "wa"))
    night.must("mia", "manager", "a smaller crowd", do="announce_decks", decks=4, perfect_pairs="P4a")
    night.wait(HOUR)
    night.sit("ann")
    night.until_ready()
    night.bet("ann")
    night.until(lambda: night.live.table.round.is_over and night.live.rounds_done > 0)
    books = night.told(BookResolved)
    assert [book.leaves["shoe.decks"]["value"] for book in books] == [6, 4]
    assert told(night.store) == []
    other = resolved(load_rulebook("wa", {"shoe.decks": 8}))
    forged = retold(night.store, once(BookResolved, lambda one: [other], "x", skip=1))
    assert any("no notice of 8 decks has stood long enough" in one for one in told(forged))
    earlier = resolved(load_rulebook("wa@1", books[1].options))
    forged = retold(night.store, once(BookResolved, lambda one: [earlier], "x", skip=1))
    assert any("wa@1 is another book than the wa of this table" in one for one in told(forged))


# Seeds, which lie beside the log


def test_every_seed_is_held_against_its_commitment() -> None:
    store = honest().store
    first, second, *_ = [one.commitment for one in logged(ShoeCommitted)]
    swapped = retold(store, lambda one: [one.event], lambda it: store.seed(second if it == first else it))
    assert any("shoe t/1: its commitment is not that of its seed" in one for one in told(swapped))
    assert any("is the seed of" in one for one in told(swapped))
    gone = retold(store, lambda one: [one.event], lambda it: None if it == first else store.seed(it))
    assert any("shoe t/1: its seed is gone" in one for one in told(gone))
    more = retold(store, lambda one: [one.event])
    more._seeds["ab" * 32] = bytes(32)
    assert told(more) == [f"seed of {'ab' * 32}: no shoe was ever committed to it"]


# Rounds


def richer(steps: Any) -> dict[str, Any]:
    record = record_of(steps)
    return {**record, "players": {player: chips + 1 for player, chips in record["players"].items()}}


def test_a_record_that_comes_to_other_money_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands are decided again by the engine itself; here the record of the round is the witness."""
    monkeypatch.setattr(auditing_rounds, "record_of", richer)
    monkeypatch.setattr(auditing_tables, "MOST", 1_000)
    audited = Audit(honest().store, records=True)
    findings = [str(one) for one in audited.findings()]
    assert {re.sub("(round [0-9]+).*", r"\1", one) for one in findings} == {
        *(f"t, round {number}" for number in range(2, audited.counts.rounds - 1)),
        "c, round 2",
    }, "in the first round of a table the players come with its acts"
    assert all("players: its record comes to" in one for one in findings), findings


def test_of_a_table_with_much_wrong_the_first_is_told_and_that_there_may_be_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auditing_rounds, "record_of", richer)
    monkeypatch.setattr(auditing_tables, "MOST", 3)
    findings = [re.sub("(round [0-9]+).*", r"\1", one) for one in told(honest().store, records=True)]
    assert [one for one in findings if one.startswith("t")] == [
        *(f"t, round {number}" for number in (2, 3, 4)),
        "t: 3 findings were made here; what else is wrong was not looked for",
    ]
    assert "c, round 2" in findings, "another table is looked at all the same"


def test_a_record_with_an_act_that_is_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def altered(steps: Any) -> dict[str, Any]:
        record = record_of(steps)
        return {**record, "acts": [{"do": "surrender", "player": "ann", "box": 1}, *record["acts"]]}

    monkeypatch.setattr(auditing_rounds, "record_of", altered)
    assert re.match(r"c, round 1: act 1 of its record is refused: \w+", told(honest().store, records=True)[0])


def test_the_record_of_a_round_is_the_one_that_a_player_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The audit has the steps at hand; a player's record is made from the whole log up to its round."""
    made: list[dict[str, Any]] = []

    def noted(steps: Any) -> dict[str, Any]:
        made.append(record_of(steps))
        return made[-1]

    monkeypatch.setattr(auditing_rounds, "record_of", noted)
    audited = Audit(honest().store, records=True)
    assert list(audited.findings()) == []
    log = {stream: list(honest().store.read(stream)) for stream in ("c", "t")}
    rounds = {(stream, one.event.number): None for stream in log for one in log[stream] if isinstance(one.event, ENDS)}
    assert made == [told_round(log[stream], number).record for stream, number in rounds]


# Money


def test_money_that_was_not_there_is_found_at_the_command_that_spent_it() -> None:
    store = retold(honest().store, lambda one: [one.event])
    [position, line, account, amount] = next(row for row in store.posting_rows() if row[2] == "purse:ann")
    assert amount > 0
    store._postings[store._postings.index((position, line, account, amount))] = (position, line, account, 1)
    findings = [str(one) for one in find_money_faults(store)]
    assert findings[0].endswith(f"its postings sum to {1 - amount}, not to zero")
    assert re.search(r"^command \d+, event \d+: purse:ann owes \d+$", findings[1])


def test_accounts_that_owe_or_are_missing_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    store = retold(honest().store, lambda one: [one.event])
    empty = next(account for account, held in store.balances().items() if held == 0)
    held = {**store.balances()}
    del held[empty]
    monkeypatch.setattr(store, "balances", lambda: held)
    assert f"{empty}: has no balance, and its postings sum to 0" in told(store)
    held |= {empty: 0, "purse:zoe": 0}
    assert told(store)[-1] == "purse:zoe: has a balance, and no command ever moved anything to it"


def test_the_ledger_is_held_against_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the engine's count of the float had drifted, which no posting tells."""
    drifted = lambda stream, table: {**accounts_of(stream, table), f"float:{stream}": 7}  # noqa: E731
    with monkeypatch.context() as patch:
        patch.setattr(auditing_openings, "accounts_of", drifted)
        findings = told(honest().store)
    assert re.fullmatch(r"float:t: holds -?\d+ by the ledger and 7 by the table after its last event", findings[-1])
    monkeypatch.setattr(auditing_tables, "accounts_of", drifted)
    findings = [one for one in told(honest().store) if "(t " in one]
    place = r"event \d+ \(t \d+\), round 1: float:t holds -?\d+ by the ledger and 7 by the table"
    assert re.fullmatch(place, findings[0]), findings


# Checkpoints


def test_the_key_of_a_kept_checkpoint_is_the_key_for_all() -> None:
    store = retold(honest().store, lambda one: [one.event])
    ours, theirs = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    kept = make_checkpoint(store, ours)
    assert told(store, kept=[kept]) == []
    make_checkpoint(store, theirs)
    assert told(store) == [], "nobody has said whose key it should be"
    assert told(store, kept=[kept]) == [f"checkpoint 2: it is signed with another key, {public_key(theirs)}"]
    assert told(store, keys=[public_key(ours), public_key(theirs)], kept=[kept]) == [], "both have signed"
