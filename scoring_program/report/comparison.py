"""The comparison of competitions: the page, and the same table as CSV, LaTeX and Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..inference.closest import ComparedCompetition
from . import drawing as draw
from . import language as languages
from .language import Language
from .markup import html
from .numbers import Numerals
from .sections.competitiveness_table import competitiveness_cell, competitiveness_measures
from .tables import Cell, ResultTable, TableColumn, cell, to_csv, to_latex, to_markdown
from .view import IN_SENTENCE

_DECIMALS = 4  # of winner − median: the scores behind it are no longer known
_DRAWN = ("cv_percent", "ppi_percent")
#: Titles are longer than names, and only one number follows them.
_PANEL = draw.ForestLayout(340, 160)


@dataclass(frozen=True)
class ComparisonReport:
    """Everything on the page of the comparison."""

    language: Language
    title: str
    verdict: str
    most: tuple[str, ...]
    table: ResultTable
    panels: tuple[draw.Forest, ...]
    made_by: str


def build(
    competitions: Sequence[ComparedCompetition],
    closest: Mapping[str, Sequence[int]],
    *,
    language: str = "en",
    version: str = "",
) -> ComparisonReport:
    """Put the comparison together; ``closest`` has the closest competitions by each measure."""
    words = languages.load(language)
    return ComparisonReport(
        language=words,
        title=words.say("compare.title"),
        verdict=words.say("compare.verdict", count=words.numerals.count(len(competitions))),
        most=_most(competitions, closest, words),
        table=_table(competitions, closest, words),
        panels=_panels(competitions, closest, words),
        made_by=words.say("page.made_by", version=version).strip(),
    )


def files(report: ComparisonReport) -> dict[str, str]:
    """Return file name → content."""
    return {
        "comparison.html": html("compare.html.j2", report, report.language),
        "comparison.csv": to_csv(report.table),
        "comparison.tex": to_latex(report.table),
        "comparison.md": to_markdown(report.table),
    }


def _table(
    competitions: Sequence[ComparedCompetition],
    closest: Mapping[str, Sequence[int]],
    language: Language,
) -> ResultTable:
    say = language.say
    rows = [(cell(say("compare.metric"), "metric"), *map(cell, _metrics(competitions)))]
    bounded = all(item.bounded for item in competitions)
    for key, heading in competitiveness_measures(language, bounded=bounded):
        row = [cell(heading, key)]
        for index, competition in enumerate(competitions):
            made = competitiveness_cell(
                language.numerals, key, competition.measures.get(key), _DECIMALS
            )
            row.append(Cell(made.text, made.values, strong=index in closest.get(key, ())))
        rows.append(tuple(row))
    return ResultTable(
        name="comparison",
        caption=say("compare.title"),
        columns=(
            TableColumn(("measure",), say("compare.measure")),
            *(
                TableColumn((item.title,), name, numeric=True)
                for item, name in zip(competitions, _names(competitions), strict=True)
            ),
        ),
        rows=tuple(rows),
        note=f"{say('compare.bold')} {say('compare.scale')}",
    )


def _most(
    competitions: Sequence[ComparedCompetition],
    closest: Mapping[str, Sequence[int]],
    language: Language,
) -> tuple[str, ...]:
    """Return a sentence for each competition that is the closest by some measure."""
    keys = [key for key, _ in competitiveness_measures(language)]
    names = _names(competitions)
    sentences = []
    for index in range(len(competitions)):
        led = [key for key in keys if index in closest.get(key, ())]
        if led:
            measures = language.listed(_phrases(led, language))
            name = draw.isolated(names[index])
            sentences.append(language.say("compare.most", name=name, measures=measures))
    return tuple(sentences)


def _names(competitions: Sequence[ComparedCompetition]) -> list[str]:
    """Return the titles, short enough for a sentence or the head of a column."""
    return draw.told_apart([item.title for item in competitions], IN_SENTENCE)


def _metrics(competitions: Sequence[ComparedCompetition]) -> list[str]:
    """Return the metrics' names; the definitions of those that share a name, but not a definition.

    Binary and macro F1 are both called ``f1_score`` where the settings give them no other name.
    """
    definitions = {item.metric: set[str]() for item in competitions}
    for item in competitions:
        definitions[item.metric].add(item.definition)
    return [
        item.metric if len(definitions[item.metric]) == 1 else item.definition
        for item in competitions
    ]


def _phrases(led: Sequence[str], language: Language) -> list[str]:
    """Name the measures that a competition leads; a whole family of ties has one name."""
    say = language.say
    every = [key for key, _ in competitiveness_measures(language)]
    phrases = []
    for key in led:
        family, nested, correction = key.partition(".")
        phrase = say(f"compare.measures.{family}")
        if nested and {other for other in every if other.startswith(f"{family}.")} <= set(led):
            phrase = say("compare.every_correction", measure=phrase)
        elif nested:
            name = say(f"corrections.{correction}")
            phrase = say("compare.one_correction", measure=phrase, correction=name)
        phrases.append(phrase)
    return list(dict.fromkeys(phrases))


def _panels(
    competitions: Sequence[ComparedCompetition],
    closest: Mapping[str, Sequence[int]],
    language: Language,
) -> tuple[draw.Forest, ...]:
    """Draw the measures that compare across metrics and sizes, one point per competition."""
    numerals, headings = language.numerals, dict(competitiveness_measures(language))
    panels = []
    for key in _DRAWN:
        known = [
            item
            for item in competitions
            if item.measures.get(key) is not None and (item.bounded or key != "ppi_percent")
        ]
        if len(known) < 2:
            continue
        values = [float(item.measures[key] or 0) for item in known]
        best = {competitions[index].title for index in closest.get(key, ())}
        scale = draw.strip_scale([0.0, *values])
        shared = draw.axis(key, scale, 0.0, numerals.fixed)
        rows = [
            _row(item.title, value, scale, shared, numerals, leads=item.title in best)
            for item, value in zip(known, values, strict=True)
        ]
        panels.append(
            draw.forest(
                draw.Heading(f"compare-{key}", headings[key], headings[key]),
                rows,
                headings[key],
                layout=_PANEL,
            )
        )
    return tuple(panels)


def _row(
    title: str,
    value: float,
    scale: draw.Scale,
    shared: draw.Axis,
    numerals: Numerals,
    *,
    leads: bool,
) -> tuple[str, str, draw.Strip]:
    number = numerals.fixed(value, 2)
    strip = draw.strip(
        scale,
        shared,
        math.nan,
        value,
        math.nan,
        shape="leader" if leads else "behind",
        title=f"{draw.isolated(draw.shortened(title, IN_SENTENCE))}: {number}",
    )
    return title, number, strip
