"""New Zealand, sections 3, 6, 7 and 8: the way of the cards into the shoe, their provenance, and shuffling machines."""

from collections import Counter

import pytest

from casinowar.cards import Card, composition
from casinowar.dealers import Session
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.view.procedure import procedure
from casinowar.fairness import practice_shuffles
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import act, bet, deal, play, war

Options = dict[str, object]

INSPECT = c.InspectCards(by="dealer:dee", second="supervisor:sue")
SPREAD = c.SpreadForInspection(players=("ana",))
SPREAD_SECOND = c.SpreadForInspection(players=("ana",), batch=2)
SHUFFLE = c.Shuffle()
CUT = c.Cut(player="ana", position=156)
MARKER = c.PlaceMarker(from_back=78)
LOAD = c.LoadShoe(cards=312, cut_card=234)
LOAD_MACHINE = c.LoadShoe(cards=312)
SUSPECT = c.SupervisorShuffle(reason="suspect")
FRESH = ["inspect", "spread", "shuffle", "cut", "marker", "load"]
APPROVED: Options = {"cards.provenance": "mfr_pre_shuffled", "cards.approval_ref": "SEC-2024/17"}
UNSHUFFLED: Options = {"cards.provenance": "pre_shuffled", "open.reshuffle_pre_shuffled": False}
BATCHES: Options = {"shoe.shuffler": "batch_auto"}
CONTINUOUS: Options = {"shoe.shuffler": "continuous"}
TWO_SETS: Options = {**CONTINUOUS, "shoe.continuous_sets": 2}
SPREADS: dict[str, list[c.Command]] = {"batch_auto": [SPREAD, SPREAD_SECOND], "continuous": [SPREAD]}
"""The looks at the cards before a machine is loaded: one for each set that it uses."""
ANA = bet("ana", 1, "initial", 1000)


class Floor:
    """A table at which every act is a command of its own, with ana seated and ben standing by."""

    def __init__(self, options: Options | None = None) -> None:
        self.rules = load_rulebook("nz", options)
        self.table = Table()
        self.events: list[Event] = []
        self.cited: tuple[str, ...] = ()
        buy_ins = [c.BuyIn(player=player, amount=10_000) for player in ("ana", "ben")]
        assert self.all_done(c.OpenTable(), *buy_ins, c.SeatPlayer(player="ana", box=1))

    def does(self, command: c.Command) -> str:
        """`done`, or the reason of the refusal."""
        done = step(self.rules, self.table, command)
        if isinstance(done, Refusal):
            self.cited = done.clauses
            return done.reason
        events, self.table = done
        self.events += events
        return "done"

    def all_done(self, *commands: c.Command) -> bool:
        return [self.does(command) for command in commands] == ["done"] * len(commands)

    def due(self) -> list[str]:
        """What the dealer has to do with the cards, in order."""
        return [one.act for one in procedure(self.rules, self.table)]

    def prepared(self, name: str) -> e.CardsPrepared:
        return next(one for one in self.events if isinstance(one, e.CardsPrepared) and one.step == name)


@pytest.mark.clause("NZ-6.1")
def test_dealer_and_game_supervisor_both_inspect_the_cards() -> None:
    floor = Floor()
    assert floor.due() == FRESH
    alone = c.InspectCards(by="dealer:dee")
    assert (floor.does(alone), floor.cited) == ("second_signature_due", ("NZ-6.1",))
    assert floor.does(c.InspectCards(by="dealer:dee", second="supervisor:dee")) == "same_person"
    assert floor.does(c.InspectCards(by="dealer:dee", second="dealer:dan")) == "not_entitled"
    assert floor.does(c.InspectCards(by="player:ana", second="supervisor:sue")) == "not_entitled"
    assert floor.table.prepared == ()
    assert floor.does(INSPECT) == "done"
    inspected = floor.prepared("inspect")
    assert (inspected.by, inspected.second, inspected.clauses) == ("dealer:dee", "supervisor:sue", ("NZ-6.1",))
    assert floor.does(INSPECT) == "step_done"
    assert floor.due() == FRESH[1:]


