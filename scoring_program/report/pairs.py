"""All pairs: a triangle for few entries, a map with counts for many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Floats, Ints
from ..inference.analysis import MetricAnalysis
from . import drawing as draw
from .reader import FEW, Reader
from .table import Column, Table, Value, cell

#: Up to so many entries the cells of the triangle hold numbers beside the marks.
_NUMBERS_IN_PAIRS = 12
_MARK_LEVELS = (0.1, 0.05, 0.01, 0.001)
_MARKS = ("", "†", "*", "**", "***")


@dataclass(frozen=True)
class PairCell:
    """One pair: its difference (where there is room), its mark and everything else as a tooltip."""

    difference: str
    mark: str
    shade: int
    title: str


@dataclass(frozen=True)
class PairRow:
    """The comparisons of one entry with the entries above it; ``blank`` columns are left."""

    rank: str
    name: str
    cells: tuple[PairCell, ...]
    blank: int


@dataclass(frozen=True)
class PairsPart:
    """All pairs: ``rows`` of a triangle for few entries, ``counts`` for many; the map for both.

    The counts say from how many entries each is separated.
    """

    caption: str
    legend: str
    columns: tuple[str, ...]
    rows: tuple[PairRow, ...]
    map: draw.Matrix
    counts: Table | None


def pairs_of(reader: Reader) -> PairsPart:
    """Return all pairs: a triangle of cells for few entries, counts for many, and the map."""
    say, m = reader.language.say, len(reader.inputs.entries)
    marks = [reader.marks[int(i)] for i in reader.a.order]
    words, p = reader.pair_p()
    number, grid = _pair_grid(reader)
    few = m <= FEW
    return PairsPart(
        caption=say("pairs.caption" if few else "pairs.caption_map", metric=reader.label),
        legend=" ".join(_legend(reader, words)),
        columns=tuple(marks[:-1]) if few else (),
        rows=_triangle(reader, number, grid, p) if few else (),
        map=_pair_map(reader, grid),
        counts=None if few else _pair_counts(reader, grid),
    )


def _legend(reader: Reader, correction: str) -> Iterator[str]:
    """Say what the marks mean, and what stands for an entry without a rank of its own."""
    say = reader.language.say
    shades = reversed(reader.language.strings["pairs"]["shades"])
    # A level stays beside its mark.
    marks = ", ".join(shade.replace(" ", "\N{NO-BREAK SPACE}") for shade in shades)
    yield say("pairs.legend", marks=marks, correction=correction)
    ranked = [reader.rank(i) for i in range(len(reader.marks)) if i not in reader.a.baselines]
    if len(set(ranked)) < len(ranked):
        yield say("pairs.shared")
    if reader.a.baselines:
        yield say("pairs.baselines")


def _triangle(reader: Reader, number: Ints, grid: Ints, p: Floats) -> tuple[PairRow, ...]:
    """Return one row an entry but the best, one cell a better entry; see `_pair_grid`."""
    a, entries = reader.a, reader.inputs.entries
    rows = []
    for row in range(1, len(entries)):
        cells = []
        for column in range(row):
            k, shade = int(number[row, column]), int(grid[row, column])
            observed = float(a.pairs.observed[k])
            title = reader.language.say(
                "pairs.cell",
                better=reader.names[int(a.pairs.better[k])],
                worse=reader.names[int(a.pairs.worse[k])],
                difference=reader.difference(observed),
                interval=reader.interval(float(a.pairs.low[k]), float(a.pairs.high[k])),
                p=reader.numerals.p(float(p[k])),
            )
            shown = reader.score(observed) if len(entries) <= _NUMBERS_IN_PAIRS else ""
            cells.append(PairCell(shown, _MARKS[shade], shade, title))
        entry = int(a.order[row])
        blank = len(entries) - 1 - row
        rows.append(PairRow(reader.marks[entry], entries[entry], tuple(cells), blank))
    return tuple(rows)


def _shades(p: Floats) -> Ints:
    """Return 0 for no mark up to 4 for three stars."""
    return np.asarray(np.sum([p < level for level in _MARK_LEVELS], axis=0), dtype=np.intp)


def _pair_grid(reader: Reader) -> tuple[Ints, Ints]:
    """Return each pair's number and shade [m, m] below the diagonal, by place in the order."""
    a = reader.a
    m = len(a.order)
    place = np.empty(m, dtype=np.intp)
    place[a.order] = np.arange(m)
    upper, lower = place[a.pairs.better], place[a.pairs.worse]
    number = np.full((m, m), -1, dtype=np.intp)
    number[np.maximum(upper, lower), np.minimum(upper, lower)] = np.arange(len(upper))
    shades = _shades(reader.pair_p()[1])
    grid = np.where(number >= 0, shades[number] if len(shades) else 0, 0)
    return number, grid


