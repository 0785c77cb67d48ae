"""What the page's script reads: every pair of entries, and the orders of the rows of tables.

The script judges and computes nothing: what it says of a pair is written here, from the verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...document.take_away import CellValue, ResultTable
from ...inference.evidence import Pairs
from ..view import MetricView, Views
from .all_metrics import all_metrics_table
from .differences import judged, pair_p, title_of
from .entry_cards import folded
from .ranking import ranking_table

#: Above this many entries, the page holds the pairs with the leader only.
_MOST = 100
#: What may be said of a pair, by its number: whether it is separated, and whether the verdict says
#: so rather than p.
_SENTENCES = ((False, False), (False, True), (True, False), (True, True))


def read_by_script(views: Views) -> Mapping[str, Any]:
    """Return the words, the pairs and the orders of rows, as JSON can hold them."""
    view = views[0]
    say = view.say
    pairs = view.evidence.pairs
    m = len(view.evidence.names)
    return {
        "words": {
            "compare": say("Compare two entries"),
            "first": say("First entry"),
            "second": say("Second entry"),
            "same": say("Choose two different entries."),
            "search": say("Search for an entry"),
            "found": say("Entries found: {count} of {m}", count="{count}", m=view.count(m)),
            "sort": say("Sort by"),
            "reverse": say("Reverse the order"),
        },
        "pairs": None if pairs is None or m == 1 else _pairs(view, pairs),
        "tables": [] if m == 1 else list(_tables(views)),
    }


def _pairs(view: MetricView, pairs: Pairs) -> Mapping[str, Any]:
    """Return the pairs, of many entries those with the leader only, with what is said of them."""
    say = view.say
    order = view.order
    place = np.argsort(view.order)
    correction, p = pair_p(view, pairs)
    separated, by_verdict = judged(view, pairs, p)
    better = place[pairs.better].tolist()
    worse = place[pairs.worse].tolist()
    leader = int(place[view.scores.leader])
    many = len(order) > _MOST
    pairs_on_page = [k for k in range(len(better)) if not many or leader in (better[k], worse[k])]
    values = {name: f"{{{name}}}" for name in ("better", "worse", "difference", "p")}
    every = list(range(len(order)))
    sentence_of = {
        False: say(
            "The test set does not separate {better} and {worse}: either of the two may be better.",
            **values,
        ),
        True: say(
            "The test set separates the two: {better} is shown to be better than {worse}."
            if view.names_winners and not view.serious
            else "The tests separate the two, with {better} ahead of {worse}, but without a stated "
            "confidence.",
            **values,
        ),
    }
    alone = say(
        "The {confidence} interval of this difference alone is {interval}. The p-value is "
        "one-sided, {correction}.",
        interval="{interval}",
        correction=correction,
    )
    count = view.count(_MOST)
    note = say("Above {count} entries, a page holds the pairs with the leader only.", count=count)
    return {
        "names": [view.names[i] for i in order],
        "firsts": [leader] if many else every,
        "seconds": every,
        "alone": alone,
        "said": [
            (sentence_of[is_separated], title_of(view, by_verdict=implied, **values))
            for is_separated, implied in _SENTENCES
        ],
        "among": [
            (
                better[k],
                worse[k],
                _SENTENCES.index((bool(separated[k]), bool(by_verdict[k]))),
                view.difference(float(pairs.observed[k])),
                view.numerals.p(float(p[k])),
                view.interval(float(pairs.low[k]), float(pairs.high[k])),
            )
            for k in pairs_on_page
        ],
        "note": note if many else "",
    }


def _tables(views: Views) -> Iterator[Mapping[str, Any]]:
    """Yield where the tables stand on the page, the ranking first, and the orders of their rows."""
    first, *further = views
    better = first.metric.greater_is_better
    yield _table("#ranking .ranking", ranking_table(first), {"score": better})
    table = all_metrics_table(views) if further else None
    if table is not None:
        falling = {view.metric.name: view.metric.greater_is_better for view in views}
        yield _table("#overview table", table, falling)


def _table(selector: str, table: ResultTable, falling: Mapping[str, bool]) -> Mapping[str, Any]:
    """Return the orders of a table's rows, first that in which they stand.

    Columns with ``falling`` values start with the largest.
    """
    columns = []
    for number, place in enumerate(table.page_columns):
        keys = table.columns[place].keys
        heading = table.columns[place].heading
        if keys:
            down = falling.get(keys[0], False)
            by = [_key(row[place].values, down=down) for row in table.rows]
            order = sorted(range(len(by)), key=by.__getitem__)
            columns.append(
                {"heading": heading, "column": number, "order": order, "ascending": not down}
            )
    columns.sort(key=lambda column: column["order"] != list(range(len(table.rows))))
    return {"selector": selector, "columns": columns}


def _key(values: tuple[CellValue, ...], *, down: bool) -> tuple[Any, ...]:
    """Return what sorts a row: a text without case and accents, or numbers, missing ones last."""
    first = values[0]
    if isinstance(first, str):
        return (folded(first), first)
    is_number = first is not None and not math.isnan(first)
    sign = -1 if down else 1
    return (not is_number, *(sign * (value or 0) for value in values if not isinstance(value, str)))
