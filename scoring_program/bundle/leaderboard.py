"""Checks that the keys and the sorting of the leaderboards' columns fit the scores.

Both platforms sort by `sorting`, whatever the numbers mean. Codabench also uses it to choose the
submission that Force_Best keeps, and uses all columns after the first to break ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.errors import listed, nearest
from ..settings.metric_spec import keys_of
from .rehearsal import RehearsalResult

#: How many keys a message lists at most; enough for one submission and four metrics.
_KEYS_SHOWN = 20
#: Which end of a column is the best, the greatest value (True) or the smallest, and why. Both if
#: tasks disagree; empty if neither end is best.
Best = Mapping[bool, str]
#: Best ends of keys that belong to no metric. P-values, times and counts have none.
_BEST: Mapping[str, Best] = {
    "rank": {False: "1 is the best rank"},
    "difference_from_leader": {False: "it is how far behind the leader a submission lies"},
    "distance_from_best": {False: "it is how far below the best a submission may lie"},
    "tied_with_leader": {True: "1 is tied with the leader, 0 is behind"},
}


def problems(
    boards: Sequence[Mapping[str, Any]], tried: Sequence[RehearsalResult]
) -> Iterator[str]:
    """Say which columns would stay empty, and which would show the worst value on top.

    ``tried`` holds at least one rehearsal per task.
    """
    known = _by_key(tried)
    for board in boards:
        columns = sorted(board["columns"], key=lambda item: int(item["index"]))
        for column in columns:
            if "computation" in column:  # the platform computes it from other columns
                yield from _sorting(column, _of_computed(column, columns, known))
            else:
                unwritten = list(_key(column, tried))
                yield from unwritten or _sorting(column, known.get(column["key"], {}))


def _key(column: Mapping[str, Any], tried: Sequence[RehearsalResult]) -> Iterator[str]:
    key, primary = column["key"], not column["index"]
    anywhere = list(dict.fromkeys(written for done in tried for written in done.scores))
    everywhere = [written for written in anywhere if all(written in done.scores for done in tried)]
    possible = everywhere if primary else anywhere
    if key not in possible:
        needed = " for every task, which the first column needs" if key in anywhere else ""
        yield (
            f"leaderboards: the program does not write {key!r}{needed}; use one of "
            f"{listed(possible, _KEYS_SHOWN)}{nearest(key, possible)}"
        )


def _sorting(column: Mapping[str, Any], best: Best) -> Iterator[str]:
    place = f"leaderboards: {column['key']!r}: sorting:"
    if len(best) > 1:
        yield (
            f"{place} neither order fits, because {best[True]} in one task and {best[False]} in "
            "another; give one of the two metrics another 'name'"
        )
        return
    for greatest, why in best.items():
        right, wrong = ("desc", "smallest") if greatest else ("asc", "greatest")
        if column["sorting"] != right:
            yield (
                f"{place} is {column['sorting']}, which puts the {wrong} value on top; must be "
                f"{right}, because {why}"
            )


def _by_key(tried: Sequence[RehearsalResult]) -> dict[str, Best]:
    found: dict[str, dict[bool, str]] = {key: dict(best) for key, best in _BEST.items()}
    for done in tried:
        for metric, greater in done.greater_is_better.items():
            why = f"{'greater' if greater else 'smaller'} values of {metric!r} are better"
            for key in keys_of(metric):
                found.setdefault(key, {})[greater] = why
    return dict(found)


def _of_computed(
    column: Mapping[str, Any], columns: Sequence[Mapping[str, Any]], known: Mapping[str, Best]
) -> Best:
    """Return the best end of a computed column if all columns that it is made from share one.

    Average, sum, minimum and maximum keep the direction.
    """
    indexes = column.get("computation_indexes", ())
    parts = [part for part in columns if part["index"] in indexes]
    if any("computation" in part for part in parts):
        return {}
    ends = {frozenset(known.get(part["key"], {})) for part in parts}
    if len(ends) != 1 or len(end := ends.pop()) != 1:
        return {}
    made_of = listed(repr(part["key"]) for part in parts)
    right = "desc" if end == {True} else "asc"
    return dict.fromkeys(
        end, f"it is the {column['computation']} of {made_of}, which must be {right} too"
    )