@pytest.mark.clause("NZ-6.1")
@pytest.mark.parametrize("order", [c.ReportExposedBeforeShoe(), SUSPECT])
def test_another_order_to_shuffle_does_not_spare_new_cards_their_inspection(order: c.Command) -> None:
    floor = Floor()
    assert floor.does(order) == "done"
    assert floor.does(LOAD) == "inspect_due"


@pytest.mark.clause("NZ-6.2-i", "NZ-6.3")
def test_the_first_players_see_the_cards_after_the_inspection_and_before_the_shuffle() -> None:
    floor = Floor()
    assert (floor.does(SPREAD), floor.cited) == ("inspect_due", ("NZ-6.1",))
    assert floor.does(INSPECT) == "done"
    assert (floor.does(SHUFFLE), floor.cited) == ("spread_due", ("NZ-6.2-i", "NZ-6.3"))
    assert floor.does(c.SpreadForInspection(players=("zoe",))) == "unknown_player"
    assert floor.does(c.SpreadForInspection(players=("ana", "ben"))) == "done"
    assert floor.prepared("spread").players == ("ana", "ben")
    assert floor.does(LOAD) == "shuffle_due"
    assert floor.all_done(SHUFFLE, CUT, MARKER, LOAD)
    assert floor.table.shoe_left == 312


@pytest.mark.clause("NZ-6.3")
def test_cards_that_have_been_played_with_are_shuffled_without_another_look() -> None:
    floor = Floor()
    assert floor.all_done(INSPECT, SPREAD, SHUFFLE, CUT, MARKER, LOAD, SUSPECT)
    assert floor.due() == ["shuffle", "cut", "marker", "load"]


@pytest.mark.clause("NZ-6.2-i", "NZ-6.4-i")
@pytest.mark.parametrize("machine", [BATCHES, TWO_SETS])
def test_each_of_two_sets_is_spread_for_the_players_by_itself_before_the_rest(machine: Options) -> None:
    floor = Floor(machine)
    assert floor.does(INSPECT) == "done"
    assert floor.due()[:2] == ["spread", "spread"]
    rest = floor.due()[2:]
    load = LOAD if machine is BATCHES else LOAD_MACHINE
    for spread, left in ((SPREAD, ["spread", *rest]), (SPREAD_SECOND, rest)):
        assert (floor.does(load) == "done", floor.cited) == (False, ("NZ-6.2-i", "NZ-6.3"))
        assert floor.does(spread) == "done"
        assert floor.due() == left
        assert floor.does(spread) == "step_done"
    looks = [one for one in floor.events if isinstance(one, e.CardsPrepared) and one.step == "spread"]
    assert [(one.batch, one.players, one.clauses) for one in looks] == [
        (batch, ("ana",), ("NZ-6.2-i", "NZ-6.3")) for batch in (1, 2)
    ]


@pytest.mark.clause("NZ-6.4-i")
@pytest.mark.parametrize("machine", [BATCHES, CONTINUOUS])
def test_a_machine_may_be_loaded_without_the_players_look_where_the_operator_says_so(machine: Options) -> None:
    assert Floor(machine).due()[:2] == ["inspect", "spread"]
    floor = Floor({**machine, "open.skip_player_inspection": True})
    assert floor.due()[0] == "inspect"
    assert "spread" not in floor.due()
    assert floor.does(INSPECT) == "done"
    assert floor.does(SPREAD) == "not_in_the_book"


@pytest.mark.clause("NZ-6.4-i", "NZ-6.4-ii")
@pytest.mark.parametrize("option", ["open.skip_player_inspection", "open.pre_load_shuffle", "open.pre_load_cut"])
def test_what_is_done_before_loading_a_machine_needs_a_machine(option: str) -> None:
    assert load_rulebook("nz", {option: False}).shoe.shuffler == "manual"
    with pytest.raises(RulebookError, match=f"{option} = on .* no machine"):
        load_rulebook("nz", {option: True})


