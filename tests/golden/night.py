"""The golden nights: for each book a house with four tables or five, in which everything happens that is kept."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.fairness import practice_bytes, promise
from casinowar.house.house import House, Who
from casinowar.house.journal import RoleRequest
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.house.settings_file import load_tables
from casinowar.protocol import CommandFrame, Part, Refused
from casinowar.rulebooks import BOOKS
from casinowar.store import ShoeOpened, SqliteStore
from tests.golden.real_cards import RealDealer
from tests.support.audited_nights import deal_by_hand, done
from tests.support.live_night import STAFF, Clock, Night, table

PEOPLE = ("ann", "ben", "cat")
MINUTE = 60_000
HOUSE_BOOK = "house.toml"


def settings_in(folder: Path) -> HouseSettings:
    """The tables file of a golden house. Its house rulebook is named as seen from the folder, not by an absolute path.

    That name is part of what the log keeps of the rules, and a path of one machine would be none of another.
    """
    house = load_tables(folder / "tables.toml")
    named = (one if one.rulebook in BOOKS else _relative(one) for one in house.tables)
    return msgspec.structs.replace(house, tables=tuple(named))


def _relative(table: TableSettings) -> TableSettings:
    return msgspec.structs.replace(table, rulebook=Path(table.rulebook).name)


class GoldenNight(Night):
    """A night in a file, whose store is closed and opened again as by a server that is restarted."""

    def __init__(
        self,
        file: Path,
        settings: HouseSettings,
        key: Ed25519PrivateKey,
        seed: str,
        *,
        ids: str = "golden",
        after: int = 0,
    ) -> None:
        self.file, self.key, self.ids = file, key, ids
        self.asked = 0
        self.restarts: list[dict[str, Any]] = []
        clock = Clock()
        clock.wall += after
        given = {name: getattr(settings, name) for name in settings.__struct_fields__ if name != "tables"}
        store = SqliteStore(file, clock.now)
        super().__init__(*settings.tables, store=store, clock=clock, source=practice_bytes(seed), **given)
        self.chance = random.Random(seed)
        self.grant()

    def open(self) -> House:
        return House(self.store, self.settings, tick=self.clock.tick, source=self.source, key=self.key)

    def grant(self) -> None:
        """The roles of the staff come by the operator's requests; one is revoked again."""
        wanted = [(account, role) for account, roles in sorted(STAFF.items()) for role in sorted(roles)]
        requests = [RoleRequest(n, *one, True, "console", "for tonight") for n, one in enumerate(wanted, start=1)]
        requests += [RoleRequest(90, "zed", "dealer", True, "console", "on trial")]
        self.house.import_roles([*requests, RoleRequest(91, "zed", "dealer", False, "console", "went home")])

    def ask(self, part: Part = "player", why: str = "", /, table: str | None = None, **command: Any) -> CommandFrame:
        """With ids that whoever goes on with the night does not use again."""
        self.asked += 1
        asked = super().ask(part, why, table=table, **command)
        return msgspec.structs.replace(asked, id=f"{self.ids}-{self.asked}")

    def restart(self) -> None:
        """Wherever each table stands."""
        for name, live in self.house.tables.items():
            if live.table.has_wagers:
                self.restarts.append({"table": name, "version": live.version, "phase": live.table.phase})
        assert isinstance(self.store, SqliteStore)
        self.house.close()
        self.store.close()
        self.store = SqliteStore(self.file, self.clock.now)
        self.house = self.open()

    def signed(self, who: str, part: Part, why: str, /, **command: Any) -> None:
        """What takes a second person, if it does: the other supervisor signs."""
        answer = self.act(who, part, why, **command)
        if isinstance(answer, Refused):
            assert answer.request is not None, (command, answer)
            self.must("sam", "supervisor", "I saw it", do="countersign", request=answer.request)
        self.house.advance()


def play(night: GoldenNight, book: str) -> None:
    """The whole night of one book. It ends in the middle of a round."""
    night.come(*PEOPLE)
    night.sit(*PEOPLE)
    make_shoe(night)
    if book == "ca":
        bank_in_turn(night)
    night.play(2, PEOPLE, night.chance)
    purses(night)
    floor_acts(night, "bank" if book == "ca" else "war")
    voids(night, book)
    if book == "wa":
        change_decks(night)
    if "hand" in night.house.tables:
        deal_by_hand(night, "hand", "eve", 1, night.chance)
    if "cont" in night.house.tables:
        rounds_at(night, "cont", 2)
    if book == "nz":
        open_twice(night)
    play_out(night, "home")
    RealDealer(night, "real", night.chance).play(book)
    night.come(*PEOPLE)
    tie(night)
    night.restarts.append({"table": "main", "version": night.live.version, "phase": night.live.table.phase})


