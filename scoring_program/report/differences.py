"""Differences of every entry from the reference, and the distributions of close ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import drawing as draw
from .drawing import Axis, Strip
from .reader import Reader
from .table import Column, Table, cell

#: A metric's name under a histogram is cut to so many letters, beside that of the reference.
_LETTERS_UNDER_HISTOGRAM = 20


@dataclass(frozen=True)
class DifferenceRow:
    """A row of the differences; ``entry`` is its number in the competition."""

    entry: int
    name: str
    tags: tuple[str, ...]
    difference: str
    interval: str
    strip: Strip
    zero: str
    contains: bool
    p: str
    p_adjusted: str
    focus: bool


@dataclass(frozen=True)
class Differences:
    """Differences of every entry from the reference."""

    heading: str
    caption: str
    note: str
    interval_heading: str
    p_heading: str
    adjusted_heading: str
    axis: Axis
    rows: tuple[DifferenceRow, ...]


def differences_of(reader: Reader) -> Differences:
    """Return the table of differences with its strips."""
    a, say = reader.a, reader.language.say
    d = a.differences
    scale, shared = _difference_axis(reader)
    correction, adjusted = reader.p_adjusted()
    # Against an entry named in advance either side may be the better one.
    p = d.p_one_sided if reader.chosen_leader else d.p_two_sided
    correction_name = say(f"corrections.{correction}")
    rows = []
    for i in reader.others():
        low, high = float(d.low[i]), float(d.high[i])
        rows.append(
            DifferenceRow(
                entry=i,
                name=reader.inputs.entries[i],
                tags=reader.tags(i),
                difference=reader.difference(float(d.observed[i])),
                interval=reader.interval(low, high),
                strip=_difference_strip(reader, i, scale, shared),
                zero=_zero(reader, low, high),
                contains=contains_zero(low, high),
                p=reader.numerals.p(float(p[i])),
                p_adjusted=reader.numerals.p(float(adjusted[i])),
                focus=reader.focused(i),
            )
        )
    if not reader.chosen_leader:
        caption = "differences.caption_reference"
    else:
        caption = "differences.caption" if a.greater_is_better else "differences.caption_lower"
    values = {
        "reference": reader.reference,
        "metric": reader.label,
        "confidence": reader.confidence,
        "correction": correction_name,
    }
    note_key = "note" if reader.chosen_leader else "note_reference"
    note = say(f"differences.{note_key}", **values)
    compared = sum(i not in a.baselines for i in reader.others())
    notes = [note, reader.language.count("differences.note_adjusted", compared, **values)]
    if any(i in a.baselines for i in reader.others()):
        notes.append(say("differences.note_baselines"))
    return Differences(
        heading=say("differences.heading", **values),
        caption=say(caption, **values),
        note=" ".join(notes),
        interval_heading=say("differences.interval", confidence=reader.confidence),
        p_heading=say("differences.p" if reader.chosen_leader else "differences.p_two"),
        adjusted_heading=say("differences.p_adjusted", correction=correction_name),
        axis=shared,
        rows=tuple(rows),
    )


def _difference_axis(reader: Reader) -> tuple[draw.Scale, Axis]:
    d = reader.a.differences
    others = reader.others()
    values = np.concatenate([d.low[others], d.high[others], d.observed[others]])
    scale = draw.strip_scale([0.0, *values.tolist()])
    return scale, draw.axis(f"advantages-{reader.index + 1}", scale, 0.0, reader.tick)


def _difference_strip(reader: Reader, entry: int, scale: draw.Scale, shared: Axis) -> Strip:
    d = reader.a.differences
    low, point, high = (float(values[entry]) for values in (d.low, d.observed, d.high))
    title = reader.language.say(
        "differences.row_title",
        reference=reader.reference,
        name=reader.names[entry],
        difference=reader.difference(point),
        interval=reader.interval(low, high),
    )
    apart = "ahead" if point < 0 else "behind"
    shape = "tied" if contains_zero(low, high) else apart
    return draw.strip(scale, shared, low, point, high, shape=shape, title=title)


def contains_zero(low: float, high: float) -> bool:
    """Return whether an interval contains zero; one that does not exist does not."""
    return bool(low <= 0 <= high)


def _zero(reader: Reader, low: float, high: float) -> str:
    """Return in words whether an interval contains zero."""
    if not math.isfinite(low):
        return reader.language.say("differences.unknown")
    contains = contains_zero(low, high)
    return reader.language.say(f"differences.{'contains' if contains else 'excludes'}")


def distributions_of(reader: Reader) -> tuple[draw.HistogramFigure, ...]:
    """Return the histogram of every close difference, best entry first."""
    a, say = reader.a, reader.language.say
    drawn = []
    for i in (i for i in reader.others() if i in a.histograms):
        data = a.histograms[i]
        difference = reader.difference(data.observed)
        if reader.two_sided(i):
            label, p, mean = "p_two", a.differences.p_two_sided[i], float(a.differences.mean[i])
            counted = mean - abs(data.observed), mean + abs(data.observed)
        else:
            label, p = "p_one", a.differences.p_one_sided[i]
            counted = -math.inf, 2 * data.observed if data.observed > 0 else -math.inf
        note = say(
            "distribution.note",
            difference=difference,
            p_label=say(f"distribution.{label}"),
            p=reader.numerals.p(float(p)),
        )
        names = {"reference": reader.reference, "name": reader.names[i]}
        drawn.append(
            draw.histogram(
                f"distribution-{reader.index + 1}-{i + 1}",
                say("distribution.title", **names),
                say(
                    "distribution.description",
                    **names,
                    resamples=reader.numerals.count(int(data.counts.sum())),
                    note=note,
                ),
                note,
                data,
                counted,
                (
                    say("distribution.zero"),
                    say("distribution.observed", difference=difference),
                    say("distribution.double"),
                ),
                say(
                    "differences.axis",
                    reference=reader.names_beside[a.reference],
                    metric=draw.shortened(reader.label, _LETTERS_UNDER_HISTOGRAM),
                ),
                reader.tick,
            )
        )
    return tuple(drawn)


def distributions_caption(reader: Reader) -> str:
    """Return what the histograms show, and what their p-values count."""
    two_sided = any(reader.two_sided(i) for i in reader.others() if i in reader.a.histograms)
    counted = reader.language.say(f"distribution.{'counted_two' if two_sided else 'counted'}")
    return reader.language.say("distribution.caption", counted=counted)


def more_distributions(reader: Reader, in_figures: int) -> str:
    """Say how many close pairs are in the figures only, and how many are not drawn at all."""
    a, count = reader.a, reader.language.count
    close = np.logical_or.reduce(list(a.tied.values()))
    missing = sum(bool(close[i]) and i not in a.histograms for i in reader.others())
    counted = {"more": in_figures, "not_drawn": missing}
    return " ".join(
        count(f"distribution.{key}", number) for key, number in counted.items() if number
    )


def difference_forest(reader: Reader, part: Differences) -> draw.Forest:
    """Return the differences as one figure."""
    axis_label = reader.language.say(
        "differences.axis", reference=reader.reference, metric=reader.label
    )
    return draw.forest(
        f"differences-{reader.index + 1}",
        part.heading,
        axis_label,
        [(row.name, f"{row.difference} {row.interval}", row.strip) for row in part.rows],
        axis_label,
        focus=next((place for place, row in enumerate(part.rows) if row.focus), None),
    )


def differences_table(reader: Reader, part: Differences) -> Table:
    """Return the differences as a table to take away, with every adjusted p."""
    say, d = reader.language.say, reader.a.differences
    corrections = [key for key in ("bonferroni", "holm", "fdr_bh") if key in d.p_adjusted]
    columns = (
        Column(("entry",), say("differences.entry")),
        Column(("difference",), say("differences.difference"), numeric=True),
        Column(("ci_low", "ci_high"), part.interval_heading),
        Column(("contains_zero",), say("differences.zero")),
        Column(("p_one_sided",), say("differences.p"), numeric=True),
        Column(("p_two_sided",), say("differences.p_two"), numeric=True),
        *(
            Column(
                (f"p_{key}",),
                say("differences.p_adjusted", correction=say(f"corrections.{key}")),
                numeric=True,
            )
            for key in corrections
        ),
        Column(("status",), say("tables.status")),
    )
    rows = []
    for row in part.rows:
        i = row.entry
        low, high = float(d.low[i]), float(d.high[i])
        contains = int(row.contains) if math.isfinite(low) else None
        ps = [d.p_one_sided, d.p_two_sided, *(d.p_adjusted[key] for key in corrections)]
        rows.append(
            (
                cell(row.name),
                cell(row.difference, float(d.observed[i])),
                cell(row.interval, low, high),
                cell(row.zero, contains),
                *(cell(reader.numerals.p(float(p[i])), float(p[i])) for p in ps),
                cell(reader.status(i).word, reader.shape(i)),
            )
        )
    note = "differences.note" if reader.chosen_leader else "differences.note_reference"
    return Table(
        name=f"differences{reader.suffix}",
        caption=say("tables.differences", metric=reader.label, reference=reader.reference),
        columns=columns,
        rows=tuple(rows),
        note=say(note, reference=reader.reference),
    )
