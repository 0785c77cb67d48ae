"""How competitive a competition was: the measures of the papers, in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ...reading.formats.kind import ROWS
from ..language import Language
from ..numbers import MISSING, Numerals
from ..tables import Cell, ResultTable, TableColumn, cell
from ..view import MetricView
from .section import Passage, Section


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the measures where there are several entries."""
    say = views[0].language.say
    if len(views[0].result.names) > 1:
        table = competitiveness_table(views)
        content = Passage(caption=say("competitiveness.caption"), table=table)
        yield Section("competitiveness", say("competitiveness.heading"), content, tables=(table,))


def competitiveness_measures(
    language: Language, *, kinds: Collection[str] = (ROWS,), bounded: bool = True
) -> tuple[tuple[str, str], ...]:
    """Return (key, heading) of every measure of competitiveness in the order of the papers.

    ``kinds`` are those of the examples, which n counts. Unless all metrics are ``bounded``, PPI may
    be an error in the metric's own units.
    """
    say = language.say
    (kind, *more) = sorted({language.kind(kind) for kind in kinds})
    examples = say("competitiveness.examples" if more else f"kinds.{kind}.name")
    measures = [
        ("n", say("competitiveness.n", examples=examples)),
        ("m", say("competitiveness.m")),
    ]
    for family in ("ties_with_winner", "possible_comparisons", "ties_between_competitors"):
        if family == "possible_comparisons":
            measures.append((family, say(f"competitiveness.{family}")))
            continue
        measures += [
            (
                f"{family}.{correction}",
                say(f"competitiveness.{family}", correction=say(f"corrections.{correction}")),
            )
            for correction in ("none", "bonferroni", "holm", "fdr_bh")
        ]
    measures += [
        (key, say(f"competitiveness.{key}")) for key in ("winner_minus_median", "cv_percent")
    ]
    ppi = "ppi_percent" if bounded else "ppi_unbounded"
    return (*measures, ("ppi_percent", say(f"competitiveness.{ppi}")))


def competitiveness_cell(
    numerals: Numerals, key: str, value: float | int | None, decimals: int
) -> Cell:
    """Return the cell of one measure: counts whole, percentages with two decimals."""
    if value is None or not math.isfinite(value):
        return cell(MISSING, None)
    if key == "winner_minus_median":
        return cell(numerals.fixed(float(value), decimals), float(value))
    if key.endswith("_percent"):
        return cell(numerals.fixed(float(value), 2), float(value))
    return cell(numerals.count(int(value)), int(value))


def competitiveness_table(views: Sequence[MetricView]) -> ResultTable:
    """Return the measures of competitiveness, one column per metric."""
    language = views[0].language
    rows = []
    bounded = all(math.isfinite(view.metric.high - view.metric.low) for view in views)
    kinds = (views[0].result.kind,)
    for key, heading in competitiveness_measures(language, kinds=kinds, bounded=bounded):
        cells = [cell(heading, key)]
        for view in views:
            field, _, correction = key.partition(".")
            value: Any = getattr(view.analysis.competitiveness, field)
            value = value.get(correction) if correction else value
            cells.append(competitiveness_cell(view.numerals, key, value, view.decimals))
        rows.append(tuple(cells))
    return ResultTable(
        name="competitiveness",
        caption=language.say("tables.competitiveness"),
        columns=(
            TableColumn(("measure",), language.say("competitiveness.measure")),
            *(TableColumn((view.metric.name,), view.label, numeric=True) for view in views),
        ),
        rows=tuple(rows),
    )
