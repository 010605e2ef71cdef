"""The shoes of a table compared with an earlier list, and in sum: how many were voided, and by whom."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

UNNAMED = "nobody who is named"
"""The name for who voided a shoe of an older program."""

UNNUMBERED = "written by an older program, as the house says; whether each reached its cutting card was not checked"


class Earlier(NamedTuple):
    """The earlier list: the shoes of a table, and the last checkpoint of its house where there was one."""

    shoes: Sequence[dict[str, Any]] = ()
    checkpoint: dict[str, Any] | None = None


def read_earlier(text: str) -> Earlier:
    """The earlier list, from a verdict or a server's list that was kept."""
    data = json.loads(text)
    shoes = data.get("shoes") if isinstance(data, dict) else data
    if not isinstance(shoes, list) or not all(isinstance(one, dict) for one in shoes):
        raise ValueError("is neither what --json prints nor a list of shoes")
    for one in shoes:
        if not all(isinstance(one.get(field), str) for field in ("shoe", "commitment", "fate")):
            raise ValueError("has a shoe without its name, commitment or fate")
    return Earlier(shoes, _checkpoint(data.get("checkpoint") if isinstance(data, dict) else None))


def _checkpoint(kept: Any) -> dict[str, Any] | None:
    if kept is None:
        return None
    if not isinstance(kept, dict) or not isinstance(kept.get("number"), int):
        raise ValueError("has a checkpoint without its number")
    return kept


def find_changes(seen: Sequence[dict[str, Any]], checked: Sequence[dict[str, Any]]) -> list[str]:
    """The shoes of the earlier list that are gone or changed now; their places count as well."""
    said = []
    for at, one in enumerate(seen):
        now = checked[at] if at < len(checked) else None
        if now is None or now["commitment"] != one["commitment"]:
            said.append(f"shoe {one['shoe']} with the commitment {one['commitment']} was number {at + 1}, and is gone")
        else:
            said += _changes(one, now)
    return said


def _changes(one: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """The changes of one shoe. An older program kept neither the seal nor how many cards were out."""
    name, seal, out = one["shoe"], one.get("seal"), one.get("out")
    if one["fate"] != "running" and any(one.get(field) != now[field] for field in ("fate", "reason")):
        yield f"shoe {name} was {_fate(one)}, and is called {_fate(now)}"
    if seal is not None and seal != now["seal"]:
        yield f"shoe {name} was sealed as {seal}, and " + (
            f"its seal is {now['seal']} now" if now["seal"] else "is not now"
        )
    if isinstance(out, int) and out > now["out"]:
        yield f"of shoe {name} {out} cards were out, and now only {now['out']}"


def _fate(one: dict[str, Any]) -> str:
    return f"{one['fate']} ({one['reason']})" if one.get("reason") else str(one["fate"])


def sum_up(checked: Sequence[dict[str, Any]]) -> dict[str, Any]:
    fates = Counter(one["fate"] for one in checked)
    by = Counter(one["by"] or UNNAMED for one in checked if one["fate"] == "voided")
    told = {fate: fates[fate] for fate in ("finished", "voided", "running")}
    return {**told, "voided_by": dict(by), "unnumbered": sum(one["number"] is None for one in checked)}


def summary_lines(summary: dict[str, Any]) -> list[str]:
    """The summary in a line or two, where there are several shoes."""
    counts = {fate: summary[fate] for fate in ("finished", "voided", "running") if summary[fate]}
    if sum(counts.values()) < 2:
        return []
    by = ", ".join(f"{count} by {who}" for who, count in summary["voided_by"].items())
    parts = [f"{count} {fate}" + (f" ({by})" if fate == "voided" else "") for fate, count in counts.items()]
    told = [f"  note: {sum(counts.values())} shoes: {', '.join(parts)}"]
    return [*told, f"  note: {summary['unnumbered']} without a number: {UNNUMBERED}"] if summary["unnumbered"] else told
