"""What was done in a round, as the acts of a record."""

from collections.abc import Sequence

from casinowar.engine import Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draws import burn_draws
from casinowar.history.log_walk import Step
from casinowar.records.write import Act, act_of, signature_of
from casinowar.store import CashedOut

DEALERS = c.Deal | c.Settle | c.EndRound
"""What a record's `deal` does by itself, where nothing else happens between."""


def retell(steps: Sequence[Step]) -> list[Act]:
    """The steps as acts. A run of the dealer's own up to a decision or the round's end is one `deal`."""
    acts: list[Act] = []
    run: int | None = None
    decks = steps[0].rules.shoe.decks
    for step in steps:
        if step.rules.shoe.decks != decks and not isinstance(step.command, c.LoadShoe):
            acts.append({"do": "change_decks"})
            run = None
        changed = [event.decks for event in step.events if isinstance(event, e.DecksChanged)]
        decks = changed[0] if changed else step.rules.shoe.decks
        if isinstance(step.command, c.CorrectCard):
            continue
        is_dealers = isinstance(step.command, DEALERS) and step.command.by is None
        run = (len(acts) if run is None else run) if is_dealers else None
        _add(acts, _act(step), run)
        if run is not None and (step.table.phase == "deciding" or step.table.round.is_over):
            acts[run:] = [{"do": "deal"}]
            run = None
    return acts


def _add(acts: list[Act], act: Act, run: int | None) -> None:
    """Further cards of the same run, and further seconds, belong to the act before; a call belongs to its deal."""
    last = acts[-1] if acts and (run is None or len(acts) > run) else {}
    if run is not None and act["do"] == "deal" and "hold" not in act:
        if last == {"do": "call"}:
            acts.pop()
        elif last.get("do") == "deal" and "hold" not in last:
            last["cards"] = _count(last, "cards") + _count(act, "cards")
            return
    elif act["do"] == last.get("do") == "tick" and "by" not in act and "by" not in last:
        last["seconds"] = _count(last, "seconds") + _count(act, "seconds")
        return
    elif act["do"] == last.get("do") == "initial_burn" and "cards" in last and act.get("by") == last.get("by"):
        acts.pop()
        if "cards" in act:
            act["cards"] = _count(last, "cards") + _count(act, "cards")
    acts.append(act)


def _count(act: Act, field: str) -> int:
    count = act[field]
    assert isinstance(count, int)
    return count


def _act(step: Step) -> Act:
    """One step as an act, without the faces that the shoe tells and the fields that say nothing."""
    command = step.command
    match command:
        case CashedOut():
            return {"do": "cash_out", "player": command.player, "amount": command.amount}
        case c.Deal():
            return _deal(command, step.before)
        case c.InitialBurn():
            is_rest = not burn_draws(step.rules, step.table)
            return {"do": "initial_burn"} | ({} if is_rest else {"cards": len(command.cards)}) | signature_of(command)
        case c.LoadShoe():
            is_continuous = step.rules.shoe.shuffler == "continuous"
            return {"do": "load_shoe"} | ({"cards": command.cards} if is_continuous else {}) | signature_of(command)
        case _:
            return act_of(command)


def _deal(command: c.Deal, before: Table) -> Act:
    """A step of the dealer's; where it only closes the betting it is a call."""
    drawn = len(command.cards)
    if drawn and command.hold:
        return {"do": "deal", "cards": drawn} | signature_of(command)
    if not drawn and not command.hold and before.phase != "dealing":
        return {"do": "call"} | signature_of(command)
    return {"do": "deal", "cards": drawn, "hold": command.hold} | signature_of(command)