def make_shoe(night: GoldenNight) -> None:
    """Ann adds to the order of the cards, and whoever may cut does."""
    secret = bytes(range(32))
    night.until(lambda: night.stage() == "promising")
    shoe = night.live.keeper.shoe
    assert shoe is not None
    bound = promise(shoe.commitment, night.live.box_of("ann") or 0, secret).hex()
    night.must("ann", do="promise_entropy", promise=bound)
    night.until(lambda: night.stage() == "showing")
    night.must("ann", do="add_entropy", entropy=secret.hex())
    night.until(lambda: night.stage() in ("cutting", "dealing"))
    if night.stage() == "cutting" and night.cutter in PEOPLE:
        night.must(night.cutter, do="cut", player=night.cutter, position=100)
    night.until(lambda: night.live.is_ready)


def bank_in_turn(night: GoldenNight) -> None:
    """Somebody takes the bank, plays a round with it and gives it up."""
    banker = ready(night)
    assert banker in PEOPLE
    for player in PEOPLE:
        if player != banker:
            night.bet(player)
    night.until_over()
    banker_at(night, "main", (banker,))
    night.must(banker, do="relinquish_bank", player=banker)


def banker_at(night: GoldenNight, table: str, players: Sequence[str]) -> str | None:
    """Who banks the next round: whoever does already, or the first who may; nobody where the house banks."""
    live = night.at(table)
    if live.rules.bank.by != "player":
        return None
    night.house.advance()
    for player in players:
        if live.table.bank is None:
            box = live.box_of(player)
            night.act(player, table=table, do="accept_bank", player=player, box=box, stake=9000)
    night.until(lambda: live.table.bank is not None)
    assert live.table.bank is not None
    return live.table.bank.player


def purses(night: GoldenNight) -> None:
    """Chips bought and cashed, play money issued and taken back, limits of one's own, a break."""
    oz = Who("oz", STAFF["oz"])
    night.must("ann", do="buy_chips", amount=2_500)
    night.must("ann", do="cash_chips", amount=1_500)
    night.come("dan")
    done(night.house.fund(oz, "fund-1", "ann", 5_000, "a prize"))
    done(night.house.fund(oz, "fund-2", "ann", -2_000, "a prize too large"))
    done(night.house.set_limits("ben", "limits-1", 90_000, 600))
    done(night.house.take_break("dan", "break-1", 30))


FLOOR_ACTS: tuple[tuple[str, Part, dict[str, Any]], ...] = (
    ("ann", "player", {"do": "view_initial_burn", "player": "ann"}),
    ("ann", "player", {"do": "player_request_inspect", "player": "ann"}),
    ("ben", "player", {"do": "player_requests_spread", "player": "ben"}),
    ("ben", "player", {"do": "player_require_full_shuffle", "player": "ben"}),
    ("sue", "supervisor", {"do": "announce_limits", "minimum": 500, "maximum": 40_000, "unit": 500}),
    ("oz", "operator", {"do": "direct_box_max", "amount": 40_000}),
    ("oz", "operator", {"do": "direct_player_max", "amount": 30_000}),
    ("sue", "supervisor", {"do": "set_bettors_per_area", "bettors": 2}),
    ("sue", "supervisor", {"do": "grant_multi_box", "player": "ann", "boxes": 2}),
    ("sue", "supervisor", {"do": "revoke_multi_box", "player": "ann"}),
    ("sue", "supervisor", {"do": "report_contravention", "player": "cat", "reason": "counted aloud"}),
    ("sue", "supervisor", {"do": "flag_partnership", "players": ["ann", "ben"]}),
    ("sue", "supervisor", {"do": "change_dealer", "dealer": "dora"}),
    ("sue", "supervisor", {"do": "supervisor_shuffle", "reason": "suspect"}),
    ("sue", "supervisor", {"do": "supervisor_shuffle", "reason": "discretion"}),
    ("sue", "supervisor", {"do": "dismiss_bots"}),
)
"""What a book does not know is refused, and leaves nothing."""


def floor_acts(night: GoldenNight, bots: str) -> None:
    """What floor and players may do between rounds, as far as the book has it."""
    ready(night)
    seated = list(night.live.table.seats.values())
    limits = {"do": "change_limits", "minimum": 500, "maximum": 40_000, "unit": 500}
    for who, part, command in FLOOR_ACTS:
        night.act(who, part, "" if part == "player" else "as it is done here", **command)
        night.house.advance()
    night.act("sue", "supervisor", "all agree", **limits, basis="agreed", consents=seated)
    night.must("sue", "supervisor", "for company", do="seat_bots", count=2, strategy=bots)
    night.sit("zoe", boxes=[4])
    night.act("oz", "operator", "was warned twice", do="exclude_player", player="zoe")
    change_mind(night)


