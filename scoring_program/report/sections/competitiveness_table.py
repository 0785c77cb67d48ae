"""How competitive a competition was: the measures of the papers, in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ...core.phrases import MISSING, THINGS, Language, Numerals, gettext_noop
from ...document.blocks import Cell, ResultTable, Section, TableColumn, cell, passage
from ...reading.formats.kind import ROWS
from ..view import CORRECTIONS, MetricView

#: What the measures are called.
_MEASURES = {
    "ties_with_winner": gettext_noop("Ties with the winner, {correction}"),
    "possible_comparisons": gettext_noop("Possible comparisons"),
    "ties_between_competitors": gettext_noop("Ties between competitors, {correction}"),
    "winner_minus_median": gettext_noop("Winner − median"),
    "cv_percent": gettext_noop("Coefficient of variation, CV (%)"),
    "ppi_percent": gettext_noop("Possible improvement, PPI (%)"),
    "ppi_unbounded": gettext_noop(
        "Possible improvement, PPI (% of the range; without a range, the winner's error)"
    ),
}
#: Whose measures they are, and how to read them.
CAPTION = gettext_noop(
    "These are the measures of Nava-Muñoz, Graff and Escalante (2024). Many ties, a small distance "
    "from winner to median, a small CV and a small PPI mean a close competition. A small PPI also "
    "means that little room is left for improvement. For an error metric without an upper bound, "
    "PPI is the winner's own error."
)


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the measures where there are several entries."""
    say = views[0].language.say
    if len(views[0].result.names) > 1:
        table = competitiveness_table(views)
        blocks = passage(caption=say(CAPTION), table=table)
        yield Section("competitiveness", say("How close was it?"), blocks)


def competitiveness_measures(
    language: Language, *, kinds: Collection[str] = (ROWS,), bounded: bool = True
) -> tuple[tuple[str, str], ...]:
    """Return (key, heading) of every measure of competitiveness in the order of the papers.

    ``kinds`` are those of the examples, which n counts. Unless all metrics are ``bounded``, PPI may
    be an error in the metric's own units.
    """
    say = language.say
    (kind, *more) = sorted({language.known(kind) for kind in kinds})
    examples = say("Examples or units") if more else say(THINGS[kind].heading)
    measures = [("n", say("{examples}, n", examples=examples)), ("m", say("Entries, m"))]
    for key, heading in _MEASURES.items():
        if "{correction}" in heading:
            measures += [
                (f"{key}.{correction}", say(heading, correction=say(word)))
                for correction, word in CORRECTIONS.items()
            ]
        elif key not in ("ppi_percent", "ppi_unbounded"):
            measures.append((key, say(heading)))
    ppi = "ppi_percent" if bounded else "ppi_unbounded"
    return (*measures, ("ppi_percent", say(_MEASURES[ppi])))


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
            value: Any = getattr(view.evidence.competitiveness, field)
            value = value.get(correction) if correction else value
            cells.append(competitiveness_cell(view.numerals, key, value, view.decimals))
        rows.append(tuple(cells))
    return ResultTable(
        name="competitiveness",
        caption=language.say("Competitiveness of the competition."),
        columns=(
            TableColumn(("measure",), language.say("Measure")),
            *(TableColumn((view.metric.name,), view.label, numeric=True) for view in views),
        ),
        rows=tuple(rows),
    )
