"""A replay told in plain text, as a person at the table would tell it, with the clauses behind each ruling."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.state import Round
from casinowar.records.parse import Record
from casinowar.records.replay import Refused, Replay, Told
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.editions import edition_name
from casinowar.words import refusals
from casinowar.words.events import BURNS, in_fields, tell_event
from casinowar.words.phrases import cite, dealer_name, format_gain, limit_in_words, place, plain, wager_name
from casinowar.words.settlements import tell_reversed, tell_settlement
from casinowar.words.silence import cite_event
from casinowar.words.voice import Voice

WIDTH = 80


def tell(record: Record, replayed: Replay) -> str:
    """The whole replay, at most 80 columns wide. Amounts are in minor units."""
    rules = replayed.rulebook
    opening, chapters = _chapters(replayed)
    lines = [*_heading(rules, opening), ""]
    earlier: list[e.Event] = []
    for title, chapter in chapters:
        lines += [title, *_wrap(_sentences(rules, chapter, earlier), "  "), ""]
        earlier += [told.event for told in chapter]
    if replayed.refusals:
        refused = (tell_refusal(record, refusal, rules) for refusal in replayed.refusals)
        lines += ["Refused, with nothing changed (acts count from 0)", *_wrap(refused, "  "), ""]
    lines += ["At the close", *_wrap(_closing(replayed), "  ")]
    cited = re.findall(r"HOUSE-[a-z_.]*[a-z_]", "\n".join(lines)) if rules.notes else ()
    notes = [f"{clause}: {rules.notes[clause].text}" for clause in dict.fromkeys(cited) if clause in rules.notes]
    if notes:
        lines += ["", "House rules", *_wrap(notes, "  ")]
    return "\n".join(lines)


def tell_refusal(record: Record, refusal: Refused, rules: Rulebook) -> str:
    """`act 3, place wager (player ben, ...): the wager is below the minimum [clauses]`."""
    what = in_fields(record.acts[refusal.act])
    why = Refusal(refusal.reason, refusal.clauses, refusal.takes)
    return f"act {refusal.act}, {what}: {refusals.tell_refusal(rules, why)}"


def _chapters(replayed: Replay) -> tuple[list[Told], list[tuple[str, list[Told]]]]:
    """The opening of the table, then all that led up to the end of each round, under its title."""
    told = list(replayed.story)
    begin = next((i for i, one in enumerate(told) if not isinstance(one.event, _OPENING)), len(told))
    chapters: list[tuple[str, list[Told]]] = []
    chapter: list[Told] = []
    last = 0
    for one in told[begin:]:
        chapter.append(one)
        match one.event:
            case e.RoundEnded() | e.RoundInvalidated() | e.RoundVoided() | e.RoundAmended():
                how = "amended" if isinstance(one.event, e.RoundAmended) else "invalidated"
                again = f", {how} after its end" if one.event.number == last else ""
                last = one.event.number
                chapters.append((f"Round {last}{again}", chapter))
                chapter = []
    if chapter:
        is_round = any(isinstance(one.event, e.WagerPlaced) for one in chapter)
        chapters.append(
            (f"Round {replayed.table.round.number}, not finished" if is_round else "After the last round", chapter)
        )
    return told[:begin], chapters


_OPENING = (e.TableOpened, e.TableResumed, e.BoughtIn, e.PlayerEdgeNoted, e.LimitsOffUnitNoted)


def _heading(rules: Rulebook, opening: list[Told]) -> list[str]:
    lines = [f"{rules.title} ({edition_name(rules.id, rules.edition)}): {rules.version}"]
    if rules.options:
        options = ", ".join(f"{key} = {_option(value)}" for key, value in rules.options.items())
        lines.append(f"Options: {options}")
    chips: list[str] = []
    for told in opening:
        match told.event:
            case e.TableOpened():
                own = {w: limit for w, limit in told.event.limits.items() if getattr(rules.wager, w, True)}
                kinds = {"every wager": told.event.limit} | {wager_name(rules, w): limit for w, limit in own.items()}
                limits = "; ".join(f"{kind} {limit_in_words(limit)}" for kind, limit in kinds.items())
                lines.append(f"Limits, in minor units as all amounts: {limits}")
                lines += [f"Meter: {told.event.meter:,}"] if rules.wager.progressive else []
            case e.BoughtIn():
                chips.append(f"{plain(told.event.player)} {told.event.amount:,}")
            case e.PlayerEdgeNoted():
                lines.append(
                    f"Note: going to war favours the player under these payouts{cite_event(rules, told.event)}"
                )
            case e.LimitsOffUnitNoted():
                wager = wager_name(rules, told.event.wager)
                lines.append(f"Note: the limits of {wager} are no multiples of the unit{cite_event(rules, told.event)}")
            case e.TableResumed():
                lines.append(f"The table is taken up after round {told.event.rounds}.")
    lines.append(f"Players: {', '.join(chips) or 'none'}")
    return list(_wrap(lines, ""))


def _closing(replayed: Replay) -> Iterator[str]:
    table = replayed.table
    bought: dict[str, int] = {}
    for told in replayed.story:
        if isinstance(told.event, e.BoughtIn):
            bought[told.event.player] = bought.get(told.event.player, 0) + told.event.amount
    for player, balance in table.players.items():
        yield f"{plain(player)} {balance:,} ({format_gain(balance - bought.get(player, 0))})"
    yield f"house {table.house:,}"
    if replayed.rulebook.wager.progressive:
        yield f"meter {table.meter:,}"
    if table.bank is not None:
        yield f"in the bank, {plain(table.bank.player)}'s: {table.bank.chips:,}"
    if not table.round.is_over:
        for (box, wager, player), laid in table.round.wagers.items():
            if laid.outcome is None:
                name = wager_name(replayed.rulebook, wager)
                yield f"still on the layout: {plain(player)}'s {name} of {laid.amount:,} on box {box}"


def _sentences(rules: Rulebook, chapter: list[Told], earlier: list[e.Event]) -> Iterator[str]:
    """The sentences of a chapter. Runs of cards and of settlements are told together, everything else by itself.

    A round may be amended after its end, so what a void takes back may have been paid in an earlier chapter.
    """
    voice = Voice(rules)
    is_war = False
    order: tuple[str, ...] = ()
    for _, run in groupby(enumerate(chapter), key=lambda one: _run(chapter, one[0])):
        together = list(run)
        events = [told for _, told in together]
        first = events[0].event
        match first:
            case e.CardDealt():
                yield f"{'War cards' if is_war else 'Cards'}: {_hands(rules, events)}{_cite_all(rules, events, order)}"
            case e.CardBurned():
                yield _burn_line(rules, first, events)
            case e.WagerSettled() | e.WagerLimited() if is_settlement(events[-1].event):
                yield "The dealer settles:"
                yield from (
                    f"  {tell_settlement(voice, told.event)}{cite_event(rules, told.event)}"
                    for told in events
                    if isinstance(told.event, e.WagerSettled | e.WagerLimited)
                )
            case e.BettingClosed() if first.draws:
                order = rules.clauses["deal.first"]
                yield tell_event(voice, first) + cite(rules.clauses["betting.closes"])
            case e.DealStarted():
                order = first.clauses
                is_war = any(isinstance(told.event, e.WarDeclared) for told in chapter[: chapter.index(events[0])])
            case e.WagerReversed():
                before = (told.event for told in chapter[: chapter.index(events[0])])
                yield tell_reversed(voice, first, [*earlier, *before]) + cite_event(rules, first)
            case e.WarDeclared():
                yield tell_event(voice, first) + cite_event(rules, first)
                yield from _at_war(rules, first, any(isinstance(told.event, e.WarWagerConfirmed) for told in chapter))
            case e.RoundAmended():
                yield f"Result now: {_net(events[0].table.round, chapter)}"
            case e.RoundEnded() | e.RoundInvalidated() | e.RoundVoided():
                yield tell_event(voice, first) + cite_event(rules, first)
                yield f"Result: {_net(events[0].table.round, chapter)}"
            case _:
                following = [told.event for told in chapter[together[0][0] + 1 :][:1]]
                yield tell_event(voice, first) + cite_event(rules, first, following)


def _at_war(rules: Rulebook, war: e.WarDeclared, is_confirmed: bool) -> Iterator[str]:
    """The dealer's acts about a war wager, which a record does together with the wager."""
    player = plain(war.player)
    confirmed = rules.leaves["war.stake"].cases.get("confirmed")
    if confirmed and not is_confirmed:
        yield f"The dealer confirms {player}'s war wager on box {war.box}{cite(confirmed)}"
    if rules.wager.war_tie:
        yield f"{player} is offered a {rules.names.tie} wager on the war deal{cite(rules.clauses['wager.war_tie'])}"


