"""`casinowar compare`: books side by side, by their odds or by what they make of the same cards."""

from collections.abc import Set
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from casinowar.cards import Card, parse_card
from casinowar.cli.odds.study import check_options, load_study
from casinowar.cli.odds.text import CHOICES
from casinowar.cli.terminal.key_values import clip_words, parse_settings
from casinowar.cli.terminal.options import BOOK, Chips, json_option, option_option, set_option
from casinowar.cli.terminal.output import json_text, put, say
from casinowar.cli.terminal.text_tables import fold, percent, rows
from casinowar.engine.decide.betting import is_offered
from casinowar.odds.composition import fresh
from casinowar.odds.data import odds_data
from casinowar.odds.outcomes import Outcome
from casinowar.odds.wagers import initial_net
from casinowar.records import RecordError, parse_record, replay, result
from casinowar.rulebooks import WAGERS, Rulebook, RulebookError, load_with, sound_books
from casinowar.rulebooks.wagers import FIRST_DEAL, OPTIONAL, WAR_DEAL

Books = dict[str, Rulebook]
MOST_BOOKS = 6
OF_ODDS, OF_CARDS = "casinowar-comparison/1", "casinowar-cards/1"
WITH_CARDS = ("stake", "strategy")
PLAYER, BANKER = "player", "bank"
CHIPS = 10**9
OUTCOMES = ("loss", "war_loss", "surrender", "win", "war_win", "war_tie")


