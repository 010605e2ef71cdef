"""The dealer's next step in plain words, with what to type where it waits for somebody."""

from casinowar.dealers import RealTable
from casinowar.engine import DEALER
from casinowar.engine import commands as c
from casinowar.engine.decide.incidents import SHORT_SHOE
from casinowar.engine.roles import signature_words
from casinowar.engine.view.procedure import Step
from casinowar.rulebooks import citation
from casinowar.words.phrases import join_names, plain, wager_name, words

PREPARATION = {
    "verify": "Have the inspection verified",
    "spread": "Spread the cards for inspection",
    "wash": "Wash the cards and stack them",
    "pre_load": "Take the cards through before they go into the machine",
    "swap_batch": "Put the used batch into the shuffler and take out the other",
}
BURNED = {
    "opening": "Burn the first card of the shoe",
    "opening_value": "Burn a card for the value of the first",
    "midround": "Burn the first card of the new stack",
    "new_dealer": "Burn a card as the new dealer",
    "round": "Burn a card before the round",
    "war": "Burn a card before the war",
    "war_banker": "Burn a card before the bank's",
}


def tell_next(real: RealTable) -> str:
    """What comes next, in a sentence, with its clauses."""
    following = real.next_step
    if following is None:
        return "The table is closed: quit."
    return f"{_tell(real, following)}. [{citation(following.clauses)}]"


def _tell(real: RealTable, step: Step) -> str:
    match step.act:
        case "burn" | "draw":
            return _card(real, step)
        case "take" | "pay" | "give_back" | "offer" | "settle" | "end_round" | "decide":
            return _settlement(real, step)
        case "rule":
            incident = real.table.incident
            open_to = SHORT if incident is not None and incident.kind == SHORT_SHOE else RULINGS
            whose = signature_words(real.rules, str(step.waits_for)).removeprefix("the ")
            return f"The {words(whose)} rules: ruling ACTION REASON, with {', '.join(open_to)}"
        case "invite" | "offer_bank":
            return ": ".join(invitation(real))
        case "call":
            return "Call the war" if real.table.phase == "war_betting" else "Call no more bets"
        case "show_cut_card":
            return "The cutting card comes first: take it out, and the cards are shuffled"
        case _:
            return _stack(real, step)


RULINGS = ("stand", "void-hand", "void-round", "reconstruct", "reshuffle")
SHORT = ("shuffle-discards", "void-round")
"""What can be ruled where the shoe ran dry."""


def _stack(real: RealTable, step: Step) -> str:
    command, decks = step.command, real.rules.shoe.decks
    match command:
        case c.InspectCards():
            second = ", two people" if real.rules.open.inspection == "two_people" else ""
            return f"Sort and check the {decks} decks{second}"
        case c.Shuffle(before_load=False):
            return f"Shuffle the {decks} decks" + (f": {', '.join(command.steps)}" if command.steps else "")
        case c.Cut():
            if step.player is None:
                return "Cut the cards"
            return f"{plain(step.player)} is asked to cut: cut {plain(step.player)}, or pass {plain(step.player)}"
        case c.PlaceMarker():
            return f"Put the cutting card in, {command.from_back} cards from the back"
        case c.LoadShoe():
            machine = "shuffler" if real.rules.shoe.shuffler == "continuous" else "shoe"
            return f"Put the {command.cards} cards into the {machine}"
        case _:
            return PREPARATION[step.act]


def invitation(real: RealTable) -> tuple[str, str]:
    """What the dealer does before a round, and what is typed once somebody has answered."""
    if not real.table.players:
        return "Players buy chips", "buy NAME AMOUNT"
    if real.rules.bank.by == "player" and real.table.bank is None:
        return "Offer the bank", "bank NAME BOX STAKE"
    return "Invite wagers", "bet NAME BOX AMOUNT"


def _card(real: RealTable, step: Step) -> str:
    if step.burn is not None:
        seen = "turn it up and type it" if real.waits_for == "card" else "unseen"
        return f"{BURNED[step.burn]}, {seen}"
    if step.box == DEALER:
        whose = "the bank's card" if real.rules.bank.by == "player" else "your own card"
    else:
        who = join_names(real.table.round.bettors.get(step.box or 0, ())) if real.table.round.bettors else ""
        whose = f"box {step.box}" + (f" ({who})" if who else "")
    deal = "Deal" if step.box == DEALER else "Deal to"
    return f"{deal} {whose}" + (" and type it" if real.waits_for == "card" else ", the card that is out already")


def _settlement(real: RealTable, step: Step) -> str:
    who = f"{plain(step.player or '')}, box {step.box}"
    match step.act:
        case "end_round":
            return "Collect the cards into the rack"
        case "settle":
            return "Go on with the settlement"
        case "offer":
            return f"Offer {who}, war or surrender"
        case "decide":
            at = f"{plain(step.player or '')} {step.box}"
            return f"{who}, chooses: war {at}, or surrender {at}"
    wager = wager_name(real.rules, step.wager or "")
    match step.act:
        case "take":
            left = f", and give {step.returned:,} back" if step.returned else ""
            return f"Take {step.amount:,} from {who}: {wager}{left}"
        case "pay":
            return f"Pay {who}, {step.amount:,} for {wager}, and give {step.returned:,} back"
        case _:
            return f"Give {who}, {step.returned:,} of {wager} back"
