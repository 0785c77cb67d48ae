"""Tests beyond the bootstrap, and comparisons with entries that were named in advance."""

from __future__ import annotations

from ..inference.analysis import ReferenceTest
from .reader import Reader
from .table import Column, Table, cell


def further_tables(reader: Reader) -> tuple[Table, ...]:
    """Return a table of further tests where there are any, and one a baseline or named entry."""
    tests = _paired_tests(reader)
    named = [
        _reference_table(reader, test, count)
        for count, test in enumerate(reader.a.reference_tests, start=1)
    ]
    return (*([tests] if tests else []), *named)


def _paired_tests(reader: Reader) -> Table | None:
    tests, say = reader.a.paired_tests, reader.language.say
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
        Column(("entry",), say("differences.entry")),
        *(Column((f"p_{key}",), say(f"further.{key}"), numeric=True) for key in found),
    ]
    if tests.discordant is not None:
        columns.append(Column(("discordant",), say("further.discordant"), numeric=True))
    rows = []
    for i in reader.others():
        cells = [cell(reader.inputs.entries[i])]
        cells += [cell(reader.numerals.p(float(p[i])), float(p[i])) for p in found.values()]
        if tests.discordant is not None:
            count = int(tests.discordant[i])
            cells.append(cell(reader.numerals.count(count), count))
        rows.append(tuple(cells))
    return Table(
        name=f"tests{reader.suffix}",
        caption=say("further.tests", reference=reader.reference, metric=reader.label),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _reference_table(reader: Reader, test: ReferenceTest, count: int) -> Table:
    say = reader.language.say
    columns = (
        Column(("entry",), say("differences.entry")),
        Column(("difference",), say("differences.difference"), numeric=True),
        Column(("p_two_sided",), say("further.p"), numeric=True),
    )
    rows = tuple(
        (
            cell(reader.inputs.entries[i]),
            cell(reader.difference(float(test.observed[i])), float(test.observed[i])),
            cell(reader.numerals.p(float(test.p_value[i])), float(test.p_value[i])),
        )
        for i in map(int, reader.a.order)
        if i != test.reference
    )
    return Table(
        name=f"against_{count}{reader.suffix}",
        caption=say("further.against", name=reader.names[test.reference], metric=reader.label),
        columns=columns,
        rows=rows,
    )
