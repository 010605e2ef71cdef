"""What can be typed next: books, editions, clauses, incidents, leaves with their values, wagers, files."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from casinowar.rulebooks import Rulebook

Items = list[CompletionItem]
Suggestion = Callable[[click.Context, click.Parameter, str], Items]

PART = "part"
"""The type of a word that goes on: no space comes behind it."""

ODDS = ("push", "lose", "1:1", "2:1")


def _starting(names: Iterable[str], typed: str, type: str = "plain") -> Items:
    return [CompletionItem(name, type=type) for name in names if name.casefold().startswith(typed.casefold())]


def files(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    return [CompletionItem(typed, type="file")]


def books(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    """Books and house rulebooks by name, with the editions of one that is typed in full; else files."""
    from casinowar.rulebooks.editions import editions_of
    from casinowar.rulebooks.files import own_names
    from casinowar.rulebooks.shelf import book_ids, head_of

    names = {
        name: head.title if (head := head_of(name)) else "a house rulebook" for name in (*book_ids(), *own_names())
    }
    if head_of(name := typed.partition("@")[0].lower()):
        names |= {f"{name}@{edition}": f"edition {edition}" for edition in editions_of(name)[:-1]}
    items = [CompletionItem(name, help=title) for name, title in names.items() if name.startswith(typed.lower())]
    return items or files(ctx, param, typed)


def clauses(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    """Clauses by their ids; before a book is named, the beginnings of ids. Of a house rulebook, its own too."""
    from casinowar.rulebooks import load_clauses, load_rulebook

    house = load_rulebook(ctx.params["book"]).notes if ctx.params.get("book") else ()
    ids = [*load_clauses(), *house]
    if "-" in typed:
        return _starting(ids, typed)
    return _starting(dict.fromkeys(f"{id.partition('-')[0]}-" for id in ids), typed, PART)


def incidents(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    from casinowar.reports.rulings.incidents import BY_SLUG

    begun = typed.lower().replace("_", "-")
    return [CompletionItem(slug, help=one.what) for slug, one in BY_SLUG.items() if slug.startswith(begun)]


def options(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    """The operator's options of the books in question, `KEY=`, and then what each allows."""
    key, is_named, _ = typed.partition("=")
    leaves = [(name, leaf) for rules in _rulebooks(ctx) for name, leaf in rules.leaves.items() if leaf.allowed]
    if not is_named:
        return _starting(dict.fromkeys(f"{name}=" for name, _ in leaves), key, PART)
    values = [value for name, leaf in leaves if name == key for value in _listed(leaf.allowed)]
    return _starting(dict.fromkeys(f"{key}={value}" for value in values), typed)


def leaves(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    """Every leaf, group by group, and then the values that it may have."""
    from casinowar.rulebooks.vocabulary import KEYS

    key, is_named, _ = typed.partition("=")
    if not is_named:
        return _by_group([f"{name}=" for name in KEYS], typed)
    return _starting(dict.fromkeys(f"{key}={value}" for value in _values(ctx, key)), typed)


def solvable(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    """The leaves that can be solved for: odds and whole numbers."""
    from casinowar.odds.solve import is_payout
    from casinowar.rulebooks.vocabulary import KEYS, fits

    return _by_group([key for key in KEYS if is_payout(key) or (fits(key, 1) and not fits(key, True))], typed)


def _by_group(names: list[str], typed: str) -> Items:
    """The names that begin so; as long as that leaves several groups, the groups."""
    begun = [name for name in names if name.startswith(typed)]
    groups = dict.fromkeys(f"{name.partition('.')[0]}." for name in begun)
    if len(groups) > 1:
        return _starting(groups, typed, PART)
    return [CompletionItem(name, type=PART if name.endswith("=") else "plain") for name in begun]


def _values(ctx: click.Context, key: str) -> Iterator[str]:
    """What the leaf is in the books in question, what they allow, and what else it could be."""
    from casinowar.rulebooks.resolve import show
    from casinowar.rulebooks.vocabulary import KEYS, kind

    for rules in _rulebooks(ctx):
        if leaf := rules.leaves.get(key):
            yield show(leaf.value)
            yield from _listed(leaf.allowed)
    of: Any = KEYS.get(key)
    if of is bool:
        yield from ("on", "off")
    elif get_origin(of) is Literal:
        yield from map(str, get_args(of))
    elif of is not None and kind(key).startswith("odds"):
        yield from ODDS


def _listed(allowed: str | None) -> list[str]:
    """The values that a leaf allows, where they are a list and no range or kind of text."""
    parts = (allowed or "").split(", ")
    return [] if any(" " in part or not part for part in parts) else parts


def wagers(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    return _starting(_wagers(ctx), typed)


def wager_list(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    """Wagers with commas between them: each once."""
    before, _, last = typed.rpartition(",")
    head = f"{before}," if before else ""
    taken = {one.partition(":")[0] for one in before.split(",")}
    return _starting([head + wager for wager in _wagers(ctx) if wager not in taken], head + last)


def strategies(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    """The answers to a tie, and for each side wager whether it is placed."""
    wager, is_named, _ = typed.partition("=")
    if not is_named:
        sides = [f"{one}=" for one in _wagers(ctx) if one != "initial"]
        return [*_starting(("war", "surrender", "best"), typed), *_starting(sides, typed, PART)]
    return [*_starting((f"{wager}=never", f"{wager}=always"), typed), *_starting((f"{wager}=count:",), typed, PART)]


def precisions(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    return _starting(["se=", *(f"{wager}.se=" for wager in _wagers(ctx))], typed, PART)


def rulings(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    return _starting(("dry_shoe=shuffle_discards", "dry_shoe=void"), typed)


def roles(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    from casinowar.engine.roles import GRANTED

    return _starting(GRANTED, typed)


def limits(ctx: click.Context, param: click.Parameter, typed: str) -> Items:
    from casinowar.web.http.limits import Limits

    return _starting((f"{name}=" for name in Limits.__struct_fields__), typed, PART)


def _wagers(ctx: click.Context) -> list[str]:
    from casinowar.odds.data import wagers_held

    return list(dict.fromkeys(wager for rules in _rulebooks(ctx) for wager in wagers_held(rules)))


def _rulebooks(ctx: click.Context) -> "list[Rulebook]":
    """The books that the line names, with the options that it sets so far; where it names none, every book."""
    from casinowar.cli.terminal.key_values import parse_settings
    from casinowar.rulebooks import load_with, sound_books

    named = ctx.params.get("books") or ctx.params.get("book") or sound_books()
    names = (named,) if isinstance(named, str) else tuple(named)
    texts = [*(ctx.params.get("options") or ()), *(ctx.params.get("settings") or ())]
    try:
        return [load_with(name, parse_settings(texts)) for name in names]
    except (ValueError, click.ClickException):
        return [load_with(name, {}) for name in names]