@pytest.mark.clause("NZ-6.4-ii")
@pytest.mark.parametrize(
    ("shuffles", "cuts", "steps"),
    [(True, False, ("shuffle",)), (False, True, ("cut",)), (True, True, ("shuffle", "cut"))],
)
@pytest.mark.parametrize("machine", ["batch_auto", "continuous"])
def test_the_operator_may_shuffle_and_cut_before_loading_the_machine(
    machine: str, shuffles: bool, cuts: bool, steps: tuple[str, ...]
) -> None:
    options = {"shoe.shuffler": machine, "open.pre_load_shuffle": shuffles, "open.pre_load_cut": cuts}
    floor = Floor(options)
    spreads = SPREADS[machine]
    assert floor.due()[: 2 + len(spreads)] == ["inspect", *["spread"] * len(spreads), "pre_load"]
    before_load = c.Shuffle(before_load=True)
    assert floor.all_done(INSPECT, *spreads)
    assert floor.does(LOAD if machine == "batch_auto" else LOAD_MACHINE) == "pre_load_due"
    assert "NZ-6.4-ii" in floor.cited
    assert floor.does(before_load) == "done"
    assert floor.prepared("pre_load").steps == steps
    assert "NZ-6.4-ii" in floor.prepared("pre_load").clauses


@pytest.mark.clause("NZ-6.4-ii")
@pytest.mark.parametrize("machine", SPREADS)
def test_a_machine_needs_no_shuffle_before_it_unless_the_operator_says_so(machine: str) -> None:
    floor = Floor({"shoe.shuffler": machine})
    assert "pre_load" not in floor.due()
    assert floor.all_done(INSPECT, *SPREADS[machine])
    assert floor.does(c.Shuffle(before_load=True)) == "not_in_the_book"


@pytest.mark.clause("NZ-6.5-i", "NZ-6.5-iii")
def test_cards_come_fresh_unless_the_operator_has_prepared_them() -> None:
    assert Floor().due() == FRESH
    assert Floor({"cards.provenance": "fresh"}).due() == FRESH
    assert Floor({"cards.provenance": "pre_checked"}).due() == ["shuffle", "cut", "marker", "load"]
    assert Floor({"cards.provenance": "pre_shuffled"}).due() == ["shuffle", "cut", "marker", "load"]
    assert Floor(APPROVED).due() == ["marker", "load"]
    with pytest.raises(RulebookError, match=r"cards\.provenance = found \(NZ-6\.5-i"):
        load_rulebook("nz", {"cards.provenance": "found"})


@pytest.mark.clause("NZ-6.5-i")
@pytest.mark.parametrize("provenance", ["pre_checked", "pre_shuffled"])
def test_prepared_cards_need_no_inspection_at_the_table(provenance: str) -> None:
    floor = Floor({"cards.provenance": provenance})
    assert floor.does(INSPECT) == "not_in_the_book"
    assert floor.does(SPREAD) == "not_in_the_book"
    assert floor.all_done(SHUFFLE, CUT, MARKER, LOAD)


@pytest.mark.clause("NZ-6.5-iii")
def test_pre_checked_cards_are_shuffled_before_use_and_a_cut_before_that_does_not_count() -> None:
    floor = Floor({"cards.provenance": "pre_checked"})
    assert floor.does(LOAD) == "shuffle_due"
    floor.does(CUT)
    assert floor.does(LOAD) == "shuffle_due"
    assert floor.does(SHUFFLE) == "done"
    assert floor.does(LOAD) == "cut_due"
    assert floor.all_done(CUT, MARKER, LOAD)


@pytest.mark.clause("NZ-6.5-ii")
def test_pre_shuffled_cards_are_shuffled_again_unless_the_operator_leaves_it_out() -> None:
    again = Floor({"cards.provenance": "pre_shuffled"})
    assert again.due() == ["shuffle", "cut", "marker", "load"]
    assert again.does(LOAD) == "shuffle_due"
    as_they_came = Floor(UNSHUFFLED)
    assert as_they_came.due() == ["cut", "marker", "load"]
    assert as_they_came.does(SHUFFLE) == "not_in_the_book"
    assert as_they_came.all_done(CUT, MARKER, LOAD)


@pytest.mark.clause("NZ-6.5-ii")
@pytest.mark.parametrize("options", [UNSHUFFLED, APPROVED])
def test_cards_came_shuffled_for_their_first_use_alone(options: Options) -> None:
    floor = Floor(options)
    first: list[c.Command] = [CUT, MARKER, LOAD] if options is UNSHUFFLED else [MARKER, LOAD]
    assert floor.all_done(*first, SUSPECT)
    assert floor.due() == ["shuffle", "cut", "marker", "load"]


