"""All pairs: a triangle for few entries, a map with counts for many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import Floats, Ints
from ...inference.analysis import MetricAnalysis
from .. import drawing as draw
from ..tables import CellValue, ResultTable, TableColumn, cell
from ..view import FEW, MetricView
from .excerpts import table_excerpt

#: Up to this many entries, the cells of the triangle hold numbers as well as marks.
_NUMBERS_IN_PAIRS = 12
_MARK_LEVELS = (0.1, 0.05, 0.01, 0.001)
_MARKS = ("", "†", "*", "**", "***")


@dataclass(frozen=True)
class PairCell:
    """One pair: its difference (if there is room), its mark, and a tooltip with the rest."""

    difference: str
    mark: str
    shade: int
    title: str


@dataclass(frozen=True)
class ShownPair:
    """The comparisons of one entry with the entries above it; ``blank`` columns stay empty."""

    rank: str
    name: str
    cells: tuple[PairCell, ...]
    blank: int


@dataclass(frozen=True)
class PairsSection:
    """All pairs: ``rows`` of a triangle for few entries, ``counts`` for many; the map for both.

    The counts say from how many entries each is separated.
    """

    caption: str
    legend: str
    columns: tuple[str, ...]
    rows: tuple[ShownPair, ...]
    map: draw.Matrix
    counts: ResultTable | None
    counts_excerpt: ResultTable | None  # what the page shows of them


def pairs_of(view: MetricView) -> PairsSection:
    """Return all pairs: a triangle of cells for few entries, counts for many, and the map."""
    say, m = view.language.say, len(view.analysis.names)
    marks = [view.marks[int(i)] for i in view.analysis.order]
    words, p = view.pair_p()
    number, grid = _pair_grid(view)
    few = m <= FEW
    counts = None if few else _pair_counts(view, grid)
    return PairsSection(
        caption=say("pairs.caption" if few else "pairs.caption_map"),
        legend=" ".join(_legend(view, words)),
        columns=tuple(marks[:-1]) if few else (),
        rows=_triangle(view, number, grid, p) if few else (),
        map=_pair_map(view, grid),
        counts=counts,
        counts_excerpt=None if counts is None else table_excerpt(view, counts),
    )


def _legend(view: MetricView, correction: str) -> Iterator[str]:
    """Say what the marks mean, and how entries without a rank of their own are labeled."""
    say = view.language.say
    shades = reversed(view.language.strings["pairs"]["shades"])
    # A level stays on the line of its mark.
    marks = view.language.joined([shade.replace(" ", "\N{NO-BREAK SPACE}") for shade in shades])
    yield say("pairs.legend", marks=marks, correction=correction)
    ranked = [view.rank(i) for i in range(len(view.marks)) if i not in view.analysis.baselines]
    if len(set(ranked)) < len(ranked):
        yield say("pairs.shared")
    if view.analysis.baselines:
        yield say("pairs.baselines")


def _triangle(view: MetricView, number: Ints, grid: Ints, p: Floats) -> tuple[ShownPair, ...]:
    """Return one row per entry except the best, with one cell per better entry."""
    analysis, entries = view.analysis, view.analysis.names
    rows = []
    for row in range(1, len(entries)):
        cells = []
        for column in range(row):
            pair, shade = int(number[row, column]), int(grid[row, column])
            observed = float(analysis.pairs.observed[pair])
            title = view.language.say(
                "pairs.cell",
                better=view.names[int(analysis.pairs.better[pair])],
                worse=view.names[int(analysis.pairs.worse[pair])],
                difference=view.difference(observed),
                p=view.numerals.p(float(p[pair])),
            )
            shown = view.score(observed) if len(entries) <= _NUMBERS_IN_PAIRS else ""
            cells.append(PairCell(shown, _MARKS[shade], shade, title))
        entry = int(analysis.order[row])
        blank = len(entries) - 1 - row
        rows.append(ShownPair(view.marks[entry], entries[entry], tuple(cells), blank))
    return tuple(rows)


def _shades(p: Floats) -> Ints:
    """Return 0 for no mark up to 4 for three stars."""
    return np.asarray(np.sum([p < level for level in _MARK_LEVELS], axis=0), dtype=np.intp)


def _pair_grid(view: MetricView) -> tuple[Ints, Ints]:
    """Return each pair's number and shade [m, m] below the diagonal, by place in the order."""
    analysis = view.analysis
    m = len(analysis.order)
    place = np.empty(m, dtype=np.intp)
    place[analysis.order] = np.arange(m)
    upper, lower = place[analysis.pairs.better], place[analysis.pairs.worse]
    number = np.full((m, m), -1, dtype=np.intp)
    number[np.maximum(upper, lower), np.minimum(upper, lower)] = np.arange(len(upper))
    shades = _shades(view.pair_p()[1])
    grid = np.where(number >= 0, shades[number] if len(shades) else 0, 0)
    return number, grid


