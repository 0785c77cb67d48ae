"""How close each competition was: a row per competition, a bar per measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..inference.closest import ComparedCompetition, comparable, more_is_closer, tie_opportunities
from . import drawing as draw
from .language import Language
from .numbers import MISSING
from .sections.competitiveness_table import competitiveness_cell, competitiveness_measures

#: The measures of the first screen. Of the valid corrections, Holm's leaves the fewest ties.
MAIN = (
    "ties_with_winner.holm",
    "ties_between_competitors.holm",
    "winner_minus_median",
    "cv_percent",
    "ppi_percent",
)
#: Decimals of winner − median: the scores behind it are no longer known.
DECIMALS = 4


@dataclass(frozen=True)
class MeasureCell:
    """A measure of one competition: in words, and as a bar from zero if it can be compared."""

    text: str
    strip: draw.Strip | None
    closest: bool


@dataclass(frozen=True)
class MeasureColumn:
    """A measure of all competitions; ``direction`` says whether long or short bars are close."""

    heading: str
    direction: str
    axis: draw.Axis
    cells: tuple[MeasureCell, ...]


@dataclass(frozen=True)
class CompetitionRow:
    """A competition, its metric and sizes, and a cell for each column."""

    name: str
    facts: str
    cells: tuple[MeasureCell, ...]


def columns_of(
    competitions: Sequence[ComparedCompetition],
    closest: Mapping[str, Sequence[int]],
    language: Language,
) -> tuple[MeasureColumn, ...]:
    """Return the main measures by which competitions can be compared."""
    columns = []
    for key in MAIN:
        values = comparable(competitions, key)
        known = [value for value in values if value is not None]
        if len(known) > 1:
            columns.append(_column(competitions, key, values, closest.get(key, ()), language))
    return tuple(columns)


def _column(
    competitions: Sequence[ComparedCompetition],
    key: str,
    values: Sequence[float | None],
    closest: Sequence[int],
    language: Language,
) -> MeasureColumn:
    share = more_is_closer(key)
    scale = draw.strip_scale([0.0, 1.0 if share else max(filter(None, values), default=1.0)])
    numerals = language.numerals
    axis = draw.axis(
        f"by-{key.replace('.', '-')}",
        scale,
        None,
        (lambda value, _: numerals.exact_percent(value)) if share else numerals.fixed,
    )
    cells = []
    for place, (item, value) in enumerate(zip(competitions, values, strict=True)):
        text = MISSING if value is None else _text(item, key, language)
        strip = None
        if value is not None:
            strip = draw.strip(scale, axis, 0.0, value, value, shape="plain", title=text)
        cells.append(MeasureCell(text, strip, place in closest))
    return MeasureColumn(
        heading=dict(competitiveness_measures(language))[key],
        direction=language.say("compare.longer" if share else "compare.shorter"),
        axis=axis,
        cells=tuple(cells),
    )


def _text(competition: ComparedCompetition, key: str, language: Language) -> str:
    """Return a measure; a number of ties is out of the comparisons."""
    measures = competition.measures
    number = competitiveness_cell(language.numerals, key, measures.get(key), DECIMALS).text
    if not more_is_closer(key):
        return number
    others = language.numerals.count(int(tie_opportunities(measures, key)))
    return language.say("facts.tied_value", count=number, others=others)


def rows_of(
    names: Sequence[str],
    metrics: Sequence[str],
    competitions: Sequence[ComparedCompetition],
    columns: Sequence[MeasureColumn],
    language: Language,
) -> tuple[CompetitionRow, ...]:
    """Return a row per competition, in the order given."""
    rows = []
    for place, (name, metric) in enumerate(zip(names, metrics, strict=True)):
        measures = competitions[place].measures
        kind = language.kind(competitions[place].kind)
        sizes = ((f"kinds.{kind}", "n"), ("counted.entries", "m"))
        facts = [
            language.count(counted, int(size))
            for counted, key in sizes
            if (size := measures.get(key)) is not None and math.isfinite(size)
        ]
        cells = tuple(column.cells[place] for column in columns)
        rows.append(CompetitionRow(name, " · ".join((metric, *facts)), cells))
    return tuple(rows)