@pytest.mark.clause("NZ-6.6")
def test_sealed_cards_of_the_manufacturer_go_into_the_shoe_unshuffled_and_uncut_with_approval() -> None:
    for options in ({}, {"cards.approval_ref": ""}):
        with pytest.raises(RulebookError, match=r"mfr_pre_shuffled .* name the approval"):
            load_rulebook("nz", {"cards.provenance": "mfr_pre_shuffled", **options})
    floor = Floor(APPROVED)
    assert floor.rules.cards.approval_ref == "SEC-2024/17"
    assert floor.does(CUT) == "no_cut"
    assert floor.does(SHUFFLE) == "not_in_the_book"
    assert floor.all_done(MARKER, LOAD)


@pytest.mark.clause("NZ-7.1f")
def test_a_card_seen_before_the_stack_is_in_the_shoe_means_another_shuffle_and_cut() -> None:
    floor = Floor()
    exposed = c.ReportExposedBeforeShoe(by="dealer:dee")
    assert floor.all_done(INSPECT, SPREAD, SHUFFLE, CUT, MARKER, exposed)
    ordered = floor.events[-1]
    assert isinstance(ordered, e.ShuffleOrdered)
    assert (ordered.by, ordered.clauses) == ("dealer:dee", ("NZ-7.1f",))
    assert floor.due() == ["shuffle", "cut", "marker", "load"]
    assert floor.does(LOAD) == "shuffle_due"
    assert floor.does(SHUFFLE) == "done"
    assert floor.does(LOAD) == "cut_due"
    assert floor.all_done(CUT, MARKER, LOAD)
    assert floor.does(exposed) == "no_shuffle_due"


@pytest.mark.clause("NZ-7.2a")
def test_any_player_may_look_at_cards_that_came_shuffled() -> None:
    floor = Floor(UNSHUFFLED)
    assert floor.does(c.PlayerRequestInspect(player="zoe")) == "unknown_player"
    assert floor.does(c.PlayerRequestInspect(player="ana", by="player:ben")) == "not_entitled"
    assert floor.does(c.PlayerRequestInspect(player="ben", by="player:ben")) == "done"
    requested = floor.events[-1]
    assert isinstance(requested, e.InspectionRequested)
    assert (requested.player, requested.clauses[0]) == ("ben", "NZ-7.2a")
    assert floor.due() == ["cut", "marker", "load"]


@pytest.mark.clause("NZ-7.2b")
@pytest.mark.parametrize("options", [UNSHUFFLED, APPROVED])
def test_any_player_may_have_them_inspected_shuffled_and_cut_in_full(options: Options) -> None:
    floor = Floor(options)
    assert floor.does(c.PlayerRequireFullShuffle(player="ana", by="player:ana")) == "done"
    assert floor.due() == FRESH
    assert floor.does(LOAD) == "inspect_due"
    assert floor.all_done(INSPECT, SPREAD, SHUFFLE)
    assert floor.does(LOAD) == "cut_due"
    assert floor.all_done(CUT, MARKER, LOAD)


@pytest.mark.clause("NZ-7.2b")
def test_a_demand_after_the_cut_undoes_the_cut() -> None:
    floor = Floor(UNSHUFFLED)
    assert floor.all_done(CUT, MARKER, c.PlayerRequireFullShuffle(player="ben"))
    assert floor.all_done(INSPECT, SPREAD, SHUFFLE)
    assert floor.due() == ["cut", "marker", "load"]


@pytest.mark.clause("NZ-7.2a", "NZ-7.2b")
def test_the_players_rights_are_about_cards_that_came_shuffled_and_end_with_their_first_use() -> None:
    rights: list[c.Command] = [c.PlayerRequestInspect(player="ana"), c.PlayerRequireFullShuffle(player="ana")]
    for provenance in ("fresh", "pre_checked"):
        floor = Floor({"cards.provenance": provenance})
        assert [floor.does(right) for right in rights] == ["no_pre_shuffled_cards"] * 2
    used = Floor(UNSHUFFLED)
    assert used.all_done(CUT, MARKER, LOAD)
    assert [used.does(right) for right in rights] == ["no_pre_shuffled_cards"] * 2
    assert used.cited == ("NZ-7.2b",), "of the last right that was asked for"
    assert used.all_done(c.ReplaceCards(), *rights)
    assert used.due() == FRESH


