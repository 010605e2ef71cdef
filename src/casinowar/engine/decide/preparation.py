"""The way of the cards into the shoe: inspection, spread, wash, shuffle, and what players may ask for."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_marked, is_mid_round, is_shuffle_due
from casinowar.engine.events import Refusal
from casinowar.engine.evolve.cards import NEW
from casinowar.engine.roles import person_of
from casinowar.engine.signatures import are_named_apart, signer
from casinowar.engine.state import Deciders, Table
from casinowar.rulebooks import Rulebook, clauses_in_case

Due = tuple[str, tuple[str, ...]]
"""A step that is due, and the clauses that ask for it."""

SHUFFLED = ("pre_shuffled", "mfr_pre_shuffled")


def preparation(rules: Rulebook, table: Table) -> list[Due]:
    """What is still to be done before the stack can go into the shoe, in order."""
    if not is_shuffle_due(table):
        return []
    steps = [] if is_mid_round(table) else _opening(rules, table)
    steps += _mixing(rules, table)
    due = [step for step in steps if step[0] not in table.prepared]
    if is_cut_due(rules, table):
        due.append(("cut", rules.clauses["shoe.cut_offered"]))
    if rules.shoe.cut_cards and is_marked(rules) and table.marker is None:
        due.append(("marker", rules.clauses["shoe.cut_cards"]))
    return due


def _opening(rules: Rulebook, table: Table) -> list[Due]:
    """Cards that nobody at the table has checked are looked at first; cards that lay idle are shown again."""
    is_idle = table.shuffle == "idle" and rules.open.idle_spread
    is_fresh = table.shuffle in NEW and (rules.cards.provenance == "fresh" or table.full_shuffle)
    steps: list[Due] = []
    if is_fresh and rules.open.inspection != "none":
        steps.append(("inspect", rules.clauses["open.inspection"]))
    if is_fresh and rules.open.inspection == "verified":
        steps.append(("verify", rules.clauses["open.inspection"]))
    is_shown = is_fresh and rules.open.spread and not rules.open.skip_player_inspection
    if is_shown or is_idle:
        steps.append(("spread", _spread_clauses(rules, is_idle)))
    if is_shown and sets(rules) > 1:
        steps.append(("spread_2", _spread_clauses(rules, is_idle)))
    if (is_fresh or is_idle) and rules.open.wash:
        steps.append(("wash", clauses_in_case(rules, "open.wash", "idle" if is_idle else "opening")))
    return steps


def _spread_clauses(rules: Rulebook, is_idle: bool) -> tuple[str, ...]:
    return rules.clauses["open.idle_spread" if is_idle else "open.spread"]


def sets(rules: Rulebook) -> int:
    """How many sets of cards the table has, each with backs of its own."""
    return max(rules.shoe.batches, rules.shoe.continuous_sets)


def _mixing(rules: Rulebook, table: Table) -> list[Due]:
    if rules.shoe.shuffler != "manual" and not is_mid_round(table):
        steps: list[Due] = []
        if rules.open.pre_load_shuffle or rules.open.pre_load_cut:
            key = "open.pre_load_shuffle" if rules.open.pre_load_shuffle else "open.pre_load_cut"
            steps.append(("pre_load", rules.clauses[key]))
        if rules.shoe.shuffler == "batch_auto":
            steps.append(("swap_batch", rules.clauses["shoe.batches"]))
        if table.shuffle == "idle" and table.full_shuffle:
            clauses = rules.clauses["open.idle_spread"]
            steps += [("spread_2", clauses), ("shuffle", clauses)]
        return steps
    is_reshuffled = rules.cards.provenance == "pre_shuffled" and rules.open.reshuffle_pre_shuffled
    if is_taken_as_shuffled(rules, table) and not is_reshuffled:
        return []
    is_shuffled = is_mid_round(table) or (rules.open.shuffle if table.shuffle == "start" else rules.shoe.reshuffle)
    return [("shuffle", _shuffle_clauses(rules, table))] if is_shuffled else []


def _shuffle_clauses(rules: Rulebook, table: Table) -> tuple[str, ...]:
    """Why the cards are shuffled now: the shoe ran short, play is about to start, or a shoe has been dealt.

    Rules that were stored before they said so are cited as they were.
    """
    steps = rules.clauses["shoe.shuffle_steps"] if rules.shoe.shuffle_steps else ()
    key = "shoe.short" if is_mid_round(table) else "open.shuffle" if table.shuffle == "start" else "shoe.reshuffle"
    if "shoe.loaded" not in rules.leaves or key not in rules.clauses:
        return steps or rules.clauses["shoe.shuffler"]
    return tuple(dict.fromkeys(rules.clauses[key] + steps))


def is_taken_as_shuffled(rules: Rulebook, table: Table) -> bool:
    """Whether the cards came to the table shuffled, and no player has asked for more."""
    is_new = table.shuffle in NEW and not is_mid_round(table)
    return is_new and rules.cards.provenance in SHUFFLED and not table.full_shuffle


def is_cut_due(rules: Rulebook, table: Table) -> bool:
    """A machine that deals takes no cut, and nor do cards that the manufacturer has sealed."""
    if not rules.shoe.cut_offered or table.cut_made or rules.shoe.shuffler == "continuous":
        return False
    is_sealed = rules.cards.provenance == "mfr_pre_shuffled" and is_taken_as_shuffled(rules, table)
    return is_shuffle_due(table) and not is_sealed


def refuse_step(rules: Rulebook, table: Table, step: str) -> Refusal | None:
    """Steps come in their order, and only where the book has them."""
    due = preparation(rules, table)
    if step in [name for name, _ in due]:
        first, clauses = due[0]
        return None if first == step else Refusal(due_reason(first), clauses)
    if not is_shuffle_due(table):
        return Refusal("no_shuffle_due", rules.clauses["shoe.shuffler"])
    return Refusal("step_done" if step in table.prepared else "not_in_the_book", rules.clauses["shoe.shuffler"])


def due_reason(step: str) -> str:
    """Why something else must wait; the second set is spread like the first."""
    return f"{step.removesuffix('_2')}_due"


def inspect_cards(rules: Rulebook, table: Table, command: c.InspectCards) -> list[e.Event] | Refusal:
    if refusal := refuse_step(rules, table, "inspect"):
        return refusal
    is_by_two = rules.open.inspection == "two_people"
    second = command.second or (rules.authority.inspect_cards_second if is_by_two else None)
    clauses = rules.clauses["open.inspection"]
    return [e.CardsPrepared("inspect", second, by=command.by or "dealer", clauses=clauses)]


def verify_cards(rules: Rulebook, table: Table, command: c.VerifyCards) -> list[e.Event] | Refusal:
    refusal = refuse_step(rules, table, "verify")
    clauses = rules.clauses.get("open.inspection", ())
    is_same = command.by is not None and person_of(command.by) == person_of(table.inspected_by)
    if refusal is None and is_same and are_named_apart(rules):
        return Refusal("same_person", clauses)
    return refusal or [e.CardsPrepared("verify", by=signer(rules, command, "supervisor"), clauses=clauses)]


def spread_for_inspection(rules: Rulebook, table: Table, command: c.SpreadForInspection) -> list[e.Event] | Refusal:
    if not 1 <= command.batch <= sets(rules):
        return Refusal("no_such_batch", rules.clauses["shoe.batches"])
    if refusal := refuse_step(rules, table, "spread" if command.batch == 1 else "spread_2"):
        return refusal
    if any(player not in table.players for player in command.players):
        return Refusal("unknown_player")
    clauses = _spread_clauses(rules, table.shuffle == "idle")
    by = command.by or "dealer"
    return [e.CardsPrepared("spread", by=by, players=command.players, batch=command.batch, clauses=clauses)]


def wash(rules: Rulebook, table: Table, command: c.Wash) -> list[e.Event] | Refusal:
    if refusal := refuse_step(rules, table, "wash"):
        return refusal
    clauses = clauses_in_case(rules, "open.wash", "idle" if table.shuffle == "idle" else "opening")
    return [e.CardsPrepared("wash", by=command.by or "dealer", clauses=clauses)]


def shuffle(rules: Rulebook, table: Table, command: c.Shuffle) -> list[e.Event] | Refusal:
    """Shuffle by hand. Where the book names the steps, all are needed, and no strip comes before enough riffles."""
    by = command.by or "dealer"
    if command.before_load:
        refusal = refuse_step(rules, table, "pre_load")
        done = {"shuffle": rules.open.pre_load_shuffle, "cut": rules.open.pre_load_cut}
        steps = tuple(step for step, is_done in done.items() if is_done)
        keys = [f"open.pre_load_{step}" for step in steps]
        clauses = tuple(dict.fromkeys(one for key in keys for one in rules.clauses[key]))
        return refusal or [e.CardsPrepared("pre_load", by=by, steps=steps, clauses=clauses)]
    refusal = refuse_step(rules, table, "shuffle") or _refuse_steps(rules, table, command.steps)
    return refusal or [e.CardsPrepared("shuffle", by=by, steps=command.steps, clauses=_shuffle_clauses(rules, table))]


def steps_due(rules: Rulebook, table: Table) -> tuple[c.ShuffleStep, ...]:
    """A shuffle by the book: cards from behind the cutting card are plugged in, if there was one, before the rest."""
    if not rules.shoe.shuffle_steps:
        return ()
    riffles: list[c.ShuffleStep] = ["riffle"] * max(1, rules.shoe.riffles_before_strip)
    steps: list[c.ShuffleStep] = ["plug", "turn", *riffles, "strip", "riffle"]
    return tuple(step for step in steps if step in required_steps(rules, table))


def required_steps(rules: Rulebook, table: Table) -> tuple[str, ...]:
    is_dealt_from = table.shuffle not in (*NEW, "idle")
    return tuple(step for step in rules.shoe.shuffle_steps if step != "plug" or is_dealt_from)


def _refuse_steps(rules: Rulebook, table: Table, steps: tuple[c.ShuffleStep, ...]) -> Refusal | None:
    required = required_steps(rules, table)
    for step in required:
        if step not in steps:
            return Refusal("shuffle_step_missing", clauses_in_case(rules, "shoe.shuffle_steps", step))
    if "strip" in steps and steps[: steps.index("strip")].count("riffle") < rules.shoe.riffles_before_strip:
        return Refusal("strip_too_early", rules.clauses["shoe.riffles_before_strip"])
    return None


def swap_batch(rules: Rulebook, table: Table, command: c.SwapBatch) -> list[e.Event] | Refusal:
    refusal = refuse_step(rules, table, "swap_batch")
    batch = table.batch % rules.shoe.batches + 1
    clauses = rules.clauses["shoe.batches"]
    return refusal or [e.CardsPrepared("swap_batch", by=command.by or "dealer", batch=batch, clauses=clauses)]


def idle_spread(rules: Rulebook, table: Table, command: c.IdleSpread) -> list[e.Event] | Refusal:
    clauses = rules.clauses.get("open.idle_spread", ())
    if not rules.open.idle_spread:
        return Refusal("not_in_the_book", clauses)
    if table.phase != "betting" or table.has_wagers:
        return Refusal("round_in_progress", clauses)
    return [e.ShuffleOrdered("idle", by=command.by or "dealer", clauses=clauses)]


def player_request_inspect(rules: Rulebook, table: Table, command: c.PlayerRequestInspect) -> list[e.Event] | Refusal:
    clauses = _right(rules, "inspect")
    refusal = _refuse_right(rules, table, command.player, clauses)
    return refusal or [e.InspectionRequested(command.player, clauses=clauses)]


def player_require_full_shuffle(
    rules: Rulebook, table: Table, command: c.PlayerRequireFullShuffle
) -> list[e.Event] | Refusal:
    clauses = _right(rules, "shuffle")
    refusal = _refuse_right(rules, table, command.player, clauses)
    return refusal or [e.FullShuffleRequired(command.player, clauses=clauses)]


def _right(rules: Rulebook, case: str) -> tuple[str, ...]:
    return clauses_in_case(rules, "open.player_rights", case) if "open.player_rights" in rules.leaves else ()


def _refuse_right(rules: Rulebook, table: Table, player: str, clauses: tuple[str, ...]) -> Refusal | None:
    """Refuse a player's right over the cards, but for shuffled cards that are about to be used for the first time."""
    if not rules.open.player_rights:
        return Refusal("not_in_the_book", clauses)
    if player not in table.players:
        return Refusal("unknown_player")
    is_first_use = rules.cards.provenance in SHUFFLED and table.shuffle in NEW and is_shuffle_due(table)
    return None if is_first_use else Refusal("no_pre_shuffled_cards", clauses)


