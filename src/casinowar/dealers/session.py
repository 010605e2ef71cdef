"""The automatic dealer: one table, its shoe, and what people did, in the order in which it can be replayed.

The engine knows every rule and no undealt card; the dealer here knows the cards and no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, get_args

import msgspec

from casinowar.cards import DECK
from casinowar.dealers.played_round import PlayedRound, played_round
from casinowar.dealers.player_view import PlayerView, require_player
from casinowar.dealers.real_table import RealTable, refuse_new, require_possible
from casinowar.dealers.shoe import Shoe, Shuffle
from casinowar.dealers.strategies import Strategy, always_war
from casinowar.dealers.strategy_answers import commands_of, of_strategy, refused, strategies_by_player
from casinowar.dealers.stretch_scene import RoundResult, stretch_scene
from casinowar.dealers.table_scene import table_scene
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import candidates
from casinowar.engine.decide.betting import is_offered
from casinowar.engine.decide.dealing import cards_due, refuse_deal
from casinowar.engine.decide.draw_order import BETWEEN, burn_draws, is_mid_round, is_shuffle_due
from casinowar.engine.decide.floor import rules_due
from casinowar.engine.decide.preparation import is_cut_due
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.legal import Legal, legal_commands
from casinowar.engine.state import NO_LIMIT
from casinowar.engine.view.procedure import Step, procedure
from casinowar.errors import Refused
from casinowar.fairness import practice_shuffles, shuffled
from casinowar.pictures import plain_stretch, plain_table, stretch_svg, table_svg
from casinowar.records.parse import Stack
from casinowar.records.write import Act, act_of, limit_of
from casinowar.records.write import record_of as written_record
from casinowar.rulebooks import Rulebook, load_rulebook
from casinowar.rulebooks.editions import without_edition
from casinowar.rulebooks.wagers import WAR_DEAL
from casinowar.words.phrases import cite
from casinowar.words.refusals import reason_in_words

UNRECORDED = (
    c.OpenTable
    | c.PlaceMarker
    | c.LoadShoe
    | c.InitialBurn
    | c.Deal
    | c.Settle
    | c.EndRound
    | c.InspectCards
    | c.VerifyCards
    | c.SpreadForInspection
    | c.Wash
    | c.Shuffle
    | c.SwapBatch
)
"""What a record's deal does by itself."""

NO_FLOOR = "the house has it so where no floor is on hand"
CUTS = (c.Cut, c.DeclineCut, c.OfferCut)
ALONE = frozenset(get_args(UNRECORDED))
LOOKED_AT = frozenset([c.AnnounceLimits, c.BuyIn, c.ChangeLimits])
"""What `refuse_new` can refuse."""