def is_settlement(event: e.Event) -> bool:
    return isinstance(event, e.WagerSettled) and event.outcome != "surrender"


def _run(chapter: list[Told], index: int) -> object:
    """The key of events that are told together.

    A part that the bank does not cover goes back with its wager's settlement.
    """
    event = chapter[index].event
    match event:
        case e.WagerLimited() if index + 1 < len(chapter) and is_settlement(chapter[index + 1].event):
            return "settled"
        case e.CardDealt():
            return "dealt"
        case e.CardBurned():
            return event.burn
        case e.WagerSettled() if is_settlement(event):
            return "settled"
        case _:
            return index


def _hands(rules: Rulebook, run: list[Told]) -> str:
    return ", ".join(
        f"{told.event.card} to {place(told.event.box, f'the {dealer_name(rules)}')}"
        for told in run
        if isinstance(told.event, e.CardDealt)
    )


def _burn_line(rules: Rulebook, first: e.CardBurned, run: list[Told]) -> str:
    faces = " ".join(told.face or "xx" for told in run)
    shown = "face down" if first.card is None else f"face up, so {first.more} more" if first.more else "face up"
    beside = ", beside the dealer's card" if first.beside_dealer else ""
    return f"{BURNS[first.burn]}: {faces} {shown}{beside}{_cite_all(rules, run)}"


def _net(round_: Round, chapter: list[Told]) -> str:
    net: dict[str, int] = {}
    for told in chapter:
        if isinstance(told.event, e.BankReturned):
            net[told.event.player] = told.event.net
    for (_, _, player), wager in round_.wagers.items():
        net[player] = net.get(player, 0) + wager.paid + wager.returned - wager.amount
    gains = [f"{plain(player)} {format_gain(gain)}" for player, gain in net.items()]
    return ", ".join([*gains, f"house {format_gain(-sum(net.values()))}"])


def _option(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _cite_all(rules: Rulebook, run: list[Told], first: tuple[str, ...] = ()) -> str:
    return cite((*first, *(clause for told in run for clause in told.event.clauses))) or cite_event(rules, run[0].event)


def _wrap(sentences: Iterable[str], indent: str) -> Iterator[str]:
    for sentence in sentences:
        text = sentence.lstrip(" ")
        own = indent + " " * (len(sentence) - len(text))
        yield from textwrap.wrap(
            text, WIDTH, initial_indent=own, subsequent_indent=own + "    ", break_on_hyphens=False
        ) or [own.rstrip()]