def _pair_map(view: MetricView, grid: Ints) -> draw.Matrix:
    """Return the map of all pairs: the shade of a cell says how sure the difference is."""
    say = view.language.say
    order = [int(i) for i in view.analysis.order]
    m, few = len(order), len(order) <= FEW
    marks = [view.marks[i] for i in order]
    return draw.matrix(
        draw.Heading(
            f"pairs-{view.index + 1}",
            f"{say('pairs.heading')} · {view.label}",
            say(
                "pairs.description",
                pairs=view.language.count("counted.pairs", m * (m - 1) // 2),
                separated=view.numerals.count(int((grid >= 2).sum())),
            ),
        ),
        grid,
        draw.GridLabels(
            [f"{view.short_names[i]} {view.marks[i]}" for i in order] if few else marks,
            marks,
            say("pairs.column"),
            tuple(view.language.strings["pairs"]["shades"]),
        ),
        few=few,
        triangle=True,
        symbols=_MARKS,
    )


def _pair_counts(view: MetricView, grid: Ints) -> ResultTable:
    """Count for every entry, best first, from how many it is separated at p < .05."""
    separated = grid >= 2
    below, above = separated.sum(axis=0), separated.sum(axis=1)
    say, count, m = view.language.say, view.numerals.count, len(grid)
    return ResultTable(
        name=f"pairwise{view.suffix}",
        caption=say("tables.pairwise_counts", metric=view.label),
        columns=(
            TableColumn(("rank",), say("ranking.rank"), numeric=True),
            TableColumn(("entry",), say("ranking.entry")),
            *(
                TableColumn((key,), say(f"pairs.{key}"), numeric=True)
                for key in ("better_than", "worse_than", "not_separated")
            ),
        ),
        rows=tuple(
            (
                cell(view.marks[entry]),
                cell(view.analysis.names[entry]),
                cell(count(int(below[place]))),
                cell(count(int(above[place]))),
                cell(count(int(m - 1 - below[place] - above[place]))),
            )
            for place, entry in enumerate(map(int, view.analysis.order))
        ),
    )


def pairwise_table(view: MetricView, part: PairsSection) -> ResultTable:
    """Return all pairs: a triangle for papers (counts for many entries), a list for machines."""
    say, records = view.language.say, _pair_records(view.analysis, view.analysis.names)
    if part.counts is not None:
        return replace(part.counts, note=part.legend, records=records)
    blank = cell("")
    return ResultTable(
        name=f"pairwise{view.suffix}",
        caption=say("tables.pairwise", metric=view.label),
        columns=(
            TableColumn(("rank",), say("ranking.rank"), numeric=True),
            TableColumn(("entry",), say("ranking.entry")),
            *(TableColumn((column,), column, numeric=True) for column in part.columns),
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


def _pair_records(
    analysis: MetricAnalysis, entries: Sequence[str]
) -> tuple[tuple[CellValue, ...], ...]:
    """Return every pair as one record, its header first."""
    pairs = analysis.pairs
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