def player_requests_spread(rules: Rulebook, table: Table, command: c.PlayerRequestsSpread) -> list[e.Event] | Refusal:
    """The batch that waited in the shuffler while the table was idle is spread too, if a player wants it."""
    clauses = rules.clauses.get("open.idle_spread", ())
    if not rules.open.idle_spread or rules.shoe.shuffler != "batch_auto":
        return Refusal("not_in_the_book", clauses)
    if command.player not in table.players:
        return Refusal("unknown_player")
    if table.shuffle != "idle":
        return Refusal("no_idle_spread", clauses)
    return [e.SpreadRequested(command.player, clauses=clauses)]


def view_initial_burn(rules: Rulebook, table: Table, command: c.ViewInitialBurn) -> list[e.Event] | Refusal:
    clauses = rules.clauses["burn.visibility"]
    if rules.burn.visibility != "viewable":
        return Refusal("burn_sealed", clauses)
    if command.player not in table.players:
        return Refusal("unknown_player")
    if not table.opening_burned:
        return Refusal("no_burn", clauses)
    return [e.BurnViewed(command.player, command.card, clauses=clauses)]


DECIDERS: Deciders = {
    c.InspectCards: inspect_cards,
    c.VerifyCards: verify_cards,
    c.SpreadForInspection: spread_for_inspection,
    c.Wash: wash,
    c.Shuffle: shuffle,
    c.SwapBatch: swap_batch,
    c.IdleSpread: idle_spread,
    c.PlayerRequestInspect: player_request_inspect,
    c.PlayerRequireFullShuffle: player_require_full_shuffle,
    c.PlayerRequestsSpread: player_requests_spread,
    c.ViewInitialBurn: view_initial_burn,
}