def _pair_map(reader: Reader, grid: Ints) -> draw.Matrix:
    """Return the map of all pairs: the shade of a cell says how sure the difference is."""
    say = reader.language.say
    order = [int(i) for i in reader.a.order]
    m, few = len(order), len(order) <= FEW
    marks = [reader.marks[i] for i in order]
    return draw.matrix(
        f"pairs-{reader.index + 1}",
        f"{say('pairs.heading')} · {reader.label}",
        say(
            "pairs.description",
            pairs=reader.language.count("counted.pairs", m * (m - 1) // 2),
            separated=reader.numerals.count(int((grid >= 2).sum())),
        ),
        grid,
        tuple(reader.language.strings["pairs"]["shades"]),
        [f"{reader.names_beside[i]} {reader.marks[i]}" for i in order] if few else marks,
        marks,
        column_label=say("pairs.column"),
        few=few,
        triangle=True,
        symbols=_MARKS,
    )


def _pair_counts(reader: Reader, grid: Ints) -> Table:
    """Count for every entry, best first, from how many it is separated at p < .05."""
    separated = grid >= 2
    below, above = separated.sum(axis=0), separated.sum(axis=1)
    say, count, m = reader.language.say, reader.numerals.count, len(grid)
    return Table(
        name=f"pairwise{reader.suffix}",
        caption=say("tables.pairwise_counts", metric=reader.label),
        columns=(
            Column(("rank",), say("ranking.rank"), numeric=True),
            Column(("entry",), say("ranking.entry")),
            *(
                Column((key,), say(f"pairs.{key}"), numeric=True)
                for key in ("better_than", "worse_than", "not_separated")
            ),
        ),
        rows=tuple(
            (
                cell(reader.marks[entry]),
                cell(reader.inputs.entries[entry]),
                cell(count(int(below[place]))),
                cell(count(int(above[place]))),
                cell(count(int(m - 1 - below[place] - above[place]))),
            )
            for place, entry in enumerate(map(int, reader.a.order))
        ),
    )


def pairwise_table(reader: Reader, part: PairsPart) -> Table:
    """All pairs: in a paper a triangle (or, for many entries, counts), for machines a list."""
    say, records = reader.language.say, _pair_records(reader.a, reader.inputs.entries)
    if part.counts is not None:
        return replace(part.counts, note=part.legend, records=records)
    blank = cell("")
    return Table(
        name=f"pairwise{reader.suffix}",
        caption=say("tables.pairwise", metric=reader.label),
        columns=(
            Column(("rank",), say("ranking.rank"), numeric=True),
            Column(("entry",), say("ranking.entry")),
            *(Column((column,), column, numeric=True) for column in part.columns),
        ),
        rows=tuple(
            (
                cell(row.rank),
                cell(row.name),
                *(cell(f"{item.difference}{item.mark}" or "·") for item in row.cells),
                *(blank for _ in range(len(part.columns) - len(row.cells))),
            )
            for row in part.rows
        ),
        note=part.legend,
        records=records,
    )


def _pair_records(a: MetricAnalysis, entries: Sequence[str]) -> tuple[tuple[Value, ...], ...]:
    """Return every pair as one record, its header first."""
    pairs = a.pairs
    adjusted = pairs.p_adjusted.get("all", {})
    header = ("better", "worse", "difference", "ci_low", "ci_high", "p_one_sided")
    columns = [
        [entries[i] for i in pairs.better.tolist()],
        [entries[i] for i in pairs.worse.tolist()],
        *(
            values.tolist()
            for values in (
                pairs.observed,
                pairs.low,
                pairs.high,
                pairs.p_one_sided,
                *adjusted.values(),
                pairs.p_max_t,
            )
        ),
    ]
    names = (*header, *(f"p_{key}" for key in adjusted), "p_max_t")
    return (names, *zip(*columns, strict=True))
