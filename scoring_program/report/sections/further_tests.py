"""Tests beyond the bootstrap, and comparisons with entries that were named in advance."""

from __future__ import annotations

from ...inference.analysis import ReferenceTest
from ..tables import ResultTable, TableColumn, cell
from ..view import MetricView


def further_tables(view: MetricView) -> tuple[ResultTable, ...]:
    """Return a table of further tests, if there are any, and one table per named entry."""
    tests = _paired_tests(view)
    named = [
        _reference_table(view, test, count)
        for count, test in enumerate(view.analysis.reference_tests, start=1)
    ]
    return (*([tests] if tests else []), *named)


def _paired_tests(view: MetricView) -> ResultTable | None:
    tests, say = view.analysis.paired_tests, view.language.say
    if tests is None:
        return None
    found = {
        key: values
        for key in (
            "randomization_one_sided",
            "randomization_two_sided",
            "mcnemar_exact",
            "mcnemar_mid_p",
        )
        if (values := getattr(tests, key)) is not None
    }
    columns = [
        TableColumn(("entry",), say("differences.entry")),
        *(TableColumn((f"p_{key}",), say(f"further.{key}"), numeric=True) for key in found),
    ]
    if tests.discordant is not None:
        columns.append(TableColumn(("discordant",), say("further.discordant"), numeric=True))
    rows = []
    for i in view.others():
        cells = [cell(view.analysis.names[i])]
        cells += [cell(view.numerals.p(float(p[i])), float(p[i])) for p in found.values()]
        if tests.discordant is not None:
            count = int(tests.discordant[i])
            cells.append(cell(view.numerals.count(count), count))
        rows.append(tuple(cells))
    return ResultTable(
        name=f"tests{view.suffix}",
        caption=say("further.tests", reference=view.reference, metric=view.label),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _reference_table(view: MetricView, test: ReferenceTest, count: int) -> ResultTable:
    say = view.language.say
    columns = (
        TableColumn(("entry",), say("differences.entry")),
        TableColumn(("difference",), say("differences.difference"), numeric=True),
        TableColumn(("p_two_sided",), say("further.p"), numeric=True),
    )
    rows = tuple(
        (
            cell(view.analysis.names[i]),
            cell(view.difference(float(test.observed[i])), float(test.observed[i])),
            cell(view.numerals.p(float(test.p_value[i])), float(test.p_value[i])),
        )
        for i in map(int, view.analysis.order)
        if i != test.reference
    )
    return ResultTable(
        name=f"against_{count}{view.suffix}",
        caption=say("further.against", name=view.names[test.reference], metric=view.label),
        columns=columns,
        rows=rows,
    )