@pytest.mark.clause("NZ-7.3-ii")
def test_cards_for_a_continuous_shuffler_are_cut_before_they_enter_it_or_not_at_all() -> None:
    floor = Floor({**CONTINUOUS, "open.pre_load_cut": True})
    assert floor.due() == ["inspect", "spread", "pre_load", "load"]
    assert (floor.does(CUT), "NZ-7.3-ii" in floor.cited) == ("no_cut", True)
    assert floor.all_done(INSPECT, SPREAD, c.Shuffle(before_load=True), LOAD_MACHINE)
    assert (floor.does(CUT), "NZ-7.3-ii" in floor.cited) == ("no_cut", True)
    assert floor.prepared("pre_load").steps == ("cut",)
    assert Floor(CONTINUOUS).due() == ["inspect", "spread", "load"]


@pytest.mark.clause("NZ-7.7b-i", "NZ-7.7b-ii")
def test_a_continuous_shuffler_is_loaded_for_play_without_a_cutting_card() -> None:
    floor = Floor(CONTINUOUS)
    assert floor.all_done(INSPECT, SPREAD)
    assert floor.does(MARKER) == "no_marker"
    assert floor.does(LOAD) == "no_marker"
    assert {"NZ-7.7b-i", "NZ-7.7b-ii"} <= set(floor.cited)
    assert floor.does(LOAD_MACHINE) == "done"
    assert (floor.table.shoe_left, floor.table.cut_in) == (312, None)
    assert floor.does(c.PlaceWager(player="ana", box=1, wager="initial", amount=1000)) == "done"
    assert floor.does(c.Deal(cards=(None, Card("Kh"), Card("Qd")))) == "done"
    assert floor.table.players["ana"] == 11_000


@pytest.mark.clause("NZ-3.4e")
def test_a_machine_of_either_kind_takes_the_place_of_the_shuffle_by_hand() -> None:
    assert Floor().due() == FRESH
    assert Floor(BATCHES).due() == ["inspect", "spread", "spread", "swap_batch", "cut", "marker", "load"]
    assert Floor(CONTINUOUS).due() == ["inspect", "spread", "load"]
    for machine, spreads in SPREADS.items():
        floor = Floor({"shoe.shuffler": machine})
        assert floor.all_done(INSPECT, *spreads)
        assert floor.does(SHUFFLE) == "not_in_the_book"
    for decks in (4, 5, 6, 7, 8):
        assert load_rulebook("nz", {**BATCHES, "shoe.decks": decks}).shoe.batches == 2


@pytest.mark.clause("NZ-3.4e", "NZ-3.5-i")
def test_the_machine_gives_out_the_other_batch_each_time() -> None:
    floor = Floor(BATCHES)
    assert floor.all_done(INSPECT, SPREAD, SPREAD_SECOND, c.SwapBatch(), CUT, MARKER, LOAD)
    loaded = [floor.table.batch]
    for _ in range(3):
        assert floor.does(SUSPECT) == "done"
        assert floor.does(LOAD) == "swap_batch_due"
        assert floor.all_done(c.SwapBatch(), CUT, MARKER, LOAD)
        loaded.append(floor.table.batch)
    assert loaded == [1, 2, 1, 2]


def continuous_sets(options: Options) -> list[int]:
    """Which set the machine was loaded with, three times in a row."""
    again = act("supervisor_shuffle", reason="suspect")
    stacks = ("2c Kh 9d", "3c Kh 9d", "4c Kh 9d")
    played = play(
        "nz", stacks[0], ANA, deal(), again, ANA, deal(), again, ANA, deal(), options=options, later=stacks[1:]
    )
    assert played.refusals == []
    assert played.gain("ana") == 3 * 1000
    return [event["batch"] for event in played.events("shoe_loaded")]


