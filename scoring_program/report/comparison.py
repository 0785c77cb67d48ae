"""The comparison of competitions: the page, and the same table as CSV, LaTeX and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..inference.closest import ComparedCompetition
from . import drawing as draw
from . import language as languages
from .closeness import DECIMALS, MAIN, CompetitionRow, MeasureColumn, columns_of, rows_of
from .language import Language
from .markup import html
from .sections.competitiveness_table import competitiveness_cell, competitiveness_measures
from .tables import Cell, ResultTable, TableColumn, cell, to_csv, to_latex, to_markdown
from .view import IN_SENTENCE, NAMES_IN_FULL


@dataclass(frozen=True)
class ComparisonReport:
    """Everything on the page of the comparison."""

    language: Language
    title: str
    verdict: str
    most: tuple[str, ...]
    columns: tuple[MeasureColumn, ...]
    rows: tuple[CompetitionRow, ...]
    table: ResultTable
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
    names, metrics = _names(competitions), _metrics(competitions)
    columns = columns_of(competitions, closest, words)
    verdict, *most = _answers(competitions, closest, words)
    return ComparisonReport(
        language=words,
        title=words.say("compare.title"),
        verdict=verdict,
        most=tuple(most),
        columns=columns,
        rows=rows_of(names, metrics, competitions, columns, words),
        table=_table(competitions, closest, words),
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
    kinds = {item.kind for item in competitions}
    for key, heading in competitiveness_measures(language, kinds=kinds, bounded=bounded):
        row = [cell(heading, key)]
        for index, competition in enumerate(competitions):
            made = competitiveness_cell(
                language.numerals, key, competition.measures.get(key), DECIMALS
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


def _answers(
    competitions: Sequence[ComparedCompetition],
    closest: Mapping[str, Sequence[int]],
    language: Language,
) -> list[str]:
    """Say which competitions were the closest by which main measures, by most measures first."""
    total = language.numerals.count(len(competitions))
    led: dict[tuple[int, ...], list[str]] = {}
    for key in MAIN:
        if key in closest:
            led.setdefault(tuple(closest[key]), []).append(key)
    if not led:
        return [language.say("compare.nobody", total=total)]
    names = [draw.isolated(name) for name in _names(competitions)]
    answers: list[str] = []
    for places, keys in sorted(led.items(), key=lambda item: -len(item[1])):
        measures = language.listed(
            [language.say(f"compare.measures.{key.partition('.')[0]}") for key in keys]
        )
        answers.append(
            language.count(
                "compare.most" if answers else "compare.verdict",
                len(places),
                names=_listed([names[place] for place in places], language),
                total=total,
                measures=measures,
            )
        )
    return answers


def _listed(names: Sequence[str], language: Language) -> str:
    """Return a list of names; a long one is cut."""
    more = len(names) - NAMES_IN_FULL
    if more <= 0:
        return language.listed(names)
    return language.say("list_cut", first=language.joined(names[:NAMES_IN_FULL]), count=more)


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
