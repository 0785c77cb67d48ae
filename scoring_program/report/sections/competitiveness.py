"""How close the competition was: the measures of competitiveness of the papers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from ...core.phrases import MISSING, THINGS, Language, gettext_noop
from ...document.blocks import Cell, ResultTable, Section, TableColumn, cell, passage
from ...reading.formats.kind import ROWS
from ..results_json import flat
from ..view import CORRECTIONS, FilledColumn, MetricView, Writer

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
) -> Iterator[tuple[str, str]]:
    """Yield (key, heading) of every measure of competitiveness in the order of the papers.

    ``kinds`` are those of the examples, which n counts. Unless all metrics are ``bounded``, PPI may
    be an error in the metric's own units.
    """
    say = language.say
    (kind, *more) = sorted({language.known(kind) for kind in kinds})
    examples = say("Examples or units") if more else say(THINGS[kind].heading)
    yield "n", say("{examples}, n", examples=examples)
    yield "m", say("Entries, m")
    for key, heading in _MEASURES.items():
        if "{correction}" in heading:
            for correction, word in CORRECTIONS.items():
                yield f"{key}.{correction}", say(heading, correction=say(word))
        elif key not in ("ppi_percent", "ppi_unbounded"):
            yield key, say(heading)
    ppi = "ppi_percent" if bounded else "ppi_unbounded"
    yield "ppi_percent", say(_MEASURES[ppi])


def measure_cell(writer: Writer, key: str, value: float | int | None) -> Cell:
    """Return the cell of one measure: counts whole, percentages with two decimals."""
    if value is None or not math.isfinite(value):
        return cell(MISSING, None)
    if key == "winner_minus_median" or key.endswith("_percent"):
        decimals = writer.decimals if key == "winner_minus_median" else 2
        return cell(writer.numerals.fixed(float(value), decimals), float(value))
    return cell(writer.count(int(value)), int(value))


def measures_column(writer: Writer) -> FilledColumn:
    """Return what heads the rows of a table of measures, which are given as (key, heading)."""
    return TableColumn(("measure",), writer.say("Measure")), lambda one: cell(one[1], one[0])


def competitiveness_table(views: Sequence[MetricView]) -> ResultTable:
    """Return the measures of competitiveness, one column per metric."""
    first = views[0]
    bounded = all(math.isfinite(view.metric.high - view.metric.low) for view in views)

    def column(view: MetricView) -> FilledColumn:
        found = dict(flat(vars(view.evidence.competitiveness), "."))
        heading = TableColumn((view.metric.name,), view.label, numeric=True)
        return heading, lambda one: measure_cell(view, one[0], found.get(one[0]))

    return first.table(
        "competitiveness",
        first.say("Competitiveness of the competition."),
        competitiveness_measures(first.language, kinds=(first.kind,), bounded=bounded),
        (measures_column(first), *map(column, views)),
    )
