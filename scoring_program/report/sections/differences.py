"""Differences of every entry from the reference."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .. import drawing as draw
from ..drawing import AnyScale, Axis, Strip
from ..tables import Cell, CellValue, ResultTable, TableColumn, cell
from ..view import MetricView
from .entry_axes import difference_axis
from .excerpts import excerpt
from .legends import difference_keys
from .p_values import p_values_of


@dataclass(frozen=True)
class ShownDifference:
    """A row of the differences; ``entry`` is its number in the analysis."""

    entry: int
    name: str
    tags: tuple[str, ...]
    difference: str
    interval: str
    strip: Strip
    zero: str
    contains: bool
    focus: bool


@dataclass(frozen=True)
class DifferencesSection:
    """Differences of every entry from the reference."""

    heading: str
    caption: str
    interval_heading: str
    axis: Axis
    rows: tuple[ShownDifference, ...]
    excerpt: tuple[ShownDifference, ...]  # the rows of the page


def differences_of(view: MetricView) -> DifferencesSection:
    """Return the table of differences with its strips."""
    analysis, say = view.analysis, view.language.say
    differences = analysis.differences
    scale, shared = difference_axis(view, f"advantages-{view.index + 1}")
    rows = []
    for i in view.others():
        low, high = float(differences.low[i]), float(differences.high[i])
        rows.append(
            ShownDifference(
                entry=i,
                name=view.analysis.names[i],
                tags=view.tags(i),
                difference=view.difference(float(differences.observed[i])),
                interval=view.interval(low, high),
                strip=difference_strip(view, i, scale, shared),
                zero=_zero(view, low, high),
                contains=contains_zero(low, high),
                focus=view.focused(i),
            )
        )
    if not view.chosen_leader:
        caption = "differences.caption_reference"
    else:
        caption = (
            "differences.caption" if view.metric.greater_is_better else "differences.caption_lower"
        )
    values = {
        "reference": view.reference,
        "metric": view.label,
        "confidence": view.confidence,
    }
    return DifferencesSection(
        heading=say("differences.heading", **values),
        caption=say(caption, **values),
        interval_heading=say("differences.interval", confidence=view.confidence),
        axis=shared,
        rows=tuple(rows),
        excerpt=excerpt(view, rows, [row.name for row in rows]),
    )


def difference_strip(view: MetricView, entry: int, scale: AnyScale, shared: Axis) -> Strip:
    """Return the paired interval of the advantage of the reference over an entry."""
    differences = view.analysis.differences
    low, point, high = (
        float(values[entry]) for values in (differences.low, differences.observed, differences.high)
    )
    title = view.language.say(
        "differences.row_title",
        reference=view.reference,
        name=view.names[entry],
        difference=view.difference(point),
        interval=view.interval(low, high),
    )
    return draw.strip(scale, shared, low, point, high, shape="plain", title=title)


def contains_zero(low: float, high: float) -> bool:
    """Return whether an interval contains zero. A missing interval does not."""
    return bool(low <= 0 <= high)


def _zero(view: MetricView, low: float, high: float) -> str:
    """Return in words whether an interval contains zero."""
    if not math.isfinite(low):
        return view.language.say("differences.unknown")
    contains = contains_zero(low, high)
    return view.language.say(f"differences.{'contains' if contains else 'excludes'}")


def difference_forest(view: MetricView, part: DifferencesSection) -> draw.Forest:
    """Return the differences as one figure."""
    axis_label = view.language.say("differences.axis", reference=view.reference, metric=view.label)
    return draw.forest(
        draw.Heading(
            f"differences-{view.index + 1}", part.heading, axis_label, difference_keys(view)
        ),
        [(row.name, f"{row.difference} {row.interval}", row.strip) for row in part.rows],
        axis_label,
        focus=next((place for place, row in enumerate(part.rows) if row.focus), None),
    )


def differences_table(view: MetricView, part: DifferencesSection) -> ResultTable:
    """Return the differences as a table to take away; machines get the p-values with them."""
    say, differences = view.language.say, view.analysis.differences
    columns = (
        TableColumn(("entry",), say("differences.entry")),
        TableColumn(("difference",), say("differences.difference"), numeric=True),
        TableColumn(("ci_low", "ci_high"), part.interval_heading),
        TableColumn(("contains_zero",), say("differences.zero")),
        TableColumn(("status",), say("tables.status")),
    )
    p_values = p_values_of(view)
    keys = tuple(key for column in columns for key in column.keys)
    rows: list[tuple[Cell, ...]] = []
    records: list[tuple[CellValue, ...]] = [(*keys[:-1], *p_values, keys[-1])]
    for row in part.rows:
        i = row.entry
        low, high = float(differences.low[i]), float(differences.high[i])
        contains = int(row.contains) if math.isfinite(low) else None
        observed, shape = float(differences.observed[i]), view.shape(i)
        rows.append(
            (
                cell(row.name),
                cell(row.difference, observed),
                cell(row.interval, low, high),
                cell(row.zero, contains),
                cell(view.status(i).word, shape),
            )
        )
        ps = (float(p[i]) for _, p in p_values.values())
        records.append((row.name, observed, low, high, contains, *ps, shape))
    return ResultTable(
        name=f"differences{view.suffix}",
        caption=say("tables.differences", metric=view.label, reference=view.reference),
        columns=columns,
        rows=tuple(rows),
        records=tuple(records),
    )