@click.command(short_help="Set books side by side: their odds, and the same cards under each.")
@click.argument("books", metavar="[BOOK]...", type=BOOK, nargs=-1)
@click.option("--decks", type=click.IntRange(1, 100), help="The same number of decks for all, also beyond a book.")
@click.option("--cards", metavar="CARDS", help="Play these: player's, dealer's, and for a war the next of each.")
@click.option(
    "--strategy", type=click.Choice(["war", "surrender"]), default="war", show_default=True, help="At a tie of --cards."
)
@click.option("--stake", type=Chips(1, 10**6), default=1000, show_default=True, help="On every wager, with --cards.")
@option_option(help="Set an operator's option in every book that has it; may repeat.")
@set_option(help="Change any leaf in every book; may repeat.")
@json_option(help="Print the same as JSON.")
def compare(
    books: tuple[str, ...],
    decks: int | None,
    cards: str | None,
    strategy: str,
    stake: int,
    options: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Set BOOKs side by side, the first six that there are unless named: the edge of each wager, element of risk,
    deviation, and what one unit gains in each outcome.

    With --cards, as in "Kh Kd 9s 9c", the same cards are played under each book with every wager that it offers, and
    the nets are set side by side. Burns are left out of the list: each book has its own. A book that cannot have what
    --option or --set asks for is left as it is in this, and a note says so.
    """
    opted, chosen = parse_settings(options, "--option", "shoe.decks=8"), parse_settings(settings)
    every = sound_books()
    named = list(dict.fromkeys(books)) or list(every[:MOST_BOOKS])
    if not books and len(every) > MOST_BOOKS:
        say(f"Left out: {', '.join(every[MOST_BOOKS:])}. Name the books that you want to compare.")
    if len(named) > MOST_BOOKS:
        raise click.UsageError(f"{len(named)} books: at most {MOST_BOOKS} stand side by side")
    if cards is not None and decks is not None:
        raise click.UsageError("--decks changes nothing about --cards: give one of them")
    context = click.get_current_context()
    given = [name for name in WITH_CARDS if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if cards is None and given:
        raise click.UsageError(f"--{given[0]} is of --cards: name the cards that are played")
    loaded, left = _load(named, opted | chosen, opted.keys() - chosen.keys(), decks)
    data = _odds(loaded) if cards is None else _cards(loaded, _parse(cards), strategy, stake)
    data["left_as_it_is"] = left
    if as_json:
        put(json_text(OF_ODDS if cards is None else OF_CARDS, data))
    else:
        put("\n".join([_tell_odds(data) if cards is None else _tell_cards(data), *_tell_left(left)]))


def _load(
    named: list[str], settings: dict[str, object], held: Set[str], decks: int | None
) -> tuple[Books, dict[str, dict[str, str]]]:
    """The books as set, and for each that cannot be set so, what it was spared and why.

    `held` are the settings that are held to what a book leaves to its operator. What no book at all can have is an
    error, and so is a book that cannot be loaded as it stands.
    """
    _check_books(named)

    def load(book: str, chosen: dict[str, object]) -> Rulebook:
        any_decks = decks is not None
        check_options(book, {key: chosen[key] for key in chosen if key in held}, decks, any_decks=any_decks)
        return load_study(book, chosen, decks, any_decks=any_decks)

    loaded: Books = {}
    left: dict[str, dict[str, str]] = {}
    errors: dict[str, click.BadParameter] = {}
    for book in named:
        try:
            loaded[book] = load(book, settings)
        except click.BadParameter as error:
            loaded[book] = load(book, {})
            left[book], errors[book] = {}, error
            kept: dict[str, object] = {}
            for key, value in settings.items():
                try:
                    loaded[book] = load(book, {**kept, key: value})
                    kept[key] = value
                except click.BadParameter as why:
                    left[book][key] = why.message
    for book, spared in left.items():
        if not spared or any(all(key in left.get(other, {}) for other in named) for key in spared):
            raise errors[book]
    return loaded, left


def _check_books(named: list[str]) -> None:
    """Refuse a book that cannot be loaded even as it stands: its name is at fault, and no option."""
    for book in named:
        try:
            load_with(book, {})
        except RulebookError as error:
            raise click.BadParameter(clip_words(str(error)), param_hint="BOOK") from None


def _tell_left(left: dict[str, dict[str, str]]) -> list[str]:
    books: dict[str, list[str]] = {}
    for book, spared in left.items():
        for key in spared:
            books.setdefault(key, []).append(_short(book))
    return [
        line
        for key, names in books.items()
        for line in fold(f"{key}: left as it is in {', '.join(names)} (see --json).")
    ]


def _odds(books: Books) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, rules in books.items():
        data = odds_data(rules, fresh(rules.shoe.decks))
        told[name] = {key: data[key] for key in ("rulebook", "decks", "wagers")}
        told[name]["outcomes"] = {outcome: str(value) for outcome, value in _outcomes(rules).items()}
    return {"books": told}


def _outcomes(rules: Rulebook) -> dict[str, Any]:
    """The gain of one unit on the initial wager, by how the box ends."""
    found = {}
    for outcome in OUTCOMES:
        first, _, second = outcome.rpartition("_")
        if outcome == "surrender":
            found[outcome] = initial_net(rules, Outcome("tie"), "surrender")
        elif first:
            found[outcome] = initial_net(rules, Outcome("tie", second=second), "war")
        else:
            found[outcome] = initial_net(rules, Outcome(outcome), "war")
    return found


def _tell_odds(data: dict[str, Any]) -> str:
    books = data["books"]
    heads = [_short(name) for name in books]
    table = [["House edge", *heads], ["decks", *(str(one["decks"]) for one in books.values())]]
    for choice, words in CHOICES.items():
        by = [one["wagers"]["initial"]["by_decision"][choice] for one in books.values()]
        table.append([words, *(percent(figures["house_edge"], 2) for figures in by)])
    for wager in OPTIONAL:
        cells = [_edge(one["wagers"].get(wager)) for one in books.values()]
        if any(cell != "-" for cell in cells):
            table.append([wager, *cells])
    initial = [one["wagers"]["initial"] for one in books.values()]
    table += [["", *[""] * len(books)], ["Initial, always war", *heads]]
    table.append(["element of risk", *(percent(one["element_of_risk"], 2) for one in initial)])
    table.append(["deviation", *(f"{one['sd']:.4f}" for one in initial)])
    table.append(["average wager", *(f"{one['average_total_wager']['decimal']:.4f}" for one in initial)])
    table += [["", *[""] * len(books)], ["One unit gains", *heads]]
    for outcome in OUTCOMES:
        table.append([outcome.replace("_", " "), *(_signed(one["outcomes"][outcome]) for one in books.values())])
    return "\n".join([*rows(table), "", *fold("( ) is an option that is off. The progressive is without its meter.")])


def _edge(figures: dict[str, Any] | None) -> str:
    if figures is None:
        return "-"
    told = percent(figures["house_edge"], 2)
    return told if figures["offered"] else f"({told})"


def _signed(net: str) -> str:
    return net if net.startswith("-") or net == "0" else f"+{net}"


def _short(name: str) -> str:
    """The short name of a book: a house rulebook's path is told by its name, as far as it fits."""
    return name.replace("\\", "/").rpartition("/")[2].removesuffix(".toml")[:9]


def _parse(text: str) -> list[Card]:
    try:
        return [parse_card(part) for part in text.split()]
    except ValueError as error:
        raise click.BadParameter(clip_words(str(error)), param_hint="--cards") from None


def _cards(books: Books, cards: list[Card], choice: str, stake: int) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, rules in books.items():
        try:
            check_cards(rules, cards, choice)
            played = play_cards(name, rules, cards, choice, stake)
        except CardsError as error:
            raise click.BadParameter(str(error), param_hint="--cards") from None
        except RecordError as error:
            raise click.ClickException(str(error)) from None
        told[name] = {"nets": nets(played), "settlements": played["settlements"], "dealt": played["dealt"]}
    return {"cards": cards, "strategy": choice, "stake": stake, "books": told}


def _tell_cards(data: dict[str, Any]) -> str:
    books, cards = data["books"], data["cards"]
    table = [[f"Net, {data['stake']:,} each", *(_short(name) for name in books)]]
    for wager in (*WAGERS, "all"):
        cells = [one["nets"].get(wager) for one in books.values()]
        if any(cell is not None for cell in cells):
            table.append([wager, *("-" if cell is None else f"{cell:+,}" for cell in cells)])
    war = f", war {cards[2]} against {cards[3]}" if len(cards) == 4 else ""
    ending = war or (", surrender" if data["strategy"] == "surrender" and cards[0][0] == cards[1][0] else "")
    return "\n".join([f"{cards[0]} against {cards[1]}{ending}", "", *rows(table)])


class CardsError(ValueError):
    """Cards that do not make a round, and why."""


def check_cards(rules: Rulebook, cards: list[Card], choice: str) -> None:
    """Refuse cards that make no round: two without a war or with a surrender, four for a war."""
    if len(cards) not in (2, 4):
        raise CardsError(f"{len(cards)} cards: name the player's and the dealer's, and for a war the next of each")
    is_tie = rules.ranks[cards[0]] == rules.ranks[cards[1]]
    if is_tie and len(cards) == 2 and choice == "war":
        raise CardsError(f"{cards[0]} and {cards[1]} tie: name the two cards of the war too, or --strategy surrender")
    if len(cards) == 4 and not (is_tie and choice == "war"):
        raise CardsError(f"{cards[0]} and {cards[1]} bring no war: name these two cards alone")


def play_cards(book: str, rules: Rulebook, cards: list[Card], choice: str, stake: int) -> Any:
    """The finished round of the record's result: every wager of the book at this stake, on these cards.

    Burns lie between the cards with faces that nobody saw. The shoe has been opened before.
    """
    first = [kind for kind in FIRST_DEAL if is_offered(rules, kind)]
    second = [kind for kind in WAR_DEAL if is_offered(rules, kind)]
    acts: list[dict[str, Any]] = []
    players = {PLAYER: CHIPS}
    if rules.bank.by == "player":
        players[BANKER] = CHIPS
        acts.append({"do": "accept_bank", "player": BANKER, "box": rules.table.boxes, "stake": CHIPS})
    acts += [_wager(kind, stake) for kind in first]
    acts.append({"do": "deal"})
    if len(cards) == 4:
        acts += [
            {"do": "go_to_war", "player": PLAYER, "box": 1},
            *(_wager(kind, stake) for kind in second),
            {"do": "deal"},
        ]
    elif rules.ranks[cards[0]] == rules.ranks[cards[1]]:
        acts.append({"do": choice, "player": PLAYER, "box": 1})
    record = {
        "format": "casinowar-record/1",
        "rulebook": book,
        "shoe": _shoe(rules, cards),
        "players": players,
        "before": {"shoe_loaded": True},
        "acts": acts,
    }
    told = result(replay(msgspec.structs.replace(parse_record(record), rulebook=rules)))
    if told["refusals"]:
        refused = told["refusals"][0]
        raise CardsError(f"{rules.id} refuses {acts[refused['act']]['do']}: {refused['reason']}")
    return told["rounds"][0]


def _wager(kind: str, stake: int) -> dict[str, Any]:
    return {"do": "place_wager", "player": PLAYER, "box": 1, "wager": kind, "amount": stake}


def _shoe(rules: Rulebook, cards: list[Card]) -> list[str]:
    """The cards in the order in which they leave the shoe, with the burns of this book between them."""
    shoe = ["xx"] * rules.shoe.round_burn
    shoe += cards[:2] if rules.deal.dealer == "last" else cards[1::-1]
    if len(cards) == 4:
        burns, more = ["xx"] * rules.war.burn, ["xx"] * rules.war.burn_before_banker
        mine, theirs = cards[2:]
        shoe += [*burns, mine, *more, theirs] if rules.deal.war_dealer == "last" else [*burns, *more, theirs, mine]
    return shoe


def nets(round_: Any) -> dict[str, int]:
    """The net of each wager, and of all of them together."""
    found = {line["wager"]: line["net"] for line in round_["settlements"] if line["player"] == PLAYER}
    return {kind: found[kind] for kind in WAGERS if kind in found} | {"all": sum(found.values())}