def change_mind(night: GoldenNight) -> None:
    """A wager is amended and taken back, and somebody who wants to leave stays."""
    banker = ready(night)
    first, second = [one for one in PEOPLE if one != banker][:2]
    spot = {"player": first, "box": night.live.box_of(first), "wager": "initial"}
    night.must(first, do="place_wager", **spot, amount=1000)
    night.act(first, do="amend_wager", **spot, amount=1500)
    night.act(first, do="withdraw_wager", **spot)
    night.act(first, do="place_wager", **{**spot, "wager": "tie"}, amount=51_000)
    night.act(first, do="withdraw_wager", **{**spot, "wager": "tie"})
    night.bet(second)
    night.must(second, do="leave")
    night.must(second, do="sit", box=night.live.box_of(second))
    night.until_over()


def open_twice(night: GoldenNight) -> None:
    """The floor opens a table, closes it in the middle of its shoe, and opens it again under its name."""
    una = Who("una", STAFF["una"])
    late = table("late", "ctg", timers={"pause": 0, "card": 0})
    done(night.house.open_table(una, "open-late", late, "a full house"))
    rounds_at(night, "late", 1)
    night.must("fay", table="late", do="leave")
    night.must("una", "operator", "an empty table", table="late", do="close_table")
    done(night.house.open_table(una, "open-late-again", late, "full again"))
    rounds_at(night, "late", 1)


def voids(night: GoldenNight, book: str) -> None:
    """A restart in the middle of a round, then a hand void, a round void, and one that is invalidated."""
    tie(night)
    night.restart()
    night.come(*PEOPLE)
    asked = night.live.table.round.asked
    other = next(box for box in night.live.table.round.boxes if box not in {box for box, _ in asked})
    night.signed("una", "operator", "a card fell", do="void_hand", box=other, reason="it was seen")
    for box, player in asked:
        if player in PEOPLE:
            night.act(player, do="go_to_war", player=player, box=box)
    night.until(lambda: night.live.table.round.is_over)
    one_round(night)
    refused = night.act("una", "operator", "not sure", do="void_round", reason="a doubt")
    assert isinstance(refused, Refused), refused
    night.must("sam", "supervisor", "I saw nothing", do="refuse_signature", request=refused.request)
    night.signed("una", "operator", "the wrong cards came out", do="void_round", reason="as ruled")
    if book == "wa":
        one_round(night)
        night.signed("una", "operator", "there was smoke", do="invalidate_round", cause="fire")
    night.must("oz", "operator", "the cards look marked", do="replace_cards")
    one_round(night)
    night.must("sam", "supervisor", "a spill", do="pause")
    night.must("sam", "supervisor", "dry again", do="resume")
    night.must("cat", do="leave")
    night.sit("cat", boxes=[3])


def ready(night: GoldenNight) -> str | None:
    """Until wagers are taken at the main table; whoever banks is named."""
    live = night.live
    night.until(lambda: live.is_ready and live.table.phase == "betting" and not live.table.has_wagers)
    return banker_at(night, "main", PEOPLE)


def bet_all(night: GoldenNight) -> None:
    banker = ready(night)
    for player in PEOPLE:
        if player != banker:
            night.bet(player)


def one_round(night: GoldenNight) -> None:
    bet_all(night)
    night.until_over()


def tie(night: GoldenNight) -> None:
    """Rounds until somebody must choose."""
    for _ in range(100):
        bet_all(night)
        before = night.live.rounds_done
        night.until(lambda before=before: night.live.rounds_done > before or night.live.table.phase == "deciding")  # type: ignore[misc]
        if night.live.table.phase == "deciding" and {who for _, who in night.live.table.round.asked} & set(PEOPLE):
            return
        night.until(lambda: night.live.table.round.is_over)
    raise AssertionError("no tie in 100 rounds")


def change_decks(night: GoldenNight) -> None:
    """The notice stands for half an hour; the next stack has eight decks and the pay table that goes with them."""
    pairs = night.live.rules.deck_choices[8][0]
    night.must("sue", "supervisor", "new decks", do="announce_decks", decks=8, perfect_pairs=pairs)
    for _ in range(31):
        night.come(*PEOPLE)
        night.wait(MINUTE)
    night.must("oz", "operator", "the new decks are here", do="replace_cards")
    one_round(night)
    assert night.live.rules.shoe.decks == 8


def rounds_at(night: GoldenNight, table: str, rounds: int) -> None:
    night.sit("fay", table=table)
    for _ in range(rounds):
        night.until_ready(table)
        night.bet("fay", table=table)
        night.until_over(table)


def play_out(night: GoldenNight, table: str) -> None:
    """Rounds until a shoe of the table is finished."""
    players = ("gil", "hal")
    night.sit(*players, table=table)
    live = night.at(table)
    for _ in range(60):
        if any(one.fate == "finished" for one in night.told(ShoeOpened, table)):
            break
        night.until(lambda: live.is_ready and live.table.phase == "betting" and not live.table.has_wagers)
        banker = banker_at(night, table, players)
        for player in players:
            if player != banker:
                night.bet(player, table=table)
        night.until_over(table)
    for player in players:
        night.must(player, table=table, do="leave")
