"""Every metric within each slice of the test set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...inference.analysis import SliceAnalysis
from ..numbers import MISSING
from ..tables import Cell, ResultTable, TableColumn, cell
from ..view import MetricView
from .section import Passage, Section
from .slice_pictures import MOST_ENTRIES, MOST_SLICES, slice_pictures


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield a section for each metric, if the settings name columns of slices."""
    for view in views:
        if not view.analysis.slices:
            continue
        say = view.language.say
        table, pictures = summary_table(view), slice_pictures(view)
        drawn = say(
            "slices.drawn",
            entries=view.numerals.count(MOST_ENTRIES),
            slices=view.numerals.count(MOST_SLICES),
        )
        yield Section(
            f"slices-{view.index + 1}",
            f"{say('slices.heading')} · {view.label}",
            Passage(
                caption=say("slices.caption", confidence=view.confidence),
                table=table,
                figures=pictures,
                note=" ".join([*_notes(view), drawn]),
            ),
            tables=(table, full_table(view)),
            figures={
                f"slices{view.suffix}_{number}": figure
                for number, figure in enumerate(pictures, start=1)
            },
        )


def _notes(view: MetricView) -> Iterator[str]:
    """Say when another leader is named, and where there are no intervals or special ones."""
    yield view.language.say("slices.note")
    if any(one.constant.any() for one in view.analysis.slices):
        yield view.language.say("slices.constant")


def summary_table(view: MetricView) -> ResultTable:
    """Return one row a slice: who has the best score there, and the overall leader's score."""
    say, analysis = view.language.say, view.analysis
    leader = view.names[analysis.leader]
    return ResultTable(
        name=f"slices{view.suffix}",
        caption=say("slices.table", metric=view.label, confidence=view.confidence),
        columns=(
            TableColumn(("column", "value"), say("slices.slice")),
            TableColumn(("examples",), say("slices.examples"), numeric=True),
            TableColumn(("best",), say("slices.best")),
            TableColumn(("score", "low", "high"), say("slices.score"), numeric=True),
            TableColumn(
                ("leader_score", "leader_low", "leader_high"),
                say("slices.leader", name=leader),
                numeric=True,
            ),
            TableColumn(("verdict",), say("slices.verdict")),
        ),
        rows=tuple(_summary(view, one) for one in analysis.slices),
    )


def _summary(view: MetricView, one: SliceAnalysis) -> tuple[Cell, ...]:
    say, count = view.language.say, view.numerals.count
    best = _best(view, one)
    if one.other_leader is not None:
        verdict = say("slices.other", name=view.names[one.other_leader])
    else:
        verdict = say("slices.same" if one.compared else "slices.scores_only")
    return (
        _named(one),
        cell(count(one.n), one.n),
        cell(MISSING, None) if best is None else cell(view.analysis.names[best]),
        _score(view, one, view.analysis.leader if best is None else best),
        _score(view, one, view.analysis.leader),
        cell(verdict, strong=one.other_leader is not None),
    )


def _best(view: MetricView, one: SliceAnalysis) -> int | None:
    """Return who has the best score in a slice, without baselines; None without scores."""
    sign = 1 if view.metric.greater_is_better else -1
    scored = [
        int(i)
        for i in view.analysis.order
        if np.isfinite(one.score[i]) and i not in view.analysis.baselines
    ]
    return max(scored, key=lambda i: sign * float(one.score[i]), default=None)


def _named(one: SliceAnalysis) -> Cell:
    return cell(f"{one.column}: {one.value}", one.column, one.value)


def _score(view: MetricView, one: SliceAnalysis, entry: int) -> Cell:
    """Return the score of an entry in a slice, with its interval where it has one."""
    values = [float(array[entry]) for array in (one.score, one.low, one.high)]
    text = view.score(values[0])
    if math.isfinite(values[1]):
        text += f" {view.interval(*values[1:])}"
    return cell(text, *(value if math.isfinite(value) else None for value in values))


def full_table(view: MetricView) -> ResultTable:
    """Return the scores of all entries in all slices, for the files to take away."""
    say, analysis = view.language.say, view.analysis
    return ResultTable(
        name=f"slices_of_entries{view.suffix}",
        caption=say("slices.table", metric=view.label, confidence=view.confidence),
        columns=(
            TableColumn(("column", "value"), say("slices.slice")),
            TableColumn(("examples",), say("slices.examples"), numeric=True),
            TableColumn(("entry",), say("slices.entry")),
            TableColumn(("score", "low", "high"), say("slices.score"), numeric=True),
        ),
        rows=tuple(
            (
                _named(one),
                cell(view.numerals.count(one.n), one.n),
                cell(analysis.names[i]),
                _score(view, one, int(i)),
            )
            for one in analysis.slices
            for i in analysis.order
        ),
    )