@pytest.mark.clause("NZ-3.5-ii")
def test_a_continuous_shuffler_runs_on_one_set_unless_the_operator_has_two() -> None:
    assert load_rulebook("nz", CONTINUOUS).shoe.batches == 1
    assert continuous_sets({**CONTINUOUS}) == [1, 1, 1]
    assert continuous_sets({**CONTINUOUS, "shoe.continuous_sets": 1}) == [1, 1, 1]
    assert continuous_sets({**CONTINUOUS, "shoe.continuous_sets": 2}) == [1, 2, 1]
    with pytest.raises(RulebookError, match=r"shoe\.continuous_sets = 2 .* not continuous"):
        load_rulebook("nz", {"shoe.continuous_sets": 2})


@pytest.mark.clause("NZ-3.5-ii")
def test_with_one_set_there_is_no_other_to_spread() -> None:
    floor = Floor(CONTINUOUS)
    assert floor.does(INSPECT) == "done"
    assert floor.does(c.SpreadForInspection(batch=2)) == "no_such_batch"
    assert floor.does(c.SpreadForInspection(batch=1)) == "done"


@pytest.mark.clause("NZ-3.5-ii", "NZ-6.2-i")
def test_with_two_sets_the_second_is_spread_too_and_there_is_no_third() -> None:
    floor = Floor(TWO_SETS)
    assert floor.due() == ["inspect", "spread", "spread", "load"]
    assert floor.all_done(INSPECT, SPREAD)
    assert floor.does(c.SpreadForInspection(batch=3)) == "no_such_batch"
    assert floor.all_done(SPREAD_SECOND, LOAD_MACHINE)


def play_rounds(session: Session, rounds: int) -> list[Event]:
    """So many rounds with a wager on every box; whoever ties goes to war."""
    events: list[Event] = []
    for _ in range(rounds):
        for box in range(1, 8):
            assert not isinstance(
                session.do(c.PlaceWager(player=f"p{box}", box=box, wager="initial", amount=100)), Refusal
            )
        while not session.table.round.is_over:
            if session.is_cut_due:
                session.cut_in_the_middle()
            dealt = session.deal()
            assert not isinstance(dealt, Refusal)
            events += dealt
            for box, player in session.table.round.asked:
                assert not isinstance(session.do(c.GoToWar(player=player, box=box)), Refusal)
    return events


def full_table(options: Options) -> Session:
    session = Session(load_rulebook("nz", options), practice_shuffles("new zealand"), c.Limit())
    for box in range(1, 8):
        session.buy_in(f"p{box}", 1_000_000)
    return session


@pytest.mark.clause("NZ-3.5-ii", "NZ-7.7b-ii")
@pytest.mark.parametrize("decks", [4, 6])
def test_discards_go_back_into_a_continuous_shuffler_and_none_is_lost_or_doubled(decks: int) -> None:
    session = full_table({**CONTINUOUS, "shoe.decks": decks})
    events = []
    for _ in range(60):
        events += play_rounds(session, 1)
        assert (session.table.shoe_left, session.table.rack) == (52 * decks, ())
    assert len([one for one in events if isinstance(one, e.CardDealt)]) > 52 * decks
    assert len([one for one in events if isinstance(one, e.ShoeLoaded)]) == 1
    assert not [one for one in events if isinstance(one, e.CutCardDrawn)]
    for _ in range(52 * decks):
        assert not isinstance(session.do(c.ReportFaceUpCard()), Refusal)
    came = [card for stack in session.stacks for card in stack.cards]
    assert Counter(came[-52 * decks :]) == composition(decks)


@pytest.mark.clause("NZ-3.5-ii")
def test_the_discards_of_a_round_come_back_at_any_depth() -> None:
    """One round's 8 or more cards of 208 lie on top again only by chance, and rarely wait for all the others."""
    session = full_table({**CONTINUOUS, "shoe.decks": 4})
    play_rounds(session, 1)
    first = [card for stack in session.stacks for card in stack.cards]
    for _ in range(208):
        session.do(c.ReportFaceUpCard())
    came = [card for stack in session.stacks for card in stack.cards][-208:]
    assert came[: len(first)] != first
    assert came[-len(first) :] != first
    assert Counter(came) == composition(4)


@pytest.mark.clause("NZ-9.10", "NZ-3.5-ii")
def test_the_discards_of_a_void_round_go_back_into_the_continuous_shuffler_too() -> None:
    fault = act("report_shuffler_fault", by="operator:ola")
    played = play("nz", "2c Kh 5d Qd", ANA, deal(2), fault, options={**CONTINUOUS})
    assert played.refusals == []
    assert (played.replayed.table.shoe_left, played.replayed.table.rack) == (312, ())