class Session:
    """A table with its automatic dealer: the whole game for one program.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> session.play_round(casinowar.strategies.always_war).net
    {'ana': 1}
    >>> fork = session.clone()
    >>> fork.play_round().number, session.table.round.number
    (2, 1)

    `rules` is a rulebook or its name. Chance comes in as `shuffle`, a function that puts cards into another order, or
    as `seed`, a text that fixes every shoe; without either it is the operating system's. `players` are bought in.

    `play_round` plays a round by strategies. Who wants to do it step by step gives commands, `do` or `must`, and calls
    `go_on`, or `deal`, which stops at each cut; `legal_commands` are all that would be accepted, `view` is what a
    player sees, `to_move` is who must choose, and `table` is the state itself. `record()` is all that was done, for
    `casinowar.records`.

    `book` is the rulebook as the table was opened, and `rules` is what is played by now, which differs where the number
    of decks has changed. `chips` is what each player bought in all, and `stacks` are the shoes loaded so far. `meter`
    is where the progressive's meter stands at the start, without it at the seed.
    """

    def __init__(
        self,
        rules: Rulebook | str,
        shuffle: Shuffle | None = None,
        limit: c.Limit = NO_LIMIT,
        meter: int | None = None,
        *,
        seed: str | None = None,
        players: Mapping[str, int] | None = None,
    ) -> None:
        if shuffle is not None and seed is not None:
            raise TypeError("a session has a shuffle or a seed, and not both")
        if shuffle is not None and not callable(shuffle):
            raise TypeError(
                f"a shuffle is called with cards and gives them in another order: {shuffle!r} cannot be called"
            )
        if not isinstance(players or {}, Mapping):
            raise TypeError(f"players are names with their chips, such as {{'ana': 10_000}}, and not {players!r}")
        if isinstance(rules, str):
            rules = load_rulebook(rules)
        order = shuffle or (shuffled if seed is None else practice_shuffles(seed))
        self.book = rules
        self.rules = rules
        self.table = Table()
        self.limit = limit
        self.chips: dict[str, int] = {}
        self.opening_chips: dict[str, int] = {}
        self._done: list[c.Command | Act] = []
        self._rounds: list[RoundResult] = []
        self.seed = seed
        self._shoe = Shoe(order, rules)
        self._is_dealing = False
        opened = self.do(c.OpenTable(limit=limit, meter=meter))
        if isinstance(opened, Refusal):
            raise ValueError(f"the table cannot be opened: {reason_in_words(opened.reason)}{cite(opened.clauses)}")
        require_possible(rules, limit)
        self.opening = opened
        self.meter = self.table.meter
        for player, amount in (players or {}).items():
            bought = self.buy_in(player, amount)
            if isinstance(bought, Refusal):
                raise ValueError(f"{player!r} cannot buy in for {amount!r}: {reason_in_words(bought.reason)}")

    def __copy__(self) -> Session:
        """A table of its own that goes on from here with the same cards, if its shuffle can be copied.

        Practice shuffles can be copied and pickled; fresh ones of the operating system's entropy repeat for nobody.
        """
        twin = object.__new__(type(self))
        own = {
            "chips": dict(self.chips),
            "opening_chips": dict(self.opening_chips),
            "_rounds": [*self._rounds],
            "_done": [dict(one) if isinstance(one, dict) else one for one in self._done],
            "opening": [*self.opening],
            "_shoe": copy(self._shoe),
        }
        vars(twin).update(vars(self) | own)
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> Session:
        """A copy as `copy` makes it: the rest, such as rulebook, table and limits, never changes."""
        return copy(self)

    def clone(self, seed: str | None = None) -> Session:
        """A session of its own that goes on from here; what happens at one does not happen at the other.

        Without a seed the same cards come. With one, the cards that nobody has seen lie in another order, and so do the
        shoes after this one: who looks ahead in such clones does not look into the shoe.

        >>> import casinowar
        >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
        >>> session.clone().play_round().hands == session.clone().play_round().hands
        True
        """
        twin = copy(self)
        if seed is not None:
            twin._shoe.reorder(practice_shuffles(seed), twin.table.held is not None)
        return twin

    @property
    def acts(self) -> list[Act]:
        """The accepted commands as a record tells them."""
        acts: list[Act] = []
        for at, one in enumerate(self._done):
            if not isinstance(one, dict):
                self._done[at] = one = act_of(one)
            acts.append(one)
        return acts

    def legal_commands(self, player: str | None = None, *, staff: bool = False) -> list[Legal]:
        """All commands that would be accepted now of this player, or of every player, with the bounds of amounts.

        With `staff` those of staff come too; what they do about players is about this one, where one is named.

        >>> import casinowar
        >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
        >>> first = session.legal_commands("ana")[0]
        >>> first.command.wager, first.amounts
        ('initial', range(1, 10001))
        """
        if player is not None and not staff:
            require_player(self.table, player)
        return legal_commands(self.rules, self.table, player, staff=staff)

    def view(self, player: str) -> PlayerView:
        """What this player sees now, as a strategy is given it.

        >>> import casinowar
        >>> casinowar.Session("nz", seed="dawn", players={"ana": 10_000}).view("ana").balance
        10000
        """
        return PlayerView(self.rules, self.table, player)

    @property
    def to_move(self) -> str | None:
        """The player who must choose before the dealer can go on; none where the dealer can, and while wagers are open.

        That is war or surrender, the cut of the cards, or the bank where it is offered to somebody.

        >>> import casinowar
        >>> print(casinowar.Session("nz", seed="dawn", players={"ana": 10_000}).to_move)
        None
        """
        table = self.table
        if table.phase == "deciding":
            return table.round.asked[0][1]
        if self.is_cut_due:
            return self.cutter
        is_offered_now = self.rules.bank.by == "player" and table.phase == "betting" and table.bank is None
        return next(iter(self.bank_offers), None) if is_offered_now else None

    def record(self, rulebook: str | None = None) -> dict[str, Any]:
        """All that was done, as a round record. `rulebook` names a house rulebook, by its path or name.

        It holds every face of every shoe, sealed burns too, so it is for a session that is over.

        >>> import casinowar
        >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
        >>> played = session.play_round()
        >>> casinowar.replay(casinowar.parse_record(session.record())).table == session.table
        True
        """
        return record_of(self, rulebook)

    def play_round(self, strategy: Strategy | Mapping[str, Strategy] = always_war) -> PlayedRound:
        """Play a round by a strategy, or by one for each player; whoever has none sits out.

        Shuffles, cuts in the middle, offers of the bank and seats are taken care of. A command that the rules do not
        allow is raised as `Refused`.

        >>> import casinowar
        >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000, "ben": 10_000})
        >>> session.play_round({"ben": lambda seen: seen.bet(500)}).net
        {'ben': 500}
        """
        chosen = strategies_by_player(strategy, self.table.players)
        self._refuse_closed()
        before, events = self.table, self._prepare_cut()
        if self.rules.bank.by == "player" and self.table.bank is None:
            events += self._offer_bank(chosen)
        for player, plays in chosen.items():
            is_bank = self.table.bank is not None and self.table.bank.player == player
            if self.table.phase == "betting" and not is_bank:
                events += self._answer(player, plays)
        events += self._play_out(chosen)
        return played_round(self.rules, before, self.table, events)

    def finish_round(self, strategy: Strategy | Mapping[str, Strategy] = always_war) -> PlayedRound:
        """Play the round that is on to its end by a strategy, or by one for each player; `net` counts from now.

        >>> import casinowar
        >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
        >>> placed = session.must(session.view("ana").bet(500))
        >>> session.clone().finish_round().net, session.finish_round().number
        ({'ana': 1000}, 1)
        """
        chosen = strategies_by_player(strategy, self.table.players)
        before, events = self.table, self._play_out(chosen)
        return played_round(self.rules, before, self.table, events)

    def _play_out(self, chosen: Mapping[str, Strategy]) -> list[Event]:
        """Deal and choose until no wager is open."""
        events: list[Event] = []
        while self.table.has_wagers:
            if self.table.phase == "deciding":
                events += self._choose(chosen)
                continue
            if self.table.phase == "war_betting" and any(is_offered(self.rules, wager) for wager in WAR_DEAL):
                for player, plays in chosen.items():
                    events += self._answer(player, plays)
            events += self.go_on()
        return events

    def _prepare_cut(self) -> list[Event]:
        """Shuffle, cut and load where that is due, with cuts in the middle."""
        events = [] if self._is_dealing else self.prepare()
        if self.is_cut_due and self.table.phase in BETWEEN:
            events += self.cut_in_the_middle()
            events += [] if self._is_dealing else self.prepare()
        return events

    def _answer(self, player: str, strategy: Strategy) -> list[Event]:
        """What the strategy does now, done."""
        seen = self.view(player)
        commands = commands_of(seen, strategy(seen))
        try:
            return self.must(*commands) if commands else []
        except Refused as error:
            raise of_strategy(error, seen) from None

    def _choose(self, strategies: Mapping[str, Strategy]) -> list[Event]:
        """The choice of whoever is next, who surrenders where no strategy speaks for them."""
        box, player = self.table.round.asked[0]
        asked = self.table.round.asked
        done = self._answer(player, strategies.get(player, always_war))
        if self.table.phase == "deciding" and self.table.round.asked == asked:
            raise ValueError(f"the strategy of {player} chose neither war nor surrender on box {box}")
        return done

    def _offer_bank(self, strategies: Mapping[str, Strategy]) -> list[Event]:
        """Seat everybody who has no seat, and offer the bank in turn until somebody takes it."""
        events: list[Event] = []
        free = [box for box in range(1, self.rules.table.boxes + 1) if box not in self.table.seats]
        for player, box in zip([one for one in strategies if one not in self.table.seats.values()], free, strict=False):
            events += self.must(c.SeatPlayer(player=player, box=box))
        declined: set[str] = set()
        while self.table.bank is None:
            offered = next((one for one in self.bank_offers if one not in declined), None)
            if offered is None:
                raise Refused(
                    "no_bank", "nobody takes the bank in turn: give players strategies that do, such as `banker`"
                )
            declined.add(offered)
            events += self._answer(offered, strategies[offered]) if offered in strategies else []
            events += self._decline_bank(offered)
        return events

    def _decline_bank(self, player: str) -> list[Event]:
        """Decline the bank for a player who did not take it."""
        is_declined = self.table.bank is None and self.rules.bank.optional
        return self.must(c.DeclineBank(player=player)) if is_declined else []

    def __str__(self) -> str:
        """The table as text."""
        return plain_table(table_scene(self.rules, self.table))

    def __repr__(self) -> str:
        return f"<Session {self.rules.id}: {len(self.table.players)} players, round {self.table.round.number}>"

    @property
    def _is_told_by_rounds(self) -> bool:
        """Whether no round is on, and one has been played: then a notebook shows what has come of all."""
        return bool(self._rounds) and not self.table.has_wagers

    def _repr_svg_(self) -> str:
        """For notebooks: what came of all rounds, over exact bands; before the first and in one, the table."""
        if self._is_told_by_rounds:
            return stretch_svg(stretch_scene(self.rules, self._rounds, self.seed))
        return table_svg(table_scene(self.rules, self.table))

    def _repr_pretty_(self, printer: Any, is_cycle: bool) -> None:
        """The same in plain lines, for terminals."""
        table = str(self)
        if self._is_told_by_rounds:
            table = f"{plain_stretch(stretch_scene(self.rules, self._rounds, self.seed))}\n{table}"
        printer.text(repr(self) if is_cycle else table)

    def buy_in(self, player: str, amount: int) -> list[Event] | Refusal:
        """Chips for money, as the command `BuyIn` buys them.

        What is bought before anything was done is an opening balance in a record, later an act.
        """
        return self.do(c.BuyIn(player=player, amount=amount))

    def preview(self, *commands: c.Command) -> list[Event] | Refusal:
        """What would come of these commands, one after the other, without doing them."""
        tried = self._try(commands)
        return tried if isinstance(tried, Refusal) else tried[0]

    def do(self, *commands: c.Command) -> list[Event] | Refusal:
        """Do all of these commands, or none of them if one is refused. The dealer shuffles before a cut."""
        if len(commands) == 1 and not isinstance(commands[0], CUTS):
            return self._do_alone(commands[0])
        tried = self._try(commands)
        if isinstance(tried, Refusal):
            return tried
        events = tried[0]
        self._keep(tried[1])
        for command in commands:
            if isinstance(command, c.Cut):
                self._shoe.cut(command.position)
            self._record(command)
        self._shoe.follow(events)
        return events

    def _do_alone(self, command: c.Command) -> list[Event] | Refusal:
        """Do one command before which the dealer has nothing to do."""
        done = self._step(self.table, command)
        if isinstance(done, Refusal):
            return done
        events = done[0]
        self._keep(done[1])
        if type(command) not in ALONE:
            self._add(command)
        self._shoe.follow(events)
        return events

    def _keep(self, table: Table) -> None:
        """Keep the table, and of a round that has just ended what came of its wagers."""
        if table.round.is_over and not self.table.round.is_over and table.round.wagers:
            self._rounds.append(RoundResult(table.round.wagers, table.round.banker))
        self.table = table

    def must(self, *commands: c.Command) -> list[Event]:
        """Do all of these commands as `do` does, and raise `Refused` where `do` gives a refusal."""
        done = self.do(*commands)
        if isinstance(done, Refusal):
            raise refused(self.rules, self.table, done, commands)
        return done

    def _refuse_closed(self) -> None:
        """A table that is closed deals no more."""
        if self.table.is_closed:
            raise refused(self.rules, self.table, Refusal("table_closed"))

    def _record(self, command: c.Command) -> None:
        """Record a command.

        While a deal waits for its cut, it goes before that deal, and the cut is part of the deal.
        """
        if isinstance(command, UNRECORDED) or (self._is_dealing and isinstance(command, CUTS)):
            return
        self._add(command)

    def _add(self, done: c.Command | Act) -> None:
        """Record what was done; chips bought first of all are opening balances, which nobody signs."""
        if isinstance(done, c.BuyIn):
            self.chips[done.player] = self.chips.get(done.player, 0) + done.amount
            if not self._done and done.by is None:
                self.opening_chips[done.player] = self.chips[done.player]
                return
        self._done.insert(len(self._done) - 1 if self._is_dealing else len(self._done), done)

    def _try(self, commands: Iterable[c.Command]) -> tuple[list[Event], Table] | Refusal:
        events: list[Event] = []
        table = self.table
        for command in commands:
            before = self._before_cut(table) if isinstance(command, CUTS) else []
            for one in (*before, command):
                done = self._step(table, one)
                if isinstance(done, Refusal):
                    return done
                events += done[0]
                table = done[1]
        return events, table

    def _step(self, table: Table, command: c.Command) -> tuple[list[Event], Table] | Refusal:
        refusal = refuse_new(self.rules, command) if type(command) in LOOKED_AT else None
        return refusal or step(self.rules, table, command)

    def _before_cut(self, table: Table) -> list[c.Command]:
        """What the dealer does with the cards before anybody can cut them."""
        steps = procedure(self.rules, table)
        acts = [one.act for one in steps]
        return [one.command for one in steps[: acts.index("cut")] if one.command] if "cut" in acts else []

    def _accepted(self, *commands: c.Command) -> list[Event]:
        done = self.do(*commands)
        if isinstance(done, Refusal):
            raise RuntimeError(f"the dealer's own act was refused: {done.reason} {done.clauses}")
        return done

    @property
    def is_cut_due(self) -> bool:
        """Whether the cards wait to be cut before the dealer can go on."""
        return is_cut_due(self.rules, self.table)

    @property
    def cutter(self) -> str | None:
        """Whose turn it is to cut or to pass the cut on; none when it falls to staff."""
        return cutter(self.rules, self.table)

    @property
    def bank_offers(self) -> list[str]:
        """The seated players to whom the bank is offered, the next one first."""
        return candidates(self.rules, self.table)

    def cut_in_the_middle(self) -> list[Event]:
        """Cut the cards halfway down, for whoever is entitled to cut."""
        return self._accepted(c.Cut(player=self.cutter, position=26 * self.rules.shoe.decks))

    @property
    def is_deal_unfinished(self) -> bool:
        """Whether the deal stopped for a cut and waits for another call of `deal`."""
        return self._is_dealing

    @property
    def stacks(self) -> list[Stack]:
        """The shoes loaded so far, in the order in which their cards leave them."""
        return self._shoe.stacks

    def prepare(self) -> list[Event]:
        """Shuffle, load and burn, as far as no wager is needed: up to a cut that people must make, or to the betting.

        A deal does all of this too, where nobody has asked for it before the wagers.
        """
        events: list[Event] = []
        while self._is_shoe_due:
            self._refuse_closed()
            self._change_decks()
            following = procedure(self.rules, self.table)[0]
            if following.act == "cut":
                return events
            events += self._perform(following)
            if following.act == "load":
                self._done.append({"do": "load_shoe"})
        if any(isinstance(event, e.CardBurned) for event in events):
            self._done.append({"do": "initial_burn"})
        return events

    @property
    def _is_shoe_due(self) -> bool:
        """Whether cards must be shuffled or burned between rounds. A deal that has begun does that itself."""
        is_between = self.table.phase in BETWEEN and not self._is_dealing
        return is_between and (is_shuffle_due(self.table) or bool(burn_draws(self.rules, self.table)))

    def deal(self) -> list[Event] | Refusal:
        """Deal on until a decision, the end of the round, or a cut that people must make first.

        A record's deal goes through such a cut, so a cut inside a deal is no act of its own.
        """
        refusal = refuse_deal(self.rules, self.table)
        if refusal and refusal.reason != "shuffle_due":
            return refusal
        if not self._is_dealing:
            self._done.append({"do": "deal"})
            self._is_dealing = True
        events: list[Event] = []
        while True:
            if is_shuffle_due(self.table):
                self._change_decks()
                following = procedure(self.rules, self.table)[0]
                if following.act == "cut" and not is_mid_round(self.table):
                    return events
                events += self._perform(following)
            else:
                coming = self._shoe.coming(cards_due(self.rules, self.table))
                events += self._accepted(c.Deal(cards=coming))
            if self.table.incident is not None:
                events += self._rule()
            if self.table.round.is_over or self.table.phase == "deciding":
                self._is_dealing = False
                return events

    def go_on(self) -> list[Event]:
        """Deal on through every cut, each in the middle, until a player must choose or the round is over.

        Where nothing can be dealt it raises `Refused`.

        >>> import casinowar
        >>> session = casinowar.Session("nz", seed="zulu", players={"ana": 10_000})
        >>> placed = session.must(session.view("ana").bet(500))
        >>> dealt = session.go_on()
        >>> session.to_move
        'ana'
        >>> chosen, dealt = session.must(session.view("ana").war()), session.go_on()
        >>> session.table.players
        {'ana': 11000}
        """
        self._refuse_closed()
        events: list[Event] = []
        while True:
            events += self._prepare_cut()
            dealt = self.deal()
            if isinstance(dealt, Refusal):
                raise refused(self.rules, self.table, dealt)
            events += dealt
            if not self._is_dealing:
                return events

    def _rule(self) -> list[Event]:
        """Rule on a shoe that ran dry, where the book leaves it to somebody: no floor is here, so the house rules."""
        self._is_dealing = False
        ruled = self._accepted(c.Rule(action="shuffle_discards", reason=NO_FLOOR))
        self._done.append({"do": "deal"})
        self._is_dealing = True
        return ruled

    def _change_decks(self) -> None:
        """Take up the decks of a notice that has stood long enough, from the next shuffle on."""
        if is_shuffle_due(self.table):
            self.rules = self._shoe.rules = rules_due(self.rules, self.table)

    def _perform(self, following: Step) -> list[Event]:
        """Perform a step of the procedure, with the next card of the shoe where it turns one."""
        command = following.command
        assert command is not None
        if isinstance(command, c.Deal | c.InitialBurn) and following.turns_card:
            command = msgspec.structs.replace(command, cards=(self._shoe.next_card(),))
        if isinstance(command, c.LoadShoe):
            self._shoe.load(DECK * self.rules.shoe.decks, self.table, command.cut_card)
        return self._accepted(command)


def record_of(session: Session | RealTable, rulebook: str | None = None) -> dict[str, Any]:
    """The record of a session, for `replay` to run again; a deal that still waits for a cut is left out.

    Of an automatic dealer it holds every face of every shoe, sealed burns too, so it is for a session that is over.
    Of a table of real cards it holds the faces that were turned, and no other. `rulebook` is how the record names a
    house rulebook, by its path or name; the five books go by their ids, and the edition stands beside it.

    >>> import casinowar
    >>> from casinowar.dealers import record_of
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> record_of(session) == session.record()
    True
    """
    return written_record(
        session.book,
        session.stacks,
        session.acts[:-1] if isinstance(session, Session) and session.is_deal_unfinished else session.acts,
        name=without_edition(rulebook or ""),
        meter=session.meter,
        limits=limit_of(session.limit),
        players=session.opening_chips if isinstance(session, Session) else session.chips,
    )