@pytest.mark.clause("NZ-3.4d", "NZ-8.1-i")
def test_every_card_comes_from_the_shoe_in_its_order_and_the_rack_holds_all_of_them() -> None:
    session = full_table({"shoe.decks": 4, "shoe.marker_from_back": 0})
    events = []
    while len(session.stacks) < 2:
        events += play_rounds(session, 1)
        racked = sum(len(cards) for _, cards in session.table.rack)
        if len(session.stacks) == 1:
            assert racked + session.table.shoe_left == 4 * 52
    stack = session.stacks[0]
    assert Counter(stack.cards) == composition(4)
    loads = [at for at, one in enumerate(events) if isinstance(one, e.ShoeLoaded)]
    drawn = [one for one in events[: loads[1]] if isinstance(one, e.CardDealt | e.CardBurned)]
    assert len(drawn) == 4 * 52
    for one, face in zip(drawn, stack.cards, strict=True):
        assert not isinstance(one, e.CardDealt) or one.card == face


@pytest.mark.clause("NZ-8.1-i")
def test_without_a_loaded_shoe_no_card_can_be_dealt() -> None:
    floor = Floor()
    assert floor.does(c.PlaceWager(player="ana", box=1, wager="initial", amount=1000)) == "done"
    cards = c.Deal(cards=(None, Card("Kh"), Card("Qd")))
    assert floor.does(cards) == "shuffle_due"
    assert floor.all_done(INSPECT, SPREAD, SHUFFLE, CUT, MARKER)
    assert floor.does(cards) == "shuffle_due"
    assert floor.all_done(LOAD, cards)
    assert floor.table.shoe_left == 312 - 3


VIEW = act("view_initial_burn", player="ben", by="player:ben")


@pytest.mark.clause("NZ-8.3-ii")
def test_any_player_may_see_the_card_burned_from_a_new_shoe() -> None:
    for_another = act("view_initial_burn", player="ben", by="player:ana")
    played = play("nz", "2c Kh 9d 3h 4d", VIEW, ANA, deal(2), for_another, VIEW, deal(), ANA, deal(), VIEW)
    assert played.refusals == [(0, "no_burn"), (3, "not_entitled")]
    viewed = played.events("burn_viewed")
    assert [(one["player"], one["card"], one["clauses"]) for one in viewed] == [("ben", "2c", ["NZ-8.3-ii"])] * 2
    assert played.dealt(2) == "box 1 3h, dealer 4d"


@pytest.mark.clause("NZ-8.3-ii")
def test_without_an_opening_burn_there_is_none_to_see() -> None:
    acts = [ANA, deal(), VIEW, war("ana", 1), deal(4), VIEW, deal(), VIEW]
    played = play("nz", "Kh Kd 3c 4c 5c 9h 8d 2h 3h", *acts, options={"shoe.initial_burn": "none"})
    assert played.refusals == [(2, "no_burn"), (5, "no_burn"), (7, "no_burn")]


@pytest.mark.clause("NZ-8.3-ii")
def test_a_forgotten_opening_burn_opens_no_other_card_to_view() -> None:
    """The first card in the rack is then one burned before the war, and nobody may ask for that one."""
    acts = [ANA, act("report_forgotten_burn"), deal(), war("ana", 1), deal(4), VIEW, deal()]
    played = play("nz", "Kh Kd 3c 4c 5c 9h 8d 2h 3h", *acts)
    assert played.refusals == [(5, "no_burn")]


@pytest.mark.clause("NZ-8.3-ii")
def test_a_burn_that_went_back_into_the_shuffler_cannot_be_seen_any_more() -> None:
    acts = [ANA, deal(), VIEW, ANA, deal(), war("ana", 1), deal(4), VIEW, deal()]
    played = play("nz", "2c Kh 9d 8h 8d 3c 4c 5c 9h 7d", *acts, options={**CONTINUOUS})
    assert played.dealt(2) == "box 1 8h, dealer 8d, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 7d"
    assert played.refusals == [(2, "no_burn"), (7, "no_burn")]
